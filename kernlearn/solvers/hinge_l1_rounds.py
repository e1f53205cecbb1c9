"""Near points of the problem of `kernlearn.solvers.hinge_l1` by an interior point method on parts of the program.

Column generation as there: the program of the columns so far is solved to a part of the gap that all columns leave,
those that this point violates or nearly violates come in, those far from their bounds go. So do the examples. Of those
that are far from a margin of 1, all that are below it are one of the program, and all that are above it another, with
the mean of their rows: pi that are equal within a group are feasible for all examples, and the bound holds. The value
is that of all examples. Every round forms the groups anew, by the margins of the last.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.clock import Clock
from kernlearn.solvers.exact import array, written
from kernlearn.solvers.hinge_l1 import worst_columns
from kernlearn.solvers.hinge_l1_parts import MOST, NO_INDEX, Groups, Inside, Near, Program
from kernlearn.solvers.interior import TINY, Interior
from kernlearn.solvers.interior_newton import DOUBLE, SINGLE, WHOLE, Precision, Slacks

log = logging.getLogger(__name__)

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Part of the gap over all columns that the program of the columns so far is solved to.
SHARE = 0.2
#: A program of all columns is solved to this part of the goal. At these gaps columns go whose odds of a coefficient are
#: below a bound, if that leaves at most so large a part of them, and a value at most so many times as high.
EXACT, THINNED, UNLIKELY, SMALLER, HIGHER = 0.2, (1e-2, 1e-3, 1e-4), 1e-2, 0.9, 2.0
#: Columns at first, and at least in one round; more come where there are more, this part of them.
FIRST, LEAST, PART = 300, 100, 0.25
#: Columns come in from this part of their bounds on, and those below another part go, the second once the gap is
#: `NARROW`. Those that cost more than the mean stay anyhow: where penalties are weak and kernels have a low rank, pi is
#: far from all bounds for long. None goes if the value would rise by more than the gap without them.
COMES, GOES, GOES_LATE, NARROW = 0.96, 0.5, 0.9, 1e-2
#: As long as the gap is `WIDE`, and in the first round, the bounds tell next to nothing: none goes, all that are above
#: this part of theirs may come, and a round at most doubles the columns, up to the number of examples, and as long as
#: all examples may stand alone. If that would be all there are, all come.
WIDE, COMES_WIDE = 0.5, 0.5
#: In the first round columns whose products with pi are below this part of the largest may stay out.
FAINT = 1e-9
#: Examples stand alone within so many times the change that one margin in a hundred exceeded in the last round.
BAND, EXCEEDED = 4.0, 0.01
#: Values of a program's columns at most (480 MB), unless it hides too much.
VALUES = 6e7
#: What keeps examples in groups, the band or `VALUES`, and hides this part of the gap, is relaxed by this factor.
HIDDEN, WIDER = 0.3, 1.3
ROUNDS, STEPS, FAILURES = 60, 30, 3
#: A round makes headway if it leaves less than this part of the gap. After one that makes none all columns stay: they
#: would come and go for ever otherwise.
LESS = 0.9
#: Factors begin with single precision in rounds with a larger gap, as next to the solution steps need all digits, and
#: with so many rows and examples: of fewer they are whole, as less would save nothing.
LATE, ENOUGH = 1e-4, 500


class Found(NamedTuple):
    """What rounds end with: the best point and its relative gap, and the program of the last round with its solution.

    Attributes
    ----------
    near : Near
    gap : float
    k, j : arrays
        The rows of the point.
    alone : array
        The examples that its first variables are.
    point : Interior
    rounds, steps : int
    band : float
        Half the width of the band of margins in which examples would stand alone in the next round.
    """

    near: Near
    gap: float
    k: Index
    j: Index
    alone: Index
    point: Interior
    rounds: int
    steps: int
    band: float


@dataclass(frozen=True)
class Round:
    """What a round leaves to the next, and an interrupted program to the one that goes on from it (`written`).

    Attributes
    ----------
    near, best : Near
        The point of the round, and the best so far.
    value : float
        That of the best.
    inside : Inside
        The best bound so far.
    groups, pi, multipliers : Groups, array, Slacks
        The examples of its program, and the solution; the rows can be computed again.
    band, factor, values : float
        Examples stand alone in the next program whose margins are within `band` of 1, `factor` times a change, and so
        many that it has no more than `values`.
    ahead : bool
        Whether the round made headway.
    single, thins : bool
        Whether single precision was enough for its program, and whether this was one of all columns, or what was left
        of them, that is to be solved further without those that it will hardly need.
    rounds, steps, failures : int
        How many so far; failures are rounds in a row, up to the last, that ended above their goal, but for those with
        more columns from a gap that was `WIDE`, or made no headway from one that was `NARROW`.
    """

    near: Near
    best: Near
    value: float
    inside: Inside
    groups: Groups
    pi: Array
    multipliers: Slacks
    band: float
    factor: float
    values: float
    ahead: bool
    single: bool
    thins: bool
    rounds: int
    steps: int
    failures: int

    @classmethod
    def before(cls, near: Near, value: float, inside: Inside, band: float) -> "Round":
        """Return what the first round begins with."""
        none = np.zeros(0)
        nothing = Groups(NO_INDEX, ()), none, Slacks(none, none, none, none)
        return cls(near, near, value, inside, *nothing, band, BAND, VALUES, True, True, False, 0, 0, 0)

    @classmethod
    def kept(cls, kept: Mapping[str, Any]) -> "Round":
        """Return a round that was `written`."""
        arrays = {
            **{name: Near.kept(kept[name]) for name in ("near", "best")},
            "inside": Inside(*(array(kept["inside"][name]) for name in Inside._fields)),
            "groups": Groups(array(kept["groups"]["alone"]), [array(group) for group in kept["groups"]["groups"]]),
            "pi": array(kept["pi"]),
            "multipliers": Slacks(*(array(kept["multipliers"][name]) for name in Slacks._fields)),
        }
        return cls(**{**kept, **arrays})

    @property
    def gap(self) -> float:
        """The relative gap over all columns and examples."""
        return (self.value - self.inside.sum) / self.value

    def point(self, program: Program) -> Interior:
        """Return the solution of its program."""
        k, j = self.near.k, self.near.j
        rows, u = self.groups.rows(program, k, j), self.groups.sums(program.u)
        return Interior(u, rows, program.limits[k, j], self.pi, self.multipliers)

    def columns(self, program: Program, ratios: Array) -> tuple[Index, Index, Array]:
        """Return the columns of the next program, those that stay and those that come, and where they begin."""
        k, j, a, margins, gap = self.near.k, self.near.j, self.near.a, self.near.margins, self.gap
        if self.rounds and len(k) and self.ahead and not self.failures:
            goes = 0.0 if gap > WIDE else GOES if gap > NARROW else GOES_LATE
            costs = program.limits[k, j] * np.abs(a)
            stay = (ratios[k, j] > goes) | (costs > costs.mean())
            if not stay.all() and self._value_of(program, stay) <= (1.0 + gap) * program.value(k, j, a, margins):
                k, j, a = k[stay], j[stay], a[stay]
        wide, m = not self.rounds or gap > WIDE, len(self.near.pi)
        needed = np.isfinite(program.limits)
        if wide and 2 * len(k) >= needed.sum() and int(self.values / m) >= MOST * needed.sum():
            needed[k, j] = False
            more_k, more_j = np.nonzero(needed)
        else:
            more_k, more_j = _coming(ratios, k, j, wide, min(m, int(self.values / m)))
        return np.append(k, more_k), np.append(j, more_j), np.append(a, np.zeros(len(more_k)))

    def _value_of(self, program: Program, stay: NDArray[np.bool_]) -> float:
        """Return the value of the point with those of its columns that stay."""
        k, j, a = self.near.k, self.near.j, self.near.a
        lost = program.margins(k[~stay], j[~stay], a[~stay])
        return program.value(k[stay], j[stay], a[stay], self.near.margins - lost)

    def next(self, program: Program, k: Index, j: Index, a: Array, goal: float) -> tuple["Round", Interior, Array]:
        """Solve the program of some columns; return what is left, the solution, and what its pi take of all bounds."""
        u, margins, band = program.u, self.near.margins, np.inf if self.failures else self.band
        distances = Groups.distances(margins, self.inside.pi / u)
        within, fit = int((distances < band).sum()), int(self.values / max(1, len(k)))
        groups = Groups.by(margins, distances, min(within, fit))
        G, start = groups.rows(program, k, j), groups.sums(self.inside.pi)
        precision = _precision(G, self.gap > LATE and not self.failures)
        point = Interior.near(groups.sums(u), G, program.limits[k, j], start, a, precision)
        complete = not groups.groups and len(k) == np.isfinite(program.limits).sum()
        aim = _aim(self.gap, goal) if complete else SHARE * self.gap
        last, point, ratios = self._solved(program, groups, point, k, j, aim)
        last = replace(last, thins=complete and aim > EXACT * goal and point.gap <= aim)
        factor, values, near = self.factor, self.values, last.near
        hidden = program.value(k, j, near.a, near.margins) - point.value
        if hidden > HIDDEN * (last.value - last.inside.sum):
            factor, values = (WIDER * factor, values) if within <= fit else (factor, WIDER * values)
        band = factor * float(np.quantile(np.abs(near.margins - margins), 1.0 - EXCEEDED))
        return replace(last, band=band, factor=factor, values=values), point, ratios

    def thinner(self, program: Program, point: Interior, goal: float) -> tuple["Round", Interior, Array]:
        """Go on with a program of all columns, without those that it will hardly need; return what `next` does."""
        precision = _precision(point.G, self.single and self.gap > LATE)
        likely, k, j, aim = point.likely_rows > UNLIKELY, self.near.k, self.near.j, _aim(point.gap, goal)
        fewer = point.only(slice(None), point.G, precision)
        few = 0 < likely.sum() <= SMALLER * len(k)
        if few and point.value_at(np.where(likely, point.a, 0.0)) <= HIGHER * point.value:
            k, j = k[likely], j[likely]
            # Rows are computed anew, so that a program that goes on from what was kept has the same to the last bit.
            fewer = point.only(likely, self.groups.rows(program, k, j), precision)
        last, point, ratios = self._solved(program, self.groups, fewer, k, j, aim)
        return replace(last, thins=aim > EXACT * goal and point.gap <= aim), point, ratios

    def _solved(
        self, program: Program, groups: Groups, point: Interior, k: Index, j: Index, aim: float
    ) -> tuple["Round", Interior, Array]:
        """Solve a program to a relative gap `aim`; return what `next` does."""
        solved = point.solve(aim, STEPS)
        pi = groups.spread(point.pi, program.u)
        margins = program.margins(k, j, point.a) if groups.groups else point.a @ point.G
        near = Near(k, j, point.a, margins, pi)
        shares = program.products(pi) / program.limits
        reached = program.value(k, j, near.a, near.margins)
        value, best = (reached, near) if reached < self.value else (self.value, self.best)
        inside = self.inside.towards(pi, shares)
        ahead = (value - inside.sum) / value < LESS * self.gap
        grows = self.gap > WIDE and len(k) > len(self.near.k)
        failed = not (solved or grows) or not (ahead or self.gap > NARROW)
        after = replace(
            self,
            near=near,
            best=best,
            value=value,
            inside=inside,
            groups=groups,
            pi=point.pi,
            multipliers=point.multipliers,
            ahead=ahead,
            single=point.single,
            rounds=self.rounds + 1,
            steps=self.steps + point.steps,
            failures=self.failures + 1 if failed else 0,
        )
        return after, point, np.abs(shares)


def approach(program: Program, near: Near, goal: float, clock: Clock, band: float = np.inf) -> Found:
    """Go on from a point until the relative gap is at most `goal`, does not get smaller, or the time is over.

    Parameters
    ----------
    program : Program
        With limits > 0.
    near : Near
        Such as the solution of a program with near limits.
    goal : float
    clock : Clock
        That of the whole program.
    band : float
        Half the width of the band of margins in which examples stand alone in the first round.
    """
    point: Interior | None = None
    if kept := clock.begin():
        last = Round.kept(kept)
        point, ratios = last.point(program), np.abs(program.products(last.near.pi)) / program.limits
    else:
        shares = program.products(near.pi) / program.limits
        value = program.value(near.k, near.j, near.a, near.margins)
        last, ratios = Round.before(near, value, Inside.of(near.pi, shares), band), np.abs(shares)
        if not len(near.k):  # pi is but a guess, and nothing is near its bound but the worst
            most = min(FIRST, ratios.shape[1])
            largest = np.partition(ratios.max(axis=0), -most)[-most:]
            ratios /= COMES * max(float(largest[0]), FAINT * float(largest.max()), TINY)
    while not last.rounds or not (last.gap <= goal or last.rounds == ROUNDS or last.failures == FAILURES or clock.over):
        if point and last.thins:
            last, point, ratios = last.thinner(program, point, goal)
        else:
            point = None  # before the next is made
            last, point, ratios = last.next(program, *last.columns(program, ratios), goal)
        words = "round %d: %d columns, %d examples alone, gap %.1e"
        log.debug(words, last.rounds, len(last.near.k), len(last.groups.alone), last.gap)
        clock.tell_all(last.gap, partial(written, last))
    assert point is not None
    near, alone = replace(last.best, pi=last.inside.pi), last.groups.alone
    return Found(near, last.gap, last.near.k, last.near.j, alone, point, last.rounds, last.steps, last.band)


def _aim(gap: float, goal: float) -> float:
    """Return the next gap to which a program of all columns is solved."""
    return next((aim for aim in THINNED if goal < aim < gap), EXACT * goal)


def _precision(G: Array, rough: bool) -> Precision:
    """Return the precision of the first factors of a program."""
    return WHOLE if min(G.shape) < ENOUGH else SINGLE if rough else DOUBLE


def _coming(ratios: Array, k: Index, j: Index, wide: bool, room: int) -> tuple[Index, Index]:
    """Return the columns, but for those that are there, that are most above, or next to, their bounds."""
    most = max(min(len(k), room - len(k)) if wide else 0, PART * len(k), LEAST) if len(k) else FIRST
    outside = np.where(ratios > (COMES_WIDE if wide else COMES), ratios, 0.0)
    outside[k, j] = 0.0
    return worst_columns(outside, np.ones_like(outside), int(most))
