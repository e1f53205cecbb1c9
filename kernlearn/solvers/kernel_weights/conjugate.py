"""Ridge systems with a matrix that is too large to be factorised: conjugate gradients with a Nystroem preconditioner.

``(K + lambda I) alpha = y`` with ``F F' = K_:L K_LL^-1 K_L: <= K`` of some examples L (Williams and Seeger 2001) in the
place of K: ``(F F' + lambda I)^-1 = (I - F (lambda I + F'F)^-1 F') / lambda``, by the eigenvalues of F'F. What F
misses has eigenvalues that fall fast where kernels are smooth, so that the steps are few and nearly independent of n
(Frangella, Tropp and Udell 2023).
Where r is the residual, ``|r|^2 / lambda`` is the duality gap of ridge regression: that is when it ends.
"""

import numpy as np
from scipy.linalg import solve_triangular

from kernlearn.types import Array

#: Examples of the preconditioner; of K_LL, part of its mean diagonal that keeps it positive definite.
LANDMARKS, JITTER = 1000, 1e-10
#: Gap at which it ends by default: rounding begins.
GAP = 1e-14
MAX_STEPS = 1000
#: Part of the largest eigenvalue below which rounding swallows a lambda: the preconditioner then has one of this size.
SWALLOWED = 1e-14


class RidgeSystem:
    """Solve ``(K + lambda I) alpha = y`` for one lambda and right side after another.

    Parameters
    ----------
    K : array of shape (n, n)
        Symmetric, positive semidefinite but for rounding.
    landmarks : int
        How many examples the preconditioner is made of, spread over all.

    Attributes
    ----------
    steps : int
        Products with K so far.
    """

    def __init__(self, K: Array, landmarks: int = LANDMARKS):
        self.K, self.steps, n = K, 0, len(K)
        some = np.random.default_rng(0).permutation(n)[: min(n, landmarks)]
        A = K[np.ix_(some, some)]
        A.flat[:: len(A) + 1] += JITTER * max(float(np.trace(A)) / len(A), np.finfo(np.float64).tiny)
        try:
            L = np.linalg.cholesky(A)
            F = solve_triangular(L, K.take(some, axis=1).T, lower=True, overwrite_b=True, check_finite=False).T
        except np.linalg.LinAlgError:  # rounding has made it indefinite: without a preconditioner it is slower
            F = np.zeros((n, 0))
        values, self._vectors = np.linalg.eigh(F.T @ F)
        self._F, self._values = F, np.maximum(values, 0.0)

    def solve(self, y: Array, lambda_: float, start: Array | None = None, gap: float = GAP) -> Array:
        """Return alpha, shape (n,), of the least residual that was met.

        Parameters
        ----------
        y : array of shape (n,)
        lambda_ : float > 0
        start : array of shape (n,), optional
            The alpha of a similar problem.
        gap : float
            At which it ends, as a part of the value of the problem.
        """
        alpha = np.zeros(len(y)) if start is None else start.copy()
        r = y.copy() if start is None else y - lambda_ * alpha - self._product(alpha)
        best, smallest, goal = alpha.copy(), float(r @ r), gap * lambda_
        z = self._precondition(r, lambda_)
        p, rz = z, float(r @ z)
        for _ in range(MAX_STEPS):
            if smallest <= goal * abs(float(y @ best)) or rz <= 0.0:
                break
            q = self._product(p) + lambda_ * p
            size = rz / float(p @ q)
            alpha, r = alpha + size * p, r - size * q
            if (square := float(r @ r)) < smallest:
                best, smallest = alpha, square
            z = self._precondition(r, lambda_)
            rz, before = float(r @ z), rz
            p = z + (rz / before) * p
        return best

    def inverse(self, B: Array, lambda_: float) -> Array:
        """Return ``(K + lambda I)^-1 B``, column by column, shape (n,) or (n, r)."""
        return self.solve(B, lambda_) if B.ndim == 1 else np.column_stack([self.solve(b, lambda_) for b in B.T])

    def _product(self, x: Array) -> Array:
        self.steps += 1
        return self.K @ x

    def _precondition(self, r: Array, lambda_: float) -> Array:
        V, shift = self._vectors, max(lambda_, SWALLOWED * self._values.max(initial=0.0))
        return (r - self._F @ (V @ ((V.T @ (self._F.T @ r)) / (self._values + shift)))) / shift
