"""Quadratic functions on a sphere, minimised by their secular equation.

::

    min_z  1/2 z'Gz - b.z + c    subject to  z.z = n

is not convex, and yet has no gap: with a multiplier ``lambda`` that leaves ``G - lambda I`` positive semidefinite,
``-1/2 b'(G - lambda I)^+ b + lambda n / 2 + c`` is a lower bound, and the largest one is the minimum. It is at the
lambda of ``|(G - lambda I)^-1 b|^2 = n``, below the least eigenvalue of G, or in the hard case at that eigenvalue.
Sources: Gander, Golub and von Matt (1989); More and Sorensen (1983).
"""

from time import perf_counter

import numpy as np
from scipy.linalg import eigh

from kernlearn.certificates import status_of
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array

#: Steps of the iteration for the secular equation.
MAX_STEPS = 200
#: Part of the largest entry of b in the eigenvectors, below which the least one of G has none.
HARD = 1e-14


def minimise_on_sphere(G: Array, b: Array, n: float, c: float = 0.0, tol: float = 1e-9) -> Solution:
    """Return the global minimum.

    Parameters
    ----------
    G : array of shape (q, q)
        Symmetric.
    b : array of shape (q,)
    n : float > 0
        The square of the radius.
    tol : float
        Gap to reach, relative to the objective.

    Returns
    -------
    Solution
        ``x`` is z, ``dual`` is lambda, shape (1,). In the hard case there are two solutions, of which that is
        returned whose largest entry along the least eigenvector is positive.
    """
    start = perf_counter()
    theta, W = eigh(G)
    beta = W.T @ b
    smallest = float(theta[0])
    # With mu = theta_0 - lambda > 0: sum beta_i^2 / (theta_i - theta_0 + mu)^2 = n.
    apart = theta - smallest
    scale = float(np.abs(theta).max()) or 1.0
    mu, steps = _secular(apart, beta, n, scale)
    if mu > 0.0:
        z = W @ (beta / (apart + mu))
    else:  # the hard case: b has nothing of the least eigenvector
        rest = np.where(apart > HARD * scale, beta / np.where(apart > 0, apart, 1.0), 0.0)
        v = W[:, 0] * np.sign(W[np.argmax(np.abs(W[:, 0])), 0])
        z = W @ rest + np.sqrt(max(0.0, n - float(rest @ rest))) * v
    z *= np.sqrt(n / float(z @ z))
    lower = smallest - mu
    denominators = apart + mu
    bounded = np.where(denominators > HARD * scale, beta**2 / np.where(denominators > 0, denominators, 1.0), 0.0)
    objective = float(0.5 * z @ (G @ z) - b @ z + c)
    dual = float(-0.5 * bounded.sum() + 0.5 * lower * n + c)
    zero = abs(c) + 0.5 * abs(smallest) * n
    gap = (objective - dual) / max(abs(objective), abs(zero) * 1e-14) if objective != dual else 0.0
    seconds = perf_counter() - start
    return Solution(z, objective, np.array([lower]), dual, zero, status_of(gap, tol), steps, 1, seconds)


def _secular(apart: Array, beta: Array, n: float, scale: float) -> tuple[float, int]:
    """Return the mu >= 0 of ``sum (beta / (apart + mu))^2 = n``, 0 if there is none, and the steps it took."""

    def norm(mu: float) -> tuple[float, float]:
        z = beta / (apart + mu)
        return float(np.sqrt(z @ z)), float((z**2 / (apart + mu)).sum())

    radius, shortest = np.sqrt(n), HARD * scale
    if not np.abs(beta[apart <= shortest]).max() > HARD * np.abs(beta).max() and norm(shortest)[0] <= radius:
        return 0.0, 0
    low, high = 0.0, float(np.linalg.norm(beta)) / radius  # at high the norm is at most the radius
    mu = high
    for step in range(1, MAX_STEPS + 1):
        size, slope = norm(mu)
        low, high = (mu, high) if size > radius else (low, mu)
        # Newton's step for 1 / |z| = 1 / radius, which is nearly straight in mu.
        after = mu + (size - radius) / radius * size**2 / slope
        if abs(after - mu) <= 4e-16 * mu or high - low <= 4e-16 * high:
            return mu, step
        mu = after if low < after < high else 0.5 * (low + high)
    return mu, MAX_STEPS
