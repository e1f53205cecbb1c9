"""Support vector machines, with outputs in a band or not, and the weights of their features: an interior-point method.

With features ``F`` of l examples, weights ``delta = base + N m`` of the features and N, base >= 0::

    min_{m >= 0, sum m = 1}  max_{alpha, beta, eta}  1.alpha - B 1.(beta + eta) - 1/2 gam' F diag(delta) F' gam
    with gam = alpha o y - beta + eta,   1.gam = 0,   0 <= alpha <= C,   beta, eta >= 0

``N = I`` is multiple kernel learning with a rank-1 kernel for every feature; another N ties weights, as an order of
them does. Without B there are no beta and eta. With ``r_i = 1/2 sum_j N_ji (F' gam)_j^2`` it is the quadratic program
with quadratic constraints ``max  1.alpha - B 1.(beta + eta) - 1/2 gam' F diag(base) F' gam - t``, ``r_i(gam) <= t``,
whose multipliers are m. Newton's equations reduce to one symmetric positive definite matrix of l x l and two columns,
whatever the number of features.

Any m bounds the optimal value from above, by a machine of the kernel ``F diag(delta) F'``; any alpha, beta and eta
from below. Both bounds are computed in numpy from points that are feasible, see `Bounded`.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from kernlearn.errors import UserError
from kernlearn.solvers.band_values import Band, BandEvaluator, BandValues
from kernlearn.solvers.solution import Solution, relative_gap, status_of

Array = NDArray[np.float64]

#: Iterations after which the method gives up, and those without a better certificate.
MAX_ITERATIONS, PATIENCE = 100, 12
#: Part of the way to the boundary that a step goes at most.
TO_BOUNDARY = 0.995
#: Complementarity, relative to the objective, from which on certificates are computed, as a part of the tolerance.
LOOK = 0.3
#: What is added to the diagonal of Newton's matrix, relative to its mean.
JITTER = 1e-14
#: A B that no output comes to.
FAR = 1e12


@dataclass(frozen=True)
class Bounded:
    """Weights with a machine of their kernel, and what both prove.

    Attributes
    ----------
    solution : Solution
        ``x`` are the weights delta, shape (q,); ``dual`` are alpha, beta and eta, shape (3, l).
    gam : array of shape (l,)
        The function is ``f(x_i) = sum_j delta_j F_ij (F' gam)_j + intercept``.
    intercept : float
    """

    solution: Solution
    gam: Array
    intercept: float


class WeightedFeatures:
    """Solve the program for any sequence of C and B.

    Parameters
    ----------
    F : array of shape (l, q)
    y : array of shape (l,)
        Labels +-1, both of them.
    N : array of shape (q, p)
    base : array of shape (q,)
    tol : float
        Relative gap to reach.
    """

    def __init__(self, F: Array, y: Array, N: Array, base: Array, tol: float = 1e-6):
        self.y, self.tol, self._N, self._base = y, tol, N, base
        p = N.shape[1]
        mean = base + N.mean(axis=1)
        self._unit = float(np.mean((F**2) @ mean)) or 1.0  # of K, at equal weights
        self._F, self._given, self._p = F / np.sqrt(self._unit), F, p

    def solve(self, C: float, B: float | None = None) -> Bounded:
        """Solve it for one C > 0, and one B > 1 if there is a band, or raise `UserError` for a B of 1 or less."""
        if B is not None and B <= 1.0:
            raise UserError(f"B={B:g}: outputs within [-1, 1] leave no margin of 1 to any example; use B > 1")
        start = perf_counter()
        state = _State(self, C * self._unit, B)
        best: tuple[float, BandValues, Array, float] | None = None
        iteration = stale = 0
        moved = True
        while moved and iteration < MAX_ITERATIONS and stale <= PATIENCE:
            iteration += 1
            moved = state.step()
            if moved and iteration < MAX_ITERATIONS and not state.near(LOOK * self.tol):
                continue
            found = self._certified(state, C, B)
            better = best is None or abs(found[0]) < abs(best[0])
            best, stale = (found, 0) if better or best is None else (best, stale + 1)
            if status_of(best[0], self.tol) == "optimal":
                break
        assert best is not None
        gap, values, delta, lower = best
        status, seconds = status_of(gap, self.tol), perf_counter() - start
        bounds = (values.objective, values.alpha, lower, values.zero)
        return Bounded(Solution(delta, *bounds, status, iteration, 1, seconds), values.x, values.intercept)

    def _certified(self, state: "_State", C: float, B: float | None) -> tuple[float, BandValues, Array, float]:
        """Return the gap, the point of (P), its weights and the lower bound of feasible points near the state."""
        m = np.maximum(state.m, 0.0)
        delta = self._base + self._N @ (m / m.sum())
        K = (self._given * delta) @ self._given.T
        costs = np.full(len(self.y), np.inf if B is not None else 0.0)
        band = Band(C, costs, FAR if B is None else B)
        values = BandEvaluator(K, self.y).at(state.gam / self._unit, state.b, band)
        alpha, beta, eta = values.alpha
        z = self._given.T @ (alpha * self.y - beta + eta)
        linear = alpha.sum() - (0.0 if B is None else B * (beta.sum() + eta.sum()))
        lower = float(linear - 0.5 * self._base @ z**2 - 0.5 * (self._N.T @ z**2).max())
        return relative_gap(values.objective, lower, values.zero), values, delta, lower


class _State:
    """An interior point of the quadratic program and of its dual, in units in which the kernel has the mean trace 1."""

    def __init__(self, of: WeightedFeatures, C: float, B: float | None):
        self.F, self.N, self.base, self.y, self.C, self.B = of._F, of._N, of._base, of.y, C, B
        n, p = len(self.y), of._p
        # Rows of x and of its multipliers w >= 0: alpha, C - alpha, and with a band beta and eta.
        each = 2 if B is None else 4
        alpha = np.full(n, min(0.5 * C, 0.5))
        self.x = np.vstack([alpha, C - alpha, *np.full((each - 2, n), min(0.1, 0.1 * C))])
        self.w = np.ones((each, n))
        self.m, self.b = np.full(p, 1.0 / p), 0.0
        r = 0.5 * (self.N.T @ (self.F.T @ self.gam) ** 2)
        self.t = float(r.max()) + 1.0
        self.s = self.t - r

    @property
    def gam(self) -> Array:
        """``alpha o y - beta + eta``."""
        return self.y * self.x[0] - (self.x[2] - self.x[3] if self.B is not None else 0.0)

    @property
    def _complementarity(self) -> float:
        return float((self.x * self.w).sum() + self.s @ self.m)

    def near(self, tol: float) -> bool:
        """Whether the complementarity is below a part of the value."""
        value = self.x[0].sum() - self.t - (0.0 if self.B is None else self.B * self.x[2:].sum())
        value -= 0.5 * self.base @ (self.F.T @ self.gam) ** 2
        return self._complementarity <= tol * max(abs(value), self.t)

    def step(self) -> bool:
        """Do one step of Mehrotra's method; return whether it was possible."""
        F, N, y, B = self.F, self.N, self.y, self.B
        gam, delta = self.gam, self.base + N @ self.m
        z = F.T @ gam
        f = F @ (delta * z) + self.b
        G = (F * z) @ N  # the gradients of r
        r = 0.5 * (N.T @ z**2)
        # Residuals of y f - 1 = w_0 - w_1, B - f = w_2, B + f = w_3; below of sum m = 1, 1.gam = 0 and r - t + s = 0.
        rows = [y * f - 1.0 - self.w[0] + self.w[1]]
        signs = [y]
        if B is not None:
            rows += [B - f - self.w[2], B + f - self.w[3]]
            signs += [-np.ones(len(y)), np.ones(len(y))]
        R, sign = np.stack(rows), np.stack(signs)
        rm, re, rs = 1.0 - self.m.sum(), gam.sum(), r - self.t + self.s
        D = self.w / self.x
        Dx = np.vstack([D[0] + D[1], *D[2:]])
        E = (sign**2 / Dx).sum(axis=0)  # d gam = c - E df
        S = self.m / self.s
        wide = np.hstack([F * np.sqrt(delta), G * np.sqrt(S)])
        M = wide @ wide.T
        M.flat[:: len(M) + 1] += 1.0 / E + JITTER * np.trace(M) / len(M)
        g = G @ S
        try:
            factor = cho_factor(M, lower=True)
        except LinAlgError:
            return False
        columns = cho_solve(factor, np.column_stack([np.ones(len(y)), g]))
        # Of dgam = v - columns (db, -dt): 1.dgam = -re and g.dgam - (1.S) dt = what the sum of m asks for.
        A = np.array([[columns[:, 0].sum(), -columns[:, 1].sum()], [g @ columns[:, 0], -(g @ columns[:, 1]) + S.sum()]])

        def solve(cx: Array, cs: Array, rs: Array) -> tuple[Array, Array, Array, Array, float, float]:
            """Return the Newton step for complementarities x w -> cx and s m -> cs."""
            # w + dw = (cx - w dx) / x: of alpha both bounds at once.
            q = cx / self.x - self.w  # of every row: dw = q - D dx
            qx = np.vstack([q[0] - q[1], *q[2:]])  # dC-alpha = -dalpha
            # sign df + Dx dx = qx - R
            c = (sign * (qx - R) / Dx).sum(axis=0)
            rho = -rs - (cs / self.m - self.s)  # g.dgam - dt - dm / S = rho
            v = cho_solve(factor, c / E + G @ (S * rho))
            # sum dm = rm with dm = S (G' dgam - dt - rho)
            db, dt = np.linalg.solve(A, [v.sum() + re, g @ v - S @ rho - rm])
            dgam = v - columns @ np.array([db, -dt])
            dm = S * (G.T @ dgam - dt - rho)
            ds = cs / self.m - self.s - dm / S
            df = (c - dgam) / E
            short = (qx - R - sign * df) / Dx
            dx = np.vstack([short[0], -short[0], *short[1:]])
            return dx, q - D * dx, dm, ds, float(db), float(dt)

        dx, dw, dm, ds, db, dt = solve(np.zeros_like(self.x), np.zeros_like(self.s), rs)
        length = min(_length(self.x, dx), _length(self.w, dw), _length(self.m, dm), _length(self.s, ds))
        number = self.x.size + len(self.s)
        now = self._complementarity
        after = float(((self.x + length * dx) * (self.w + length * dw)).sum())
        after += float((self.s + length * ds) @ (self.m + length * dm))
        mu = now / number * (after / now) ** 3
        dgam = y * dx[0] - (dx[2] - dx[3] if B is not None else 0.0)
        curved = 0.5 * (N.T @ (F.T @ dgam) ** 2)  # what r rises beyond its tangent
        dx, dw, dm, ds, db, dt = solve(mu - dx * dw, mu - ds * dm, rs + length**2 * curved)
        length = min(_length(self.x, dx), _length(self.w, dw), _length(self.m, dm), _length(self.s, ds))
        length = min(1.0, TO_BOUNDARY * length)
        if not np.isfinite(length) or length < 1e-10 or not np.isfinite(dx).all():
            return False
        self.x, self.w = self.x + length * dx, self.w + length * dw
        self.m, self.s = self.m + length * dm, self.s + length * ds
        self.b, self.t = self.b + length * db, self.t + length * dt
        return True


def _length(x: Array, dx: Array) -> float:
    """Return how far x may go along dx, at most 1 / TO_BOUNDARY."""
    falling = dx < 0
    return min(1.0 / TO_BOUNDARY, float((x[falling] / -dx[falling]).min(initial=np.inf)))
