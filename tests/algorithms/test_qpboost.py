"""QPBoost against Clarabel, over the stumps of AdaBoost and over all."""

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.boosting.lpboost import found_by_adaboost
from kernlearn.algorithms.boosting.qpboost import QPBoostSolver
from kernlearn.algorithms.boosting.rbf_networks import Matrix
from kernlearn.kernels import make_family
from tests.algorithms.test_lpboost import signed_votes
from tests.conftest import moons

X, Y = moons(60)
CS = [1e-4, 1e-2, 0.3, 30.0]


def by_clarabel(A, C):
    """(P) in a and xi."""
    cvxpy = pytest.importorskip("cvxpy")
    pytest.importorskip("clarabel")
    a, xi = cvxpy.Variable(len(A), nonneg=True), cvxpy.Variable(A.shape[1], nonneg=True)
    value = cvxpy.sum_squares(a) + C * cvxpy.sum(xi)
    return cvxpy.Problem(cvxpy.Minimize(value), [A.T @ a >= 1 - xi]).solve(solver="CLARABEL")


@pytest.mark.parametrize("over", ["adaboost", "all"])
def test_the_value_is_that_of_clarabel_and_both_sides_prove_it(over):
    stumps = make_family("stumps", number=0).fit(X, 0)
    A = signed_votes(stumps, Y, found_by_adaboost(stumps, Y, 50) if over == "adaboost" else None)
    path = ALGORITHMS["qpboost"].path(Problem(stumps, Signs(Y)), Cs=CS, over=over, rounds=50, tol=1e-9)
    for C, point in zip(CS, path, strict=True):
        (solution,) = point.solutions
        assert point.values == {"C": C} and point.status == "optimal" and abs(solution.gap) <= 1e-9
        assert solution.objective == pytest.approx(by_clarabel(A, C), rel=1e-6)
        f, u, alphas = point.predictor.outputs(stumps)[0], solution.dual, point.predictor.rounds.alphas
        loss = np.maximum(0, 1 - Y * f).sum()
        assert solution.objective == pytest.approx(alphas @ alphas + C * loss, rel=1e-9)
        assert (u >= 0).all() and (u <= C * (1 + 1e-12)).all()
        bound = u.sum() - 0.25 * np.sum(np.maximum(0, A @ u) ** 2)
        assert solution.dual_objective == pytest.approx(bound, rel=1e-9)


def test_all_stumps_are_an_svm_without_bias_whose_votes_are_its_expansion():
    """f is ``1/2 sum_i u_i y_i K(x_i, x)`` with the stump kernel, also on other examples."""
    stumps = make_family("stumps", number=0).fit(X, 0)
    (point,) = ALGORITHMS["qpboost"].path(Problem(stumps, Signs(Y)), Cs=[0.1], over="all", rounds=1, tol=1e-9)
    Z = stumps.at(X[:9] + 0.2)
    every = np.arange(len(stumps))
    K = Z.votes(every).T @ stumps.votes(every)
    np.testing.assert_allclose(point.predictor.outputs(Z)[0], 0.5 * K @ (point.solutions[0].dual * Y), atol=1e-9)


def test_without_a_stump_better_than_chance_nothing_is_learned():
    Z, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([1.0, -1.0, -1.0, 1.0])
    stumps = make_family("stumps", number=0).fit(Z, 0)
    for over in ("adaboost", "all"):
        (point,) = ALGORITHMS["qpboost"].path(Problem(stumps, Signs(y)), Cs=[1.0], over=over, rounds=5, tol=1e-9)
        assert not point.predictor.outputs(stumps).any() and point.status == "optimal"


def test_votes_that_are_nearly_always_right_are_weighed_too():
    """On the way to the solution there is a point of the value 0: no relative gap is divided by it."""
    rng = np.random.default_rng(33)
    number = rng.integers(2, 8)
    signed = np.where(rng.random((number, 20)) < 0.06, -1.0, 1.0)
    solver = QPBoostSolver(Matrix(signed), np.ones(20), (np.arange(number), np.ones(number)))
    for C in (1e-3, 1e-2, 0.1, 1.0):
        solution = solver.solve(C)
        assert solution.status == "optimal" and abs(solution.gap) <= 1e-9
        assert solution.objective == pytest.approx(by_clarabel(signed, C), rel=1e-6)


@pytest.mark.parametrize("C", [1e3, 1e5, 1e8])
def test_rounding_of_margins_next_to_1_is_not_counted_as_a_loss(C):
    """Thousands of stumps separate anything, with weights whose norm is far below C times one rounding."""
    Z = np.random.default_rng(0).normal(size=(80, 40))
    stumps = make_family("stumps", number=0).fit(Z, 0)
    y = np.where(Z[:, 0] * Z[:, 1] > 0, 1.0, -1.0)
    solution = QPBoostSolver(stumps, y).solve(C)
    assert solution.status == "optimal" and -1e-12 <= solution.gap <= 1e-9
