"""Reproduce a table of a paper: plan it, resume it, compare it with the printed numbers, and write it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, TypeVar

from kernlearn.atomic import write_atomically
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.configuration.settings import Settings
from kernlearn.cli.facts.data import table_row
from kernlearn.cli.facts.reproduction import ReproductionFacts, claim_facts
from kernlearn.cli.work.addition import Kept, Planned, digest_of, files_begin, joined, read_kept, read_kept_alone
from kernlearn.cli.work.failures import Account, conclude, failures, tell_absent, troubles
from kernlearn.cli.work.flow import Computed, Rows, TitledPlan, collect, compute, look
from kernlearn.datasets import Dataset, load
from kernlearn.errors import UserError, closest
from kernlearn.evaluation import METRICS, ChosenBy, Row, Selection, protocol_of
from kernlearn.papers import Column, Table
from kernlearn.papers.core.claims import check_claims, require_answers
from kernlearn.papers.core.directories import keep_description
from kernlearn.papers.core.measured import Claim
from kernlearn.papers.core.tables import Measure, TableRow
from kernlearn.report.choice import choice_columns
from kernlearn.report.layout import show_outcome, write_report
from kernlearn.report.pictures import draw_table
from kernlearn.report.reproduction import COLUMNS, Reproduced, command_of_all, partition_rows, table_rows, with_ratios
from kernlearn.report.terminal import say, say_note
from kernlearn.runner.cell.cell import Experiment, Group
from kernlearn.runner.plan.config import check_chosen_by, check_experiment
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import Plan, plan
from kernlearn.runner.plan.requirements import why_unscored
from kernlearn.runner.plan.sweeps import name_of
from kernlearn.runner.provenance.record import Computation, provenance, warning, write_provenance
from kernlearn.runner.store.files import exclusive_lock
from kernlearn.runner.store.records import About, Provenance
from kernlearn.runner.store.store import Store
from kernlearn.runner.store.tables import write_csv

#: A row or a column of a table.
Part = TypeVar("Part", TableRow, Column)
#: Maximum number of cells that a command plans.
MOST_CELLS = 1_000_000


@dataclass(frozen=True)
class Request:
    """What a command line asks for."""

    table: Table
    #: The requested rows and columns, from `restrict`. The files of a part of the table have another name.
    part: Table
    #: Of the partitions.
    seeds: Sequence[int]
    settings: Settings
    #: The command that computes the same numbers.
    command: str
    #: Add the part to the files of the table. Results that they have are not computed again, and the rest stays.
    add: bool = False


class TableExperiment(NamedTuple):
    """The experiment of a row and a column of a table on one partition."""

    row: TableRow
    column: Column
    experiment: TitledPlan

    @property
    def identity(self) -> tuple[str, str, int, str]:
        """Row, column, seed, and the unique name of the experiment."""
        plan = self.experiment.plan
        return self.row.name, self.column.name, plan.experiment.seed, run_id(plan)

    @property
    def planned(self) -> Planned:
        """What decides whether kept results are of this experiment."""
        plan = self.experiment.plan
        return Planned(*self.identity, plan.experiment.to_json(), plan.dataset.digest)


def reproduce(request: Request, facts: ReproductionFacts) -> None:
    """Plan, run the missing cells, compare, print and write; `facts` receives the results.

    Raises `UserError` if results are to be added and the files have another experiment in the same place, or the table
    has points. Raises `PartFailed` if data sets are not available or cells failed. The rest is computed and in the
    table. Nothing is written if no data set is available.
    """
    start, table, settings = perf_counter(), request.table, request.settings
    datasets, absent = available(request.part.rows)
    facts["absent"] = absent
    experiments = plan_table(request.part, datasets, request.seeds)
    require_answers(table, what_is_measured(table, experiments))
    planned = [one.planned for one in experiments]
    if request.add:
        kept = read_kept_alone(settings.results, table).current(planned)
        experiments = _without(kept, experiments)
        if kept.partitions and not experiments and not absent:
            say(f"{table.name}: its files have all of these results, nothing to add")
            return
    say(f"{table.name}: {table.title}")
    for remark in table.remarks:
        say_note(remark)
    if not datasets:
        tell_absent(absent)
    computed = _compute(request, experiments)
    facts["computation"] = computed.facts
    if not computed.write:
        if absent and settings.dry_run:
            tell_absent(absent)
        return
    with exclusive_lock((settings.results / table.name).parent):
        # another process may have added results
        kept = read_kept(settings.results, table).current(planned) if request.add else Kept()
        experiments, account = _without(kept, experiments), Account(Computation(kept.makers))
        outcome = _compare(request, experiments, kept, account)
        record = provenance(list(datasets.values()), account.computation, perf_counter() - start, settings.engine)
        report = _write(request, outcome, experiments, kept, record, absent)
    facts["computation"] = computed.collected(account)
    facts["rows"] = [table_row({key: row[key] for key in COLUMNS if key in row}) for row in outcome.rows]
    facts["claims"], facts["reports"] = claim_facts(outcome.claims), [str(report)]
    facts["failures"], facts["troubles"] = failures(account), troubles(account)
    conclude(account, record, report, absent)


def _without(kept: Kept, experiments: Iterable[TableExperiment]) -> list[TableExperiment]:
    """Return the experiments whose results are not kept."""
    return [one for one in experiments if not kept.has(*one.identity)]


def distinct_plans(experiments: Iterable[TableExperiment]) -> list[Plan]:
    """Return the plans of experiments, each once: columns of a table may share one."""
    plans = (one.experiment.plan for one in experiments)
    return list({plan.keys[0]: plan for plan in plans}.values())


def _compute(request: Request, experiments: Iterable[TableExperiment]) -> Computed:
    """Run the missing cells of experiments."""
    # Partition by partition, so that an interrupted run leaves complete ones. In each the largest data come first,
    # because a long cell that starts last would keep a single process busy.
    experiments = list(experiments)
    plans = sorted(distinct_plans(experiments), key=lambda plan: (plan.experiment.seed, -len(plan.dataset.y)))
    name = f"{request.table.name.replace('/', '-')}-{name_of(key for plan in plans for key in plan.keys)}"
    titles = {
        cell.key: f"{one.experiment.title} split {cell.split}"
        for one in experiments
        for cell in one.experiment.plan.cells
    }
    return compute(look(plans, request.settings, name, request.command, titles=titles))


def _compare(request: Request, experiments: Sequence[TableExperiment], kept: Kept, account: Account) -> Reproduced:
    """Compare all results with the printed numbers, and show them; errors are noted in the account."""
    table, claims = request.table, list[Claim]()
    new = measured(table, experiments, request.settings.store, account, table.measure)
    partitions = joined(table, kept.partitions, new)
    if table.ratio_to:
        partitions = with_ratios(partitions, table.ratio_to)
    shown = table if request.add else request.part
    rows = table_rows(shown, partitions)
    try:
        claims = check_claims(shown, partitions)
    except Exception as error:  # the results are still written
        account.troubles["claims"] = error
    outcome = Reproduced(shown, partitions, rows, claims)
    show_outcome(outcome)
    return outcome


def _write(
    request: Request,
    outcome: Reproduced,
    experiments: Sequence[TableExperiment],
    kept: Kept,
    record: Provenance,
    absent: Sequence[str],
) -> Path:
    """Write the files of a table, and return the path of the report."""
    table, partitions, rows, _ = outcome
    record["data"] = kept.described(record["data"])
    whole, results = request.add or (table == request.table and not absent), request.settings.results
    seeds = 0 if request.add else len(request.seeds)
    target = files_begin(results, request.table.name, request.command, whole=whole, seeds=seeds)
    file = target.with_name(f"{target.name}_partitions.csv")
    write_csv(file, partitions)
    points = {name: make(experiments[0].experiment.plan) for name, make in table.points.items()} if partitions else {}
    for name, values in points.items():
        write_csv(Path(f"{target}_{name}.csv"), values)
    drawings = draw_table(table, rows, points)
    for ending, content in drawings.items():
        write_atomically(target.with_suffix(ending), content)
    made_by = command_of_all(request.table, partitions) if request.add else request.command
    report = write_report(target, outcome, made_by, f"{target.name}.svg" if drawings else "", warning(record))
    keep_description(table.name, results)
    n_rows, n_seeds = (len({row[key] for row in partitions}) for key in ("dataset", "seed"))
    new = {f"{one.row.name} {one.column.name}": one.experiment.plan.experiment.to_json() for one in experiments}
    about: About = {
        "state": f"{n_rows} of {len(table.rows)} rows, {n_seeds} partition{'s' * (n_seeds > 1)}",
        "partitions": digest_of(file),
        "experiments": {**kept.experiments, **new},
    }
    write_provenance(Path(f"{target}.provenance.json"), record, about)
    return report


def restrict(table: Table, datasets: Sequence[str] | None, columns: Sequence[str] | None) -> Table:
    """Return a table restricted to some rows and columns, or to all if none are named.

    Raises `UserError` if the table has no such row or column.
    """
    rows = _named(table.name, "data set", table.rows, datasets)
    return replace(table, rows=rows, columns=_named(table.name, "algorithm", table.columns, columns))


def _named(table: str, what: str, parts: Sequence[Part], names: Sequence[str] | None) -> tuple[Part, ...]:
    """Return the rows or columns of a table with some names."""
    known = [part.name for part in parts]
    for name in names or ():
        if name not in known:
            choice = f"choose from {', '.join(known)}{closest(name, known)}"
            raise UserError(f"{name or repr(name)}: {table} has no such {what}, {choice}")
    return tuple(part for part in parts if not names or part.name in names)


def plan_table(table: Table, datasets: Mapping[str, Dataset], seeds: Sequence[int]) -> list[TableExperiment]:
    """Return the experiments of a table: one for each row with data, each column and each partition.

    Raises `UserError` if there are more than `MOST_CELLS` cells, or an experiment cannot be planned.
    """
    rows = [row for row in table.rows if row.name in datasets]
    places = [(row, column) for row in rows for column in table.columns if row.has(column)]
    composed, experiments, total = list[tuple[Experiment, ChosenBy]](), list[TableExperiment](), 0
    for row, column in places:
        with _located(table, row, column):
            composed.append(_compose(column.overrides + row.overrides + column.final))
        n_splits = protocol_of(composed[-1][0].protocol).n_splits
        total += len(seeds) * min(n_splits, row.splits_of(column) or n_splits)
    if total > MOST_CELLS:  # planning them would take long
        raise UserError(
            f"{table.name}: {total:,} cells, more than {MOST_CELLS:,}; choose fewer by --seeds, --datasets or --algos"
        )
    for ((row, column), (base, chosen_by)), seed in product(zip(places, composed, strict=True), seeds):
        with _located(table, row, column):
            experiment = replace(base, dataset=Group(row.dataset), seed=seed)
            whole = plan(experiment, datasets[row.name], chosen_by=chosen_by)
        part = replace(whole, cells=whole.cells[: row.splits_of(column)])
        experiments.append(TableExperiment(row, column, TitledPlan(part, f"{row.name} {column.name} seed {seed}")))
    return experiments


@contextmanager
def _located(table: Table, row: TableRow, column: Column) -> Iterator[None]:
    """Name the place in the table that an error is about."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{table.name}: column {column.name}, row {row.name}: {error}") from None


def what_is_measured(table: Table, experiments: Sequence[TableExperiment]) -> Callable[[str, str, str], bool]:
    """Return the function that tells whether a cell of a table will have a metric, True for cells without data."""
    plans = {(one.row.name, one.column.name): one.experiment.plan for one in experiments}

    def has(row: str, column: str, metric: str) -> bool:
        plan = plans.get((row, column))
        if plan is None or metric not in METRICS or table.measure:
            return True
        return not why_unscored(metric, plan.experiment, plan.dataset)

    return has


@cache
def _compose(overrides: tuple[str, ...]) -> tuple[Experiment, ChosenBy]:
    """Return the checked experiment of a configuration, and the rule that chooses its grid points."""
    config = compose_config(overrides)
    return check_experiment(config), check_chosen_by(config)


def measured(
    table: Table,
    experiments: Sequence[TableExperiment],
    store: Store,
    account: Account,
    measure: Measure | None = None,
) -> Rows:
    """Return the rows of all complete partitions of a table, and note the errors of the others in the account.

    With a `measure`, the rows include its metrics.
    """
    partitions = Rows()
    places = {one.experiment.title: (one.row, one.column) for one in experiments}

    def use(experiment: TitledPlan, rows: list[Row], selection: Selection) -> None:
        plan, (row, column) = experiment.plan, places[experiment.title]
        if len({one["split"] for one in rows if "point" in one}) == len(plan.cells):
            more = measure(plan, rows, selection) if measure else {}
            seed, choice = plan.experiment.seed, choice_columns(plan, selection, rows)
            partitions.extend(partition_rows(row.name, column, seed, rows, selection, more, table.metrics, choice))

    for _ in collect((one.experiment for one in experiments), store, account, use):
        pass  # only the rows of the partitions are used, not those of the cells
    return partitions


def available(
    rows: Sequence[TableRow], loaded: dict[Group, Dataset] | None = None
) -> tuple[dict[str, Dataset], list[str]]:
    """Return the data of each row whose data are available, and a line for each other row.

    `loaded` has data that are loaded already, and receives more.
    """
    loaded = {} if loaded is None else loaded
    datasets, absent = {}, []
    for row in rows:
        key = Group(row.dataset)
        try:
            loaded[key] = loaded[key] if key in loaded else load(**row.dataset)
            datasets[row.name] = loaded[key]
        except UserError as error:
            absent.append(f"{row.name}: {' '.join(str(error).split())}")
    return datasets, absent
