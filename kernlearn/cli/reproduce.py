"""``kernlearn reproduce``: a table of a paper, resumed, compared and written."""

import argparse
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kernlearn.cli.compose import compose_config
from kernlearn.cli.experiment import require_writable, within_capacity
from kernlearn.cli.parser import SWITCHES, Parser
from kernlearn.cli.sweep import compute
from kernlearn.datasets import Dataset, load
from kernlearn.errors import PartFailed, UserError, closest, one_line
from kernlearn.papers import Column, Table, figure_names, load_figure, load_table, table_names
from kernlearn.papers.claims import check_claims
from kernlearn.papers.measures import MEASURES, POINTS
from kernlearn.papers.tables import Row
from kernlearn.parameters import Text
from kernlearn.plugins import choices
from kernlearn.report.figures import reproduce_figure
from kernlearn.report.layout import lines_of, write_report
from kernlearn.report.pictures import draw_table
from kernlearn.report.reproduction import partition_rows, read_partitions, table_rows, with_ratios
from kernlearn.report.scorecard import scorecard
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.cells import Plan, plan
from kernlearn.runner.config import check_engine, check_experiment, check_metric
from kernlearn.runner.execute import pending
from kernlearn.runner.files import read_regular, write_atomically
from kernlearn.runner.provenance import computation_of, provenance, uncommitted, write_provenance
from kernlearn.runner.store import Store
from kernlearn.runner.sweeps import name_of, register
from kernlearn.runner.tables import path_rows, write_csv


class Planned(NamedTuple):
    """A row and a column of a table, for one partition: its plan, and by what its grid points are chosen."""

    row: Row
    column: Column
    plan: Plan
    metric: str | None


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
    parser.add_argument("--judge", action="store_true", help="write reports and verdicts again from what was measured")
    parser.add_argument("--scorecard", action="store_true", help="write what is reproduced of all works, in one table")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", help="these rows only")
    parser.add_argument("--algos", nargs="+", metavar="NAME", help="these columns only")
    parser.add_argument("--seeds", type=int, default=1, metavar="S", help="number of partitions, seeds 0 to S-1")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes; 0 (default) is one for every core")
    parser.add_argument("--results-dir", default="results", metavar="DIR", help="where results are kept")
    parser.add_argument("--detach", action="store_true", help="with engine=slurm: submit the cells and leave")
    parser.add_argument("--collect", action="store_true", help="write the tables of what is finished, run nothing")
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
    if arguments.seeds < 1 or arguments.jobs < 0:
        raise UserError(
            f"--seeds {arguments.seeds} --jobs {arguments.jobs}: need at least one partition, and jobs >= 0"
        )
    arguments.engine = _engine(words, arguments)
    if arguments.table not in (known := [*table_names(), *figure_names()]):
        near = closest(arguments.table, known)
        raise UserError(f"{arguments.table}: no such table or figure, choose one of {', '.join(known)}{near}")
    if arguments.table in figure_names():
        require_writable(results)
        say(f"results: {reproduce_figure(arguments.table, results)}")
        return 0
    table = load_table(arguments.table)
    chosen = restrict(table, arguments.datasets, arguments.algos)
    command = command_of(arguments)
    return reproduce(chosen, results, command, arguments, whole=chosen == table)


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
        state = "drawn" if (results / f"{name}.md").exists() else "not run"
        rows.append((name, state, load_figure(name).title))
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
    """Write the report of a table again from the partitions that are kept, without solving anything; None: of all.

    Raises
    ------
    UserError
        If there are no such partitions.
    """
    kept = [table for table in table_names() if _partitions(results, table).exists()]
    if name is not None and name not in kept:
        raise UserError(f"--judge: {results} has no partitions of {name}, but of: {', '.join(kept) or 'no table'}")
    if not kept:
        raise UserError(f"--judge: {results} has no partitions of any table; kernlearn reproduce TABLE makes them")
    for table in [load_table(name)] if name else map(load_table, kept):
        partitions = read_partitions(_partitions(results, table.name))
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


def _partitions(results: Path, name: str) -> Path:
    return results / f"{name}_partitions.csv"


def restrict(table: Table, datasets: Sequence[str] | None, columns: Sequence[str] | None) -> Table:
    """Return a table with some rows and columns only.

    Raises
    ------
    UserError
        If the table has no such row or column.
    """
    known_rows, known_columns = [row.name for row in table.rows], [column.name for column in table.columns]
    for name, names, what in [(n, known_rows, "data set") for n in datasets or ()] + [
        (n, known_columns, "algorithm") for n in columns or ()
    ]:
        if name not in names:
            raise UserError(
                f"{name}: {table.name} has no such {what}, choose from {', '.join(names)}{closest(name, names)}"
            )
    return replace(
        table,
        rows=tuple(row for row in table.rows if not datasets or row.name in datasets),
        columns=tuple(column for column in table.columns if not columns or column.name in columns),
    )


def reproduce(table: Table, results: Path, command: str, arguments: argparse.Namespace, whole: bool) -> int:
    """Plan, run what is missing, compare, print and write.

    Raises
    ------
    PartFailed
        If data sets could not be had or cells failed; the rest is done and in the table.
    """
    start = perf_counter()
    datasets, absent = available(table.rows)
    planned = plan_table(table, datasets, range(arguments.seeds))
    plans = list({cell.plan.keys[0]: cell.plan for cell in planned}.values())  # columns may share an experiment
    require_writable(results)
    store = Store(results / "shards")
    # Partition by partition, so that an interrupted run leaves whole ones; in each the largest data first, because a
    # long cell that starts last would keep one process busy alone.
    plans.sort(key=lambda p: (p.experiment["seed"], -len(p.dataset.y)))
    cells = [cell for p in plans for cell in p.cells]
    missing = pending(cells, store, force=arguments.force, retry_failed=arguments.retry_failed)
    say(f"{table.name}: {table.title}")
    say(f"{len(cells)} cells, {len(cells) - len(missing)} already done{'' if missing else ': nothing to run'}")
    if missing and not arguments.collect:
        name = f"{table.name.replace('/', '-')}-{name_of(key for p in plans for key in p.keys)}"
        engine = within_capacity(plans, missing, arguments.engine)
        register(results, name, command, plans)
        compute(missing, store, engine)
        if arguments.engine.get("detach"):
            say(f"submitted; kernlearn status {name} tells how far it is, the same command collects")
            return 0
    partitions, failed = collect(planned, store, table.measure)
    if table.ratio_to:
        partitions = with_ratios(partitions, table.ratio_to)
    rows = table_rows(table, partitions)
    try:
        claims = check_claims(table, partitions)
    except Exception as error:  # what was measured is written all the same
        claims = []
        failed.append(f"claims: {one_line(error)}")
    show_table(("data set", "algorithm", "metric", "paper", "ours", "delta", "verdict"), lines_of(table, rows), left=3)
    for claim, found, judgement in claims:
        say(f"{judgement}: {claim} ({found})")
    part = "" if whole and not absent else f"-partial-{name_of([command])}"  # other parts have other names
    target = results / f"{table.name}{part}"
    state = f"{len(datasets)} of {len(table.rows)} rows, {arguments.seeds} partition(s)"
    experiments = {f"{c.row.name} {c.column.name}": c.plan.experiment for c in planned}
    computation = computation_of(plans, store)
    record = provenance(list(datasets.values()), computation, perf_counter() - start, arguments.engine)
    warning = uncommitted(record)
    write_csv(_partitions(target.parent, target.name), partitions)
    points = POINTS[table.points](planned[0].plan) if table.points and partitions else []
    drawings = draw_table(table.name, rows, points)
    if points:
        write_csv(Path(f"{target}_{table.points}.csv"), points)
    for suffix, content in drawings.items():
        write_atomically(target.with_suffix(suffix), content)
    picture = f"{target.name}.svg" if drawings else ""
    report = write_report(target, table, rows, partitions, claims, command, picture, warning)
    write_provenance(Path(f"{target}.provenance.json"), {"state": state, "experiments": experiments, **record})
    for line in [*([warning] if warning else []), *absent, *failed]:
        say(line)
    say(f"results: {report}")
    if absent or failed:
        raise PartFailed(f"{len(absent)} data sets are missing and {len(failed)} cells or selections failed")
    if rest := len(pending(cells, store)):
        raise PartFailed(f"{rest} cells are missing; the same command runs them")
    return 0


def plan_table(table: Table, datasets: Mapping[str, Dataset], seeds: Sequence[int]) -> list[Planned]:
    """Return the plans of all cells of a table, one for every row whose data there are, column and partition."""
    planned = []
    for row in table.rows:
        for column in table.columns if row.name in datasets else ():
            if row.has(column):
                base, metric = _compose(column.overrides + row.overrides)
                experiment = {**base, "dataset": dict(row.dataset)}
                for seed in seeds:
                    whole = plan({**experiment, "seed": seed}, datasets[row.name])
                    part = replace(whole, cells=whole.cells[: row.splits])
                    planned.append(Planned(row, column, part, metric))
    return planned


def collect(planned: Sequence[Planned], store: Store, measure: str = "") -> tuple[list[dict[str, Any]], list[str]]:
    """Return the rows of every partition that was measured whole, and a line for every other one and failed cell.

    With a `measure` the rows include what it finds.
    """
    partitions, failed = [], []
    for row, column, p, metric in planned:
        seed = p.experiment["seed"]
        title = f"{row.name} {column.name} seed {seed}"
        try:
            found = path_rows(p, store, metric)
            bad = [one for one in found if "point" not in one]
            failed += [f"{title} split {one['split']}: {one['status']}" for one in bad]
            selection = None if bad else p.select(found, metric)
            if selection:
                more = MEASURES[measure](p, found, selection) if measure else {}
                partitions += partition_rows(row.name, column, seed, found, selection, more)
        except Exception as error:  # one experiment's trouble takes no other's rows
            failed.append(f"{title}: {one_line(error)}")
    return partitions, failed


def _engine(words: Sequence[str], arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the checked engine of a command line; ``--jobs`` is short for ``engine.jobs``."""
    if arguments.jobs and not any(word.startswith("engine=") for word in words):
        words = [*words, f"engine.jobs={arguments.jobs}"]
    engine = check_engine(compose_config(words))
    if arguments.detach and engine["name"] != "slurm":
        raise UserError("--detach: needs engine=slurm")
    return engine | ({"detach": True} if arguments.detach else {})


def available(rows: Sequence[Row]) -> tuple[dict[str, Dataset], list[str]]:
    """Return the data of every row that can be had, and a line for every other one."""
    loaded: dict[str, Dataset] = {}
    datasets, absent = {}, []
    for row in rows:
        key = json.dumps(row.dataset)
        try:
            loaded[key] = loaded[key] if key in loaded else load(**row.dataset)
            datasets[row.name] = loaded[key]
        except UserError as error:
            absent.append(f"{row.name}: {' '.join(str(error).split())}")
    return datasets, absent


@cache
def _compose(overrides: tuple[str, ...]) -> tuple[dict[str, Any], str | None]:
    """Return the checked experiment of a configuration, and by what its grid points are chosen."""
    config = compose_config(overrides)
    return check_experiment(config), check_metric(config)
