"""The hard-margin SVM against the definition of the margin, and what the textbook proves of it."""

import numpy as np
import pytest
from sklearn.svm import SVC

from kernlearn import HardSVMClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.hard_svm import NOT_SEPARABLE, solve_hard_svm
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers import Bounds, QuadraticProgram
from tests.conftest import moons


def separable(n, gamma, seed=0):
    """Return points of the unit disc at a distance of at least gamma from a line through the origin."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (20 * n, 2))
    X = X[(np.linalg.norm(X, axis=1) <= 1) & (abs(X @ [0.6, 0.8]) >= gamma)][:n]
    return X, np.sign(X @ [0.6, 0.8])


def primal(X, y, homogenous):
    """Solve (15.2) or (15.3) for w and b, by a general program."""
    rows = y[:, None] * (X if homogenous else np.column_stack([X, np.ones(len(y))]))
    P = np.diag([1.0, 1.0] if homogenous else [1.0, 1.0, 0.0])
    n, m = rows.shape[1], len(y)
    free = Bounds(np.ones(m), np.full(m, np.inf), np.full(n, -np.inf), np.full(n, np.inf))
    return 2 * QuadraticProgram(P, rows).solve(np.zeros(n), free).objective


@pytest.mark.parametrize("homogenous", [False, True])
@pytest.mark.parametrize("gamma", [0.01, 0.2])
def test_it_is_the_least_norm_with_margins_of_one(homogenous, gamma):
    X, y = separable(50, gamma)
    solution = solve_hard_svm(X @ X.T, y, homogenous=homogenous)
    w = X.T @ solution.x
    assert solution.status == "optimal" and (y * (X @ w + solution.intercept)).min() > 1 - 1e-9
    assert solution.objective == pytest.approx(w @ w, rel=1e-9) == pytest.approx(primal(X, y, homogenous), rel=1e-6)
    a = solution.dual
    v = X.T @ (a * y)
    assert (a >= 0).all() and (homogenous or abs(a @ y) < 1e-9 * a.sum())
    assert solution.dual_objective == pytest.approx(2 * a.sum() - v @ v, rel=1e-9)
    assert solution.objective**-0.5 >= gamma * (1 - 1e-9)  # the best margin is not less than a known one


def test_no_direction_has_a_larger_margin():
    """Lemma 15.2: it solves (15.1), brute force over all directions of the plane."""
    X, y = separable(30, 0.1)
    angle = np.linspace(0, 2 * np.pi, 20_001)
    f = X @ [np.cos(angle), np.sin(angle)]
    best = 0.5 * (f[y > 0].min(axis=0) - f[y < 0].max(axis=0)).max()
    for homogenous, margin in [(False, best), (True, (y[:, None] * f).min(axis=0).max())]:
        solution = solve_hard_svm(X @ X.T, y, homogenous=homogenous)
        found = solution.objective**-0.5
        assert margin * (1 - 1e-9) <= found <= margin + np.pi / 20_000  # half a step, for examples of norm 1


def test_support_vectors_are_at_the_margin():
    """Theorem 15.8: w is in the span of the examples with |<w, x_i>| = 1."""
    X, y = separable(60, 0.05, seed=3)
    solution = solve_hard_svm(X @ X.T, y, homogenous=True)
    support = np.flatnonzero(solution.dual)
    assert 1 <= len(support) <= 2
    np.testing.assert_allclose((X @ (X.T @ solution.x))[support], y[support], rtol=1e-9)


def test_with_kernels_it_is_libsvm_with_a_large_c():
    X, y = moons(80)
    stack = GramStack.train(make_family("gaussian", gammas=[5.0, 0.01]), X)
    curved, flat = ALGORITHMS["hard_svm"].path(Problem(stack, Signs(y)))
    oracle = SVC(kernel="precomputed", C=1e8, tol=1e-9).fit(stack.matrix(0), y).decision_function(stack.matrix(0))
    f = curved.predictor.outputs(stack)[0]
    np.testing.assert_allclose(f, oracle, rtol=1e-3)
    assert (y * f).min() == pytest.approx(1.0, abs=1e-9)
    assert curved.facts["margin"][0] == pytest.approx(curved.solutions[0].objective ** -0.5)
    assert curved.status == "optimal" and flat.status == NOT_SEPARABLE and flat.facts["margin"][0] == 0


@pytest.mark.parametrize("homogenous", [False, True])
def test_what_is_not_separable_is_told(homogenous):
    X, y = moons(60)
    solution = solve_hard_svm(X @ X.T, y, homogenous=homogenous)
    assert solution.status == NOT_SEPARABLE and solution.gap < 1e-6
    point = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert solve_hard_svm(point @ point.T, np.array([1.0, -1.0]), homogenous=homogenous).status == NOT_SEPARABLE
    with pytest.warns(match="not separable"):
        HardSVMClassifier(kernel="linear", homogenous=homogenous).fit(X, y)


def test_a_line_that_misses_the_origin_needs_a_bias():
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    assert solve_hard_svm(X @ X.T, y, homogenous=True).status == NOT_SEPARABLE
    solution = solve_hard_svm(X @ X.T, y)
    np.testing.assert_allclose([X[:, 0] @ solution.x, solution.intercept], [2.0, -5.0])


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_the_margin_has_the_unit_of_the_examples(factor):
    X, y = separable(40, 0.02)
    norms = [solve_hard_svm(s**2 * X @ X.T, y).objective for s in (1.0, factor)]
    assert norms[1] * factor**2 == pytest.approx(norms[0], rel=1e-8)
