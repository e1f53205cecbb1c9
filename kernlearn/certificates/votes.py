"""Votes ``f(x) = sum_r a_r G_r(x)``, ``G_r(x) = +-1``: losses of boosting, and soft margins of weighted votes.

Boosting chooses one vote after another. What is proved of it is that the weight of its last vote is the best there is
for it, of at most `reach` in absolute value: of `last_round` with ``e_i = exp(-y_i f(x_i))`` and counts c_i of the
examples, n their sum, and of `last_soft_round` with the influence h_i that examples have had::

    min_a  m^2 + lambda (sum_i c_i e_i^2 / n - m^2) ,   m = sum_i c_i e_i / n                       (6.8), over n^2
    min_a  sum_i c_i exp(-y_i f(x_i) - C h_i) / n

Whether other votes would be better is not said. Where the last vote has every example right, it is infinite weight that
these want: their infimum is 0, which no vote attains (`SEPARABLE`).

`soft_margin` and `norm` are problems of all weights at once, of votes that are given::

    (P1)  min_{a, rho}  1 - rho + sum_i u_i max(0, rho - y_i f(x_i))   subject to  a >= 0,  sum_s a_s = 1
    (D1)  max_v         1 - max_s sum_i v_i y_i G_s(x_i)               subject to  0 <= v <= u,  sum_i v_i = 1
    (P2)  min_a         |a|^2 + sum_i u_i max(0, 1 - y_i f(x_i))       subject to  a >= 0
    (D2)  max_v         sum_i v_i - 1/4 sum_s max(0, e_s)^2            subject to  0 <= v <= u,
          e_s = sum_i v_i y_i G_s(x_i)

Sources: Shivaswamy (2010), chapter 6; Raetsch, Onoda and Mueller (2001); Demiriz, Bennett and Shawe-Taylor (2002).
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import Certificate
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.twofold import add_products, total
from kernlearn.types import Array

#: The status of a vote that has every example right, and a finite weight.
SEPARABLE = "separable: one vote has every example right, and no finite weight attains the infimum 0"
#: What weights that add up to 1 may miss it by: of (P1) no more is known than that.
SUM = 1e-13
EPS = float(np.finfo(np.float64).eps)
#: Relative rounding error of a sum of exponentials, none of them negative.
POSITIVE = 64.0 * EPS


def last_round(
    margins: Array, right: NDArray[np.bool_], counts: Array, lambda_: float, alpha: float, reach: float
) -> Certificate:
    """Return what is proved of the weight of the last vote, by the closed form of (6.9).

    Parameters
    ----------
    margins : array of shape (n,)
        ``y_i f(x_i)``, of all votes.
    right : array of shape (n,)
        Which examples the last vote, as its weight turns it, has right.
    counts : array of shape (n,)
        How often every example counts.
    lambda_ : float >= 0
        Weight of the variance; 0 is AdaBoost.
    alpha, reach : float >= 0
        The weight of the last vote, without its sign, and the largest that it may have.
    """
    size = float(counts.sum())
    with np.errstate(under="ignore"):
        e = np.exp(-margins)
        w, square = counts * e / size, counts * e * e / size
        mean = float(w.sum())
        objective = mean**2 + lambda_ * float((counts * (e - mean) ** 2).sum()) / size
        P = []
        for part in (right, ~right):
            W, Q = float(w[part].sum()), float(square[part].sum())
            P.append(W * W + lambda_ * max(Q - W * W, 0.0))
    if right.all():
        return Certificate(objective, 0.0, 1.0)
    if min(P) > 0.0:
        step = 0.25 * float(np.log(P[0] / P[1]))
    else:  # of numbers that are too small to be told from 0
        step = np.inf if P[0] > P[1] else -np.inf if P[1] > P[0] else 0.0
    step = min(max(step, -reach - alpha), reach - alpha)
    gain = -P[0] * float(np.expm1(-2.0 * step)) - P[1] * float(np.expm1(2.0 * step))
    return Certificate(objective, objective - max(gain, 0.0) - POSITIVE * objective, 1.0)


def last_soft_round(soft: Array, gains: Array, counts: Array, alpha: float, reach: float) -> Certificate:
    """Return what is proved of the weight of the last vote of AdaBoost_REG.

    The mean of exponentials is at least the exponential of the mean, so that for another weight a the loss is at least
    ``L exp(-(a - alpha) m)``, L the loss and m the mean of the gains weighted by what the examples lose.

    Parameters
    ----------
    soft : array of shape (n,)
        ``y_i f(x_i) + C h_i``.
    gains : array of shape (n,)
        What the last vote adds to these for a unit of its weight: ``y_i G(x_i) + C w_i``.
    counts, alpha, reach
        As of `last_round`.
    """
    shift = float(soft.min())
    with np.errstate(under="ignore"):
        w = counts * np.exp(shift - soft)
        objective = float(w.sum()) / float(counts.sum()) * float(np.exp(-shift))
    if (gains > 0.0).all() and alpha < reach:
        return Certificate(objective, 0.0, 1.0)
    mean = total(w * gains) / float(w.sum())
    gain = max(mean * (reach - alpha), -mean * alpha)
    return Certificate(objective, objective * float(np.exp(-gain)) - POSITIVE * objective, 1.0)


def soft_margin(margins: Array, alphas: Array, upper: Array, v: Array, largest: float) -> Certificate:
    """Return what is proved of the soft margin (P1) of a vote.

    Parameters
    ----------
    margins : array of shape (n,)
        ``y_i f(x_i)``.
    alphas : array of shape (r,)
        The weights of the votes, of either sign; what their absolute values lack of 1 is the violation.
    upper, v : arrays of shape (n,)
        The bounds u_i, and weights of the examples inside these.
    largest : float
        The largest edge that `v` has, or more, of all votes that are allowed.
    """
    m, u = (values[np.argsort(margins, kind="stable")] for values in (margins, upper))
    before = np.append(0.0, np.cumsum(u)[:-1])
    rho = float(m[int(np.argmax(np.where(before <= 1.0, np.arange(len(m)), -1)))])  # where the slope of (P1) turns
    objective = total(np.append(upper * np.maximum(0.0, rho - margins), [1.0, -rho]))
    objective = objective if objective > SUM else 0.0
    unsure = abs(total(np.append(v, -1.0)))  # rho is at most 1 in absolute value
    bound = max(0.0, 1.0 - largest - unsure - EPS)  # (P1) is never negative: no margin is above 1
    return Certificate(objective, bound, 1.0, abs(total(np.append(np.abs(alphas), -1.0))))


def norm(margins: Array, alphas: Array, upper: Array, v: Array, edges: Array, unsure: float) -> Certificate:
    """Return what is proved of the norm and the loss (P2) of a vote.

    Parameters
    ----------
    margins, alphas, upper, v
        As of `soft_margin`; the weights need not add up to 1.
    edges : array of shape (S,)
        ``e_s`` of all votes that are allowed; of votes that may be turned, the absolute value.
    unsure : float
        What rounding may be worth in an edge.
    """
    objective = total(np.append(alphas * alphas, upper * np.maximum(0.0, 1.0 - margins)))
    edges = np.maximum(0.0, edges)
    off = 0.5 * unsure * (float(edges.sum()) + unsure * len(edges)) + 4.0 * EPS * total(v)
    return Certificate(objective, total(np.append(v, -0.25 * edges * edges)) - off, total(upper))


def edges_of(votes: Array, v: Array) -> tuple[Array, float]:
    """Return ``sum_i v_i G_s(x_i)`` for votes of shape (S, n), and what rounding may be worth in each."""
    high, low, squares = (np.zeros(len(votes)) for _ in range(3))
    add_products(votes, v, high, low, squares)
    return high + low, EPS * float(np.abs(high).max(initial=0.0))


def edges_of_stumps(stumps: Stumps, v: Array) -> tuple[Array, float]:
    """Return the edges of all stumps and their error bound, from cumulative sums.

    Parameters
    ----------
    stumps : Stumps
        On n examples.
    v : array of shape (n,)
        Weights of the examples, with the signs of their labels.

    Returns
    -------
    edges : array of shape (S,)
    unsure : float
        What rounding may be worth in each.
    """
    sums = np.concatenate([np.zeros((len(stumps.order), 1)), np.cumsum(v[stumps.order], axis=1)], axis=1)
    owners = np.repeat(np.arange(len(stumps.order)), np.diff(stumps.starts))
    return total(v) - 2.0 * sums[owners, stumps.cuts], 4.0 * EPS * np.sqrt(len(v)) * float(np.abs(v).sum())
