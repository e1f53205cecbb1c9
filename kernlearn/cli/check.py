"""``kernlearn check``: whether this installation is sound."""

import argparse
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import TypedDict

from kernlearn.cli.health.findings import Finding, Solved, problem
from kernlearn.cli.health.packages import check_packages
from kernlearn.cli.parser import Parser, add_results_dir
from kernlearn.documents import deliver
from kernlearn.errors import one_line

#: Seconds after which no further problem is solved.
SECONDS = 20.0


class Document(TypedDict):
    """Whether this installation is sound."""

    #: Whether there is no problem. If there is one, the exit code is 1.
    sound: bool
    #: What was found, in the order in which it is printed.
    findings: list[Finding]
    #: The tiny problems that were solved, one for every method and solver.
    solvers: list[Solved]


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn check",
        description="Check this installation: the packages and their versions, a tiny certified problem for every "
        "method and solver, linear algebra and its threads, data sets, directories, caches and clusters. The exit code "
        "is 0 if it is sound and 1 if something is wrong. Missing optional things are notes.",
    )
    parser.add_argument("--all", action="store_true", help=f"solve all problems, even if this takes over {SECONDS:g} s")
    parser.add_argument("--dask", metavar="ADDRESS", help="also try a Dask scheduler, such as tcp://10.0.0.1:8786")
    add_results_dir(parser)
    return parser


def main(argv: list[str]) -> int:
    """Print what is found; return the exit code, 1 if there is a problem."""
    given = make_parser().parse_args(argv)
    from kernlearn.report.terminal import say

    document: Document = {"sound": True, "findings": [], "solvers": []}
    for finding in _findings(given, document["solvers"]):
        document["findings"].append(finding)
        say(_line(finding))
    problems = sum(finding["state"] == "problem" for finding in document["findings"])
    document["sound"] = not problems
    deliver(document)
    several = "1 problem" if problems == 1 else f"{problems} problems"
    say(f"not sound: {several}" if problems else "sound: everything that kernlearn needs is here and works")
    return int(problems > 0)


def _line(finding: Finding) -> str:
    hint = f"; {finding['hint']}" if finding["hint"] else ""
    if finding["state"] == "ok":
        return f"{finding['about']:<10} {finding['words']}{hint}"
    title = "PROBLEM" if finding["state"] == "problem" else "note"
    return f"{title:<10} {finding['about']}: {finding['words']}{hint}"


def _findings(given: argparse.Namespace, solved: list[Solved]) -> Iterator[Finding]:
    """Yield what is found. Nothing that may be missing is imported before the packages are checked."""
    try:
        yield from check_packages()
        from kernlearn.cli.health.machine import check_machine
        from kernlearn.cli.health.solving import check_solvers

        yield from check_machine(Path(given.results_dir), given.dask)
        yield from check_solvers(inf if given.all else SECONDS, solved)
    except Exception as error:  # a broken package may raise anything
        yield problem("packages", one_line(error), "install kernlearn in an empty environment; --debug shows more")
