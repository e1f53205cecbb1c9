"""``kernlearn look FILE``: show how your own file is read, before you train on it."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from kernlearn.cli.parser import Parser
from kernlearn.datasets import OWN, OWN_KINDS, TITLES, Column, Dataset, load_own, summarised
from kernlearn.errors import UserError, closest
from kernlearn.parameters import Text
from kernlearn.report.run import classes_in_words, target_range
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.cell.cell import TASKS

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
    look_at(OWN, {"path": given.file, **_options(given.keys)})
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


def _options(words: Sequence[str]) -> dict[str, Any]:
    """Return the keys and values of a command line; they have the same syntax as those of ``kernlearn run``."""
    from kernlearn.cli.configuration.compose import compose_config

    words = [word.removeprefix("dataset.") for word in words]
    for word in words:
        key = word.partition("=")[0]
        if "=" not in word or key not in KEYS:
            raise UserError(f"{word}: give KEY=VALUE, with a key of {', '.join(KEYS)}{closest(key, KEYS)}")
    prefixed = [word if word.startswith("task=") else f"dataset.{word}" for word in words]
    config = compose_config([f"dataset={OWN}", "dataset.path=FILE", *prefixed])
    if config["task"] not in TASKS:
        raise UserError(f"task={config['task']}: must be one of {', '.join(TASKS)}")
    own = {key: value for key, value in config["dataset"].items() if key not in ("name", "path") and value is not None}
    if "target" in own:
        own["target"] = Text().check("target", own["target"])
    return {**own, "task": config["task"]}
