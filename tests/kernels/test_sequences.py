import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.kernels import SCALINGS, GramStack, make_family
from kernlearn.kernels.families import sequences as sequences_module
from kernlearn.kernels.families.sequences import edit_distances, integer_codes
from tests.conftest import edit_distance_by_table, random_sequences

UNIT_COSTS = {"insertion": 1.0, "deletion": 1.0, "substitution": 1.0}
ON_SEQUENCES = {
    "edit_distance": make_family("edit_distance", gammas=[0.1]),
    "spectrum": make_family("spectrum", lengths=[2]),
    "weighted_degree": make_family("weighted_degree", degrees=[2]),
}


def coded(*words):
    """Write words as rows of codes, ended by -1 where they are shorter than the longest."""
    longest = max(map(len, words))
    return np.array([[*map(float, map(ord, word)), *[-1.0] * (longest - len(word))] for word in words])


def test_distances_of_the_textbook():
    D = edit_distances(coded("kitten", "flaw", ""), coded("sitting", "lawn", ""), **UNIT_COSTS)
    assert D.tolist() == [[3, 5, 6], [7, 2, 4], [7, 4, 0]]


@pytest.mark.parametrize("costs", [(1, 1, 1), (1, 1, 5), (0.3, 2, 1), (0, 1, 1), (1, 1, 0)])
def test_distances_for_any_costs(costs):
    costs = dict(zip(("insertion", "deletion", "substitution"), costs, strict=True))
    X, Z = random_sequences(7, seed=3), random_sequences(6, seed=4, longest=11)
    expected = [[edit_distance_by_table(x, z, **costs) for z in Z] for x in X]
    np.testing.assert_allclose(edit_distances(X, Z, **costs), expected, atol=1e-12)


def test_distances_do_not_depend_on_the_blocks(monkeypatch):
    X, Z = random_sequences(9, seed=5), random_sequences(8, seed=6)
    whole = edit_distances(X, Z, **UNIT_COSTS)
    monkeypatch.setattr(sequences_module, "BLOCK_ENTRIES", 1)
    np.testing.assert_array_equal(edit_distances(X, Z, **UNIT_COSTS), whole)


def test_different_costs_are_symmetric_on_equal_lengths_only():
    costs = {**UNIT_COSTS, "deletion": 3.0}
    equal = np.random.default_rng(0).integers(0, 4, (10, 8)).astype(float)
    D = edit_distances(equal, equal, **costs)
    np.testing.assert_array_equal(D, D.T)
    unequal = random_sequences(10, seed=7)
    D = edit_distances(unequal, unequal, **costs)
    assert (D != D.T).any() and (np.diagonal(D) == 0).all()


def test_words_of_the_textbook():
    stack = GramStack(make_family("spectrum", lengths=[1, 2]), coded("banana", "ann"), coded("ananas", "nab"))
    assert stack.matrix(0).tolist() == [[3 * 3 + 2 * 2, 3 + 2 + 1], [3 + 2 * 2, 1 + 2]]
    assert stack.matrix(1).tolist() == [[2 * 2 + 2 * 2, 2], [2, 0]]


def test_what_follows_the_end_of_a_sequence_is_not_seen():
    ended, clean = np.array([[0.0, 1.0, -1.0, 2.0, 3.0]]), np.array([[0.0, 1.0, -1.0, -1.0, -1.0]])
    others = random_sequences(3, seed=8, longest=5)
    np.testing.assert_array_equal(integer_codes("spectrum", ended), clean)
    for family in ON_SEQUENCES.values():
        np.testing.assert_array_equal(GramStack(family, ended, others).base, GramStack(family, clean, others).base)


@pytest.mark.parametrize("name", sorted(ON_SEQUENCES))
@pytest.mark.parametrize("scaling", ["unit", "standard"])
def test_scaled_codes_are_told(name, scaling):
    X, *_ = SCALINGS[scaling](random_sequences(10, seed=9))
    with pytest.raises(UserError, match=f"kernel={name}: works on sequences of integer codes.*scaling=none"):
        GramStack.train(ON_SEQUENCES[name], X)


@pytest.mark.parametrize("value", [0.5, 1e200, -1e200])
def test_values_that_are_no_codes_are_told(value, recwarn):
    with pytest.raises(UserError, match="integer codes and found the value"):
        integer_codes("spectrum", np.array([[0.0, value]]))
    assert not recwarn.list


def test_words_longer_than_the_sequences_are_told():
    with pytest.raises(UserError, match="kernel.lengths: 6 is more than the 5 positions"):
        GramStack.train(make_family("spectrum", lengths=[6]), coded("abcde"))


def test_places_of_the_textbook():
    # Of "abcd" and "abxd" a, b, d and "ab" agree: beta is 1/2, 1/3, 1/6 for d = 3, and S(x, x) = 4/2 + 3/3 + 2/6.
    K = GramStack(make_family("weighted_degree", degrees=[3, 1]), coded("abcd"), coded("abxd", "dcba", "abcd"))
    np.testing.assert_allclose(K.matrix(0), [[(3 / 2 + 1 / 3) / (10 / 3), 0, 1]], rtol=1e-14)
    np.testing.assert_allclose(K.matrix(1), [[3 / 4, 0, 1]], rtol=1e-14)


def test_a_sequence_without_codes_is_like_no_other():
    K = GramStack.train(make_family("weighted_degree", degrees=[1, 4]), coded("", "ab", "abc"))
    for k in range(2):
        np.testing.assert_array_equal(K.matrix(k)[0], 0)
        np.testing.assert_allclose(np.diagonal(K.matrix(k))[1:], 1, rtol=1e-14)


def test_places_do_not_depend_on_the_blocks(monkeypatch):
    family, X = make_family("weighted_degree", degrees=[2, 5]), random_sequences(9, seed=5)
    whole = GramStack.train(family, X).base
    monkeypatch.setattr(sequences_module, "BLOCK_ENTRIES", 1)
    np.testing.assert_array_equal(GramStack.train(family, X).base, whole)
