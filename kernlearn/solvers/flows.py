"""The multipliers of all labellings of one sequence at once, as flows along the chain, and steps over them.

Of the multipliers ``a_y >= 0`` of all labellings y but the true one, w and the dual need no more than the sums ::

    P[t, j] = sum_y a_y [y goes through j at t] ,    F[t, i, j] = sum_y a_y [y goes through i at t and j at t + 1]

a flow from the first place to the last. What y goes through is its label, or, as long as it is the true labelling, k:
no way ends there, so that the true one is none of them. Where many labellings are alike, as those next to a bound are,
a flow stands for every combination of the labels of all places, and cuts (`kernlearn.solvers.cuts`) for one each.

The dual (4.5) grows by ``s (l - w.dpsi(y))`` a unit of flow along y, with s = 1 and l = 1 for a, whose sum is c or
less, and s = -1 and l = B for b. A round takes the way that gains the most and the one with flow that gains the least.
On every stretch where the two differ, flow goes from this one to that, as far as it gains (pairwise steps without a
list of labellings: Garber and Meshi, 2016; here one stretch after the other); then the one way gains flow, or the other
loses it. Sources: Taskar, Guestrin and Koller (2004); Shivaswamy (2010), section 4.4.
"""

import numpy as np

from kernlearn.compiled import compiled

#: Of the violation of a sequence, the part it is left with.
LEFT = 0.1
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
        Of w, as in `kernlearn.solvers.labellings`; they follow the flows.
    truth : array of shape (L,)
    P, F : arrays of shapes (2, L, k + 1) and (2, L - 1, k + 1, k + 1)
        The flows of a and of b.
    c, B, tol : float
        What gains less than `tol` a unit is left as it is.
    """
    enough = tol
    for taken in range(ROUNDS):
        violation = _round(K, E, T, truth, P[0], F[0], 1.0, 1.0, c)
        if B < np.inf:
            violation = max(violation, _round(K, E, T, truth, P[1], F[1], -1.0, B, np.inf))
        if taken == 0:
            enough = max(tol, LEFT * violation)
        if violation <= enough:
            return taken
    return ROUNDS


@compiled
def _round(K, E, T, truth, P, F, s, level, most):
    """Take a round of steps over one flow; return what a unit of flow could gain before it."""
    L, k = E.shape
    best = _way(E, T, truth, P, F, s, False)
    y, mass = _labels(best, truth, k), P[0].sum()
    gain = s * (level - _margin(E, T, truth, y))
    if mass <= 0.0:
        if gain > 0.0:
            _change(K, E, T, truth, y, best, P, F, s, gain, most)
        return max(gain, 0.0)
    worst = _way(E, T, truth, P, F, -s, True)
    z = _labels(worst, truth, k)
    least = s * (level - _margin(E, T, truth, z))
    full = mass >= most * (1.0 - 1e-12)
    violation = max(gain - least if full else gain, -least, 0.0)
    t = 0
    while t < L:
        end = t
        while end < L and best[end] != worst[end]:
            end += 1
        if end > t:
            _move(K, E, T, z, y, worst, best, t, end, P, F, s)
        t = end + 1
    gain = s * (level - _margin(E, T, truth, y))
    least = s * (level - _margin(E, T, truth, z))
    if gain > 0.0 and not full:
        _change(K, E, T, truth, y, best, P, F, s, gain, most - mass)
    elif least < 0.0:
        _change(K, E, T, truth, z, worst, P, F, s, least, _least_flow(P, F, worst, 0, L))
    return violation


@compiled
def _labels(way, truth, k):
    y = way.copy()
    for t in range(len(y)):
        if y[t] == k:
            y[t] = truth[t]
    return y


@compiled
def _way(E, T, truth, P, F, s, taken):
    """Return the way with the largest s times its score, of those with flow or of all but the true one."""
    L, k = E.shape
    back = np.zeros((L, k + 1), dtype=np.intp)
    score, following = np.full(k + 1, -np.inf), np.empty(k + 1)
    for j in range(k + 1):
        if P[0, j] > 0.0 if taken else j != truth[0]:
            score[j] = s * E[0, j if j < k else truth[0]]
    for t in range(1, L):
        following[:] = -np.inf
        for i in range(k + 1):
            if score[i] == -np.inf:
                continue
            before = i if i < k else truth[t - 1]
            for j in range(k + 1):
                if taken:
                    open_ = F[t - 1, i, j] > 0.0
                else:
                    open_ = j != truth[t] if i == k else j < k
                if open_:
                    value = score[i] + s * T[before, j if j < k else truth[t]]
                    if value > following[j]:
                        following[j] = value
                        back[t, j] = i
        for j in range(k + 1):
            score[j] = following[j] + s * E[t, j if j < k else truth[t]]
    way = np.empty(L, dtype=np.intp)
    here = np.argmax(score[:k])
    for t in range(L - 1, -1, -1):
        way[t] = here
        here = back[t, here]
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
    least = np.inf
    for t in range(begin, end):
        least = min(least, P[t, way[t]])
    for t in range(max(begin - 1, 0), min(end, len(way) - 1)):
        least = min(least, F[t, way[t], way[t + 1]])
    return least


@compiled
def _move(K, E, T, z, y, source, target, begin, end, P, F, s):
    """Move flow on a stretch from one way, with the labels z, to another one, with the labels y."""
    most = _least_flow(P, F, source, begin, end)
    labels, way = z.copy(), source.copy()
    labels[begin:end], way[begin:end] = y[begin:end], target[begin:end]
    gain = -s * _margin(E, T, z, labels)
    if most > 0.0 and gain > 0.0:
        step = _step(K, E, T, z, labels, s, gain, most)
        _flow(P, F, source, begin, end, -step)
        _flow(P, F, way, begin, end, step)


@compiled
def _change(K, E, T, truth, y, way, P, F, s, gain, most):
    """Add flow along a way, or take it away where this gains less than nothing."""
    sign = 1.0 if gain > 0.0 else -1.0
    step = _step(K, E, T, truth, y, sign * s, abs(gain), most)
    _flow(P, F, way, 0, len(way), sign * step)


@compiled
def _step(K, E, T, z, y, factor, gain, most):
    """Add the best multiple up to `most` of ``factor (psi(z) - psi(y))`` to w, and return it."""
    L = len(y)
    D = np.zeros_like(T)
    for t in range(L - 1):
        D[z[t], z[t + 1]] += 1.0
        D[y[t], y[t + 1]] -= 1.0
    curvature = (D * D).sum()
    for t in range(L):
        if y[t] != z[t]:
            for u in range(L):
                if y[u] != z[u]:
                    alike = int(y[t] == y[u]) + int(z[t] == z[u]) - int(y[t] == z[u]) - int(z[t] == y[u])
                    curvature += alike * K[t, u]
    step = gain / curvature if curvature * most > gain else most
    for t in range(L):
        if y[t] != z[t]:
            for u in range(L):
                E[u, z[t]] += factor * step * K[t, u]
                E[u, y[t]] -= factor * step * K[t, u]
    T += factor * step * D
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
