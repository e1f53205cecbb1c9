# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Newton's steps of `kernlearn.solvers.kernel_weights.weighted_features`: products, direction and step length.

Of the matrix N of chains (see `kernlearn.solvers.kernel_weights.weighted_features.Chains`) only where they start and
the shares are here: with running sums every product with it takes as long as its vectors are. Rows of x, and of its
multipliers w >= 0, are alpha, C - alpha and, with a band, beta and eta.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.compiled import compiled
from kernlearn.solvers.core.cholesky import backward, forward
from kernlearn.solvers.core.products import dot
from kernlearn.types import Array

#: Part of the way to the boundary that a step goes at most, and the least step.
TO_BOUNDARY, MIN_STEP = 0.995, 1e-10


class Program(NamedTuple):
    """What a step needs to know of the program: features (n, q), labels, the band, and the chains of the features."""

    F: Array
    y: Array
    B: float
    starts: NDArray[np.bool_]
    shares: Array


class Iterate(NamedTuple):
    """The arrays of an interior point, which are updated in place: x and w of shape (2 or 4, n), m and s of (q,)."""

    x: Array
    w: Array
    m: Array
    s: Array


class Equations(NamedTuple):
    """Newton's equations at a point, for any complementarities."""

    L: Array
    z: Array
    E: Array
    S: Array
    g: Array
    ones: Array
    along: Array
    R: Array
    rm: float
    re: float


@compiled
def mixed(m, starts, shares):
    """Return ``N m``."""
    out, run = np.empty(len(m)), 0.0
    for j in range(len(m) - 1, -1, -1):
        run += shares[j] * m[j]
        out[j] = run
        if starts[j]:
            run = 0.0
    return out


@compiled
def summed(v, starts, shares):
    """Return ``N' v``."""
    out, run = np.empty(len(v)), 0.0
    for j in range(len(v)):
        run = v[j] if starts[j] else run + v[j]
        out[j] = shares[j] * run
    return out


@compiled
def combined(F, v):
    """Return ``F' v``."""
    out = np.zeros(F.shape[1])
    for i in range(len(v)):
        for j in range(len(out)):
            out[j] += v[i] * F[i, j]
    return out


@compiled
def applied(F, u):
    """Return ``F u``."""
    out = np.empty(len(F))
    for i in range(len(F)):
        out[i] = dot(F[i], u)
    return out


@compiled
def net(y, x):
    """Return ``gam = alpha o y - beta + eta``."""
    gam = y * x[0]
    if len(x) == 4:
        gam += x[3] - x[2]
    return gam


@compiled
def newton_matrix(program, iterate, z, delta):
    """Return E and a matrix W, with which Newton's is ``W W' + diag(1/E)``: of ``F diag(delta) F' + G diag(m/s) G'``.

    G, the gradients of r, is ``F diag(z) N``. Features that are chains of their own take one column for both.
    """
    F, starts, shares = program.F, program.starts, program.shares
    x, w, m, s = iterate
    n, q = F.shape
    alone = starts.all()
    W = np.empty((n, q if alone else 2 * q))
    first, second = np.empty(q), np.empty(q)
    for j in range(q):
        second[j] = shares[j] * np.sqrt(m[j] / s[j])
        first[j] = np.sqrt(delta[j] + ((z[j] * second[j]) ** 2 if alone else 0.0))
    for i in range(n):
        run = 0.0
        for j in range(q):
            W[i, j] = first[j] * F[i, j]
        if not alone:
            for j in range(q):
                here = F[i, j] * z[j]
                run = here if starts[j] else run + here
                W[i, q + j] = second[j] * run
    E = 1.0 / (w[0] / x[0] + w[1] / x[1])
    if len(x) == 4:
        E += x[2] / w[2] + x[3] / w[3]
    return E, W


@compiled
def advance(program, iterate, L, z, delta, E, b, t):
    """Do one step of Mehrotra's method in place.

    Parameters
    ----------
    program : Program
    iterate : Iterate
    L : array of shape (n, n)
        Cholesky factor of Newton's matrix.

    Returns
    -------
    done : bool
        Whether there was a step.
    b, t : float
        After it.
    """
    F, y, B, starts, shares = program
    x, w, m, s = iterate
    n = len(y)
    S = m / s
    f = applied(F, delta * z) + b
    # Residuals of y f - 1 = w_0 - w_1, B - f = w_2, B + f = w_3; below of sum m = 1, 1.gam = 0 and r - t + s = 0.
    R = np.zeros((3, n))
    R[0] = y * f - 1.0 - w[0] + w[1]
    if len(x) == 4:
        R[1], R[2] = B - f - w[2], B + f - w[3]
    rm, re = 1.0 - m.sum(), net(y, x).sum()
    rs = 0.5 * summed(z**2, starts, shares) - t + s
    g = applied(F, z * mixed(S, starts, shares))
    ones, along = np.ones(n), g.copy()
    for v in (ones, along):
        forward(L, n, v)
        backward(L, n, v)
    equations = Equations(L, z, E, S, g, ones, along, R, rm, re)
    dx, dw, dm, ds, dgam, db, dt = _direction(program, iterate, equations, np.zeros_like(x), np.zeros_like(s), rs)
    length = _length(iterate, dx, dw, dm, ds)
    now = (x * w).sum() + (s * m).sum()
    after = ((x + length * dx) * (w + length * dw)).sum() + ((s + length * ds) * (m + length * dm)).sum()
    mu = now / (x.size + len(s)) * (after / now) ** 3
    curved = 0.5 * summed(combined(F, dgam) ** 2, starts, shares)  # what r rises beyond its tangent
    dx, dw, dm, ds, dgam, db, dt = _direction(
        program, iterate, equations, mu - dx * dw, mu - ds * dm, rs + length**2 * curved
    )
    length = min(1.0, TO_BOUNDARY * _length(iterate, dx, dw, dm, ds))
    if not (length >= MIN_STEP and np.isfinite(dx).all()):
        return False, b, t
    x += length * dx
    w += length * dw
    m += length * dm
    s += length * ds
    return True, b + length * db, t + length * dt


@compiled
def _direction(program, iterate, equations, cx, cs, rs):
    """Return Newton's step for complementarities x w -> cx and s m -> cs.

    Of ``dgam = v - M^-1 1 db + M^-1 g dt`` it is known that ``1.dgam = -re``, and of ``g.dgam - (1.S) dt`` what the sum
    of m asks for.
    """
    F, y, starts, shares = program.F, program.y, program.starts, program.shares
    x, w, m, s = iterate
    L, z, E, S, g, ones, along, R, rm, re = equations
    n, band = len(y), len(x) == 4
    q = cx / x - w  # w + dw = (cx - w dx) / x, so that dw = q - D dx
    d = 1.0 / (w[0] / x[0] + w[1] / x[1])  # of alpha both bounds at once
    c = y * (q[0] - q[1] - R[0]) * d
    if band:
        c += (q[3] - R[2]) * x[3] / w[3] - (q[2] - R[1]) * x[2] / w[2]
    rho = -rs - (cs / m - s)  # g.dgam - dt - dm / S = rho
    v = c / E + applied(F, z * mixed(S * rho, starts, shares))
    forward(L, n, v)
    backward(L, n, v)
    a, mean = ones.sum(), along.sum()  # 1.M^-1 1 and 1.M^-1 g
    first, second = v.sum() + re, dot(g, v) - dot(S, rho) - rm
    dt = (second - mean * first / a) / (S.sum() - dot(g, along) + mean**2 / a)
    db = (first + mean * dt) / a
    dgam = v - ones * db + along * dt
    dm = S * (summed(z * combined(F, dgam), starts, shares) - dt - rho)
    ds = cs / m - s - dm / S
    df = (c - dgam) / E
    dx = np.empty_like(x)
    dx[0] = (q[0] - q[1] - R[0] - y * df) * d
    dx[1] = -dx[0]
    if band:
        dx[2], dx[3] = (q[2] - R[1] + df) * x[2] / w[2], (q[3] - R[2] - df) * x[3] / w[3]
    return dx, q - w / x * dx, dm, ds, dgam, db, dt


@compiled
def _length(iterate, dx, dw, dm, ds):
    """Return how far all may go, at most 1 / TO_BOUNDARY."""
    x, w, m, s = iterate
    most = 1.0 / TO_BOUNDARY
    for k in range(len(x)):
        most = min(most, _way(x[k], dx[k]), _way(w[k], dw[k]))
    return min(most, _way(m, dm), _way(s, ds))


@compiled
def _way(x, dx):
    """Return how far x may go along dx before an entry is 0."""
    most = np.inf
    for i in range(len(x)):
        if dx[i] < 0.0:
            most = min(most, -x[i] / dx[i])
    return most
