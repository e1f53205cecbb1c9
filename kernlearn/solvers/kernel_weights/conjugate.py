"""Ridge systems with a matrix that is too large to be factorised: conjugate gradients with a Nystroem preconditioner.

``(K + lambda I) alpha = y`` with ``F F' = K_:L K_LL^-1 K_L: <= K`` of some examples L (Williams and Seeger 2001) in the
place of K: ``(F F' + m I)^-1 = (I - F (m I + F'F)^-1 F') / m``, by the eigenvalues of F'F, where m is lambda and the
mean of what F misses of the diagonal. What F misses has eigenvalues that fall fast where kernels are smooth, so that
the steps are few and nearly independent of n (Frangella, Tropp and Udell 2023).
Where r is the residual, ``|r|^2 / lambda`` is the duality gap of ridge regression: that is when it ends.

A kernel that is no matrix may have products in single precision. Then the residual that the steps carry along is not
that of alpha: it is computed anew, in double precision, whenever it has become `DROP` times smaller, and the direction
is kept (reliable updates: Sleijpen and van der Vorst 1996; beta as of Polak and Ribiere). Where it has not become
smaller, double precision goes on from the best alpha.
"""

import numpy as np
from scipy.linalg import solve_triangular

from kernlearn.kernels.core.combined import CombinedKernel
from kernlearn.solvers.core.clock import Clock
from kernlearn.types import Array, Index

#: Examples of the preconditioner, up to so many and of more; of K_LL, part of its mean diagonal that keeps it positive
#: definite.
LANDMARKS, UP_TO, OF_MORE, JITTER = 1000, 10_000, 2000, 1e-10
#: Gap at which it ends by default: where rounding begins, or where products take long.
GAP, GAP_OF_NO_MATRIX = 1e-14, 1e-7
MAX_STEPS = 1000
#: Part of the largest eigenvalue below which rounding swallows a lambda: the preconditioner then has one of this size.
SWALLOWED = 1e-14
#: How often smaller a residual has become when it is computed anew; the part of it that this has to confirm.
DROP, CONFIRMED = 50.0, 0.5
#: How often larger than the last one that was computed a square of a residual may become before it is computed anew.
FAR = 1e8
#: Rows of F that are made at a time.
ROWS = 2048


class RidgeSystem:
    """Solve ``(K + lambda I) alpha = y`` for one lambda and right side after another.

    Parameters
    ----------
    K : array of shape (n, n), or CombinedKernel
        Symmetric, positive semidefinite but for rounding.
    landmarks : int, optional
        How many examples the preconditioner is made of, spread over all.

    Attributes
    ----------
    steps : int
        Products with K so far.
    otherwise : str
        The status of what was solved last, if its gap is too large.
    """

    def __init__(self, K: Array | CombinedKernel, landmarks: int | None = None):
        self.K, self.steps, self.otherwise, n = K, 0, "inaccurate", len(K)
        most = landmarks or (LANDMARKS if isinstance(K, np.ndarray) or n <= UP_TO else OF_MORE)
        self._F = _factor(K, np.random.default_rng(0).permutation(n)[: min(n, most)])
        parts = (self._F[start : start + ROWS].astype(np.float64) for start in range(0, n, ROWS))
        values, self._vectors = np.linalg.eigh(
            sum((part.T @ part for part in parts), np.zeros((self._F.shape[1],) * 2))
        )
        self._values = np.maximum(values, 0.0)
        trace = float(np.trace(K)) if isinstance(K, np.ndarray) else K.trace
        self._missed = max(0.0, trace - float(self._values.sum())) / n

    def solve(self, y: Array, lambda_: float, start: Array | None = None, gap: float | None = None) -> Array:
        """Return alpha, shape (n,), of the least residual that was met.

        Parameters
        ----------
        y : array of shape (n,)
        lambda_ : float > 0
        start : array of shape (n,), optional
            The alpha of a similar problem.
        gap : float, optional
            At which it ends, as a part of the value of the problem.
        """
        clock, alpha, is_over = Clock(), np.zeros(len(y)) if start is None else start, False
        goal = lambda_ * (gap or (GAP if isinstance(self.K, np.ndarray) else GAP_OF_NO_MATRIX))
        if not isinstance(self.K, np.ndarray) and self.K.has_single:
            alpha, is_over = self._descend(y, lambda_, alpha, goal, clock, fast=True)
        if not is_over:
            alpha, _ = self._descend(y, lambda_, alpha, goal, clock, fast=False)
        self.otherwise = clock.otherwise
        return alpha

    def _descend(
        self, y: Array, lambda_: float, alpha: Array, goal: float, clock: Clock, fast: bool
    ) -> tuple[Array, bool]:
        """Return the best alpha that was met from one on, and whether products of more digits would be of no use."""
        r = y - lambda_ * alpha - self._product(alpha) if alpha.any() else y.copy()
        best, smallest = alpha.copy(), float(r @ r)
        known, p = smallest, self._precondition(r, lambda_)
        rz = float(r @ p)
        for _ in range(MAX_STEPS):
            if smallest <= goal * abs(float(y @ best)) or rz <= 0.0 or clock.over:
                return best, True
            q, before = self._product(p, fast) + lambda_ * p, r
            curvature = float(p @ q)
            if not curvature > 0.0:  # rounding has made K indefinite, or there are no numbers left
                break
            alpha, r = alpha + (rz / curvature) * p, r - (rz / curvature) * q
            square = claimed = float(r @ r)
            is_small = square * DROP**2 <= known or square <= goal * abs(float(y @ alpha))
            anew = fast and (is_small or not square <= FAR * known)
            if anew:
                r = y - lambda_ * alpha - self._product(alpha)
                square = float(r @ r)
            if (anew or not fast) and square < smallest:  # else it is only what the steps say
                best, smallest = alpha, square
            if anew:
                if not square <= max(CONFIRMED**2 * known, claimed):
                    break
                known = square
            z = self._precondition(r, lambda_)
            rz, last = float(r @ z), rz
            p = z + (float((r - before) @ z) / last) * p
            clock.tell(square / (lambda_ * abs(float(y @ alpha))) if y @ alpha else None)
        return best, not fast

    def inverse(self, B: Array, lambda_: float) -> Array:
        """Return ``(K + lambda I)^-1 B``, column by column, shape (n,) or (n, r)."""
        return self.solve(B, lambda_) if B.ndim == 1 else np.column_stack([self.solve(b, lambda_) for b in B.T])

    def _product(self, x: Array, fast: bool = False) -> Array:
        self.steps += 1
        return self.K.single(x) if fast and not isinstance(self.K, np.ndarray) else self.K @ x

    def _precondition(self, r: Array, lambda_: float) -> Array:
        V, shift = self._vectors, max(lambda_ + self._missed, SWALLOWED * self._values.max(initial=0.0))
        projected = V @ ((V.T @ _times(self._F.T, r)) / (self._values + shift))
        return (r - _times(self._F, projected)) / shift


def _times(A: Array, x: Array) -> Array:
    """Return ``A x`` in the precision of A."""
    largest = float(np.abs(x).max(initial=0.0)) or 1.0
    return largest * (A @ (x / largest).astype(A.dtype)).astype(np.float64)


def _factor(K: Array | CombinedKernel, some: Index) -> Array:
    """Return ``F = K_:L L'^-1`` for ``K_LL = L L'``, shape (n, r), in single precision where K is no matrix.

    Without columns if rounding has made K_LL indefinite: without a preconditioner it is slower.
    """
    n, kind = len(K), np.float64 if isinstance(K, np.ndarray) else np.float32
    A = np.concatenate([_block(K, some[start : start + ROWS], some) for start in range(0, len(some), ROWS)])
    A.flat[:: len(A) + 1] += JITTER * max(float(np.trace(A)) / len(A), np.finfo(np.float64).tiny)
    try:
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        return np.zeros((n, 0), kind)
    F = np.empty((n, len(some)), kind)
    for start in range(0, n, ROWS):
        part = _block(K, slice(start, min(start + ROWS, n)), some)
        F[start : start + ROWS] = solve_triangular(L, part.T, lower=True, check_finite=False).T
    return F


def _block(K: Array | CombinedKernel, rows: slice | Index, columns: Index) -> Array:
    return K[rows][:, columns] if isinstance(K, np.ndarray) else K.block(rows, columns)
