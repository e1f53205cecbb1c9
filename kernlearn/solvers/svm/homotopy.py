# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The steps of the homotopy method for the support vector machine and its relatives, compiled by numba.

The dual problem of a kernel machine with bias whose loss is convex and piecewise linear in ``y_i f(x_i)``, with labels
``y_i = +-1``, in ``beta_i = y_i v_i``::

    min_beta  1/2 beta' K beta + sum_i h_i(y_i beta_i)   subject to   sum_i beta_i = 0

h_i is convex, and linear between its levels ``C e_i0 <= ... <= C e_im``, the first and the last of which may be
infinite and are bounds of v_i. With the residuals ``r_i = (K beta)_i + b - p_i y_i`` the optimality conditions are: v_i
is at a level (its set has the even number 2k), or between two that follow one another (2k + 1), where::

    2k:  v_i = C e_ik,  o_ik <= y_i r_i <= o_i,k-1      2k + 1:  C e_ik <= v_i <= C e_i,k+1,  y_i r_i = o_ik

``p_i + o_i0 >= p_i + o_i1 >= ...`` are the margins at which the loss has its kinks. The support vector machine has one
kink, at p_i = 1, with levels 0 and C w_i, and three sets: LOWER, FREE and UPPER. The relative margin machine has two
kinks more, at the margins B and -B, with levels -infinity and infinity.

The solution for one (C, p, o) is followed to another one along the straight line between the two, tau in [0, 1]: beta,
b and r are piecewise linear in tau, and at every break one example changes its set (Best 1996; for support vector
machines Hastie, Rosset, Tibshirani and Zhu 2004). While the sets F (free: of odd number) and U (the others) stay, the
derivatives are

    K_FF beta_F' + b' 1 = y_F o_F' - q_F - C' h_F ,    1' beta_F' = -C' sum_U e_i y_i ,    h = sum_U e_j y_j K_j ,   (1)
    r' = q + C' h + b' 1 + sum_F beta_j' K_j ,                                                                       (2)

where ``q_i = -p_i' y_i``. As the sum of beta never changes, ``K + s 11'`` may stand for K in (1): it is positive
definite on F if and only if the bordered matrix of (1) is regular, and its Cholesky factor solves (1). Without bias b
and the second equation of (1) are left out, and s is 0.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.compiled import compiled
from kernlearn.solvers.core.cholesky import append, backward, delete, forward
from kernlearn.solvers.core.products import add_rows, dot, put
from kernlearn.types import Array, Index

#: The sets of a loss with one kink.
LOWER, FREE, UPPER = 0, 1, 2

#: Why `follow` returned.
DONE, LIMIT, FULL = 0, 1, 2

#: A pivot of the Cholesky factor below this part of its diagonal is taken for 0: the example depends on those in F.
SINGULAR = 1e-12
#: A residual that changes by less than this part of the numbers its change is a sum of does not change.
ROUNDING = 1e-13


class Line(NamedTuple):
    """The programs on a straight line, of which tau from 0 to 1 says where on it they are."""

    #: Shape (n, n).
    K: Array
    #: Shape (n,): labels +-1.
    y: Array
    #: Shape (n, m + 1): levels in units of C, growing along each row.
    e: Array
    #: `o`, `do`, shape (n, m): places of the kinks at tau = 0, falling along each row, and their derivatives.
    o: Array
    do: Array
    #: Shape (n,).
    q: Array
    #: The s of the module's text; 0 for a machine without bias.
    shift: float
    #: `C`, `dC`: the unit of the levels at tau = 0, and its derivative.
    C: float
    dC: float


class State(NamedTuple):
    """Where a solution is that is followed; the arrays are updated in place."""

    #: `beta`, `r`, `h`, shape (n,).
    beta: Array
    r: Array
    h: Array
    #: Integers of shape (n,): with bias at least one is odd.
    sets: NDArray[np.intp]
    #: Integers of shape (capacity,): the f free examples, in the order of the factor.
    free: Index
    #: Shape (capacity, capacity): the Cholesky factor of ``K_FF + s``.
    L: Array


@compiled
def follow(line, state, tau, b, f, max_steps):
    """Follow the solution from `tau` to 1.

    Parameters
    ----------
    line : Line
    state : State
    f : int
        The number of free examples.

    Returns
    -------
    code : int
        DONE, LIMIT (`max_steps` were not enough, or lead nowhere), FULL (the capacity is not enough; go on with more).
    tau, b : float
    f, steps : int
    """
    y, e, o, do, dC = line.y, line.e, line.o, line.do, line.dC
    beta, r, sets, free = state.beta, state.r, state.sets, state.free
    n = len(y)
    dbeta, ones, dr, row = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for step in range(max_steps):
        if f == len(state.L):
            return FULL, tau, b, f, step
        if f == 0 and line.shift > 0.0:  # of a kernel that is nothing but rounding no example carries b
            return LIMIT, tau, b, f, step
        db, noise = _direction(line, state, f, dbeta, ones, dr)
        t, blocking, to = _first_break(line, state, tau, f, dbeta, dr, noise)
        last = t >= 1.0 - tau
        if last:
            t = 1.0 - tau
        tau = 1.0 if last else tau + t
        bound = line.C + tau * dC
        b += t * db
        for j in range(f):
            beta[free[j]] += t * dbeta[j]
        for i in range(n):
            r[i] += t * dr[i]
            if sets[i] % 2 == 0:
                beta[i] = y[i] * e[i, sets[i] // 2] * bound
        if last:
            return DONE, tau, b, f, step + 1
        if to % 2:
            place = o[blocking, to // 2] + tau * do[blocking, to // 2]
            f = enter(line, state, bound, f, row, blocking, to, place)
        else:
            f = _leave(line, state, bound, f, blocking, to)
    return LIMIT, tau, b, f, max_steps


@compiled
def _direction(line, state, f, dbeta, ones, dr):
    """Solve (1) for `dbeta` (in the order of `free`), put (2) into `dr`; return b', and what is noise in `dr`."""
    K, y, e, do, q, shift, dC = line.K, line.y, line.e, line.do, line.q, line.shift, line.dC
    h, sets, free, L = state.h, state.sets, state.free, state.L
    db, scale = 0.0, 0.0
    for j in range(f):
        i = free[j]
        place = y[i] * do[i, sets[i] // 2]
        scale = max(scale, abs(place))
        dbeta[j] = -q[i] - dC * h[i] + place
    forward(L, f, dbeta)
    backward(L, f, dbeta)
    if shift > 0.0:
        balance = 0.0
        for i in range(len(y)):
            if sets[i] % 2 == 0:
                balance += e[i, sets[i] // 2] * y[i]
        ones[:f] = 1.0
        forward(L, f, ones)
        backward(L, f, ones)
        db = (dbeta[:f].sum() + dC * balance) / ones[:f].sum()
        for j in range(f):
            dbeta[j] -= db * ones[j]
        db -= shift * dC * balance  # with K + s 11' on the left of (1), b' took up s 1'beta_F'
    for j in range(f):
        scale = max(scale, abs(dbeta[j]) * (shift if shift > 0.0 else K[free[j], free[j]]))
    for i in range(len(y)):
        dr[i] = q[i] + dC * h[i] + db
        scale = max(scale, abs(q[i]), abs(dC * h[i]))
    add_rows(K, free[:f], 1.0, dbeta, dr)
    for i in range(len(y)):
        if sets[i] % 2:
            dr[i] = y[i] * do[i, sets[i] // 2]
        elif abs(dr[i]) <= ROUNDING * scale:
            dr[i] = 0.0
    return db, ROUNDING * scale


@compiled
def _first_break(line, state, tau, f, dbeta, dr, noise):
    """Return how far tau may grow until an example (which, by position if free) has to change its set (to which)."""
    y, e, o, do, shift, dC = line.y, line.e, line.o, line.do, line.shift, line.dC
    beta, r, sets, free = state.beta, state.r, state.sets, state.free
    bound = line.C + tau * dC
    t, blocking, to, speed = np.inf, -1, 0, 0.0
    if f > 1 or shift == 0.0:  # a single free example is at a level anyway, and stays to carry b, if there is one
        for j in range(f):
            i = free[j]
            v, rate, k = y[i] * beta[i], y[i] * dbeta[j], sets[i] // 2
            step, target = np.inf, 2 * k
            if e[i, k] > -np.inf and rate < e[i, k] * dC:  # the level itself may move
                step = max(v - e[i, k] * bound, 0.0) / (e[i, k] * dC - rate)
            if e[i, k + 1] < np.inf and rate > e[i, k + 1] * dC:
                to_upper = max(e[i, k + 1] * bound - v, 0.0) / (rate - e[i, k + 1] * dC)
                if to_upper < step:
                    step, target = to_upper, 2 * k + 2
            if step < t or (step == t and abs(rate) > speed):
                t, blocking, to, speed = step, j, target, abs(rate)
    for i in range(len(y)):
        if sets[i] % 2 == 0:
            k = sets[i] // 2
            if k < o.shape[1]:  # the kink at the smaller margin
                closing = do[i, k] - y[i] * dr[i]
                if closing > noise:
                    step = max((y[i] * r[i] - (o[i, k] + tau * do[i, k])) / closing, 0.0)
                    if step < t or (step == t and closing > speed):
                        t, blocking, to, speed = step, i, 2 * k + 1, closing
            if k > 0:
                closing = y[i] * dr[i] - do[i, k - 1]
                if closing > noise:
                    step = max((o[i, k - 1] + tau * do[i, k - 1] - y[i] * r[i]) / closing, 0.0)
                    if step < t or (step == t and closing > speed):
                        t, blocking, to, speed = step, i, 2 * k - 1, closing
    return t, blocking, to


@compiled
def _leave(line, state, bound, f, position, to):
    """Put the free example at `position` to a level; return the new f."""
    free = state.free
    i = free[position]
    f = delete(state.L, f, position)
    put(free[position + 1 : f + 1], free[position:f])
    _settle(line, state, bound, i, to)
    return f


@compiled
def _settle(line, state, bound, i, to):
    y, h, level = line.y, state.h, line.e[i, to // 2]
    state.sets[i], state.beta[i] = to, y[i] * level * bound
    if level != 0.0:
        h += y[i] * level * line.K[i]


@compiled
def enter(line, state, bound, f, row, i, to, place):
    """Free example i, at the kink of the set `to`, which is at `place`; where that is singular, for another one.

    For another one, because beta_i and beta_F may then move along a direction that changes no residual; they do until
    the first of them is at a level. An example may start from any value on its way.

    Returns
    -------
    f : int
        The new number of free examples.
    """
    K, y, e, shift = line.K, line.y, line.e, line.shift
    beta, r, h, sets, free, L = state.beta, state.r, state.h, state.sets, state.free, state.L
    up = to > sets[i]
    way, level = y[i] if up else -y[i], e[i, sets[i] // 2]
    if level != 0.0:
        h -= y[i] * level * K[i]
    smallest = SINGULAR * ((max(K[i, i], 0.0) + shift) or 1.0)  # rounding makes K_ii negative, too
    pivot = _pivot(line, state, f, row, i)
    if pivot <= smallest:
        z = row[:f].copy()
        backward(L, f, z)  # K_F z = K_i, with bias up to a constant, and 1'z = 1
        v, end = y[i] * beta[i], to + 1 if up else to - 1
        t, blocking = abs(e[i, end // 2] * bound - v), -1
        for j in range(f):
            k = free[j]
            v, rate = y[k] * beta[k], -way * y[k] * z[j]
            lower, upper = e[k, sets[k] // 2] * bound, e[k, sets[k] // 2 + 1] * bound
            if rate < 0.0 and v - lower < -rate * t:
                t, blocking, end = max(v - lower, 0.0) / -rate, j, sets[k] - 1
            elif rate > 0.0 and upper - v < rate * t:
                t, blocking, end = max(upper - v, 0.0) / rate, j, sets[k] + 1
        if t < np.inf:  # rounding alone makes a direction without end
            beta[i] += t * way
            for j in range(f):
                beta[free[j]] -= t * way * z[j]
            if blocking < 0:
                _settle(line, state, bound, i, end)
                r[i] = y[i] * place
                return f
            f = _leave(line, state, bound, f, blocking, end)
        pivot = max(_pivot(line, state, f, row, i), smallest)
    sets[i], r[i], free[f] = to, y[i] * place, i
    return append(L, f, row, pivot)


@compiled
def _pivot(line, state, f, row, i):
    """Put the new row of the factor into `row`; return the square of its diagonal."""
    K, shift, free = line.K, line.shift, state.free
    for j in range(f):
        row[j] = K[i, free[j]] + shift
    forward(state.L, f, row)
    return K[i, i] + shift - dot(row[:f], row[:f])
