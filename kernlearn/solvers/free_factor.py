"""The Cholesky factor of a Gram matrix of free examples, which few of them change from one use to the next."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs, dpstrf, dtrtrs

from kernlearn.solvers.cholesky import copy_upper, upper_part

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: A pivot below this part of the largest diagonal entry is taken for 0.
SINGULAR = 1e-12
#: Examples that are gone, and those with the ones that come, as a part of those in the factor, up to which it is kept;
#: examples up to which one that is made anew costs no more.
KEPT, CHANGED, SMALL = 0.2, 0.3, 150
#: Rows of the factor that are there for examples to come, as a part of those in use.
SPARE = 0.5


class FreeFactor:
    """Solve systems with ``K_FF + s`` for one F after another.

    The factor L is that of the examples of the base, ``K_bb + s``. Those that come are appended to the base: with
    ``Z = L^-1 (K_bA + s)`` the rows of A are Z' and the factor of ``K_AA + s - Z'Z``. Those that go, R, stay in it, and
    their part of the solution is made 0: with ``Z_R = L^-1 I_R`` that takes a system of their order, ``Z_R'Z_R``. Where
    they are too many, or the factor would become singular, LAPACK factorises K_FF anew.

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
        self._L = np.zeros((0, 0), order="F")
        self._gone, self._Z, self._cross = self._base, np.zeros((0, 0)), np.zeros((0, 0))
        self._ones = np.zeros(0)  # L^-1 1

    def extend(self, K: Array) -> None:
        """Take a larger matrix for K, which the K of before is the upper left part of."""
        self._place = np.concatenate([self._place, np.full(len(K) - len(self._K), -1)])
        self._K = K

    def take(self, F: Index) -> Index:
        """Make F the examples of the system, or as many of them as are independent; return these, or none."""
        inside = self._place[F]
        kept = int((inside >= 0).sum())
        base, gone = len(self._base), len(self._base) - kept
        few = len(F) > SMALL and gone <= KEPT * base and gone + len(F) - kept <= CHANGED * base
        if not (few and self._append(F[inside < 0]) and self._border(F)):
            F = self._factorise(F)
            self._gone, self._Z, self._cross = F[:0], np.zeros((len(F), 0)), np.zeros((0, 0))
        self._F = F
        return F

    def _factorise(self, F: Index) -> Index:
        self._base = F[:0]
        self._place[:] = -1
        least = SINGULAR * (self.shift or 1.0)
        L, info = dpotrf(upper_part(self._K, F, self.shift).T, lower=1, overwrite_a=1, clean=0)
        if info or np.diagonal(L).min() ** 2 <= least:
            _, order, rank, info = dpstrf(upper_part(self._K, F, self.shift).T, lower=1, tol=least)
            F = F[np.sort(order[:rank] - 1)]
            L, info = dpotrf(upper_part(self._K, F, self.shift).T, lower=1, overwrite_a=1, clean=0)
            if info:
                return F[:0]
        self._reserve(len(F))
        copy_upper(L.T, len(F), self._L.T)
        self._base = F
        self._place[F] = np.arange(len(F))
        self._ones = self._forward(np.ones(len(F)))
        return F

    def _reserve(self, size: int) -> None:
        """Make room for a factor, and for examples to come; what is there stays."""
        if size > len(self._L):
            L, f = np.zeros((min(len(self._K), int((1.0 + SPARE) * size)),) * 2, order="F"), len(self._base)
            copy_upper(self._L.T, f, L.T)
            self._L = L

    def _append(self, new: Index) -> bool:
        """Append examples to the base; return whether the factor stays regular."""
        if not len(new):
            return True
        f, more = len(self._base), len(self._base) + len(new)
        rows = self._K.take(new, axis=0)  # a row, then columns of it: faster than both at once
        rows += self.shift
        Z = self._forward(rows.take(self._base, axis=1).T)
        S = rows.take(new, axis=1) - Z.T @ Z
        corner, info = dpotrf(S, lower=1)
        if info or np.diagonal(corner).min() ** 2 <= SINGULAR * (self.shift or 1.0):
            return False
        self._reserve(more)
        self._L[f:more, :f], self._L[f:more, f:more] = Z.T, corner
        if len(self._gone):
            below, _ = dtrtrs(corner, Z.T @ self._Z, lower=1)
            self._Z, self._cross = np.vstack([self._Z, -below]), self._cross + below.T @ below
        below, _ = dtrtrs(corner, 1.0 - Z.T @ self._ones, lower=1)
        self._ones = np.concatenate([self._ones, below])
        self._base = np.concatenate([self._base, new])
        self._place[new] = np.arange(f, more)
        return True

    def _border(self, F: Index) -> bool:
        """Prepare solutions that are 0 where the base has examples that F has not; return whether there are any."""
        out = np.full(len(self._base), True)
        out[self._place[F]] = False
        still = out[self._gone]
        out[self._gone] = False
        new = np.flatnonzero(out)
        if not still.all():
            self._gone, self._Z, self._cross = self._gone[still], self._Z[:, still], self._cross[np.ix_(still, still)]
        if len(new):
            unit = np.zeros((len(self._base), len(new)), order="F")
            unit[new, np.arange(len(new))] = 1.0
            Z = self._forward(unit)
            side = self._Z.T @ Z if len(self._gone) else np.zeros((0, len(new)))
            self._cross = np.block([[self._cross, side], [side.T, Z.T @ Z]])
            self._Z = np.hstack([self._Z, Z]) if len(self._gone) else Z
            self._gone = np.concatenate([self._gone, new])
        if not len(self._gone):
            return True
        self._S, info = dpotrf(self._cross, lower=1)
        return not info

    def _forward(self, right: Array) -> Array:
        """Return ``L^-1 right``; columns of L that are longer than the base need no copy."""
        x: Array = dtrtrs(self._L[:, : len(right)], right, lower=1, overwrite_b=1)[0]
        return x

    def _inner(self, half: Array) -> Array:
        """Return ``(I - Z (Z'Z)^-1 Z') half``, of ``half = L^-1 r`` what gives 0 where the examples are gone."""
        return half - self._Z @ dpotrs(self._S, self._Z.T @ half, lower=1)[0] if len(self._gone) else half

    def solve(self, right: Array, total: float) -> tuple[float, Array]:
        """Return b and the x with ``(K_FF + s) x + b = right`` and ``sum(x) = total``.

        With P of `_inner` that is ``x = L^-T P (L^-1 right - b L^-1 1)``: one forward and one backward substitution, as
        ``L^-1 1`` is known.
        """
        places = self._place[self._F]
        full = np.zeros(len(self._base))
        full[places] = right
        half, ones = self._inner(self._forward(full)), self._inner(self._ones)
        b = (float(half @ ones) - total) / float(ones @ ones)
        x, _ = dtrtrs(self._L[:, : len(half)], half - b * ones, lower=1, trans=1)
        return b, x[places]
