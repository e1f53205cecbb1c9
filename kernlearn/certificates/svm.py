"""The support vector machine: the value of (P) at a predictor, and of (D) at its multipliers.

::

    (P)  min_{f,b}    1/2 |f|^2 + C sum_i w_i max(0, 1 - y_i (f(x_i) + b))
    (D)  max_alpha    sum_i alpha_i - 1/2 |sum_i alpha_i y_i K(x_i, .)|^2
         subject to   sum_i alpha_i y_i = 0,   0 <= alpha_i <= C w_i

Without an intercept the sum of ``alpha_i y_i`` is free. The norm is that of one kernel, which may have been made of the
kernel that predicts and the training examples. Source: Cortes and Vapnik (1995).
"""

import numpy as np

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.outputs import EPS, Inputs, Matrix, Outputs, outputs
from kernlearn.twofold import total
from kernlearn.types import Array

#: Distance from 1 within which a margin is meant to be 1.
KINK = 1e-6


def svm(
    inputs: Inputs,
    y: Array,
    coef: Array,
    intercept: float,
    alpha: Array,
    C: float,
    *,
    weights: Array | None = None,
    bias: bool = True,
    learned: tuple[Array, Array] | None = None,
) -> Certificate:
    """Return what is proved of ``f(x) = sum_j coef_j K(x, x_j) + intercept``.

    Parameters
    ----------
    inputs : GramStack of shape (1, n, n)
    y : array of shape (n,)
        Labels +-1.
    coef : array of shape (n,)
    intercept : float
    alpha : array of shape (n,)
        It is cut to its bounds, and balanced where there is an intercept (see `balanced`).
    C : float
    weights : array of shape (n,), optional
        Factors w_i of C, by default 1.
    bias : bool
        Whether there is an intercept.
    learned : (array of shape (n, n), array of shape (n,)), optional
        The matrix of the kernel whose norm it is, and the coefficients of f in this kernel; by default the one that
        predicts, and `coef`.
    """
    bounds = C * (np.ones(len(y)) if weights is None else weights)
    f = outputs(inputs, coef[None])
    kernel: Inputs = inputs
    beta, inner = coef, f
    if learned is not None:
        kernel, beta = Matrix(learned[0]), learned[1]
        inner = outputs(kernel, beta[None])
    square, unsure = inner.inner(beta)
    signed = np.clip(alpha, 0.0, bounds) * y
    if bias:
        signed = balanced(signed)
    dual = inner if np.array_equal(signed, beta) else outputs(kernel, signed[None])
    dual_square, off = dual.inner(signed)
    lower = total(np.abs(signed)) - 0.5 * max(dual_square, 0.0)  # (D)
    zero = zero_value(y, bounds, bias)
    margins = f.plus(intercept)

    def value(stretch: float) -> tuple[float, float, float]:  # (P) of a multiple of f, and what rounding may add to it
        loss, more = hinge(margins.times(stretch), y, bounds)
        return 0.5 * stretch**2 * max(square, 0.0) + loss, 0.5 * stretch**2 * unsure + more, stretch

    objective, more, stretch = min(map(value, _stretches(margins, y)), key=lambda one: one[0] + one[1])
    rounding = counted(0.5 * off + more, objective, zero) + (imbalance(signed, inner) if bias else 0.0)
    return Certificate(objective, lower - rounding, zero, stretch=stretch)


def soft_margin(
    inputs: Inputs,
    y: Array,
    coef: Array,
    intercept: float,
    alpha: Array,
    lambda_: float,
    weights: Array | None = None,
    bias: bool = True,
) -> Certificate:
    """Return what is proved of f for ``lambda |f|^2 + 1/n sum_i w_i max(0, 1 - y_i (f(x_i) + b))``.

    Parameters are those of `svm`; alpha is in the unit of this problem.
    """
    unit = 2.0 * lambda_
    C = 1.0 / (unit * len(y))
    return svm(inputs, y, coef, intercept, alpha / unit, C, weights=weights, bias=bias).times(unit)


def _stretches(f: Outputs, y: Array) -> list[float]:
    """Return 1, and what lifts margins of 1 by what rounding may take from them.

    A loss of C for every such margin that rounding leaves below 1 may cost more than a norm that is a little larger.
    """
    margins = f.margins(y)
    kinks = np.abs(margins - 1.0) <= KINK
    least = float((margins - f.rounding)[kinks].min(initial=1.0))
    return [1.0, 1.0 / least] if 1.0 - 2.0 * KINK < least < 1.0 else [1.0]


def hinge(f: Outputs, y: Array, bounds: Array) -> tuple[float, float]:
    """Return ``sum_i c_i max(0, 1 - y_i f_i)`` for costs c_i, and what rounding may add to it.

    Errors of margins below 1 are independent of each other, and may go either way; next to 1 they only add.
    """
    losses, more = f.losses(y)
    below = losses > f.rounding
    either_way = float(np.linalg.norm((bounds * more)[below]))
    return total(bounds * losses), either_way + total((bounds * more)[~below])


def balanced(terms: Array) -> Array:
    """Return terms of any shape whose sum is 0 but for rounding: those of the heavier sign are scaled down.

    Factors are at most 1, so that multipliers stay within their bounds.
    """
    positive, negative = total(terms[terms > 0.0]), -total(terms[terms < 0.0])
    if abs(positive - negative) <= 2.0 * EPS * (positive + negative):
        return terms
    heavier = terms > 0.0 if positive > negative else terms < 0.0
    return np.where(heavier, min(positive, negative) / max(positive, negative) * terms, terms)


def imbalance(signed: Array, f: Outputs) -> float:
    """Return what the rounding of a sum of ``alpha_i y_i`` may be worth: it meets the intercept of a point of (P).

    That intercept is of the size of the outputs without it.
    """
    return abs(total(signed)) * (1.0 + float(np.abs(f.high).max(initial=0.0)))


def zero_value(y: Array, bounds: Array, bias: bool = True) -> float:
    """Return the value of (P) for ``f = 0`` and the better of two intercepts, if there is one."""
    return 2.0 * min(total(bounds[y > 0]), total(bounds[y < 0])) if bias else total(bounds)


def hard_svm(inputs: Inputs, y: Array, coef: Array, intercept: float, alpha: Array, bias: bool = True) -> Certificate:
    """Return what is proved of a separating f: bounds of ``min |f|^2`` subject to ``y_i (f(x_i) + b) >= 1``.

    These are ``|f|^2 / min_i (y_i (f(x_i) + b))^2`` and ``(sum_i alpha_i)^2 / |sum_i alpha_i y_i K(x_i, .)|^2`` for any
    ``alpha >= 0``, with ``sum_i alpha_i y_i = 0`` where there is an intercept. Of an f that does not separate, the
    objective is infinite. Parameters are those of `svm`.

    Source: Shalev-Shwartz and Ben-David (2014), (15.2), (15.3) and (15.11) without its factor 1/2.
    """
    f = outputs(inputs, coef[None])
    square, unsure = f.inner(coef)
    margins = f.plus(intercept)
    least, sure = (float((margins.margins(y) - off).min()) for off in (0.0, margins.rounding))
    signed = np.maximum(alpha, 0.0) * y
    if bias:
        signed = balanced(signed)
    dual = f if np.array_equal(signed, coef) else outputs(inputs, signed[None])
    dual_square, off = dual.inner(signed)
    slack = imbalance(signed, dual) if bias else 0.0
    sum_alpha = max(total(np.abs(signed)) - slack, 0.0)
    bound = sum_alpha / (dual_square + off) * sum_alpha if dual_square + off > 0.0 else 0.0
    if sure <= 0.0:
        return Certificate(np.inf, bound, bound)
    objective = square / least**2
    rounding = counted((square + unsure) / sure**2 - objective, objective, 0.0)
    return Certificate(objective, bound - rounding, 0.0)
