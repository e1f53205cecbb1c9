"""The Cholesky factor of a Gram matrix of free examples, which few of them change from one use to the next."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs, dpstrf, dtrtrs, spotrf, spotrs, spstrf, strtrs

from kernlearn.solvers.core.cholesky import put_upper, widen
from kernlearn.types import Index

Array = NDArray[np.floating[Any]]

#: Routines of LAPACK.
DOUBLE, SINGLE = (dpotrf, dpotrs, dpstrf, dtrtrs), (spotrf, spotrs, spstrf, strtrs)
#: A pivot below this part of the largest diagonal entry is taken for 0.
SINGULAR = 1e-12
#: Examples that are gone, and those with the ones that come, as a part of those in the factor, up to which it is kept;
#: examples up to which one that is made anew costs no more.
KEPT, CHANGED, SMALL = 0.2, 0.3, 150
#: Room for examples to come, as a part of those that a factor is made of.
SPARE = 0.15
#: Examples that are appended at once: more of them would take memory.
PIECE = 1000
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
    ridge : float
        What is added to the diagonal of K_FF. If it is not 0, the factor is of single precision, in half the memory
        and the time.
    """

    def __init__(self, K: Array, shift: float, ridge: float = 0.0):
        self._K, self.shift, self.ridge = K, shift, ridge
        self._type: Any = np.float32 if ridge else np.float64
        self._least = 0.1 * ridge if ridge else SINGULAR * (shift or 1.0)
        self._potrf, self._potrs, self._pstrf, self._trtrs = SINGLE if ridge else DOUBLE
        self.clear()

    def clear(self) -> None:
        """Let go of the factor."""
        self._base = np.empty(0, dtype=np.intp)
        self._place = np.full(len(self._K), -1)
        self._rows = self._memory = np.empty((0, 0), self._type)  # L', whose rows are the columns of L
        self._room = 0
        self._gone, self._Z, self._cross = self._base, np.zeros((0, 0), self._type), np.zeros((0, 0), self._type)
        self._ones = np.zeros(0, self._type)  # L^-1 1

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
        new = F[inside < 0]
        pieces = (new[i : i + PIECE] for i in range(0, len(new), PIECE))
        if not (few and all(self._append(piece) for piece in pieces) and self._border(F)):
            F = self._factorise(F)
            self._gone, self._Z = F[:0], np.zeros((len(F), 0), self._type)
            self._cross = np.zeros((0, 0), self._type)
        self._F = F
        return F

    def _factorise(self, F: Index) -> Index:
        self._base = F[:0]
        self._place[:] = -1
        _, info = self._potrf(self._load(F).T, lower=1, overwrite_a=1, clean=0)
        if info and self.ridge:
            return F[:0]
        if info or np.diagonal(self._rows).min() ** 2 <= self._least:
            _, order, rank, info = self._pstrf(self._load(F).T, lower=1, tol=self._least, overwrite_a=1)
            F = F[np.sort(order[:rank] - 1)]
            if not rank:
                return F
            _, info = self._potrf(self._load(F).T, lower=1, overwrite_a=1, clean=0)
            if info:
                return F[:0]
        self._base = F
        self._place[F] = np.arange(len(F))
        self._ones = self._forward(np.ones(len(F), self._type))
        return F

    def _load(self, F: Index) -> Array:
        """Put the matrix of the system to where its factor will be; return its upper triangle, by rows."""
        self._rows = self._memory = np.empty((0, 0))  # before the next is made
        self._room = min(len(self._K), int((1.0 + SPARE) * len(F)))
        self._memory = np.empty(self._room**2, self._type)  # what is never touched takes none
        self._rows = self._memory[: len(F) ** 2].reshape(len(F), len(F))
        put_upper(self._K, F, self.shift, self._rows)
        self._rows.flat[:: len(F) + 1] += self.ridge
        return self._rows

    def _widen(self) -> None:
        """Make room for examples to come in the rows of the factor, where it is: two would take too much."""
        before, after = len(self._rows), self._room
        if after > before:
            self._rows = self._memory.reshape(after, after)
            widen(self._memory, len(self._base), before, after, False)

    def _append(self, new: Index) -> bool:
        """Append examples to the base; return whether there is room for them and the factor stays regular."""
        f, more = len(self._base), len(self._base) + len(new)
        if more > self._room:
            return False
        rows, columns = np.empty((len(new), more), self._type), np.concatenate([self._base, new])
        for i in range(0, len(new), ROWS):  # a row, then columns of it: faster than both at once
            rows[i : i + ROWS] = self._K.take(new[i : i + ROWS], axis=0).take(columns, axis=1)
        rows += self.shift
        rows[:, f:].flat[:: len(new) + 1] += self.ridge
        Z = self._forward(rows[:, :f].T)
        S = rows[:, f:] - Z.T @ Z
        corner, info = self._potrf(S, lower=1)
        if info or np.diagonal(corner).min() ** 2 <= self._least:
            return False
        self._widen()
        self._rows[:f, f:more], self._rows[f:more, f:more] = Z, corner.T
        if len(self._gone):
            below, _ = self._trtrs(corner, Z.T @ self._Z, lower=1)
            self._Z, self._cross = np.vstack([self._Z, -below]), self._cross + below.T @ below
        below, _ = self._trtrs(corner, 1.0 - Z.T @ self._ones, lower=1)
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
            unit = np.zeros((len(self._base), len(new)), self._type, order="F")
            unit[new, np.arange(len(new))] = 1.0
            Z = self._forward(unit)
            side = self._Z.T @ Z if len(self._gone) else np.zeros((0, len(new)), self._type)
            self._cross = np.block([[self._cross, side], [side.T, Z.T @ Z]])
            self._Z = np.hstack([self._Z, Z]) if len(self._gone) else Z
            self._gone = np.concatenate([self._gone, new])
        if not len(self._gone):
            return True
        self._S, info = self._potrf(self._cross, lower=1)
        return not info

    def _forward(self, right: Array) -> Array:
        """Return ``L^-1 right``; columns of L that are longer than the base need no copy."""
        x: Array = self._trtrs(self._rows[: len(right)].T, right, lower=1, overwrite_b=1)[0]
        return x

    def _inner(self, half: Array) -> Array:
        """Return ``(I - Z (Z'Z)^-1 Z') half``, of ``half = L^-1 r`` what gives 0 where the examples are gone."""
        return half - self._Z @ self._potrs(self._S, self._Z.T @ half, lower=1)[0] if len(self._gone) else half

    def solve(self, right: Array, total: float) -> tuple[float, NDArray[np.float64]]:
        """Return b and the x with ``(K_FF + s) x + b = right`` and ``sum(x) = total``.

        With P of `_inner` that is ``x = L^-T P (L^-1 right - b L^-1 1)``: one forward and one backward substitution, as
        ``L^-1 1`` is known.
        """
        places = self._place[self._F]
        full = np.zeros(len(self._base), self._type)
        full[places] = right
        half, ones = self._inner(self._forward(full)), self._inner(self._ones)
        b = (float(half @ ones) - total) / float(ones @ ones)
        x, _ = self._trtrs(self._rows[: len(half)].T, half - self._type(b) * ones, lower=1, trans=1)
        return b, x[places].astype(np.float64)
