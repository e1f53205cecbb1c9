"""The SVM of several classes at once with weighed kernels: the value of (P) at a predictor, and of (D) at a dual point.

::

    (P)  min_{mu >= 0, ||(t_k mu_k)_k||_p <= 1}  min_w  1/2 sum_kc |w_kc|^2 / mu_k + C sum_i c_i xi_i ,
               xi_i = max_c ( [c != y_i] + f_c(x_i) - f_{y_i}(x_i) )
    (D)  max_A   sum_i A_{i,y_i} - 1/2 || (tr(A' K_k A) / t_k)_k ||_q ,   1/p + 1/q = 1
         subject to   A_{i,y_i} <= C c_i,   A_ic <= 0 for c != y_i,   sum_c A_ic = 0

Sources: Kloft, Brefeld, Sonnenburg and Zien (2011); Crammer and Singer (2001); Cortes, Kloft and Mohri (2013), section
5. Of two classes the predictor is ``f_1 - f_0``, with ``f_0 = -f_1``.
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.kernel_weights import Stack, dual_norm, norm_of, squared_norm, squares, violation_of
from kernlearn.certificates.outputs import Outputs, outputs
from kernlearn.twofold import add, total
from kernlearn.types import Array


def weighted_multiclass(
    inputs: Stack,
    y: NDArray[np.integer],
    coef: Array,
    intercept: Array,
    mu: Array,
    A: Array,
    C: float,
    sizes: Array,
    norm: float,
    *,
    centred: bool,
    weights: Array | None = None,
) -> Certificate:
    """Return what is proved of ``f_c(x) = sum_kj coef_ckj K_k(x, x_j) + intercept_c``.

    Parameters
    ----------
    inputs : GramStack of shape (p, n, n), or FeatureStack
        The kernels as given.
    y : integer array of shape (n,)
        Classes 0, 1, ...
    coef : array of shape (n_outputs, p, n), or (n_outputs, D)
        One output of two classes, one for every class otherwise; see `kernlearn.certificates.kernel_weights`.
    intercept : array of shape (n_outputs,)
        What centring the kernels has left.
    mu, sizes : arrays of shape (p,)
    A : array of shape (n, n_classes)
        It is cut to its bounds.
    C, norm : float
    centred : bool
        Whether the problem is that of the kernels centred in feature space.
    weights : array of shape (n,), optional
        Factors c_i of C, by default 1.
    """
    rows, weights = np.arange(len(y)), np.ones(len(y)) if weights is None else weights
    costs = C * weights
    expansions = [outputs(inputs, one) for one in coef]
    norms = [squared_norm(inputs, one, mu, f) for one, f in zip(coef, expansions, strict=True)]
    share = 0.5 if len(coef) == 1 else 1.0  # of f_1 - f_0, twice either
    square, unsure = (share * sum(each) for each in zip(*norms, strict=True))
    F = [f.plus(b) for f, b in zip(expansions, intercept.tolist(), strict=True)]
    losses, more, _ = margins_of_classes(F, y)
    dual = np.where(np.arange(A.shape[1]) == y[:, None], 0.0, np.minimum(A, 0.0))
    dual *= (costs / np.maximum(-dual.sum(axis=1), costs))[:, None]
    dual[rows, y] = -dual.sum(axis=1)
    columns = dual - dual.mean(axis=0) if centred else dual
    each = [squares(inputs, np.ascontiguousarray(column)) for column in columns.T]
    values, off = (np.sum(parts, axis=0) for parts in zip(*each, strict=True))
    q = dual_norm(norm)
    lower = total(dual[rows, y]) - 0.5 * norm_of(values / sizes, q)  # (D)
    objective, zero = 0.5 * square + C * total(weights * losses), C * total(weights)  # (P)
    rounding = counted(0.5 * (unsure + norm_of(off / sizes, q)) + C * total(weights * more), objective, zero)
    return Certificate(objective, lower - rounding, zero, violation_of(sizes * mu, norm))


def margins_of_classes(F: list[Outputs], y: NDArray[np.integer]) -> tuple[Array, Array, Array]:
    """Return the losses xi_i, what rounding may add to each, and the largest ``|f_{y_i} - f_c|`` of each, rounded up.

    Of two classes the only output is ``f_1 - f_0``.

    Parameters
    ----------
    F : list of Outputs
        Of n examples each: one of two classes, one for every class otherwise.
    y : integer array of shape (n,)

    Returns
    -------
    losses, more, widest : arrays of shape (n,)
    """
    rows = np.arange(len(y))
    if len(F) == 1:
        losses, more = F[0].losses(np.where(y == 1, 1.0, -1.0))
        return losses, more, F[0].largest()
    high, low, rounding = (np.stack([getattr(f, name) for f in F]) for name in Outputs._fields)
    own_high, own_low, own_rounding = (values[y, rows] for values in (high, low, rounding))
    above = np.zeros(high.shape)
    for c in range(len(F)):
        difference, rest = high[c].copy(), low[c] - own_low
        add(difference, rest, -own_high)
        above[c] = difference + rest
    others = np.arange(len(F))[:, None] != y
    unsure = np.where(others, rounding + own_rounding, 0.0)
    losses = np.maximum((above + others).max(axis=0), 0.0)
    more = np.maximum((above + others + unsure).max(axis=0), 0.0) - losses
    return losses, more, (np.abs(above) + unsure).max(axis=0)
