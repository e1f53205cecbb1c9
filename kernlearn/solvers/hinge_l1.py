"""Hinge loss with a weighted l1 penalty over very many columns, by cutting planes on the dual.

Problem, for a matrix A with m rows and columns indexed by q::

    (P)  min_a   (1/m) sum_i max(0, 1 - (A a)_i) + sum_q c_q |a_q|
    (D)  max_u   sum_i u_i   subject to   |A' u|_q <= c_q for all q,   0 <= u_i <= 1/m

(D) has one row for every column of A; only those that are violated are ever put into the linear program, which makes
the method column generation on (P). With ``pi = m u`` the box is [0, 1] whatever m. Source: Cortes, Goyal, Kuznetsov
and Mohri (2015), section 5.1, whose printed program lacks ``xi >= 0``; the dual and the certificate are derived here.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dgetrf, dgetrs

from kernlearn.solvers.clock import Clock
from kernlearn.solvers.lp import BoundedMaximiser, SolverError
from kernlearn.solvers.solution import Solution, relative_gap, status_of

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Violated columns added in one round; more make the linear program grow faster than it converges.
COLUMNS_A_ROUND = 60
#: The same after a failure: columns that are almost parallel upset the simplex method when they come all at once.
COLUMNS_A_CAREFUL_ROUND = 4
#: A column is violated when ``|A'pi|`` exceeds its bound by this factor.
VIOLATION = 1e-9
#: Bounds below this, zero among them, count as this when a violation is made relative.
SMALLEST_LIMIT = 1e-9
MAX_ROUNDS = 1000
#: Distance of the least margin from 1 within which an example counts as separated but for rounding.
SEPARATED = 1e-6
EPS = float(np.finfo(np.float64).eps)
#: Value of (P) at a = 0: the mean loss.
ZERO = 1.0
#: Smallest scale of multipliers. At it, the solver's tolerance of 1e-9 is the rounding error of a sum near 1.
SMALLEST_TAU = 2.0**-22


class Columns(Protocol):
    """A matrix with m rows, known through its products; columns are indexed by pairs (k, j) in p groups of n."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, m, n): groups, rows, columns in a group."""

    def scales(self) -> Array:
        """Return the largest absolute entry of every column, shape (p, n)."""

    def price(self, v: Array) -> Array:
        """Return ``A'v``, shape (p, n)."""

    def take(self, k: Index, j: Index) -> Array:
        """Return the columns (k_1, j_1), (k_2, j_2), ... as rows, shape (len(k), m)."""

    def apply(self, coef: Array) -> Array:
        """Return ``A a`` for the coefficients `coef` of shape (p, n), shape (m,)."""


class ManyColumns(Columns, Protocol):
    """Columns some of which can stand for all of them."""

    def narrow(self, j: Index) -> "ManyColumns":
        """Return the columns (k, j) of some j, for all k."""


@dataclass(frozen=True)
class Certificate:
    """Objectives of a primal point, `stretch` times the one given, and of a dual point scaled into the feasible set.

    ``largest``, shape (p,), has the largest ``|A'u|`` of that point in every group of columns.
    """

    objective: float
    stretch: float
    dual_objective: float
    dual: Array
    largest: Array

    @property
    def gap(self) -> float:
        """Relative duality gap."""
        return relative_gap(self.objective, self.dual_objective, ZERO)


def certify(columns: Columns, cost: Array, coef: Array, pi: Array) -> Certificate:
    """Recompute both objectives from the problem data.

    Parameters
    ----------
    columns : Columns
    cost : array of shape (p, n)
        ``c_q >= 0``.
    coef : array of shape (p, n)
    pi : array of shape (m,)
        ``m u``; it need not be feasible. It is clipped to [0, 1] and scaled by
        ``theta = min(1, min_q m c_q / |A'pi|_q)``, which makes it so. Everything is computed in its precision.

    Returns
    -------
    Certificate
        Where all margins are 1 or more but for rounding, which would outweigh a penalty that is next to nothing, it is
        that of coefficients that are stretched until they are.
    """
    m = columns.shape[1]
    margins, penalty = columns.apply(coef.astype(pi.dtype)), (cost * np.abs(coef)).sum()
    least = float(margins.min())
    stretch = 1.0 if least >= 1.0 or least < 1.0 - SEPARATED else (1.0 + 4.0 * EPS) / least
    objective = float(np.maximum(0.0, 1.0 - stretch * margins).sum() / m + stretch * penalty)  # (P)
    pi = np.clip(pi, 0.0, 1.0)
    products = np.abs(columns.price(pi))
    limits = m * cost
    violated = products > limits
    theta = float((limits[violated] / products[violated]).min()) if violated.any() else 1.0
    dual, largest = theta * pi, theta * products.max(axis=1, initial=0.0)
    return Certificate(objective, stretch, float(dual.sum() / m), dual / m, largest / m)  # (D)


def solution(
    coef: Array,
    certificate: Certificate,
    tol: float,
    iterations: int,
    rounds: int,
    seconds: float,
    otherwise: str = "inaccurate",
) -> Solution:
    """Return coefficients with what is proved about them; `otherwise` is the status of a gap above `tol`."""
    status = status_of(certificate.gap, tol, otherwise)
    dual = certificate.dual.astype(np.float64)
    values = (certificate.objective, dual, certificate.dual_objective, ZERO)
    return Solution(certificate.stretch * coef, *values, status, iterations, rounds, seconds)


def binary(scales: Array) -> Array:
    """Return the next powers of two, by which to scale rounds nothing; 1 in the place of 0."""
    powers: Array = 2.0 ** np.ceil(np.log2(np.where(scales > 0, scales, 1.0)))
    return powers


def worst_columns(excess: Array, limits: Array, most: int) -> tuple[Index, Index]:
    """Return the columns (k, j) with the largest violations > 0, relative to their bounds.

    At most one is returned for every j: they are much alike.
    """
    relative = excess / np.maximum(limits, SMALLEST_LIMIT)
    k = relative.argmax(axis=0)
    j = np.arange(relative.shape[1])
    worst = relative[k, j]
    chosen = np.argsort(-worst, kind="stable")[:most]
    chosen = chosen[worst[chosen] > 0.0]
    return k[chosen], j[chosen]


class HingeL1Solver:
    """Solves (P) for one cost vector after another on the same columns, each from the basis of the one before.

    Parameters
    ----------
    columns : Columns
    tol : float
        Relative duality gap below which a solution is called optimal.
    """

    def __init__(self, columns: Columns, tol: float = 1e-9):
        self.columns = columns
        self.tol = tol
        self._scale = np.where(columns.scales() > 0, columns.scales(), 1.0)
        self._restart()

    def _restart(self) -> None:
        self._lp = BoundedMaximiser(self.columns.shape[1])
        self._k: Index = np.zeros(0, dtype=np.intp)  # the columns in the linear program, in the order of its rows
        self._j: Index = np.zeros(0, dtype=np.intp)
        self._G: Array = np.zeros((0, self.columns.shape[1]))  # their values, scaled to largest entry 1

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

    def _attempt(self, cost: Array, columns_a_round: int, clock: Clock) -> tuple[Array, Certificate, int, int]:
        m = self.columns.shape[1]
        limits = m * cost / self._scale
        positive = limits[limits > 0]
        # Multipliers of the size of the smallest bound: solve for pi / tau, so that the solver's absolute tolerances
        # mean the same at every penalty. A power of two makes the change of scale exact.
        smallest = min(1.0, positive.min()) if positive.size else 0.0
        tau = max(SMALLEST_TAU, 2.0 ** np.floor(np.log2(smallest))) if smallest else SMALLEST_TAU
        self._keep_active()
        self._lp.set_bounds(1.0 / tau, limits[self._k, self._j] / tau)
        x, multipliers = np.zeros(m), np.zeros(0)
        iterations, rounds, solved = 0, 0, False
        while rounds < MAX_ROUNDS and not solved and not (rounds and clock.over):
            rounds += 1
            try:
                iterations += self._lp.run()
            except SolverError:
                break  # what the rounds before have found stands, with its certificate
            x, multipliers = self._lp.point()
            k, j = self._violated(np.clip(tau * x, 0.0, 1.0), limits, columns_a_round)
            solved = not len(k)
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
        G = self.columns.take(k, j) / self._scale[k, j][:, None]
        self._lp.add_rows(G, t)
        self._k, self._j = np.append(self._k, k), np.append(self._j, j)
        self._G = np.vstack([self._G, G])

    def _violated(self, pi: Array, limits: Array, most: int) -> tuple[Index, Index]:
        """Return the worst violated columns outside the program."""
        excess = np.abs(self.columns.price(pi)) / self._scale - limits
        excess[self._k, self._j] = 0.0
        excess[excess <= VIOLATION * np.maximum(limits, SMALLEST_LIMIT)] = 0.0
        return worst_columns(excess, limits, most)

    def _best(self, cost: Array, candidates: list[tuple[Array, Array]]) -> tuple[Array, Certificate]:
        """Return the candidate (pi, multipliers of the first rows) with the smallest gap, as coefficients."""
        points = []
        for pi, multipliers in candidates:
            coef = np.zeros(cost.shape)
            k, j = self._k[: len(multipliers)], self._j[: len(multipliers)]
            coef[k, j] = multipliers / self._scale[k, j]
            points.append((coef, certify(self.columns, cost, coef, pi)))
        return min(points, key=lambda point: abs(point[1].gap))

    def _polish(self, limits: Array) -> list[tuple[Array, Array]]:
        """Solve the equations of the optimal basis in double precision, with one step of refinement.

        With S the active rows, B the basic and U the columns at 1, ``G_SB pi_B = t_S - G_SU 1`` and
        ``G_SB' a_S = 1``: the margin of every example in B is exactly 1. Nothing comes back from a singular basis.
        """
        columns, rows = self._lp.basis()
        S, B = np.flatnonzero(rows), np.flatnonzero(columns == 0)
        pi = (columns > 0).astype(float)
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
