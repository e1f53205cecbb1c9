"""``kernlearn status``: the progress of sweeps and runs, on any machine that sees the results directory."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kernlearn.cli.parser import Parser
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


def main(argv: list[str]) -> int:
    """Print the state of one sweep or of all; return the exit code, 1 if cells failed."""
    arguments = make_parser().parse_args(argv)
    from kernlearn.parameters import Text
    from kernlearn.runner.plan.sweeps import registered

    results = Path(str(Text().check("--results-dir", arguments.results_dir)))

    sweeps = registered(results)
    if arguments.name and arguments.name not in [sweep.name for sweep in sweeps]:
        known = ", ".join(sweep.name for sweep in sweeps) or "none"
        near = closest(arguments.name, [sweep.name for sweep in sweeps])
        raise UserError(f"{arguments.name}: no such sweep in {results}, there are: {known}{near}")
    if not sweeps:
        say(f"no sweeps in {results}")
    failed = 0
    for sweep in sweeps:
        if arguments.name in (None, sweep.name):
            failed += _show(sweep, results)
    if not arguments.name:
        _show_others(sweeps, results)
    return int(failed > 0)


def _show_others(sweeps: Sequence[Any], results: Path) -> None:
    """Print the progress of running cells that belong to no sweep, such as those of ``kernlearn run``."""
    from kernlearn.runner.plan.sweeps import at_work
    from kernlearn.runner.store.notes import running

    known = {key for sweep in sweeps for key in sweep.labels}
    notes = [note for note in running(results / "shards") if note["key"] not in known]
    if notes:
        say(f"runs       running cells that belong to no sweep: {len(notes)}")
        labels = {note["key"]: str(note.get("label", note["key"])) for note in notes}
        say_at_work(at_work(notes, labels), SHOWN_AT_WORK)


def _show(sweep: Any, results: Path) -> int:
    from kernlearn.runner.engines.timing import duration
    from kernlearn.runner.plan.sweeps import state
    from kernlearn.runner.store.store import Store

    now = state(sweep, Store(results / "shards"))
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
    return now.failed
