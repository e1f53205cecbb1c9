"""What the rooms hand each other in a run: shards, and who made them.

All of it is kept as JSON; the types say which keys there are.
"""

from typing import Any, NotRequired, TypedDict

from kernlearn.evaluation import Row
from kernlearn.runner.store.reading import conforms

#: A choice of a configuration: ``name`` and the parameters that are its own, which its registry declares and checks.
Options = dict[str, Any]
#: An experiment or a cell, as `kernlearn.runner.cell.cell` writes it.
Json = dict[str, Any]
#: What is known of code or a machine, by name.
Facts = dict[str, str | bool | int | float | None]


class Source(TypedDict):
    """By which source something is computed (`kernlearn.runner.provenance.sources`)."""

    digest: str
    recorded: bool


class Made(TypedDict):
    """Who has made a result and what it took (`kernlearn.runner.provenance.made`)."""

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
    """Who has made some cells, how many, and from when to when."""

    code: Facts
    packages: dict[str, str | None]
    machine: Facts
    cells: int
    seconds: float
    first: str
    last: str


class Registered(TypedDict):
    """What is known of a sweep beside its cells: its command, when it was given, and the number of cells."""

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
    """By whom and how tables were written from shards."""

    command: str
    engine: NotRequired[Options]
    code: Facts
    packages: dict[str, str | None]
    when: str
    wall_seconds: float


class Makers(TypedDict):
    """What the shards of some tables say of their making; numbers of cells, seconds and peaks are by name."""

    computed: list[Computed]
    cell_seconds: dict[str, float]
    cell_cpu_seconds: dict[str, float]
    cell_peak_mb: dict[str, float]
    other_source: NotRequired[dict[str, int]]


class About(TypedDict, total=False):
    """Of what tables are: one experiment, or a printed table of several, whole or in part.

    ``partitions`` is the sha256 of the file of what was measured; ``chosen_by`` has the score ``select_by`` and the
    ``rule`` by which a grid point was chosen, as in the tables.
    """

    experiment: Json
    chosen_by: dict[str, str]
    state: str
    partitions: str
    experiments: dict[str, Json]


class Provenance(Makers):
    """Where the numbers of a table come from (`kernlearn.runner.provenance.record`)."""

    data: list[Described]
    collected: Collected


class Shard(TypedDict):
    """The result of a cell: its rows, or why it has none."""

    status: str
    cell: Json
    rows: list[Row]
    made: Made
    error: NotRequired[str]
    traceback: NotRequired[str]


def is_made(found: Any) -> bool:
    """Return whether something that was read has what `made` gives, each of its type."""
    return conforms(found, Made) and "dirty" in found["code"]
