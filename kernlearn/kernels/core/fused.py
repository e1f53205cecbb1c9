# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Gaussian kernels compiled: products straight from the examples, no value of which leaves the cache, and values.

Distances are sums of squared differences, in which nothing cancels. An exponential is ``2^k e^r`` with ``|r| <= log(2)
/ 2``, of which ``e^r - 1`` is Taylor's polynomial of degree 13. Examples lie along the vectors of the processor, so
that no sum is reordered and the same machine gives the same bits.
"""

import numpy as np

from kernlearn.compiled import Deferred, compiled
from kernlearn.types import Array, Index

#: Examples whose sums and distances stay in the fastest cache while the points pass by, and points at a time.
TILE, POINTS = 256, 4
#: With more features, matrix products of whole blocks are faster.
MOST_FEATURES = 64
#: Examples between which Ctrl-C is heard.
AT_ONCE = 2048
#: Features whose differences are squared at a time.
FEATURES = 4
#: Exponents below count as this: the least normal numbers are near.
LOWEST = -708.0
#: log(2) in two parts, the first of few bits, so that multiples of it are exact (Cody and Waite).
LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
PER_LOG2 = 1.0 / np.log(2.0)
#: Added to a number, it leaves the nearest integer in the last bits.
ROUND = 1.5 * 2.0**52
#: Of double precision: the exponent of 1, and the bits of the fraction.
ONE, FRACTION = 1023, 52


def gaussian_products(
    X: Array, Z: Array, gammas: Array, weights: Array, kernel: Index, target: Index, less_constant: Index
) -> Array:
    """Return ``sum_r sum_j weights[r, j] K_r(x_i, z_j)`` over the rows r with the same target, shape (n_targets, n).

    Raises `ValueError` if shapes do not fit together.

    Parameters
    ----------
    X, Z : arrays of shape (n, d), (m, d)
    gammas : array of shape (p,)
        Inverse squared widths.
    weights : array of shape (R, m)
    kernel, target : arrays of shape (R,)
        The kernel of every row, and the sum that it counts in; targets are numbers from 0 on. Rows with the same kernel
        lie side by side.
    less_constant : array of shape (R,)
        1 where the kernel is ``exp(-gamma |x - z|^2) - 1``, which is exact where it is next to nothing. It is the same
        for rows with the same kernel that lie side by side.
    """
    if X.shape[1] != Z.shape[1] or weights.shape != (len(kernel), len(Z)):
        raise ValueError(f"{X.shape}, {Z.shape} and {weights.shape} do not fit together")
    more = -X.shape[1] % FEATURES
    centre = Z.mean(axis=0)
    X, Z = (np.pad(examples - centre, ((0, 0), (0, more))) for examples in (X, Z))
    missing = -len(Z) % POINTS
    Z, weights = np.pad(Z, ((0, missing), (0, 0))), np.pad(weights, ((0, 0), (0, missing)))
    sums = np.zeros((int(target.max()) + 1, len(X)))
    for some in (slice(start, start + AT_ONCE) for start in range(0, len(X), AT_ONCE)):
        _add_products(X[some], Z, gammas, weights, kernel, target, less_constant, sums[:, some])
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
    _exponentials(D.ravel(order="K"), gamma, int(less_constant), values.ravel(order="K"))
    return values


@compiled
def _add_products(X, Z, gammas, weights, kernel, target, less_constant, sums):
    n, d = X.shape
    across, values = np.zeros((d, TILE)), np.empty((POINTS, TILE))
    distances, total = np.empty((POINTS, TILE)), np.empty((sums.shape[0], TILE))
    for start in range(0, n, TILE):
        size = min(TILE, n - start)
        for i in range(size):
            for f in range(d):
                across[f, i] = X[start + i, f]
        total[:] = 0.0
        for j in range(0, len(Z), POINTS):
            _distances(Z[j : j + POINTS], across, distances)
            for row in range(len(kernel)):
                if row == 0 or kernel[row] != kernel[row - 1] or less_constant[row] != less_constant[row - 1]:
                    for p in range(POINTS):
                        _exponentials(distances[p], gammas[kernel[row]], less_constant[row], values[p])
                a, b, c, e = weights[row, j], weights[row, j + 1], weights[row, j + 2], weights[row, j + 3]
                _add_four(a, b, c, e, values, total[target[row]])
        for o in range(sums.shape[0]):
            for i in range(size):
                sums[o, start + i] = total[o, i]


@compiled
def _distances(Z, across, distances):
    """Put the squared distances of four points from the examples of a tile into an array."""
    for p in range(POINTS):
        z, row = Z[p], distances[p]
        row[:] = 0.0
        for f in range(0, across.shape[0], FEATURES):
            x0, x1, x2, x3 = across[f], across[f + 1], across[f + 2], across[f + 3]
            for i in range(TILE):
                a, b, c, e = z[f] - x0[i], z[f + 1] - x1[i], z[f + 2] - x2[i], z[f + 3] - x3[i]
                row[i] = fma(e, e, fma(c, c, fma(b, b, fma(a, a, row[i]))))


@compiled
def _exponentials(distances, gamma, less_constant, values):
    """Put ``exp(-gamma distances)``, or that less 1, into an array."""
    constant = 1.0 if less_constant else 0.0
    for i in range(len(values)):
        exponent = -gamma * distances[i]
        x = exponent if exponent > LOWEST else LOWEST
        shifted = fma(x, PER_LOG2, ROUND)
        k = shifted - ROUND
        r = fma(k, -LOG2_LOW, fma(k, -LOG2_HIGH, x))
        q = r * r  # even and odd powers apart: two short chains are faster than a long one
        even = fma(1.0 / 479001600.0, q, 1.0 / 3628800.0)
        even = fma(even, q, 1.0 / 40320.0)
        even = fma(even, q, 1.0 / 720.0)
        even = fma(even, q, 1.0 / 24.0)
        even = fma(even, q, 0.5)
        odd = fma(1.0 / 6227020800.0, q, 1.0 / 39916800.0)
        odd = fma(odd, q, 1.0 / 362880.0)
        odd = fma(odd, q, 1.0 / 5040.0)
        odd = fma(odd, q, 1.0 / 120.0)
        odd = fma(odd, q, 1.0 / 6.0)
        rest, power = fma(q, fma(r, odd, even), r), as_float((as_integer(shifted) + ONE) << FRACTION)
        power = power if exponent > LOWEST else 0.0
        values[i] = fma(rest, power, power - constant)


@compiled
def _add_four(a, b, c, e, values, total):
    v0, v1, v2, v3 = values[0], values[1], values[2], values[3]
    for i in range(TILE):
        total[i] = fma(e, v3[i], fma(c, v2[i], fma(b, v1[i], fma(a, v0[i], total[i]))))


def _made_fma():
    """Return ``fma(a, b, c) = a b + c`` with one rounding: an instruction, and no leave to reorder anything else."""
    from numba.core import types
    from numba.extending import intrinsic

    def make(typing, a, b, c):
        one = types.float64
        return one(one, one, one), lambda context, builder, signature, arguments: builder.fma(*arguments)

    return intrinsic(make)


def _made_cast(given, wanted):
    """Return a function that takes the bits of a number for those of another type."""
    from numba.core import types
    from numba.extending import intrinsic

    def make(typing, a):
        kind = getattr(types, wanted)

        def generate(context, builder, signature, arguments):
            return builder.bitcast(arguments[0], context.get_value_type(kind))

        return kind(getattr(types, given)), generate

    return intrinsic(make)


fma = Deferred(_made_fma)
as_integer = Deferred(lambda: _made_cast("float64", "int64"))
as_float = Deferred(lambda: _made_cast("int64", "float64"))
