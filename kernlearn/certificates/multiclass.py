"""The SVM of several classes at once, of several kernels: the value of (P) at a predictor, and of (D) at a dual point.

With weights mu of the kernels (`weighted_multiclass`)::

    (P)  min_{mu >= 0, ||(t_k mu_k)_k||_p <= 1}  min_w  1/2 sum_kc |w_kc|^2 / mu_k + C sum_i c_i xi_i ,
               xi_i = max_c ( [c != y_i] + f_c(x_i) - f_{y_i}(x_i) )
    (D)  max_A   sum_i A_{i,y_i} - 1/2 || (tr(A' K_k A) / t_k)_k ||_q ,   1/p + 1/q = 1
         subject to   A_{i,y_i} <= C c_i,   A_ic <= 0 for c != y_i,   sum_c A_ic = 0

With a norm over the kernels (`group_norm_multiclass`), of ``||w||_{2,p} = (sum_k |w_k|^p)^(1/p)``::

    (P)  min_w   lambda/2 ||w||_{2,p}^2 + alpha ||w||_{2,1} + 1/n sum_i c_i xi_i
    (D)  max_A   sum_i A_{i,y_i} - 1/(2 lambda) || (max(0, |theta_k| - alpha))_k ||_q^2 ,
                 |theta_k|^2 = tr(A' K_k A) / t_k ,   1/p + 1/q = 1 ,   subject to the same with 1/n in the place of C

The second line of (D) is the Fenchel conjugate of the two norms: that of ``alpha ||.||_{2,1}`` is the indicator of
``|theta_k| <= alpha``, that of ``lambda/2 ||.||_{2,p}^2`` is ``1/(2 lambda) ||.||_{2,q}^2``, and that of a sum is the
least sum of the two over all ways to split theta, where every block gives up to alpha to the first.

Sources: Kloft, Brefeld, Sonnenburg and Zien (2011); Crammer and Singer (2001); Cortes, Kloft and Mohri (2013), section
5; Orabona and Luo (2011). Of two classes the predictor is ``f_1 - f_0``, with ``f_0 = -f_1``.
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.kernel_weights import Stack, dual_norm, norm_of, squared_norm, squares, violation_of
from kernlearn.certificates.outputs import Outputs, outputs
from kernlearn.kernels import FeatureStack
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
    weights = np.ones(len(y)) if weights is None else weights
    expansions = [outputs(inputs, one) for one in coef]
    norms = [squared_norm(inputs, one, mu, f) for one, f in zip(coef, expansions, strict=True)]
    square, unsure = (_share(coef) * sum(each) for each in zip(*norms, strict=True))
    losses, more, _ = margins_of_classes(_with(expansions, intercept), y)
    dual, values, off = _feasible(inputs, y, A, C * weights, centred)
    q = dual_norm(norm)
    lower = dual - 0.5 * norm_of(values / sizes, q)  # (D)
    objective, zero = 0.5 * square + C * total(weights * losses), C * total(weights)  # (P)
    rounding = counted(0.5 * (unsure + norm_of(off / sizes, q)) + C * total(weights * more), objective, zero)
    return Certificate(objective, lower - rounding, zero, violation_of(sizes * mu, norm))


def group_norm_multiclass(
    inputs: Stack,
    y: NDArray[np.integer],
    coef: Array,
    intercept: Array,
    A: Array,
    lambda_: float,
    alpha: float,
    sizes: Array,
    *,
    centred: bool,
    weights: Array | None = None,
) -> Certificate:
    """Return what is proved of ``f_c(x) = sum_kj coef_ckj K_k(x, x_j) + intercept_c`` with a norm over the kernels.

    Its p follows from the number of kernels, see `group_exponent`. Other parameters are those of `weighted_multiclass`.

    Parameters
    ----------
    lambda_ : float > 0
    alpha : float >= 0
    """
    n = len(y)
    weights = np.ones(n) if weights is None else weights
    q = group_exponent(len(inputs))
    squared = [_squared_parts(inputs, one) for one in coef]
    own, unsure = (_share(coef) * sizes * np.sum(parts, axis=0) for parts in zip(*squared, strict=True))
    losses, more, _ = margins_of_classes(_with([outputs(inputs, one) for one in coef], intercept), y)
    dual, values, off = _feasible(inputs, y, A, weights / n, centred)
    lower = dual - group_conjugate(np.sqrt(values / sizes), lambda_, alpha, q)  # (D)
    penalty, zero = group_penalty(np.sqrt(own), lambda_, alpha, q), total(weights) / n
    objective = penalty + total(weights * losses) / n  # (P)
    rounding = group_penalty(np.sqrt(own + unsure), lambda_, alpha, q) - penalty + total(weights * more) / n
    rounding += group_conjugate(np.sqrt((values + off) / sizes), lambda_, alpha, q) - (dual - lower)
    return Certificate(objective, lower - counted(rounding, objective, zero), zero)


def group_exponent(p: int) -> float:
    """Return the q of p kernels, ``2 log p``: the p of the norm is ``q / (q - 1)``. It is 2 of two kernels and of one.

    There ``2 log p`` is below 2, and the square of the norm would not be strongly convex.
    """
    return max(2.0, 2.0 * float(np.log(p)))


def group_penalty(norms: Array, lambda_: float, alpha: float, q: float) -> float:
    """Return ``lambda/2 ||w||_{2,p}^2 + alpha ||w||_{2,1}`` of blocks with norms ``|w_k|``, shape (p,)."""
    return 0.5 * lambda_ * norm_of(norms, q / (q - 1.0)) ** 2 + alpha * total(norms)


def group_conjugate(norms: Array, lambda_: float, alpha: float, q: float) -> float:
    """Return the Fenchel conjugate of `group_penalty` at blocks with norms ``|theta_k|``, shape (p,)."""
    return 0.5 * norm_of(np.maximum(norms - alpha, 0.0), q) ** 2 / lambda_


def _share(coef: Array) -> float:
    """Return the part of the squared norm of the outputs that counts: the only one of two classes is twice either."""
    return 0.5 if len(coef) == 1 else 1.0


def _with(expansions: list[Outputs], intercept: Array) -> list[Outputs]:
    return [f.plus(b) for f, b in zip(expansions, intercept.tolist(), strict=True)]


def _feasible(
    inputs: Stack, y: NDArray[np.integer], A: Array, costs: Array, centred: bool
) -> tuple[float, Array, Array]:
    """Return ``sum_i A_{i,y_i}`` and ``tr(A' K_k A)`` of A cut to its bounds, and what rounding may be worth in these.

    Parameters
    ----------
    costs : array of shape (n,)
        The bounds of ``A_{i,y_i}``.
    """
    rows = np.arange(len(y))
    dual = np.where(np.arange(A.shape[1]) == y[:, None], 0.0, np.minimum(A, 0.0))
    dual *= (costs / np.maximum(-dual.sum(axis=1), costs))[:, None]
    dual[rows, y] = -dual.sum(axis=1)
    columns = dual - dual.mean(axis=0) if centred else dual
    each = [squares(inputs, np.ascontiguousarray(column)) for column in columns.T]
    values, off = (np.sum(parts, axis=0) for parts in zip(*each, strict=True))
    return total(dual[rows, y]), values, off


def _squared_parts(inputs: Stack, coef: Array) -> tuple[Array, Array]:
    """Return ``|f_k|^2`` of the part of an output in every kernel, and what rounding may be worth, shapes (p,)."""
    if isinstance(inputs, FeatureStack):
        return np.bincount(inputs.groups, coef**2, len(inputs)).astype(np.float64), np.zeros(len(inputs))
    parts = [outputs(inputs.select(k), coef[[k]]).inner(coef[k]) for k in range(len(inputs))]
    values, off = np.array(parts).T
    return np.maximum(values, 0.0), off


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
