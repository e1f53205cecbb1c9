"""As few columns as their values have dimensions: of a linear kernel no more than there are features.

Interior points give coefficients to all columns that are as good as each other, however much they depend on each other.
Along a combination of columns that is 0 no margin changes: one goes in the direction in which the penalty does not rise
until a coefficient is 0. At the end columns are independent, as those of a vertex are (Carathéodory).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, svd

Array = NDArray[np.float64]

#: Dimensions up to which they are looked for, in so many random combinations of the examples.
MOST = 256
#: Singular values below this part of the largest count as 0.
RANK = 1e-10


def with_few_columns(G: Array, t: Array, a: Array) -> Array:
    """Return coefficients with the same margins ``G'a``, and ``sum_q t_q |a_q|`` no larger, of independent columns.

    They are `a` itself if the columns, which are rows of G, span more than ``min(N / 2, MOST)`` dimensions.

    Parameters
    ----------
    G : array of shape (N, m)
    t : array of shape (N,)
        Penalties >= 0.
    a : array of shape (N,)
    """
    most = min(len(G) // 2, MOST)
    if G.shape[1] <= most:
        sketch = G
    else:
        sketch = G @ np.random.default_rng(0).standard_normal((G.shape[1], most + 1))
    U, sizes, _ = svd(sketch, full_matrices=False, check_finite=False)
    rank = int((sizes > RANK * sizes.max(initial=0.0)).sum())
    if rank > most:
        return a
    a, U = a.copy(), U[:, :rank]
    while len(some := np.flatnonzero(a)[: 2 * rank + 1]) > rank:
        a[some] = _reduced(U[some], t[some], a[some])
    return a


def _reduced(U: Array, t: Array, a: Array) -> Array:
    """Return coefficients with the same ``U'a`` and no larger penalty, of which as many are not 0 as U has columns."""
    rank = U.shape[1]
    null: NDArray[np.floating] = qr(U, check_finite=False)[0][:, rank:]
    while null.shape[1]:
        z = null[:, 0]
        if (t * np.sign(a)) @ z > 0.0 or not (a * z < 0.0).any():  # the second without penalties
            z = -z
        shrinks = np.flatnonzero(a * z < 0.0)
        ratios = -a[shrinks] / z[shrinks]
        first = shrinks[ratios.argmin()]
        a = a + ratios.min() * z
        a[first] = 0.0
        pivot = int(np.abs(null[first]).argmax())
        null = np.delete(null - np.outer(null[:, pivot] / null[first, pivot], null[first]), pivot, axis=1)
        null[first] = 0.0
    return a
