"""Parts of the problem of `kernlearn.solvers.hinge_l1.problem` in scaled columns: points, bounds, groups of rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from kernlearn.solvers.core.exact import as_array
from kernlearn.solvers.hinge_l1.interior import longest
from kernlearn.types import Array, Index

#: Part of the examples from which on all stand alone.
ALL_ALONE_FROM = 0.8
#: Bounds below this part of the median bound are raised to it: those of 0 leave no inner point.
FLAT = 1e-6
#: Where there are some below it, not 0, the solution is a point to go on from with these instead, one after another.
FLATTER = (1e-9, 1e-12)
#: Columns whose values are there for all examples at a time.
CHUNK = 64
#: Examples stand alone whose pi is further than this part of its range from the bound that their margin asks for. With
#: a tenth instead of a half programs become three times as large, where values are scarce.
FITS = 0.5

NO_INDEX: Index = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True)
class PrimalDual:
    """A point of (P) and one of (D)."""

    #: `k`, `j`, `a`: Columns, and their coefficients in the scale of the program.
    k: Index
    j: Index
    a: Array
    #: `margins`, `pi`, shape (m,).
    margins: Array
    pi: Array

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "PrimalDual":
        """Return a point that `to_json` wrote."""
        return cls(**{name: as_array(values) for name, values in kept.items()})

    @classmethod
    def origin(cls, u: Array) -> "PrimalDual":
        """Return the point 0, without columns."""
        return cls(NO_INDEX, NO_INDEX, np.zeros(0), np.zeros(len(u)), 0.5 * u)

    def stretched(self, factor: float) -> "PrimalDual":
        """Return the point with all coefficients larger by a factor."""
        return replace(self, a=factor * self.a, margins=factor * self.margins)


@dataclass(frozen=True)
class Settings:
    """Sizes and numbers of steps; with smaller ones small problems are as large problems are."""

    #: Examples that stand alone at least.
    min_alone: int = 1000
    #: Values of a program's columns at most (480 MB), unless it hides too much.
    values: float = 6e7
    #: `first_columns`, `min_new_columns`: columns at first, and at least in one round.
    first_columns: int = 300
    min_new_columns: int = 100
    #: Of a round, at most.
    steps: int = 30
    #: Rows and examples from which on factors begin with single precision: of fewer less would save nothing.
    min_single_size: int = 500
    #: `sample_beyond`, `sample`: columns of a group beyond which so many of them, drawn at random, are solved first.
    sample_beyond: int = 32768
    sample: int = 8192
    #: Programs that are solved on the way to another, at most.
    detours: int = 9
    #: Points, and bounds, that are kept for the next programs: with 100,000 examples they take 2 MB each.
    known: int = 256


SETTINGS = Settings()


class Program(NamedTuple):
    """What is known of (D) in scaled columns."""

    #: Shape (m,): how many examples each stands for.
    u: Array
    #: Shape (p, n): infinite for columns that no solution needs.
    limits: Array
    #: ``take(k, j)`` returns scaled columns as rows, shape (len(k), m).
    take: Callable[[Index, Index], Array]
    #: ``products(pi)`` returns ``A'pi`` in the scale of the limits, shape (p, n).
    products: Callable[[Array], Array]
    #: ``margins(k, j, a)`` returns ``A a`` for coefficients of scaled columns, shape (m,).
    margins: Callable[[Index, Index, Array], Array]
    settings: Settings = SETTINGS

    def raised(self, part: float = FLAT) -> "Program":
        """Return the program with its bounds at least a part of the median bound.

        Of bounds that no pi reaches, as entries of columns are at most 1, it does not matter how large they are.
        """
        positive = np.minimum(self.limits[(self.limits > 0.0) & np.isfinite(self.limits)], self.u.sum())
        lower = part * float(np.median(positive)) if len(positive) else part
        return self._replace(limits=np.maximum(self.limits, lower))

    def value(self, k: Index, j: Index, a: Array, margins: Array) -> float:
        """Return the objective of (P), times the number of examples."""
        return float(self.u @ np.maximum(1.0 - margins, 0.0) + self.limits[k, j] @ np.abs(a))

    def value_of(self, near: PrimalDual) -> float:
        """Return the same of a point."""
        return self.value(near.k, near.j, near.a, near.margins)


class DualPoint(NamedTuple):
    """A feasible point of (D), and what it takes of every bound: ``A'pi`` divided by the limits, shape (p, n)."""

    pi: Array
    shares: Array

    @classmethod
    def of(cls, pi: Array, shares: Array) -> "DualPoint":
        """Return the largest multiple of pi, at most 1, that is feasible."""
        theta = 1.0 / max(1.0, float(np.abs(shares).max()))
        return cls(theta * pi, theta * shares)

    @property
    def sum(self) -> float:
        """The value of (D)."""
        return float(self.pi.sum())

    def towards(self, pi: Array, shares: Array) -> "DualPoint":
        """Return the best of three: this point, a multiple of pi, and the last feasible point on the way to pi."""
        change = shares - self.shares
        part = longest(self.shares, change, np.ones_like(shares))
        moved = DualPoint(self.pi + part * (pi - self.pi), self.shares + part * change)
        return max(self, DualPoint.of(pi, shares), moved, key=lambda point: point.sum)


class Groups(NamedTuple):
    """Examples that stand alone, and the others in groups."""

    alone: Index
    groups: Sequence[Index]

    @staticmethod
    def distances(margins: Array, shares: Array) -> Array:
        """Return how far margins are from 1, and 0 where pi, as parts of their bounds, say otherwise than the margin.

        In a group such a pi would be averaged away, and the point infeasible.
        """
        fit: Array = np.where(margins < 1.0, shares > 1.0 - FITS, shares < FITS)
        return np.abs(margins - 1.0) * fit

    @classmethod
    def by(cls, margins: Array, distance: Array, most: int) -> "Groups":
        """Return the groups below and above the examples with the least distances, at most so many."""
        most = min(len(margins), most)
        if most >= ALL_ALONE_FROM * len(margins):
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

    def expand_groups(self, pi: Array, u: Array) -> Array:
        """Return the pi of all examples."""
        expanded, n = np.empty(len(u)), len(self.alone)
        expanded[self.alone] = pi[:n]
        for group, total in zip(self.groups, pi[n:], strict=True):
            expanded[group] = total * (u[group] / u[group].sum())
        return expanded
