# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Sequential minimal optimisation for kernel machines with bias whose loss is piecewise linear, compiled by numba.

The dual problem of `kernlearn.solvers.svm.homotopy`, stated in ``u_i = beta_i`` and not in v, with n variables::

    min_u  1/2 u'Ku + sum_i H_i(u_i)   subject to   sum_i u_i = 0

H_i is convex, and linear between its levels ``e_i0 <= ... <= e_im``, the first and the last of which may be infinite
and are bounds. Between e_ik and e_i,k+1 its slope is ``-t_ik``: t_ik is the output ``f_i = (Ku)_i + b`` that an example
has there, and ``t_i0 >= t_i1 >= ...``. The set of example i is 2k where u_i is at the level k, and 2k + 1 between it
and the next. The support vector machine has the levels 0 and C y_i and the target y_i; the relative margin machine has
infinite ones beside them, with the targets B and -B.

u is optimal where no u_i can grow and u_j fall to advantage: with the targets just above and below u,
``max_i up_i - (Ku)_i <= min_j down_j - (Ku)_j``, and b is between the two. A step takes the i with the maximum and the
j that promises the largest decrease (Fan, Chen and Lin 2005). It moves the pair until one of the two is at a level.
"""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.core.largest import largest

#: The least curvature along a pair, as a part of the largest diagonal entry.
FLAT = 1e-12
#: The least curvature of a kernel that is 0: a step goes as far as the levels let it.
NONE = 1e-290


@compiled
def minimise_pairs(K, diagonal, levels, targets, sets, u, g, tol, max_steps):
    """Improve a feasible u until the optimality conditions are broken by at most `tol`.

    Parameters
    ----------
    K : array of shape (n, n)
    diagonal : array of shape (n,)
    levels : array of shape (n, m + 1)
        Growing along each row.
    targets : array of shape (n, m)
        Falling along each row.
    sets : integer array of shape (n,)
    u, g : arrays of shape (n,)
        A feasible u and ``K u``; like `sets` they are updated in place.
    tol : float
        In units of the outputs.

    Returns
    -------
    steps : int
    top, low : float
        ``max_i up_i - g_i`` and ``min_j down_j - g_j``.
    """
    n, flat = len(u), max(FLAT * diagonal.max(), NONE)
    up, down = np.empty(n), np.empty(n)
    above, below, decrease = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        up[i], down[i] = asked(targets, sets, i)
        above[i], below[i] = up[i] - g[i], g[i] - down[i]
    first, top, low = _extremes(above, below)
    for step in range(max_steps):
        if top - low <= tol:
            return step, top, low
        row = K[first]
        second = _partner(row, diagonal, below, first, top, flat, decrease)
        size = top + below[second]
        size /= max(diagonal[first] + diagonal[second] - 2.0 * row[second], flat)
        higher, lower = sets[first] // 2 + 1, (sets[second] + 1) // 2 - 1
        room_above, room_below = levels[first, higher] - u[first], u[second] - levels[second, lower]
        size = min(size, room_above, room_below)
        if size == room_above:
            u[first], sets[first] = levels[first, higher], 2 * higher
        else:
            u[first], sets[first] = u[first] + size, 2 * higher - 1
        if size == room_below:
            u[second], sets[second] = levels[second, lower], 2 * lower
        else:
            u[second], sets[second] = u[second] - size, 2 * lower + 1
        up[first], down[first] = asked(targets, sets, first)
        up[second], down[second] = asked(targets, sets, second)
        other = K[second]
        for i in range(n):
            g[i] += size * (row[i] - other[i])
            above[i], below[i] = up[i] - g[i], g[i] - down[i]
        first, top, low = _extremes(above, below)
    return max_steps, top, low


@compiled
def asked(targets, sets, i):
    """Return the targets just above and below u_i: infinite where it is at a bound."""
    last = 2 * targets.shape[1]
    up = targets[i, sets[i] // 2] if sets[i] < last else -np.inf
    down = targets[i, (sets[i] + 1) // 2 - 1] if sets[i] > 0 else np.inf
    return up, down


@compiled
def interval(targets, sets, g):
    """Return ``max_i up_i - g_i`` and ``min_j down_j - g_j``: at the solution b is between the two."""
    top, low = -np.inf, np.inf
    for i in range(len(g)):
        up, down = asked(targets, sets, i)
        top, low = max(top, up - g[i]), min(low, down - g[i])
    return top, low


@compiled
def _extremes(above, below):
    """Return where `above`, ``up - g``, is largest, its value there, and the least value of ``down - g``, -`below`."""
    first = largest(above)
    return first, above[first], -below[largest(below)]


@compiled
def _partner(row, diagonal, below, first, top, flat, decrease):
    """Return the j of the largest `decrease` ``d^2 / (K_ii + K_jj - 2 K_ij)``."""
    own = diagonal[first]
    for j in range(len(below)):
        size = top + below[j]
        curvature = own + diagonal[j] - 2.0 * row[j]
        curvature = curvature if curvature > flat else flat
        part = np.divide(size * size, curvature)  # not `/`, which looks for 0 each time
        decrease[j] = part if size > 0.0 else 0.0
    return largest(decrease)


@compiled
def revise(levels, targets, sets, u, f, tol):
    """Put every example that breaks its conditions by more than `tol` into the next set; return how many did.

    Free examples beyond a level go there, whatever `tol`; others whose output f_i is beyond a target become free.
    """
    wrong = 0
    for i in range(len(u)):
        k = sets[i] // 2
        if sets[i] % 2:
            move = int(u[i] > levels[i, k + 1]) - int(u[i] < levels[i, k])
        else:
            up, down = asked(targets, sets, i)
            move = int(f[i] < up - tol) - int(f[i] > down + tol)
        sets[i] += move
        wrong += move != 0
    return wrong


@compiled
def violations(targets, sets, g, b, out):
    """Put into `out` by how much every example breaks its conditions; return the largest."""
    largest = 0.0
    for i in range(len(g)):
        up, down = asked(targets, sets, i)
        out[i] = max(up - g[i] - b, b + g[i] - down, 0.0)
        largest = max(largest, out[i])
    return largest


@compiled
def to_levels(levels, sets, u, g, K):
    """Put all examples that are not free to their levels, and `g` to ``K u``."""
    for i in range(len(u)):
        if sets[i] % 2 == 0 and u[i] != levels[i, sets[i] // 2]:
            change = levels[i, sets[i] // 2] - u[i]
            u[i] = levels[i, sets[i] // 2]
            g += change * K[i]
