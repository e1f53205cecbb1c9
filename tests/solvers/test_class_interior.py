"""Interior points for classes: against Clarabel, scales, and what they are told of directions."""

from math import inf

import numpy as np
import pytest

from kernlearn.solvers.structured.class_interior import directions, interior_point
from tests.solvers.test_structured import chains, whole


def value(K, labels, Z, B):
    """Return the value of (4.5) for multipliers."""
    A = Z[:, 1] - Z[:, 0] - Z[:, 2]
    A[np.arange(len(labels)), labels] -= A.sum(axis=1)
    bounded = Z[:, 1:].sum()
    return Z[:, 0].sum() - (B * bounded if bounded else 0.0) - 0.5 * np.vdot(A, K @ A)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("B", [1.05, 2.0, inf])
@pytest.mark.parametrize("C", [0.1, 100.0])
def test_the_multipliers_are_optimal(C, B, k):
    X, labels, starts = chains(n=20, k=k, longest=1, seed=1)
    K, c = X @ X.T, C / 20
    Z, iterations = interior_point(directions(K, 20), labels, k, c, B, 1e-8)
    assert iterations < 30 and Z.min() >= 0.0 and (Z[:, 0].sum(axis=1) <= c * (1 + 1e-12)).all()
    assert not Z[np.arange(20), :, labels].any() and (B < inf or not Z[:, 1:].any())
    assert value(K, labels, Z, B) == pytest.approx(whole(K, labels, k, starts, C, B), rel=1e-6)


def test_units_of_the_kernel_do_not_matter():
    X, labels, _ = chains(n=20, longest=1, seed=1)
    Z, iterations = interior_point(directions(X @ X.T, 20), labels, 3, 0.5, 1.5, 1e-3)
    scaled, same = interior_point(1e3 * directions(X @ X.T, 20), labels, 3, 0.5e-6, 1.5, 1e-3)
    assert same == iterations
    np.testing.assert_allclose(1e6 * scaled, Z, rtol=1e-4, atol=1e-8)


def test_few_multipliers_are_enough():
    X, labels, _ = chains(n=60, longest=1, seed=2)
    K = X @ X.T
    Z, _ = interior_point(directions(K, 60), labels, 3, 0.1, 1.5, 1e-3)
    assert 0 < np.count_nonzero(Z) < 60 * 3 and np.isfinite(value(K, labels, Z, 1.5))


def test_directions_are_a_factor_of_no_more_columns_than_asked_for():
    X = np.random.default_rng(0).normal(size=(50, 4))
    K = (1.0 + X @ X.T) ** 2  # 15 directions
    Z = directions(K, 15)
    assert Z.shape == (50, 15)
    np.testing.assert_allclose(Z @ Z.T, K, atol=1e-12 * K.max())
    assert directions(K, 14) is None and directions(K, 0) is None
    late = np.diag(
        np.concatenate([np.ones(3), np.zeros(40), np.ones(3)])
    )  # evenly spaced examples do not show them all
    assert directions(late, 5) is None and directions(late, 6).shape == (46, 6)
