"""Compute parts of kept results again with the present code and packages, and compare them with what is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from time import perf_counter

from kernlearn.cli.configuration.settings import Settings
from kernlearn.cli.reproduction.sample import Item, place_of
from kernlearn.cli.work.failures import Account
from kernlearn.cli.work.flow import Rows, compute, finished, look
from kernlearn.cli.work.table import TableExperiment, available, distinct_plans, measured, plan_table, restrict
from kernlearn.errors import one_line
from kernlearn.papers import figure_names, load_figure, load_table
from kernlearn.papers.core.cells import plan_figure, run_figure_cell
from kernlearn.report.differences.cells import WIDEST, number
from kernlearn.report.differences.changes import FLIPS, Change, Kind, Status
from kernlearn.report.differences.claims import PARTITIONS, compare_claims
from kernlearn.report.differences.tables import compare_tables, table_of
from kernlearn.report.figures import kept_tables, read_points
from kernlearn.report.reproduction import COLUMNS, read_partitions, table_rows
from kernlearn.report.summary import largest_gap
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.plan.cells import Planned
from kernlearn.runner.store.files import read_regular
from kernlearn.runner.store.tables import csv_of

#: What may become of a part, from good to bad.
SAME, WITHIN, OTHER = "same", "within its gap", "not comparable"
MOVED, WORSE, FAILED = "moved", "certificate worse", "failed"
#: The column of the partitions with the largest gap.
GAP = "largest_gap"
#: Changes that are kept of a part.
MOST = 3
#: Verdicts that are looked for.
MOST_VERDICTS = 10_000


@dataclass
class Replayed:
    """What became of the parts of a table or figure."""

    name: str
    #: The outcome of every part.
    outcomes: dict[Item, str] = field(default_factory=dict)
    #: What changed, in words.
    changes: list[str] = field(default_factory=list)
    #: The verdicts and claims that are no longer those of the kept files.
    flipped: list[str] = field(default_factory=list)
    #: The largest relative change of a number.
    largest: float = 0.0
    seconds: float = 0.0

    def count(self, outcome: str) -> int:
        """Return the number of parts with an outcome."""
        return list(self.outcomes.values()).count(outcome)


def replay(name: str, items: Sequence[Item], results: Path, settings: Settings) -> Replayed:
    """Compute some parts of a table or figure again, compare them, and judge it again.

    Raises `UserError` if the kept files are damaged.

    Parameters
    ----------
    results : Path
        Where the results are kept.
    settings : Settings
        Of a results directory that has no finished cells.
    """
    start, found = perf_counter(), Replayed(name)
    if name in figure_names():
        _replay_figure(found, items, results, settings)
    else:
        _replay_table(found, items, results, settings)
    found.seconds = perf_counter() - start
    return found


def _replay_table(found: Replayed, items: Sequence[Item], results: Path, settings: Settings) -> None:
    table, name = load_table(found.name), f"{found.name}{PARTITIONS}"
    kept = read_partitions(results / name, table)
    kept_of = {item: [row for row in kept if place_of(row) == item[1:4]] for item in items}
    rows = [row for row in table.rows if row.name in {item.row for item in items}]
    datasets, absent = available(rows)
    found.changes += absent
    planned = dict[Item, TableExperiment]()
    for item in items:
        found.outcomes[item] = OTHER
        if item.row in datasets:
            part = restrict(table, [item.row], [item.column])
            (one,) = plan_table(part, {item.row: datasets[item.row]}, [item.seed])
            if one.identity[-1] == kept_of[item][0]["run"]:
                planned[item] = one
            else:
                other = "the data, the description or the version of a method was another one when it was kept"
                found.changes.append(f"{item.title}: {other}")
    _compute(distinct_plans(planned.values()), run_cell, settings)
    after = list(kept)
    for item, one in planned.items():
        account, mine = Account(), kept_of[item]
        now = measured(table, [one], settings.store, account, table.measure)
        known = [{key: row[key] for key in row if key in mine[0]} for row in now]  # older files have fewer columns
        if _judged(found, item, account, mine, known):
            after = [row for row in after if place_of(row) != item[1:4]] + now
    found.flipped += _claims(name, csv_of(kept), csv_of(after))
    compared = [{key: row[key] for key in COLUMNS if key in row} for row in table_rows(table, after)]
    found.flipped += _verdicts(results / f"{found.name}.csv", csv_of(compared, COLUMNS))


def _replay_figure(found: Replayed, items: Sequence[Item], results: Path, settings: Settings) -> None:
    figure, name = load_figure(found.name), f"{found.name}.csv"
    kept = read_points(results / name)
    if figure.points:
        (item,) = items
        after = figure.points(*kept_tables(figure, results))
        _judged(found, item, Account(), kept, after)
        found.flipped += _claims(name, csv_of(kept), csv_of(after))
        return
    whole, after = plan_figure(figure, max(item.seed for item in items) + 1), list(kept)
    plans = {item: replace(whole, cells=[cell for cell in whole.cells if cell.seed == item.seed]) for item in items}
    _compute(list(plans.values()), run_figure_cell, settings)
    for item, plan in plans.items():
        account = Account()
        cells = list(finished(plan, figure.name, settings.store, account))
        whole_part = not account.missing and not account.failed
        now = [{"seed": item.seed, **row} for _, shard in cells for row in shard["rows"]] if whole_part else []
        if _judged(found, item, account, [row for row in kept if row["seed"] == item.seed], now):
            after = [row for row in after if row["seed"] != item.seed] + now
    found.flipped += _claims(name, csv_of(kept), csv_of(after))


def _compute(plans: Sequence[Planned], of_cell: CellFunction, settings: Settings) -> None:
    if plans:
        compute(look(plans, settings, of_cell=of_cell))


def _judged(found: Replayed, item: Item, account: Account, kept: Rows, now: Rows) -> bool:
    """Note the outcome of a part, and return whether it was computed."""
    if account.failed or account.troubles or not now:
        errors = [one.error for one in account.failed] + [one_line(error) for error in account.troubles.values()]
        found.outcomes[item] = FAILED
        found.changes.append(f"{item.title}: {next(iter(errors), 'was not finished')}")
        return False
    before, after = (table_of(item.title, csv_of(rows)) for rows in (kept, now))
    part = compare_tables(item.title, before, after, MOST)
    moved = [change for change in part.changes if change.kind is not Kind.BETTER]
    found.changes += [f"{item.title}, kept (A) and now (B): {note}" for note in part.notes]
    if part.notes or not moved:
        found.outcomes[item] = MOVED if part.notes else SAME
        return True
    gaps = sum(abs(largest_gap(rows, GAP)) for rows in (kept, now) if GAP in rows[0])
    numbers = [change.size for change in moved if change.kind is Kind.NUMBER]
    found.largest = max([found.largest, *(size for size in numbers if isfinite(size))])
    explained = len(numbers) == len(moved) == part.n_changes and max(numbers) <= min(gaps, WIDEST)
    found.outcomes[item] = WITHIN if explained else WORSE if part.status is Status.WORSE else MOVED
    found.changes += [f"{item.title} {change.place}: {_in_words(change)}" for change in moved]
    return True


def _in_words(change: Change) -> str:
    """Return what stood in a cell and stands there now; of lists, the values that differ most."""
    before, after = change.before.split(), change.after.split()
    if len(before) != len(after) or len(before) < 2:
        return f"{change.before} -> {change.after}"
    pairs = [(i, *pair) for i, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    i, was, now = max(pairs, key=lambda one: abs(number(one[2]) - number(one[1])))
    return f"{len(pairs)} of {len(before)} values, number {i + 1} most: {was} -> {now}"


def _claims(name: str, before: bytes, after: bytes) -> list[str]:
    """Return the claims whose judgement is another one with the numbers of now."""
    part = compare_claims(name, before, after)
    return [f"{change.place}: {change.before} -> {change.after}" for change in part.changes] if part else []


def _verdicts(kept: Path, now: bytes) -> list[str]:
    """Return the verdicts on printed numbers that are no longer those of the kept file."""
    if not kept.exists():
        return [f"{kept.name} is missing"]
    before, after = (table_of(kept.name, content) for content in (read_regular(kept), now))
    part = compare_tables(kept.name, before, after, MOST_VERDICTS)
    notes = [f"{kept.name}, kept (A) and from the measurements (B): {note}" for note in part.notes]
    flips = [change for change in part.changes if change.kind in FLIPS]
    return notes + [f"{change.place}: {change.before} -> {change.after}" for change in flips]
