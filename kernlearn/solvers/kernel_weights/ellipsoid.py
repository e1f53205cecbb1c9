"""The ellipsoid of least volume around most of some points, by an interior point method, with a proof.

::

    (P)  min_{A,b}  -ln |A| + E sum_i max(0, |A x_i - b|^2 - 1)                                             (2.3)
    (D)  max_u  1/2 ln |2 S(u)| + d/2 - sum_i u_i     subject to  0 <= u_i <= E ,
         S(u) = sum_i u_i (x_i - mu)(x_i - mu)' ,   mu = sum_i u_i x_i / sum_i u_i

A point with ``0 < u_i < E`` is on the ellipsoid ``(x - mu)' (2 S)^-1 (x - mu) = 1``, those outside have ``u_i = E``; at
the optimum ``sum_i u_i <= d/2``, so at most d/(2E) are outside, and from ``E = d/2`` on none. ``A = (2 S)^(-1/2)`` and
``b = A mu``: any u gives a point of both. What is reported are exp((P)/d) and exp((D)/d): a length, in the units of the
points. Source: Shivaswamy (2010), Large Relative Margin and Applications, section 2.1; the dual is ours.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernlearn.certificates import relative_gap, status_of
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array

#: What each Newton step is to leave of the products of bounds and multipliers; how many steps there are at most.
SHRINK, MAX_STEPS = 0.1, 100
#: A step goes this part of the way to the nearest bound.
INSIDE = 0.95


@dataclass(frozen=True)
class Ellipsoid:
    """The points x with ``|A (x - centre)| <= 1``."""

    #: Shape (d,).
    centre: Array
    #: Shape (d, d): upper triangular: any other A with the same ``A'A`` is the same but for a rotation.
    A: Array

    def images(self, X: Array) -> Array:
        """Return ``A (x - centre)`` of every x, shape (n, d): the ellipsoid becomes the unit ball."""
        moved: Array = (X - self.centre) @ self.A.T
        return moved


class _Point(NamedTuple):
    """u, what is left of E, and the multipliers of ``u >= 0`` and ``u <= E``; all positive."""

    u: Array
    left: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class _State:
    """What follows from u: the squared distances ``q_i = |A x_i - b|^2``, and the values of (P) and (D)."""

    ellipsoid: Ellipsoid
    products: Array
    q: Array
    objective: float
    dual_objective: float


def solve_ellipsoid(X: Array, E: float, tol: float = 1e-8) -> Solution:
    """Solve (P).

    Parameters
    ----------
    X : array of shape (n, d)
        Points that span the space. Numbers should be of one size; the solution is the same for every affine map of
        them, but for the map.
    E : float > 0
        Price of a point outside.
    tol : float
        Relative gap of the length, see above.

    Returns
    -------
    Solution
        ``x`` and ``dual`` are u; ``extras`` have the `Ellipsoid`, as ``ellipsoid``.
    """
    start, (n, d) = perf_counter(), X.shape
    E = min(E, d / 2.0)  # above, every E has the same solution
    u = np.full(n, min(0.5 * E, d / (2.0 * n)))
    point = _Point(u, E - u, np.ones(n), np.ones(n))
    best, at, rounds = _evaluate(X, u, E), u, 0
    while _gap(best) > tol and rounds < MAX_STEPS:
        state = _evaluate(X, point.u, E)
        if _gap(state) < _gap(best):
            best, at = state, point.u
        point, rounds = _step(state, point), rounds + 1
    values = float(np.exp(best.objective / d)), float(np.exp(best.dual_objective / d))
    zero = float(np.exp(_evaluate(X, np.full(n, min(E, d / (2.0 * n))), E).objective / d))
    status = status_of(relative_gap(*values, zero), tol)
    found = {"ellipsoid": best.ellipsoid}
    return Solution(at, values[0], at, values[1], zero, status, rounds, 1, perf_counter() - start, extras=found)


def _gap(state: _State) -> float:
    return (state.objective - state.dual_objective) / len(state.ellipsoid.centre)


def _evaluate(X: Array, u: Array, E: float) -> _State:
    d = X.shape[1]
    centre = u @ X / u.sum()
    C = X - centre
    factor = np.linalg.qr(np.sqrt(2.0 * u)[:, None] * C, mode="r")  # R'R = 2 S
    A = np.linalg.inv(factor).T
    images = C @ A.T
    products = images @ images.T
    q = np.diagonal(products)
    log_volume = float(np.log(np.abs(np.diagonal(factor))).sum())
    dual = log_volume + 0.5 * d - float(u.sum())
    as_is = log_volume + E * float(np.maximum(q - 1.0, 0.0).sum())
    around = log_volume + 0.5 * d * float(np.log(q.max()))  # blown up, or shrunk, until no point is outside
    if around < as_is:
        A = A / np.sqrt(q.max())
    return _State(Ellipsoid(centre, A), products, q, min(as_is, around), dual)


def _step(state: _State, point: _Point) -> _Point:
    """Return the point after a Newton step of the conditions of (D), with products of bounds and multipliers shrunk."""
    u, left, low, high = point
    barrier = SHRINK * float(u @ low + left @ high) / (2.0 * len(u))
    curvature = 2.0 * state.products**2 + 2.0 / float(u.sum()) * state.products
    curvature.flat[:: len(u) + 1] += low / u + high / left
    du = cho_solve(cho_factor(curvature, overwrite_a=True), state.q - 1.0 + barrier / u - barrier / left)
    moves = _Point(du, -du, barrier / u - low - low / u * du, barrier / left - high + high / left * du)
    ahead = max(float((-move / value).max()) for move, value in zip(moves, point, strict=True))
    length = min(1.0, INSIDE / ahead) if ahead > 0.0 else 1.0
    return _Point(*(value + length * move for value, move in zip(point, moves, strict=True)))
