"""Tidy tables from shards: the same bytes from the same results, whoever computed them in whatever order."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernlearn.runner.cells import Plan
from kernlearn.runner.store import Store, write_atomically


def path_rows(plan: Plan, store: Store) -> list[dict[str, Any]]:
    """Return one row for every split and grid point, and one with the error for every failed split.

    Timings are left out: they belong to the provenance, and the table is to be the same after every run.
    """
    rows = []
    for cell, key in zip(plan.cells, plan.keys, strict=True):
        shard = store.read(key)
        if shard is None:
            continue
        head = {"dataset": plan.dataset.name, "algorithm": plan.label, "seed": cell["seed"], "split": cell["split"]}
        if shard["status"] != "ok":
            rows.append({**head, "status": f"failed: {shard['error']}"})
        rows += [{**head, **row} for row in shard["rows"]]
    return rows


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> None:
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


def read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file as texts."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
