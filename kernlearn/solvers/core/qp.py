"""Convex quadratic programs with bounds and linear constraints: OSQP for a start, finished and certified here.

::

    (P)  min_x  1/2 x'Px + q'x     subject to  low <= A x <= high,   lower <= x <= upper
    (D)  max_y  -1/2 x'Px + sum_j min(r_j lower_j, r_j upper_j) - sum_i max(y_i low_i, y_i high_i) ,   any x,
         r = P x + q + A'y

(D) is a lower bound for every x and y, since ``1/2 z'Pz >= (Px)'z - 1/2 x'Px``; r are the reduced costs. OSQP (Stellato
et al., 2020) stops at 1e-6 and may call wrong points solved, so that nothing is taken from it but x and y. Their signs
say which bounds and constraints hold with equality; the others are left out, and the rest is a linear system. (OSQP's
own polish is one such step, and can fail without a word.) Where its solution breaks a bound, or has a multiplier of the
wrong sign, that one changes sides, and it is solved again. What comes out is the best of OSQP's point and of those, by
the values recomputed in numpy; where that is not good enough, all starts again from OSQP's point at 1e-9.
"""

import signal
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import lstsq

from kernlearn.certificates import relative_gap, status_of
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array

#: Where OSQP stops, first and where that was not good enough, and after how many iterations at the latest.
ACCURACIES, OSQP = (1e-6, 1e-9), {"max_iter": 20_000, "polishing": False, "verbose": False}
#: Linear systems of one solve.
MAX_ROUNDS = 30
#: Below this part of the largest a direction of a linear system is none.
RANK = 1e-13
#: Part of the size of multipliers, and of x, that counts as nothing; and what OSQP's multipliers may be wrong by.
NOTHING, GUESS = 1e-9, 1e-6


class Bounds(NamedTuple):
    """The right-hand sides of (P); infinite where there is no bound."""

    low: Array
    high: Array
    lower: Array
    upper: Array


class Point(NamedTuple):
    """x and y with what they are worth: the values of (P) and (D), and by how much x breaks a bound, relatively."""

    x: Array
    y: Array
    objective: float
    dual_objective: float
    violation: float


class QuadraticProgram:
    """Solve (P) for any sequence of q and of bounds, each from the solution of the one before.

    P and A stay, and so does OSQP's factor of them. Numbers should be of moderate size, next to 1.

    Parameters
    ----------
    P : array of shape (n, n)
        Symmetric and positive semidefinite.
    A : array of shape (m, n)
    tol : float
        Relative duality gap, and relative violation of a bound, up to which a solution is called optimal.
    """

    def __init__(self, P: Array, A: Array, tol: float = 1e-9):
        self.P, self.A, self.tol = P, A, tol
        self._osqp: Any = None

    def solve(self, q: Array, bounds: Bounds, zero: float = 0.0) -> Solution:
        """Solve (P).

        Parameters
        ----------
        q : array of shape (n,)
        bounds : Bounds
            Each lower one at most the upper one.
        zero : float
            Value of (P) at a point that is known, see `Solution`.

        Returns
        -------
        Solution
            ``dual`` is y, shape (m,); ``iterations`` are OSQP's, ``rounds`` linear systems.
        """
        start, iterations, rounds = perf_counter(), 0, 0
        points: list[Point] = []
        for accuracy in ACCURACIES:
            x, y, more = self._first(q, bounds, accuracy)
            iterations += more
            points.append(self.evaluate(x, y, q, bounds))
            for point in self._finish(points[-1], q, bounds):
                rounds += 1
                points.append(point)
            best = min(points, key=lambda p: self._wrong(p, zero))
            if self._wrong(best, zero) <= self.tol:
                break
        gap = relative_gap(best.objective, best.dual_objective, zero)
        broken = f"breaks a bound by {best.violation:.1e}"
        status = status_of(gap, self.tol) if best.violation <= self.tol else broken
        values = (best.x, best.objective, best.y, best.dual_objective, zero)
        return Solution(*values, status, iterations, rounds, perf_counter() - start)

    def _wrong(self, point: Point, zero: float) -> float:
        return max(point.violation, abs(relative_gap(point.objective, point.dual_objective, zero)))

    def _first(self, q: Array, bounds: Bounds, accuracy: float) -> tuple[Array, Array, int]:
        """Return OSQP's x, the multipliers of the rows of A, and its iterations."""
        import osqp
        from scipy import sparse

        low, high = np.concatenate([bounds.low, bounds.lower]), np.concatenate([bounds.high, bounds.upper])
        if self._osqp is None:
            self._osqp = osqp.OSQP()
            rows = sparse.vstack([sparse.csc_matrix(self.A), sparse.identity(len(q), format="csc")], format="csc")
            self._osqp.setup(P=sparse.csc_matrix(np.triu(self.P)), q=q, A=rows, l=low, u=high, **OSQP)
        else:
            self._osqp.update(q=q, l=low, u=high)
        self._osqp.update_settings(eps_abs=accuracy, eps_rel=accuracy)
        result = _run(self._osqp, q)
        if result.x is None or not np.isfinite(np.concatenate([result.x, result.y])).all():
            return np.clip(np.zeros(len(q)), bounds.lower, bounds.upper), np.zeros(len(self.A)), result.info.iter
        return result.x, result.y[: len(self.A)], result.info.iter

    def evaluate(self, x: Array, y: Array, q: Array, bounds: Bounds) -> Point:
        """Return what a point is worth; the value of (D) is minus infinity where a bound that it needs is missing."""
        x = np.clip(x, bounds.lower, bounds.upper)
        Px, Ax = self.P @ x, self.A @ x
        r = Px + q + self.A.T @ y
        size = np.abs(self.P) @ np.abs(x) + np.abs(q) + np.abs(self.A.T) @ np.abs(y)
        r = np.where(np.abs(r) <= NOTHING * size, _towards(r, bounds.lower, bounds.upper), r)
        quadratic = 0.5 * max(float(x @ Px), 0.0)
        dual = -quadratic + _least(r, bounds.lower, bounds.upper) + _least(-y, bounds.low, bounds.high)
        scale = 1.0 + np.abs(self.A) @ np.abs(x)
        broken = np.maximum(Ax - bounds.high, bounds.low - Ax) / scale
        return Point(x, y, quadratic + float(q @ x), dual, max(float(broken.max(initial=0.0)), 0.0))

    def _finish(self, point: Point, q: Array, bounds: Bounds) -> Any:
        """Yield the solutions of linear systems, one for each choice of what holds with equality."""
        x, y = point.x, point.y
        of_cost = float((np.abs(self.P) @ np.abs(x) + np.abs(q)).max())  # the size of r, and of every y_i A_i
        of_rows = of_cost / np.maximum(np.abs(self.A).max(axis=1, initial=0.0), 1e-300)
        r = self.P @ x + q + self.A.T @ y
        at = _sides(r, GUESS * of_cost, x, bounds.lower, bounds.upper)
        rows = _sides(-y, GUESS * of_rows, self.A @ x, bounds.low, bounds.high)
        for _ in range(MAX_ROUNDS):
            x, y = self._equalities(x, y, q, bounds, at, rows)
            yield self.evaluate(x, y, q, bounds)
            r = self.P @ x + q + self.A.T @ y
            before = np.concatenate([at, rows])
            at = _changed(at, r, NOTHING * of_cost, x, bounds.lower, bounds.upper)
            rows = _changed(rows, -y, NOTHING * of_rows, self.A @ x, bounds.low, bounds.high)
            if np.array_equal(before, np.concatenate([at, rows])):
                return

    def _equalities(self, x: Array, y: Array, q: Array, bounds: Bounds, at: Array, rows: Array) -> tuple[Array, Array]:
        """Return x and y for given sides (-1: at the lower bound, +1: at the upper one, 0: between), from those before.

        The system may be singular, or have no solution: what it does not determine stays as it was, the rest is by
        least squares.
        """
        free, active = at == 0, rows != 0
        x, y = np.where(at < 0, bounds.lower, np.where(at > 0, bounds.upper, x)), np.where(active, y, 0.0)
        right = np.where(rows < 0, bounds.low, bounds.high)[active]
        A, P = self.A[np.ix_(active, free)], self.P[np.ix_(free, free)]
        n, m = len(P), len(A)
        system = np.block([[P, A.T], [A, np.zeros((m, m))]])
        for _ in range(2 if n + m else 0):  # the second takes out rounding errors of the first
            left = np.concatenate([-(self.P @ x + q + self.A.T @ y)[free], right - (self.A @ x)[active]])
            step = lstsq(system, left, cond=RANK, lapack_driver="gelsy", check_finite=False)[0]
            x[free] += step[:n]
            y[active] += step[n:]
        return x, y


def _run(program: Any, q: Array) -> Any:
    """Run OSQP, which hides Ctrl-C from Python while it works: raise the signal again, then continue."""
    import osqp

    while True:
        result = program.solve(raise_error=False)
        if result.info.status_val != osqp.SolverStatus.OSQP_SIGINT:
            return result
        signal.raise_signal(signal.SIGINT)
        program.update(q=q)  # else OSQP would call every later solution interrupted


def _least(r: Array, lower: Array, upper: Array) -> float:
    """Return ``sum_j min(r_j lower_j, r_j upper_j)``, 0 where r_j is."""
    used = r != 0
    return float(np.where(r[used] > 0, r[used] * lower[used], r[used] * upper[used]).sum())


def _towards(r: Array, lower: Array, upper: Array) -> Array:
    """Return r, 0 where it is rounding and the bound that it leans on is infinite."""
    return np.where(np.isfinite(np.where(r > 0, lower, upper)), r, 0.0)


def _sides(r: Array, near: Any, x: Array, lower: Array, upper: Array) -> Array:
    """Return the side of every bound that a multiplier points at, 0 where it is next to nothing."""
    side = np.where((r > near) & np.isfinite(lower), -1, np.where((r < -near) & np.isfinite(upper), 1, 0))
    leaning = np.where(side < 0, x - lower, np.where(side > 0, upper - x, 0.0))
    other = np.where(side < 0, upper - x, np.where(side > 0, x - lower, 1.0))
    return np.where(lower == upper, -1, np.where(leaning <= other, side, 0))


def _changed(side: Array, r: Array, near: Any, x: Array, lower: Array, upper: Array) -> Array:
    """Return the sides with those of a wrong multiplier freed and those of a broken bound put there."""
    slack = NOTHING * (1.0 + np.abs(x))
    wrong = (side * r > near) & (lower != upper)
    new = np.where(wrong, 0, side)
    new = np.where((side == 0) & (x < lower - slack), -1, new)
    return np.where((side == 0) & (x > upper + slack), 1, new)
