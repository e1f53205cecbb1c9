"""Near points of the problem of `kernlearn.solvers.hinge_l1` by an interior point method on parts of the program.

Column generation as there: the program of the columns so far is solved to a part of the gap that all columns leave,
those that this point violates or nearly violates come in, those far from their bounds go. So do the examples. Of those
that are far from a margin of 1, all that are below it are one of the program, and all that are above it another, with
the mean of their rows: pi that are equal within a group are feasible for all examples, and the bound holds. The value
is that of all examples. Every round forms the groups anew, by the margins of the last.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.clock import Clock
from kernlearn.solvers.exact import array, written
from kernlearn.solvers.hinge_l1 import worst_columns
from kernlearn.solvers.interior import Interior, longest
from kernlearn.solvers.interior_newton import Slacks

log = logging.getLogger(__name__)

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Part of the gap over all columns that the program of the columns so far is solved to.
SHARE = 0.2
#: Columns at first, and at least in one round; more come where there are more, this part of them.
FIRST, LEAST, PART = 300, 100, 0.25
#: Columns come in from this part of their bounds on, and those below another part go, the second once the gap is
#: `NARROW`. As long as it is `WIDE` the bounds tell next to nothing: none goes, and as many come as there are, until
#: there are as many as examples.
COMES, GOES, GOES_LATE, WIDE, NARROW = 0.96, 0.5, 0.9, 0.5, 1e-2
#: Examples stand alone within so many times the change that one margin in a hundred exceeded in the last round.
BAND, EXCEEDED = 4.0, 0.01
#: Examples that stand alone at least, and part of all from which on all do.
ALONE, MOST = 1000, 0.8
#: Values of a program's columns at most (480 MB), unless it hides too much.
VALUES = 6e7
#: What keeps examples in groups, the band or `VALUES`, and hides this part of the gap, is relaxed by this factor.
HIDDEN, WIDER = 0.3, 1.3
#: Bounds below this part of the median bound are raised to it: those of 0 leave no inner point.
FLAT = 1e-6
ROUNDS, STEPS, FAILURES = 60, 30, 3
#: Columns whose values are there for all examples at a time.
CHUNK = 64

#: Numbers of `approach` that are kept between its rounds, and counts.
SCALARS = ("value", "factor", "values", "band", "goes")
COUNTS = ("steps", "failures", "rounds")

NO_INDEX: Index = np.zeros(0, dtype=np.intp)


class Program(NamedTuple):
    """What is known of (D) in scaled columns.

    Attributes
    ----------
    u : array of shape (m,)
        How many examples each stands for.
    limits : array of shape (p, n)
    take : callable
        ``take(k, j)`` returns scaled columns as rows, shape (len(k), m).
    products : callable
        ``products(pi)`` returns ``A'pi`` in the scale of the limits, shape (p, n).
    margins : callable
        ``margins(k, j, a)`` returns ``A a`` for coefficients of scaled columns, shape (m,).
    """

    u: Array
    limits: Array
    take: Callable[[Index, Index], Array]
    products: Callable[[Array], Array]
    margins: Callable[[Index, Index, Array], Array]

    def raised(self) -> "Program":
        """Return the program with its bounds at least `FLAT`."""
        positive = self.limits[self.limits > 0.0]
        least = FLAT * float(np.median(positive)) if len(positive) else FLAT
        return self._replace(limits=np.maximum(self.limits, least))

    def value(self, k: Index, j: Index, a: Array, margins: Array) -> float:
        """Return the objective of (P), times the number of examples."""
        return float(self.u @ np.maximum(1.0 - margins, 0.0) + self.limits[k, j] @ np.abs(a))


@dataclass(frozen=True)
class Near:
    """A point of (P) and one of (D).

    Attributes
    ----------
    k, j, a : arrays
        Columns, and their coefficients in the scale of the program.
    margins, pi : arrays of shape (m,)
    """

    k: Index
    j: Index
    a: Array
    margins: Array
    pi: Array

    @classmethod
    def kept(cls, kept: Mapping[str, Any]) -> "Near":
        """Return a point that was `written`."""
        return cls(**{name: array(values) for name, values in kept.items()})

    @classmethod
    def origin(cls, u: Array) -> "Near":
        """Return the point 0, without columns."""
        return cls(NO_INDEX, NO_INDEX, np.zeros(0), np.zeros(len(u)), 0.5 * u)


class Inside(NamedTuple):
    """A feasible point of (D), and what it takes of every bound: ``A'pi`` divided by the limits, shape (p, n)."""

    pi: Array
    shares: Array

    @classmethod
    def of(cls, pi: Array, shares: Array) -> "Inside":
        """Return the largest multiple of pi, at most 1, that is feasible."""
        theta = 1.0 / max(1.0, float(np.abs(shares).max()))
        return cls(theta * pi, theta * shares)

    @property
    def sum(self) -> float:
        """The value of (D)."""
        return float(self.pi.sum())

    def towards(self, pi: Array, shares: Array) -> "Inside":
        """Return the best of three: this point, a multiple of pi, and the last feasible point on the way to pi."""
        change = shares - self.shares
        part = longest(self.shares, change, np.ones_like(shares))
        there = Inside(self.pi + part * (pi - self.pi), self.shares + part * change)
        return max(self, Inside.of(pi, shares), there, key=lambda point: point.sum)


class Groups(NamedTuple):
    """Examples that stand alone, and the others in groups."""

    alone: Index
    groups: Sequence[Index]

    @classmethod
    def by(cls, margins: Array, most: int) -> "Groups":
        """Return the groups below and above the examples with margins next to 1, so many and at least `ALONE`."""
        distance = np.abs(margins - 1.0)
        most = min(len(margins), max(ALONE, most))
        if most >= MOST * len(margins):
            return cls(np.arange(len(margins)), ())
        order = np.argpartition(distance, most)
        alone, rest = np.sort(order[:most]), np.sort(order[most:])
        below = margins[rest] < 1.0
        return cls(alone, [group for group in (rest[below], rest[~below]) if len(group)])

    def sums(self, values: Array) -> Array:
        """Return the values of those alone, and the sums of the groups."""
        return np.append(values[self.alone], [values[group].sum() for group in self.groups])

    def rows(self, program: Program, k: Index, j: Index) -> Array:
        """Return columns of the program as rows, with the means of the groups."""
        G, n = np.empty((len(k), len(self.alone) + len(self.groups))), len(self.alone)
        for start in range(0, len(k), CHUNK):
            some = slice(start, start + CHUNK)
            values = program.take(k[some], j[some])
            G[some, :n] = values[:, self.alone]
            for place, group in enumerate(self.groups, start=n):
                G[some, place] = values[:, group] @ program.u[group] / program.u[group].sum()
        return G

    def spread(self, pi: Array, u: Array) -> Array:
        """Return the pi of all examples."""
        whole, n = np.empty(len(u)), len(self.alone)
        whole[self.alone] = pi[:n]
        for group, total in zip(self.groups, pi[n:], strict=True):
            whole[group] = total * (u[group] / u[group].sum())
        return whole


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
    limits, u = program.limits, program.u
    value = program.value(near.k, near.j, near.a, near.margins)
    shares = program.products(near.pi) / limits
    ratios = np.abs(shares)
    inside = Inside.of(near.pi, shares)
    if not len(near.k):  # pi is but a guess, and nothing is near its bound but the worst
        ratios /= COMES * max(float(np.partition(ratios.max(axis=0), -min(FIRST, limits.shape[1]))[0]), 1e-300)
    best, factor, values, steps, failures, rounds, gap = near, BAND, VALUES, 0, 0, 0, np.inf
    k, j, a, goes = near.k, near.j, near.a, GOES
    if kept := clock.begin():
        near, best = Near.kept(kept["near"]), Near.kept(kept["best"])
        inside = Inside(*(array(kept["inside"][name]) for name in Inside._fields))
        k, j, a = near.k, near.j, near.a
        value, factor, values, band, goes = (kept[name] for name in SCALARS)
        steps, failures, rounds = (kept[name] for name in COUNTS)
        groups = Groups(array(kept["groups"]["alone"]), [array(group) for group in kept["groups"]["groups"]])
        G, gap = groups.rows(program, k, j), (value - inside.sum) / value
        ratios = np.abs(program.products(near.pi)) / limits
        multipliers = Slacks(*(array(kept["multipliers"][name]) for name in Slacks._fields))
        point = Interior(groups.sums(u), G, limits[k, j], array(kept["pi"]), multipliers)
    while True:
        if rounds:
            if gap <= goal or rounds == ROUNDS or failures == FAILURES or clock.over:
                return Found(replace(best, pi=inside.pi), gap, k, j, groups.alone, point, rounds, steps, band)
            stay = np.abs(G @ point.pi) > goes * point.t
            if failures:  # from the best point once more, with all columns and examples by themselves
                band, stay = np.inf, np.ones(len(k), dtype=bool)
            k, j, a = k[stay], j[stay], a[stay]
        rounds += 1
        more_k, more_j = _coming(ratios, k, j, gap, len(u))
        k, j, a = np.append(k, more_k), np.append(j, more_j), np.append(a, np.zeros(len(more_k)))
        within, fit = int((np.abs(near.margins - 1.0) < band).sum()), int(values / max(1, len(k)))
        groups = Groups.by(near.margins, min(within, fit))
        G, gap = groups.rows(program, k, j), (value - inside.sum) / value
        point = Interior.near(groups.sums(u), G, limits[k, j], groups.sums(inside.pi), a)
        solved = point.solve(SHARE * gap, STEPS)
        steps += point.steps
        a, pi = point.a, groups.spread(point.pi, u)
        margins = program.margins(k, j, a)
        changes = np.abs(margins - near.margins)
        near = Near(k, j, a, margins, pi)
        reached, shares = program.value(k, j, a, margins), program.products(pi) / limits
        ratios, inside = np.abs(shares), inside.towards(pi, shares)
        hidden = reached - point.value
        if reached < value:
            value, best = reached, near
        gap = (value - inside.sum) / value
        log.debug("round %d: %d columns, %d examples alone, gap %.1e", rounds, len(k), len(groups.alone), gap)
        failures = 0 if solved else failures + 1
        if hidden > HIDDEN * gap * value:
            factor, values = (factor * WIDER, values) if within <= fit else (factor, values * WIDER)
        band = factor * float(np.quantile(changes, 1.0 - EXCEEDED))
        goes = 0.0 if gap > WIDE else GOES if gap > NARROW else GOES_LATE
        here = (value, factor, values, band, goes), (steps, failures, rounds)
        clock.tell_all(gap, partial(_kept, near, best, inside, groups, point.pi, point.multipliers, *here))


def _kept(
    near: Near, best: Near, inside: Inside, groups: Groups, pi: Array, multipliers: Slacks, *numbers: Sequence[float]
) -> dict[str, Any]:
    """Return all that the next round owes to the last one, as JSON can keep it; rows can be computed again."""
    named = zip((*SCALARS, *COUNTS), chain(*numbers), strict=True)
    arrays = {"near": near, "best": best, "inside": inside, "groups": groups, "pi": pi, "multipliers": multipliers}
    return {name: written(value) for name, value in (*arrays.items(), *named)}


def _coming(ratios: Array, k: Index, j: Index, gap: float, m: int) -> tuple[Index, Index]:
    """Return the columns, but for those that are there, that are most above, or next to, their bounds."""
    wide = gap > WIDE
    most = max(min(len(k), m - len(k)) if wide else 0, PART * len(k), LEAST) if len(k) else FIRST
    outside = np.where(ratios > (GOES if wide else COMES), ratios, 0.0)
    outside[k, j] = 0.0
    return worst_columns(outside, np.ones_like(outside), int(most))
