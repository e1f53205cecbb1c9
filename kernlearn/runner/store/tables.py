"""Tidy tables from shards: the same bytes from the same results, whoever computed them in whatever order."""

import csv
import io
import logging
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, cast

from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS, Row
from kernlearn.runner.cell.measure import is_regression
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.provenance.made import is_made
from kernlearn.runner.store.files import make_directory, naming, read_regular, replacing, write_atomically
from kernlearn.runner.store.records import PathCell, Shard
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)

#: The columns of rows that hold words, not numbers.
WORDS = (
    "status",
    "weights",
    "pairs",
    *(f"{part}_{of}" for part in ("validation", "test") for of in ("votes", "pair_errors", "tallies")),
)


def shards_of(plan: Plan, store: Store) -> list[Shard | None]:
    """Return the shards of the cells of a plan, None for those that are missing.

    One whose checksum is right and whose content none of these cells can have counts as missing and is removed, so that
    the same command computes it again: the checksum keeps accidents out, not whoever may write to the directory.
    """
    shards = []
    for key, cell in zip(plan.keys, plan.cells, strict=True):
        shard = cast(Shard | None, store.read(key))
        if shard is not None and not _can_be_of(plan, cell, shard):
            log.warning("%s: its content is none of this experiment; removed, the same command computes it again", key)
            store.remove(key)
            shard = None
        shards.append(shard)
    return shards


def _can_be_of(plan: Plan, cell: PathCell, shard: Shard) -> bool:
    """Return whether a shard has all that is read from it, each of its type."""
    score = "rmse" if is_regression(plan.experiment) else "error_pct"
    columns = {"point", "n_support", "gap", "status", "n_test", f"test_{score}"}
    choosing = PROTOCOLS[plan.experiment["protocol"]["name"]].n_choosing
    if not choosing or cell["split"] < choosing:
        columns |= {"n_validation", f"validation_{score}"}
    rows = shard["rows"]
    try:
        return (
            (shard["status"] == "ok" or isinstance(shard["error"], str))
            and is_made(shard["made"])
            and all(columns <= row.keys() == rows[0].keys() for row in rows)
            and all(
                type(value) in ((str,) if name in WORDS else (int, float))
                for row in rows
                for name, value in row.items()
            )
            and {row["point"] for row in rows} <= set(range(len(plan.grid)))
        )
    except (KeyError, TypeError):
        return False


def rows_of(plan: Plan, shards: Sequence[Shard | None]) -> list[Row]:
    """Return one row for every split and grid point, and one with the error for every failed split.

    They begin with the name of the run, of which the choice of a grid point is a part; `shards` are of `shards_of`.
    Timings are left out: they belong to the provenance, and the table is to be the same after every run.
    """
    rows: list[Row] = []
    run = run_id(plan)
    for cell, shard in zip(plan.cells, shards, strict=True):
        if shard is None:
            continue
        head: Row = {"run": run, "dataset": plan.dataset.name, "algorithm": plan.label}
        head |= {"seed": cell["seed"], "split": cell["split"]}
        if shard["status"] != "ok":
            rows.append({**head, "status": f"failed: {shard['error']}"})
        rows += [cast(Row, {**head, **row}) for row in shard["rows"]]
    return rows


def write_csv(path: Path, rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None) -> None:
    """Write rows as CSV, atomically; numbers in the shortest form that reads back as the same number.

    Parameters
    ----------
    path : Path
    rows : sequence of mappings
    columns : sequence of str, optional
        By default all keys, in the order in which they come up.
    """
    if columns is None:
        columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n", extrasaction="raise")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(path, text.getvalue().encode())


def read_csv(path: Path, columns: Sequence[str] = ()) -> list[dict[str, str]]:
    """Return the rows of a CSV file of `write_csv` as texts.

    Parameters
    ----------
    path : Path
    columns : sequence of str
        Those that it must have, among others.

    Raises
    ------
    OSError
        If it cannot be read.
    UserError
        If it is none, or was cut short: a line that has no end, or a row with more or fewer cells than columns.
    """
    try:
        text = read_regular(path).decode()
        head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        if not text.endswith("\n"):
            raise ValueError("its last line has no end")
        if lacking := [name for name in columns if name not in head]:
            raise ValueError(f"it has no column {lacking[0]}")
        return [dict(zip(head, row, strict=True)) for row in rows]
    except (ValueError, csv.Error) as error:
        raise UserError(f"{path}: damaged ({error})") from error


def write_csv_parts(path: Path, parts: Iterable[Sequence[Mapping[str, object]]]) -> None:
    """Write a CSV file too long to be held in memory, atomically: as `write_csv` on all the rows of all parts.

    The columns are known when the last part is: the parts are kept in a temporary file until then.
    """
    columns: dict[str, None] = {}
    make_directory(path.parent)
    with naming(path), tempfile.TemporaryFile("w+", dir=path.parent, newline="", encoding="utf-8") as kept:
        heads: list[tuple[tuple[str, ...], int]] = []  # runs of rows with the same columns
        writer = csv.writer(kept, lineterminator="\n")
        for rows in parts:
            for row in rows:
                names = tuple(row)
                if heads and heads[-1][0] == names:
                    heads[-1] = (names, heads[-1][1] + 1)
                else:
                    heads.append((names, 1))
                    columns |= dict.fromkeys(names)
                writer.writerow(row.values())
        kept.seek(0)
        with replacing(path) as binary:
            file = io.TextIOWrapper(binary, newline="", encoding="utf-8", write_through=True)
            _join(kept, file, heads, tuple(columns))
            file.detach()  # flushed, and not closed


def _join(kept: IO[str], file: IO[str], heads: Sequence[tuple[tuple[str, ...], int]], columns: tuple[str, ...]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    lines = csv.reader(kept)
    for names, count in heads:
        if names == columns:
            writer.writerows(islice(lines, count))
            continue
        place = [names.index(name) if name in names else -1 for name in columns]
        for line in islice(lines, count):
            writer.writerow([line[i] if i >= 0 else "" for i in place])
