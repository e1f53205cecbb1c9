"""Support vector machines, with outputs in a band or not, and the weights of their features: an interior-point method.

With features ``F`` of l examples, and weights ``delta = base + N m`` of the features by their `Chains`::

    min_{m >= 0, sum m = 1}  max_{alpha, beta, eta}  1.alpha - B 1.(beta + eta) - 1/2 gam' F diag(delta) F' gam
    with gam = alpha o y - beta + eta,   1.gam = 0,   0 <= alpha <= C,   beta, eta >= 0

With chains of one feature each it is multiple kernel learning with a rank-1 kernel for every feature; along longer
ones weights fall. Without B there are no beta and eta. With ``r_i = 1/2 sum_j N_ji (F' gam)_j^2`` it is the quadratic
program with quadratic constraints ``max  1.alpha - B 1.(beta + eta) - 1/2 gam' F diag(base) F' gam - t``,
``r_i(gam) <= t``, whose multipliers are m. Newton's equations reduce to one symmetric positive definite matrix of l x l
and two columns, whatever the number of features (`kernlearn.solvers.kernel_weights.weighted_features_step`).

Any m bounds the optimal value from above, by a machine of the kernel ``F diag(delta) F'``; any alpha, beta and eta
from below. Both bounds are computed in numpy from points that are feasible.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from kernlearn.certificates import relative_gap, status_of
from kernlearn.errors import UserError
from kernlearn.solvers.bands.values import Band, BandEvaluator, BandValues
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.kernel_weights.weighted_features_step import (
    Iterate,
    Program,
    advance,
    combined,
    mixed,
    net,
    newton_matrix,
    summed,
)
from kernlearn.types import Array

#: Iterations after which the method gives up, and those without a better certificate.
MAX_ITERATIONS, PATIENCE = 100, 12
#: Complementarity, relative to the objective, from which on certificates are computed, as a part of the tolerance.
LOOK = 0.3
#: What is added to the diagonal of Newton's matrix, relative to its mean.
JITTER = 1e-14
#: A B that no output comes to.
FAR = 1e12


@dataclass(frozen=True)
class Chains:
    """Weights ``delta = base + N m`` of features, which are in chains of successive ones.

    Feature j takes part in m_j and in those of all later ones of its chain: ``N_kj = shares_j`` for k from the start of
    the chain to j. So ``delta - base`` falls along every chain, and may be anything that does. With shares that make
    the columns of N sum to the same, the weights sum to the same for all m of the simplex.

    Attributes
    ----------
    starts : bool array of shape (q,)
        Where a chain begins; the first feature begins one.
    shares : array of shape (q,), > 0
    base : array of shape (q,), >= 0
    """

    starts: NDArray[np.bool_]
    shares: Array
    base: Array

    @property
    def N(self) -> Array:
        """The matrix, shape (q, q)."""
        chain = np.cumsum(self.starts)
        return np.triu((chain[:, None] == chain) * self.shares)

    def weights(self, m: Array) -> Array:
        """Return delta."""
        return self.base + mixed(m, self.starts, self.shares)

    def support(self, v: Array) -> float:
        """Return the largest ``delta.v`` of the weights that may be."""
        return float(self.base @ v) + float(self.sums(v).max())

    def sums(self, v: Array) -> Array:
        """Return ``N' v``."""
        return summed(v, self.starts, self.shares)


class WeightedFeatures:
    """Solve the program for any sequence of C and B.

    Parameters
    ----------
    F : array of shape (l, q)
    y : array of shape (l,)
        Labels +-1, both of them.
    chains : Chains
        Of the features.
    tol : float
        Relative gap to reach.
    """

    def __init__(self, F: Array, y: Array, chains: Chains, tol: float = 1e-6):
        self.y, self.tol, self.chains = np.ascontiguousarray(y, dtype=np.float64), tol, chains
        equal = chains.weights(np.full(F.shape[1], 1.0 / F.shape[1]))
        self._unit = float(np.mean((F**2) @ equal)) or 1.0  # of K, at equal m
        self._F, self._given = np.ascontiguousarray(F / np.sqrt(self._unit)), F

    def solve(self, C: float, B: float | None = None) -> Solution:
        """Solve it for one C > 0, and one B > 1 if there is a band.

        Raises `UserError` for a B of 1 or less.

        Returns
        -------
        Solution
            ``x`` are the weights delta, shape (q,); ``dual`` are alpha, beta and eta, shape (3, l). ``extras`` have
            ``gam``, shape (l,): the function is ``f(x_i) = sum_j delta_j F_ij (F' gam)_j + intercept``.
        """
        if B is not None and B <= 1.0:
            raise UserError(f"B={B:g}: outputs within [-1, 1] leave no margin of 1 to any example; use B > 1")
        clock = Clock()
        point = _Point.first(self._F, self.y, self.chains, C * self._unit, B)
        best: tuple[float, BandValues, Array, float] | None = None
        stale = 0
        for iteration in range(1, MAX_ITERATIONS + 1):
            moved = point.step()
            clock.tell(best and best[0])
            if moved and iteration < MAX_ITERATIONS and not (clock.over or point.near(LOOK * self.tol)):
                continue
            certified = self._certified(point, C, B)
            better = best is None or abs(certified[0]) < abs(best[0])
            best, stale = (certified, 0) if better or best is None else (best, stale + 1)
            if status_of(best[0], self.tol) == "optimal" or not moved or stale > PATIENCE or clock.over:
                break
        assert best is not None
        gap, values, delta, lower = best
        status, seconds = status_of(gap, self.tol, clock.otherwise), clock.seconds
        bounds = (values.objective, values.alpha, lower, values.zero)
        return Solution(delta, *bounds, status, iteration, 1, seconds, values.intercept, {"gam": values.x})

    def _certified(self, point: "_Point", C: float, B: float | None) -> tuple[float, BandValues, Array, float]:
        """Return the gap, the point of (P), its weights and the lower bound of feasible points near that of Newton."""
        m = np.maximum(point.m, 0.0)
        delta = self.chains.weights(m / m.sum())
        K = (self._given * delta) @ self._given.T
        costs = np.full(len(self.y), np.inf if B is not None else 0.0)
        band = Band(C, costs, FAR if B is None else B)
        values = BandEvaluator(K, self.y).at(net(self.y, point.x) / self._unit, point.b, band)
        alpha, beta, eta = values.alpha
        z2 = (self._given.T @ (alpha * self.y - beta + eta)) ** 2
        linear = alpha.sum() - (0.0 if B is None else B * (beta.sum() + eta.sum()))
        lower = float(linear - 0.5 * self.chains.support(z2))
        return relative_gap(values.objective, lower, values.zero), values, delta, lower


@dataclass
class _Point:
    """An interior point of the quadratic program and of its dual, in units in which the kernel has the mean trace 1."""

    F: Array
    y: Array
    chains: Chains
    B: float
    x: Array
    w: Array
    m: Array
    s: Array
    b: float
    t: float

    @classmethod
    def first(cls, F: Array, y: Array, chains: Chains, C: float, B: float | None) -> "_Point":
        """Return where Newton's method starts."""
        n, q = F.shape
        each = 2 if B is None else 4
        alpha = np.full(n, min(0.5 * C, 0.5))
        x = np.vstack([alpha, C - alpha, *np.full((each - 2, n), min(0.1, 0.1 * C))])
        r = 0.5 * chains.sums(combined(F, net(y, x)) ** 2)
        t = float(r.max()) + 1.0
        return cls(F, y, chains, np.inf if B is None else B, x, np.ones((each, n)), np.full(q, 1.0 / q), t - r, 0.0, t)

    def near(self, tol: float) -> bool:
        """Whether the complementarity is below a part of the value."""
        value = self.x[0].sum() - self.t - (self.B * self.x[2:].sum() if len(self.x) == 4 else 0.0)
        value -= 0.5 * self.chains.base @ combined(self.F, net(self.y, self.x)) ** 2
        return float(np.vdot(self.x, self.w) + self.s @ self.m) <= tol * max(abs(value), self.t)

    def step(self) -> bool:
        """Do one step of Mehrotra's method; return whether it was possible."""
        z, delta = combined(self.F, net(self.y, self.x)), self.chains.weights(self.m)
        program = Program(self.F, self.y, self.B, self.chains.starts, self.chains.shares)
        iterate = Iterate(self.x, self.w, self.m, self.s)
        E, W = newton_matrix(program, iterate, z, delta)
        M = blas.dsyrk(1.0, W.T, trans=1)  # the upper triangle of LAPACK's order: the lower one of this
        diagonal = np.einsum("ii->i", M)
        diagonal += 1.0 / E + JITTER * diagonal.mean()
        factor, failed = lapack.dpotrf(M, overwrite_a=1, clean=0)
        if failed:
            return False
        done, self.b, self.t = advance(program, iterate, factor.T, z, delta, E, self.b, self.t)
        return bool(done)
