"""Systems of free examples with a factor in double precision, or, of very many, in single precision and refined.

A factor of f examples has 8 f^2 bytes, and with the matrix in memory there may be no room for it. One of single
precision, of the matrix with a small ridge, takes half of that and half the time. It is a good preconditioner of
conjugate gradients in the plane ``sum(x) = total`` (Gould, Hribar and Nocedal 2001). With products in double precision,
these reach the accuracy of a factor in double precision in a few steps.
"""

from math import sqrt

import numpy as np

from kernlearn.solvers.core.free_factor import FreeFactor
from kernlearn.solvers.core.products import add_rows
from kernlearn.types import Array, Index

#: Free examples from which on the factor is of single precision.
LARGE = 8000
#: The ridge, in units of the rounding errors that add up in a factor.
RIDGE = 4.0
#: Size of an entry of the residual at which the steps end, for outputs of size 1, and how many they are at most.
RESIDUAL, MAX_STEPS = 1e-13, 60


class RefinedFactor:
    """Solve systems with ``K_FF + s`` for one F after another, as `FreeFactor` does.

    Parameters
    ----------
    K : array of shape (n, n)
    shift : float
        The s.
    large : int
        Examples from which on the factor is of single precision.
    """

    def __init__(self, K: Array, shift: float, large: int = LARGE):
        self._K, self.shift, self._large = K, shift, large
        self._double = self._used = FreeFactor(K, shift)
        ridge = RIDGE * sqrt(max(len(K), 1)) * float(np.finfo(np.float32).eps) * shift
        self._single = FreeFactor(K, shift, ridge)

    def extend(self, K: Array) -> None:
        """Take a larger matrix for K, which the K of before is the upper left part of."""
        self._K = K
        self._double.extend(K)
        self._single.extend(K)

    def take(self, F: Index) -> Index:
        """Make F the examples of the system, or as many of them as are independent; return these, or none."""
        used = self._single if len(F) >= self._large else self._double
        if used is not self._used:
            self._used.clear()
        self._used, accepted = used, used.take(F)
        if used is self._single and len(accepted) < len(F):
            accepted = self._leave_single(F)
        self._F = accepted
        return accepted

    def _leave_single(self, F: Index) -> Index:
        """Use double precision from now on, for a matrix that single precision takes for singular."""
        self._single.clear()
        self._used, self._large = self._double, len(self._K) + 1
        return self._double.take(F)

    def solve(self, right: Array, total: float, residual: float = RESIDUAL) -> tuple[float, Array]:
        """Return b and the x with ``(K_FF + s) x + b = right`` and ``sum(x) = total``; b is NaN if there are none."""
        if self._used is self._single:
            b, x, reached = self._refine(right, total, residual)
            if reached:
                return b, x
            if len(self._leave_single(self._F)) < len(self._F):
                return np.nan, x
        return self._double.solve(right, total)

    def _refine(self, right: Array, total: float, residual: float) -> tuple[float, Array, bool]:
        """Return b and x by conjugate gradients, and whether they came to the residual that is aimed at."""
        _, even = self._single.solve(np.zeros_like(right), 1.0)  # keeps sums, which single precision loses
        even /= even.sum()
        b, x = self._single.solve(right, total)
        x += (total - x.sum()) * even
        r = right - self._product(x) - self.shift * total - b
        goal = residual * (1.0 + float(np.abs(right).max()))
        p, before = np.zeros_like(x), np.inf
        for _ in range(MAX_STEPS):
            mean, z = self._single.solve(r, 0.0)
            b, r, z = b + mean, r - mean, z - z.sum() * even
            if np.abs(r).max() <= goal:
                return b, x, True
            rz = float(r @ z)
            p = z + (rz / before) * p
            q = self._product(p)
            curvature = float(p @ q)
            if not curvature > 0.0:
                break
            x, r, before = x + (rz / curvature) * p, r - (rz / curvature) * q, rz
        return b, x, False

    def _product(self, x: Array) -> Array:
        """Return ``K_FF x``, of a matrix whose rows are read whole."""
        out = np.zeros(len(self._K))
        add_rows(self._K, self._F, 1.0, x, out)
        return out[self._F]
