"""As few columns as their values have dimensions: of a linear kernel no more than there are features.

Interior points give coefficients to all columns that are as good as each other, however much they depend on each other.
Along a combination of columns that is 0 no margin changes: one goes in the direction in which the penalty does not rise
until a coefficient is 0. At the end columns are independent, as those of a vertex are (Carathéodory).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, svd

from kernlearn.types import Array

#: Dimensions up to which they are looked for, in so many random combinations of the examples.
MAX_RANK = 256
#: Singular values below this part of the largest count as 0, and so do entries of a combination of columns.
RANK, ROUNDING = 1e-10, 1e-12
#: Columns whose values are there at a time.
CHUNK = 256


def with_few_columns(take: Callable[[slice], Array], m: int, t: Array, a: Array) -> Array:
    """Return coefficients with the same margins, and ``sum_q t_q |a_q|`` no larger, of independent columns.

    They are `a` itself if the columns are independent, or span more than `MAX_RANK` dimensions.

    Parameters
    ----------
    take : callable
        ``take(some)`` returns the values of a slice of the N columns as rows, shape (len, m).
    t : array of shape (N,)
        Penalties >= 0.
    a : array of shape (N,)
    """
    n, most = len(a), min(len(a) - 1, MAX_RANK)
    if most < 1:
        return a
    chunks = (take(slice(start, start + CHUNK)) for start in range(0, n, CHUNK))
    if m > most:
        mix = np.random.default_rng(0).standard_normal((m, most + 1))
        chunks = (values @ mix for values in chunks)
    U, sizes, _ = svd(np.concatenate([*chunks]), full_matrices=False, check_finite=False)
    rank = int((sizes > RANK * sizes[0]).sum())
    if rank > most:
        return a
    a, U = a.copy(), U[:, :rank]
    while len(some := np.flatnonzero(a)[: 2 * rank + 1]) > rank:
        fewer = _reduced(U[some], t[some], a[some])
        if fewer.all():
            break
        a[some] = fewer
    return a


def _reduced(U: Array, t: Array, a: Array) -> Array:
    """Return coefficients with the same ``U'a`` and no larger penalty, of which as many are not 0 as U has columns."""
    null: NDArray[np.floating] = qr(U, check_finite=False)[0][:, U.shape[1] :]
    while null.shape[1]:
        z = np.where(np.abs(null[:, 0]) > ROUNDING * np.abs(null[:, 0]).max(), null[:, 0], 0.0)
        if (t * np.sign(a)) @ z > 0.0 or not (a * z < 0.0).any():  # the second without penalties
            z = -z
        shrinks = np.flatnonzero(a * z < 0.0)
        if not len(shrinks):
            break
        ratios = -a[shrinks] / z[shrinks]
        first = shrinks[ratios.argmin()]
        a = a + ratios.min() * z
        a[first] = 0.0
        pivot = int(np.abs(null[first]).argmax())
        null = np.delete(null - np.outer(null[:, pivot] / null[first, pivot], null[first]), pivot, axis=1)
        null[first] = 0.0
    return a
