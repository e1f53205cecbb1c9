"""Search the readings of a table: one decision at a time, then pairs of those that matter, then the whole table.

The first two stages are cheap. They use half of the data sets of the paper, of these the smallest ones, and one column
for each kind of problem. The readings that come out nearest are then run on the whole table. The other half of its data
sets takes no part in the choice, so the distance there is an honest one. All stages share their finished cells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import cast

from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.configuration.settings import Settings
from kernlearn.cli.facts.data import table_row
from kernlearn.cli.facts.reproduction import ReadingFacts, ReproductionFacts
from kernlearn.cli.work.addition import partitions_file
from kernlearn.cli.work.failures import Account, conclude, failures, tell_absent, troubles
from kernlearn.cli.work.flow import compute, look
from kernlearn.cli.work.kept import write_again
from kernlearn.cli.work.table import TableExperiment, available, distinct_plans, measured, plan_table
from kernlearn.datasets import Dataset
from kernlearn.errors import UserError
from kernlearn.papers import Column, Table
from kernlearn.papers.core.axes import OWN, Reading, in_words, pair_readings, single_readings
from kernlearn.papers.core.directories import keep_description
from kernlearn.papers.core.tables import under_reading
from kernlearn.report.layout import OF_SEARCH
from kernlearn.report.readings.distances import Halves, Stage, alike, that_matter, tried
from kernlearn.report.readings.search import names_of, write_search
from kernlearn.report.reproduction import reproduced
from kernlearn.report.terminal import say
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.plan.sweeps import name_of
from kernlearn.runner.provenance.record import provenance

#: Data sets of the cheap stages, and rows of each of them.
FEW_GROUPS, FEW_ROWS = 3, 2
#: Readings that are run on the whole table, beside the table's own.
FINALISTS = 4
ONE, TWO, WHOLE = "one decision", "two decisions", "whole table"


@dataclass
class Search:
    """What all stages of a search share."""

    table: Table
    seeds: Sequence[int]
    settings: Settings
    #: The command that is repeated to continue.
    command: str
    #: The time at which the budget is used up, by `time.perf_counter`; None without a budget.
    end: float | None
    #: The seconds of the whole budget.
    budget: float | None = None
    account: Account = field(default_factory=Account)
    #: The data sets that are loaded.
    loaded: dict[Group, Dataset] = field(default_factory=dict)


def search_readings(
    table: Table,
    seeds: Sequence[int],
    settings: Settings,
    command: str,
    facts: ReproductionFacts,
    budget: float | None = None,
) -> None:
    """Search the readings of a table, and print and write what was tried.

    Raises `UserError` if the table has no decisions to search, or fewer than two of its data sets are available. Raises
    `PartFailed` if cells failed, or are missing for another reason than the budget.

    Parameters
    ----------
    seeds : sequence of int
        The seeds of the draws. Without two of them the noise is not known.
    command : str
        The command that computes the same numbers.
    facts : dict
        Receives the results.
    budget : float, optional
        In seconds. The search ends after it with what it has.
    """
    if not table.axes:
        raise UserError(f"{table.name}: its description has no axes, the decisions that a paper leaves open")
    start = perf_counter()
    search = Search(table, seeds, settings, command, None if budget is None else start + budget, budget)
    datasets, absent = available([row for row in table.rows if row.name not in table.stand_ins], search.loaded)
    facts["absent"] = absent
    table = replace(table, rows=tuple(row for row in table.rows if row.name in datasets))
    groups = list(dict.fromkeys(row.printed for row in table.rows))
    if len(groups) < 2:
        tell_absent(absent)
        raise UserError(f"{table.name}: a search of readings needs two of its data sets, there are {len(groups)}")
    halves = Halves(tuple(groups[::2]), tuple(groups[1::2]))
    say(f"{table.name}: {table.title}")
    choosing, testing = (", ".join(names_of(table, half)) for half in (halves.choosing, halves.testing))
    say(f"choosing   on {choosing}; the choice is tested on {testing}")
    stages = []
    for stage in _stages(search, table, few(table, halves.choosing, datasets), halves):
        if stage is None:
            return
        stages.append(stage)
    record = provenance(list(datasets.values()), search.account.computation, perf_counter() - start, settings.engine)
    keep_description(table.name, settings.results)
    report, rows = write_search(settings.results / f"{table.name}{OF_SEARCH}", table, stages, halves, command, record)
    if partitions_file(settings.results, table.name).exists():  # its report names the search
        write_again(reproduced(table.name, settings.results), settings.results)
    if search.end is not None:
        search.account.missing.clear()
    facts["readings"], facts["reports"] = [cast(ReadingFacts, table_row(row)) for row in rows], [str(report)]
    facts["failures"], facts["troubles"] = failures(search.account), troubles(search.account)
    conclude(search.account, record, report, absent)


def few(table: Table, groups: Sequence[str], datasets: dict[str, Dataset]) -> Table:
    """Return a table restricted to few rows, on the smallest data sets of some groups, and to few columns."""
    rows_of = {group: [row for row in table.rows if row.printed == group] for group in groups}
    smallest = sorted(groups, key=lambda group: len(datasets[rows_of[group][0].name].y))[:FEW_GROUPS]
    names = {row.name for group in smallest for row in rows_of[group][:1] + rows_of[group][1:][1 - FEW_ROWS :]}
    rows = tuple(row for row in table.rows if row.name in names)
    columns: dict[str, Column] = {}
    for column in _counted(table):
        if any(row.has(column) for row in rows):
            columns.setdefault(ALGORITHMS[_algorithm(column.overrides)].problem, column)
    for axis in table.axes:
        if not any(axis.concerns(column.name) for column in columns.values()):
            columns[axis.name] = next(column for column in table.columns if axis.concerns(column.name))
    return replace(table, rows=rows, columns=tuple(column for column in table.columns if column in columns.values()))


def _counted(table: Table) -> list[Column]:
    """Return the columns that are compared with a printed one and are no further reading."""
    return [column for column in table.columns if column.printed and not column.reading]


def _algorithm(overrides: Sequence[str]) -> str:
    return next(word.removeprefix("algo=") for word in overrides if word.startswith("algo="))


def _stages(search: Search, table: Table, cheap: Table, halves: Halves) -> Iterator[Stage | None]:
    """Yield the stages one after another; None instead of one that this process does not compute."""
    first = _stage(search, ONE, cheap, single_readings(table.axes))
    yield first
    if first is None or not first.readings:
        return
    found = list(first.readings)
    if pairs := pair_readings(that_matter(table.axes, found)):
        second = _stage(search, TWO, cheap, pairs)
        yield second
        if second is None:
            return
        found += second.readings
    nearest = sorted(alike(found), key=lambda one: one.distance)[:FINALISTS]
    finalists = [OWN, *(one.reading for one in nearest if one.reading)]
    yield _stage(search, WHOLE, replace(table, columns=tuple(_counted(table))), finalists)


def _stage(search: Search, title: str, part: Table, readings: Sequence[Reading]) -> Stage | None:
    """Run a part of the table under some readings; return None if this process does not compute it."""
    say()
    say(f"stage      {title}: {len(readings)} readings, {len(part.rows)} rows, {len(part.columns)} columns")
    tables = [under_reading(part, reading) for reading in readings]
    planned = [plan_table(one, available(one.rows, search.loaded)[0], search.seeds) for one in tables]
    if not _compute(search, [one for every in planned for one in every]):
        return None
    found = [
        tried(part, reading, measured(part, plans, search.settings.store, search.account))
        for reading, plans in zip(readings, planned, strict=True)
    ]
    cells = {cell for one in found for cell in one.cells}
    finished = [one for one in found if one.cells.keys() == cells]
    return Stage(title, finished, [in_words(one.reading) for one in found if one not in finished])


def _compute(search: Search, planned: Sequence[TableExperiment]) -> bool:
    """Run the missing cells of a stage; return whether to go on."""
    plans = distinct_plans(planned)
    plans.sort(key=lambda plan: (plan.experiment.seed, -len(plan.dataset.y)))
    name = f"{search.table.name.replace('/', '-')}-{name_of(key for plan in plans for key in plan.keys)}"
    left = None if search.end is None else max(1.0, search.end - perf_counter())
    return compute(look(plans, search.settings, name, search.command), left, search.budget).write
