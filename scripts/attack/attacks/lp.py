"""The linear programs of Voted Kernel Regularization and the norm-1 SVM, for Clarabel and for HiGHS."""

from math import inf

import cvxpy as cp
import numpy as np
from scipy.optimize import linprog

from attacks.held import ROUNDING, Array, hinge, long
from attacks.oracles import Best, solve_conic


def solve_lp(A: Array, y: Array, Lambda: Array) -> Best:
    """Solve ``min_a (1/m) sum_i max(0, 1 - y_i (A a)_i) + Lambda.|a|`` (1), A of shape (m, N)."""
    m, size = len(y), np.abs(A).max(axis=0).astype(float)
    kept = size > 0
    G, cost = (y[:, None] * A[:, kept] / size[kept]).astype(float), (Lambda[kept] / size[kept]).astype(float)
    best = Best(long(1.0), long(0.0))
    exact, L = long(y[:, None] * A[:, kept]), long(Lambda[kept])

    def offer(a: Array, u: Array | None) -> None:
        a = long(a) / size[kept]
        lower = -inf
        if u is not None:
            u = np.clip(long(u), 0, 1 / long(m))
            prices = np.abs(u @ exact)
            ratio = np.min(np.divide(L, prices, out=np.ones(len(L), dtype=np.longdouble), where=prices > L), initial=1)
            lower = (u * ratio).sum()
        f, errors = exact @ a, np.abs(exact) @ np.abs(a)
        rounding = errors[f < 1 + ROUNDING * errors].sum() / m
        best.offer(hinge(f) / m + (L * np.abs(a)).sum() + ROUNDING * rounding, lower)

    a, xi = cp.Variable(G.shape[1]), cp.Variable(m)
    rows = xi >= 1 - G @ a
    if G.shape[1] and solve_conic(cp.Problem(cp.Minimize(cp.sum(xi) / m + cost @ cp.abs(a)), [rows, xi >= 0])):
        offer(a.value, rows.dual_value)
    N = G.shape[1]
    program = np.concatenate([cost, cost, np.full(m, 1.0 / m)]), np.hstack([-G, G, -np.eye(m)]), -np.ones(m)
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    result = linprog(*program, method="highs-ds", options=tight)
    if result.x is not None:
        offer(result.x[:N] - result.x[N : 2 * N], -result.ineqlin.marginals)
    return best
