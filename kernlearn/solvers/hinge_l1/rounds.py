"""Near points of the problem of `kernlearn.solvers.hinge_l1.problem` by interior points on parts of the program.

Column generation as there: the program of the columns so far is solved to a part of the gap that all columns leave,
those that this point violates or nearly violates come in, those far from their bounds go. So do the examples. Of those
that are far from a margin of 1, all that are below it are one of the program, and all that are above it another, with
the mean of their rows: pi that are equal within a group are feasible for all examples, and the bound holds. The value
is that of all examples. Every round forms the groups anew, by the margins of the last.
"""

import logging
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.exact import to_json
from kernlearn.solvers.hinge_l1.columns import NARROW, WIDE, columns, enlarged
from kernlearn.solvers.hinge_l1.interior import InteriorPoint
from kernlearn.solvers.hinge_l1.interior_newton import DOUBLE, SINGLE, WHOLE, Precision
from kernlearn.solvers.hinge_l1.parts import FLATTER, DualPoint, Groups, PrimalDual, Program
from kernlearn.solvers.hinge_l1.round import Count, Round, Size, Solved
from kernlearn.types import Array, Index

log = logging.getLogger(__name__)


#: Part of the gap over all columns that the program of the columns so far is solved to.
INNER_GAP = 0.2
#: A program of all columns is solved to this part of the goal, and before to these gaps, one after another.
LAST_GAP, THINNING_GAPS = 0.2, (1e-2, 1e-3, 1e-4)
#: At each of these columns go whose odds of a coefficient are below `UNLIKELY`, if at most the part `SMALLER` of them
#: is left, and the value without the others is at most `HIGHER` times as high.
UNLIKELY, SMALLER, HIGHER = 1e-2, 0.9, 2.0
#: Part of the margins that changed by more than what the band of the next round is a multiple of.
EXCEEDED = 0.01
#: If groups of examples account for more than this part of the gap, what keeps them together, the band or the values,
#: is relaxed by this factor.
HIDDEN, WIDER = 0.3, 1.3
#: Rounds at most, and failures in a row after which others than rounds have to help.
ROUNDS, FAILURES = 60, 3
#: A round makes headway if it leaves less than this part of the gap. After one that makes none all columns stay: they
#: would come and go for ever otherwise.
HEADWAY = 0.9
#: Factors begin with single precision in rounds with a larger gap: next to the solution steps need all digits.
SINGLE_ABOVE_GAP = 1e-4


class Approached(NamedTuple):
    """The best point of all rounds and its relative gap, and the program of the last round with its solution."""

    #: Of all columns.
    program: Program
    near: PrimalDual
    gap: float
    #: `k`, `j`: the rows of the point.
    k: Index
    j: Index
    #: The examples that its first variables are.
    alone: Index
    point: InteriorPoint
    rounds: int
    steps: int
    #: Half the width of the band of margins in which examples would stand alone in the next round.
    band: float

    def counting(self, *others: "Approached") -> "Approached":
        """Return the same, with the rounds and steps of others counted in."""
        rounds, steps = (sum(getattr(one, name) for one in (self, *others)) for name in ("rounds", "steps"))
        return self._replace(rounds=rounds, steps=steps)


def _next(
    last: Round, program: Program, k: Index, j: Index, a: Array, goal: float
) -> tuple[Round, InteriorPoint, Array]:
    """Solve the program of some columns; return what is left, the solution, and what its pi take of all bounds."""
    margins, band = last.near.margins, np.inf if last.count.failures else last.size.band
    distances = Groups.distances(margins, last.inside.pi / program.u)
    within, fit = int((distances < band).sum()), int(last.size.values / max(1, len(k)))
    groups = Groups.by(margins, distances, max(program.settings.min_alone, min(within, fit)))
    rough = last.gap > SINGLE_ABOVE_GAP and not last.count.failures
    point = near_point(program, groups, k, j, a, last.inside.pi, rough=rough)
    complete = not groups.groups and len(k) == np.isfinite(program.limits).sum()
    aim = _aim(last.gap, goal) if complete else INNER_GAP * last.gap
    after, point, ratios = _solved(last, program, groups, point, k, j, aim, complete and aim > LAST_GAP * goal)
    (_, factor, values), near = last.size, after.near
    hidden = program.value_of(near) - point.value
    if hidden > HIDDEN * (after.value - after.inside.sum):
        factor, values = (WIDER * factor, values) if within <= fit else (factor, WIDER * values)
    band = factor * float(np.quantile(np.abs(near.margins - margins), 1.0 - EXCEEDED))
    return replace(after, size=Size(band, factor, values)), point, ratios


def _thinner(last: Round, program: Program, point: InteriorPoint, goal: float) -> tuple[Round, InteriorPoint, Array]:
    """Go on with a program of all columns, without those that it will hardly need; return what `_next` does."""
    precision = _precision(program, point.G, last.solved.single and last.gap > SINGLE_ABOVE_GAP)
    likely, k, j, aim = point.row_odds > UNLIKELY, last.near.k, last.near.j, _aim(point.gap, goal)
    fewer = point.only(slice(None), point.G, precision)
    few = 0 < likely.sum() <= SMALLER * len(k)
    if few and point.value_at(np.where(likely, point.a, 0.0)) <= HIGHER * point.value:
        k, j = k[likely], j[likely]
        # Rows are computed anew, so that a program that goes on from what was kept has the same to the last bit.
        fewer = point.only(likely, last.solved.groups.rows(program, k, j), precision)
    after, point, ratios = _solved(last, program, last.solved.groups, fewer, k, j, aim, aim > LAST_GAP * goal)
    # Columns that went too early come back in the next round: what makes no headway without them is no failure.
    failures = min(after.count.failures, last.count.failures)
    return replace(after, count=after.count._replace(failures=failures)), point, ratios


def _solved(
    last: Round, program: Program, groups: Groups, point: InteriorPoint, k: Index, j: Index, aim: float, more: bool
) -> tuple[Round, InteriorPoint, Array]:
    """Solve a program to a relative gap `aim`, if there are `more` to come the same one; return what `_next` does."""
    solved = point.advance(aim, program.settings.steps)
    pi = groups.expand_groups(point.pi, program.u)
    margins = program.margins(k, j, point.a) if groups.groups else point.a @ point.G
    near = PrimalDual(k, j, point.a, margins, pi)
    shares = program.products(pi) / program.limits
    reached = program.value_of(near)
    value, best = (reached, near) if reached < last.value else (last.value, last.best)
    inside = last.inside.towards(pi, shares)
    ahead = (value - inside.sum) / value < HEADWAY * last.gap
    grows = last.gap > WIDE and len(k) > len(last.near.k)
    failed = not (solved or grows) or not (ahead or last.gap > NARROW)
    rounds, steps, failures = last.count
    after = replace(
        last,
        near=near,
        best=best,
        value=value,
        inside=inside,
        solved=Solved(groups, point.pi, point.multipliers, point.single),
        count=Count(rounds + 1, steps + point.steps, failures + 1 if failed else 0),
        ahead=ahead,
        thins=more and solved,
    )
    return after, point, np.abs(shares)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # with bounds of 1e-50: such steps gain nothing, and end
def approach(program: Program, near: PrimalDual, goal: float, clock: Clock, band: float = np.inf) -> Approached:
    """Go on from a point until the relative gap is at most `goal`, does not get smaller, or the time is over.

    Parameters
    ----------
    program : Program
        With limits > 0.
    near : PrimalDual
        Such as the solution of a program with near limits.
    clock : Clock
        That of the whole program.
    band : float
        Half the width of the band of margins in which examples stand alone in the first round.
    """
    point: InteriorPoint | None = None
    if kept := clock.begin_part():
        last = Round.from_json(kept)
        point, ratios = last.point(program), np.abs(program.products(last.near.pi)) / program.limits
    else:
        shares = program.products(near.pi) / program.limits
        value = program.value_of(near)
        inside = DualPoint.of(near.pi, shares)
        last, ratios = Round.before(near, value, inside, band, program.settings.values), np.abs(shares)
        if not len(near.k):
            ratios = enlarged(ratios, program.settings.first_columns)
    while not last.count.rounds or not (
        last.gap <= goal or last.count.rounds == ROUNDS or last.count.failures == FAILURES or clock.over
    ):
        if point and last.thins:
            last, point, ratios = _thinner(last, program, point, goal)
        else:
            point = None  # before the next is made
            last, point, ratios = _next(last, program, *columns(last, program, ratios), goal)
        words = "round %d: %d columns, %d examples alone, gap %.1e"
        log.debug(words, last.count.rounds, len(last.near.k), len(last.solved.groups.alone), last.gap)
        clock.tell_all(last.gap, partial(to_json, last))
    assert point is not None
    near, alone = replace(last.best, pi=last.inside.pi), last.solved.groups.alone
    at = last.near.k, last.near.j, alone, point
    return Approached(program, near, last.gap, *at, last.count.rounds, last.count.steps, last.size.band)


def lowered(program: Program, approached: Approached, goal: float, clock: Clock) -> Approached:
    """Go on from the solution with raised bounds with lower ones, until none is above that of the program.

    A pi that takes of its lowest bounds a million times as much as they have proves nothing. With such bounds from the
    beginning steps would lead nowhere. Beside a bound of 0 nothing is proved either way.
    """
    for part in FLATTER if (program.limits > 0.0).all() else ():
        lower = program.raised(part)
        if clock.over or not (lower.limits < approached.program.limits).any():
            break
        approached = approach(lower, approached.near, goal, clock).counting(approached)
    return approached


def near_point(
    program: Program, groups: Groups, k: Index, j: Index, a: Array, pi: Array, *, rough: bool = False
) -> InteriorPoint:
    """Return an inner point, next to others, of the program of some columns and groups of examples.

    Where it is `rough`, factors begin with single precision.
    """
    G = groups.rows(program, k, j)
    return InteriorPoint.inside_of(
        groups.sums(program.u), G, program.limits[k, j], groups.sums(pi), a, _precision(program, G, rough)
    )


def _aim(gap: float, goal: float) -> float:
    """Return the next gap to which a program of all columns is solved."""
    return next((aim for aim in THINNING_GAPS if goal < aim < gap), LAST_GAP * goal)


def _precision(program: Program, G: Array, rough: bool) -> Precision:
    """Return the precision of the first factors of a program."""
    return WHOLE if min(G.shape) < program.settings.min_single_size else SINGLE if rough else DOUBLE
