"""The soft-margin SVM of the textbook against a general quadratic program, LibLinear and the SVM with C."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from kernlearn import L2SVMClassifier, SoftSVMClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers import Bounds, QuadraticProgram
from tests.conftest import moons

X, Y = moons(60)
FAMILY = make_family("gaussian", gammas=[0.5, 20.0])


def dual(K, y, lambda_, homogenous):
    """Solve (D) in its own terms, as a program that knows nothing of machines."""
    m = len(y)
    rows = np.zeros((0, m)) if homogenous else y[None]
    zeros, bounds = np.zeros(len(rows)), (np.zeros(m), np.full(m, 1.0))  # of m a
    P = y[:, None] * K * y / (2 * lambda_ * m)
    return -QuadraticProgram(P, rows).solve(np.full(m, -1.0), Bounds(zeros, zeros, *bounds)).objective / m


@pytest.mark.parametrize("homogenous", [False, True])
def test_it_is_the_optimum_of_its_definition(homogenous):
    stack = GramStack.train(FAMILY, X)
    points = list(
        ALGORITHMS["soft_svm"].path(Problem(stack, Signs(Y)), lambdas=[1e-4, 1e-2, 1.0], homogenous=homogenous)
    )
    assert [point.values["lambda"] for point in points] == [1.0, 1e-2, 1e-4] * 2
    for point in points:
        K, lambda_ = stack.matrix([0.5, 20.0].index(point.values["gamma"])), point.values["lambda"]
        (solution,), f = point.solutions, point.predictor.outputs(stack)[0]
        w2 = solution.x @ K @ solution.x
        assert solution.objective == pytest.approx(lambda_ * w2 + np.maximum(0, 1 - Y * f).mean(), rel=1e-12)
        assert solution.objective == pytest.approx(dual(K, Y, lambda_, homogenous), rel=1e-7)
        a = solution.dual
        assert (a >= 0).all() and (a <= (1 + 1e-12) / len(Y)).all() and (homogenous or abs(a @ Y) < 1e-12)
        value = a.sum() - (a * Y) @ K @ (a * Y) / (4 * lambda_)
        assert solution.dual_objective == pytest.approx(value, rel=1e-9) and abs(solution.gap) < 1e-8
        assert not homogenous or point.predictor.intercept[0] == 0


def test_without_bias_it_is_liblinear():
    """On data far from balanced, where a bias would count."""
    x = X + [1.0, 0.0]
    for lambda_ in (1e-3, 1e-1):
        oracle = LinearSVC(C=1 / (2 * lambda_ * 60), loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**6)
        w = oracle.fit(x, Y).coef_[0]
        solution = solve_soft_svm(x @ x.T, Y, lambda_, homogenous=True)
        np.testing.assert_allclose(x.T @ solution.x, w, rtol=1e-4, atol=1e-6)
        assert solution.intercept == 0


def test_it_is_the_svm_with_c_in_other_units():
    model = SoftSVMClassifier(kernel="gaussian", lambda_=1e-3).fit(X, Y)
    other = L2SVMClassifier(kernel="gaussian", C=1 / (2e-3 * 60)).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(X), atol=1e-9)
    assert model.objective_ == pytest.approx(2e-3 * other.objective_)


@pytest.mark.parametrize("homogenous", [False, True])
def test_ill_posed_problems_are_certified_all_the_same(homogenous):
    """Contradictory and equal examples, an example that is 0, one class much larger, kernels of rank 1."""
    rng = np.random.default_rng(0)
    x = np.round(rng.normal(size=(80, 2)))
    x[:5] = 0
    y = np.where(rng.random(80) < 0.9, 1.0, -1.0)
    for K in (x @ x.T, np.outer(x[:, 0], x[:, 0]), (1 + x @ x.T) ** 6):
        for lambda_ in (1e3, 1e-2, 1e-6):
            solution = solve_soft_svm(K, y, lambda_, homogenous=homogenous)
            assert solution.status == "optimal" and abs(solution.gap) < 1e-6


@pytest.mark.parametrize("factor", [1e-9, 1e9])
def test_other_units_have_the_same_solution(factor):
    K = GramStack.train(FAMILY, X).matrix(0)
    one, other = (solve_soft_svm(s * K, Y, s * 1e-3, homogenous=True) for s in (1.0, factor))
    np.testing.assert_allclose(other.x * factor, one.x, atol=1e-7 * abs(one.x).max())
    assert other.objective == pytest.approx(one.objective, rel=1e-9)
