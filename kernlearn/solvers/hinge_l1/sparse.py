"""Few coefficients for the points of an interior point method (`kernlearn.solvers.hinge_l1.rounds`).

These are dense: all columns of its program have coefficients, most of them next to nothing. Those leave the program,
and the others stay if the gap is still within the tolerance, so that the number of coefficients means something.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.hinge_l1.few_columns import with_few_columns
from kernlearn.solvers.hinge_l1.interior import InteriorPoint
from kernlearn.solvers.hinge_l1.interior_newton import DOUBLE
from kernlearn.solvers.hinge_l1.parts import Groups, PrimalDual, Program
from kernlearn.solvers.hinge_l1.rounds import Approached, lowered, near_point
from kernlearn.types import Array, Index

#: Parts of the tolerance that the interior point method may use up, with all columns and with those that are kept.
INNER, FEWER = 0.5, 0.1
#: Odds of a coefficient below which columns are left out: the first of these that the tolerance allows.
LIKELY = (1.0, 1e-2, 1e-4)


def finished(program: Program, approached: Approached, tol: float, clock: Clock) -> tuple[PrimalDual, Approached]:
    """Go on from the solution with raised bounds to that of the program; return its point with few coefficients, too.

    Where the time is over, the point has all coefficients.
    """
    approached = lowered(program, approached, INNER * tol, clock)
    return approached.near if clock.over else sparse(program, approached, tol), approached


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # as in the rounds
def sparse(program: Program, approached: Approached, tol: float) -> PrimalDual:
    """Return a point with as few coefficients as the tolerance allows.

    Columns whose coefficients are unlikely leave the program, the rest of it is solved again, and what is lost shows in
    the value. Where that is too much, as where all columns are as good as each other, those of the point stay, as far
    as they are independent.

    Parameters
    ----------
    approached : Approached
        Of the program with raised bounds, with a gap of at most `INNER` times the tolerance.
    tol : float
        Relative gap.
    """
    near = approached.near
    bound = program.value_of(near) * (1.0 - approached.gap)
    for point in _fewer(program, approached, tol):
        if (value := program.value_of(point)) - bound <= tol * value:
            return point
    return near


def _fewer(program: Program, approached: Approached, tol: float) -> Iterator[PrimalDual]:
    """Yield points with fewer coefficients than that of the rounds, those most likely with the fewest first."""
    near, point, m = approached.near, approached.point, len(program.u)
    odds = point.row_odds
    for threshold in LIKELY:
        kept = odds > threshold
        fewer = _program_of(program, approached, kept)
        fewer.advance(FEWER * tol, program.settings.steps)
        a = fewer.a
        few = with_few_columns(fewer.G.__getitem__, fewer.G.shape[1], fewer.t, a)
        for coefficients in (few,) if few is a else (few, a):
            yield _point(program, near, approached.k[kept], approached.j[kept], coefficients)
    k, j = near.k, near.j
    a = with_few_columns(lambda some: program.take(k[some], j[some]), m, program.limits[k, j], near.a)
    yield _point(program, near, k, j, a)


def _program_of(program: Program, approached: Approached, kept: NDArray[np.bool_]) -> InteriorPoint:
    """Return the program of some columns of the last round, at its point.

    Fewer columns have room for more examples that stand alone. Those that stayed in groups would get margins on the
    wrong side of 1 unnoticed, and the point a value that is too high.
    """
    near, point = approached.near, approached.point
    if len(approached.alone) == len(program.u):
        return point.only(kept, point.G[kept], DOUBLE)
    distances = Groups.distances(near.margins, near.pi / program.u)
    most = max(program.settings.min_alone, int(program.settings.values / max(1, kept.sum())))
    groups = Groups.by(near.margins, distances, most)
    return near_point(approached.program, groups, approached.k[kept], approached.j[kept], point.a[kept], near.pi)


def _point(program: Program, near: PrimalDual, k: Index, j: Index, a: Array) -> PrimalDual:
    """Return a point with other coefficients, those that are not 0."""
    some = a != 0.0
    k, j, a = k[some], j[some], a[some]
    return replace(near, k=k, j=j, a=a, margins=program.margins(k, j, a))
