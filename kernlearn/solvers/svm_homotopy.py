"""The steps of the homotopy method of `kernlearn.solvers.svm`, compiled by numba.

The dual problem of the support vector machine with bias, in ``beta_i = alpha_i y_i``, with a weight w_i > 0 for every
example and labels +-1::

    min_beta  1/2 beta' K beta - sum_i p_i y_i beta_i   subject to   sum_i beta_i = 0,   0 <= y_i beta_i <= w_i C

has the optimality conditions, with the residuals ``r_i = (K beta)_i + b - p_i y_i``::

    LOWER:  y_i beta_i = 0, y_i r_i >= 0      FREE:  r_i = 0      UPPER:  y_i beta_i = w_i C, y_i r_i <= 0

The solution for one (C, p) is followed to another one along the straight line between the two, tau in [0, 1]: beta,
b and r are piecewise linear in tau, and at every break one example changes its set (Best 1996; for support vector
machines Hastie, Rosset, Tibshirani and Zhu 2004). While the sets F (free) and U (upper) stay, the derivatives are

    K_FF beta_F' + b' 1 = -q_F - C' h_F ,    1' beta_F' = -C' sum_U w_i y_i ,    h = sum_U w_j y_j K_j ,       (1)
    r' = q + C' h + b' 1 + sum_F beta_j' K_j ,                                                                (2)

where ``q_i = -p_i' y_i``. As the sum of beta never changes, ``K + s 11'`` may stand for K in (1): it is positive
definite on F if and only if the bordered matrix of (1) is regular, and its Cholesky factor solves (1).
"""

import numpy as np

from kernlearn.solvers.cholesky import append, backward, delete, forward
from kernlearn.solvers.compiled import add_rows, compiled, dot

LOWER, FREE, UPPER = 0, 1, 2

#: Why `follow` returned.
DONE, LIMIT, FULL = 0, 1, 2

#: A pivot of the Cholesky factor below this part of its diagonal is taken for 0: the example depends on those in F.
SINGULAR = 1e-12
#: A residual that changes by less than this part of the numbers its change is a sum of does not change.
ROUNDING = 1e-13


@compiled
def follow(K, y, w, shift, C, C_end, tau, beta, b, r, q, h, sets, free, f, L, max_steps):
    """Follow the solution from `tau` to 1; `beta`, `r`, `h`, `sets`, `free` and `L` are updated in place.

    Parameters
    ----------
    K : array of shape (n, n)
    y, w : arrays of shape (n,)
        Labels +-1, and weights of the examples.
    shift : float
        The s of the module's text.
    C, C_end : float
        The bound at tau = 0 and 1.
    tau : float
    beta : array of shape (n,)
    b : float
    r, q, h : arrays of shape (n,)
    sets : integer array of shape (n,)
        LOWER, FREE or UPPER; at least one is FREE.
    free : integer array of shape (capacity,)
        The f free examples, in the order of the factor.
    f : int
    L : array of shape (capacity, capacity)
        The Cholesky factor of ``K_FF + s``.
    max_steps : int

    Returns
    -------
    code : int
        DONE, LIMIT (`max_steps` were not enough) or FULL (the capacity is not enough; go on with more).
    tau, b : float
    f, steps : int
    """
    n, dC = len(y), C_end - C
    dbeta, ones, dr, row = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for step in range(max_steps):
        if f == len(L):
            return FULL, tau, b, f, step
        db = _direction(K, y, w, shift, dC, q, h, sets, free, f, L, dbeta, ones, dr)
        t, blocking, to = _first_break(y, w, C + tau * dC, dC, beta, r, dbeta, dr, sets, free, f)
        last = t >= 1.0 - tau
        if last:
            t = 1.0 - tau
        tau = 1.0 if last else tau + t
        bound = C + tau * dC
        b += t * db
        for j in range(f):
            beta[free[j]] += t * dbeta[j]
        for i in range(n):
            r[i] += t * dr[i]
            if sets[i] == UPPER:
                beta[i] = y[i] * w[i] * bound
        if last:
            return DONE, tau, b, f, step + 1
        if to == FREE:
            f = enter(K, y, w, shift, bound, beta, r, h, sets, free, f, L, row, blocking)
        else:
            f = _leave(K, y, w, bound, beta, r, h, sets, free, f, L, blocking, to)
    return LIMIT, tau, b, f, max_steps


@compiled
def _direction(K, y, w, shift, dC, q, h, sets, free, f, L, dbeta, ones, dr):
    """Solve (1) for `dbeta` (in the order of `free`), put (2) into `dr`, and return b'."""
    balance = 0.0
    for i in range(len(y)):
        if sets[i] == UPPER:
            balance += w[i] * y[i]
    for j in range(f):
        dbeta[j] = -q[free[j]] - dC * h[free[j]]
        ones[j] = 1.0
    forward(L, f, dbeta)
    backward(L, f, dbeta)
    forward(L, f, ones)
    backward(L, f, ones)
    db = (dbeta[:f].sum() + dC * balance) / ones[:f].sum()
    scale = 0.0
    for j in range(f):
        dbeta[j] -= db * ones[j]
        scale = max(scale, abs(dbeta[j]) * shift)
    db -= shift * dC * balance  # with K + s 11' on the left of (1), b' took up s 1'beta_F'
    for i in range(len(y)):
        dr[i] = q[i] + dC * h[i] + db
        scale = max(scale, abs(q[i]), abs(dC * h[i]))
    add_rows(K, free[:f], 1.0, dbeta, dr)
    for i in range(len(y)):
        if sets[i] == FREE or abs(dr[i]) <= ROUNDING * scale:
            dr[i] = 0.0
    return db


@compiled
def _first_break(y, w, bound, dC, beta, r, dbeta, dr, sets, free, f):
    """Return how far tau may grow until an example (which, by position if free) has to change its set (to which)."""
    t, blocking, to, speed = np.inf, -1, FREE, 0.0
    if f > 1:  # a single free example is at a bound anyway, and stays to carry b
        for j in range(f):
            i = free[j]
            alpha, rate = y[i] * beta[i], y[i] * dbeta[j]
            step, target = np.inf, LOWER
            if rate < 0.0:
                step = max(alpha, 0.0) / -rate
            if rate > w[i] * dC:  # the bound itself may fall faster than alpha
                to_upper = max(w[i] * bound - alpha, 0.0) / (rate - w[i] * dC)
                if to_upper < step:
                    step, target = to_upper, UPPER
            if step < t or (step == t and abs(rate) > speed):
                t, blocking, to, speed = step, j, target, abs(rate)
    for i in range(len(y)):
        rate = y[i] * dr[i]
        if (sets[i] == LOWER and rate < 0.0) or (sets[i] == UPPER and rate > 0.0):
            step = max(-y[i] * r[i] / rate, 0.0)
            if step < t or (step == t and abs(rate) > speed):
                t, blocking, to, speed = step, i, FREE, abs(rate)
    return t, blocking, to


@compiled
def _leave(K, y, w, bound, beta, r, h, sets, free, f, L, position, to):
    """Put the free example at `position` to a bound; return the new f."""
    i = free[position]
    f = delete(L, f, position)
    free[position:f] = free[position + 1 : f + 1].copy()
    _settle(K, y, w, bound, beta, r, h, sets, i, to)
    return f


@compiled
def _settle(K, y, w, bound, beta, r, h, sets, i, to):
    sets[i], r[i], beta[i] = to, 0.0, 0.0
    if to == UPPER:
        beta[i] = y[i] * w[i] * bound
        h += y[i] * w[i] * K[i]


@compiled
def enter(K, y, w, shift, bound, beta, r, h, sets, free, f, L, row, i):
    """Free example i; where that would make (1) singular, in exchange for another one.

    In exchange, because beta_i and beta_F may then move along a direction that changes no residual; they do until the
    first of them is at a bound. An example in LOWER may start from any value and goes up.

    Returns
    -------
    f : int
        The new number of free examples.
    """
    way = y[i] if sets[i] == LOWER else -y[i]
    if sets[i] == UPPER:
        h -= y[i] * w[i] * K[i]
    pivot = _pivot(K, shift, free, f, L, row, i)
    if pivot <= SINGULAR * (K[i, i] + shift):
        z = row[:f].copy()
        backward(L, f, z)  # K_F z = K_i up to a constant, 1'z = 1
        alpha = y[i] * beta[i]
        t, blocking, to = (w[i] * bound - alpha, -1, UPPER) if sets[i] == LOWER else (alpha, -1, LOWER)
        for j in range(f):
            k = free[j]
            alpha, rate = y[k] * beta[k], -way * y[k] * z[j]
            if rate < 0.0 and alpha < -rate * t:
                t, blocking, to = max(alpha, 0.0) / -rate, j, LOWER
            elif rate > 0.0 and w[k] * bound - alpha < rate * t:
                t, blocking, to = max(w[k] * bound - alpha, 0.0) / rate, j, UPPER
        beta[i] += t * way
        for j in range(f):
            beta[free[j]] -= t * way * z[j]
        if blocking < 0:
            _settle(K, y, w, bound, beta, r, h, sets, i, to)
            return f
        f = _leave(K, y, w, bound, beta, r, h, sets, free, f, L, blocking, to)
        pivot = max(_pivot(K, shift, free, f, L, row, i), SINGULAR * (K[i, i] + shift))
    sets[i], r[i], free[f] = FREE, 0.0, i
    return append(L, f, row, pivot)


@compiled
def _pivot(K, shift, free, f, L, row, i):
    """Put the new row of the factor into `row`; return the square of its diagonal."""
    for j in range(f):
        row[j] = K[i, free[j]] + shift
    forward(L, f, row)
    return K[i, i] + shift - dot(row[:f], row[:f])
