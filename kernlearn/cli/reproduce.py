"""``kernlearn reproduce``: a table or a figure of a paper."""

import argparse
import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from kernlearn.cli.compose import compose_config
from kernlearn.cli.figure import reproduce_figure
from kernlearn.cli.parser import SWITCHES, Parser
from kernlearn.cli.settings import Settings, another_place, detached, require_writable
from kernlearn.cli.table import partitions_file, reproduce, restrict
from kernlearn.errors import UserError, closest
from kernlearn.papers import figure_names, load_figure, load_table, table_names
from kernlearn.papers.claims import check_claims
from kernlearn.parameters import Text
from kernlearn.plugins import choices
from kernlearn.report.figures import judge_figure
from kernlearn.report.layout import write_report
from kernlearn.report.reproduction import read_partitions, table_rows
from kernlearn.report.scorecard import scorecard
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.config import check_engine
from kernlearn.runner.files import read_regular, write_atomically
from kernlearn.runner.provenance import uncommitted


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn reproduce",
        description="Reproduce a table of a paper.",
        usage="kernlearn reproduce [TABLE] [OPTIONS] [engine=NAME engine.KEY=VALUE ...]",
        epilog="Engines and their keys are those of kernlearn sweep.",
    )
    parser.add_argument("table", nargs="?", help="such as vkr2015/table1")
    parser.add_argument("--list", action="store_true", help="list the tables and their state")
    parser.add_argument(
        "--judge",
        action="store_true",
        help="write reports, verdicts and drawings of figures again from what was measured",
    )
    parser.add_argument("--scorecard", action="store_true", help="write what is reproduced of all works, in one table")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", help="these rows only")
    parser.add_argument("--algos", nargs="+", metavar="NAME", help="these columns only")
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="S",
        help="number of partitions (by default 1), or of repetitions of a figure; seeds 0 to S-1",
    )
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes; 0 (default) is one for every core")
    parser.add_argument("--results-dir", default="results", metavar="DIR", help="where results are kept")
    parser.add_argument("--detach", action="store_true", help="leave it to the cluster or to a background process")
    parser.add_argument("--collect", action="store_true", help="write the tables of what is finished, run nothing")
    parser.add_argument("--dry-run", action="store_true", help="say what would run")
    for switch, text in SWITCHES.items():
        parser.add_argument(switch, action="store_true", help=text)
    return parser


def names(before: list[str]) -> list[str]:
    """Return the tables and figures; after one of them, its rows or columns, or the engines."""
    chosen = next((word for word in before if word in table_names()), None)
    switch = next((word for word in reversed(before) if word.startswith("--")), "")
    if chosen and switch in ("--datasets", "--algos"):
        table = load_table(chosen)
        return [part.name for part in (table.rows if switch == "--datasets" else table.columns)]
    if chosen:
        return [f"engine={name}" for name in choices("engine")]
    return [*table_names(), *figure_names()]


def main(argv: list[str]) -> int:
    """Reproduce a table; see `kernlearn.cli.main.main` for the exit code."""
    words = [word for word in argv if word.startswith(("engine=", "engine."))]
    arguments = make_parser().parse_args([word for word in argv if word not in words])
    results = Path(str(Text().check("--results-dir", arguments.results_dir)))
    if arguments.scorecard:
        return write_scorecard(results)
    if arguments.judge:
        return judge_again(arguments.table, results)
    if arguments.list or arguments.table is None:
        return list_tables(results)
    if (arguments.seeds is not None and arguments.seeds < 1) or arguments.jobs < 0:
        raise UserError(
            f"--seeds {arguments.seeds} --jobs {arguments.jobs}: need at least one partition, and jobs >= 0"
        )
    settings = _settings(results, words, arguments)
    if arguments.detach:
        settings = detached(settings, ["reproduce", *argv])
    if arguments.table not in (known := [*table_names(), *figure_names()]):
        near = closest(arguments.table, known)
        raise UserError(f"{arguments.table}: no such table or figure, choose one of {', '.join(known)}{near}")
    with another_place("--results-dir DIR"):
        if arguments.table in figure_names():
            reproduce_figure(load_figure(arguments.table), arguments.seeds, settings)
        else:
            arguments.seeds = arguments.seeds or 1
            table = load_table(arguments.table)
            chosen = restrict(table, arguments.datasets, arguments.algos)
            reproduce(chosen, range(arguments.seeds), settings, command_of(arguments), whole=chosen == table)
    return 0


def command_of(arguments: argparse.Namespace) -> str:
    """Return the command that makes the same numbers: which table, which part of it, how many partitions."""
    words = ["kernlearn", "reproduce", arguments.table]
    for option in ("datasets", "algos"):
        names = getattr(arguments, option)
        words += [f"--{option}", *names] if names else []
    return shlex.join([*words, "--seeds", str(arguments.seeds)])


def list_tables(results: Path) -> int:
    """Print every table with its state."""
    rows = []
    for name in table_names():
        rows.append((name, _state(results / f"{name}.provenance.json"), load_table(name).title))
    for name in figure_names():
        rows.append((name, _state(results / f"{name}.provenance.json"), load_figure(name).title))
    show_table(("table", "state", "what it is"), rows, left=3)
    return 0


def _state(record: Path) -> str:
    try:
        return str(json.loads(read_regular(record))["state"])
    except FileNotFoundError:
        return "not run"
    except (OSError, ValueError, KeyError, TypeError):
        return "damaged"


def judge_again(name: str | None, results: Path) -> int:
    """Write the report of a table or figure again from what is kept, without solving anything; None: of all.

    Raises
    ------
    UserError
        If nothing is kept.
    """
    kept = [table for table in table_names() if partitions_file(results, table).exists()]
    figures = [figure for figure in figure_names() if (results / f"{figure}.csv").exists()]
    if name is not None and name not in (known := [*kept, *figures]):
        raise UserError(f"--judge: {results} has no partitions of {name}, but of: {', '.join(known) or 'no table'}")
    if not kept and not figures:
        raise UserError(f"--judge: {results} has no partitions of any table; kernlearn reproduce TABLE makes them")
    for figure in [one for one in figures if name in (one, None)]:
        warning = _warning(results / f"{figure}.provenance.json")
        say(f"results: {judge_figure(load_figure(figure), results, warning)}")
    for table in [load_table(one) for one in kept if name in (one, None)]:
        partitions = read_partitions(partitions_file(results, table.name))
        command = f"kernlearn reproduce {table.name} --seeds {len({row['seed'] for row in partitions})}"
        picture = (results / table.name).with_suffix(".svg")
        rows, claims = table_rows(table, partitions), check_claims(table, partitions)
        drawn = picture.name if picture.exists() else ""
        warning = _warning(results / f"{table.name}.provenance.json")
        report = write_report(results / table.name, table, rows, partitions, claims, command, drawn, warning)
        say(f"results: {report}")
    return 0


def _warning(path: Path) -> str:
    """Return what a kept record asks to be said at the head of its table."""
    try:
        return uncommitted(json.loads(read_regular(path)))
    except (OSError, ValueError, LookupError, TypeError):  # there is none, or one of another form
        return ""


def write_scorecard(results: Path) -> int:
    """Write what is reproduced of every table and figure."""
    target = results / "SCORECARD.md"
    require_writable(results)
    write_atomically(target, scorecard(results).encode())
    say(f"results: {target}")
    return 0


def _settings(results: Path, words: Sequence[str], arguments: argparse.Namespace) -> Settings:
    """Return the settings of a command line; ``--jobs`` is short for ``engine.jobs``."""
    if arguments.jobs and not any(word.startswith("engine=") for word in words):
        words = [*words, f"engine.jobs={arguments.jobs}"]
    given = {key: getattr(arguments, key) for key in ("force", "retry_failed", "collect", "dry_run")}
    return Settings(results, check_engine(compose_config(words)), **given)
