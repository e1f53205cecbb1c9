"""What a round of `kernlearn.solvers.hinge_l1.rounds` leaves to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlearn.solvers.core.exact import array
from kernlearn.solvers.hinge_l1.interior import InteriorPoint
from kernlearn.solvers.hinge_l1.interior_newton import PerBound
from kernlearn.solvers.hinge_l1.parts import NO_INDEX, DualPoint, Groups, PrimalDual, Program
from kernlearn.types import Array

#: Examples stand alone within so many times the change that one margin in a hundred exceeded in the last round.
BAND = 4.0
#: Values of a program's columns at most (480 MB), unless it hides too much.
VALUES = 6e7


@dataclass(frozen=True)
class Round:
    """What a round leaves to the next, and an interrupted program to the one that goes on from it (`written`).

    Attributes
    ----------
    near, best : PrimalDual
        The point of the round, and the best so far.
    value : float
        That of the best.
    inside : DualPoint
        The best bound so far.
    groups, pi, multipliers : Groups, array, PerBound
        The examples of its program, and the solution; the rows can be computed again.
    band : float
        In the next program examples with a margin within `band` of 1 stand alone.
    factor : float
        The band is so many times what one margin in a hundred has changed by more than.
    values : float
        The largest number of entries of the matrix of the next program.
    ahead : bool
        Whether the round made headway.
    single : bool
        Whether factors of single precision were enough for its program.
    thins : bool
        Whether its program had all columns, or what thinning left of them, and is to be solved more precisely without
        the unlikely ones.
    rounds, steps : int
        How many so far.
    failures : int
        The last rounds, in a row, that missed their goal, or made no headway from a gap that was `NARROW`. Rounds with
        more columns from a gap that was `WIDE`, and thinned ones, do not count.
    """

    near: PrimalDual
    best: PrimalDual
    value: float
    inside: DualPoint
    groups: Groups
    pi: Array
    multipliers: PerBound
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
    def before(cls, near: PrimalDual, value: float, inside: DualPoint, band: float) -> "Round":
        """Return what the first round begins with."""
        none = np.zeros(0)
        return cls(
            near=near,
            best=near,
            value=value,
            inside=inside,
            groups=Groups(NO_INDEX, ()),
            pi=none,
            multipliers=PerBound(none, none, none, none),
            band=band,
            factor=BAND,
            values=VALUES,
            ahead=True,
            single=True,
            thins=False,
            rounds=0,
            steps=0,
            failures=0,
        )

    @classmethod
    def kept(cls, kept: Mapping[str, Any]) -> "Round":
        """Return a round that was `written`."""
        arrays = {
            **{name: PrimalDual.kept(kept[name]) for name in ("near", "best")},
            "inside": DualPoint(*(array(kept["inside"][name]) for name in DualPoint._fields)),
            "groups": Groups(array(kept["groups"]["alone"]), [array(group) for group in kept["groups"]["groups"]]),
            "pi": array(kept["pi"]),
            "multipliers": PerBound(*(array(kept["multipliers"][name]) for name in PerBound._fields)),
        }
        return cls(**{**kept, **arrays})

    @property
    def gap(self) -> float:
        """The relative gap over all columns and examples."""
        return (self.value - self.inside.sum) / self.value

    def point(self, program: Program) -> InteriorPoint:
        """Return the solution of its program."""
        k, j = self.near.k, self.near.j
        rows, u = self.groups.rows(program, k, j), self.groups.sums(program.u)
        return InteriorPoint(u, rows, program.limits[k, j], self.pi, self.multipliers)
