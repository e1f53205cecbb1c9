"""A dense simplex tableau for ``max sum(pi)``, ``|A pi| <= t``, ``0 <= pi <= u``: all that happens between the pivots.

The notation and the signs are those of `kernlearn.solvers.simplex.pivots`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dgetrf, dgetri

from kernlearn.solvers.core.solution import SolverError
from kernlearn.solvers.simplex.pivots import LIMIT, OPTIMAL, STALLED, pivot
from kernlearn.solvers.simplex.records import Program, State
from kernlearn.types import Array, Index

#: Pivots after which the inverse is computed anew.
REFACTOR = 300
#: Relative size of the second step of a refinement from which on W is no longer trusted.
DRIFT = 1e-11
#: Bases with a smaller reciprocal condition number are refused.
SMALLEST_RCOND = 1e-14
#: A bound is violated when it is exceeded by this factor.
VIOLATION = 1e-10
#: Rounding error of one term in a sum of terms of size 1.
EPS = float(np.finfo(float).eps)
#: Computations of the values in a row, without progress, after which an all but optimal vertex is taken as it is.
IDLE = 4
#: Size of the perturbations that end a stall.
PERTURBATION = 1e-8


class Tableau:
    """The tableau of a basis (S, B), at first the empty one with no rows and ``pi = u``.

    Parameters
    ----------
    u : array of shape (n,)
        Upper bounds of pi, > 0.

    Attributes
    ----------
    A, t : arrays of shape (R, n), (R,)
        Rows and their bounds; the entries of A should be about 1.
    pivots : int
        Pivots made so far.
    """

    def __init__(self, u: Array):
        n = len(u)
        self.u = u
        self.pivots = 0
        self._load(np.zeros((0, n)), np.zeros(0), np.zeros(0, dtype=np.intp))

    def load(self, A: Array, t: Array, B: Index) -> None:
        """Start from rows that are all nonbasic and the basic variables `B`, as many.

        Raises
        ------
        SolverError
            If the basis is singular to working precision.
        """
        self._load(A, t, B)
        self._refactor()

    def _load(self, A: Array, t: Array, B: Index) -> None:
        R = len(A)
        self.A, self.t = A, t
        self.basic, self.nonbasic = B, np.arange(R)
        self.n_nonbasic = R
        self.W = np.zeros((R, R))
        self.age = 0  # pivots since W was computed from A
        self.error = 0.0  # relative error of the last `vertex`, before its last step of refinement
        self.x, self.weight = np.zeros(R), np.zeros(R)
        self.pi, self.z = self.u.copy(), t.copy()
        self.alpha = np.zeros(R)

    @property
    def S(self) -> Index:
        """The nonbasic rows, in the order of the columns of W."""
        return self.nonbasic[: self.n_nonbasic]

    @property
    def B(self) -> Index:
        """The basic pi, in the order of their rows of W."""
        return self.basic[self.basic >= 0]

    def add(self, A: Array, t: Array) -> None:
        """Append rows to A; they are basic."""
        R, new, s = len(self.A), len(A), self.n_nonbasic
        W = np.zeros((R + new, R + new))
        W[:R, :s] = self.W[:, :s]
        W[R:, :s] = A[:, self.B] @ self.W[self.basic >= 0, :s]
        self.W = W
        self.A, self.t = np.vstack([self.A, A]), np.append(self.t, t)
        self.alpha, self.z = np.append(self.alpha, np.zeros(new)), np.append(self.z, t)
        self.basic = np.append(self.basic, ~np.arange(R, R + new))
        self.nonbasic = np.append(self.nonbasic, np.zeros(new, dtype=np.intp))

    def optimise(self, max_pivots: int) -> None:
        """Pivot to an optimal basis.

        The basis is optimal when `pivot` agrees with values that were just computed from A, or when time and again it
        finds the basis optimal by its own values but a fresh computation does not: rounding is all there is between
        them. Whether that is good enough is for the certificate to say.

        Raises `SolverError` after more than `max_pivots` pivots, or if the basis becomes singular.
        """
        last_pivot = self.pivots + max_pivots
        row_tol, pi_tol = self._tolerances()
        best: float = np.inf
        idle, perturbations, fresh = 0, 0, True
        d = self._refresh()
        while True:
            code, pivots = self._pivot(d, row_tol, pi_tol)
            self.age += pivots
            self.pivots += pivots
            if code == OPTIMAL and fresh and not pivots:
                return
            if self.pivots > last_pivot:
                raise SolverError(f"no optimal basis after {max_pivots} pivots")
            if code == STALLED:
                perturbations += 1
                self._perturb(d, seed=perturbations)
                fresh = False
                continue
            if code != OPTIMAL:
                if code != LIMIT and not self.age:
                    raise SolverError("no reliable pivot in an exact tableau")
                self._refactor()
            d = self._refresh()
            fresh = True
            value = float(np.maximum(d, 0.0) @ self.u + np.abs(self.alpha) @ self.t)
            if value < best * (1.0 - EPS):
                best, idle = value, 0
            elif code == OPTIMAL:
                idle += 1
                if idle == IDLE:
                    return

    def vertex(self, dtype: Any = np.float64) -> tuple[NDArray[Any], NDArray[Any], Array, NDArray[Any]]:
        """Return pi, d, ``z_S`` and ``alpha_S`` of the basis, computed from A.

        W serves as the approximate inverse in an iterative refinement; `dtype` is the precision of its residuals and
        of the result.
        """
        S, B = self.S, self.B
        A_S = self.A[S].astype(dtype, copy=False)
        M, W_B = A_S[:, B], self.W[self.basic >= 0, : len(S)]
        alpha, alpha_error = _refine(W_B.T, M.T, np.ones(len(B), dtype=dtype))
        d = 1.0 - alpha @ A_S
        d[B] = 0.0
        # What is zero but for rounding stays at its bound: equal columns would change places for ever.
        noise = 8.0 * EPS * max(1.0, np.abs(alpha).sum())
        pi = np.where(np.abs(d) > noise, np.where(d > 0, self.u, 0.0), self.pi).astype(dtype)
        pi[B] = 0.0
        z_S = np.where(np.abs(alpha) > noise, np.sign(alpha), np.sign(self.z[S])) * self.t[S]
        positive = np.flatnonzero(pi)
        pi[B], pi_error = _refine(W_B, M, z_S - A_S[:, positive] @ pi[positive])
        self.error = max(alpha_error, pi_error)
        return pi, d, z_S, alpha

    def _pivot(self, d: Array, row_tol: Array, pi_tol: float) -> tuple[int, int]:
        """Call `pivot`; return its code and the number of pivots."""
        program, basis = Program(self.A, self.t, self.u, row_tol, pi_tol), (self.basic, self.nonbasic)
        state = State(self.W, self.weight, *basis, self.x, self.pi, self.z, d, self.alpha)
        code, self.n_nonbasic, pivots = pivot(program, state, self.n_nonbasic, max(REFACTOR - self.age, 0))
        return code, pivots

    def _refresh(self) -> Array:
        """Compute all values and the steepest edge weights from A, also W if it has drifted; return d."""
        pi, d, z_S, alpha = self.vertex()
        if self.error > DRIFT and self.age:
            self._refactor()
            pi, d, z_S, alpha = self.vertex()
        S, B, is_pi = self.S, self.B, self.basic >= 0
        self.z[S] = z_S
        self.alpha = np.zeros(len(self.A))
        self.alpha[S] = alpha
        z = self.A @ pi
        self.x = np.empty(len(self.basic))
        self.x[is_pi], self.x[~is_pi] = pi[B], z[~self.basic[~is_pi]]
        self.pi = pi
        W = self.W[:, : len(S)]
        self.weight = np.einsum("rs,rs->r", W, W) + ~is_pi
        return d

    def _refactor(self) -> None:
        """Compute W from A."""
        S, B, rows = self.S, self.B, self.basic[self.basic < 0]
        s, R = len(S), len(self.A)
        M = self.A[np.ix_(S, B)]
        self.basic = np.concatenate([B, rows])
        self.W = np.zeros((R, R))
        self.age = 0
        if not s:
            return
        lu, permutation, singular = dgetrf(M)
        inverse = M if singular else dgetri(lu, permutation)[0]
        condition = np.abs(M).sum(axis=0).max() * np.abs(inverse).sum(axis=0).max()
        if singular or not condition < 1.0 / SMALLEST_RCOND:
            raise SolverError("a singular basis")
        self.W[:s, :s] = inverse
        self.W[s:, :s] = self.A[np.ix_(~rows, B)] @ inverse

    def _tolerances(self) -> tuple[Array, float]:
        """Return the infeasibilities that are accepted: of z, shape (R,), and of pi.

        An error in pi moves a z as far, so that pi has to be as exact as the smallest bound of a row demands.
        """
        positive = self.t[self.t > 0]
        smallest = min(1.0, positive.min()) if len(positive) else 0.0
        noise = EPS * np.sqrt(self.u.sum())  # of a sum of random rounding errors
        return np.maximum(VIOLATION * self.t, noise), max(VIOLATION * smallest, EPS)

    def _perturb(self, d: Array, seed: int) -> None:
        """Move the reduced costs of the nonbasic variables away from zero at random: no ratio test ties after it."""
        random = np.random.default_rng(seed)
        sizes = PERTURBATION * random.uniform(0.5, 1.0, len(d))
        sizes[self.B] = 0.0
        d += np.where(self.pi > 0, sizes, -sizes)
        self.alpha[self.S] += np.sign(self.z[self.S]) * PERTURBATION * random.uniform(0.5, 1.0, self.n_nonbasic)


def _refine(inverse: Array, M: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], float]:
    """Solve ``M x = b`` with an approximate inverse and two steps of refinement in the precision of M and b.

    Also returned is the relative size of the last step: the error is smaller by the factor that the steps shrink by.
    """
    x = (inverse @ b.astype(np.float64)).astype(b.dtype)
    step = np.zeros_like(x)
    for _ in range(2):
        step = inverse @ (b - M @ x).astype(np.float64)
        x += step
    return x, float(np.abs(step).max(initial=0.0) / max(np.abs(x).max(initial=0.0), EPS))
