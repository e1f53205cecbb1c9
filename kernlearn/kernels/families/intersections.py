# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Kernels that count what two examples have in common: numbers up to both, and items in both.

Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, chapter 16, exercises 4 and 5.
"""

from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.compiled import compiled
from kernlearn.errors import UserError
from kernlearn.kernels.core.choice import KernelChoice
from kernlearn.kernels.core.family import KernelFamily, same
from kernlearn.types import Array


def minimum() -> KernelFamily:
    """Min kernel ``K(x, z) = sum_j min(x_j, z_j)`` on features >= 0; a single kernel.

    On a single whole number it is that of the textbook, ``min(x, z) = <psi(x), psi(z)>`` with ``psi(x)`` the indicator
    of {1, ..., x}; of several features the maps stand side by side. On histograms it is also called the histogram
    intersection kernel. Numbers that are not whole have the indicator of the interval [0, x], and the same kernel.
    """
    return KernelFamily("min", ({},), sums_of_minima, same)


def basket() -> KernelFamily:
    """Basket kernel ``K(x, z) = |x & z|``, the number of items in both baskets; a single kernel.

    An item is in a basket if its feature is not 0. The cost depends on how many items the baskets have, not on how many
    there are to choose from.
    """
    return KernelFamily("basket", ({},), common_items, same)


def sums_of_minima(X: Any, Z: Any) -> Array:
    """Return ``sum_j min(x_j, z_j)``, shape (n, m), of examples that may be sparse.

    Raises `UserError` if a feature is negative.
    """
    x, z = _rows("min", X, Z)
    columns, K = z.tocsc(), np.zeros((X.shape[0], Z.shape[0]))
    _add_minima(x.indptr, x.indices, x.data, columns.indptr, columns.indices, columns.data, K)
    return K


def common_items(X: Any, Z: Any) -> Array:
    """Return the number of features that are not 0 in both, shape (n, m), of examples that may be sparse.

    Raises `UserError` if a feature is negative.
    """
    x, z = _rows("basket", X, Z)
    x.data, z.data = (x.data != 0).astype(np.float64), (z.data != 0).astype(np.float64)
    return np.asarray((x @ z.T).toarray())


def _rows(kernel: str, X: Any, Z: Any) -> tuple[Any, Any]:
    """Return examples as sparse rows, of the features alone that some of them have: of many, few."""
    rows = [_summed(sparse.csr_array(A)) for A in (X, Z)]
    low = min(A.data.min(initial=0.0) for A in rows)
    if low < 0:
        raise UserError(
            f"kernel={kernel}: takes features >= 0 and found the value {low:g}; use it on such data with "
            "scaling=none, unit or minmax"
        )
    names, places = np.unique(np.concatenate([A.indices for A in rows]), return_inverse=True)
    x, z = (
        sparse.csr_array((A.data, part, A.indptr), shape=(A.shape[0], len(names)))
        for A, part in zip(rows, np.split(places, [rows[0].nnz]), strict=True)
    )
    return x, z


def _summed(A: Any) -> Any:
    """Return sparse rows where every feature stands once, as the sum of what is there; the given ones stay."""
    if not A.has_canonical_format:
        A = A.copy()
        A.sum_duplicates()
    return A


@compiled
def _add_minima(row_ends, features, values, column_ends, examples, entries, K):
    """Add ``min(x_j, z_j)`` for every feature j that is not 0 in x, a row, and in z, where columns have the z."""
    for i in range(len(K)):
        total = K[i]
        for s in range(row_ends[i], row_ends[i + 1]):
            value = values[s]
            for t in range(column_ends[features[s]], column_ends[features[s] + 1]):
                total[examples[t]] += min(value, entries[t])


KERNELS = {"min": KernelChoice(minimum, {}), "basket": KernelChoice(basket, {})}
