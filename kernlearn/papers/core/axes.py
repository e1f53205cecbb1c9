"""What a paper leaves open: the decisions of a table (``axes``), and its readings, one alternative of every decision.

The description of a table lists its decisions::

    axes:
      scaling:
        why: "not stated"
        alternatives:
          unit: {status: unstated}
          none: {status: unstated, overrides: [scaling=none]}

The first alternative is what the table does, so it has no overrides. ``columns`` limits a decision to some columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from kernlearn.errors import UserError, closest
from kernlearn.papers.core.index import check_keys

#: Whether the paper says so, leaves it open, or says something else.
STATED, UNSTATED, ALTERED = STATUSES = ("stated", "unstated", "altered")
AXIS_KEYS = ("why", "alternatives"), ("columns",)
ALTERNATIVE_KEYS = ("status",), ("overrides",)
#: Overrides of this kind change options of the data set of a row.
OF_DATA = "dataset."

#: The alternatives that differ from what the table does, by their axes. None differs in the table's own reading.
Reading = Mapping[str, str]
OWN: Reading = {}


@dataclass(frozen=True)
class Alternative:
    """One way to decide what a paper leaves open."""

    name: str
    #: One of `STATUSES`.
    status: str
    #: Of the configuration, after those of the column and the row.
    overrides: tuple[str, ...] = ()


@dataclass(frozen=True)
class Axis:
    """A decision that the paper leaves open."""

    name: str
    why: str
    #: The first one is what the table does.
    alternatives: tuple[Alternative, ...]
    #: The columns that it concerns; by default all.
    columns: tuple[str, ...] | None = None

    def concerns(self, column: str) -> bool:
        """Return whether it concerns a column."""
        return self.columns is None or column in self.columns

    def alternative(self, name: str) -> Alternative:
        """Return an alternative by its name."""
        return next(one for one in self.alternatives if one.name == name)


def axes_of(name: str, spec: Any, columns: Iterable[str]) -> tuple[Axis, ...]:
    """Return the axes of a table's description.

    Raises `UserError` if a key is unknown or missing, or a value is not allowed.
    """
    known, axes = tuple(columns), []
    for axis, value in (spec or {}).items():
        where = f"{name}: axes.{axis}"
        check_keys(where, value, *AXIS_KEYS)
        concerned = value.get("columns")
        for column in concerned or ():
            if column not in known:
                raise UserError(f"{where}.columns: {column} is no column{closest(column, known)}")
        alternatives = tuple(_alternative(where, key, one) for key, one in value["alternatives"].items())
        if len(alternatives) < 2 or alternatives[0].overrides or not all(one.overrides for one in alternatives[1:]):
            raise UserError(
                f"{where}.alternatives: the first one is what the table does and has no overrides; "
                "at least one other must follow, each with overrides"
            )
        if concerned and any(word.startswith(OF_DATA) for one in alternatives for word in one.overrides):
            raise UserError(f"{where}.columns: data are the same for all columns; leave it out, or the {OF_DATA}KEY=")
        axes.append(Axis(axis, str(value["why"]), alternatives, None if concerned is None else tuple(concerned)))
    return tuple(axes)


def _alternative(where: str, name: str, value: Any) -> Alternative:
    check_keys(f"{where}.alternatives.{name}", value, *ALTERNATIVE_KEYS)
    if value["status"] not in STATUSES:
        raise UserError(f"{where}.alternatives.{name}.status={value['status']}: must be one of {', '.join(STATUSES)}")
    return Alternative(name, value["status"], tuple(value.get("overrides", ())))


def single_readings(axes: Sequence[Axis]) -> list[Reading]:
    """Return the table's own reading, and those that differ from it in one decision."""
    return [OWN, *({axis.name: one.name} for axis in axes for one in axis.alternatives[1:])]


def pair_readings(axes: Sequence[Axis]) -> list[Reading]:
    """Return the readings that differ in two of these decisions."""
    return [
        {first.name: one.name, second.name: other.name}
        for first, second in combinations(axes, 2)
        for one, other in product(first.alternatives[1:], second.alternatives[1:])
    ]


def in_words(reading: Reading) -> str:
    """Return a reading for tables, such as ``scaling=none, kernel=libsvm``."""
    return ", ".join(f"{axis}={one}" for axis, one in reading.items()) or "as in the table"


def status_of(axes: Sequence[Axis], reading: Reading) -> str:
    """Return the worst status of the alternatives of a reading."""
    found = [axis.alternative(reading.get(axis.name, axis.alternatives[0].name)).status for axis in axes]
    return max(found, key=STATUSES.index, default=STATED)
