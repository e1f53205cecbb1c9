"""Printed values beside ours."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kernlearn.papers import vkr2015


@dataclass(frozen=True)
class PrintedValue:
    """One cell of a printed table."""

    paper: str
    table: str
    setting: str
    mean: float
    std: float | None


#: Tables by file name: each tells whether an experiment is one of its cells (the printed data set name) or not (None).
TABLES: dict[str, Callable[[Mapping[str, Any]], str | None]] = {
    "vkr2015_table1": vkr2015.table1_dataset,
}


def printed_values(experiment: Mapping[str, Any], label: str) -> dict[str, PrintedValue]:
    """Return the printed value of every metric of an experiment, empty if no paper has it.

    Parameters
    ----------
    experiment : mapping
        A checked experiment.
    label : str
        The algorithm's name in tables.
    """
    for table, dataset_of in TABLES.items():
        dataset = dataset_of(experiment)
        cells = table_values(table, dataset, label) if dataset else {}
        if cells:
            return cells
    return {}


def table_values(table: str, dataset: str, algorithm: str, setting: str = "") -> dict[str, PrintedValue]:
    """Return the printed value of every metric of one cell of a table; empty if the table has no such cell.

    `setting` is how the setting of the cell begins, where a table has several, as regression and classification.
    """
    return {
        row["metric"]: PrintedValue(
            row["paper"], row["table"], row["setting"], float(row["mean"]), float(row["std"]) if row["std"] else None
        )
        for row in printed_rows(table)
        if row["dataset"] == dataset and row["algorithm"] == algorithm and row["setting"].startswith(setting)
    }


def verdict(ours: float, printed: PrintedValue, larger_is_better: bool = False) -> str:
    """Judge a mean by the printed mean and standard deviation.

    Within one printed standard deviation it is a ``match``, within two ``close``, else ``better`` or ``differs``.
    """
    distance = abs(ours - printed.mean)
    if printed.std is None:
        return ""
    if distance <= printed.std:
        return "match"
    if distance <= 2 * printed.std:
        return "close"
    return "better" if (ours > printed.mean) == larger_is_better else "differs"


@cache
def printed_rows(table: str) -> list[dict[str, str]]:
    """Return the rows of a file of printed values, by its name without ``.csv``."""
    text = (files("kernlearn.papers.printed") / f"{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
