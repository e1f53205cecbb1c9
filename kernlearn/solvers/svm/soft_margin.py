"""The largest soft margin of a weighted vote: a linear program over columns that are found as they are needed.

With the signed votes ``A_si = y_i G_s(x_i)`` of stumps and ``0 <= u_i <= C c_i``, of a sum of at least 1::

    (P)  min_{a, rho}  1 - rho + C sum_i c_i max(0, rho - sum_s a_s A_si)     subject to  a >= 0, sum_s a_s = 1
    (D)  max_u  1 - max_s sum_i u_i A_si     subject to  0 <= u_i <= C c_i, sum_i u_i = 1

The 1, the largest margin there is, makes both of moderate size where the margin is 0. HiGHS solves (D) for the rows
found so far; its u tells which others break it, and its multipliers are a. Both are made feasible and evaluated here.
Source: Demiriz, Bennett and Shawe-Taylor (2002), Linear programming boosting via column generation.
"""

from collections.abc import Callable

import numpy as np

from kernlearn.certificates import relative_gap, status_of
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution, SolverError
from kernlearn.types import Array

#: ``price(u)`` returns the largest ``sum_i u_i A_si`` over all s, and signed votes worth adding, shape (k, n).
Price = Callable[[Array], tuple[float, Array]]

MAX_ROUNDS = 2000
#: What weights that add up to 1 may miss it by.
ROUNDING = 1e-13


def largest_soft_margin(rows: Array, upper: Array, price: Price, tol: float = 1e-9) -> Solution:
    """Solve (P) and (D).

    Parameters
    ----------
    rows : array of shape (k, n)
        Signed votes to begin with, at least one.
    upper : array of shape (n,)
        The bounds ``C c_i``, of a sum of at least 1.
    tol : float
        Relative duality gap to reach.

    Returns
    -------
    Solution
        ``x`` are the weights a, of `rows` and then of those added, in their order; ``dual`` is u.
    """
    clock, rounds, best, new = Clock(), 0, -np.inf, rows
    from kernlearn.solvers.core.lp import CuttingPlanes

    planes, u = CuttingPlanes(rows.shape[1], 1.0, upper), upper / upper.sum()
    every, a, objective, status = rows, np.full(len(rows), 1.0 / len(rows)), np.inf, ""
    while rounds < MAX_ROUNDS:
        rounds += 1
        try:
            found, a = planes.add_all(np.zeros(len(new)), -new)
        except SolverError as error:
            status = str(error)
            break
        found = feasible(found, upper)
        largest, new = price(found)
        if (bound := _rest(largest)) > best:
            best, u = bound, found
        objective = _rest(soft_margin(a @ every, upper))
        clock.tell(relative_gap(objective, best, 1.0))
        if relative_gap(objective, best, 1.0) <= tol or not len(new) or clock.over:
            break
        every = np.concatenate([every, new])
    x = np.append(a, np.zeros(len(every) - len(a)))
    status = status or status_of(relative_gap(objective, best, 1.0), tol, clock.otherwise)
    return Solution(x, objective, u, best, 1.0, status, planes.iterations, rounds, clock.seconds)


def _rest(margin: float) -> float:
    """Return what a margin lacks of 1, which is nothing where it is the rounding of a sum of weights."""
    return 1.0 - margin if 1.0 - margin > ROUNDING else 0.0


def soft_margin(margins: Array, upper: Array) -> float:
    """Return ``max_rho rho - sum_i upper_i max(0, rho - margins_i)``: at one of the margins, as it is concave."""
    order = np.argsort(margins, kind="stable")
    m, u = margins[order], upper[order]
    below = np.append(0.0, np.cumsum(u)[:-1])  # the weight of the margins before each
    lost = m * below - np.append(0.0, np.cumsum(u * m)[:-1])
    return float((m - lost).max())


def feasible(u: Array, upper: Array) -> Array:
    """Return the u of a solver moved into ``0 <= u <= upper, sum(u) = 1``."""
    u = np.clip(u, 0.0, upper)
    missing = 1.0 - u.sum()
    room = upper - u if missing > 0.0 else u
    total = room.sum()
    return u + missing * room / total if total > 0.0 else u
