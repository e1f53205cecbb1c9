"""The problem of `kernlearn.solvers.hinge_l1.problem` on HiGHS, slower than our own simplex method and hard to upset.

Equal examples are one variable, whose upper bound is their number.
"""

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

from kernlearn.certificates.hinge_l1 import Columns, HingeCertificate, hinge_l1
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution, SolverError
from kernlearn.solvers.hinge_l1.problem import (
    COLUMNS_A_ROUND,
    MAX_ROUNDS,
    SMALLEST_LIMIT,
    VERTEX_TOL,
    solution,
    worst_columns,
)
from kernlearn.solvers.hinge_l1.scaled import Scaled
from kernlearn.types import Array, Index

#: Violated columns added in a round after a failure: almost parallel ones upset the simplex method when they come all
#: at once.
COLUMNS_A_CAREFUL_ROUND = 4
#: A column is violated when ``|A'pi|`` exceeds its bound by this factor.
VIOLATION = 1e-9
#: Smallest scale of multipliers. At it, the solver's tolerance of 1e-9 is the rounding error of a sum near 1.
SMALLEST_TAU = 2.0**-22


class HighsSolver:
    """Solves (P) for one cost vector after another on the same columns, each from the basis of the one before.

    Parameters
    ----------
    tol : float
        Relative duality gap below which a solution is called optimal.
    scaled : Scaled, optional
        The columns, if what is equal of them is known.
    """

    def __init__(self, columns: Columns, tol: float = VERTEX_TOL, scaled: Scaled | None = None):
        self.columns = columns
        self.tol = tol
        self._scaled = scaled or Scaled.of(columns)
        scales = columns.scales()
        # Columns are scaled to largest entry 1: for HiGHS's tolerances powers of two are not near enough.
        self._finer = self._scaled.scale / np.where(scales > 0, scales, 1.0)
        self._restart()

    def _restart(self) -> None:
        from kernlearn.solvers.core.lp import BoundedMaximiser

        n = len(self._scaled.u)
        self._lp = BoundedMaximiser(n)
        self._k: Index = np.zeros(0, dtype=np.intp)  # the columns in the linear program, in the order of its rows
        self._j: Index = np.zeros(0, dtype=np.intp)
        self._G: Array = np.zeros((0, n))  # their values, scaled to largest entry 1

    def solve(self, cost: Array, clock: Clock | None = None) -> Solution:
        """Return the certified solution for ``cost``, shape (p, n), all entries >= 0.

        A clock is that of the program that this one is the last resort of.

        A solution that misses the tolerance, also because the linear program broke down, is solved again from an
        empty program with few columns a round. If that misses it too, the better of both comes back with the status
        ``"inaccurate"`` and the gap it has; ``"capped"`` where the time was over.
        """
        clock = clock or Clock()
        coef, certificate, iterations, rounds = self._attempt(cost, COLUMNS_A_ROUND, clock)
        if abs(certificate.gap) > self.tol and not clock.over:
            self._restart()
            second_coef, second, more_iterations, more_rounds = self._attempt(cost, COLUMNS_A_CAREFUL_ROUND, clock)
            iterations, rounds = iterations + more_iterations, rounds + more_rounds
            if abs(second.gap) < abs(certificate.gap):
                coef, certificate = second_coef, second
        return solution(coef, certificate, self.tol, iterations, rounds, clock.seconds, clock.otherwise)

    def _attempt(self, cost: Array, columns_a_round: int, clock: Clock) -> tuple[Array, HingeCertificate, int, int]:
        u, limits = self._scaled.u, self._scaled.limits(cost) * self._finer
        positive = limits[limits > 0]
        # Multipliers of the size of the smallest bound: solve for pi / tau, so that the solver's absolute tolerances
        # mean the same at every penalty. A power of two makes the change of scale exact.
        smallest = min(1.0, positive.min()) if positive.size else 0.0
        tau = max(SMALLEST_TAU, 2.0 ** np.floor(np.log2(smallest))) if smallest else SMALLEST_TAU
        self._keep_active()
        self._lp.set_bounds(u / tau, limits[self._k, self._j] / tau)
        x, multipliers = np.zeros(len(u)), np.zeros(0)
        iterations, rounds, solved = 0, 0, False
        while rounds < MAX_ROUNDS and not solved and not (rounds and clock.over):
            rounds += 1
            try:
                iterations += self._lp.run(clock.left)
            except SolverError:
                break  # what the rounds before have found stands, with its certificate
            x, multipliers = self._lp.point()
            k, j = self._violated(np.clip(tau * x, 0.0, u), limits, columns_a_round)
            solved = not len(k)
            clock.tell()
            if not solved:
                self._add(k, j, limits[k, j] / tau)
        candidates = [(tau * x, multipliers)]
        if solved:
            candidates += self._polish(limits)
        coef, certificate = self._best(cost, candidates)
        if not solved:
            self._restart()
        return coef, certificate, iterations, rounds

    def _keep_active(self) -> None:
        active = self._lp.keep_active_rows()
        self._k, self._j, self._G = self._k[active], self._j[active], self._G[active]

    def _add(self, k: Index, j: Index, t: Array) -> None:
        G = self._scaled.take(k, j) * self._finer[k, j][:, None]
        self._lp.add_rows(G, t)
        self._k, self._j = np.append(self._k, k), np.append(self._j, j)
        self._G = np.vstack([self._G, G])

    def _violated(self, pi: Array, limits: Array, most: int) -> tuple[Index, Index]:
        """Return the worst violated columns outside the program."""
        excess = np.abs(self._scaled.products(pi)) * self._finer - limits
        excess[self._k, self._j] = 0.0
        excess[excess <= VIOLATION * np.maximum(limits, SMALLEST_LIMIT)] = 0.0
        return worst_columns(excess, limits, most)

    def _best(self, cost: Array, candidates: list[tuple[Array, Array]]) -> tuple[Array, HingeCertificate]:
        """Return the candidate (pi, multipliers of the first rows) with the smallest gap, as coefficients."""
        points = []
        for pi, multipliers in candidates:
            k, j = self._k[: len(multipliers)], self._j[: len(multipliers)]
            coef = self._scaled.coefficients(k, j, multipliers * self._finer[k, j])
            points.append((coef, hinge_l1(self.columns, cost, coef, self._scaled.whole(pi))))
        return min(points, key=lambda point: abs(point[1].gap))

    def _polish(self, limits: Array) -> list[tuple[Array, Array]]:
        """Solve the equations of the optimal basis in double precision, with one step of refinement.

        With S the active rows, B the basic and U the columns at u, ``G_SB pi_B = t_S - G_SU u_U`` and
        ``G_SB' a_S = 1``: the margin of every example in B is exactly 1. Nothing comes back from a singular basis.
        """
        columns, rows = self._lp.basis()
        S, B = np.flatnonzero(rows), np.flatnonzero(columns == 0)
        pi = np.where(columns > 0, self._scaled.u, 0.0)
        multipliers = np.zeros(len(rows))
        if len(S) != len(B):
            return []
        if len(S):
            M = self._G[np.ix_(S, B)]
            right = rows[S] * limits[self._k[S], self._j[S]] - self._G[S] @ pi
            lu, pivots, singular = dgetrf(M)
            if singular:
                return []
            pi[B] = _solve_refined(lu, pivots, M, right, trans=0)
            multipliers[S] = _solve_refined(lu, pivots, M.T, np.ones(len(B)), trans=1)
        return [(pi, multipliers)]


def _solve_refined(lu: Array, pivots: Index, M: Array, b: Array, trans: int) -> Array:
    x = dgetrs(lu, pivots, b, trans=trans)[0]
    return x + dgetrs(lu, pivots, b - M @ x, trans=trans)[0]
