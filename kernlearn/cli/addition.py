"""What the files of a table have already, so that a part can be added to them where the finished cells are not at hand.

The files ``<table>_partitions.csv`` and ``<table>.provenance.json`` are all that is needed of what was computed before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernlearn.errors import UserError
from kernlearn.papers import Table
from kernlearn.report.reproduction import read_partitions
from kernlearn.runner.files import read_json
from kernlearn.runner.records import Described, Experiment, Makers

Rows = Sequence[Mapping[str, Any]]


def partitions_file(results: Path, name: str) -> Path:
    """Return where what was measured for a table is kept."""
    return results / f"{name}_partitions.csv"


def command_of_all(table: str, partitions: Rows) -> str:
    """Return the command that makes a whole table anew."""
    return f"kernlearn reproduce {table} --seeds {len({row['seed'] for row in partitions})}"


@dataclass(frozen=True)
class Kept:
    """What the files of a table have.

    Attributes
    ----------
    partitions : list of mappings
        Rows of `kernlearn.report.reproduction.partition_rows`.
    makers : mapping, optional
        Who computed them.
    data : list of mappings
        What they were computed from.
    experiments : mapping
        By row and column.
    """

    partitions: list[dict[str, Any]] = field(default_factory=list)
    makers: Makers | None = None
    data: list[Described] = field(default_factory=list)
    experiments: Mapping[str, Experiment] = field(default_factory=dict)

    def has(self, row: str, column: str, seed: int, run: str) -> bool:
        """Return whether an experiment is there, told by its name `run`.

        Raises
        ------
        UserError
            If there is another one in its place.
        """
        runs = {
            kept["run"]
            for kept in self.partitions
            if (kept["dataset"], kept["algorithm"], kept["seed"]) == (row, column, seed)
        }
        if runs - {run}:
            raise UserError(
                f"--add: the table's files have another experiment as {row} {column} seed {seed}, of other data or"
                " another description: reproduce the table without --add"
            )
        return bool(runs)

    def described(self, more: Sequence[Described]) -> list[Described]:
        """Return the data of what is kept and of `more`, each once."""
        return list({(one["name"], one["sha256"]): one for one in [*self.data, *more]}.values())


def read_kept(results: Path, table: Table) -> Kept:
    """Return what the files of a table have, nothing if there are none.

    Raises
    ------
    UserError
        If one of them is missing or damaged, or the table has points, which are of all of it.
    """
    if table.points:
        raise UserError(
            f"--add: {table.name} has points of its own, which are computed with all of it: leave out --add"
        )
    path, record = partitions_file(results, table.name), results / f"{table.name}.provenance.json"
    if not path.exists():
        return Kept()
    try:
        content = read_json(record)
        return Kept(read_partitions(path), content, content["data"], content["experiments"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise UserError(f"{record}: missing or damaged: reproduce the table without --add") from error


def joined(table: Table, kept: Rows, more: Rows) -> list[dict[str, Any]]:
    """Return the rows of partitions of a table in its order, without the ratios, which are made of all of them."""
    rows = {row.name: i for i, row in enumerate(table.rows)}
    columns = {column.name: i for i, column in enumerate(table.columns)}
    measured = [dict(row) for row in [*kept, *more] if not (table.ratio_to and row["metric"].endswith("_ratio"))]
    return sorted(measured, key=lambda row: (rows[row["dataset"]], columns[row["algorithm"]], row["seed"]))
