# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Gaussian kernels without their matrices, compiled: blocks of values, and products whose matrices are never formed.

An exponential is ``2^k e^r`` with ``|r| <= log(2) / 2``, of which ``e^r`` is Taylor's polynomial of degree 13: off by
no more than two roundings, and a loop without calls, which numpy's is on processors with AVX-512 alone.
"""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.kernels.core.powers import TILE
from kernlearn.types import Array

#: Exponents below count as this: the least normal numbers are near.
LOWEST = -708.0
#: log(2) in two parts, the first of few bits, so that multiples of it are exact (Cody and Waite).
LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
PER_LOG2 = 1.0 / np.log(2.0)
#: Added to a number, it leaves the nearest integer in the last bits.
ROUND = 1.5 * 2.0**52
#: Of double precision: the exponent of 1, and the bits of the fraction.
ONE, FRACTION = 1023, 52


def price_exponentials(D: Array, v: Array, gammas: list[float]) -> Array:
    """Return ``sum_i v_i exp(-gamma D_ij)`` for every gamma, shape (len(gammas), m).

    Parameters
    ----------
    D : array of shape (n, m), C-contiguous
        Values >= 0.
    v : array of shape (n,)
        Rows with ``v_i = 0`` cost nothing.
    gammas : list of float > 0
    """
    sums = np.zeros((len(gammas), D.shape[1]))
    _add_exponentials(D, v, np.array(gammas), sums)
    return sums


def values_of_exponentials(D: Array, gamma: float, less_constant: bool = False) -> Array:
    """Return ``exp(-gamma D_ij)``, or that minus 1, exact where it is next to nothing.

    Parameters
    ----------
    D : array
        Values >= 0.
    gamma : float > 0
    """
    values = np.empty_like(D)  # its entries lie as those of D do, or side by side
    _fill_exponentials(D.ravel(order="K"), gamma, less_constant, values.ravel(order="K"))
    return values


@compiled
def _add_exponentials(D, v, gammas, sums):
    rest, power = np.empty(TILE), np.empty(TILE)
    for start in range(0, D.shape[1], TILE):
        m = min(TILE, D.shape[1] - start)
        tile = slice(start, start + m)
        for i in range(D.shape[0]):
            if v[i] == 0.0:
                continue
            row = D[i, tile]
            for g in range(len(gammas)):
                _split_exponentials(row, gammas[g], rest, power)
                total = sums[g, tile]
                for j in range(m):
                    total[j] += v[i] * ((1.0 + rest[j]) * power[j])


@compiled
def _fill_exponentials(D, gamma, less_constant, values):
    rest, power = np.empty(TILE), np.empty(TILE)
    for start in range(0, len(D), TILE):
        m = min(TILE, len(D) - start)
        tile = slice(start, start + m)
        _split_exponentials(D[tile], gamma, rest, power)
        part = values[tile]
        if less_constant:
            for j in range(m):
                part[j] = (power[j] - 1.0) + rest[j] * power[j]
        else:
            for j in range(m):
                value = (1.0 + rest[j]) * power[j]
                part[j] = value if -gamma * D[start + j] > LOWEST else 0.0


@compiled
def _split_exponentials(row, gamma, rest, power):
    """Put ``e^r - 1`` and ``2^k`` of every ``e^(-gamma row_j)`` into the first places of two arrays."""
    bits = power.view(np.int64)
    for j in range(len(row)):
        x = -gamma * row[j]
        x = x if x > LOWEST else LOWEST
        power[j] = x * PER_LOG2 + ROUND
        k = power[j] - ROUND
        r = (x - k * LOG2_HIGH) - k * LOG2_LOW
        q = r * r  # even and odd powers apart: two short chains are faster than a long one
        even = 1.0 / 479001600.0
        even = even * q + 1.0 / 3628800.0
        even = even * q + 1.0 / 40320.0
        even = even * q + 1.0 / 720.0
        even = even * q + 1.0 / 24.0
        even = even * q + 0.5
        odd = 1.0 / 6227020800.0
        odd = odd * q + 1.0 / 39916800.0
        odd = odd * q + 1.0 / 362880.0
        odd = odd * q + 1.0 / 5040.0
        odd = odd * q + 1.0 / 120.0
        odd = odd * q + 1.0 / 6.0
        rest[j] = r + q * (even + r * odd)
    for j in range(len(row)):
        bits[j] = (bits[j] + ONE) << FRACTION
