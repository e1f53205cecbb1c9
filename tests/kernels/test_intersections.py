"""Kernels of what two examples have in common, against their explicit maps."""

import numpy as np
import pytest
from scipy import sparse

from kernlearn import L2SVMClassifier
from kernlearn.errors import UserError
from kernlearn.kernels import SCALINGS, GramStack, make_family


def kernel(name, X, Z):
    return GramStack(make_family(name), X, Z).matrix(0)


def test_the_min_kernel_is_that_of_its_map():
    """Exercise 4 of chapter 16: psi(x) is 1 in the first x of N coordinates."""
    N = 30
    x = np.arange(1.0, N + 1)
    psi = np.tril(np.ones((N, N)))
    np.testing.assert_array_equal(kernel("min", x[:, None], x[:, None]), psi @ psi.T)
    np.testing.assert_array_equal(kernel("min", x[:, None], x[::-1, None]), np.minimum.outer(x, x[::-1]))


def test_numbers_that_are_not_whole_have_intervals_for_a_map():
    X = np.random.default_rng(0).uniform(0, 5, (20, 3))
    steps = np.arange(0.0005, 5, 0.001)
    psi = np.hstack([X[:, [j]] >= steps for j in range(3)])
    np.testing.assert_allclose(kernel("min", X, X), 0.001 * psi @ psi.T.astype(float), atol=0.003)
    assert np.linalg.eigvalsh(kernel("min", X, X)).min() > 0


def test_a_basket_is_what_is_in_it():
    X = np.array([[1, 0, 1, 1], [0, 0, 0, 0], [2.5, 0, 0, 1e-9]])
    np.testing.assert_array_equal(kernel("basket", X, X), [[3, 0, 2], [0, 0, 0], [2, 0, 2]])
    (scaled,) = SCALINGS["unit"](X)
    np.testing.assert_array_equal(kernel("basket", scaled, X), kernel("basket", X, X))


def test_baskets_cost_what_is_in_them():
    """Exercise 5: the time must not grow with the number of items that there are."""
    rng, d = np.random.default_rng(0), 10**9
    items = np.sort(rng.choice(d, (50, 10)))
    X = sparse.csr_array((np.ones(500), items.ravel(), np.arange(0, 501, 10)), shape=(50, d))
    np.testing.assert_array_equal(kernel("basket", X, X), 10 * np.eye(50))


def test_customers_with_babies_are_told_by_their_baskets():
    """Exercise 5: k items unknown among many; the kernel's SVM finds them from few baskets."""
    rng = np.random.default_rng(1)
    X = (rng.random((600, 40)) < 0.2).astype(float)
    y = np.where(X[:, [3, 17]].any(axis=1), "baby", "none")
    model = L2SVMClassifier(kernel="basket", C=100.0).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.99


@pytest.mark.parametrize("name", ["min", "basket"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_negative_features_are_told(name, form):
    with pytest.raises(UserError, match=f"kernel={name}: takes features >= 0 and found the value -2; .*scaling=none"):
        kernel(name, form(np.array([[1.0, 2.0]])), form(np.array([[1.0, -2.0]])))


@pytest.mark.parametrize("name", ["min", "basket"])
def test_entries_that_stand_twice_are_added_up(name):
    """Of [2 + 1, 0, 4] and [0, 5, 1 + 0]."""
    twice = sparse.csr_array((np.array([2.0, 1.0, 4.0, 5.0, 1.0]), np.array([0, 0, 2, 1, 2]), np.array([0, 3, 5])))
    dense, family = twice.toarray(), make_family(name)
    np.testing.assert_array_equal(family.base(twice, twice), family.base(dense, dense))
    assert twice.nnz == 5  # what was given is as it was
