"""What kernels on vectors are made of: inner products and squared distances; the examples may be sparse."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.compiled import compiled
from kernlearn.types import Array

#: A squared distance below this part of ``|x|^2 + |z|^2`` is computed from the difference, which cancels nothing.
CLOSE = 1e-6
#: So many distances are worth compiled code, which makes them in one pass, with the same last bits.
COMPILED_FROM = 2**18
#: Bytes of differences that are formed at a time.
PAIRS_BYTES = 2**26


def inner_products(X: Array, Z: Array) -> Array:
    """Return the matrix of inner products ``x.z``, shape (n, m), of n and m examples."""
    return _dense(X @ Z.T)


def mean_products(X: Array, Z: Array) -> Array:
    """Return the matrix of ``x.z / n_features``, shape (n, m)."""
    return inner_products(X, Z) / X.shape[1]


def squared_norms(X: Any) -> Array:
    """Return ``|x|^2`` for every row of X."""
    return np.asarray((X * X).sum(axis=1)) if isinstance(X, sparse.csr_array) else np.einsum("ij,ij->i", X, X)


def lengths(X: Any, Z: Any, part: float = 1.0) -> tuple[Array, Array]:
    """Return what inner products times `part` are at most, shapes (n, 1) and (1, m): ``part |x| |z|`` is r s."""
    return np.sqrt(part * squared_norms(X))[:, None], np.sqrt(part * squared_norms(Z))[None]


def mean_lengths(X: Any, Z: Any) -> tuple[Array, Array]:
    """Return the same for `mean_products`."""
    return lengths(X, Z, 1.0 / X.shape[1])


def squared_radii(X: Any, Z: Any) -> tuple[Array, Array]:
    """Return what `squared_distances` are computed from, ``|x|^2`` and ``|z|^2``, shapes (n, 1) and (1, m)."""
    X, Z = _moved(X, Z)
    return squared_norms(X)[:, None], squared_norms(Z)[None]


def squared_distances(X: Array, Z: Array) -> Array:
    """Return the matrix of squared Euclidean distances, shape (n, m), never negative.

    Both sets are moved by the mean of `Z` first, unless they are sparse and would not stay so: distances do not change,
    and the cancellation in ``|x|^2 + |z|^2 - 2 x.z`` is that of centred data.
    """
    X, Z = _moved(X, Z)
    r, s = squared_norms(X), squared_norms(Z)
    if X.shape[0] * Z.shape[0] >= COMPILED_FROM and not isinstance(Z, sparse.csr_array):
        D = np.ascontiguousarray(inner_products(X, Z))
        if _distances_from_products(D, r, s, CLOSE):
            _recompute(D, X, Z, np.flatnonzero(D < CLOSE * (r[:, None] + s)))
        return D
    D = r[:, None] + s[None, :]
    close = CLOSE * D
    D -= 2.0 * inner_products(X, Z)
    if not isinstance(Z, sparse.csr_array):
        _recompute(D, X, Z, np.flatnonzero(D < close))
    return np.maximum(D, 0.0, out=D)


@compiled
def _distances_from_products(D: Array, r: Array, s: Array, close: float) -> int:
    """Put ``max(r_i + s_j - 2 D_ij, 0)`` into D, in one pass, and return how many are less than a part of r_i + s_j."""
    number = 0
    for i in range(D.shape[0]):
        row, of_row = D[i], r[i]
        few = 0
        for j in range(len(row)):
            total = of_row + s[j]
            value = total - 2.0 * row[j]
            few += value < close * total
            row[j] = value if value > 0.0 else 0.0
        number += few
    return number


def _moved(X: Any, Z: Any) -> tuple[Any, Any]:
    """Return the examples around the mean of `Z`, or sparse ones as they are."""
    if isinstance(Z, sparse.csr_array):
        return X, Z
    centre = Z.mean(axis=0)
    return X - centre, Z - centre


def _recompute(D: Array, X: Array, Z: Array, pairs: NDArray[np.intp]) -> None:
    """Put the squared distances of some pairs, counted row by row, into D as sums of squares of differences."""
    step = max(1, PAIRS_BYTES // (8 * X.shape[1] or 1))
    for start in range(0, len(pairs), step):
        i, j = np.divmod(pairs[start : start + step], D.shape[1])
        D[i, j] = squared_norms(X[i] - Z[j])


def _dense(P: Any) -> Array:
    return P.toarray() if isinstance(P, sparse.csr_array) else P
