"""``kernlearn reproduce``: reproduce a table or a figure of a paper, also of one in a directory of one's own."""

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.configuration.settings import Settings, another_place, detached
from kernlearn.cli.facts.reproduction import ReproductionFacts
from kernlearn.cli.parser import RESULTS_DIR, SWITCHES, Parser, add_dry_run, add_results_dir, results_dir
from kernlearn.cli.reproduction.readings import search_readings
from kernlearn.cli.work.budget import seconds_of
from kernlearn.cli.work.figure import reproduce_figure
from kernlearn.cli.work.kept import judge_again, list_paper, list_tables, list_theorems, write_scorecard
from kernlearn.cli.work.table import Request, reproduce, restrict
from kernlearn.documents import deliver
from kernlearn.errors import UserError, closest
from kernlearn.papers import figure_names, load_figure, load_table, table_names
from kernlearn.papers.core.directories import is_own, open_paper, use_results
from kernlearn.plugins import choices
from kernlearn.runner.plan.config import check_engine

#: Options of tables and figures that are computed in cells.
_OF_CELLS = ("--jobs", "--detach", "--collect", "--dry-run", *SWITCHES, "engine")
#: The most partitions, or repetitions of a figure.
MOST_SEEDS = 10_000
#: The draws of a search of readings, if nothing is said.
SEEDS_OF_SEARCH = 3
#: The tasks of this verb and the options that each takes. All take ``--results-dir``, too.
OPTIONS: dict[str, tuple[str, ...]] = {
    "--scorecard": (),
    "--judge": ("TABLE",),
    "--list": ("TABLE", "--seeds"),
    "a directory of tables": ("TABLE", "--seeds"),
    "a table": ("TABLE", "--datasets", "--algos", "--seeds", "--add", *_OF_CELLS),
    "--readings": ("TABLE", "--seeds", "--budget", *_OF_CELLS),
    "a figure with repetitions": ("TABLE", "--seeds", "--only", *_OF_CELLS),
    "a figure without repetitions": ("TABLE", "--jobs", "--dry-run", "--force"),
}


#: What ``--json`` prints.
Document = ReproductionFacts


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn reproduce",
        description="Reproduce a table or a figure of a paper.",
        usage="kernlearn reproduce [TABLE|FIGURE|DIR|DIR/TABLE] [OPTIONS] [engine=NAME engine.KEY=VALUE ...]",
        epilog="Engines and their keys are those of kernlearn sweep.",
    )
    parser.add_argument(
        "table",
        nargs="?",
        help="such as vkr2015/table1 or mkl2010/fig2_1, or a directory with tables of your own (docs/own_paper.md)",
    )
    parser.add_argument(
        "--list", action="store_true", help="list all tables and figures with their state, or those of DIR"
    )
    parser.add_argument(
        "--judge",
        action="store_true",
        help="write reports, verdicts and drawings again from the stored measurements",
    )
    parser.add_argument("--scorecard", action="store_true", help="write one table with the state of all reproductions")
    parser.add_argument(
        "--readings",
        action="store_true",
        help="search what the paper leaves open: which reading of a table comes nearest to its numbers",
    )
    parser.add_argument("--budget", metavar="TIME", help="end a search of readings after 90s, 10m or 1.5h")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", help="only these rows of a table")
    parser.add_argument("--algos", nargs="+", metavar="NAME", help="only these columns of a table")
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="S",
        help="number of seeds, 0 to S-1 (default 1), each a partition, a sample or a set of splits of a table, as its "
        "unit says, or a repetition of a figure",
    )
    parser.add_argument(
        "--only", nargs="+", metavar="KEY=VALUE", help="only these cells of a figure, as in pair=3-5,4-9 method=svm"
    )
    parser.add_argument(
        "--add",
        action="store_true",
        help="add new results to the files of the table, and skip the ones they have",
    )
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes; 0 (default): one for each core")
    add_results_dir(parser)
    parser.add_argument("--detach", action="store_true", help="run on the cluster or in a background process")
    parser.add_argument("--collect", action="store_true", help="write the tables of finished cells and run nothing")
    add_dry_run(parser)
    for switch, text in SWITCHES.items():
        parser.add_argument(switch, action="store_true", help=text)
    return parser


def names(before: list[str]) -> list[str]:
    """Return the tables and figures; after one of them, its rows or columns, or the engines."""
    chosen = next((name for word in before for name in _known(word) if name in table_names()), None)
    switch = next((word for word in reversed(before) if word.startswith("--")), "")
    if chosen and switch in ("--datasets", "--algos"):
        table = load_table(chosen)
        return [part.name for part in (table.rows if switch == "--datasets" else table.columns)]
    if chosen:
        return [f"engine={name}" for name in choices("engine")]
    return [*table_names(), *figure_names()]


def main(argv: list[str]) -> int:
    """Reproduce a table or figure; see `kernlearn.cli.main.main` for the exit code."""
    words = [word for word in argv if word.startswith(("engine=", "engine."))]
    parser = make_parser()
    arguments = parser.parse_args([word for word in argv if word not in words])
    given = [_option(key) for key, value in vars(arguments).items() if value != parser.get_default(key)]
    results = results_dir(arguments)
    use_results(results)
    tables = _named(arguments.table)
    asked = _asked(arguments.table, tables, [*given, *(["engine"] if words else [])])
    seeds = range(_seeds(arguments) or 1)
    document: Document = {
        "name": arguments.table,
        "tables": [],
        "theorems": [],
        "rows": [],
        "claims": [],
        "readings": [],
        "absent": [],
        "computation": None,
        "reports": [],
        "failures": [],
        "troubles": [],
    }
    try:
        if asked == "--scorecard":
            document["reports"] = [write_scorecard(results)]
        elif asked == "--judge":
            document["reports"] = judge_again(tables, results)
        elif asked == "a directory of tables" or (asked == "--list" and tables):
            document["tables"] = list_paper(tables, seeds, results)
        elif asked == "--list":
            document["tables"], document["theorems"] = list_tables(results), list_theorems()
        else:
            _compute(arguments, tables[0], _settings(results, words, arguments), argv, document)
    finally:
        deliver(document)
    return 0


def _option(key: str) -> str:
    return "TABLE" if key == "table" else f"--{key.replace('_', '-')}"


def _named(word: str | None) -> list[str]:
    """Return the tables or the figure that a word names; none without a word.

    Raises `UserError` if it names nothing.
    """
    if word is None:
        return []
    if tables := _known(word):
        return tables
    known = [*table_names(), *figure_names()]
    raise UserError(
        f"{word}: no such table or figure, nor a directory with tables; choose one of {', '.join(known)}"
        f"{closest(word, known)}"
    )


def _known(word: str) -> list[str]:
    """Return the tables or the figure that a word names, if it does.

    It is the name of a table or figure of a package, or the path of a directory of tables or of one of these, or the
    name of a table or paper that the results directory has a copy of.
    """
    known = [*table_names(), *figure_names()]
    if word in known and not is_own(word):
        return [word]
    if opened := open_paper(word):
        return opened[1]
    return [name for name in known if is_own(name) and word in (name, name.partition("/")[0])]


def _asked(word: str | None, tables: Sequence[str], given: Sequence[str]) -> str:
    """Return the key of `OPTIONS` that fits the tables, if any are named, and the options.

    Raises `UserError` if it does not take one of the options.
    """
    verbs = [verb for verb in ("--scorecard", "--judge", "--list", "--readings") if verb in given]
    if verbs == ["--readings"] and len(tables) != 1:
        one = f"one table of {word}: {', '.join(tables)}" if word else "a table, such as vkr2015/table1"
        raise UserError(f"--readings: needs {one}")
    if verbs or not tables:
        asked = verbs[0] if verbs else "--list"
    elif len(tables) > 1:
        asked = "a directory of tables"
    elif tables[0] in table_names():
        asked = "a table"
    else:
        asked = f"a figure {'with' if load_figure(tables[0]).cell else 'without'} repetitions"
    allowed = OPTIONS[asked] if asked != "--list" or (tables and is_own(tables[0])) else ()
    for option in given:
        if option not in (asked, RESULTS_DIR, *allowed):
            what = f"{word}, {asked}" if asked.startswith("a ") else asked if verbs else f"{asked} (no TABLE is given)"
            subject, takes = word if option == "TABLE" else option, ", ".join([RESULTS_DIR, *allowed])
            one = f"; name one of them: {', '.join(tables)}" if asked == "a directory of tables" else ""
            raise UserError(f"{subject}: has no meaning for {what}; leave it out, it takes {takes}{one}")
    return asked


def _seeds(arguments: argparse.Namespace) -> int | None:
    """Return the number of seeds, checked."""
    if arguments.jobs < 0 or (arguments.seeds is not None and not 1 <= arguments.seeds <= MOST_SEEDS):
        raise UserError(
            f"--seeds {arguments.seeds} --jobs {arguments.jobs}: seeds must be 1 to {MOST_SEEDS}, and jobs >= 0"
        )
    seeds: int | None = arguments.seeds
    return seeds


def _compute(
    arguments: argparse.Namespace, name: str, settings: Settings, argv: Sequence[str], document: Document
) -> None:
    if arguments.detach:
        settings = detached(settings, ["reproduce", *argv])
    with another_place("--results-dir DIR"):
        if arguments.readings:
            budget = None if arguments.budget is None else seconds_of("--budget", arguments.budget)
            seeds = range(arguments.seeds or SEEDS_OF_SEARCH)
            command = shlex.join(["kernlearn", "reproduce", arguments.table, "--readings", "--seeds", str(len(seeds))])
            search_readings(load_table(name), seeds, settings, command, document, budget)
            return
        if name in figure_names():
            reproduce_figure(load_figure(name), arguments.seeds, settings, arguments.only or (), document)
            return
        arguments.seeds = arguments.seeds or 1
        table = load_table(name)
        part = restrict(table, arguments.datasets, arguments.algos)
        command, seeds = command_of(arguments), range(arguments.seeds)
        reproduce(Request(table, part, seeds, settings, command, arguments.add), document)


def command_of(arguments: argparse.Namespace) -> str:
    """Return the command that computes the same numbers: the table, the part of it and the number of partitions."""
    words = ["kernlearn", "reproduce", arguments.table]
    for option in ("datasets", "algos"):
        names = getattr(arguments, option)
        words += [f"--{option}", *names] if names else []
    return shlex.join([*words, "--seeds", str(arguments.seeds)])


def _settings(results: Path, words: Sequence[str], arguments: argparse.Namespace) -> Settings:
    """Return the settings of a command line. ``--jobs`` is short for ``engine.jobs`` of engines on one machine."""
    if arguments.jobs and any(word.startswith("engine.jobs=") for word in words):
        raise UserError(f"--jobs {arguments.jobs}: is short for engine.jobs={arguments.jobs}; give one of the two")
    if arguments.jobs:
        words = [*words, f"engine.jobs={arguments.jobs}"]
    given = {key: getattr(arguments, key) for key in ("force", "retry_failed", "collect", "dry_run")}
    return Settings(results, check_engine(compose_config(words)), **given)
