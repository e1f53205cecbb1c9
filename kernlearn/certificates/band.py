"""Machines whose outputs are kept in a band: the relative margin machine, and the machine with a Universum.

::

    (P)  min_{f,b,B}  1/2 |f|^2 + C sum_i w_i max(0, 1 - y_i (f(x_i) + b))
                      + sum_j c_j max(0, |f(x_j) + b| - B) + D B
    (D)  max_u        sum_i alpha_i - B sum_j (l_j + l*_j) - 1/2 |sum_j u_j K(x_j, .)|^2
         subject to   u = alpha y - l + l*,   sum_j u_j = 0,   0 <= alpha_i <= C w_i,   0 <= l_j, l*_j <= c_j

B is given and costs nothing, or it is free from 1 on at the price D: then ``D - sum_j (l_j + l*_j) >= 0`` stands in the
place of the second sum. Outputs with an infinite cost stay in the band. Sources: Shivaswamy (2010), (2.8) to (2.12);
Weston, Collobert, Sinz, Bottou and Vapnik (2006).
"""

import numpy as np

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.outputs import Inputs, Outputs, outputs
from kernlearn.certificates.svm import balanced, hinge, imbalance
from kernlearn.twofold import total
from kernlearn.types import Array


def band(
    inputs: Inputs,
    y: Array,
    coef: Array,
    intercept: float,
    multipliers: Array,
    C: float,
    B: float,
    *,
    costs: Array | float = np.inf,
    price: float | None = None,
    weights: Array | None = None,
) -> Certificate:
    """Return what is proved of ``f(x) = sum_j coef_j K(x, x_j) + intercept``.

    Of a band that must not be left, this holds of the largest multiple of f, at most f itself, that keeps to it: see
    `Certificate.stretch`.

    Parameters
    ----------
    inputs : GramStack of shape (1, n, n)
    y : array of shape (m,)
        Labels +-1 of the first m examples; the others have none.
    coef : array of shape (n,)
    intercept : float
    multipliers : array of shape (3, n)
        alpha, l and l*; they are cut to their bounds, and balanced (see `kernlearn.certificates.svm.balanced`).
    C, B : float
    costs : array of shape (n,), or float
        The c_j.
    price : float, optional
        D, where B is free.
    weights : array of shape (m,), optional
        Factors w_i of C, by default 1.
    """
    n, D = len(coef), 0.0 if price is None else price
    bounds = np.zeros(n)
    bounds[: len(y)] = C * (np.ones(len(y)) if weights is None else weights)
    signs = np.append(y, np.ones(n - len(y)))
    costs = np.broadcast_to(np.asarray(costs, dtype=np.float64), n)
    hard, soft = np.isinf(costs), np.where(np.isinf(costs), 0.0, costs)
    expansion = outputs(inputs, coef[None])
    square, unsure = expansion.inner(coef)
    f = expansion.plus(intercept)
    widest = float(f.largest()[hard].max(initial=0.0))
    if price is not None:
        B = max(B, widest)
    shrink = min(1.0, B / widest) if widest > 0.0 else 1.0
    f = f.times(shrink)
    loss, more = hinge(f, signs, bounds)
    beyond, above = f.beyond(B)
    objective = 0.5 * shrink**2 * max(square, 0.0) + loss + total(soft * beyond) + D * B  # (P)
    more += total(soft * above) + 0.5 * shrink**2 * unsure
    alpha = np.clip(multipliers[0], 0.0, bounds)
    outer = np.clip(multipliers[1:], 0.0, costs)
    if price is not None and (largest := total(outer.ravel())) > D:
        outer = outer * (D / largest)
    terms = balanced(np.stack([signs * alpha, -outer[0], outer[1]]))
    alpha, outer = np.abs(terms[0]), np.abs(terms[1:])
    u = terms.sum(axis=0)
    dual = expansion if np.array_equal(u, coef) else outputs(inputs, u[None])
    dual_square, off = dual.inner(u)
    outside = total(outer.ravel())
    linear = total(alpha) - (B * outside if price is None else outside - D)
    lower = linear - 0.5 * max(dual_square, 0.0)  # (D)
    zero = _zero_value(signs, bounds, soft, bool(hard.any()), B if price is None else 1.0) + D
    rounding = counted(more + 0.5 * off, objective, zero) + imbalance(u, dual)
    return Certificate(objective, lower - rounding, zero, stretch=shrink)


def _zero_value(y: Array, bounds: Array, soft: Array, hard: bool, B: float) -> float:
    """Return the value of (P) for ``f = 0`` and the best of the intercepts 0, 1 and -1, without the price of B."""
    nothing = Outputs(np.zeros(len(y)), np.zeros(len(y)), np.zeros(len(y)))
    allowed = [b for b in (0.0, 1.0, -1.0) if abs(b) <= B or not hard]
    return min(hinge(nothing.plus(b), y, bounds)[0] + total(soft) * max(0.0, abs(b) - B) for b in allowed)
