"""The support vector machine: the value of (P) at a predictor, and of (D) at its multipliers.

::

    (P)  min_{f,b}    1/2 |f|^2 + C sum_i w_i max(0, 1 - y_i (f(x_i) + b))
    (D)  max_alpha    sum_i alpha_i - 1/2 |sum_i alpha_i y_i K(x_i, .)|^2
         subject to   sum_i alpha_i y_i = 0,   0 <= alpha_i <= C w_i

Without an intercept the sum of ``alpha_i y_i`` is free. K is one kernel, or ``sum_k mu_k K_k`` with fixed weights.
Source: Cortes and Vapnik (1995).
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import Inputs, Outputs, outputs
from kernlearn.certificates.twofold import total

Array = NDArray[np.float64]


def svm(
    inputs: Inputs,
    y: Array,
    coef: Array,
    intercept: float,
    alpha: Array,
    C: float,
    *,
    weights: Array | None = None,
    mu: Array | None = None,
    bias: bool = True,
) -> Certificate:
    """Return what is proved of ``f(x) = sum_kj coef_kj K_k(x, x_j) + intercept``.

    Parameters
    ----------
    inputs : GramStack of shape (p, n, n)
    y : array of shape (n,)
        Labels +-1.
    coef : array of shape (p, n)
        ``mu_k beta_j``.
    intercept : float
    alpha : array of shape (n,)
        Clipped to its bounds.
    C : float
    weights : array of shape (n,), optional
        Factors w_i of C, by default 1.
    mu : array of shape (p,), optional
        Weights of the kernels, by default 1 for the only one.
    bias : bool
        Whether there is an intercept.
    """
    bounds = C * (np.ones(len(y)) if weights is None else weights)
    mu = np.ones(1) if mu is None else mu
    heaviest = int(np.argmax(np.abs(mu)))
    beta = coef[heaviest] / mu[heaviest] if mu[heaviest] else np.zeros(len(y))
    f = outputs(inputs, coef)
    square, unsure = f.inner(beta)
    losses, more = f.plus(intercept).losses(y)
    objective = 0.5 * max(square, 0.0) + total(bounds * losses)  # (P)
    unsure = 0.5 * unsure + total(bounds * more)
    lower, off = dual_value(inputs, y, alpha, bounds, mu, beta, f, bias)
    zero = 2.0 * min(total(bounds[y > 0]), total(bounds[y < 0])) if bias else total(bounds)
    return Certificate(objective, lower - off - unsure, zero)


def dual_value(
    inputs: Inputs, y: Array, alpha: Array, bounds: Array, mu: Array, beta: Array, f: Outputs, bias: bool
) -> tuple[float, float]:
    """Return (D) at alpha, cut to its bounds, and what rounding may be worth; f are the outputs of `beta`."""
    alpha = np.clip(alpha, 0.0, bounds)
    signed = alpha * y
    if not np.array_equal(signed, beta):
        f = outputs(inputs, np.outer(mu, signed))
    square, unsure = f.inner(signed)
    unsure *= 0.5
    if bias:  # a sum that is not 0 meets the intercept of any point of (P), of the size of its outputs
        unsure += abs(total(signed)) * (1.0 + float(np.abs(f.high).max(initial=0.0)))
    return total(alpha) - 0.5 * max(square, 0.0), unsure  # (D)
