"""``kernlearn look FILE``: show how your own file is read, before you train on it."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from kernlearn.cli.configuration.own import own_options
from kernlearn.cli.parser import Parser
from kernlearn.datasets import OWN, OWN_KINDS, TITLES, Column, Dataset, load_own, summarised
from kernlearn.report.run import classes_in_words, target_range
from kernlearn.report.terminal import say, show_table

#: The keys of a user's file, and the task, which determines the type of the target.
KEYS = ("target", *OWN_KINDS, "task")


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn look",
        description="Show how a data file is read: every column with its role, its type and the key that changes it, "
        "and the examples, features and classes.",
    )
    parser.add_argument("file", metavar="FILE", help="CSV, ARFF, libsvm or Parquet; with format=conll, sentences")
    parser.add_argument(
        "keys", nargs="*", metavar="KEY=VALUE", help=f"{', '.join(KEYS)}, as in dataset.KEY=VALUE of kernlearn run"
    )
    return parser


def names(before: list[str]) -> tuple[str, ...]:
    """Return the completions after some arguments."""
    return tuple(f"{key}=" for key in KEYS) if before else ()


def main(argv: list[str]) -> int:
    """Print how a file is read, even if it is refused afterwards."""
    given = make_parser().parse_args(argv)
    look_at(OWN, {"path": given.file, **own_options(given.keys, KEYS)})
    return 0


def look_at(name: str, options: Mapping[str, Any]) -> Dataset:
    """Load a user's file and print how it is read; see `kernlearn.datasets.load_own` for the arguments."""
    shown: list[str] = []

    def show(columns: list[Column], remarks: list[str]) -> None:
        show_table(TITLES, [astuple(column)[: len(TITLES)] for column in summarised(columns)], left=len(TITLES))
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
        say(f"note       {note}")
