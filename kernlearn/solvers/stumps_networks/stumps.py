# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Compiled loops over stumps that are sorted once: the best of them for weights on examples, and boosting itself.

Stumps are given by features: ``order[k]`` are the examples by increasing value of feature k; stump s of it, with
``starts[k] <= s < starts[k + 1]``, votes -1 on the first ``cuts[s]`` of these and +1 on the others, and ``cuts`` do not
decrease within a feature. So the sums of weights over what a stump gets right are prefix sums: one pass over the
examples tells them for all stumps of a feature, whatever their number.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.compiled import compiled

#: The largest weight of a stump: what it gets wrong then weighs next to nothing, exp(-4 LARGEST) = eps^2.
LARGEST = 0.5 * np.log(1.0 / np.finfo(np.float64).eps)
#: Below this a weight is rounding: no stump is better than chance.
NOTHING = 1e-12
#: Examples whose prefix sums are looked at together.
BLOCK = 512


class Sorted(NamedTuple):
    """Stumps as this module takes them."""

    order: NDArray[np.int32]
    starts: NDArray[np.intp]
    cuts: NDArray[np.int32]


@compiled
def edges(stumps, v):
    """Return ``e_s = sum_i v_i G_s(x_i)`` for every stump, shape (S,), for v of shape (n,)."""
    e = np.empty(len(stumps.cuts))
    total = v.sum()
    for k in range(len(stumps.starts) - 1):
        below, j, order = 0.0, 0, stumps.order[k]
        for s in range(stumps.starts[k], stumps.starts[k + 1]):
            while j < stumps.cuts[s]:
                below += v[order[j]]
                j += 1
            e[s] = total - 2.0 * below
    return e


@compiled
def largest_edge(stumps, v):
    """Return the stump with the largest ``|sum_i v_i G_s(x_i)|``, the first of equal ones.

    Four features are processed together, since each sum depends on the one before it. The smallest and the largest
    prefix sum in a block of examples show whether a stump in it can be better than the best so far. Few blocks can.
    """
    order, d = stumps.order, len(stumps.order)
    total = v.sum()
    best, largest = 0, -1.0
    for k in range(0, d, 4):
        o0, o1, o2, o3 = order[k], order[min(k + 1, d - 1)], order[min(k + 2, d - 1)], order[min(k + 3, d - 1)]
        b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
        last = _last_cut(stumps, k, min(k + 4, d))
        for start in range(0, max(last, 1), BLOCK):
            end = min(start + BLOCK, last)
            low0, low1, low2, low3 = before0, before1, before2, before3 = b0, b1, b2, b3
            high0, high1, high2, high3 = b0, b1, b2, b3
            for j in range(start, end):
                b0 += v[o0[j]]
                b1 += v[o1[j]]
                b2 += v[o2[j]]
                b3 += v[o3[j]]
                low0, high0 = b0 if b0 < low0 else low0, b0 if b0 > high0 else high0
                low1, high1 = b1 if b1 < low1 else low1, b1 if b1 > high1 else high1
                low2, high2 = b2 if b2 < low2 else low2, b2 if b2 > high2 else high2
                low3, high3 = b3 if b3 < low3 else low3, b3 if b3 > high3 else high3
            if max(abs(total - 2.0 * low0), abs(total - 2.0 * high0)) >= largest:
                best, largest = _in_block(stumps, v, k, start, end, before0, total, best, largest)
            if k + 1 < d and max(abs(total - 2.0 * low1), abs(total - 2.0 * high1)) >= largest:
                best, largest = _in_block(stumps, v, k + 1, start, end, before1, total, best, largest)
            if k + 2 < d and max(abs(total - 2.0 * low2), abs(total - 2.0 * high2)) >= largest:
                best, largest = _in_block(stumps, v, k + 2, start, end, before2, total, best, largest)
            if k + 3 < d and max(abs(total - 2.0 * low3), abs(total - 2.0 * high3)) >= largest:
                best, largest = _in_block(stumps, v, k + 3, start, end, before3, total, best, largest)
    return best


@compiled
def _last_cut(stumps, first, last):
    """Return the largest cut of some features, 0 if they have no stump."""
    largest = 0
    for k in range(first, last):
        if stumps.starts[k + 1] > stumps.starts[k]:
            largest = max(largest, stumps.cuts[stumps.starts[k + 1] - 1])
    return largest


@compiled
def _in_block(stumps, v, k, start, end, below, total, best, largest):
    """Return the best stump and its edge: that given, or one of feature k with a cut in a block of examples."""
    s, stop, order = stumps.starts[k], stumps.starts[k + 1], stumps.order[k]
    if start > 0:
        s += np.searchsorted(stumps.cuts[s:stop], start, side="right")
    j = start
    while s < stop and stumps.cuts[s] <= end:
        while j < stumps.cuts[s]:
            below += v[order[j]]
            j += 1
        edge = abs(total - 2.0 * below)
        if edge > largest or (edge == largest and s < best):
            best, largest = s, edge
        s += 1
    return best, largest


@compiled
def least_variance_penalised(stumps, v, q, W, Q, size, lambda_):
    """Return the stump with the least ``sqrt(P_I P_J) + (1 - lambda) W_I W_J``, the minimum over a of half of (6.9).

    With v = w y and q = w^2 y; W and Q are the sums of w and of w^2, ``size`` is n.
    """
    total_v, total_q = v.sum(), q.sum()
    best, smallest = 0, np.inf
    for k in range(len(stumps.starts) - 1):
        below_v, below_q, j, order = 0.0, 0.0, 0, stumps.order[k]
        for s in range(stumps.starts[k], stumps.starts[k + 1]):
            while j < stumps.cuts[s]:
                below_v += v[order[j]]
                below_q += q[order[j]]
                j += 1
            edge, square = total_v - 2.0 * below_v, total_q - 2.0 * below_q
            right, wrong = max(0.5 * (W + edge), 0.0), max(0.5 * (W - edge), 0.0)
            p_right = penalised(right, max(0.5 * (Q + square), 0.0), size, lambda_)
            p_wrong = penalised(wrong, max(0.5 * (Q - square), 0.0), size, lambda_)
            value = np.sqrt(p_right * p_wrong) + (1.0 - lambda_) * right * wrong
            if value < smallest:
                best, smallest = s, value
    return best


@compiled
def penalised(W, Q, size, lambda_):
    """Return ``P = (1 - lambda) W^2 + lambda n Q``, which is never negative."""
    return W * W + lambda_ * max(size * Q - W * W, 0.0)


@compiled
def votes_of(stumps, s):
    """Return the votes of stump s, shape (n,)."""
    k = np.searchsorted(stumps.starts, s, side="right") - 1
    g = np.ones(stumps.order.shape[1])
    for j in range(stumps.cuts[s]):
        g[stumps.order[k, j]] = -1.0
    return g


@compiled
def _shares(g, y, c, e):
    """Return the numbers, and the sums of c e and of c e^2, of the examples that a stump gets right and wrong."""
    n_right, right, wrong, q_right, q_wrong = 0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(y)):
        w = c[i] * e[i]
        if g[i] * y[i] > 0.0:
            n_right += 1
            right += w
            q_right += w * e[i]
        else:
            wrong += w
            q_wrong += w * e[i]
    return n_right, right, wrong, q_right, q_wrong


@compiled
def boost(stumps, y, c, lambda_, rounds):
    """Run Algorithms 6.1 (lambda = 0) and 6.2 for a number of rounds; see `kernlearn.algorithms.boosting`.

    Parameters
    ----------
    stumps : Sorted
    y, c : arrays of shape (n,)
        Labels +-1, and how often every example counts.
    lambda_ : float >= 0

    Returns
    -------
    chosen : array of int, shape (r,)
        The stump of every round, r <= rounds: fewer if no stump is better than chance, or one gets everything right.
    alphas : array of shape (r,)
        Their weights, negative where the negation of the stump is taken.
    """
    n, size = len(y), c.sum()
    chosen, alphas = np.empty(rounds, np.intp), np.empty(rounds)
    margins = np.zeros(n)
    for r in range(rounds):
        shift = margins.min()
        e = np.exp(shift - margins)  # the weights, the largest of them 1
        v = c * e * y
        if lambda_ == 0.0:
            s = largest_edge(stumps, v)
        else:
            W, Q = (c * e).sum(), (c * e * e).sum()
            s = least_variance_penalised(stumps, v, v * e, W, Q, size, lambda_)
        g = votes_of(stumps, s)
        n_right, right, wrong, q_right, q_wrong = _shares(g, y, c, e)
        chosen[r] = s
        if n_right == 0 or n_right == n:  # its weight would be infinite, and all others nothing beside it
            chosen[0], alphas[0] = s, 1.0 if n_right else -1.0
            return chosen[:1], alphas[:1]
        p_right, p_wrong = penalised(right, q_right, size, lambda_), penalised(wrong, q_wrong, size, lambda_)
        alpha = LARGEST if p_right > p_wrong else -LARGEST
        if p_right > 0.0 and p_wrong > 0.0:
            alpha = min(max(0.25 * np.log(p_right / p_wrong), -LARGEST), LARGEST)
        if abs(alpha) < NOTHING:
            return chosen[:r], alphas[:r]
        alphas[r] = alpha
        for i in range(n):
            margins[i] += alpha * y[i] * g[i]
    return chosen, alphas


@compiled
def add_votes(columns, owners, thresholds, alphas, out):
    """Add ``sum_r alphas_r G_r(x_i)`` to `out`, round by round, of stumps on rows `owners` of `columns`."""
    for r in range(len(alphas)):
        column, t, alpha = columns[owners[r]], thresholds[r], alphas[r]
        for i in range(len(out)):
            out[i] += alpha if column[i] > t else -alpha


@compiled
def boost_soft(stumps, y, c, C, rounds):
    """Boost with soft margins (AdaBoost_REG); see `kernlearn.algorithms.boosting.adaboost_reg`.

    Parameters are those of `boost`, with the weight C >= 0 of the influence of examples for its lambda.

    Returns
    -------
    chosen, alphas
        As of `boost`.
    """
    n = len(y)
    chosen, alphas = np.empty(rounds, np.intp), np.empty(rounds)
    soft = np.zeros(n)
    for r in range(rounds):
        shift = soft.min()
        e = np.exp(shift - soft)
        total = (c * e).sum()
        v = c * e * y
        s = largest_edge(stumps, v)
        g = votes_of(stumps, s)
        n_right = _shares(g, y, c, e)[0]
        chosen[r] = s
        if n_right == 0 or n_right == n:
            chosen[0], alphas[0] = s, 1.0 if n_right else -1.0
            return chosen[:1], alphas[:1]
        edge = (v * g).sum()
        if abs(edge) < NOTHING * total:
            return chosen[:r], alphas[:r]
        sign = 1.0 if edge > 0.0 else -1.0
        gains = sign * y * g + C * e / total
        alpha = least_along(c * e, gains)[0]
        alphas[r] = sign * alpha
        for i in range(n):
            soft[i] += alpha * gains[i]
    return chosen, alphas


@compiled
def least_along(w, d):
    """Return the a in [0, LARGEST] of least ``sum_i w_i e^{-a d_i}``, whose slope at 0 is negative.

    By Newton's steps, or halves where they leave the bracket or are short for long: of a sum that falls like
    ``e^{-100 a}`` each is 1/100. With the value and slope at a, and the width of the bracket, 0 if a is its end.
    """
    low, high, a = 0.0, LARGEST, 0.0
    part = w * np.exp(-high * d)
    if (part * d).sum() >= 0.0:
        return high, part.sum(), 0.0, 0.0
    value, slope = 0.0, 0.0
    for count in range(200):
        part = w * np.exp(-a * d)
        value, slope = part.sum(), -(part * d).sum()
        if slope < 0.0:
            low = a
        else:
            high = a
        step = a - slope / (part * d * d).sum()
        following = step if low < step < high and count < 100 else 0.5 * (low + high)
        if abs(slope) <= 1e-15 * value or following == a or high - low <= 1e-15 * high:
            break
        a = following
    return a, value, slope, high - low
