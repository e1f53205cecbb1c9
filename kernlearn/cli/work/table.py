"""Reproduce a table of a paper: plan it, resume it, compare it with the printed numbers, and write it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from kernlearn.atomic import write_atomically
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.configuration.settings import Settings
from kernlearn.cli.facts.data import table_row
from kernlearn.cli.facts.reproduction import ReproductionFacts, claim_facts
from kernlearn.cli.work.addition import (
    Kept,
    digest_of,
    joined,
    part_of,
    partial_name,
    partitions_file,
    read_kept,
    read_kept_alone,
)
from kernlearn.cli.work.failures import Account, conclude, failures, tell_absent, troubles
from kernlearn.cli.work.flow import Computed, Rows, TitledPlan, collect, compute, look
from kernlearn.datasets import Dataset, load
from kernlearn.errors import UserError, closest
from kernlearn.evaluation import PROTOCOLS, ChosenBy, Row, Selection
from kernlearn.papers import Column, Table
from kernlearn.papers.core.claims import check_claims
from kernlearn.papers.core.directories import keep_description
from kernlearn.papers.core.measured import Claim
from kernlearn.papers.core.tables import Measure, TableRow
from kernlearn.report.layout import lines_of, write_report
from kernlearn.report.pictures import draw_table
from kernlearn.report.reproduction import COLUMNS, Reproduced, command_of_all, partition_rows, table_rows, with_ratios
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.cell.cell import Experiment, Group
from kernlearn.runner.plan.config import check_chosen_by, check_experiment
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import plan
from kernlearn.runner.plan.sweeps import name_of
from kernlearn.runner.provenance.record import Computation, provenance, warning, write_provenance
from kernlearn.runner.store.files import exclusive_lock
from kernlearn.runner.store.records import About, Provenance
from kernlearn.runner.store.store import Store
from kernlearn.runner.store.tables import write_csv

#: Maximum number of cells that a command plans.
MOST_CELLS = 1_000_000


class Planned(NamedTuple):
    """A row and a column of a table, and their experiment on one partition."""

    row: TableRow
    column: Column
    experiment: TitledPlan

    @property
    def identity(self) -> tuple[str, str, int, str]:
        """Row, column, seed, and the unique name of the experiment."""
        plan = self.experiment.plan
        return self.row.name, self.column.name, plan.experiment.seed, run_id(plan)


def reproduce(
    table: Table,
    part: Table,
    seeds: Sequence[int],
    settings: Settings,
    command: str,
    facts: ReproductionFacts,
    *,
    add: bool = False,
) -> None:
    """Plan, run the missing cells, compare, print and write.

    Raises `UserError` with `add`, if the files have another experiment in the same place, or the table has points.
    Raises `PartFailed` if data sets are not available or cells failed. The rest is computed and in the table. Nothing
    is written if no data set is available.

    Parameters
    ----------
    part : Table
        The requested rows and columns, from `restrict`. The files of a part of the table have another name.
    seeds : sequence of int
        The seeds of the partitions.
    command : str
        The command that computes the same numbers.
    facts : dict
        Receives the results.
    add : bool
        Add the part to the files of the table. Results that they have are not computed again, and the rest stays.
    """
    start = perf_counter()
    datasets, absent = available(part.rows)
    facts["absent"] = absent
    planned = plan_table(part, datasets, seeds)
    kept = read_kept_alone(settings.results, table) if add else Kept()
    planned = [one for one in planned if not kept.has(*one.identity)]
    if add and kept.partitions and not planned and not absent:
        say(f"{table.name}: its files have all of these results, nothing to add")
        return
    say(f"{table.name}: {table.title}")
    if not datasets:
        tell_absent(absent)
        return
    computed = _compute(table, planned, settings, command)
    facts["computation"] = computed.facts
    if not computed.write:
        if absent and settings.dry_run:
            tell_absent(absent)
        return
    with exclusive_lock((settings.results / table.name).parent):
        if add:  # another process may have added results in the meantime
            kept = read_kept(settings.results, table)
            planned = [one for one in planned if not kept.has(*one.identity)]
        account = Account(Computation(kept.makers))
        partitions = joined(table, kept.partitions, measured(table, planned, settings.store, account, table.measure))
        if table.ratio_to:
            partitions = with_ratios(partitions, table.ratio_to)
        outcome = _show(table if add else part, partitions, account)
        record = provenance(list(datasets.values()), account.computation, perf_counter() - start, settings.engine)
        record["data"] = kept.described(record["data"])
        suffix = ""
        if outcome.table != table or (absent and not add):
            suffix = partial_name(command)
        elif not add:
            suffix = part_of(partitions_file(settings.results, table.name), len(seeds), command)
        target = settings.results / f"{table.name}{suffix}"
        made_by = command_of_all(table, partitions) if add else command
        report = _write(target, outcome, planned, kept, record, made_by)
    facts["computation"] = computed.collected(account)
    facts["rows"] = [table_row({key: row[key] for key in COLUMNS if key in row}) for row in outcome.rows]
    facts["claims"] = claim_facts(outcome.claims)
    facts["reports"] = [str(report)]
    facts["failures"], facts["troubles"] = failures(account), troubles(account)
    conclude(account, record, report, absent)


def _compute(table: Table, planned: Sequence[Planned], settings: Settings, command: str) -> Computed:
    """Run the missing cells of planned experiments."""
    plans = [one.experiment.plan for one in planned]
    plans = list({plan.keys[0]: plan for plan in plans}.values())  # columns may share an experiment
    # Partition by partition, so that an interrupted run leaves complete ones. In each the largest data come first,
    # because a long cell that starts last would keep a single process busy.
    plans.sort(key=lambda p: (p.experiment.seed, -len(p.dataset.y)))
    name = f"{table.name.replace('/', '-')}-{name_of(key for p in plans for key in p.keys)}"
    return compute(look(plans, settings, name, command))


def _show(table: Table, partitions: Rows, account: Account) -> Reproduced:
    """Compare a table with the printed one, and show the comparison; errors of claims are noted in the account."""
    rows, claims = table_rows(table, partitions), list[Claim]()
    try:
        claims = check_claims(table, partitions)
    except Exception as error:  # the results are still written
        account.troubles["claims"] = error
    show_table(("data set", "algorithm", "metric", "paper", "ours", "delta", "verdict"), lines_of(table, rows), left=3)
    for claim, found, judgement in claims:
        say(f"{judgement}: {claim} ({found})")
    return Reproduced(table, partitions, rows, claims)


def _write(
    target: Path, outcome: Reproduced, planned: Sequence[Planned], kept: Kept, record: Provenance, command: str
) -> Path:
    """Write the files of a table, whose names begin with `target`; return the path of the report."""
    table, partitions, rows, _ = outcome
    file = target.with_name(f"{target.name}_partitions.csv")
    write_csv(file, partitions)
    points = {name: make(planned[0].experiment.plan) for name, make in table.points.items()} if partitions else {}
    for name, values in points.items():
        write_csv(Path(f"{target}_{name}.csv"), values)
    drawings = draw_table(table, rows, points)
    for ending, content in drawings.items():
        write_atomically(target.with_suffix(ending), content)
    picture = f"{target.name}.svg" if drawings else ""
    report = write_report(target, outcome, command, picture, warning(record))
    keep_description(table.name, target.parent.parent)
    n_rows, n_seeds = (len({row[key] for row in partitions}) for key in ("dataset", "seed"))
    more = {f"{one.row.name} {one.column.name}": one.experiment.plan.experiment.to_json() for one in planned}
    about: About = {
        "state": f"{n_rows} of {len(table.rows)} rows, {n_seeds} partition(s)",
        "partitions": digest_of(file),
        "experiments": {**kept.experiments, **more},
    }
    write_provenance(Path(f"{target}.provenance.json"), record, about)
    return report


def restrict(table: Table, datasets: Sequence[str] | None, columns: Sequence[str] | None) -> Table:
    """Return a table restricted to some rows and columns.

    Raises `UserError` if the table has no such row or column.
    """
    known_rows, known_columns = [row.name for row in table.rows], [column.name for column in table.columns]
    for name, names, what in [(n, known_rows, "data set") for n in datasets or ()] + [
        (n, known_columns, "algorithm") for n in columns or ()
    ]:
        if name not in names:
            there = f"choose from {', '.join(names)}{closest(name, names)}"
            raise UserError(f"{name or repr(name)}: {table.name} has no such {what}, {there}")
    return replace(
        table,
        rows=tuple(row for row in table.rows if not datasets or row.name in datasets),
        columns=tuple(column for column in table.columns if not columns or column.name in columns),
    )


def plan_table(table: Table, datasets: Mapping[str, Dataset], seeds: Sequence[int]) -> list[Planned]:
    """Return the plans of a table, one for each row with data, each column and each partition.

    Raises `UserError` if there are more than `MOST_CELLS` cells, or an experiment cannot be planned.
    """
    cells = [
        (row, column) for row in table.rows for column in table.columns if row.name in datasets and row.has(column)
    ]
    _check_number(table, cells, len(seeds))
    planned = []
    for row, column in cells:
        for seed in seeds:
            with _naming(table, row, column):
                base, chosen_by = _compose(_words(row, column))
                experiment = replace(base, dataset=Group(row.dataset), seed=seed)
                whole = plan(experiment, datasets[row.name], chosen_by=chosen_by)
            part = replace(whole, cells=whole.cells[: row.splits_of(column)])
            planned.append(Planned(row, column, TitledPlan(part, f"{row.name} {column.name} seed {seed}")))
    return planned


def _check_number(table: Table, cells: Sequence[tuple[TableRow, Column]], n_seeds: int) -> None:
    """Raise `UserError` if a table has more than `MOST_CELLS` cells, before the time is taken to plan them."""
    total = 0
    for row, column in cells:
        with _naming(table, row, column):
            experiment, _ = _compose(_words(row, column))
        n_splits = PROTOCOLS[experiment.protocol["name"]].n_splits
        total += n_seeds * min(n_splits, row.splits_of(column) or n_splits)
    if total > MOST_CELLS:
        raise UserError(
            f"{table.name}: {total:,} cells, more than {MOST_CELLS:,}; choose fewer by --seeds, --datasets or --algos"
        )


def _words(row: TableRow, column: Column) -> tuple[str, ...]:
    return column.overrides + row.overrides + column.final


@contextmanager
def _naming(table: Table, row: TableRow, column: Column) -> Iterator[None]:
    """Name the place in the table that an error is about."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{table.name}: column {column.name}, row {row.name}: {error}") from None


def measured(
    table: Table, planned: Sequence[Planned], store: Store, account: Account, measure: Measure | None = None
) -> Rows:
    """Return the rows of all complete partitions of a table, and note the errors of the others in the account.

    With a `measure`, the rows include its metrics.
    """
    partitions = Rows()
    places = {one.experiment.title: one for one in planned}

    def use(experiment: TitledPlan, rows: list[Row], selection: Selection) -> None:
        plan, (row, column, _) = experiment.plan, places[experiment.title]
        if len({found["split"] for found in rows if "point" in found}) == len(plan.cells):
            more = measure(plan, rows, selection) if measure else {}
            partitions.extend(
                partition_rows(row.name, column, plan.experiment.seed, rows, selection, more, table.metrics)
            )

    for _ in collect((one.experiment for one in planned), store, account, use):
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


@cache
def _compose(overrides: tuple[str, ...]) -> tuple[Experiment, ChosenBy]:
    """Return the checked experiment of a configuration, and the rule that chooses its grid points."""
    config = compose_config(overrides)
    return check_experiment(config), check_chosen_by(config)
