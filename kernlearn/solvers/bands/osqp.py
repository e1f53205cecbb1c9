"""Machines with their outputs in a band by OSQP: a second way to the programs of `kernlearn.solvers.BandSolver`.

It shares with the homotopy only what certifies a solution. As in Shivaswamy (2010), (2.10), a quadratic program in a
working set of alpha, l and l* is solved after another, the rest kept. That of SVM-light, a fixed number of those that
break the optimality conditions most, fails where more than so many are free: here all that are free belong to it.
"""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import status_of
from kernlearn.errors import UserError
from kernlearn.solvers.bands.values import Band, BandEvaluator, BandValues
from kernlearn.solvers.core.qp import Bounds, QuadraticProgram
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.path import gap_size
from kernlearn.types import Array

#: How many variables from either end of the list of violations join the working set at first, and rounds at most.
WORST, MAX_ROUNDS = 100, 100


class OSQPBandSolver:
    """Solve (D) of `kernlearn.solvers.bands.solver` by decomposition, each time from the solution before.

    Parameters
    ----------
    K : array of shape (n + m, n + m)
    y : array of shape (n,)
    tol : float
        Relative duality gap to reach.
    weights : array of shape (n,), optional
        Factors > 0 of C.
    """

    def __init__(self, K: Array, y: Array, tol: float = 1e-6, weights: Array | None = None):
        n, more = len(y), len(K) - len(y)
        self.tol, self._n = tol, n
        self._scale = max(float(np.diagonal(K).max()), 0.0) or 1.0  # K / scale and C scale have moderate size
        w = np.concatenate([np.ones(n) if weights is None else weights, np.zeros(more)])
        self._evaluator = BandEvaluator(K, np.concatenate([y, np.ones(more)]), w)
        band = np.arange(n, n + more) if more else np.arange(n)
        self._banded = np.isin(np.arange(n + more), band)
        # The variables are alpha, l and l*: u is the sum of them at `_at`, with the signs `_sign`.
        self._at = np.concatenate([np.arange(n), band, band])
        self._sign = np.concatenate([y, -np.ones(len(band)), np.ones(len(band))])
        self._outer = np.arange(len(self._at)) >= n
        self._z = np.zeros(len(self._at))

    def solve(self, C: float, B: float, cost: float = np.inf) -> Solution:
        """Solve the program for one C, B and cost; see `kernlearn.solvers.BandSolver.solve`."""
        if B <= 1.0 and self._banded.all():
            raise UserError(f"B={B:g}: outputs within [-1, 1] leave no margin of 1 to any example; use B > 1")
        return self._solve(Band(C, np.where(self._banded, cost, 0.0), B))

    def theta(self, C: float) -> float:
        """Return the largest output of the support vector machine, see `kernlearn.solvers.BandSolver.theta`."""
        solution = self._solve(Band(C, np.zeros(len(self._evaluator.y)), 1.0))
        return float(np.abs(self._evaluator.K[self._banded] @ solution.x + solution.intercept).max())

    def solve_priced(self, C: float, D: float, nu: float = np.inf) -> Solution:
        """Solve the program with a free B; see `kernlearn.solvers.BandSolver.solve_priced`."""
        cost = D * nu / self._n
        return self._solve(Band(C, np.where(self._banded, cost, 0.0), None, D))

    def _solve(self, band: Band) -> Solution:
        start, evaluator, scale = perf_counter(), self._evaluator, self._scale
        upper = scale * np.concatenate([(band.C * evaluator.weights)[: self._n], *2 * [band.costs[self._banded]]])
        D = scale * band.D if band.B is None else np.inf
        z = self._feasible(upper, D)
        B = 1.0 if band.B is None else band.B
        best, worst, iterations, rounds, intercept = evaluator.nothing(band), WORST, 0, 0, 0.0
        while rounds < MAX_ROUNDS and not self._reached(best):
            gradient = self._sign * self._image(z) + np.where(self._outer, B, -1.0)
            work = self._working_set(z, upper, gradient, worst)
            before = gap_size(best)
            z[work], intercept, B, more = self._step(z, work, upper, D, gradient, B, band.B is None)
            iterations, rounds = iterations + more, rounds + 1
            best = min(best, evaluator.at(self._joined(z) / scale, intercept, band), key=gap_size)
            if gap_size(best) > 0.9 * before:
                if len(work) == len(z):  # the next program would be this one
                    break
                worst *= 2
        best, self._z = evaluator.sure(best, band), z
        return best.solution(self.tol, iterations, rounds, perf_counter() - start)

    def _feasible(self, upper: Array, D: float) -> Array:
        """Return the variables of before, made smaller by one factor until they are within their bounds."""
        used = self._z > 0
        if not upper[used].all():  # an error that cost something before costs nothing now
            return np.zeros(len(self._z))
        most = float((self._z[used] / upper[used]).max(initial=1.0))
        return self._z / max(most, float(self._z[self._outer].sum()) / D)

    def _joined(self, z: Array) -> Array:
        """Return u, scaled."""
        return np.bincount(self._at, self._sign * z, len(self._evaluator.y)).astype(np.float64, copy=False)

    def _image(self, z: Array) -> Array:
        """Return ``K u / scale`` at every variable."""
        return (self._evaluator.image(self._joined(z)) / self._scale)[self._at]

    def _working_set(self, z: Array, upper: Array, gradient: Array, worst: int) -> NDArray[np.intp]:
        """Return all free variables, and the first and last of those that can move by the b that each asks for."""
        b, below, above = -self._sign * gradient, z < upper, z > 0
        up = np.flatnonzero(np.where(self._sign > 0, below, above))
        down = np.flatnonzero(np.where(self._sign > 0, above, below))
        first = up[np.argsort(-b[up], kind="stable")[:worst]]
        last = down[np.argsort(b[down], kind="stable")[:worst]]
        return np.unique(np.concatenate([np.flatnonzero(below & above), first, last]))

    def _step(
        self, z: Array, work: NDArray[np.intp], upper: Array, D: float, gradient: Array, B: float, priced: bool
    ) -> tuple[Array, float, float, int]:
        """Solve (2.10) in the working set; return its variables, b, B and OSQP's iterations."""
        sign, at, outer = self._sign[work], self._at[work], self._outer[work].astype(float)
        P = sign[:, None] * self._evaluator.K[np.ix_(at, at)] * sign / self._scale
        linear = gradient[work] - P @ z[work]
        total = np.array([sign @ z[work] - self._sign @ z])  # so that all sum to 0 even where they did not before
        A, low, high = sign[None], total, total
        if priced:  # sum(l + l*) <= D takes the place of B - 1 in the cost of l and l*
            linear = linear - (B - 1.0) * outer
            kept = float(z[self._outer].sum() - outer @ z[work])
            A, low, high = np.stack([sign, outer]), np.append(total, -np.inf), np.append(total, D - kept)
        # The unit of the variables, so that small ones are of the size of 1, too.
        size = min(float(upper[: self._n].max()), 1.0)
        program = QuadraticProgram(size * P, A, min(self.tol, 1e-9))
        result = program.solve(linear, Bounds(low / size, high / size, np.zeros(len(work)), upper[work] / size))
        x = np.clip(size * result.x, 0.0, upper[work])
        return x, float(result.dual[0]), 1.0 + max(float(result.dual[1]), 0.0) if priced else B, result.iterations

    def _reached(self, values: BandValues) -> bool:
        return status_of(values.gap, self.tol) == "optimal"
