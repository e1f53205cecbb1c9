"""What the rooms hand each other in a run: experiments and cells, shards, and who made them.

All of it is kept as JSON; the types say which keys there are.
"""

from typing import Any, Literal, NotRequired, TypedDict

from kernlearn.evaluation import Row

#: A choice of a configuration: ``name`` and the parameters that are its own, which its registry declares and checks.
Options = dict[str, Any]


class Experiment(TypedDict):
    """What determines the numbers of an experiment, checked by `kernlearn.runner.config.check_experiment`."""

    task: NotRequired[str]
    multiclass: NotRequired[str]
    dataset: Options
    scaling: str
    kernel: Options
    algo: Options
    protocol: Options
    seed: int


class PathCell(Experiment):
    """One split of an experiment; the data are bound by their content, algorithm and rows by their versions."""

    data: str
    versions: dict[str, int]
    split: int


class FigureCell(TypedDict):
    """One repetition of a figure with one choice of options."""

    kind: Literal["figure"]
    figure: str
    version: int
    data: dict[str, str]
    options: Options
    seed: int


Cell = PathCell | FigureCell


class Source(TypedDict):
    """By which source something is computed (`kernlearn.runner.sources`)."""

    digest: str
    recorded: bool


class Made(TypedDict):
    """Who has made a result and what it took (`kernlearn.runner.made`)."""

    code: dict[str, Any]
    packages: dict[str, str | None]
    machine: dict[str, Any]
    when: str
    seconds: float
    cpu_seconds: float
    peak_mb: float | None
    peak_of: str
    source: NotRequired[Source]


class Shard(TypedDict):
    """The result of a cell: its rows, or why it has none."""

    status: str
    cell: Cell
    rows: list[Row]
    made: Made
    error: NotRequired[str]
    traceback: NotRequired[str]
