# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The multipliers of all labellings of one sequence at once, as flows along the chain, and steps over them.

Of the multipliers ``a_y >= 0`` of all labellings y but the true one, w and the dual need no more than the sums ::

    P[t, j] = sum_y a_y [y goes through j at t] ,    F[t, i, j] = sum_y a_y [y goes through i at t and j at t + 1]

a flow from the first place to the last. What y goes through is its label, or, as long as it is the true labelling, k:
no way ends there, so that the true one is none of them. Where many labellings are alike, as those next to a bound are,
a flow stands for every combination of the labels of all places, and cuts (`kernlearn.solvers.structured.cuts`) for one
each.

The dual (4.5) grows by ``s (l - w.dpsi(y))`` a unit of flow along y, with s = 1 and l = 1 for a, whose sum is c or
less, and s = -1 and l = B for b. A round takes the way that gains the most and the one with flow that gains the least.
On every stretch where the two differ, flow goes from this one to that, as far as it gains (pairwise steps without a
list of labellings: Garber and Meshi, 2016; here one stretch after the other); then the one way gains flow, or the other
loses it. Sources: Taskar, Guestrin and Koller (2004); Shivaswamy (2010), section 4.4.
"""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.core.products import put

#: Of the violation of a sequence, the part it is left with.
LEFT = 0.3
#: Rounds for a sequence.
ROUNDS = 100
#: Of all flow, the part that is rounding.
NOTHING = 1e-15


@compiled
def improve(K, E, T, truth, P, F, c, B, tol):
    """Improve the flows of one sequence, in place; return the rounds that it took.

    Parameters
    ----------
    K : array of shape (L, L)
        Gram matrix of the places.
    E, T : arrays of shapes (L, k) and (k, k)
        Of w, as in `kernlearn.solvers.structured.labellings`; they follow the flows.
    truth : array of shape (L,)
    P, F : arrays of shapes (2, L, k + 1) and (2, L - 1, k + 1, k + 1)
        The flows of a and of b.
    c, B, tol : float
        What gains less than `tol` a unit is left as it is.
    """
    enough, D = tol, np.zeros_like(T)
    for rounds in range(ROUNDS):
        violation = _round(K, E, T, D, truth, P[0], F[0], 1.0, 1.0, c)
        if B < np.inf:
            violation = max(violation, _round(K, E, T, D, truth, P[1], F[1], -1.0, B, np.inf))
        if rounds == 0:
            enough = max(tol, LEFT * violation)
        if violation <= enough:
            return rounds
    return ROUNDS


@compiled
def _round(K, E, T, D, truth, P, F, s, level, most):
    """Take a round of steps over one flow; return what a unit of flow could gain before it."""
    L, k = E.shape
    best = _best_way(E, T, truth, s)
    y, mass = _labels(best, truth, k), P[0].sum()
    gain = s * (level - _margin(E, T, truth, y))
    if mass <= 0.0:
        if gain > 0.0:
            _change(K, E, T, D, truth, y, best, P, F, s, gain, most)
        return max(gain, 0.0)
    worst = _worst_way(E, T, truth, P, F, s)
    z = _labels(worst, truth, k)
    smallest = s * (level - _margin(E, T, truth, z))
    full = mass >= most * (1.0 - 1e-12)
    violation = max(gain - smallest if full else gain, -smallest, 0.0)
    for begin in range(L):
        if best[begin] != worst[begin] and (begin == 0 or best[begin - 1] == worst[begin - 1]):
            end = begin + 1
            while end < L and best[end] != worst[end]:
                end += 1
            _move(K, E, T, D, z, y, worst, best, begin, end, P, F, s)
    gain = s * (level - _margin(E, T, truth, y))
    smallest = s * (level - _margin(E, T, truth, z))
    if gain > 0.0 and not full:
        _change(K, E, T, D, truth, y, best, P, F, s, gain, most - mass)
    elif smallest < 0.0:
        _change(K, E, T, D, truth, z, worst, P, F, s, smallest, _least_flow(P, F, worst, 0, L))
    return violation


@compiled
def _labels(way, truth, k):
    y = way.copy()
    for t in range(len(y)):
        if y[t] == k:
            y[t] = truth[t]
    return y


@compiled
def _best_way(E, T, truth, s):
    """Return the way with the largest s times its score, of all but the true one."""
    L, k = E.shape
    back = np.empty((L, k + 1), dtype=np.intp)
    steps, highest = s * T, np.empty(k)
    for i in range(k):
        highest[i] = steps[i].max()
    score, following = np.empty(k + 1), np.empty(k + 1)
    put(s * E[0], score)
    score[k], score[truth[0]] = score[truth[0]], -np.inf
    for t in range(1, L):
        true, first = truth[t], np.argmax(score[:k])
        put(score[k] + steps[truth[t - 1]], following)
        back[t] = k
        following[k], following[true] = following[true], -np.inf
        _extend(score[first], steps[first], first, following, back[t])
        smallest = following[:k].min()
        for i in range(k):
            if score[i] + highest[i] > smallest and i != first:
                _extend(score[i], steps[i], i, following, back[t])
        put(following[:k] + s * E[t], score)
        score[k] = following[k] + s * E[t, true]
    return _traced(back, np.argmax(score[:k]))


@compiled
def _extend(score, steps, i, following, back):
    """Take the ways that end with the label i where they are better than those to a place so far."""
    for j in range(len(steps)):  # without branches it is vectorised
        value = score + steps[j]
        better = value > following[j]
        following[j] = value if better else following[j]
        back[j] = i if better else back[j]


@compiled
def _worst_way(E, T, truth, P, F, s):
    """Return the way with the smallest s times its score, of those with flow."""
    L, k = E.shape
    back = np.zeros((L, k + 1), dtype=np.intp)
    score, following = np.full(k + 1, np.inf), np.empty(k + 1)
    before = np.flatnonzero(P[0])  # what flow goes through: few of all
    for j in before:
        score[j] = s * E[0, j if j < k else truth[0]]
    for t in range(1, L):
        here = np.flatnonzero(P[t])
        following[:] = np.inf
        for j in here:
            label, best = j if j < k else truth[t], np.inf
            for i in before:
                if F[t - 1, i, j] > 0.0:
                    value = score[i] + s * T[i if i < k else truth[t - 1], label]
                    if value < best:
                        best, back[t, j] = value, i
            following[j] = best + s * E[t, label]
        score, following, before = following, score, here
    return _traced(back, np.argmin(score[:k]))


@compiled
def _traced(back, last):
    """Return the way that ends with a label, from where each place of it is reached from."""
    way = np.empty(len(back), dtype=np.intp)
    for t in range(len(back) - 1, -1, -1):
        way[t] = last
        last = back[t, last]
    return way


@compiled
def _margin(E, T, truth, y):
    total = 0.0
    for t in range(len(y)):
        total += E[t, truth[t]] - E[t, y[t]]
        if t > 0:
            total += T[truth[t - 1], truth[t]] - T[y[t - 1], y[t]]
    return total


@compiled
def _least_flow(P, F, way, begin, end):
    """Return the least flow on a stretch of a way, and to and from it."""
    smallest = np.inf
    for t in range(begin, end):
        smallest = min(smallest, P[t, way[t]])
    for t in range(max(begin - 1, 0), min(end, len(way) - 1)):
        smallest = min(smallest, F[t, way[t], way[t + 1]])
    return smallest


@compiled
def _move(K, E, T, D, z, y, source, target, begin, end, P, F, s):
    """Move flow on a stretch from one way, with the labels z, to another one, with the labels y."""
    most = _least_flow(P, F, source, begin, end)
    labels, way = z.copy(), source.copy()
    put(y[begin:end], labels[begin:end])
    put(target[begin:end], way[begin:end])
    gain = -s * _margin(E, T, z, labels)
    if most > 0.0 and gain > 0.0:
        step = _step(K, E, T, D, z, labels, s, gain, most)
        _flow(P, F, source, begin, end, -step)
        _flow(P, F, way, begin, end, step)


@compiled
def _change(K, E, T, D, truth, y, way, P, F, s, gain, most):
    """Add flow along a way, or take it away where this gains less than nothing."""
    sign = 1.0 if gain > 0.0 else -1.0
    step = _step(K, E, T, D, truth, y, sign * s, abs(gain), most)
    _flow(P, F, way, 0, len(way), sign * step)


@compiled
def _step(K, E, T, D, z, y, factor, gain, most):
    """Add the best multiple up to `most` of ``factor (psi(z) - psi(y))`` to w, and return it.

    D, shape (k, k), is 0; it is where differences of pairs are counted.
    """
    L, curvature = len(y), 0.0
    for t in range(L - 1):
        if z[t] != y[t] or z[t + 1] != y[t + 1]:
            D[z[t], z[t + 1]] += 1.0
            curvature += 2.0 * D[z[t], z[t + 1]] - 1.0  # by so much the sum of squares of D is larger
            D[y[t], y[t + 1]] -= 1.0
            curvature -= 2.0 * D[y[t], y[t + 1]] + 1.0
    for t in range(L):
        if y[t] != z[t]:
            for u in range(L):
                if y[u] != z[u]:
                    alike = int(y[t] == y[u]) + int(z[t] == z[u]) - int(y[t] == z[u]) - int(z[t] == y[u])
                    curvature += alike * K[t, u]
    step = gain / curvature if curvature * most > gain else most
    for t in range(L - 1):
        if z[t] != y[t] or z[t + 1] != y[t + 1]:
            T[z[t], z[t + 1]] += factor * step
            T[y[t], y[t + 1]] -= factor * step
            D[z[t], z[t + 1]] = D[y[t], y[t + 1]] = 0.0
    for t in range(L):
        if y[t] != z[t]:
            for u in range(L):
                E[u, z[t]] += factor * step * K[t, u]
                E[u, y[t]] -= factor * step * K[t, u]
    return step


@compiled
def _flow(P, F, way, begin, end, amount):
    """Change the flow on a stretch of a way, and to and from it."""
    nothing = NOTHING * (P[0].sum() + abs(amount))
    for t in range(begin, end):
        left = P[t, way[t]] + amount
        P[t, way[t]] = left if left > nothing else 0.0
    for t in range(max(begin - 1, 0), min(end, len(way) - 1)):
        left = F[t, way[t], way[t + 1]] + amount
        F[t, way[t], way[t + 1]] = left if left > nothing else 0.0
