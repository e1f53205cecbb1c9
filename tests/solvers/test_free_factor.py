"""Factors of the examples that are free, which come and go; of single precision where that is refined."""

import numpy as np
import pytest

from kernlearn.solvers.core.free_factor import FreeFactor
from kernlearn.solvers.core.refined_factor import RefinedFactor


def of_single_precision(K, shift):
    return RefinedFactor(K, shift, large=0)


@pytest.mark.parametrize("made", [FreeFactor, RefinedFactor, of_single_precision])
def test_a_factor_with_examples_that_come_and_go_solves_the_system(made):
    random = np.random.default_rng(0)
    A = random.standard_normal((80, 90))
    K = A @ A.T
    factor, F = made(K, 2.0), np.arange(0, 80, 2)
    for change in range(12):
        assert (factor.take(F) == F).all()
        right, total = random.standard_normal(len(F)), float(change)
        b, x = factor.solve(right, total)
        np.testing.assert_allclose((K[np.ix_(F, F)] + 2.0) @ x + b, right, atol=1e-9)
        np.testing.assert_allclose(x.sum(), total, atol=1e-9)
        F = np.setxor1d(F, random.choice(80, 1 + change % 4, replace=False))


@pytest.mark.parametrize("made", [FreeFactor, RefinedFactor])
def test_a_factor_is_made_anew_where_many_examples_go_or_one_that_comes_depends_on_others(made):
    random = np.random.default_rng(1)
    A = random.standard_normal((60, 80))
    A[50:] = A[:10]
    K = A @ A.T
    factor, start = made(K, 2.0), np.arange(40)
    for F in (start, start[:36], start[10:14], np.arange(30), np.arange(10, 60), np.arange(45), np.arange(55)):
        taken = factor.take(F)
        assert set(taken) <= set(F) and len(np.unique(A[taken], axis=0)) == len(np.unique(A[F], axis=0)) == len(taken)
        right = random.standard_normal(len(taken))
        b, x = factor.solve(right, 1.0)
        np.testing.assert_allclose((K[np.ix_(taken, taken)] + 2.0) @ x + b, right, atol=1e-9)
        np.testing.assert_allclose(x.sum(), 1.0, atol=1e-9)


@pytest.mark.parametrize("condition", [1e2, 1e6, 1e9, 1e13])
def test_single_precision_is_refined_to_the_digits_of_double_or_left(condition):
    random, n = np.random.default_rng(0), 200
    Q, _ = np.linalg.qr(random.standard_normal((n, n)))
    K = (Q * np.geomspace(1.0, 1.0 / condition, n)) @ Q.T
    single, double, right = of_single_precision(K, 1.0), FreeFactor(K, 1.0), random.standard_normal(n)
    assert (single.take(np.arange(n)) == double.take(np.arange(n))).all()
    residuals = []
    for factor in (single, double):
        b, x = factor.solve(right, 1.0)
        residuals.append(np.abs((K + 1.0) @ x + b - right).max())
        assert x.sum() == pytest.approx(1.0, abs=1e-12 * np.abs(x).sum())
    assert residuals[0] <= 1e-12 + 10.0 * residuals[1]


def test_of_dependent_examples_the_factor_takes_as_many_as_are_not():
    A = np.random.default_rng(0).standard_normal((30, 6))
    taken = FreeFactor(A @ A.T, 1.0).take(np.arange(30))
    assert len(taken) == 7  # the rank, and one for the shift
    assert np.linalg.matrix_rank((A @ A.T + 1.0)[np.ix_(taken, taken)]) == 7
