# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Exponentials of arrays, compiled, in double and in single precision.

An exponential is ``2^k e^r`` with ``|r| <= log(2) / 2``, of which ``e^r - 1`` is Taylor's polynomial. Entries lie along
the vectors of the processor, so that the same machine gives the same bits.
"""

import numpy as np

from kernlearn.compiled import Deferred, compiled
from kernlearn.types import Array

#: Exponents below count as this: the least normal numbers are near.
LOWEST, LOWEST_SINGLE = -708.0, np.float32(-87.0)
#: log(2) in two parts, the first of few bits, so that multiples of it are exact (Cody and Waite).
LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
LOG2_HIGH_SINGLE, LOG2_LOW_SINGLE = np.float32(0.693359375), np.float32(-2.12194440e-4)
PER_LOG2, PER_LOG2_SINGLE = 1.0 / np.log(2.0), np.float32(1.0 / np.log(2.0))
#: Added to a number, it leaves the nearest integer in the last bits.
ROUND, ROUND_SINGLE = 1.5 * 2.0**52, np.float32(1.5 * 2.0**23)
#: The exponent of 1, and the bits of the fraction.
ONE, FRACTION = 1023, 52
ONE_SINGLE, FRACTION_SINGLE = 127, 23
#: Coefficients of Taylor's polynomial in single precision, from the second power on.
T2, T3, T4, T5, T6, T7 = (np.float32(one) for one in (0.5, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040))
UNIT_SINGLE, NOTHING_SINGLE = np.float32(1.0), np.float32(0.0)


def values_of_exponentials(D: Array, gamma: float, less_constant: bool = False) -> Array:
    """Return ``exp(-gamma D_ij)``, or that minus 1, exact where it is next to nothing.

    Parameters
    ----------
    D : array
        Values >= 0.
    gamma : float > 0
    """
    values = np.empty_like(D)  # its entries lie as those of D do, or side by side
    exponentials(D.ravel(order="K"), gamma, int(less_constant), values.ravel(order="K"))
    return values


@compiled
def exponentials(distances, gamma, less_constant, values):
    """Put ``exp(-gamma distances)``, or that less 1, into an array, in double precision."""
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
        rest, power = fma(q, fma(r, odd, even), r), power_of_two(shifted)
        power = power if exponent > LOWEST else 0.0
        values[i] = fma(rest, power, power - constant)


@compiled
def exponentials_single(distances, gamma, less_constant, values):
    """Put the same into an array in single precision."""
    constant = UNIT_SINGLE if less_constant else NOTHING_SINGLE
    for i in range(len(values)):
        exponent = -gamma * distances[i]
        x = exponent if exponent > LOWEST_SINGLE else LOWEST_SINGLE
        shifted = fma(x, PER_LOG2_SINGLE, ROUND_SINGLE)
        k = shifted - ROUND_SINGLE
        r = fma(k, -LOG2_LOW_SINGLE, fma(k, -LOG2_HIGH_SINGLE, x))
        q = r * r
        rest = fma(q, fma(q, fma(q, fma(T7, r, T6), fma(T5, r, T4)), fma(T3, r, T2)), r)
        power = power_of_two(shifted)
        power = power if exponent > LOWEST_SINGLE else NOTHING_SINGLE
        values[i] = fma(rest, power, power - constant)


def _made_fma():
    """Return ``fma(a, b, c) = a b + c`` with one rounding: an instruction, and no leave to reorder anything else."""
    from numba.core import types
    from numba.extending import intrinsic

    def make(typing, a, b, c):
        one = types.float32 if a == b == c == types.float32 else types.float64
        return one(one, one, one), lambda context, builder, signature, arguments: builder.fma(*arguments)

    return intrinsic(make)


def _made_power_of_two():
    """Return a function that gives ``2^k`` for a number with k in its last bits, made by adding `ROUND` to k."""
    from numba.core import types
    from numba.extending import intrinsic

    formats = {types.float64: (types.int64, FRACTION, ONE), types.float32: (types.int32, FRACTION_SINGLE, ONE_SINGLE)}

    def make(typing, shifted):
        integer, fraction, one = formats[shifted]

        def generate(context, builder, signature, arguments):
            kind = context.get_value_type(integer)
            exponent = builder.add(builder.bitcast(arguments[0], kind), kind(one))
            return builder.bitcast(builder.shl(exponent, kind(fraction)), context.get_value_type(shifted))

        return shifted(shifted), generate

    return intrinsic(make)


fma = Deferred(_made_fma)
power_of_two = Deferred(_made_power_of_two)
