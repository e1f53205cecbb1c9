"""A figure of a paper: its points at once, or cell by cell where it has repetitions."""

from time import perf_counter

from kernlearn.cli.flow import Account, Rows, compute, conclude, look
from kernlearn.cli.settings import Settings, require_writable
from kernlearn.datasets import load
from kernlearn.papers import Figure
from kernlearn.papers.cells import plan_figure, run_figure_cell
from kernlearn.report.figures import command_of, kept_tables, write_figure
from kernlearn.report.terminal import say
from kernlearn.runner.made import Effort
from kernlearn.runner.provenance import provenance
from kernlearn.runner.sweeps import name_of


def reproduce_figure(figure: Figure, seeds: int | None, settings: Settings) -> None:
    """Compute what is missing of a figure, print what the paper says of it, and write its files.

    Parameters
    ----------
    figure : Figure
    seeds : int, optional
        How many repetitions, by default as many as its description says; of a figure that has none, nothing.
    settings : Settings

    Raises
    ------
    PartFailed
        If cells failed or are missing, or no picture or claims can be made of the others; the rest is written.
    """
    start = perf_counter()
    if figure.points is None:
        _repeat(figure, seeds or figure.repetitions, settings, start)
        return
    require_writable(settings.results, make=not settings.dry_run)
    say(f"{figure.name}: {figure.title}")
    if settings.dry_run:
        for data in figure.data:
            load(data)  # raises where there are none
        say("points     computed anew every time, in this process: there are no cells")
        return
    effort, account = Effort(), Account()
    rows = figure.points(*kept_tables(figure, settings.results))
    account.computation.add(figure.name, effort.made())
    record = provenance([load(data) for data in figure.data], account.computation, perf_counter() - start)
    report, troubles = write_figure(figure, rows, settings.results, record, "drawn")
    account.troubles.update(troubles)
    conclude(account, record, report)


def _repeat(figure: Figure, repetitions: int, settings: Settings, start: float) -> None:
    plan = plan_figure(figure, repetitions)
    say(f"{figure.name}: {figure.title}")
    if repetitions != figure.repetitions:
        say(f"note       {repetitions} repetitions, where its description has {figure.repetitions}")
    name = f"{figure.name.replace('/', '-')}-{name_of(plan.keys)}"
    if not compute(look([plan], settings, name, command_of(figure, repetitions), run_figure_cell)):
        return
    account, rows = Account(), Rows()
    for cell, key, shard in zip(plan.cells, plan.keys, plan.shards(settings.store), strict=True):
        if shard is None:
            account.missing.append(key)
            continue
        account.computation.add(figure.name, shard["made"], plan.source)
        if shard["status"] != "ok":
            account.failed.append(f"{plan.labels[key]} failed: {shard['error']}")
        rows += [{"seed": cell["seed"], **row} for row in shard["rows"]]
    state = f"{len({row['seed'] for row in rows})} of {max(repetitions, figure.repetitions)} repetitions"
    record = provenance(plan.datasets, account.computation, perf_counter() - start, settings.engine)
    report, troubles = write_figure(figure, rows, settings.results, record, state, repetitions)
    account.troubles.update(troubles)
    conclude(account, record, report)
