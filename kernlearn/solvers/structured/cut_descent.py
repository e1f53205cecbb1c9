# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The program over a set of cuts, by steps over the multipliers of one sequence at a time.

::

    max_{a,b,b*}  sum a - B sum (b + b*) - 1/2 |sum (a - b + b*)_j d_j|^2
    subject to    a, b, b* >= 0 ,   sum_{j of i} a_j <= c   for every sequence i

for cuts d_j (`kernlearn.solvers.structured.cuts`). With the margins ``q_j = w.d_j`` the gradients are ``1 - q``, ``q -
B`` and ``-q - B``. A step moves the unused part of c, or one multiplier, to another one, as in sequential minimal
optimization. Steps on a sequence go on until its violation is a fraction of its initial value. A pass skips sequences
whose violation is a small fraction of the worst one in the previous pass.
"""

import numpy as np

from kernlearn.compiled import compiled

#: The part of the worst violation of a pass from which on a sequence is worth a step in the next, and the part of its
#: own that a sequence is left with.
WORTH, LEFT = 0.1, 0.1
#: Steps for one sequence at a time.
STEPS = 50
#: Violations of less are rounding, with margins of 1 as the unit.
NOTHING = 1e-13


@compiled
def descend(G, groups, order, Z, q, c, B, passes):
    """Improve the multipliers Z, shape (3, M), and q with them, in place; return the steps taken.

    ``order[groups[i]:groups[i + 1]]`` are the cuts of the sequence i.
    """
    steps, before = 0, 0.0
    for _ in range(passes):
        worst = 0.0
        for i in range(len(groups) - 1):
            cuts = order[groups[i] : groups[i + 1]]
            if len(cuts) == 0:
                continue
            violation = violation_of(cuts, Z, q[cuts], c, B)
            worst = max(worst, violation)
            if violation > max(WORTH * before, NOTHING):
                steps += descend_one(G, cuts, Z, q, c, B, LEFT * violation)
        before = worst
        if worst <= NOTHING:
            break
    return steps


@compiled
def descend_one(G, cuts, Z, q, c, B, enough):
    """Take steps over the multipliers of one sequence until none of them gains more than `enough` a unit."""
    m = len(cuts)
    margins, change = q[cuts], np.zeros(m)
    steps = 0
    for _ in range(STEPS):
        up, down, gain = _pair(cuts, Z, margins, c)
        kind, j, excess = _bounded(cuts, Z, margins, B)
        if max(gain, excess) <= max(enough, NOTHING):
            break
        steps += 1
        if gain >= excess:
            _move(G, cuts, Z, margins, change, up, down, gain, c)
        else:
            diagonal, sign = G[cuts[j], cuts[j]], 1.0 if kind == 2 else -1.0
            step = -Z[kind, cuts[j]]
            if diagonal > 0.0:  # a cut that is 0 gains nothing by a bound
                step = max(step, (sign * -margins[j] - B) / diagonal)
            Z[kind, cuts[j]] += step
            _add(G, cuts, margins, change, j, sign * step)
    for u in range(m):
        if change[u] != 0.0:
            row, amount = G[cuts[u]], change[u]
            for r in range(len(q)):
                q[r] += amount * row[r]
    return steps


@compiled
def _move(G, cuts, Z, margins, change, up, down, gain, c):
    """Move weight to the cut `up` from the cut `down`; -1 is what is left of c."""
    first, second = cuts[up], cuts[down]
    if up >= 0 and down >= 0:
        total = G[first, first] + G[second, second]
        curvature, most = total - 2.0 * G[first, second] + np.finfo(G.dtype).eps * total, Z[0, second]
    elif up >= 0:
        curvature, most = G[first, first], c
        for other in cuts:
            most -= Z[0, other]
    else:
        curvature, most = G[second, second], Z[0, second]
    step = min(most, gain / curvature) if curvature > 0.0 else most
    if up >= 0:
        Z[0, first] += step
        _add(G, cuts, margins, change, up, step)
    if down >= 0:
        Z[0, second] -= step
        _add(G, cuts, margins, change, down, -step)


@compiled
def _add(G, cuts, margins, change, j, amount):
    change[j] += amount
    row = G[cuts[j]]
    for u in range(len(cuts)):
        margins[u] += amount * row[cuts[u]]


@compiled
def violation_of(cuts, Z, margins, c, B):
    """Return the most that a unit of weight of one sequence gains."""
    return max(_pair(cuts, Z, margins, c)[2], _bounded(cuts, Z, margins, B)[2])


@compiled
def _pair(cuts, Z, margins, c):
    """Return the pair of cuts between which moving weight gains the most, and how much that is a unit."""
    up, high, down, low, left = -1, 0.0, -1, np.inf, c
    for u in range(len(cuts)):
        left -= Z[0, cuts[u]]
        if 1.0 - margins[u] > high:
            up, high = u, 1.0 - margins[u]
        if Z[0, cuts[u]] > 0.0 and 1.0 - margins[u] < low:
            down, low = u, 1.0 - margins[u]
    if left > 1e-14 * c and low >= 0.0:
        down, low = -1, 0.0
    return up, down, high - low if low < np.inf else 0.0


@compiled
def _bounded(cuts, Z, margins, B):
    """Return which of b and b*, 1 or 2, of which cut gains the most by a change, and how much that is a unit."""
    kind, best, most = 1, -1, 0.0
    if B == np.inf:
        return kind, best, most
    for u in range(len(cuts)):
        for sign in (1, 2):
            gradient = (margins[u] if sign == 1 else -margins[u]) - B
            if gradient < 0.0 and Z[sign, cuts[u]] > 0.0:
                gradient = -gradient
            if gradient > most:
                kind, best, most = sign, u, gradient
    return kind, best, most
