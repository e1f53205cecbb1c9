"""What bounds the error of separators of large relative margin, without bias (Shivaswamy, 2010, section 3.5).

There are three classes of functions ``w.x``: F with ``1/2 |w|^2 <= E``, G with ``1/2 w'Mw <= E`` for
``M = (1 - D) I + D/n sum_j x_j x_j'``, and H with ``1/2 w'M_i w <= E`` for every i, ``M_i = (1 - D) I + D x_i x_i'``.
Each has a bound of its complexity, divided by the largest margin that it reaches on n examples. E cancels: with s the
least value of ``|w|^2``, ``w'Mw`` or ``max_i w'M_i w`` where ``y_i w.x_i >= 1`` for every i, the margin is
``sqrt(2E/s)``, and the bounds are ::

    F, the SVM        (4/n) sqrt(s sum_i x_i.x_i)                                                           (3.13)
    G, the Sigma-SVM  (4/n) sqrt(s sum_i x_i' M^-1 x_i)                                                     (3.15)
    H, the RMM        (4/n) sqrt(s min_l sum_i x_i' A(l)^-1 x_i),  A(l) = (1 - D) I + D sum_j l_j x_j x_j'  (3.14)

with l >= 0 of sum 1: the scale of the multipliers of (3.14) is minimised in closed form. D = 0 is F in all three.
"""

from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from kernlearn.errors import UserError
from kernlearn.solvers import Bounds, QuadraticProgram, Solution, solve_design
from kernlearn.types import Array


class MarginBound(NamedTuple):
    """A bound, and the largest relative gap of what was solved for it."""

    value: float
    gap: float


def svm_bound(X: Array, y: Array) -> MarginBound:
    """Return the bound for F, of examples X of shape (n, d) and labels +-1 that a separator through 0 separates."""
    return sigma_svm_bound(X, y, 0.0)


def sigma_svm_bound(X: Array, y: Array, D: float) -> MarginBound:
    """Return the bound for G, of examples (n, d) and labels +-1 (n,) as `svm_bound` takes them, with D in [0, 1]."""
    n, d = X.shape
    M = (1.0 - D) * np.eye(d) + D / n * X.T @ X
    margin = _least(2.0 * M, y[:, None] * X, np.ones(n))
    return _bound(n, margin, float(np.vdot(X, np.linalg.solve(M, X.T).T)), 0.0)


def rmm_bound(X: Array, y: Array, D: float) -> MarginBound:
    """Return the bound for H, of the same, with the examples as landmarks; needs Clarabel."""
    n, d = X.shape
    P = 2.0 * np.diag([*np.full(d, 1.0 - D), D])  # of (w, t) with t >= |w.x_i|
    beside, t = np.zeros((n, 1)), np.ones((n, 1))
    A = np.block([[y[:, None] * X, beside], [X, t], [-X, t]])
    margin = _least(P, A, np.concatenate([np.ones(n), np.zeros(2 * n)]))
    spread = solve_design(X, X, D)
    return _bound(n, margin, spread.objective, spread.gap)


def _least(P: Array, A: Array, low: Array) -> Solution:
    """Minimise ``1/2 x'Px`` subject to ``A x >= low``."""
    free = np.full(len(P), inf)
    solution = QuadraticProgram(P, A).solve(np.zeros(len(P)), Bounds(low, np.full(len(A), inf), -free, free))
    if solution.status != "optimal":
        raise UserError("the examples have no margin: no line through 0 separates them")
    return solution


def _bound(n: int, margin: Solution, spread: float, gap: float) -> MarginBound:
    return MarginBound(4.0 / n * sqrt(margin.objective * spread), max(margin.gap, gap))
