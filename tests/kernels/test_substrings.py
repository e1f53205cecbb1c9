"""The substring kernel against listed substrings, and the automaton against what is known of it."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.families.substrings import suffix_automaton
from tests.conftest import random_sequences
from tests.kernels.test_families import blocks_of
from tests.kernels.test_sequences import coded


def kernel(X, Z, length):
    return GramStack(make_family("substring", lengths=[length]), X, Z).matrix(0)


def test_substrings_of_the_textbook():
    # Of "banana" and "ananas": a, n, an, na, ana, nan, anan, nana, anana.
    X, Z = coded("banana", "xyz"), coded("ananas", "zy")
    assert kernel(X, Z, 9).tolist() == [[9, 0], [0, 2]]
    assert kernel(X, Z, 1).tolist() == [[2, 0], [0, 2]]
    assert kernel(X, Z, 3).tolist() == [[6, 0], [0, 2]]


def test_the_empty_string_is_not_counted():
    X = coded("", "ab", "")
    np.testing.assert_array_equal(kernel(X, X, 5), [[0, 0, 0], [0, 3, 0], [0, 0, 0]])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("letters", [1, 2, 3, 20])
@pytest.mark.parametrize("seed", range(8))
def test_random_strings_have_the_substrings_that_they_have(letters, seed):
    X, Z = (random_sequences(6, seed=100 * seed + k, longest=12, letters=letters) for k in (1, 2))
    for length in (1, 2, 3, 5, 12, 30):
        listed = [[len(blocks_of(x, length) & blocks_of(z, length)) for z in Z] for x in X]
        np.testing.assert_array_equal(kernel(X, Z, length), listed)


def test_a_square_stack_is_the_same_as_one_of_two_copies():
    X, family = random_sequences(20, seed=3, longest=30), make_family("substring", lengths=[2, 7])
    np.testing.assert_array_equal(GramStack.train(family, X).base, GramStack(family, X, X.copy()).base)


def test_codes_are_names():
    X = random_sequences(9, seed=5)
    renamed = np.where(X < 0, X, 1000.0 * (7 - X))
    np.testing.assert_array_equal(kernel(renamed, renamed, 4), kernel(X, X, 4))


def test_a_string_is_classified_by_one_of_its_substrings():
    """Section 16.2.1: contains v is the sign of 2 psi_v - 1, at a margin of 1."""
    X = random_sequences(60, seed=6, longest=10, letters=3)
    v = np.array([[0.0, 1.0, *[-1.0] * 8]])
    contains = [any((x[i : i + 2] == v[0, :2]).all() for i in range(9)) for x in X]
    psi_v = kernel(X, v, 2) - kernel(X, v, 1)  # "ab" itself: the strings of length 2 in common with "ab"
    np.testing.assert_array_equal(2 * psi_v[:, 0] - 1, np.where(contains, 1, -1))


def test_the_automaton_is_small():
    """At most two states a letter (Blumer et al.), where there are thousands of substrings; a run has as many."""
    X = np.random.default_rng(0).integers(0, 4, (30, 200)).astype(np.int64)
    automaton = suffix_automaton(X)
    assert len(automaton.link) <= 2 * X.size and len(automaton.step) == len(automaton.length) == len(automaton.link)
    assert len(suffix_automaton(np.zeros((1, 50), dtype=np.int64)).link) == 51


def test_too_many_letters_for_the_memory_are_told(monkeypatch):
    monkeypatch.setattr("kernlearn.memory.available", lambda: 10**6)
    X = np.arange(6000.0).reshape(60, 100)
    with pytest.raises(UserError, match="the states of the automaton of 60 sequences take .* of memory are available"):
        kernel(X, X, 2)
