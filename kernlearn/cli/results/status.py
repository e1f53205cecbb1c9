"""``kernlearn status``: the progress of sweeps and runs, on any machine that sees the results directory."""

from typing import TYPE_CHECKING

from kernlearn.cli.facts.sweeps import ProgressFacts, progress_facts, running_facts
from kernlearn.cli.parser import Parser, add_results_dir, results_dir, results_dir_of
from kernlearn.documents import deliver
from kernlearn.report.terminal import say, say_at_work, show_table

if TYPE_CHECKING:
    from kernlearn.runner.plan.sweeps import State, Sweep

#: The table of groups of cells is shown up to this number of groups.
SHOWN = 30
#: The progress is shown for this number of running cells, those that have run longest.
SHOWN_AT_WORK = 8
#: What ``--json`` prints.
Document = ProgressFacts


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn status",
        description="Show the progress of sweeps: cells done, running, failed and missing, and time left.",
    )
    parser.add_argument("name", nargs="?", help="the name of a sweep; all sweeps by default")
    parser.add_argument("--live", action="store_true", help="go on showing the progress, as kernlearn watch does")
    add_results_dir(parser)
    return parser


def names(before: list[str]) -> list[str]:
    """Return the sweeps of the results directory."""
    from kernlearn.cli.results.progress import sweep_names

    return sweep_names(results_dir_of(before))


def main(argv: list[str]) -> int:
    """Print the state of one sweep or of all; return the exit code, 1 if cells failed."""
    arguments = make_parser().parse_args(argv)
    from kernlearn.cli.results.progress import chosen_sweeps, other_cells
    from kernlearn.runner.plan.sweeps import state
    from kernlearn.runner.store.store import Store

    results = results_dir(arguments)
    if arguments.live:
        from kernlearn.cli.results.live import show_live
        from kernlearn.cli.results.watched import Watch

        return show_live(Watch(results, arguments.name))
    sweeps = chosen_sweeps(results, arguments.name)
    if not sweeps:
        say(f"no sweeps in {results}")
    document: Document = {"results": str(results), "sweeps": [], "others": []}
    for sweep in sweeps:
        now = state(sweep, Store(results / "shards"))
        _show(sweep, now)
        document["sweeps"].append(progress_facts(sweep, now, now.seconds_left))
    others = [] if arguments.name else other_cells(sweeps, results)
    if others:
        say(f"runs       running cells that belong to no sweep: {len(others)}")
        say_at_work(others, SHOWN_AT_WORK)
    document["others"] = running_facts(others)
    deliver(document)
    return int(any(one["cells"]["failed"] for one in document["sweeps"]))


def _show(sweep: "Sweep", now: "State") -> None:
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
    for failure in now.failures[:1]:
        say(f"last error {failure.label}: {failure.error}")
    if 1 < len(now.by_group) <= SHOWN:
        headers = ("cells of", "done", "failed", "missing")
        show_table(headers, [(g, *(str(c[s]) for s in ("ok", "failed", "missing"))) for g, c in now.by_group.items()])
