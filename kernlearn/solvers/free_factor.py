"""The Cholesky factor of a Gram matrix of free examples, which few of them change from one use to the next."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dgetrf, dgetrs, dpotrf, dpstrf, dtrtrs

from kernlearn.solvers.smo import square

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: A pivot below this part of the largest diagonal entry is taken for 0.
SINGULAR = 1e-12
#: Examples that come or go, as a part of those that were factorised, up to which the factor is kept.
KEPT = 0.2


class FreeFactor:
    """Solve systems with ``K_FF + s`` for one F after another.

    K_FF is factorised by LAPACK. Where F then loses the examples R and gains A, the system is that of the F before,
    bordered: with ``W = [K_FA + s, I_R]`` and ``L^-1 W = Z`` its Schur complement is of the order of R and A alone.

    Parameters
    ----------
    K : array of shape (n, n)
    shift : float
        The s.
    """

    def __init__(self, K: Array, shift: float):
        self._K, self.shift = K, shift
        self._base: Index = np.empty(0, dtype=np.intp)
        self._place = np.full(len(K), -1)
        self._columns: dict[int, Array] = {}

    def extend(self, K: Array) -> None:
        """Take a larger matrix for K, which the K of before is the upper left part of."""
        self._place = np.concatenate([self._place, np.full(len(K) - len(self._K), -1)])
        self._K = K

    def take(self, F: Index) -> Index:
        """Make F the examples of the system, or as many of them as are independent; return these, or none."""
        inside = self._place[F]
        self._F, self._kept, self._new = F, inside >= 0, F[inside < 0]
        gone = np.full(len(self._base), True)
        gone[inside[self._kept]] = False
        self._gone = np.flatnonzero(gone)
        few = len(self._new) + len(self._gone) <= KEPT * len(self._base)
        if few and self._border():
            return F
        return self._factorise(F)

    def _factorise(self, F: Index) -> Index:
        self._base, self._columns = F[:0], {}
        self._place[:] = -1
        least = SINGULAR * (self.shift or 1.0)
        L, info = dpotrf(square(self._K, F, self.shift).T, lower=1, overwrite_a=1, clean=0)
        if info or np.diagonal(L).min() ** 2 <= least:
            _, order, rank, info = dpstrf(square(self._K, F, self.shift).T, lower=1, tol=least)
            F = F[np.sort(order[:rank] - 1)]
            L, info = dpotrf(square(self._K, F, self.shift).T, lower=1, overwrite_a=1, clean=0)
            if info:
                return F[:0]
        self._L, self._base, self._F = L, F, F
        self._place[F] = np.arange(len(F))
        self._kept, self._new, self._gone = np.full(len(F), True), F[:0], F[:0]
        self._Z, self._S = np.zeros((0, len(F))), np.zeros((0, 0))
        return F

    def _border(self) -> bool:
        """Compute the columns of Z that are not known yet, and the Schur complement; return whether it is regular."""
        names = [*(int(i) for i in self._new), *(-1 - int(j) for j in self._gone)]
        missing = [name for name in names if name not in self._columns]
        if missing:
            W = np.zeros((len(self._base), len(missing)), order="F")
            for column, name in enumerate(missing):
                if name >= 0:
                    W[:, column] = self._K[name, self._base] + self.shift
                else:
                    W[-1 - name, column] = 1.0
            Z, _ = dtrtrs(self._L, W, lower=1, overwrite_b=1)
            self._columns.update(zip(missing, Z.T, strict=True))
        self._Z = np.array([self._columns[name] for name in names]).reshape(len(names), len(self._base))
        self._S, k = -self._Z @ self._Z.T, len(self._new)
        self._S[:k, :k] += self._K[np.ix_(self._new, self._new)] + self.shift
        if not len(names):
            return True
        factor, self._pivots, info = dgetrf(self._S)
        self._S = factor
        return not info and np.abs(np.diagonal(factor)).min() > SINGULAR * np.abs(np.diagonal(factor)).max()

    def solve(self, right: Array) -> Array:
        """Return ``(K_FF + s)^-1 right``, shape (f, r)."""
        full, k = np.zeros((len(self._base), right.shape[1]), order="F"), len(self._new)
        full[self._place[self._F[self._kept]]] = right[self._kept]
        half, _ = dtrtrs(self._L, full, lower=1, overwrite_b=1)
        x = np.empty_like(right)
        if len(self._S):
            rest = np.concatenate([right[~self._kept], np.zeros((len(self._gone), right.shape[1]))]) - self._Z @ half
            border, _ = dgetrs(self._S, self._pivots, rest)
            half = half - self._Z.T @ border
            x[~self._kept] = border[:k]
        full, _ = dtrtrs(self._L, half, lower=1, trans=1)
        x[self._kept] = full[self._place[self._F[self._kept]]]
        return x
