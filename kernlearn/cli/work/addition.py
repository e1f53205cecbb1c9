"""Add new partitions to the files of a table, even if the finished cells are not on this machine.

Only the files ``<table>_partitions.csv`` and ``<table>.provenance.json`` of the earlier results are needed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, cast

from kernlearn.errors import UserError
from kernlearn.papers import Table
from kernlearn.report.reproduction import REMEDY, read_partitions
from kernlearn.report.terminal import say_note, shown_path
from kernlearn.runner.plan.sweeps import name_of
from kernlearn.runner.store.files import exclusive_lock, read_json, read_regular
from kernlearn.runner.store.reading import conforms
from kernlearn.runner.store.records import Described, Json, Makers, Provenance
from kernlearn.runner.store.tables import read_csv

Rows = Sequence[Mapping[str, Any]]


class OfTable(Provenance):
    """The provenance of a table, with its experiments by row and column."""

    experiments: dict[str, Json]


def partitions_file(results: Path, name: str) -> Path:
    """Return the file of the measurements for a table."""
    return results / f"{name}_partitions.csv"


class Planned(NamedTuple):
    """An experiment that a table needs."""

    row: str
    column: str
    seed: int
    #: Its name.
    run: str
    described: Json
    #: The sha256 of its data.
    digest: str


@dataclass(frozen=True)
class Kept:
    """The content of the files of a table."""

    #: Rows of `kernlearn.report.reproduction.partition_rows`.
    partitions: list[dict[str, Any]] = field(default_factory=list)
    #: The environments that computed them.
    makers: Makers | None = None
    #: The data that they were computed from.
    data: list[Described] = field(default_factory=list)
    #: The experiments by row and column.
    experiments: Mapping[str, Json] = field(default_factory=dict)

    def has(self, row: str, column: str, seed: int, run: str) -> bool:
        """Return whether the files have an experiment, identified by its name `run`.

        Raises `UserError` if they have another experiment in its place.
        """
        runs = {
            kept["run"]
            for kept in self.partitions
            if (kept["dataset"], kept["algorithm"], kept["seed"]) == (row, column, seed)
        }
        if runs - {run}:
            raise UserError(
                f"--add: the table's files have another experiment as {row} {column} seed {seed}, with other data or"
                " another description: reproduce the table without --add"
            )
        return bool(runs)

    def current(self, planned: Iterable[Planned]) -> "Kept":
        """Return the content without results that an older version of a method computed, which a note names.

        These are of the same experiments, on the same data, under another name.
        """
        data, runs = {one["sha256"] for one in self.data}, dict[tuple[str, str, int], str]()
        for one in planned:
            known = self.experiments.get(f"{one.row} {one.column}", {})
            if one.digest in data and {**known, "seed": 0} == {**one.described, "seed": 0}:
                runs[one.row, one.column, one.seed] = one.run

        def is_older(row: Mapping[str, Any]) -> bool:
            return runs.get((row["dataset"], row["algorithm"], row["seed"]), row["run"]) != row["run"]

        columns = sorted({row["algorithm"] for row in self.partitions if is_older(row)})
        if columns:
            say_note(f"results of {', '.join(columns)} are of an older version, and are computed again")
        return replace(self, partitions=[row for row in self.partitions if not is_older(row)])

    def described(self, more: Sequence[Described]) -> list[Described]:
        """Return the data sets of the files and of `more`, each once."""
        return list({(one["name"], one["sha256"]): one for one in [*self.data, *more]}.values())


def read_kept_alone(results: Path, table: Table) -> Kept:
    """Return the result of `read_kept` under a lock: the files are written one after the other."""
    directory = (results / table.name).parent
    if not directory.is_dir():
        _refuse_points(table)
        return Kept()
    with exclusive_lock(directory):
        return read_kept(results, table)


def read_kept(results: Path, table: Table) -> Kept:
    """Return the content of the files of a table, empty if there are no files.

    Raises `UserError` if one of them is missing, damaged or changed since it was written, or if the table has points,
    which depend on all partitions.
    """
    _refuse_points(table)
    path, record = partitions_file(results, table.name), results / f"{table.name}.provenance.json"
    there = [file for file in (path, record) if file.exists()]
    if not there:
        return Kept()
    if len(there) == 1:
        lost = record if path in there else path
        raise UserError(f"{lost}: is missing, although {there[0].name} exists; {REMEDY}")
    partitions = read_partitions(path, table)
    try:
        content = read_json(record)
        if not conforms(content, OfTable):
            raise ValueError("the record has another format")
        makers = cast(Makers, {key: content[key] for key in sorted(Makers.__required_keys__)})
        kept = Kept(partitions, makers, content["data"], content["experiments"])
    except (OSError, ValueError) as error:
        raise UserError(f"{record}: damaged; {REMEDY}") from error
    of = {f"{row['dataset']} {row['algorithm']}" for row in partitions}
    unknown = sorted(of - kept.experiments.keys())
    if problem := f"its provenance does not have {unknown[0]}" if unknown else _changed(path, content):
        raise UserError(f"{path}: {problem}; {REMEDY}")
    return kept


def _refuse_points(table: Table) -> None:
    if table.points:
        raise UserError(f"--add: {table.name} has points, which depend on all its partitions: leave out --add")


def digest_of(partitions: Path) -> str:
    """Return the sha256 of a file of partitions, independent of its line endings."""
    return sha256(read_regular(partitions).replace(b"\r\n", b"\n")).hexdigest()


def _changed(path: Path, record: Mapping[str, Any]) -> str:
    """Return the problem if a file differs from its record; older records have no digest to compare."""
    known = record.get("partitions", "")
    return "" if known in ("", digest_of(path)) else "changed since it was written with its provenance"


def joined(table: Table, kept: Rows, more: Rows) -> list[dict[str, Any]]:
    """Return all rows of partitions in the order of the table, without the ratios, which depend on all of them."""
    rows = {row.name: i for i, row in enumerate(table.rows)}
    columns = {column.name: i for i, column in enumerate(table.columns)}
    measured = [dict(row) for row in [*kept, *more] if not (table.ratio_to and row["metric"].endswith("_ratio"))]
    return sorted(measured, key=lambda row: (rows[row["dataset"]], columns[row["algorithm"]], row["seed"]))


def files_begin(results: Path, name: str, command: str, *, whole: bool, seeds: int) -> Path:
    """Return the path with which the names of the files of a table begin.

    It is that of the table, unless its files would then have less than before.

    Parameters
    ----------
    results : Path
    name : str
        Of the table.
    command : str
        The command that computes the new rows.
    whole : bool
        Whether the new rows are of the whole table.
    seeds : int
        The number of their seeds; 0 if they are added to the rows of the files.
    """
    if not whole:
        return results / f"{name}{partial_name(command)}"
    suffix = part_of(partitions_file(results, name), seeds, command) if seeds else ""
    return results / f"{name}{suffix}"


def part_of(kept: Path, seeds: int, command: str) -> str:
    """Return a suffix for the names of files if existing files have more repetitions, and print a note about it.

    Parameters
    ----------
    kept : Path
        The file of existing rows, by seed, if there is one.
    seeds : int
        The number of seeds of the new rows.
    command : str
        The command that computes the new rows.
    """
    try:
        there = len({row["seed"] for row in read_csv(kept, ["seed"])})
    except (OSError, UserError):  # there is no file, or it is damaged
        return ""
    if there <= seeds:
        return ""
    say_note(f"{shown_path(kept)} has {there} repetitions and is not changed: these {seeds} go to other files")
    return partial_name(command)


def partial_name(command: str) -> str:
    """Return a suffix for the names of the files of a part, which no other part has."""
    return f"-partial-{name_of([command])}"
