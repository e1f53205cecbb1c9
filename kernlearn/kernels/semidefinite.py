"""Whether a matrix that somebody else computed can be a kernel."""

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError

Array = NDArray[np.float64]

#: Part of the largest entry by which a symmetric matrix may miss its symmetry.
ASYMMETRY = 1e-8
#: An eigenvalue is negative below minus this part of the trace; rounding leaves smaller ones.
INDEFINITE = 1e-12


def is_semidefinite(K: Array) -> bool:
    """Return whether a symmetric matrix has no eigenvalue below ``-INDEFINITE Tr K``, by a Cholesky factor."""
    trace = float(np.trace(K))
    if trace <= 0.0:
        return not K.any()
    shifted = K.copy()
    shifted.flat[:: len(K) + 1] += INDEFINITE * trace
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        return False
    return True


def require_semidefinite(K: Array, name: str) -> None:
    """Raise `UserError` unless a matrix is symmetric and positive semidefinite up to rounding.

    For any other (P) and (D) of a kernel method are no dual pair, and nothing can be certified.
    """
    if np.abs(K - K.T).max() > ASYMMETRY * np.abs(K).max():
        raise UserError(f"{name} is not symmetric")
    if not is_semidefinite(K):
        least = float(np.linalg.eigvalsh(K)[0])
        raise UserError(
            f"{name} is not positive semidefinite: its least eigenvalue is {least:.3g}; use a kernel that is one, "
            f"or add {-least:.3g} to the diagonal"
        )
