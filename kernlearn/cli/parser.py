"""Parts that the verbs share: a parser with one-line errors, and the switches of verbs that compute."""

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn

from kernlearn.documents import wanted
from kernlearn.errors import UserError, closest
from kernlearn.streams import put

#: Whether a command only shows what would run, and whether it also solves one cell to estimate the time; the switch.
DryRun = bool | Literal["pilot"]
PILOT = "--dry-run=pilot"
PILOT_HELP = "also solve some cells, for at most 60 seconds, to estimate the time"
#: The keys ``dataset.*`` that say how a file is written.
READING = ("encoding", "delimiter", "decimal", "thousands", "header", "na_values")
RESULTS_DIR = "--results-dir"
#: Switches of every verb.
EVERY_VERB = {
    "--json": "print one JSON document; all other output goes to the standard error stream",
    "--progress=json": "show progress as lines of JSON on the standard error stream",
    "--debug": "show the traceback of an error",
}
#: Switches of ``run`` and ``reproduce``.
SWITCHES = {
    "--force": "compute finished cells again",
    "--retry-failed": "compute failed cells again",
}


def switches_in_words(switches: Mapping[str, str], width: int = 31) -> str:
    """Return the lines of a help text about switches; their meanings begin in the column `width` + 2."""
    return "\n".join(f"  {switch:<{width}}{text}" for switch, text in switches.items())


def unknown_option(word: str, verb: str, known: Sequence[str]) -> UserError:
    """Return the error about an option that a verb lacks; what it has as a key is given without hyphens."""
    from kernlearn.runner.plan.config import KEYS, OPTIONAL_KEYS

    key = word.lstrip("-").partition("=")[0].replace("-", "_")
    near = f"; write {key}=VALUE" if key in KEYS + OPTIONAL_KEYS else closest(word, known)
    return UserError(f"{word}: no such option (kernlearn {verb} --help){near}")


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UserError` instead of printing its usage and exiting."""

    def print_help(self, file: Any = None) -> None:
        """Print the help, or report that the output is closed."""
        if wanted():  # of an abbreviation such as --he
            raise UserError("--help: prints a text; leave out --json")
        put(self.format_help())

    def format_help(self) -> str:
        """Return the help, with the switches of every verb."""
        return f"{super().format_help()}\nevery verb takes:\n{switches_in_words(EVERY_VERB)}\n"

    def error(self, message: str) -> NoReturn:
        """Raise `UserError` with the mistake and the command that shows the help."""
        near = ""
        if unknown := re.match(r"unrecognized arguments: (-[^\s=]+)", message):
            near = closest(unknown[1], [*self._option_string_actions, *EVERY_VERB])
        elif choice := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            near = closest(choice[1], re.findall(r"[^\s',]+", choice[2]))
        raise UserError(f"{message} ({self.prog} --help){near}")


def add_csv_options(parser: Parser) -> None:
    """Add how a file is read, for the verbs that read one as a model takes it; see `csv_options`."""
    parser.add_argument(
        "keys", metavar="KEY=VALUE", nargs="*", default=[], help=f"how FILE is read: {', '.join(READING)}"
    )
    parser.add_argument("--encoding", help="the same as encoding=")
    parser.add_argument("--delimiter", help="the same as delimiter=")


def csv_options(given: Any, *more: str) -> dict[str, Any]:
    """Return the keys of `add_csv_options` and others that are given, with checked values."""
    from kernlearn.cli.configuration.own import own_options
    from kernlearn.datasets import OWN_KINDS

    said = {key: value for key in ("encoding", "delimiter") if (value := getattr(given, key)) is not None}
    said |= own_options(given.keys, (*READING, *more))
    return {key: OWN_KINDS[key].check(key, value) if key in OWN_KINDS else value for key, value in said.items()}


def add_results_dir(parser: Parser, meaning: str = "directory of the results") -> None:
    """Add ``--results-dir DIR``; see `results_dir`."""
    parser.add_argument(RESULTS_DIR, default="results", metavar="DIR", help=meaning)


def results_dir(given: Any) -> Path:
    """Return the results directory of parsed arguments, or raise `UserError` if it cannot be the name of one."""
    from kernlearn.parameters import Text

    return Path(str(Text().check(RESULTS_DIR, given.results_dir)))


def results_dir_of(words: Sequence[str]) -> Path:
    """Return the results directory of a command line that is not complete yet."""
    parser = Parser(prog="kernlearn", add_help=False, allow_abbrev=False)
    add_results_dir(parser)
    return results_dir(parser.parse_known_args(list(words))[0])


def add_dry_run(parser: Parser) -> None:
    """Add the two kinds of dry runs to a parser: ``dry_run`` is False, True or "pilot"."""
    parser.add_argument("--dry-run", action="store_true", help="show what would run")
    parser.add_argument(PILOT, action="store_const", const="pilot", dest="dry_run", help=PILOT_HELP)


def take_config_dir(argv: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the value of ``--config-dir``, or None, and the remaining words of a command line."""
    parser = Parser(prog="kernlearn", add_help=False, allow_abbrev=False)
    parser.add_argument("-cd", "--config-dir")
    options, rest = parser.parse_known_args(list(argv))
    return options.config_dir, rest
