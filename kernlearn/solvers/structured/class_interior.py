"""Structured machines of classes by interior points, for kernels of few directions.

With ``K = ZZ'``, Z of r columns, (4.3) and (4.4) of `kernlearn.solvers.structured.solver` over all outputs are programs
of r k weights W and a loss xi for every example, here divided by c::

    min  1/2c |W|^2 + sum_i xi_i   subject to   m_iy - 1 + xi_i >= 0 ,  B - m_iy >= 0 ,  B + m_iy >= 0 ,  xi_i >= 0 ,
    m_iy = (ZW)_iy_i - (ZW)_iy   for every wrong class y of every example i.

Newton's method is applied to ``s z = t``, t to 0, for the slacks s and their multipliers z. The multipliers are a, b
and b* of (4.5) and the slack of the sum of a, over c. Steps are those of the predictor and the corrector of Mehrotra
(1992), On the implementation of a primal-dual interior point method. An iteration solves one system of the order r k,
which nearly equal examples do not make singular. 8 to 25 iterations suffice for any bound and C.
"""

from collections.abc import Iterator
from math import inf

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.linalg.lapack import dpstrf

from kernlearn.certificates import relative_gap
from kernlearn.solvers.structured.joint_weights import best_multiple
from kernlearn.types import Array, Index

#: A pivot below this part of the largest diagonal entry of K is taken for 0.
SINGULAR = 1e-14
#: Iterations after which the method gives up.
MAX_ITERATIONS = 60
#: The part of the way to the boundary that a step goes.
TO_BOUNDARY = 0.99
#: Multipliers over their slacks, in units of c and of 1, below which they are left out if the others are enough for the
#: gap; and the part of the gap to which iterations go on for that.
SMALL, ALL = (1.0, 1e-2, 1e-4), 0.01


def directions(K: Array, most: int) -> Array | None:
    """Return Z with ``K = ZZ'`` but for rounding, shape (n, r), of the rank r that K has, or None if r is over `most`.

    As many examples more, or all, evenly spaced, show most of the other kernels what they are.
    """
    n = len(K)
    some = np.unique(np.linspace(0, n - 1, min(n, 2 * most + 1)).astype(np.intp))
    if most < 1 or _pivoted(K[np.ix_(some, some)])[2] > most:
        return None
    factor, order, rank = _pivoted(K)
    if rank > most:
        return None
    Z = np.zeros((n, rank))
    Z[order - 1] = np.tril(factor)[:, :rank]
    return Z


def _pivoted(K: Array) -> tuple[Array, Index, int]:
    """Return the Cholesky factor of K with its rows and columns in an order, which counts from 1, and the rank."""
    tol = SINGULAR * float(K.diagonal().max())
    factor, order, rank, _ = dpstrf(np.array(K, order="F"), lower=1, tol=tol, overwrite_a=1)
    return factor, order, int(rank)


class Outputs:
    """All outputs, shape (n, k), their margins, shape (n, k - 1), and the slacks of these in columns, a row an example.

    Parameters
    ----------
    labels : array of shape (n,)
        The true classes.
    B : float
        Infinite where there is no bound, and no column for it.
    """

    def __init__(self, labels: Index, k: int, B: float):
        self.labels, self.shape, self.bounded = labels, (len(labels), k), B < inf
        wrong = np.ones(self.shape, dtype=bool)
        wrong[np.arange(len(labels)), labels] = False
        self.wrong = np.nonzero(wrong)[1].reshape(len(labels), k - 1)
        #: The slacks of margins and losses of 0.
        self.levels = np.concatenate([np.full(k - 1, -1.0), np.full(2 * (k - 1) if B < inf else 0, B), [0.0]])

    def margins(self, F: Array) -> Array:
        """Return ``F_iy_i - F_iy``."""
        true = np.take_along_axis(F, self.labels[:, None], axis=1)
        return np.asarray(true - np.take_along_axis(F, self.wrong, axis=1))

    def spread(self, g: Array) -> Array:
        """Return ``sum_y g_iy (e_{y_i} - e_y)`` for every i."""
        result = np.zeros(self.shape)
        np.put_along_axis(result, self.wrong, -g, axis=1)
        np.put_along_axis(result, self.labels[:, None], g.sum(axis=1, keepdims=True), axis=1)
        return result

    def slacks(self, margins: Array, xi: Array) -> Array:
        """Return what margins and losses add to the slacks: those of a, of b and b* if there are, and of the sums."""
        bounds = (-margins, margins) if self.bounded else ()
        return np.column_stack([margins + xi[:, None], *bounds, xi])

    def parts(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """Return what of x belongs to a, b and b*, shape (n, k - 1), and to the sums, shape (n,)."""
        if self.bounded:
            a, b, b_star = np.split(x[:, :-1], 3, axis=1)
            return a, b, b_star, x[:, -1]
        none = np.zeros_like(x[:, :-1])
        return x[:, :-1], none, none, x[:, -1]


class System:
    """Newton's equations at slacks s and multipliers z.

    Without the steps of these they are ``(1/c + sum_i Z_i Z_i' (x) W_i) dW = ...`` with, for every example, ``W_i = E
    (diag(P) - pp'/sigma) E'``, where the columns of E are the ``e_{y_i} - e_y``.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is not positive definite in floating point numbers.
    """

    def __init__(self, Z: Array, outputs: Outputs, c: float, s: Array, z: Array):
        self.Z, self.outputs, self.c, self.ratio = Z, outputs, c, z / s
        self.p, b, b_star, q = outputs.parts(self.ratio)
        self.sigma = self.p.sum(axis=1) + q
        (k, r), labels = (outputs.shape[1], Z.shape[1]), outputs.labels
        star, u = outputs.spread(self.p + b + b_star), outputs.spread(self.p)
        H = np.empty((k, r, k, r))
        for y in range(k):
            for other in range(y + 1):
                weights = -u[:, y] * u[:, other] / self.sigma
                if y == other:
                    weights += np.abs(star[:, y])
                else:
                    weights += np.where(labels == y, star[:, other], 0.0) + np.where(labels == other, star[:, y], 0.0)
                H[y, :, other] = (Z * weights[:, None]).T @ Z
        matrix = H.reshape(k * r, k * r)
        matrix.flat[:: k * r + 1] += 1.0 / c
        self.factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)

    def step(self, tau: Array, residual: Array, left: Array) -> tuple[Array, Array, Array, Array]:
        """Return the steps of W, xi, s and z, with one step of iterative refinement.

        Parameters
        ----------
        tau : array of the shape of s
            What z is to grow by where s stays as it is.
        residual : array of shape (r, k)
            ``W/c`` less the combination of the multipliers.
        left : array of shape (n,)
            1 less the sums of the multipliers.
        """
        dW, dxi, ds, dz = self._solve(tau, residual, left)
        a, b, b_star, t = self.outputs.parts(dz)
        residual = residual + dW / self.c - self.Z.T @ self.outputs.spread(a - b + b_star)
        more = self._solve(np.zeros_like(tau), residual, left - a.sum(axis=1) - t)
        return dW + more[0], dxi + more[1], ds + more[2], dz + more[3]

    def _solve(self, tau: Array, residual: Array, left: Array) -> tuple[Array, Array, Array, Array]:
        a, b, b_star, t = self.outputs.parts(tau)
        pull = (a.sum(axis=1) + t - left) / self.sigma
        right = self.Z.T @ self.outputs.spread(a - b + b_star - self.p * pull[:, None]) - residual
        dW = cho_solve(self.factor, right.T.ravel(), check_finite=False).reshape(right.T.shape).T
        margins = self.outputs.margins(self.Z @ dW)
        dxi = pull - (self.p * margins).sum(axis=1) / self.sigma
        ds = self.outputs.slacks(margins, dxi)
        return dW, dxi, ds, tau - self.ratio * ds


def interior_point(Z: Array, labels: Index, k: int, c: float, B: float, tol: float) -> tuple[Array, int]:
    """Return multipliers of all outputs with a relative gap of `tol`, or the best found, and the iterations.

    Parameters
    ----------
    Z : array of shape (n, r)
        A factor of the Gram matrix, from `directions`.
    labels : array of shape (n,)
        The true classes.
    c, B : float
        c > 0, and B > 1 or none.

    Returns
    -------
    array of shape (n, 3, k), int
        a, b and b*, those of true classes 0, and of as many others as may be.
    """
    outputs, n = Outputs(labels, k, B), len(labels)
    W, xi = np.zeros((Z.shape[1], k)), np.full(n, 2.0)
    s = outputs.slacks(np.zeros((n, k - 1)), xi) + outputs.levels
    z = 1.0 / (k * np.maximum(np.abs(outputs.levels), 1.0)) + np.zeros_like(s)  # sums of 1
    smallest, best, iterations = inf, np.zeros_like(z), 0
    while iterations < MAX_ITERATIONS:
        combined, gap = _combine(Z, outputs, c, B, z)
        if gap < smallest:
            smallest, best = gap, z
        few = next((few for few in _fewer(s, z) if _combine(Z, outputs, c, B, few)[1] <= tol), None)
        if few is not None or gap <= ALL * tol:
            best = best if few is None else few
            break
        iterations += 1
        try:
            system = System(Z, outputs, c, s, z)
        except LinAlgError:
            break
        residual, left = W / c - combined, 1.0 - z[:, : k - 1].sum(axis=1) - z[:, -1]
        off = outputs.slacks(outputs.margins(Z @ W), xi) + outputs.levels - s  # rounding
        mean, target = np.vdot(s, z) / s.size, np.zeros_like(s)  # the predictor heads for s z = 0
        for _ in range(2):
            dW, dxi, ds, dz = system.step(target / s - z - system.ratio * off, residual, left)
            ds += off
            length = _length(s, z, ds, dz)
            step = min(1.0, length)
            ahead = np.vdot(s + step * ds, z + step * dz) / s.size
            target = mean * (ahead / mean) ** 3 - ds * dz
        step = min(1.0, TO_BOUNDARY * length)
        W, xi, s, z = W + step * dW, xi + step * dxi, s + step * ds, z + step * dz
        if s.min() <= 0.0:  # what is left of it is rounding
            break
    multipliers = np.zeros((n, 3, k))
    for kind, values in enumerate(outputs.parts(best)[:3]):
        np.put_along_axis(multipliers[:, kind], outputs.wrong, c * values, axis=1)
    return multipliers, iterations


def _fewer(s: Array, z: Array) -> Iterator[Array]:
    """Yield the multipliers without those that are small beside their slacks, first without all that may be."""
    for part in SMALL:
        yield np.where(z < part * s, 0.0, z)


def _combine(Z: Array, outputs: Outputs, c: float, B: float, z: Array) -> tuple[Array, float]:
    """Return the combination w of multipliers, over c, and the gap between them and the best multiple of w."""
    a, b, b_star, _ = outputs.parts(z)
    combined = Z.T @ outputs.spread(a - b + b_star)
    margins, squares = c * outputs.margins(Z @ combined), c**2 * float(np.vdot(combined, combined))
    theta = float(np.abs(margins).max())
    objective, _ = best_multiple(squares / c, margins.min(axis=1), 1.0, B / theta if theta > 0.0 else inf)
    bounded = float(b.sum() + b_star.sum())
    dual = float(a.sum()) - (B * bounded if bounded else 0.0) - 0.5 * squares / c
    return combined, relative_gap(objective, dual, float(len(z)))


def _length(s: Array, z: Array, ds: Array, dz: Array) -> float:
    """Return how far s and z may go until one of them is 0."""
    fastest = max(float((-ds / s).max()), float((-dz / z).max()))
    return 1.0 / fastest if fastest > 0.0 else inf
