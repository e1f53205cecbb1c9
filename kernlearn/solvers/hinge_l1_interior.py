"""A vertex next to the solution of the problem of `kernlearn.solvers.hinge_l1`, by an interior point method.

Column generation as there: the program of the columns so far is solved to a part of the gap that all columns leave,
those that this point violates or nearly violates come in, those far from their bounds go. Near the solution the
point tells which columns have coefficients, and which examples a margin of 1. A pivoted QR factorisation makes a basis
of them, from which the simplex method mostly has a few pivots to go.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from kernlearn.solvers.hinge_l1 import worst_columns
from kernlearn.solvers.interior import Interior

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Relative gap over all columns at which a basis is guessed: from 2e-3 on 338 pivots are left at m = 2400, from 1e-4 on
#: 44, and either takes as long (``scripts/bench_interior.py`` has the program).
NEAR = 1e-3
#: Part of the gap over all columns that the program of the columns so far is solved to.
SHARE = 0.1
#: Columns at first, and at least in one round; more come where there are more, this part of them.
FIRST, LEAST, PART = 300, 100, 0.25
#: Columns come in from this part of their bounds on, and go below this part.
COMES, GOES = 0.96, 0.5
#: Bounds below this part of the median bound are raised to it: those of 0 leave no inner point.
FLAT = 1e-6
ROUNDS, STEPS = 60, 30
#: Diagonal entries of a triangular factor below this part of the first count as 0.
RANK = 1e-12
#: Weights of columns and rows in the factorisation are at most this.
SURE = 1e12


class Program(NamedTuple):
    """What is known of (D) in scaled columns, without copies of equal examples.

    Attributes
    ----------
    u : array of shape (m,)
        How many examples each stands for.
    limits : array of shape (p, n)
    take : callable
        ``take(k, j)`` returns scaled columns as rows, shape (len(k), m).
    products : callable
        ``products(pi)`` returns ``|A'pi|`` in the scale of the limits, shape (p, n).
    """

    u: Array
    limits: Array
    take: Callable[[Index, Index], Array]
    products: Callable[[Array], Array]


class Basis(NamedTuple):
    """Columns (k, j), and as many examples B strictly inside their bounds."""

    k: Index
    j: Index
    B: Index


def near_basis(program: Program, k: Index, j: Index) -> Basis:
    """Return a basis next to the optimal one.

    Parameters
    ----------
    program : Program
    k, j : integer arrays
        Columns to begin with, such as those of the solution of a program with near limits.
    """
    u = program.u
    positive = program.limits[program.limits > 0.0]
    limits = np.maximum(program.limits, FLAT * float(np.median(positive)) if len(positive) else FLAT)
    point = Interior(u)
    inside = np.zeros(limits.shape, dtype=bool)
    inside[k, j] = True
    excess = np.where(inside, 0.0, program.products(u))
    more_k, more_j = worst_columns(excess, limits, FIRST)
    k, j = np.append(k, more_k), np.append(j, more_j)
    value, bound = float(u.sum()), 0.0
    point.add(program.take(k, j), limits[k, j])
    for _ in range(ROUNDS):
        inside[k, j] = True
        gap = (value - bound) / value
        solved = point.solve(SHARE * gap, STEPS)
        ratios = program.products(point.pi) / limits
        bound = max(bound, float(point.pi.sum()) / max(1.0, float(ratios.max())))
        value = min(value, point.value)
        ratios[inside] = 0.0
        most = max(LEAST, int(PART * len(k)))
        more_k, more_j = worst_columns(np.where(ratios > COMES, ratios, 0.0), np.ones_like(ratios), most)
        if value - bound <= NEAR * value or not len(more_k) or not solved:
            break
        stay = np.abs(point.G @ point.pi) > GOES * point.t
        inside[k[~stay], j[~stay]] = False
        point.keep(stay)
        k, j = np.append(k[stay], more_k), np.append(j[stay], more_j)
        point.add(program.take(more_k, more_j), limits[more_k, more_j])
    rows, examples = _basis(point)
    return Basis(k[rows], j[rows], examples)


def _basis(point: Interior) -> tuple[Index, Index]:
    """Return rows with coefficients, and as many examples strictly inside their bounds, that make a regular matrix."""
    x, s, t = point.multipliers, point.slacks, point.t
    # Both in parts of what they may be, at most: a coefficient of the loss, the others of their bounds.
    shares = np.maximum(x.upper / s.upper, x.lower / s.lower)
    surely_row = shares * t**2 * (len(t) / max(point.value, 1e-300))
    surely_inside = np.minimum(s.zero / x.zero, s.full / x.full) / point.u
    rows, examples = np.flatnonzero(surely_row > 1.0), np.flatnonzero(surely_inside > 1.0)
    if not len(rows) or not len(examples):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    weights = np.sqrt(np.minimum(surely_row[rows], SURE))
    rows = rows[_independent((point.G[np.ix_(rows, examples)] * weights[:, None]).T)]
    weights = np.sqrt(np.minimum(surely_inside[examples], SURE))
    examples = examples[_independent(point.G[np.ix_(rows, examples)] * weights)]
    return rows[: len(examples)], np.sort(examples)


def _independent(M: Array) -> Index:
    """Return the numbers of columns of M that are linearly independent, as many as there are."""
    R, order = qr(M, mode="r", pivoting=True, check_finite=False)
    sizes = np.abs(np.diagonal(R))
    return np.asarray(order[: int((sizes > RANK * sizes[0]).sum())], dtype=np.intp)
