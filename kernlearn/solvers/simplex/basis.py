"""A vertex next to the solution of the problem of `kernlearn.solvers.hinge_l1.problem`, by an interior point method.

A point near the solution, found by `kernlearn.solvers.hinge_l1.rounds`, tells which columns have coefficients, and
which examples have a margin of 1. A pivoted QR factorisation makes a basis of them, from which the simplex method
mostly has a few pivots to go.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import qr

from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.hinge_l1.parts import NO_INDEX, PrimalDual, Program
from kernlearn.solvers.hinge_l1.rounds import approach
from kernlearn.types import Array, Index

#: Relative gap over all columns at which a basis is guessed: from 2e-3 on 338 pivots are left at m = 2400, from 1e-4 on
#: 44, and either takes as long (``scripts/bench/interior.py`` has the program).
NEAR = 1e-3
#: Diagonal entries of a triangular factor below this part of the first count as 0.
RANK = 1e-12
#: Weights of columns and rows in the factorisation are at most this.
HEAVIEST = 1e12


class Basis(NamedTuple):
    """Columns (k, j) with coefficients, and as many examples B with pi strictly inside their bounds."""

    k: Index
    j: Index
    B: Index


def near_basis(program: Program, clock: Clock) -> Basis:
    """Return a basis next to the optimal one.

    Its columns are those with coefficients, and as many examples inside their bounds make a regular matrix with them.
    To begin with the columns of a simplex method that got stuck takes twice as long as from none.
    """
    approached = approach(program.raised(), PrimalDual.origin(program.u), NEAR, clock)
    point, n = approached.point, len(approached.alone)
    row_odds, example_odds = point.row_odds, point.example_odds[:n]
    rows, examples = np.flatnonzero(row_odds > 1.0), np.flatnonzero(example_odds > 1.0)
    if not len(rows) or not len(examples):
        return Basis(NO_INDEX, NO_INDEX, NO_INDEX)
    weights = np.sqrt(np.minimum(row_odds[rows], HEAVIEST))
    rows = rows[_independent((point.G[np.ix_(rows, examples)] * weights[:, None]).T)]
    weights = np.sqrt(np.minimum(example_odds[examples], HEAVIEST))
    examples = examples[_independent(point.G[np.ix_(rows, examples)] * weights)]
    rows = rows[: len(examples)]
    return Basis(approached.k[rows], approached.j[rows], np.sort(approached.alone[examples]))


def _independent(M: Array) -> Index:
    """Return the numbers of columns of M that are linearly independent, as many as there are."""
    if not M.any():
        return NO_INDEX
    R, order = qr(M, mode="r", pivoting=True, check_finite=False)
    sizes = np.abs(np.diagonal(R))
    return np.asarray(order[: int((sizes > RANK * sizes[0]).sum())], dtype=np.intp)
