"""The steps from plans to tables, which ``run``, ``sweep`` and ``reproduce`` share.

Each verb plans experiments, finds the missing cells (`look`), computes them (`compute`), collects all cells
(`collect`), writes and shows its tables, and reports errors (`kernlearn.cli.work.failures.conclude`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from errno import EACCES, EPERM, EROFS
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter, time
from typing import Any, Literal

from kernlearn.cli.configuration.settings import Settings, require_own, require_writable
from kernlearn.cli.facts.cells import CellCounts, ComputationFacts, TimeEstimate
from kernlearn.cli.work.budget import interrupted_after
from kernlearn.cli.work.detach import go_to_background
from kernlearn.cli.work.dry import tell_time
from kernlearn.cli.work.failures import Account, failed, failed_again
from kernlearn.errors import PartFailed
from kernlearn.evaluation import Row, Selection
from kernlearn.report.summary import COLUMNS, summary_rows
from kernlearn.report.terminal import say, say_note, track
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.engines.execute import execute, pending
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.engines.timing import TimeLeft, duration
from kernlearn.runner.plan.capacity import admit, need_of, placed, processes
from kernlearn.runner.plan.cells import Planned
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.plan.results import rows_of
from kernlearn.runner.plan.sweeps import AtWork, at_work, register
from kernlearn.runner.provenance.record import other_source, provenance, write_provenance
from kernlearn.runner.provenance.sources import differs
from kernlearn.runner.store.files import refuse_links
from kernlearn.runner.store.notes import running
from kernlearn.runner.store.progress import Stopped, in_words
from kernlearn.runner.store.records import About, Provenance, Shard
from kernlearn.runner.store.store import Store
from kernlearn.runner.store.tables import write_csv, write_csv_parts

Rows = list[dict[str, Any]]
State = Literal["finished", "planned", "submitted", "background"]
#: Seconds after which the progress of a cell is shown.
LONG = 20.0


@dataclass(frozen=True)
class TitledPlan:
    """The plan of an experiment, and its name."""

    plan: Plan
    #: Its name in error messages.
    title: str


@dataclass(frozen=True)
class Work:
    """Planned cells, the missing ones, and the name and command under which ``kernlearn status`` lists them.

    A run of one experiment has no name, since it is not registered.
    """

    plans: Sequence[Planned]
    settings: Settings
    missing: Sequence[Cell]
    name: str = ""
    command: str = ""
    of_cell: CellFunction = run_cell
    #: Names of cells, by key, that tell more than those of the plans.
    titles: Mapping[str, str] = field(default_factory=dict)
    #: The numbers of stored cells, and of the failed ones among them.
    n_stored: int = 0
    n_failed: int = 0


@dataclass(frozen=True)
class Computed:
    """What became of the cells of some work."""

    #: Whether to write tables now; not so if other processes compute the cells.
    write: bool
    facts: ComputationFacts

    def collected(self, account: Account) -> ComputationFacts:
        """Return the facts after the cells were collected."""
        cells = self.facts["cells"]
        now: CellCounts = {**cells, "failed": len(account.failed), "missing": len(account.missing)}
        return {**self.facts, "cells": now}


def titled(plan: Plan) -> TitledPlan:
    """Return an experiment of a configuration, with a unique title."""
    seed, run = plan.experiment.seed, run_id(plan)
    return TitledPlan(plan, f"{plan.dataset.name} {plan.label} seed {seed} run {run}")


def look(
    plans: Sequence[Planned],
    settings: Settings,
    name: str = "",
    command: str = "",
    of_cell: CellFunction = run_cell,
    titles: Mapping[str, str] | None = None,
) -> Work:
    """Find the missing cells and print their number; `of_cell` computes one cell, `titles` name cells by their keys.

    Raises `UserError` if files of another user stand in the place of ours in the results directory. Raises `OSError` if
    a directory in it is a symbolic link.
    """
    require_own(settings.results)
    cells, force = [cell for plan in plans for cell in plan.cells], settings.force and not settings.collect
    missing = pending(cells, settings.store, force=force, retry_failed=settings.retry_failed)
    absent = {id(cell) for cell in missing}
    cells_of = [(plan, key, cell) for plan in plans for key, cell in zip(plan.keys, plan.cells, strict=True)]
    there = {key: plan for plan, key, cell in cells_of if id(cell) not in absent}
    n_there = len(cells) - len(missing)
    in_vain = sum(settings.store.path(key, failed=True).exists() for key in there)
    words = f"{n_there} already done{f', {in_vain} of them failed' if in_vain else ''}"
    say(f"cells      {len(cells)}, {words}{'' if missing else ': nothing to run'}")
    other = Counter(p.about for k, p in there.items() if differs(settings.store.made(k).get("source"), p.source))
    if words := other_source(other):
        say_note(words)
    return Work(plans, settings, missing, name, command, of_cell, titles or {}, n_there, in_vain)


def compute(work: Work, budget: float | None = None, of: float | None = None) -> Computed:
    """Run the missing cells.

    With a budget, which may be what is left `of` a larger one, cells are stopped after so many seconds as by Ctrl-C.
    The tables of finished cells are still written.

    Raises `UserError` if a cell does not fit into the memory of this machine. Raises `OSError` if the results directory
    cannot be written to. Raises `KeyboardInterrupt` after printing how much is stored.
    """
    settings, missing = work.settings, () if work.settings.collect else work.missing
    engine = dict(settings.engine)
    plans = [plan for plan in work.plans if isinstance(plan, Plan)]
    peak: float | None = None

    def done(state: State, estimate: TimeEstimate | None = None) -> Computed:
        n = sum(len(plan.cells) for plan in work.plans)
        cells: CellCounts = {"total": n, "stored": work.n_stored, "failed": work.n_failed, "missing": n - work.n_stored}
        facts: ComputationFacts = {"state": state, "cells": cells, "process_bytes": peak, "estimate": estimate}
        return Computed(state == "finished", facts)

    if need := need_of(plans, missing):
        engine, fewer = admit(need, engine)
        peak = need.dearest.cost.peak
        if settings.dry_run:
            say(f"needs      {need.words(engine)} (estimated)")
        if fewer:
            say(f"jobs       {fewer}")
    try:
        require_writable(settings.results, make=not settings.dry_run)
    except OSError as error:
        if missing or settings.dry_run or error.errno not in (EACCES, EPERM, EROFS):
            raise
        return done("finished")  # everything is there to be shown, and whoever writes then says what is not possible
    if settings.dry_run:
        return done("planned", tell_time(missing, replace(settings, engine=engine), work.of_cell, _labels(work)))
    if work.name:
        directory = register(settings.results, work.name, work.command, work.plans)
        if missing and settings.background:
            go_to_background(settings.background, directory)
            return done("background")
    over = Event()
    try:
        steps = execute(missing, settings.store, engine=placed(plans, missing, engine), work=work.of_cell)
        left = TimeLeft(settings.store, _labels(work), [cell.key for cell in missing], processes(engine, len(missing)))
        with interrupted_after(budget, over):
            track(steps, len(missing), "cells", partial(_at_work, work), left.estimate)
    except KeyboardInterrupt as error:
        if over.is_set():
            say(f"budget     of {duration(of or budget or 0.0)} used up: {_kept(work)}; repeat the command to continue")
            return done("finished")
        labels = _labels(work)
        for key, position in error.positions.items() if isinstance(error, Stopped) else ():
            say(f"stopped    {labels[key]}: {in_words(position)}")
        say(f"interrupted: {_kept(work)}; repeat the command to continue")
        raise
    except PartFailed as error:  # the tables of finished cells are still useful
        say(f"stopped    {error}")
    else:
        if missing and engine.get("detach"):
            status = f"kernlearn status {work.name} shows the progress, " if work.name else ""
            say(f"submitted; {status}the same command waits and collects the results")
            return done("submitted")
        if missing and settings.force and (words := failed_again([cell.key for cell in missing], settings.store)):
            say_note(words)
    return done("finished")


def _at_work(work: Work) -> list[AtWork]:
    """Return the progress of cells that have been running for at least `LONG` seconds."""
    since = time() - LONG
    return at_work((note for note in running(work.settings.store.root) if note["since"] < since), _labels(work))


def _labels(work: Work) -> dict[str, str]:
    return {key: label for plan in work.plans for key, label in plan.labels.items()} | dict(work.titles)


def _kept(work: Work) -> str:
    if work.settings.engine["name"] == "slurm":
        return "the jobs continue, and the same command finds them"
    there, keys = work.settings.store.listing(), [key for plan in work.plans for key in plan.keys]
    return f"{sum(key in there for key in keys)} of {len(keys)} cells are stored (finished or failed)"


def collect(
    experiments: Iterable[TitledPlan],
    store: Store,
    account: Account,
    use: Callable[[TitledPlan, list[Row], Selection], None],
) -> Iterator[list[Row]]:
    """Yield the rows of each experiment, with one row for each failed cell.

    Parameters
    ----------
    experiments : iterable of TitledPlan
    account : Account
        Receives all failed and missing cells, and the experiments whose rows have other errors. The tables of the other
        experiments are still written. CellCounts that several experiments share are counted once.
    use : callable
        ``use(experiment, rows, selection)`` is called for each experiment that has a selected grid point.
    """
    counted: set[str] = set()
    for experiment in experiments:
        plan, title, rows = experiment.plan, experiment.title, list[Row]()
        try:
            labels = {cell.key: f"{title} split {cell.split}" for cell in plan.cells if cell.key not in counted}
            counted |= labels.keys()
            shards = _accounted(plan, f"{plan.dataset.name} {plan.label}", labels, store, account)
            rows = rows_of(plan, shards)
            selection = plan.select(rows)
            if selection:
                use(experiment, rows, selection)
        except Exception as error:
            account.troubles[title] = error
        yield rows


def finished(plan: Planned, name: str, store: Store, account: Account) -> Iterator[tuple[Any, Shard]]:
    """Yield the finished cells of a plan with their shards; the account receives the failed and the missing ones.

    The provenance adds up their times under the name.
    """
    shards = _accounted(plan, name, plan.labels, store, account)
    return ((cell, shard) for cell, shard in zip(plan.cells, shards, strict=True) if shard)


def _accounted(
    plan: Planned, name: str, labels: Mapping[str, str], store: Store, account: Account
) -> list[Shard | None]:
    """Return the shards of a plan; of the cells that have labels, the account receives those that failed or miss."""
    shards = plan.shards(store)
    for key, shard in zip(plan.keys, shards, strict=True):
        if key in labels and shard is None:
            account.missing.append(key)
        elif key in labels and shard:
            account.computation.add(name, shard["made"], plan.source)
            if shard["status"] != "ok":
                account.failed.append(failed(labels[key], key, shard, store))
    return shards


def write_tables(
    directory: Path,
    experiments: Sequence[TitledPlan],
    settings: Settings,
    start: float,
    use: Callable[[TitledPlan, list[Row], Selection, Rows], None],
    *,
    single: bool = False,
) -> tuple[Account, Provenance]:
    """Write ``paths.csv``, ``summary.csv`` and ``provenance.json`` of the finished cells of some experiments.

    Parameters
    ----------
    experiments : sequence of TitledPlan
    start : float
        The start of the command, by `time.perf_counter`.
    use : callable
        ``use(experiment, rows, selection, summary)`` is called for each experiment that has a selected grid point.
    single : bool
        Whether there is only one experiment. The provenance then describes it in full.

    Returns
    -------
    Account, Provenance
        The latter is the record of ``provenance.json``.
    """
    account, summaries = Account(), list[dict[str, Any]]()

    def keep(experiment: TitledPlan, rows: list[Row], selection: Selection) -> None:
        found = summary_rows(experiment.plan, selection)
        summaries.extend(found)
        use(experiment, rows, selection, found)

    refuse_links(directory, settings.results)
    write_csv_parts(directory / "paths.csv", collect(experiments, settings.store, account, keep))
    write_csv(directory / "summary.csv", summaries, COLUMNS)
    datasets = [experiment.plan.dataset for experiment in experiments]
    record = provenance(datasets, account.computation, perf_counter() - start, settings.engine)
    write_provenance(directory / "provenance.json", record, _about(experiments[0].plan) if single else {})
    return account, record


def _about(plan: Plan) -> About:
    return {"experiment": plan.experiment.to_json(), "chosen_by": {"select_by": plan.metric, "rule": plan.rule}}
