"""The local Rademacher complexity of H2: functions of several kernels with a bounded sum of norms."""

import numpy as np

from kernlearn.types import Array

#: Steps of a search for a minimum, and halvings for a root.
STEPS, HALVINGS = 50, 40
DRAWS = 40


def block_complexity(eigenvalues: Array, n: int, r: float) -> float:
    """Return the mean of ``sup (1/n) sum_i sigma_i f(x_i)`` over f in H2 with ``E f^2 <= r``, Lambda = 1.

    Parameters
    ----------
    eigenvalues : array of shape (M, J)
        Of kernel m, whose eigenfunctions are ``sqrt(2) cos(pi j x_m)``; with J = 1 a random sign. The coordinates x_m
        are independent and uniform, so that the kernels are uncorrelated.
    """
    M, J = eigenvalues.shape
    rng = np.random.default_rng([n, M])
    signs = rng.choice([-1.0, 1.0], (DRAWS, n))
    means = np.empty((DRAWS, M, J))
    for m in range(M):
        if J == 1:
            phi = rng.choice([-1.0, 1.0], (DRAWS, n, 1))
        else:
            phi = np.sqrt(2.0) * np.cos(np.pi * rng.random((DRAWS, n, 1)) * np.arange(1, J + 1))
        means[:, m] = np.einsum("dn,dnj->dj", signs, phi) / n
    return float(block_suprema(means * np.sqrt(eigenvalues), eigenvalues, r).mean())


def block_suprema(b: Array, eigenvalues: Array, r: float) -> Array:
    """Return ``max a.b`` subject to ``sum_m |a_m| <= 1``, ``sum_mj lambda_mj a_mj^2 <= r``, for b of (draws, M, J).

    By duality it is ``min_t t + sqrt(r Q(t))``, where Q(t) is the least ``sum_mj c_mj^2 / lambda_mj`` with ``|b_m -
    c_m| <= t`` for all m.
    """

    def value(t: Array) -> Array:
        return t + np.sqrt(r * _least(b, eigenvalues, t))

    low, high = np.zeros(len(b)), np.linalg.norm(b, axis=2).max(axis=1)
    for _ in range(STEPS):
        first, second = low + (high - low) / 3.0, high - (high - low) / 3.0
        falls = value(first) > value(second)
        low, high = np.where(falls, first, low), np.where(falls, high, second)
    return value(0.5 * (low + high))


def _least(b: Array, eigenvalues: Array, t: Array) -> Array:
    """Return Q(t): ``b_m - c_m = b_m / (1 + s_m lambda_m)`` with the least s_m >= 0, found on a logarithmic scale."""
    low, high = np.full((*b.shape[:2], 1), -30.0), np.full((*b.shape[:2], 1), 30.0)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        over = np.linalg.norm(b / (1.0 + np.exp(middle) * eigenvalues), axis=2, keepdims=True) > t[:, None, None]
        low, high = np.where(over, middle, low), np.where(over, high, middle)
    s = np.exp(high)
    c = b * s * eigenvalues / (1.0 + s * eigenvalues)
    least: Array = (c**2 / eigenvalues).sum(axis=(1, 2))
    return least
