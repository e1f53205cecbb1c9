"""Coordinate descent for hinge loss with a weighted l1 penalty, appendix C of Cortes et al. (2015).

The problem is (P) of `kernlearn.solvers.hinge_l1.problem`. The hinge is neither smooth nor separable, so the method can
stop at a point that no single coordinate improves and that is not optimal. It is the method of the paper's appendix,
and not meant to solve the program. The returned duality gap bounds the distance to the optimum, usually by far too
much: the dual point is a subgradient of the hinge, which is free only at margins of 1. Before the optimum, fewer
examples have these margins than there are coefficients.
"""

from collections.abc import Iterator

import numpy as np

from kernlearn.certificates.hinge_l1 import Columns, hinge_l1
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.hinge_l1.problem import solution
from kernlearn.types import Array

#: Progress smaller than this, relative to the objective, is none.
PROGRESS = 1e-13
#: Margins that differ from 1 by less are 1.
KINK = 1e-9


class CoordinateDescent:
    """Solves (P) for one cost vector after another, always from the zero solution.

    Parameters
    ----------
    tol : float
        Relative duality gap below which a solution is called optimal; the method does not aim at it.
    max_iter : int
        Most steps.
    """

    def __init__(self, columns: Columns, tol: float = 1e-9, max_iter: int = 1000):
        self.columns = columns
        m = columns.shape[1]
        self._weights = np.ones(m) if columns.weights is None else columns.weights
        self.tol = tol
        self.max_iter = max_iter

    def solve(self, cost: Array) -> Solution:
        """Return the point where the method stops, for ``cost`` of shape (p, n).

        Its status is ``"optimal"`` if the gap is within the tolerance, ``"stationary"`` if no coordinate makes
        progress, otherwise ``"capped"``.
        """
        clock = Clock()
        m = self.columns.shape[1]
        coef, margins = np.zeros(cost.shape), np.zeros(m)
        iterations, moved = 0, True
        while moved and iterations < self.max_iter and not clock.over:
            moved = self._step(coef, margins, cost)
            iterations += moved
            clock.tell()
        certificate = min(
            (hinge_l1(self.columns, cost, coef, pi) for pi in self._dual_points(coef, margins, cost)),
            key=lambda certificate: abs(certificate.gap),
        )
        otherwise = "capped" if moved else "stationary"
        return solution(coef, certificate, self.tol, iterations, 1, clock.seconds, otherwise)

    def _dual_points(self, coef: Array, margins: Array, cost: Array) -> Iterator[Array]:
        """Yield ``pi = m u`` for two subgradients of the hinge: the weights at margins below 1, 0 above.

        At margins of 1, where anything in [0, w_i] will do, the first is 0; the second comes closest to what an optimum
        has to fulfil, ``A'pi = m c sign(a)`` for the coefficients a that are not 0.
        """
        kinks = np.abs(margins - 1.0) <= KINK
        pi = self._weights * ((margins < 1.0) & ~kinks)
        yield pi
        k, j = np.nonzero(coef)
        if kinks.any() and len(k):
            from scipy.optimize import lsq_linear  # takes a while to import

            A = self.columns.take(k, j)
            scale = np.abs(A).max(axis=1)
            residual = len(margins) * cost[k, j] * np.sign(coef[k, j]) - A @ pi
            pi = pi.copy()
            pi[kinks] = lsq_linear(A[:, kinks] / scale[:, None], residual / scale, (0.0, self._weights[kinks])).x
            yield pi

    def _step(self, coef: Array, margins: Array, cost: Array) -> bool:
        """Move along the steepest coordinate that makes progress, in place; return whether there is one."""
        m, weights = len(margins), self._weights
        objective = (weights * np.maximum(0.0, 1.0 - margins)).sum() / m + (cost * np.abs(coef)).sum()
        slopes = np.abs(steepest_subgradient(-self.columns.price(weights * (margins < 1.0) / m), coef, cost))
        for q in np.argsort(-slopes, axis=None, kind="stable"):
            k, j = divmod(int(q), coef.shape[1])
            if slopes[k, j] == 0.0:
                break
            column = self.columns.take(np.array([k]), np.array([j]))[0]
            eta, decrease = line_search(margins, column, coef[k, j], cost[k, j], weights)
            if decrease > PROGRESS * objective:
                coef[k, j] += eta
                margins += eta * column
                return True
        return False


def steepest_subgradient(gradient: Array, coef: Array, cost: Array) -> Array:
    """Return the element of smallest size of the subdifferential along every coordinate, all of one shape.

    ``gradient`` is that of the hinge: ``g = (1/m) sum_i phi_i`` with ``phi_i = -w_i A_iq`` where the margin is below 1.
    """
    at_zero = np.sign(gradient) * np.maximum(0.0, np.abs(gradient) - cost)
    return np.where(coef != 0.0, gradient + np.sign(coef) * cost, at_zero)


def line_search(margins: Array, column: Array, a: float, cost: float, weights: Array) -> tuple[float, float]:
    """Minimise ``h(eta) = (1/m) sum_i w_i max(0, 1 - margins_i - eta column_i) + cost |a + eta|`` exactly.

    h is convex and piecewise linear: its minimum is at one of the break points ``(1 - margins_i) / column_i`` and
    ``-a``, the first at which the slope from there on is not negative.

    Returns
    -------
    eta : float
    decrease : float
        ``h(0) - h(eta) >= 0``.
    """
    m = len(margins)
    used = np.flatnonzero(column)
    points = np.append((1.0 - margins[used]) / column[used], -a)
    jumps = np.append(weights[used] * np.abs(column[used]) / m, 2.0 * cost)  # of the slope at each break point
    order = np.argsort(points)
    slope_at_the_far_left = -(weights * np.maximum(0.0, column)).sum() / m - cost
    slopes = slope_at_the_far_left + np.cumsum(jumps[order])
    first = int(np.argmax(slopes >= -1e-15)) if (slopes >= -1e-15).any() else len(points) - 1
    eta = float(points[order[first]])

    def h(step: float) -> float:
        losses = np.maximum(0.0, 1.0 - margins - step * column)
        return float((weights * losses).sum() / m + cost * abs(a + step))

    return eta, h(0.0) - h(eta)
