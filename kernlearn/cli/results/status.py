"""``kernlearn status``: the progress of sweeps and runs, on any machine that sees the results directory."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

from kernlearn.cli.parser import Parser
from kernlearn.documents import deliver
from kernlearn.errors import UserError, closest
from kernlearn.report.terminal import say, say_at_work, show_table

#: The table of groups of cells is shown up to this number of groups.
SHOWN = 30
#: The progress is shown for this number of running cells, those that have run longest.
SHOWN_AT_WORK = 8


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn status",
        description="Show the progress of sweeps: cells done, running, failed and missing, and time left.",
    )
    parser.add_argument("name", nargs="?", help="the name of a sweep; all sweeps by default")
    parser.add_argument("--results-dir", default="results", metavar="DIR", help="directory of the results")
    return parser


def names(before: list[str]) -> list[str]:
    """Return the sweeps of the results directory."""
    from kernlearn.runner.plan.sweeps import registered

    return [sweep.name for sweep in registered(Path(make_parser().parse_args(before).results_dir))]


class Running(TypedDict):
    """A cell that a process is computing."""

    cell: str
    #: The machine.
    host: str
    #: Since it began.
    seconds: float
    #: Seconds since the last sign of life of the process.
    silent: float
    #: The current grid point, from 1, or null.
    point: int | None
    #: The number of grid points, or null.
    of: int | None
    #: The relative gap reached at this grid point, or null.
    gap: float | None


class Cells(TypedDict):
    """Numbers of cells."""

    total: int
    done: int
    running: int
    #: Of the running ones, those without a sign of life for 5 minutes.
    silent: int
    failed: int
    missing: int


class Group(TypedDict):
    """Numbers of cells of one data set and algorithm."""

    done: int
    failed: int
    #: Running cells are among them.
    missing: int


class Progress(TypedDict):
    """The progress of a sweep."""

    name: str
    #: The command that started it, and that continues it.
    command: str
    cells: Cells
    #: The estimated time to the end; null without an estimate.
    seconds_left: float | None
    #: The running cells, longest running first.
    running: list[Running]
    #: The last cell that failed, and its error, in words; null if none failed.
    last_error: str | None
    #: Numbers of cells by data set and algorithm.
    groups: dict[str, Group]


class Document(TypedDict):
    """The progress of sweeps and runs."""

    #: The results directory.
    results: str
    #: One sweep, or all of them, the latest last.
    sweeps: list[Progress]
    #: Running cells that belong to no sweep, such as those of kernlearn run, if all sweeps are shown.
    others: list[Running]


def main(argv: list[str]) -> int:
    """Print the state of one sweep or of all; return the exit code, 1 if cells failed."""
    arguments = make_parser().parse_args(argv)
    from kernlearn.parameters import Text
    from kernlearn.runner.plan.sweeps import registered, state
    from kernlearn.runner.store.store import Store

    results = Path(str(Text().check("--results-dir", arguments.results_dir)))

    sweeps = registered(results)
    if arguments.name and arguments.name not in [sweep.name for sweep in sweeps]:
        known = ", ".join(sweep.name for sweep in sweeps) or "none"
        near = closest(arguments.name, [sweep.name for sweep in sweeps])
        raise UserError(f"{arguments.name}: no such sweep in {results}, there are: {known}{near}")
    if not sweeps:
        say(f"no sweeps in {results}")
    progress = []
    for sweep in sweeps:
        if arguments.name in (None, sweep.name):
            now = state(sweep, Store(results / "shards"))
            _show(sweep, now)
            progress.append(_progress(sweep, now))
    others = [] if arguments.name else _others(sweeps, results)
    if others:
        say(f"runs       running cells that belong to no sweep: {len(others)}")
        say_at_work(others, SHOWN_AT_WORK)
    document: Document = {"results": str(results), "sweeps": progress, "others": _running(others)}
    deliver(document)
    return int(any(one["cells"]["failed"] for one in progress))


def _others(sweeps: Sequence[Any], results: Path) -> list[Any]:
    """Return the running cells that belong to no sweep, such as those of ``kernlearn run``."""
    from kernlearn.runner.plan.sweeps import at_work
    from kernlearn.runner.store.notes import running

    known = {key for sweep in sweeps for key in sweep.labels}
    notes = [note for note in running(results / "shards") if note["key"] not in known]
    return at_work(notes, {note["key"]: str(note.get("label", note["key"])) for note in notes})


def _running(cells: Sequence[Any]) -> list[Running]:
    return [
        {
            "cell": one.label,
            "host": one.host,
            "seconds": one.seconds,
            "silent": one.silent,
            "point": one.point,
            "of": one.of,
            "gap": one.gap,
        }
        for one in cells
    ]


def _progress(sweep: Any, now: Any) -> Progress:
    return {
        "name": sweep.name,
        "command": sweep.command,
        "cells": {
            "total": len(sweep.labels),
            "done": now.done,
            "running": now.running,
            "silent": now.silent,
            "failed": now.failed,
            "missing": now.missing,
        },
        "seconds_left": now.seconds_left,
        "running": _running(now.at_work),
        "last_error": now.last_error or None,
        "groups": {
            name: {"done": counts["ok"], "failed": counts["failed"], "missing": counts["missing"]}
            for name, counts in now.by_group.items()
        },
    }


def _show(sweep: Any, now: Any) -> None:
    from kernlearn.runner.engines.timing import duration

    say(f"{sweep.name}  {sweep.command}")
    silent = f" ({now.silent} without a sign of life for 5 minutes)" if now.silent else ""
    say(
        f"cells      {len(sweep.labels)}: {now.done} done, {now.running} running{silent}, {now.failed} failed, "
        f"{now.missing} missing"
    )
    if now.seconds_left is not None:
        say(f"left       about {duration(now.seconds_left)}")
    elif now.missing and not now.running:
        say("left       no process is running; repeat the command to continue")
    say_at_work(now.at_work, SHOWN_AT_WORK)
    if now.last_error:
        say(f"last error {now.last_error}")
    if 1 < len(now.by_group) <= SHOWN:
        headers = ("cells of", "done", "failed", "missing")
        show_table(headers, [(g, *(str(c[s]) for s in ("ok", "failed", "missing"))) for g, c in now.by_group.items()])
