import pickle

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem

from kernlearn.errors import UserError
from kernlearn.kernels import FAMILIES, GramStack, make_family
from kernlearn.kernels.families.registry import APPROXIMATION, KERNEL_PARAMETERS

GAMMAS = [0.05, 0.5]


def examples(n, seed=0, d=4):
    return np.random.default_rng(seed).standard_normal((n, d))


def approximate(rank, gammas=GAMMAS):
    return make_family("gaussian", approximate="nystrom", rank=rank, gammas=gammas)


def test_with_all_examples_as_landmarks_the_kernels_are_the_exact_ones():
    X, Z = examples(40), examples(15, seed=1)
    X[7] = X[3]  # a singular matrix of landmarks
    exact, family = make_family("gaussian", gammas=GAMMAS), approximate(1000)
    train, other = family.features(3, X, Z)
    assert train.shape == (40, 2 * 40)
    for k in range(2):
        expected = GramStack.train(exact, X).matrix(k)
        np.testing.assert_allclose(GramStack.train(family, train).matrix(k), expected, atol=1e-12)
        # of other examples what is within the span of the landmarks: all of it on these
        assert (np.abs(GramStack(family, other, train).matrix(k) - GramStack(exact, Z, X).matrix(k)) < 1e-6).all()


def test_the_kernel_is_that_of_the_landmarks_by_its_formula():
    X, Z = examples(60), examples(20, seed=1)
    family = approximate(12, gammas=[0.5])
    train, other = family.features(5, X, Z)
    rows = np.sort(np.random.default_rng(5).choice(60, 12, replace=False))
    exact = make_family("gaussian", gammas=[0.5])
    inverse = np.linalg.inv(GramStack.train(exact, X[rows]).matrix(0))
    C, D = GramStack(exact, X, X[rows]).matrix(0), GramStack(exact, Z, X[rows]).matrix(0)
    np.testing.assert_allclose(GramStack.train(family, train).matrix(0), C @ inverse @ C.T, atol=1e-10)
    np.testing.assert_allclose(GramStack(family, other, train).matrix(0), D @ inverse @ C.T, atol=1e-10)
    np.testing.assert_allclose(C[rows] @ inverse @ C.T, C.T, atol=1e-10)  # exact where one is a landmark


def test_scikit_learns_features_of_the_same_landmarks_have_the_same_products():
    X = examples(30)
    family = approximate(10, gammas=[0.3])
    (train,) = family.features(0, X)
    rows = np.sort(np.random.default_rng(0).choice(30, 10, replace=False))
    theirs = Nystroem(gamma=0.3, n_components=10).fit(X[rows]).transform(X)
    np.testing.assert_allclose(train @ train.T, theirs @ theirs.T, atol=1e-10)


def test_landmarks_are_training_examples_alone_and_follow_from_the_seed():
    X, Z = examples(50), examples(9, seed=1)
    family = approximate(8)
    train, first = family.features(0, X, Z)
    again, second = family.features(0, X, 5.0 * Z[:4])
    assert (train == again).all() and len(second) == 4
    np.testing.assert_allclose(family.features(0, X, Z[2:3])[1], first[2:3], rtol=1e-12)
    assert not np.allclose(family.features(1, X)[0], train)


@pytest.mark.parametrize("X", [np.zeros((6, 3)), np.ones((6, 3)), np.repeat(examples(2, d=3), 3, axis=0)])
def test_examples_of_low_rank_have_finite_features_of_that_rank(X):
    family = make_family("linear", approximate="nystrom", rank=5)
    (train,) = family.features(0, X)
    np.testing.assert_allclose(train @ train.T, X @ X.T, atol=1e-12)
    assert np.linalg.matrix_rank(train) == np.linalg.matrix_rank(X)


def test_a_family_pickles_and_says_what_it_is():
    family = pickle.loads(pickle.dumps(approximate(5)))
    assert family.name == "nystrom gaussian" and len(family) == 2 and family.rank == 5
    assert family.members == make_family("gaussian", gammas=GAMMAS).members


@pytest.mark.parametrize("name", sorted(set(FAMILIES) - {"cauchy"}))
def test_who_has_matrices_of_positive_definite_kernels_can_be_approximated_and_nobody_else(name):
    own = {key: p.default for key, p in KERNEL_PARAMETERS[name].items() if key not in APPROXIMATION}
    if APPROXIMATION.keys() <= KERNEL_PARAMETERS[name].keys():
        assert make_family(name, approximate="nystrom", rank=3, **own).exact.positive_definite
    else:
        with pytest.raises(UserError, match=r"^kernel\.approximate=nystrom: "):
            make_family(name, approximate="nystrom", rank=3, **own)


def test_features_that_do_not_fit_into_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr("kernlearn.memory.SMALL", 0)
    monkeypatch.setattr("kernlearn.memory.available", lambda: 1000)
    with pytest.raises(UserError, match="features of 50 examples"):
        approximate(40).features(0, examples(50))
