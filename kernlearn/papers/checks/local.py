"""The local Rademacher complexity of kernel classes, exactly but for the draws, where the eigenvalues are known.

The class is the unit ball of the reproducing kernel Hilbert space, ``f = sum_j a_j sqrt(lambda_j) phi_j`` with ``|a| <=
1``. The phi_j are orthonormal in L2(P), so that ``E f^2 = sum_j lambda_j a_j^2``. A sample with signs is a vector ``b_j
= sqrt(lambda_j) (1/n) sum_i sigma_i phi_j(x_i)``, and the local complexity is the mean of ``max a.b`` subject to ``|a|
<= 1``, ``sum_j lambda_j a_j^2 <= r``.
"""

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from kernlearn.types import Array

#: Halvings of an interval.
HALVINGS = 60


class Spectrum(NamedTuple):
    """A kernel and a distribution of examples, by eigenvalues and eigenfunctions."""

    #: In decreasing order, shape (J,).
    eigenvalues: Array
    #: Draws examples: ``draw(shape, rng)`` returns the values of all phi_j, of the shape ``(*shape, J)``.
    draw: Callable[[tuple[int, ...], np.random.Generator], Array]


def cosines(eigenvalues: Array) -> Spectrum:
    """Return the kernel of ``phi_j(x) = sqrt(2) cos(pi j x)``, x uniform on [0, 1]."""

    def draw(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        values: Array = np.sqrt(2.0) * np.cos(np.pi * rng.random(shape)[..., None] * np.arange(1, len(eigenvalues) + 1))
        return values

    return Spectrum(eigenvalues, draw)


def table(K: Array) -> Spectrum:
    """Return the kernel with this matrix of values on N points, and the uniform distribution on them."""
    values, vectors = np.linalg.eigh(K / len(K))
    kept = values > 1e-12 * values[-1]
    phi = np.sqrt(len(K)) * vectors[:, kept][:, ::-1]
    return Spectrum(values[kept][::-1], lambda shape, rng: phi[rng.integers(len(K), size=shape)])


def point(probability: float, height: float) -> Spectrum:
    """Return the kernel that is `height` at one point of some probability, and 0 elsewhere."""

    def draw(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        values: Array = (rng.random((*shape, 1)) < probability) / np.sqrt(probability)
        return values

    return Spectrum(np.array([probability * height]), draw)


def signed_means(spectrum: Spectrum, n: int, draws: int, seed: int) -> Array:
    """Return the b of samples of n examples with signs, shape (draws, J)."""
    rng = np.random.default_rng([seed, n])
    signs = rng.choice([-1.0, 1.0], (draws, 1, n))
    means: Array = (signs @ spectrum.draw((draws, n), rng))[:, 0] / n
    return means * np.sqrt(spectrum.eigenvalues)


def suprema(b: Array, eigenvalues: Array, r: float) -> Array:
    """Return ``max a.b`` subject to ``|a| <= 1``, ``sum_j lambda_j a_j^2 <= r`` for every row of b.

    It is ``min_t sqrt(sum_j b_j^2 / (1 - t + t lambda_j / r))`` over t in [0, 1]: the sum is convex in t.
    """
    slope = eigenvalues / r - 1.0
    low, high = np.zeros((len(b), 1)), np.ones((len(b), 1))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        falls = (b**2 * slope / (1.0 + middle * slope) ** 2).sum(axis=1, keepdims=True) > 0.0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    values: Array = np.sqrt((b**2 / (1.0 + low * slope)).sum(axis=1))
    return values


def complexity(spectrum: Spectrum, n: int, r: float, draws: int = 400, seed: int = 0) -> float:
    """Return the mean of the local Rademacher complexity over samples of n examples."""
    return float(suprema(signed_means(spectrum, n, draws, seed), spectrum.eigenvalues, r).mean())


def truncated(eigenvalues: Array, r: float) -> float:
    """Return ``sum_j min(r, lambda_j)``."""
    return float(np.minimum(r, eigenvalues).sum())


def local_bound(eigenvalues: Array, n: float, r: float) -> float:
    """Return ``sqrt((2 / n) sum_j min(r, lambda_j))``, the upper bound of the local complexity."""
    return sqrt(2.0 / n * truncated(eigenvalues, r))


def fixed_point(of: Callable[[float], float], high: float = 1e6) -> float:
    """Return the r > 0 with ``of(r) = r``, for a function that grows slower than r."""
    low = 0.0
    for _ in range(4 * HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if of(middle) > middle else (low, middle)
    return high
