"""Sums of products in twice the working precision, the same on every processor.

A sum is two numbers of double precision: its nearest one, and what that lacks. Rounding errors of products and of sums
are computed exactly and added up by themselves, so that what is left is off by about ``eps`` of the result and
``n eps^2`` of the sum of absolute values. Source: Ogita, Rump and Oishi (2005), algorithms 3.1 to 5.3 (Dot2); Dekker
(1971). Compiled code has no leave to contract a product and a sum into one rounding, on which the errors rest.
"""

from math import fsum

import numpy as np
from numpy.typing import NDArray

from kernlearn.compiled import compiled

Array = NDArray[np.float64]

#: ``2^27 + 1``, which splits a number of double precision into two of 26 bits.
SPLITTER = 134217729.0


@compiled
def _add_products(values, coef, high, low, squares):
    """Add ``values @ coef`` to the sums high + low, and the sums of squared products to `squares`."""
    for i in range(values.shape[0]):
        s, t, q = high[i], low[i], squares[i]
        for j in range(values.shape[1]):
            a, b = values[i, j], coef[j]
            p = a * b
            c = SPLITTER * a
            a1 = c - (c - a)
            a2 = a - a1
            c = SPLITTER * b
            b1 = c - (c - b)
            b2 = b - b1
            error = a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)  # of the product
            z = s + p
            d = z - s
            t += error + ((s - (z - d)) + (p - d))  # and of the sum
            s = z
            q += p * p
        high[i], low[i], squares[i] = s, t, q


def add_products(values: Array, coef: Array, high: Array, low: Array, squares: Array) -> None:
    """Add ``values @ coef`` to the sums ``high + low``, and the sums of squares of the products to `squares`.

    Parameters
    ----------
    values : array of shape (n, m)
    coef : array of shape (m,)
    high, low, squares : arrays of shape (n,)
        Changed in place.
    """
    _add_products(np.ascontiguousarray(values), np.ascontiguousarray(coef), high, low, squares)


def add(high: Array, low: Array, number: Array | float) -> None:
    """Add a number, or one for each, to the sums ``high + low``, in place."""
    total = high + number
    part = total - high
    low += (high - (total - part)) + (number - part)
    high[:] = total


def dot(a: Array, high: Array, low: Array | None = None) -> float:
    """Return ``a'(high + low)``, rounded about once."""
    sums = np.zeros(1), np.zeros(1), np.zeros(1)
    add_products(high[None], a, *sums)
    return float(sums[0][0] + (sums[1][0] + (0.0 if low is None else float(a @ low))))


def total(values: Array) -> float:
    """Return the sum of some numbers, rounded once."""
    return fsum(values.tolist())
