"""How long the methods take compared with each other, to compute cheap ones first.

``seconds.csv`` has the CPU seconds of a cell of every method in nested cross-validation (`nested5x5`), with the default
grid for a user's file: 1,000 examples, 20 columns, two classes or a real target. Times depend on the data, so they only
give an order. ``scripts/bench/cells.py`` measures them, and extrapolates those of slow methods.
"""

import csv
from functools import cache
from importlib.resources import files
from math import inf

#: CPU seconds of a cell up to which a method is fast.
FAST = 4.5


def seconds_of(name: str, task: str) -> float:
    """Return the CPU seconds of a cell of a method; `inf` if it was not measured, as those of plug-ins."""
    return _table().get((name, task), inf)


@cache
def _table() -> dict[tuple[str, str], float]:
    text = (files("kernlearn.runner.plan") / "seconds.csv").read_text(encoding="utf-8")
    return {(row["algorithm"], row["task"]): float(row["seconds"]) for row in csv.DictReader(text.splitlines())}
