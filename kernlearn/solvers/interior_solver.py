"""The problem of `kernlearn.solvers.hinge_l1` for more examples than a simplex method can deal with.

The points of an interior point method (`kernlearn.solvers.hinge_l1_rounds`) are dense: all columns of its program have
coefficients, most of them next to nothing. Those leave the program, and the others stay if the gap is still within the
tolerance, so that the number of coefficients means something. No vertex comes out of it.
"""

from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.hinge_l1 import Columns, binary, certify, solution
from kernlearn.solvers.hinge_l1_rounds import STEPS, Found, Near, Program, approach
from kernlearn.solvers.interior import Interior
from kernlearn.solvers.solution import Solution

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Parts of the tolerance that the interior point method may use up, with all columns and with those that are kept.
INNER, FEWER = 0.5, 0.1
#: Odds of a coefficient below which columns are left out: the first of these that the tolerance allows.
LIKELY = (1.0, 1e-2, 1e-4)


class InteriorSolver:
    """Solves (P) for one cost vector after another on the same columns, each from the solution that is best for it.

    Parameters
    ----------
    columns : Columns
    tol : float
        Relative duality gap below which a solution is called optimal.
    """

    def __init__(self, columns: Columns, tol: float = 1e-4):
        self.columns, self.tol = columns, tol
        self._scale = binary(columns.scales())
        self._known = [Near.origin(np.ones(columns.shape[1]))]

    def solve(self, cost: Array) -> Solution:
        """Return the certified solution for ``cost``, shape (p, n), all entries >= 0.

        One that misses the tolerance comes back with the status ``"inaccurate"`` and the gap it has.
        """
        start = perf_counter()
        m = self.columns.shape[1]
        limits = m * cost / self._scale
        program = Program(np.ones(m), limits, self._take, self._products, self._margins)
        best = min(self._known, key=lambda near: program.value(near.k, near.j, near.a, near.margins))
        found = approach(program.raised(), best, INNER * self.tol)
        near = self._sparse(program, found)
        self._known.append(near)
        coef = self._coefficients(near.k, near.j, near.a)
        certificate = certify(self.columns, cost, coef, near.pi)
        return solution(coef, certificate, self.tol, found.steps, found.rounds, perf_counter() - start)

    def _sparse(self, program: Program, found: Found) -> Near:
        """Return the point with as few coefficients as the tolerance allows: those that are likely.

        The others leave the program, the rest of it is solved again, and what is lost shows in the value.
        """
        near, point = found.near, found.point
        bound = program.value(near.k, near.j, near.a, near.margins) * (1.0 - found.gap)
        likely = point.likely_rows
        for least in LIKELY:
            kept = likely > least
            k, j = found.k[kept], found.j[kept]
            fewer = Interior.near(point.u, point.G[kept], point.t[kept], point.pi, point.a[kept])
            fewer.solve(FEWER * self.tol, STEPS)
            margins = program.margins(k, j, fewer.a)
            value = program.value(k, j, fewer.a, margins)
            if value - bound <= self.tol * value:
                return replace(near, k=k, j=j, a=fewer.a, margins=margins)
        return near

    def _take(self, k: Index, j: Index) -> Array:
        """Return scaled columns of A as rows, shape (len(k), m)."""
        return self.columns.take(k, j) / self._scale[k, j][:, None]

    def _products(self, pi: Array) -> Array:
        """Return ``|A'pi|`` in the scale of the columns, shape (p, n)."""
        return np.abs(self.columns.price(pi)) / self._scale

    def _margins(self, k: Index, j: Index, a: Array) -> Array:
        """Return ``A a`` for coefficients of scaled columns, shape (m,)."""
        return self.columns.apply(self._coefficients(k, j, a))

    def _coefficients(self, k: Index, j: Index, a: Array) -> Array:
        coef = np.zeros(self._scale.shape)
        coef[k, j] = a / self._scale[k, j]
        return coef
