"""The decomposition by OSQP: another way to the solutions of the homotopy."""

from dataclasses import replace

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.solvers import BAND_SOLVERS, BandSolver, OSQPBandSolver
from kernlearn.solvers.bands import osqp as band_osqp
from kernlearn.solvers.core.qp import QuadraticProgram
from tests.conftest import first_of
from tests.solvers.test_rmm import check, instance, widths


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "unbalanced", "tiny"])
@pytest.mark.parametrize("worst", first_of([5, 100]))
def test_it_is_a_second_way_to_the_same_optimum(name, worst, monkeypatch):
    monkeypatch.setattr("kernlearn.solvers.bands.osqp.WORST", worst)  # of 180 variables
    K, y = instance(name, 3)
    one, other = (BAND_SOLVERS[name](K, y) for name in ("homotopy", "osqp"))
    C = 1.0
    for B in widths(one.theta(C)):
        first, second = one.solve(C, B), other.solve(C, B)
        check(second, K, y, C, B, tol=1e-6)
        assert second.objective == pytest.approx(first.objective, rel=2e-6)
    for D, nu in ((1.0, np.inf), (1.0, 3.0)):
        first, second = one.solve_priced(C, D, nu), other.solve_priced(C, D, nu)
        check(second, K, y, C, second.extras["B"], D * nu / len(y), D, tol=1e-6)
        assert second.objective == pytest.approx(first.objective, rel=2e-6)


def test_a_universum_and_weights():
    K, y = instance("moons", 3)
    one, other = BandSolver(K, y[:40], 1e-9), OSQPBandSolver(K, y[:40])
    for epsilon, cost in ((1.0, 0.1), (0.1, 1.0)):
        first, second = one.solve(1.0, epsilon, cost), other.solve(1.0, epsilon, cost)
        check(second, K, y[:40], 1.0, epsilon, cost, tol=1e-6)
        assert second.objective == pytest.approx(first.objective, rel=2e-6)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 60)
    first = BandSolver(K, y, 1e-9, weights).solve(1.0, 2.0)
    second = OSQPBandSolver(K, y, weights=weights).solve(1.0, 2.0)
    assert second.objective == pytest.approx(first.objective, rel=2e-6)


def test_it_starts_from_the_solution_before():
    K, y = instance("moons", 3)
    solver = OSQPBandSolver(K, y)
    for C, B, cost in ((10.0, 3.0, np.inf), (0.1, 3.0, np.inf), (0.1, 1.5, 0.01), (1.0, 1.2, np.inf)):
        warm = solver.solve(C, B, cost)
        cold = BandSolver(K, y, 1e-9).solve(C, B, cost)
        assert warm.objective == pytest.approx(cold.objective, rel=2e-6) and warm.status == "optimal"
    with pytest.raises(UserError, match="use B > 1"):
        solver.solve(1.0, 1.0)


@pytest.mark.filterwarnings("error")
def test_errors_that_cost_nothing_any_more_are_not_divided_by():
    rng = np.random.default_rng(0)
    A, y = rng.normal(size=(4, 2)), np.array([1.0, 1.0, -1.0, -1.0])
    other = OSQPBandSolver(A @ A.T, y)
    other.solve(1e5, 1.5, 10.0)
    assert other.theta(1e5) == pytest.approx(BandSolver(A @ A.T, y).theta(1e5), rel=1e-4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-300, 0.0, -1e-17])
def test_kernels_that_are_nothing_have_a_solution_too(size):
    y = np.array([1.0, 1.0, -1.0, -1.0])
    one, other = (solver(size * np.eye(4), y) for solver in (BandSolver, OSQPBandSolver))
    assert other.solve(1.0, 1.5).objective == pytest.approx(one.solve(1.0, 1.5).objective)


def test_where_osqp_does_not_reach_the_whole_program_it_is_not_asked_again():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(60, 5))
    y = np.where(A[:, 0] + 0.7 * rng.normal(size=60) > 0, 1.0, -1.0)
    solution = OSQPBandSolver(A @ A.T, y).solve(3e3, 2.0)
    exact = BandSolver(A @ A.T, y).solve(3e3, 2.0)
    assert solution.rounds < band_osqp.MAX_ROUNDS
    assert solution.objective * (1.0 - solution.gap) <= exact.objective * (1.0 + 1e-9)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("C", [1e-4, 1e-3, 1e-2])
def test_a_priced_band_of_small_errors(C, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(10, 1)) * [1.0, 2.0]  # two columns along one line
    y = np.where(A[:, 0] + 0.7 * rng.normal(size=10) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    K = (A @ A.T + 1.0) ** 2
    for D in (0.01 * C, 100 * C):
        first, second = (s(K, y).solve_priced(C, D) for s in (BandSolver, OSQPBandSolver))
        check(second, K, y, C, second.extras["B"], np.inf, D, tol=1e-6)
        assert second.objective == pytest.approx(first.objective, rel=2e-6)


def test_what_a_program_that_was_not_solved_breaks_is_mended_by_the_next(monkeypatch):
    K, y = instance("moons", 3)
    solve, times = QuadraticProgram.solve, []

    def first_off_the_plane(self, q, bounds):
        solution = solve(self, q, bounds)
        times.append(solution)
        return replace(solution, x=solution.x + 0.1 * (len(times) == 1))

    monkeypatch.setattr(QuadraticProgram, "solve", first_off_the_plane)
    solution = OSQPBandSolver(K, y).solve(1.0, 2.0)
    assert solution.status == "optimal" and len(times) > 1
