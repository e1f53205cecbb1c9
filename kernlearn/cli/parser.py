"""What the verbs share: a parser whose complaints are one line, and the switches of those that compute."""

import argparse
import re
from collections.abc import Sequence
from typing import Any, Literal, NoReturn

from kernlearn.errors import UserError, closest
from kernlearn.streams import put

#: Whether a command only says what would run, and solves one cell to see how long it takes; how that is asked for.
DryRun = bool | Literal["pilot"]
PILOT = "--dry-run=pilot"
PILOT_HELP = "and solve one cell, for at most 60 seconds, to see how long it takes"
#: Switches of ``run`` and ``reproduce``.
SWITCHES = {
    "--force": "compute again what is there already",
    "--retry-failed": "compute again what failed before",
}


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage and leaving."""

    def print_help(self, file: Any = None) -> None:
        """Say how it is used, or that this cannot be said."""
        put(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read more."""
        near = ""
        if unknown := re.match(r"unrecognized arguments: (-[^\s=]+)", message):
            near = closest(unknown[1], self._option_string_actions)
        elif choice := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            near = closest(choice[1], re.findall(r"[^\s',]+", choice[2]))
        raise UserError(f"{message} ({self.prog} --help){near}")


def add_dry_run(parser: Parser) -> None:
    """Let a parser know the two kinds of dry runs: ``dry_run`` is False, True or "pilot"."""
    parser.add_argument("--dry-run", action="store_true", help="say what would run")
    parser.add_argument(PILOT, action="store_const", const="pilot", dest="dry_run", help=PILOT_HELP)


def take_config_dir(argv: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the directory of configurations that a command line names, or None, and the rest of it."""
    parser = Parser(prog="kernlearn", add_help=False, allow_abbrev=False)
    parser.add_argument("-cd", "--config-dir")
    options, rest = parser.parse_known_args(list(argv))
    return options.config_dir, rest
