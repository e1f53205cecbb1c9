"""The multi-class support vector machine: certificates, oracles, and the derivative of its solution."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.svm import LinearSVC

from kernlearn.solvers import multiclass_derivative, solve_multiclass_svm
from kernlearn.solvers.svm.multiclass_interior import RowSystem, Values, interior_point
from tests.conftest import moons

IRIS, SPECIES = load_iris(return_X_y=True)
IRIS = (IRIS - IRIS.mean(axis=0)) / IRIS.std(axis=0)


def feasible(A, y, C):
    np.testing.assert_allclose(A.sum(axis=1), 0.0, atol=1e-12 * C * len(y))
    return (C * np.eye(A.shape[1])[y] - A >= -1e-12 * C).all()


def by_liblinear(X, y, C):
    svc = LinearSVC(multi_class="crammer_singer", fit_intercept=False, C=C, tol=1e-8, max_iter=10**6).fit(X, y)
    f, i = X @ svc.coef_.T, np.arange(len(y))
    loss = f + 1.0
    loss[i, y] -= 1.0
    return 0.5 * (svc.coef_**2).sum() + C * (loss.max(axis=1) - f[i, y]).sum()


@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
def test_the_multi_class_svm_is_that_of_liblinear(C):
    K = IRIS @ IRIS.T  # of rank 4
    solution = solve_multiclass_svm(K, SPECIES, 3, C, tol=1e-8)
    assert 0 <= solution.gap + 1e-14 <= 1e-8
    assert solution.objective == pytest.approx(by_liblinear(IRIS, SPECIES, C), rel=1e-5)
    assert feasible(solution.x, SPECIES, C)
    again = solve_multiclass_svm(K, SPECIES, 3, C, tol=1e-8, start=solution.x)
    assert again.iterations == 0 and again.objective == solution.objective


@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
def test_an_example_of_weight_three_is_there_three_times_in_both_methods(C):
    K, weights = IRIS @ IRIS.T, np.where(np.arange(len(IRIS)) % 3, 1.0, 3.0)
    again = np.repeat(np.arange(len(IRIS)), weights.astype(int))
    several = solve_multiclass_svm(K[np.ix_(again, again)], SPECIES[again], 3, C, tol=1e-8)
    weighted = solve_multiclass_svm(K, SPECIES, 3, C, tol=1e-8, weights=weights)
    A, _ = interior_point(K, SPECIES, C, weights, np.zeros((3, len(IRIS))), 1e-8)
    values = Values.of(A, A @ K, SPECIES, C, weights)
    assert weighted.status == "optimal" and values.gap <= 1e-8
    for objective in (weighted.objective, values.objective):
        assert objective == pytest.approx(several.objective, rel=3e-8)


@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
def test_the_interior_point_method_alone(C):
    K, start = IRIS @ IRIS.T, np.zeros((3, len(IRIS)))
    ones = np.ones(len(IRIS))
    A, iterations = interior_point(K, SPECIES, C, ones, start, 1e-8)
    values = Values.of(A, A @ K, SPECIES, C, ones)
    assert values.gap <= 1e-8 and iterations < 30 and feasible(A.T, SPECIES, C)
    assert values.objective == pytest.approx(by_liblinear(IRIS, SPECIES, C), rel=1e-5)


def hard(n=60, m=6, seed=0):
    """A matrix whose eigenvalues go from 100 to 1e-6, and classes that say nothing."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    return Q * np.logspace(2, -6, n) @ Q.T, rng.integers(m, size=n)


@pytest.mark.parametrize("C", [30.0, 1e3, 1e6])
def test_where_steps_are_slow_the_interior_point_method_goes_on(C):
    K, y = hard()
    solution = solve_multiclass_svm(K, y, 6, C, tol=1e-7)
    assert solution.status == "optimal" and solution.rounds == 2 and feasible(solution.x, y, C)
    assert -1e-12 <= solution.gap <= 1e-7
    # What the problem is unless its certificate is wrong: both values are computed anew.
    F, i = K @ solution.x, np.arange(len(y))
    slack = (F + 1 - np.eye(6)[y]).max(axis=1) - F[i, y]
    quadratic = np.vdot(solution.x, F)
    assert 0.5 * quadratic + C * slack.sum() == pytest.approx(solution.objective, rel=1e-9)
    assert solution.x[i, y].sum() - 0.5 * quadratic == pytest.approx(solution.dual_objective, rel=1e-9)


def test_steps_alone_where_the_matrices_would_be_too_large(monkeypatch):
    monkeypatch.setattr("kernlearn.solvers.svm.multiclass.MAX_ENTRIES", 1)
    K, y = hard()
    steps = solve_multiclass_svm(K, y, 6, 1e6, tol=1e-7)
    assert steps.rounds == 1 and steps.status == "inaccurate" and steps.gap > 1e-7 and feasible(steps.x, y, 1e6)


def test_two_classes_are_the_svm_without_bias():
    X, y = moons(60)
    labels = (y > 0).astype(int)
    solution = solve_multiclass_svm(X @ X.T, labels, 2, 0.7, tol=1e-9)
    w = X.T @ (solution.x[:, 1] - solution.x[:, 0])  # w_1 - w_0
    svc = LinearSVC(loss="hinge", fit_intercept=False, C=2 * 0.7, tol=1e-9, max_iter=10**6).fit(X, y)
    np.testing.assert_allclose(w, svc.coef_[0], rtol=1e-3)


def test_a_kernel_that_is_zero_learns_nothing():
    solution = solve_multiclass_svm(np.zeros((4, 4)), np.array([0, 1, 2, 0]), 3, 1.0)
    assert solution.status == "optimal" and solution.objective == pytest.approx(4.0)


@pytest.mark.parametrize("C", [1.0, 1e4])
def test_a_class_without_an_example(C):
    K, y = hard()
    y[y == 2] = 0
    with_it = solve_multiclass_svm(K, y, 6, C, tol=1e-8)
    without = solve_multiclass_svm(K, np.where(y > 2, y - 1, y), 5, C, tol=1e-8)
    assert with_it.status == "optimal" and with_it.objective >= without.objective * (1 - 1e-7)
    assert with_it.x[:, 2].max() <= 0.0


def test_a_system_with_sums_of_zero():
    K, _ = hard(12)
    D = np.random.default_rng(1).random((4, 12))
    D[2, :5] = 1e5  # large beside K
    R = np.random.default_rng(2).normal(size=(4, 12))
    errors = []
    for X, b in (RowSystem(K, D).solve(R), RowSystem(K, D).refined(R)):
        errors.append(np.abs(X @ K + D * X + b - R).max())
        np.testing.assert_allclose(X.sum(axis=0), 0.0, atol=1e-10)
    assert errors[1] < 1e-2 * errors[0]
    many = RowSystem(K, D).solve(np.stack([R, 2 * R], axis=2))[0]
    np.testing.assert_allclose(many[..., 1], 2 * many[..., 0])


@pytest.mark.parametrize("C", [0.02, 1.0])
def test_the_derivative_of_the_solution(C):
    X = IRIS[::3] + 0.1 * np.random.default_rng(0).normal(size=(50, 4))
    K, y = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1)), SPECIES[::3]
    K2 = np.exp(-3 * ((X[:, None] - X) ** 2).sum(axis=-1))
    A = solve_multiclass_svm(K, y, 3, C, tol=1e-12).x
    step = 1e-5
    ahead, behind = (solve_multiclass_svm(K + e * K2, y, 3, C, tol=1e-12).x for e in (step, -step))
    fall = multiclass_derivative(K, y, C, A, (K2 @ A).T[..., None])[..., 0].T
    np.testing.assert_allclose((behind - ahead) / (2 * step), fall, atol=2e-2 * np.abs(fall).max())
