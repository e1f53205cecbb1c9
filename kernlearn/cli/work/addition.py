"""What the files of a table have already, so that a part can be added to them where the finished cells are not at hand.

The files ``<table>_partitions.csv`` and ``<table>.provenance.json`` are all that is needed of what was computed before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from kernlearn.errors import UserError
from kernlearn.papers import Table
from kernlearn.report.reproduction import REMEDY, read_partitions
from kernlearn.runner.store.files import alone, read_json, read_regular
from kernlearn.runner.store.reading import conforms
from kernlearn.runner.store.records import Described, Json, Makers, Provenance

Rows = Sequence[Mapping[str, Any]]


class OfTable(Provenance):
    """The provenance of a table, with its experiments by row and column."""

    experiments: dict[str, Json]


def partitions_file(results: Path, name: str) -> Path:
    """Return where what was measured for a table is kept."""
    return results / f"{name}_partitions.csv"


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
    experiments: Mapping[str, Json] = field(default_factory=dict)

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


def read_kept_alone(results: Path, table: Table) -> Kept:
    """Return the same as `read_kept` while no other process writes these files, which come one after the other."""
    directory = (results / table.name).parent
    if not directory.is_dir():
        _refuse_points(table)
        return Kept()
    with alone(directory):
        return read_kept(results, table)


def read_kept(results: Path, table: Table) -> Kept:
    """Return what the files of a table have, nothing if there are none.

    Raises
    ------
    UserError
        If one of them is missing, damaged or not as it was written, or the table has points, which are of all of it.
    """
    _refuse_points(table)
    path, record = partitions_file(results, table.name), results / f"{table.name}.provenance.json"
    there = [file for file in (path, record) if file.exists()]
    if not there:
        return Kept()
    if len(there) == 1:
        lost = record if path in there else path
        raise UserError(f"{lost}: missing beside {there[0].name}; {REMEDY}")
    partitions = read_partitions(path, table)
    try:
        content = read_json(record)
        if not conforms(content, OfTable):
            raise ValueError("a record of another form")
        makers = cast(Makers, {key: content[key] for key in sorted(Makers.__required_keys__)})
        kept = Kept(partitions, makers, content["data"], content["experiments"])
    except (OSError, ValueError) as error:
        raise UserError(f"{record}: damaged; {REMEDY}") from error
    of = {f"{row['dataset']} {row['algorithm']}" for row in partitions}
    unknown = sorted(of - kept.experiments.keys())
    if problem := f"its provenance knows no {unknown[0]}" if unknown else _changed(path, content):
        raise UserError(f"{path}: {problem}; {REMEDY}")
    return kept


def _refuse_points(table: Table) -> None:
    if table.points:
        raise UserError(f"--add: {table.name} has points, which are computed with all of it: leave out --add")


def digest_of(partitions: Path) -> str:
    """Return the sha256 of a file of partitions, whatever its lines end with."""
    return sha256(read_regular(partitions).replace(b"\r\n", b"\n")).hexdigest()


def _changed(path: Path, record: Mapping[str, Any]) -> str:
    """Return what is wrong where a file is not the one of its record; older records do not know theirs."""
    known = record.get("partitions", "")
    return "" if known in ("", digest_of(path)) else "not as it was written, or written without its provenance"


def joined(table: Table, kept: Rows, more: Rows) -> list[dict[str, Any]]:
    """Return the rows of partitions of a table in its order, without the ratios, which are made of all of them."""
    rows = {row.name: i for i, row in enumerate(table.rows)}
    columns = {column.name: i for i, column in enumerate(table.columns)}
    measured = [dict(row) for row in [*kept, *more] if not (table.ratio_to and row["metric"].endswith("_ratio"))]
    return sorted(measured, key=lambda row: (rows[row["dataset"]], columns[row["algorithm"]], row["seed"]))
