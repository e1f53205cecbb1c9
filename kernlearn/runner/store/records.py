"""The records that the packages exchange in a run: shards and their provenance.

All records are stored as JSON. The types declare their keys.
"""

from typing import Any, NotRequired, TypedDict

from kernlearn.evaluation import Row
from kernlearn.runner.store.reading import conforms

#: A choice of a configuration: ``name`` and its parameters, which its registry declares and checks.
Options = dict[str, Any]
#: An experiment or a cell, as `kernlearn.runner.cell.cell` writes it.
Json = dict[str, Any]
#: Facts about code or a machine, by name.
Facts = dict[str, str | bool | int | float | None]


class Source(TypedDict):
    """The source of a computation (`kernlearn.runner.provenance.sources`)."""

    digest: str
    recorded: bool


class Made(TypedDict):
    """The provenance of a result, with time and memory (`kernlearn.runner.provenance.made`)."""

    code: Facts
    packages: dict[str, str | None]
    machine: Facts
    when: str
    seconds: float
    cpu_seconds: float
    peak_mb: float | None
    peak_of: NotRequired[str]
    source: NotRequired[Source]


class Computed(TypedDict):
    """An environment, the number of cells that it computed, and the first and last time."""

    code: Facts
    packages: dict[str, str | None]
    machine: Facts
    cells: int
    seconds: float
    first: str
    last: str


class Registered(TypedDict):
    """The registration of a sweep without its cells: its command, the time, and the number of cells."""

    command: str
    registered: str
    cells: int


class Described(TypedDict):
    """The data of an experiment, by content."""

    name: str
    source: str
    sha256: str
    examples: int
    features: int
    classes: list[str]


class Collected(TypedDict):
    """The environment and command that wrote tables from shards."""

    command: str
    engine: NotRequired[Options]
    code: Facts
    packages: dict[str, str | None]
    when: str
    wall_seconds: float


class Makers(TypedDict):
    """The provenance of the shards of some tables; numbers of cells, seconds and peaks are by name."""

    computed: list[Computed]
    cell_seconds: dict[str, float]
    cell_cpu_seconds: dict[str, float]
    cell_peak_mb: dict[str, float]
    other_source: NotRequired[dict[str, int]]


class About(TypedDict, total=False):
    """The subject of tables: one experiment, or a printed table of several, complete or in part.

    ``partitions`` is the sha256 of the file of measurements. ``chosen_by`` has the score ``select_by`` and the ``rule``
    that chose a grid point, as in the tables. Of a comparison, ``left_out`` has the reasons why methods are not in it,
    ``notes`` what is to be known of each data set, and ``at_grid_end`` the notes on selected values of each data set
    and method, with whether nothing says that values beyond the grid may be better.
    """

    experiment: Json
    chosen_by: dict[str, str]
    state: str
    partitions: str
    experiments: dict[str, Json]
    left_out: dict[str, str]
    notes: dict[str, list[str]]
    at_grid_end: dict[str, dict[str, list[Json]]]


class Provenance(Makers):
    """The provenance of a table (`kernlearn.runner.provenance.record`)."""

    data: list[Described]
    collected: Collected


class Shard(TypedDict):
    """The result of a cell: its rows, or its error."""

    status: str
    cell: Json
    rows: list[Row]
    made: Made
    error: NotRequired[str]
    traceback: NotRequired[str]


def is_made(found: Any) -> bool:
    """Return whether a value that was read has all keys of `made`, with the right types."""
    return conforms(found, Made) and "dirty" in found["code"]
