"""LPBoost against the linear program written out, over the stumps of AdaBoost and over all, and its bounds."""

import numpy as np
import pytest
from scipy.optimize import linprog

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.boosting.lpboost import found_by_adaboost, solve_lpboost
from kernlearn.kernels import make_family
from kernlearn.solvers.svm.soft_margin import feasible, soft_margin
from tests.conftest import moons

X, Y = moons(60)
NUS = [1.0, 0.4, 0.1, 0.01]


def signed_votes(stumps, y, found):
    """Return ``y_i G_s(x_i)``, of all stumps with either sign if none are given, shape (k, n)."""
    if found is None:
        votes = stumps.votes(np.arange(len(stumps))) * y
        return np.vstack([votes, -votes])
    return stumps.votes(found[0]) * found[1][:, None] * y


def by_linprog(A, nu):
    """(P) in a, rho and xi."""
    k, n = A.shape
    cost = np.concatenate([np.zeros(k), [-1.0], np.full(n, 1 / (nu * n))])
    rows = np.hstack([-A.T, np.ones((n, 1)), -np.eye(n)])
    equal = np.concatenate([np.ones(k), np.zeros(n + 1)])[None]
    bounds = [(0, None)] * k + [(None, None)] + [(0, None)] * n
    found = linprog(cost, rows, np.zeros(n), equal, [1.0], bounds, method="highs")
    assert found.status == 0
    return 1.0 + found.fun


@pytest.mark.parametrize("over", ["adaboost", "all"])
@pytest.mark.parametrize("number", [0, 40])
def test_the_value_is_that_of_the_linear_program_written_out_and_both_sides_prove_it(over, number):
    stumps = make_family("stumps", number=number).fit(X, 0)
    found = found_by_adaboost(stumps, Y, 50) if over == "adaboost" else None
    A = signed_votes(stumps, Y, found)
    path = ALGORITHMS["lpboost"].path(Problem(stumps, Signs(Y)), nus=NUS, over=over, rounds=50, tol=1e-9)
    for nu, point in zip(NUS, path, strict=True):
        (solution,) = point.solutions
        assert point.values == {"nu": nu} and point.status == "optimal" and abs(solution.gap) <= 1e-9
        assert solution.objective == pytest.approx(by_linprog(A, nu), abs=1e-8)
        f, u, C = point.predictor.outputs(stumps)[0], solution.dual, 1 / (nu * len(Y))
        alphas = point.predictor.rounds.alphas
        assert np.abs(alphas).sum() == pytest.approx(1.0, abs=1e-12)
        rho = max(rho - C * np.maximum(0, rho - Y * f).sum() for rho in Y * f)
        assert solution.objective == pytest.approx(1 - rho, abs=1e-12)
        assert (u >= 0).all() and (u <= C * (1 + 1e-12)).all() and u.sum() == pytest.approx(1.0, abs=1e-12)
        assert solution.dual_objective == pytest.approx(1 - (A @ u).max(), abs=1e-12)
        assert (Y * f < rho - 1e-9).mean() <= nu + 1e-9  # what nu is


def test_stumps_of_adaboost_are_a_part_of_all():
    stumps = make_family("stumps", number=0).fit(X, 0)
    few = solve_lpboost(stumps, Y, 0.2, found_by_adaboost(stumps, Y, 30))
    every = solve_lpboost(stumps, Y, 0.2)
    assert every.objective <= few.objective + 1e-12
    assert (
        len(np.unique(every.extras["chosen"]))
        == len(every.extras["chosen"])
        == np.count_nonzero(every.extras["alphas"])
        < len(stumps)
    )


@pytest.mark.parametrize("over", ["adaboost", "all"])
def test_corners(over):
    """A perfect stump; contradictory copies, whose margins are at most 0; constant features; one example."""
    ordered = np.arange(6.0)[:, None]
    problems = [
        (ordered, np.sign(ordered[:, 0] - 2.5), 0.0),
        (np.vstack([X, X]), np.append(Y, -Y), 1.0),
        (np.ones((4, 2)), np.array([1.0, 1.0, 1.0, -1.0]), None),
        (np.ones((1, 2)), np.array([-1.0]), 0.0),
    ]
    for Z, y, value in problems:
        stumps = make_family("stumps", number=0).fit(Z, 0)
        problem = Problem(stumps, Signs(y))
        for point in ALGORITHMS["lpboost"].path(problem, nus=[1.0, 0.5], over=over, rounds=9, tol=1e-9):
            assert point.status == "optimal"
            assert value is None or point.solutions[0].objective == pytest.approx(value, abs=1e-12)


def test_soft_margins_and_feasible_weights():
    rng = np.random.default_rng(0)
    for _ in range(20):
        m, upper = rng.normal(size=7), rng.uniform(0.1, 1.0, 7)
        upper /= min(1.0, upper.sum())
        brute = max(rho - upper @ np.maximum(0, rho - m) for rho in m)
        assert soft_margin(m, upper) == pytest.approx(brute, abs=1e-12)
        u = feasible(rng.uniform(-0.1, 0.6, 7), upper)
        assert (u >= 0).all() and (u <= upper + 1e-15).all() and u.sum() == pytest.approx(1.0, abs=1e-12)
