"""Whether a matrix that somebody else computed can be a kernel, up to the rounding of the type it was computed in."""

import math
from typing import Any

import numpy as np

from kernlearn.errors import UserError
from kernlearn.types import Array

#: Part of the largest entry by which a symmetric matrix may miss its symmetry: a unit in the sixth digit, since numbers
#: in double precision may have been computed in float32, or written with so many digits.
ASYMMETRY = 1e-5
#: From this part on they have been.
FEW_DIGITS = 1e-8
#: The same in roundings of the type it was computed in: an entry is a sum of some thousand products.
ENTRY_ROUNDINGS = 1000
#: An eigenvalue is negative below minus this part of the trace; rounding leaves smaller ones.
INDEFINITE = 1e-12
#: An eigenvalue may be so many roundings of the largest entry below 0 for every row. Errors of the entries are
#: independent, so that their matrix has a norm of about 2 sqrt(n) of them: for n = 200 this allows errors of 100
#: roundings, such as those of distances between vectors whose squared norms are 100 times the width of the kernel.
EIGENVALUE_ROUNDINGS = 16


def rounding_of(K: Any) -> float:
    """Return the rounding unit of the type of a matrix, or of several: that of float32, or that of float64.

    Whole numbers are taken for exact, and half precision for float32: 3 digits are too few to tell kernels by.
    """
    dtype = np.asarray(K).dtype
    return float(np.finfo(np.float32 if dtype in (np.float16, np.float32) else np.float64).eps)


def asymmetry_of(rounding: float) -> float:
    """Return the part of the largest entry by which a symmetric matrix may miss its symmetry."""
    return max(ASYMMETRY, ENTRY_ROUNDINGS * rounding)


def is_semidefinite(K: Array, rounding: float = 0.0) -> bool:
    """Return whether no eigenvalue of a symmetric matrix is negative beyond rounding, by a Cholesky factor.

    Allowed are ``-INDEFINITE Tr K`` and, of a matrix computed with a rounding unit eps, ``-EIGENVALUE_ROUNDINGS n eps
    max |K_ij|``.
    """
    trace = float(np.trace(K))
    if trace <= 0.0:
        return not K.any()
    shifted = K.copy()
    allowed = EIGENVALUE_ROUNDINGS * len(K) * rounding * float(np.abs(K).max())
    shifted.flat[:: len(K) + 1] += max(INDEFINITE * trace, allowed)
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        return False
    return True


def require_semidefinite(K: Array, name: str, rounding: float) -> Array:
    """Return the symmetric part of a matrix that is symmetric and positive semidefinite up to rounding.

    For any other (P) and (D) of a kernel method are no dual pair, and nothing can be certified.

    Raises `UserError` if it is not. What the message says to add to the diagonal makes it semidefinite.

    Parameters
    ----------
    K : ndarray of shape (n, n)
    rounding : float
        Of the type in which it was computed, see `rounding_of`.
    """
    asymmetry, largest, single = np.abs(K - K.T).max(), np.abs(K).max(), float(np.finfo(np.float32).eps)
    if asymmetry > asymmetry_of(rounding) * largest:
        raise UserError(f"{name} is not symmetric")
    if asymmetry > FEW_DIGITS * largest:
        rounding = max(rounding, single)
    if asymmetry > 0.0:
        K = K / 2 + K.T / 2
    if not is_semidefinite(K, rounding):
        smallest = float(np.linalg.eigvalsh(K)[0])
        alone = "; if it was computed in float32, leave it in float32" if is_semidefinite(K, single) else ""
        raise UserError(
            f"{name} is not positive semidefinite: its least eigenvalue is {smallest:.3g}; use a kernel that is one, "
            f"or add {_rounded_up(-smallest):.3g} to the diagonal{alone}"
        )
    return K


def _rounded_up(value: float) -> float:
    """Return the next number with two digits."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / unit) * unit
