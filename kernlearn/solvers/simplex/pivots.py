# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The pivots of the dual simplex method of `kernlearn.solvers.simplex.tableau`, compiled by numba.

The linear program, for n variables pi and R rows of a dense matrix A::

    max sum_j pi_j   subject to   z = A pi,   -t <= z <= t,   0 <= pi <= u

A basis is a pair (S, B): the rows S whose z is nonbasic (at a bound) and as many basic pi. The tableau expresses every
basic variable by the nonbasic ones. ``basic[r]`` names the variable of its row r: ``j >= 0`` is pi_j, ``~i < 0`` is
z_i. Of the tableau only the columns that belong to z_S are stored, ordered as ``nonbasic``::

    W = [ M^-1 ; A_IB M^-1 ] ,    M = A_SB ,  I the rows outside S

SIGNS, stated here for the whole method. A tableau row reads ``x_r = sum_v w_v v`` over the nonbasic variables v, with
``w = W_r`` for z_S and ``w_j = [A_ij if x_r is z_i] - W_r A_Sj`` for pi_j. The objective is ``sum_j d_j pi_j +
sum_i alpha_i z_i`` with the reduced costs ``alpha_S = M^-T 1`` (in learning: the coefficients) and
``d = 1 - alpha_S A_S`` (one minus the margins). A nonbasic variable with a positive reduced cost is at its upper bound,
with a negative one at its lower bound. All bounds are finite, so *every* nonsingular (S, B) is dual feasible, and
``F = sum_j u_j max(0, d_j) + sum_i t_i |alpha_i|`` is its dual objective. When x_r leaves for its upper (sigma = 1) or
lower bound (sigma = -1), a step theta >= 0 subtracts ``theta sigma w_v`` from every reduced cost and gives x_r the
reduced cost ``theta sigma``; F falls at the rate of the infeasibility of x_r until a reduced cost changes its sign.
"""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.core.products import add_rows, dot, put
from kernlearn.solvers.simplex.records import Breaks

#: Why `pivot` returned.
OPTIMAL, LIMIT, STALLED, UNRELIABLE = 0, 1, 2, 3

#: A pivot element must be at least this part of the largest entry of its tableau row ...
PIVOT_TOLERANCE = 1e-9
#: ... and be the same, to this relative accuracy, when it is computed from its row and from its column.
AGREEMENT = 1e-6
#: Entries of a tableau row below this part of the largest are taken for zeros.
DROP = 1e-12
#: A step that changes every reduced cost by less is degenerate: reduced costs are differences from 1.
ROUNDING = 1e-13
#: Degenerate steps in a row after which the method calls itself stalled.
STALL = 60


@compiled
def pivot(program, state, n_nonbasic, max_pivots):
    """Pivot until optimal.

    Parameters
    ----------
    program : kernlearn.solvers.simplex.records.Program
    state : kernlearn.solvers.simplex.records.State
    n_nonbasic : int
        The size of S.

    Returns
    -------
    code, n_nonbasic, pivots : int
    """
    A, t, u = program.A, program.t, program.u
    W, basic, nonbasic, x, pi, z = state.W, state.basic, state.nonbasic, state.x, state.pi, state.z
    d, alpha = state.d, state.alpha
    R, n = A.shape
    is_basic = np.zeros(n, dtype=np.bool_)
    is_basic[basic[basic >= 0]] = True
    w_pi, column, row = np.empty(n), np.empty(R), np.empty(W.shape[1] + 1)
    variable, order = np.empty(n + R, dtype=np.int64), np.empty(n + R, dtype=np.int64)
    w, ratio, gain = np.empty(n + R), np.empty(n + R), np.empty(n + R)
    breaks = Breaks(variable, w, ratio, gain, order)
    degenerate = 0
    for pivots in range(max_pivots):
        r, excess = _leaving(program, state)
        if r < 0:
            return OPTIMAL, n_nonbasic, pivots
        leaving, S = basic[r], nonbasic[:n_nonbasic]
        sigma = 1.0 if excess > 0 else -1.0
        put(W[r, :n_nonbasic], row)
        _tableau_row(A, row, leaving, S, w_pi)
        count, largest = _break_points(program, state, row, w_pi, S, is_basic, sigma, breaks)
        first, last = _long_step(order[:count], ratio, gain, abs(excess))
        stop = _entering(breaks, first, last, PIVOT_TOLERANCE * largest)
        if stop < 0:
            return UNRELIABLE, n_nonbasic, pivots
        step, entering = ratio[stop], variable[stop]
        _tableau_column(A, W, basic, S, entering, column)
        if abs(column[r] - w[stop]) > AGREEMENT * abs(w[stop]):
            return UNRELIABLE, n_nonbasic, pivots

        # The variables passed on the way go to their other bounds; then x_r goes to the bound that it violates.
        _flip(program, state, S, breaks, first, step)
        high = u[leaving] if leaving >= 0 else t[~leaving]
        bound = high if sigma > 0 else (0.0 if leaving >= 0 else -high)
        move = (bound - x[r]) / column[r]
        x += move * column
        x[r] = move + (pi[entering] if entering >= 0 else z[S[~entering]])
        for s in range(n_nonbasic):
            alpha[S[s]] -= step * sigma * row[s]
        for j in range(n):
            d[j] = 0.0 if is_basic[j] else d[j] - step * sigma * w_pi[j]

        # Bookkeeping of the exchange, then W.
        if entering >= 0:
            d[entering], is_basic[entering] = 0.0, True
        else:
            alpha[S[~entering]] = 0.0
        if leaving >= 0:
            pi[leaving], d[leaving], is_basic[leaving] = bound, step * sigma, False
        else:
            z[~leaving], alpha[~leaving] = bound, step * sigma
        n_nonbasic = _exchange(state, n_nonbasic, r, row, column, entering)
        degenerate = degenerate + 1 if step * largest <= ROUNDING else 0
        if degenerate > STALL:
            return STALLED, n_nonbasic, pivots + 1
    return LIMIT, n_nonbasic, max_pivots


@compiled
def _leaving(program, state):
    """Return the row with the steepest edge (-1 if none is infeasible), and its signed infeasibility."""
    t, u, row_tol, pi_tol = program.t, program.u, program.row_tol, program.pi_tol
    x, basic, weight = state.x, state.basic, state.weight
    best, chosen, excess = 0.0, -1, 0.0
    for r in range(len(x)):
        v = basic[r]
        low, high, tol = (0.0, u[v], pi_tol) if v >= 0 else (-t[~v], t[~v], row_tol[~v])
        infeasible = max(x[r] - high, 0.0) + min(x[r] - low, 0.0)
        if abs(infeasible) > tol and infeasible * infeasible > best * weight[r]:
            best, chosen, excess = infeasible * infeasible / weight[r], r, infeasible
    return chosen, excess


@compiled
def _tableau_row(A, row, leaving, S, w_pi):
    """Write the entries for pi of the tableau row of `leaving` into `w_pi`; `row` has those for z_S."""
    if leaving >= 0:
        w_pi[:] = 0.0
    else:
        put(A[~leaving], w_pi)
    add_rows(A, S, -1.0, row, w_pi)


@compiled
def _break_points(program, state, row, w_pi, S, is_basic, sigma, breaks):
    """Collect the nonbasic variables whose reduced cost goes to zero; return their number and the largest |w|.

    A variable with equal bounds never stops a step.
    """
    t, u, pi, z, d, alpha = program.t, program.u, state.pi, state.z, state.d, state.alpha
    variable, w, ratio, gain, order = breaks
    largest = 0.0
    for s in range(len(S)):
        largest = max(largest, abs(row[s]))
    for j in range(len(w_pi)):
        if not is_basic[j]:
            largest = max(largest, abs(w_pi[j]))
    smallest = DROP * largest
    count = 0
    for s in range(len(S)):
        toward = sigma * row[s] * np.sign(z[S[s]])
        if toward > smallest:
            variable[count], w[count], order[count] = ~s, row[s], count
            ratio[count] = max(0.0, alpha[S[s]] / (sigma * row[s]))
            gain[count] = 2.0 * t[S[s]] * toward
            count += 1
    for j in range(len(w_pi)):
        toward = sigma * w_pi[j] if pi[j] > 0 else -sigma * w_pi[j]
        if toward > smallest and not is_basic[j]:
            variable[count], w[count], order[count] = j, w_pi[j], count
            ratio[count] = max(0.0, d[j] / (sigma * w_pi[j]))
            gain[count] = u[j] * toward
            count += 1
    return count, largest


@compiled
def _long_step(order, ratio, gain, slope):
    """Find where a convex piecewise linear function stops falling: a weighted quickselect.

    The function has the slope ``-slope`` at 0, which grows by ``gain[c]`` at ``ratio[c]``. The break points are
    rearranged in `order`; returned are the first position and the last + 1 of those that lie at the minimiser, all
    smaller ones stand before. The range is empty if the function falls for ever.
    """
    low, high = 0, len(order)
    while low < high:
        middle = ratio[order[(low + high) // 2]]
        below = equal = 0.0
        first, k, last = low, low, high  # < middle in [low, first), = in [first, k), unknown in [k, last), > after
        while k < last:
            c = order[k]
            if ratio[c] < middle:
                below += gain[c]
                order[k], order[first] = order[first], c
                first += 1
                k += 1
            elif ratio[c] > middle:
                last -= 1
                order[k], order[last] = order[last], c
            else:
                equal += gain[c]
                k += 1
        if below >= slope:
            high = first
        elif below + equal >= slope:
            return first, last
        else:
            slope -= below + equal
            low = last
    return low, low


@compiled
def _entering(breaks, first, last, smallest):
    """Return the break point to stop at, -1 if none is safe.

    The largest pivot element at the minimiser; if it is too small, the last break point before with one that is not.
    """
    order, ratio, w = breaks.order, breaks.ratio, breaks.w
    chosen = -1
    for c in order[first:last]:
        if abs(w[c]) >= smallest and (chosen < 0 or abs(w[c]) > abs(w[chosen])):
            chosen = c
    if chosen < 0:
        for c in order[:first]:
            if abs(w[c]) >= smallest and (chosen < 0 or ratio[c] > ratio[chosen]):
                chosen = c
    return chosen


@compiled
def _tableau_column(A, W, basic, S, entering, column):
    """Write the tableau column of the nonbasic variable `entering` (``~s`` is the z of column s of W) into `column`."""
    if entering < 0:
        put(W[:, ~entering], column)
        return
    a_S = np.empty(len(S))
    for s in range(len(S)):
        a_S[s] = A[S[s], entering]
    for r in range(len(basic)):
        column[r] = (A[~basic[r], entering] if basic[r] < 0 else 0.0) - dot(W[r, : len(S)], a_S)


@compiled
def _flip(program, state, S, breaks, first, step):
    """Move the variables of the first break points, those before `step`, to their other bounds; update x."""
    A, u, ratio, variable, passed = program.A, program.u, breaks.ratio, breaks.variable, breaks.order[:first]
    W, basic, pi, z, x = state.W, state.basic, state.pi, state.z, state.x
    flipped, change = np.empty(len(passed), dtype=np.int64), np.empty(len(passed))
    z_change = np.zeros(len(S))
    n_flipped, any_z = 0, False
    for c in passed:
        if ratio[c] < step:
            v = variable[c]
            if v >= 0:
                flipped[n_flipped], change[n_flipped] = v, u[v] - 2.0 * pi[v]
                pi[v] = u[v] - pi[v]
                n_flipped += 1
            else:
                i = S[~v]
                z_change[~v], z[i], any_z = -2.0 * z[i], -z[i], True
    if not (n_flipped or any_z):
        return
    for s in range(len(S)):
        a = A[S[s]]
        for k in range(n_flipped):
            z_change[s] -= a[flipped[k]] * change[k]
    for r in range(len(basic)):
        total = dot(W[r, : len(S)], z_change)
        if basic[r] < 0:
            a = A[~basic[r]]
            for k in range(n_flipped):
                total += a[flipped[k]] * change[k]
        x[r] += total


@compiled
def _exchange(state, n_nonbasic, r, row, column, entering):
    """Exchange ``basic[r]`` for `entering` in W; `row` and `column` are those of the pivot. Return the new |S|.

    Eliminating the entering variable subtracts ``column_q / column_r`` times row r from every other row q. A pi that
    leaves takes no column of W, a z does: its column is ``column / column_r``.
    """
    W, weight, basic, nonbasic = state.W, state.weight, state.basic, state.nonbasic
    leaving = basic[r]
    place = n_nonbasic if entering >= 0 else ~entering
    basic[r] = entering if entering >= 0 else ~nonbasic[place]
    if leaving < 0:
        nonbasic[place] = ~leaving
        if entering >= 0:
            W[:, place] = 0.0
            row[place] = 0.0
            n_nonbasic += 1
        row[place] -= 1.0  # with this the elimination below writes the new column
    elif entering < 0:
        n_nonbasic -= 1
        nonbasic[place], row[place] = nonbasic[n_nonbasic], row[n_nonbasic]
        put(W[:, n_nonbasic], W[:, place])
    for q in range(len(basic)):
        W_q, factor = W[q, :n_nonbasic], column[q] / column[r]
        if q == r:
            for s in range(n_nonbasic):
                W_q[s] = -row[s] / column[r]
            if leaving < 0:
                W_q[place] = 1.0 / column[r]
        else:
            for s in range(n_nonbasic):
                W_q[s] -= factor * row[s]
        weight[q] = dot(W_q, W_q) + (1.0 if basic[q] < 0 else 0.0)
    return n_nonbasic
