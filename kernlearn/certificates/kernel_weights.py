"""Kernels weighed together with an SVM: the value of (P) at a predictor, and of (D) at its multipliers.

::

    (P)  min_{mu >= 0, ||(t_k mu_k)_k||_p <= 1}  min_{w,b}  1/2 sum_k |w_k|^2 / mu_k
                                                            + C sum_i c_i max(0, 1 - y_i (sum_k w_k.phi_k(x_i) + b))
    (D)  max_alpha  sum_i alpha_i - 1/2 || (beta' K_k beta / t_k)_k ||_q ,   beta = alpha o y ,   1/p + 1/q = 1
         subject to  sum_i beta_i = 0,  0 <= alpha_i <= C c_i

Sources: Kloft, Brefeld, Sonnenburg and Zien (2011); of sizes t_k that are tails of spectra, Cortes, Kloft and Mohri
(2013), section 4.1.
"""

import numpy as np

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.outputs import EPS, Outputs, outputs
from kernlearn.certificates.svm import balanced, hinge, imbalance, zero_value
from kernlearn.kernels import FeatureStack, GramStack, KernelStack
from kernlearn.twofold import total
from kernlearn.types import Array

Stack = GramStack | FeatureStack
#: Coefficients of several kernels that are one vector times their weights are so up to this part of the largest.
SAME = 16.0 * EPS
#: The least tail of a kernel as a part of its trace. A kernel of rank at most theta has none, so that no bound on the
#: weights would bound its own.
FLOOR = 1e-6


def weighted_svm(
    inputs: Stack,
    y: Array,
    coef: Array,
    intercept: float,
    mu: Array,
    alpha: Array,
    C: float,
    sizes: Array | None = None,
    norm: float = 1.0,
    *,
    weights: Array | None = None,
) -> Certificate:
    """Return what is proved of ``f(x) = sum_kj coef_kj K_k(x, x_j) + intercept``.

    Parameters
    ----------
    inputs : GramStack of shape (p, n, n), or FeatureStack
        The kernels as given.
    y : array of shape (n,)
        Labels +-1.
    coef : array of shape (p, n), or (D,)
        ``mu_k beta_j``, of centred kernels those of the kernels as given; where kernels are features, their weights.
    intercept : float
    mu : array of shape (p,)
        Weights of the kernels as given.
    alpha : array of shape (n,)
        It is cut to its bounds, and balanced (see `kernlearn.certificates.svm.balanced`).
    C : float
    sizes : array of shape (p,), optional
        The t_k; without them mu is given, and the problem is the SVM with ``sum_k mu_k K_k``.
    norm : float
        The p of the norm.
    weights : array of shape (n,), optional
        Factors c_i of C, by default 1.
    """
    bounds = C * (np.ones(len(y)) if weights is None else weights)
    f = outputs(inputs, coef)
    square, unsure = squared_norm(inputs, coef, mu, f)
    loss, more = hinge(f.plus(intercept), y, bounds)
    signed = balanced(np.clip(alpha, 0.0, bounds) * y)
    if sizes is None:
        dual_square, off = combined_square(inputs, mu, signed)
    else:
        dual_square, off = (norm_of(each / sizes, dual_norm(norm)) for each in squares(inputs, signed))
    lower = total(np.abs(signed)) - 0.5 * dual_square  # (D)
    objective, zero = 0.5 * square + loss, zero_value(y, bounds)  # (P)
    rounding = counted(0.5 * (unsure + off) + more, objective, zero) + imbalance(signed, f)
    return Certificate(objective, lower - rounding, zero, 0.0 if sizes is None else violation_of(sizes * mu, norm))


def tail_sizes(stack: KernelStack, tails: Array) -> Array:
    """Return the tails as sizes t_k: at least `FLOOR` of the trace, and 1 for a kernel that is zero, shape (p,)."""
    traces = stack.traces()
    return np.where(traces > 0, np.maximum(tails, FLOOR * traces), 1.0)


def violation_of(weights: Array, norm: float) -> float:
    """Return by how much weights ``t_k mu_k`` are below 0, or their norm is above 1."""
    return max(0.0, norm_of(np.abs(weights), norm) - 1.0, float(-weights.min()))


def squared_norm(inputs: Stack, coef: Array, mu: Array, f: Outputs) -> tuple[float, float]:
    """Return ``sum_k |w_k|^2 / mu_k`` of coefficients with the outputs f, and what rounding may be worth.

    Where ``w_k`` is ``mu_k`` times one vector for all k, its square is that of this vector, by the outputs. It is
    infinite where a kernel without a weight has a coefficient.
    """
    weights = mu[inputs.groups] if isinstance(inputs, FeatureStack) else mu
    used = weights != 0.0
    if coef[~used].any():
        return np.inf, 0.0
    if isinstance(inputs, FeatureStack):
        return total(coef[used] ** 2 / weights[used]), 0.0
    if not used.any():
        return 0.0, 0.0
    heaviest = int(np.argmax(np.abs(mu)))
    beta = coef[heaviest] / mu[heaviest]
    if is_outer(coef, mu, beta):
        square, unsure = f.inner(beta)
        return max(square, 0.0), unsure
    each = [outputs(inputs.select(k), coef[[k]]).inner(coef[k] / mu[k]) for k in np.flatnonzero(used).tolist()]
    square, unsure = np.sum(each, axis=0).tolist()
    return square, unsure


def is_outer(coef: Array, mu: Array, beta: Array) -> bool:
    """Return whether coefficients of every kernel are its weight times a vector, but for rounding."""
    off = np.abs(coef - np.outer(mu, beta)).max(axis=1)
    return bool((off <= SAME * np.abs(coef).max(axis=1)).all())


def squares(inputs: Stack, beta: Array) -> tuple[Array, Array]:
    """Return ``beta' K_k beta`` for every kernel, and what rounding may be worth, shapes (p,)."""
    if isinstance(inputs, FeatureStack):
        projected = inputs.project(beta)
        off = 2.0 * EPS * len(beta) ** 0.5 * (abs(inputs.V).T @ np.abs(beta))
        values, more = projected**2, 2.0 * np.abs(projected) * off + off**2
        sums = (np.bincount(inputs.groups, each, len(inputs)).astype(np.float64) for each in (values, more))
        values, more = sums
        return values, more
    found = [outputs(inputs.select(k), beta[None]).inner(beta) for k in range(len(inputs))]
    values, off = np.array(found).T
    return np.maximum(values, 0.0), off


def combined_square(inputs: Stack, mu: Array, beta: Array) -> tuple[float, float]:
    """Return ``beta' (sum_k mu_k K_k) beta``, and what rounding may be worth."""
    if isinstance(inputs, FeatureStack):
        values, off = squares(inputs, beta)
        return float(mu @ values), float(np.abs(mu) @ off)
    value, unsure = outputs(inputs, np.outer(mu, beta)).inner(beta)
    return max(value, 0.0), unsure


def dual_norm(p: float) -> float:
    """Return q with ``1/p + 1/q = 1``."""
    return 1.0 if np.isinf(p) else np.inf if p == 1.0 else p / (p - 1.0)


def norm_of(values: Array, p: float) -> float:
    """Return the p norm of values that are not negative, whatever their size."""
    largest = float(values.max(initial=0.0))
    return largest * float(np.linalg.norm(values / largest, p)) if largest > 0.0 else 0.0
