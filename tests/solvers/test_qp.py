"""Quadratic programs against Clarabel, against feasible points drawn at random, and in other units."""

import signal
import sys
import time
from threading import Event, Thread, main_thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlearn.solvers.core.qp import Bounds, QuadraticProgram


def problem(seed, n, m, rank, free):
    """A program with bounds on most variables and rows of all kinds, and a feasible point."""
    rng = np.random.default_rng(seed)
    F, A = rng.normal(size=(rank, n)), rng.normal(size=(m, n))
    inside = rng.normal(size=n)
    lower, upper = inside - rng.exponential(size=n), inside + rng.exponential(size=n)
    lower[:free], upper[:free] = -np.inf, np.inf
    low, high = A @ inside - rng.exponential(size=m), A @ inside + rng.exponential(size=m)
    kind = rng.integers(3, size=m)
    low, high = np.where(kind == 1, -np.inf, low), np.where(kind == 2, low, high)
    low = np.where(kind == 2, high, low)
    q = F.T @ rng.normal(size=rank)  # so that no free variable goes on for ever
    feasible = kind != 2
    return F.T @ F, q, A[feasible], Bounds(low[feasible], high[feasible], lower, upper), inside


def value(P, q, x):
    return 0.5 * x @ P @ x + q @ x


def oracle(P, q, A, bounds):
    import cvxpy as cp

    x = cp.Variable(len(q))
    rows = [A[np.isfinite(bounds.low)] @ x >= bounds.low[np.isfinite(bounds.low)]]
    rows += [A[np.isfinite(bounds.high)] @ x <= bounds.high[np.isfinite(bounds.high)]]
    boxed = np.isfinite(bounds.lower)
    rows += [x[boxed] >= bounds.lower[boxed], x[boxed] <= bounds.upper[boxed]]
    cp.Problem(cp.Minimize(0.5 * cp.quad_form(x, cp.psd_wrap(P)) + q @ x), rows).solve(solver=cp.CLARABEL)
    return value(P, q, x.value)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("n", "m", "rank", "free"), [(5, 3, 5, 0), (30, 10, 12, 0), (40, 6, 60, 10), (12, 0, 4, 3)])
def test_certified_optima_are_those_of_clarabel(seed, n, m, rank, free):
    P, q, A, bounds, inside = problem(seed, n, m, rank, free)
    solution = QuadraticProgram(P, A).solve(q, bounds)
    assert solution.status == "optimal" and abs(solution.gap) <= 1e-9
    assert solution.objective == pytest.approx(value(P, q, solution.x), rel=1e-12, abs=1e-12)
    assert (solution.x >= bounds.lower).all() and (solution.x <= bounds.upper).all()
    Ax = A @ solution.x
    assert (Ax >= bounds.low - 1e-8).all() and (Ax <= bounds.high + 1e-8).all()
    assert solution.objective == pytest.approx(oracle(P, q, A, bounds), rel=1e-6, abs=1e-6)
    assert solution.dual_objective <= value(P, q, inside) + 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_lower_bound_holds_at_any_point(seed, other):
    """Weak duality: no feasible point is below the value of (D) at any x and y."""
    P, q, A, bounds, inside = problem(seed, 9, 5, 6, 0)
    rng = np.random.default_rng(other)
    y = rng.normal(size=len(A))
    y = np.where((y > 0) & ~np.isfinite(bounds.high), -y, y)
    y = np.where((y < 0) & ~np.isfinite(bounds.low), -y, y)
    point = QuadraticProgram(P, A).evaluate(3 * rng.normal(size=9), y, q, bounds)
    assert point.dual_objective <= value(P, q, inside) + 1e-9


def test_other_right_hand_sides_are_solved_from_where_it_stands():
    P, q, A, bounds, _ = problem(3, 30, 10, 12, 0)
    program = QuadraticProgram(P, A)
    for scale in (1.0, 1.3, 0.9):
        wider = bounds._replace(lower=scale * bounds.lower - 1, upper=scale * bounds.upper + 1)
        warm, cold = program.solve(scale * q, wider), QuadraticProgram(P, A).solve(scale * q, wider)
        assert warm.status == cold.status == "optimal"
        assert warm.objective == pytest.approx(cold.objective, rel=1e-9)


def test_bounds_that_leave_nothing_are_not_called_solved():
    bounds = Bounds(np.array([3.0]), np.array([4.0]), np.zeros(2), np.ones(2))
    solution = QuadraticProgram(np.eye(2), np.ones((1, 2))).solve(np.zeros(2), bounds)
    assert "breaks a bound by" in solution.status


def test_a_direction_without_end_has_no_bound():
    free = Bounds(np.zeros(0), np.zeros(0), np.full(2, -np.inf), np.full(2, np.inf))
    solution = QuadraticProgram(np.diag([1.0, 0.0]), np.zeros((0, 2))).solve(np.array([0.0, 1.0]), free)
    assert solution.status != "optimal" and solution.dual_objective == -np.inf


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
def test_no_ctrl_c_is_lost():
    """OSQP has its own handler while it works: a signal that only it knew would let the program run on for minutes."""
    P, q, A, bounds, _ = problem(0, 400, 40, 300, 0)
    came, lost, over = Event(), [], Event()

    def press():
        for _ in range(10):
            time.sleep(0.2)  # until it is at work again
            came.clear()
            signal.pthread_kill(main_thread().ident, signal.SIGINT)
            if not came.wait(5.0):
                lost.append(True)
        over.set()

    before = signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        thread, program = Thread(target=press), QuadraticProgram(P, A)
        thread.start()
        while not over.is_set():
            program._first(q, bounds, 1e-15)
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert not lost
