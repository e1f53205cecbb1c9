# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Sums of products in twice the working precision, the same on every processor.

A sum is two numbers of double precision: its rounded value and the remainder. Rounding errors of products and of sums
are computed exactly and added up by themselves, so that what is left is off by about ``eps`` of the result and
``n eps^2`` of the sum of absolute values. Source: Ogita, Rump and Oishi (2005), algorithms 3.1 to 5.3 (Dot2); Dekker
(1971). Compiled code must not fuse a product and a sum (FMA): the error terms depend on it.
"""

from math import fsum

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.types import Array

#: ``2^27 + 1``, which splits a number of double precision into two of 26 bits.
SPLITTER = 134217729.0
#: Rows and columns that are transposed at a time: of more, a power of two apart, a cache keeps none.
TILE = 16


@compiled
def _add_products(columns, coef, high, low, squares):
    """Add ``columns' coef`` to the sums high + low, and the sums of squared products to `squares`."""
    n = len(high)
    for j in range(len(coef)):
        column, b = columns[j], coef[j]
        c = SPLITTER * b
        b1 = c - (c - b)
        b2 = b - b1
        for i in range(n):  # which are independent of each other, so that it is done in lanes
            a, s = column[i], high[i]
            p = a * b
            d = SPLITTER * a
            a1 = d - (d - a)
            a2 = a - a1
            error = a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)  # of the product
            z = s + p
            e = z - s
            low[i] += error + ((s - (z - e)) + (p - e))  # and of the sum
            high[i] = z
            squares[i] += p * p


@compiled
def _transpose(values, out):
    n, m = values.shape
    for i in range(0, n, TILE):
        for j in range(0, m, TILE):
            for column in range(j, min(j + TILE, m)):
                for row in range(i, min(i + TILE, n)):
                    out[column, row] = values[row, column]


def add_products(values: Array, coef: Array, high: Array, low: Array, squares: Array) -> None:
    """Add ``values @ coef`` to the sums ``high + low``, and the sums of squares of the products to `squares`.

    Parameters
    ----------
    values : array of shape (n, m)
        Fastest where its transpose is contiguous.
    coef : array of shape (m,)
    high, low, squares : arrays of shape (n,)
        Changed in place.
    """
    columns = values.T
    if not columns.flags.c_contiguous:
        columns = np.empty(columns.shape)
        _transpose(values, columns)
    _add_products(columns, np.ascontiguousarray(coef), high, low, squares)


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
