"""Show how a user's file is read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

from kernlearn.datasets import OWN_KINDS, TITLES, Column, Dataset, load_own, summarised
from kernlearn.datasets.readers.understood import MOST_LINES, kinds_of
from kernlearn.report.run import classes_in_words, target_range
from kernlearn.report.terminal import say, say_note, show_table

#: The keys of a user's file, and the task, which determines the type of the target.
KEYS = ("target", *OWN_KINDS, "task")


def look_at(
    name: str,
    options: Mapping[str, Any],
    every: bool = False,
    use: Callable[[list[Column]], None] = lambda columns: None,
) -> Dataset:
    """Load a user's file and print how it is read; see `kernlearn.datasets.load_own` for the first arguments.

    Parameters
    ----------
    every : bool
        Whether a long list of columns is shown as well.
    use : callable
        ``use(columns)`` is called with the columns of a table, also if the table is refused afterwards.
    """
    shown: list[str] = []

    def show(columns: list[Column], remarks: list[str]) -> None:
        use(columns)
        lines = summarised(columns)
        is_long = len(lines) > MOST_LINES and not every
        lines = kinds_of(columns) if is_long else lines
        show_table(TITLES, [astuple(column)[: len(TITLES)] for column in lines], left=len(TITLES))
        if is_long:
            say_note("one line for each kind of column; kernlearn look FILE --all shows every column")
        _say_notes(remarks)
        shown.extend(remarks)

    data = load_own(name, options, show)
    _say_notes([note for note in data.remarks if note not in shown])
    targets = target_range(data) if options.get("task") == "regression" else classes_in_words(data)
    places = f" sequences of {len(data.labels)} places" if data.is_sequential else ""
    say(f"data       {data.name}: {data.X.shape[0]}{places} x {data.X.shape[1]}, {targets}")
    return data


def _say_notes(notes: Sequence[str]) -> None:
    for note in notes:
        say_note(note)
