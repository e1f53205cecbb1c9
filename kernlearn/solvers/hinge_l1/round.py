"""What a round of `kernlearn.solvers.hinge_l1.rounds` leaves to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kernlearn.solvers.core.exact import as_array
from kernlearn.solvers.hinge_l1.interior import InteriorPoint
from kernlearn.solvers.hinge_l1.interior_newton import PerBound
from kernlearn.solvers.hinge_l1.parts import NO_INDEX, DualPoint, Groups, PrimalDual, Program
from kernlearn.types import Array

#: Examples stand alone within so many times the change that one margin in a hundred exceeded in the last round.
BAND = 4.0


class Solved(NamedTuple):
    """The solution of the program of a round; its rows can be computed again."""

    #: Its examples.
    groups: Groups
    pi: Array
    multipliers: PerBound
    #: Whether factors of single precision were enough.
    single: bool


class Size(NamedTuple):
    """How large the next program may be."""

    #: Examples with a margin within `band` of 1 stand alone.
    band: float
    #: The band is so many times what one margin in a hundred has changed by more than.
    factor: float
    #: The largest number of entries of the matrix.
    values: float


class Count(NamedTuple):
    """How many rounds and steps there were so far."""

    rounds: int
    steps: int
    #: The last rounds, in a row, that missed their goal, or made no headway from a gap that was `NARROW`. Rounds with
    #: more columns from a gap that was `WIDE`, and thinned ones, do not count.
    failures: int


@dataclass(frozen=True)
class Round:
    """What a round leaves to the next, and an interrupted program to the one that goes on from it (`to_json`)."""

    #: `near`, `best`: the point of the round, and the best so far.
    near: PrimalDual
    best: PrimalDual
    #: The value of `best`.
    value: float
    #: The best bound so far.
    inside: DualPoint
    solved: Solved
    size: Size
    count: Count
    #: Whether the round made headway.
    ahead: bool
    #: Whether its program had all columns, or what thinning left of them, and is to be solved more precisely without
    #: the unlikely ones.
    thins: bool

    @classmethod
    def before(cls, near: PrimalDual, value: float, inside: DualPoint, band: float, values: float) -> "Round":
        """Return what the first round begins with."""
        none = np.zeros(0)
        return cls(
            near=near,
            best=near,
            value=value,
            inside=inside,
            solved=Solved(Groups(NO_INDEX, ()), none, PerBound(none, none, none, none), True),
            size=Size(band, BAND, values),
            count=Count(0, 0, 0),
            ahead=True,
            thins=False,
        )

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Round":
        """Return a round that `to_json` wrote."""
        solved = kept["solved"]
        groups = Groups(as_array(solved["groups"]["alone"]), [as_array(group) for group in solved["groups"]["groups"]])
        multipliers = PerBound(*(as_array(solved["multipliers"][name]) for name in PerBound._fields))
        records = {
            **{name: PrimalDual.from_json(kept[name]) for name in ("near", "best")},
            "inside": DualPoint(*(as_array(kept["inside"][name]) for name in DualPoint._fields)),
            "solved": Solved(groups, as_array(solved["pi"]), multipliers, solved["single"]),
            "size": Size(**kept["size"]),
            "count": Count(**kept["count"]),
        }
        return cls(**{**kept, **records})

    @property
    def gap(self) -> float:
        """The relative gap over all columns and examples."""
        return (self.value - self.inside.sum) / self.value

    def point(self, program: Program) -> InteriorPoint:
        """Return the solution of its program."""
        k, j, solved = self.near.k, self.near.j, self.solved
        rows, u = solved.groups.rows(program, k, j), solved.groups.sums(program.u)
        return InteriorPoint(u, rows, program.limits[k, j], solved.pi, solved.multipliers)
