"""The history of replays: one CSV file with a line for every table and figure of every replay."""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kernlearn.atomic import write_atomically
from kernlearn.cli.reproduction.replayed import FAILED, MOVED, OTHER, SAME, WITHIN, WORSE, Replayed
from kernlearn.errors import UserError
from kernlearn.runner.provenance.made import environment, now
from kernlearn.runner.store.files import exclusive_lock
from kernlearn.runner.store.tables import csv_of, read_csv

#: The file in a results directory.
FILE = "replays.csv"
#: The packages whose versions are noted.
PACKAGES = ("numpy", "scipy", "highspy", "osqp", "scikit-learn", "numba")
#: The columns with the numbers of parts, and the outcomes that they count.
COUNTS = {"same": SAME, "within": WITHIN, "not_comparable": OTHER, "moved": MOVED, "worse": WORSE, "failed": FAILED}
COLUMNS = (
    *("when", "commit", "changed", "kernlearn", "python"),
    *(name.replace("-", "_") for name in PACKAGES),
    *("name", "parts", *COUNTS, "flipped", "largest_change", "seconds", "which"),
)
#: Between the titles of parts in the last column.
BETWEEN = "; "


def line_of(found: Replayed) -> dict[str, Any]:
    """Return the line of a table or figure."""
    made = environment()
    code, packages = made["code"], made["packages"]
    versions = {name.replace("-", "_"): _version(name) for name in PACKAGES}
    head = {"when": now(), "commit": code["commit"] or "", "changed": code["dirty"], "kernlearn": code["kernlearn"]}
    counts = {column: found.count(outcome) for column, outcome in COUNTS.items()}
    return {
        **head,
        "python": packages["python"],
        **versions,
        "name": found.name,
        "parts": len(found.outcomes),
        **counts,
        "flipped": len(found.flipped),
        "largest_change": found.largest,
        "seconds": round(found.seconds, 1),
        "which": BETWEEN.join(item.title for item in found.outcomes),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def read_history(results: Path) -> list[dict[str, str]]:
    """Return the lines of the history, the oldest first; none if there is no file.

    Raises `UserError` if it is damaged.
    """
    path = results / FILE
    try:
        return read_csv(path, COLUMNS) if path.exists() else []
    except UserError as error:
        raise UserError(f"{error}; restore it, or remove it to begin a new history") from error


def last_replays(history: list[dict[str, str]]) -> dict[tuple[str, str], str]:
    """Return when each part was computed again the last time, by the name of its table and its title."""
    return {(line["name"], title): line["when"] for line in history for title in line["which"].split(BETWEEN) if title}


def add_line(results: Path, line: Mapping[str, Any]) -> None:
    """Add a line to the history."""
    with exclusive_lock(results):
        write_atomically(results / FILE, csv_of([*read_history(results), line], COLUMNS))
