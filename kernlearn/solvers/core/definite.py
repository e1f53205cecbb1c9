"""Linear systems with a symmetric positive definite matrix that rounding may have made indefinite."""

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernlearn.types import Array


def definite_inverse(A: Array, floor: float) -> Callable[[Array], Array]:
    """Return the function ``B -> A^-1 B``, B of shape (n,) or (n, r).

    Where A has no Cholesky factor, its eigenvalues below `floor`, which none is but for rounding, count as `floor`.

    Parameters
    ----------
    A : array of shape (n, n)
        In the order of C; the factor takes its place, so that there is no second matrix.
    floor : float > 0
    """
    diagonal = A.diagonal().copy()
    try:
        factor = cho_factor(A.T, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:  # what is above the diagonal is still there
        np.fill_diagonal(A, diagonal)
        values, vectors = np.linalg.eigh(A, UPLO="U")
        inverse = 1.0 / np.maximum(values, floor)
        return lambda B: (vectors * inverse) @ (vectors.T @ B)
    return lambda B: cho_solve(factor, B, check_finite=False)
