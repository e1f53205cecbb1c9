"""What a difference consists of: changes of cells, in parts with a status."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf


class Status(StrEnum):
    """What became of a part, from the best to the worst."""

    SAME = "same bytes"
    WITHIN = "within tolerance"
    ONLY = "only here"
    CHANGED = "changed"
    WORSE = "certificate worse"
    FLIPPED = "verdict flipped"
    UNREADABLE = "unreadable"


#: A difference with one of these is an alarm.
ALARMS = (Status.FLIPPED, Status.WORSE)


class Kind(StrEnum):
    """The kind of a changed cell, in the order in which changes are shown."""

    VERDICT_WORSE = "verdict worse"
    VERDICT = "verdict"
    VERDICT_BETTER = "verdict better"
    WORSE = "certificate worse"
    BETTER = "certificate better"
    NUMBER = "number"
    TEXT = "text"


#: The kinds of a flipped verdict, and their direction in words.
FLIPS = {Kind.VERDICT_WORSE: "worse", Kind.VERDICT_BETTER: "better", Kind.VERDICT: "neither"}
#: The status of a part with a change of a kind.
STATUS = {**dict.fromkeys(FLIPS, Status.FLIPPED), Kind.WORSE: Status.WORSE}
ORDER = list(Kind)


@dataclass(frozen=True)
class Change:
    """A changed cell.

    Attributes
    ----------
    kind : Kind
    place : str
        The row and the column.
    before, after : str
        As they are written.
    difference : float or None
        After minus before, of numbers.
    size : float
        The absolute difference, relative to the larger of the two numbers; infinite for texts.
    """

    kind: Kind
    place: str
    before: str
    after: str
    difference: float | None = None
    size: float = inf


@dataclass
class Part:
    """A file or a group of claims on both sides.

    Attributes
    ----------
    name : str
    status : Status
    notes : list of str
        What is to be known of it, in words.
    changes : list of Change
        The largest ones first; not all of them.
    counts : Counter of Kind
        The numbers of all changed cells.
    """

    name: str
    status: Status = Status.SAME
    notes: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    counts: Counter[Kind] = field(default_factory=Counter)

    @property
    def n_changes(self) -> int:
        """The number of all changed cells."""
        return self.counts.total()


def flip(rank_before: int, rank_after: int) -> Kind:
    """Return the kind of a flipped verdict from the ranks of both; a better one has a larger rank."""
    if rank_before == rank_after:
        return Kind.VERDICT
    return Kind.VERDICT_BETTER if rank_after > rank_before else Kind.VERDICT_WORSE


def ordered(changes: Iterable[Change]) -> list[Change]:
    """Return changes by kind, and the largest ones of a kind first."""
    return sorted(changes, key=lambda one: (ORDER.index(one.kind), -one.size))


def worst(statuses: Iterable[Status]) -> Status:
    """Return the worst status."""
    order = list(Status)
    return max(statuses, key=order.index, default=Status.SAME)


def status_of(kinds: Iterable[Kind]) -> Status:
    """Return the status of a part with changes of these kinds."""
    return worst([Status.WITHIN, *(STATUS.get(kind, Status.CHANGED) for kind in kinds)])
