"""The Cholesky factor of a Gram matrix of free examples, which few of them change from one use to the next."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs, dpstrf, dtrtrs

from kernlearn.solvers.cholesky import put_upper, widen

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: A pivot below this part of the largest diagonal entry is taken for 0.
SINGULAR = 1e-12
#: Examples that are gone, and those with the ones that come, as a part of those in the factor, up to which it is kept;
#: examples up to which one that is made anew costs no more.
KEPT, CHANGED, SMALL = 0.2, 0.3, 150
#: Room that is made in a factor when examples come, as a part of those in use.
SPARE = 0.05
#: Whole rows of the matrix that are there at once.
ROWS = 256


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
        self._rows = np.empty((0, 0))  # L', whose rows are the columns of L
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
        _, info = dpotrf(self._load(F).T, lower=1, overwrite_a=1, clean=0)
        if info or np.diagonal(self._rows).min() ** 2 <= least:
            _, order, rank, info = dpstrf(self._load(F).T, lower=1, tol=least, overwrite_a=1)
            F = F[np.sort(order[:rank] - 1)]
            _, info = dpotrf(self._load(F).T, lower=1, overwrite_a=1, clean=0)
            if info:
                return F[:0]
        self._base = F
        self._place[F] = np.arange(len(F))
        self._ones = self._forward(np.ones(len(F)))
        return F

    def _load(self, F: Index) -> Array:
        """Put the matrix of the system to where its factor will be; return its upper triangle, by rows."""
        self._rows = np.empty((0, 0))  # before the next is made
        self._rows = np.empty((len(F), len(F)))
        put_upper(self._K, F, self.shift, self._rows)
        return self._rows

    def _reserve(self, size: int) -> None:
        """Make room for a factor, and for examples to come, where it is: two would take too much."""
        before = len(self._rows)
        if size > before:
            after = min(len(self._K), int((1.0 + SPARE) * size))
            self._rows.resize((after, after), refcheck=False)
            widen(self._rows.reshape(-1), len(self._base), before, after, False)

    def _append(self, new: Index) -> bool:
        """Append examples to the base; return whether the factor stays regular."""
        if not len(new):
            return True
        f, more = len(self._base), len(self._base) + len(new)
        rows, columns = np.empty((len(new), more)), np.concatenate([self._base, new])
        for i in range(0, len(new), ROWS):  # a row, then columns of it: faster than both at once
            rows[i : i + ROWS] = self._K.take(new[i : i + ROWS], axis=0).take(columns, axis=1)
        rows += self.shift
        Z = self._forward(rows[:, :f].T)
        S = rows[:, f:] - Z.T @ Z
        corner, info = dpotrf(S, lower=1)
        if info or np.diagonal(corner).min() ** 2 <= SINGULAR * (self.shift or 1.0):
            return False
        self._reserve(more)
        self._rows[:f, f:more], self._rows[f:more, f:more] = Z, corner.T
        if len(self._gone):
            below, _ = dtrtrs(corner, Z.T @ self._Z, lower=1)
            self._Z, self._cross = np.vstack([self._Z, -below]), self._cross + below.T @ below
        below, _ = dtrtrs(corner, 1.0 - Z.T @ self._ones, lower=1)
        self._ones = np.concatenate([self._ones, below])
        self._base = columns
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
        x: Array = dtrtrs(self._rows[: len(right)].T, right, lower=1, overwrite_b=1)[0]
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
        x, _ = dtrtrs(self._rows[: len(half)].T, half - b * ones, lower=1, trans=1)
        return b, x[places]
