"""Which columns the next program of `kernlearn.solvers.hinge_l1.rounds` has: those that stay, and those that come."""

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.hinge_l1.interior import TINY
from kernlearn.solvers.hinge_l1.parts import ALL_ALONE_FROM, PrimalDual, Program, Settings
from kernlearn.solvers.hinge_l1.problem import worst_columns
from kernlearn.solvers.hinge_l1.round import Round
from kernlearn.types import Array, Index

#: Where there are many columns, this part of them comes in one round.
NEW_COLUMNS_PART = 0.25
#: Columns come in from this part of their bounds on.
COMES = 0.96
#: Those below this part of their bounds go, the second once the gap is at most `NARROW`.
GOES, GOES_LATE, NARROW = 0.5, 0.9, 1e-2
#: With a gap above this, and in the first round, the bounds tell next to nothing: no column goes, those come that are
#: above the second part of their bound, and their number may double, up to that of the examples.
WIDE, COMES_WIDE = 0.5, 0.5
#: Then all come, once one in so many is in and examples may still stand alone; the second number is for gaps above the
#: third.
ALL_FROM, ALL_FROM_BLIND, BLIND = 2, 4, 0.9
#: In the first round columns whose products with pi are below this part of the largest may stay out.
FAINT = 1e-9


def enlarged(ratios: Array, first_columns: int) -> Array:
    """Return what a guess of pi takes of all bounds, times what lets so many columns come."""
    most = min(first_columns, ratios.shape[1])
    largest = np.partition(ratios.max(axis=0), -most)[-most:]
    return ratios / (COMES * max(float(largest[0]), FAINT * float(largest.max()), TINY))


def columns(last: Round, program: Program, ratios: Array) -> tuple[Index, Index, Array]:
    """Return the columns of the next program, and the coefficients that it begins with.

    Parameters
    ----------
    ratios : array of shape (p, n)
        What pi take of the bounds of all columns, in absolute value.
    """
    k, j, a, gap = last.near.k, last.near.j, last.near.a, last.gap
    if last.count.rounds and len(k) and last.ahead and not last.count.failures:
        stay = _staying(program, last.near, ratios, gap)
        k, j, a = k[stay], j[stay], a[stay]
    wide, m = not last.count.rounds or gap > WIDE, len(last.near.pi)
    needed = np.isfinite(program.limits)
    room, all_from = int(last.size.values / m), ALL_FROM_BLIND if gap > BLIND else ALL_FROM
    if wide and all_from * len(k) >= needed.sum() and room >= ALL_ALONE_FROM * needed.sum():
        needed[k, j] = False
        more_k, more_j = np.nonzero(needed)
    else:
        more_k, more_j = _coming(program.settings, ratios, k, j, wide, min(m, room))
    return np.append(k, more_k), np.append(j, more_j), np.append(a, np.zeros(len(more_k)))


def _staying(program: Program, near: PrimalDual, ratios: Array, gap: float) -> NDArray[np.bool_]:
    """Return which columns of a point stay: all, if the value would rise by more than the gap without the others.

    Those that cost more than the mean stay anyhow: where penalties are weak and kernels have a low rank, pi is far from
    all bounds for long.
    """
    k, j, a = near.k, near.j, near.a
    costs = program.limits[k, j] * np.abs(a)
    threshold = 0.0 if gap > WIDE else GOES if gap > NARROW else GOES_LATE
    stay: NDArray[np.bool_] = (ratios[k, j] > threshold) | (costs > costs.mean())
    if stay.all():
        return stay
    without = near.margins - program.margins(k[~stay], j[~stay], a[~stay])
    value = program.value(k[stay], j[stay], a[stay], without)
    return stay if value <= (1.0 + gap) * program.value_of(near) else np.ones_like(stay)


def _coming(settings: Settings, ratios: Array, k: Index, j: Index, wide: bool, room: int) -> tuple[Index, Index]:
    """Return the columns, but for those that are there, that are most above, or next to, their bounds."""
    most: float = settings.first_columns
    if len(k):
        most = max(min(len(k), room - len(k)) if wide else 0, NEW_COLUMNS_PART * len(k), settings.min_new_columns)
    outside = np.where(ratios > (COMES_WIDE if wide else COMES), ratios, 0.0)
    outside[k, j] = 0.0
    return worst_columns(outside, np.ones_like(outside), int(most))
