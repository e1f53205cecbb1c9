"""Bounds for relative margins against cvxpy on the printed formulas, and what is known exactly."""

import builtins

import cvxpy as cp
import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation.risk_bounds.relative_margin import rmm_bound, sigma_svm_bound, svm_bound
from kernlearn.solvers import solve_design

RNG = np.random.default_rng(0)
Y = np.repeat([1.0, -1.0], 9)
X = RNG.normal(size=(18, 3)) * [3.0, 1.0, 0.4] + Y[:, None] * [1.0, 2.0, 1.0]
X *= np.where(Y * (X @ [1.0, 2.0, 1.0]) > 0.3, 1.0, -1.0)[:, None]  # separated by a plane through 0


def margin(matrices, E):
    w, gamma = cp.Variable(X.shape[1]), cp.Variable()
    within = [cp.sum_squares(np.linalg.cholesky(M).T @ w) / 2 <= E for M in matrices]
    return cp.Problem(cp.Maximize(gamma), [cp.multiply(Y, X @ w) >= gamma, *within]).solve(solver="CLARABEL")


@pytest.mark.parametrize("E", [1.0, 7.0])
@pytest.mark.parametrize("D", [0.3, 0.99])
def test_bounds_are_the_printed_formulas_whatever_the_e(D, E):
    n, unit = len(X), (1 - D) * np.eye(3)
    M = unit + D / n * X.T @ X
    of_F = 4 * np.sqrt(2 * E * (X**2).sum()) / (n * margin([np.eye(3)], E))
    of_G = 4 * np.sqrt(2 * E * np.trace(X @ np.linalg.inv(M) @ X.T)) / (n * margin([M], E))
    weights = cp.Variable(n, nonneg=True)
    A = cp.sum(weights) * unit + D * X.T @ cp.diag(weights) @ X
    spread = cp.matrix_frac(X.T, A) / n + 2 * E / n * cp.sum(weights)
    of_H = 2 / margin([unit + D * np.outer(x, x) for x in X], E) * cp.Problem(cp.Minimize(spread)).solve("CLARABEL")
    assert svm_bound(X, Y).value == pytest.approx(of_F, rel=1e-6)
    assert sigma_svm_bound(X, Y, D).value == pytest.approx(of_G, rel=1e-6)
    assert rmm_bound(X, Y, D).value == pytest.approx(of_H, rel=1e-6) and rmm_bound(X, Y, D).gap < 1e-6


def test_without_d_they_are_one_and_units_do_not_matter():
    assert sigma_svm_bound(X, Y, 0.0) == svm_bound(X, Y)
    assert rmm_bound(X, Y, 0.0).value == pytest.approx(svm_bound(X, Y).value, rel=1e-9)
    assert svm_bound(50.0 * X, Y).value == pytest.approx(svm_bound(X, Y).value, rel=1e-9)


def test_weights_that_are_not_the_best_prove_less_and_the_best_prove_it():
    solution = solve_design(X, X, 0.9)
    assert solution.status == "optimal" and abs(solution.gap) < 1e-7
    assert solution.x.min() >= 0.0 and solution.x.sum() == pytest.approx(1.0)
    for _ in range(20):
        other = RNG.dirichlet(np.ones(len(X)))
        inverse = np.linalg.inv(0.1 * np.eye(3) + 0.9 * (X.T * other) @ X)
        assert np.trace(X @ inverse @ X.T) >= solution.dual_objective


def test_examples_without_a_margin_and_a_missing_clarabel_are_told(monkeypatch):
    with pytest.raises(UserError, match="no line through 0 separates them"):
        svm_bound(np.concatenate([X, X[:1]]), np.append(Y, -Y[0]))
    real = builtins.__import__
    monkeypatch.setattr(
        builtins,
        "__import__",
        lambda name, *rest: (_ for _ in ()).throw(ImportError(name)) if name == "clarabel" else real(name, *rest),
    )
    with pytest.raises(UserError, match=r"needs Clarabel: pip install 'kernlearn\[sdp\]'"):
        rmm_bound(X, Y, 0.5)
