"""Reproduce a figure of a paper: all its points at once, or cell by cell if it has repetitions."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from kernlearn.cli.configuration.settings import Settings, require_writable
from kernlearn.cli.facts.reproduction import ReproductionFacts, claim_facts
from kernlearn.cli.work.addition import part_of
from kernlearn.cli.work.failures import Account, conclude, failures, troubles
from kernlearn.cli.work.flow import Rows, compute, finished, look
from kernlearn.datasets import load
from kernlearn.errors import UserError, closest
from kernlearn.papers import Figure
from kernlearn.papers.core.cells import FigurePlan, plan_figure, run_figure_cell
from kernlearn.report.figures import WrittenFigure, command_of, kept_tables, write_figure
from kernlearn.report.pictures import require_matplotlib
from kernlearn.report.terminal import say, say_note
from kernlearn.runner.plan.sweeps import name_of
from kernlearn.runner.provenance.made import Effort
from kernlearn.runner.provenance.record import provenance
from kernlearn.runner.store.records import Provenance


def reproduce_figure(
    figure: Figure, seeds: int | None, settings: Settings, only: Sequence[str], facts: ReproductionFacts
) -> None:
    """Compute the missing cells of a figure, print the paper's claims with verdicts, and write its files.

    Raises `UserError` if matplotlib is not installed. For a figure without cells, nothing is computed or written then.
    Raises `PartFailed` if cells failed or are missing, or the picture or claims cannot be made. The rest is written.

    Parameters
    ----------
    seeds : int, optional
        The number of repetitions, by default that of its description. It has no effect on a figure without cells.
    only : sequence of str
        The cells to compute, as ``KEY=VALUE,VALUE`` of their options. The files have all finished cells.
    facts : dict
        Receives the results.
    """
    start = perf_counter()
    if figure.points is None:
        _repeat(figure, seeds or figure.repetitions, settings, only, start, facts)
        return
    require_matplotlib()  # before anything is computed or written
    require_writable(settings.results, make=not settings.dry_run)
    say(f"{figure.name}: {figure.title}")
    if settings.dry_run:
        for data in figure.data:
            load(data)  # raises if the data are not available
        say("points     computed again every time, in this process, without cells")
        return
    effort, account = Effort(), Account()
    rows = figure.points(*kept_tables(figure, settings.results))
    account.computation.add(figure.name, effort.made())
    record = provenance([load(data) for data in figure.data], account.computation, perf_counter() - start)
    written = write_figure(figure, rows, settings.results / f"{figure.name}.md", record, "drawn")
    _conclude(written, account, record, facts)


def _conclude(written: WrittenFigure, account: Account, record: Provenance, facts: ReproductionFacts) -> None:
    account.troubles.update(written.troubles)
    facts["claims"], facts["reports"] = claim_facts(written.claims), [str(written.report)]
    facts["failures"], facts["troubles"] = failures(account), troubles(account)
    conclude(account, record, written.report)


def _repeat(
    figure: Figure,
    repetitions: int,
    settings: Settings,
    only: Sequence[str],
    start: float,
    facts: ReproductionFacts,
) -> None:
    plan = plan_figure(figure, repetitions)
    part = _only(plan, only)
    say(f"{figure.name}: {figure.title}")
    if repetitions != figure.repetitions:
        say_note(f"{repetitions} repetitions; its description has {figure.repetitions}")
    name, command = f"{figure.name.replace('/', '-')}-{name_of(part.keys)}", command_of(figure, repetitions, only)
    computed = compute(look([part], settings, name, command, run_figure_cell))
    facts["computation"] = computed.facts
    if not computed.write:
        return
    account, rows, asked, n_there = Account(), Rows(), set(part.keys), 0
    for cell, shard in finished(plan, figure.name, settings.store, account):
        n_there += 1
        rows += [{"seed": cell.seed, **row} for row in shard["rows"]]
    account = replace(account, missing=[key for key in account.missing if key in asked])
    state = f"{len({row['seed'] for row in rows})} of {max(repetitions, figure.repetitions)} repetitions"
    if n_there < len(plan.cells):
        state += f", {n_there} of {len(plan.cells)} cells"
    record = provenance(plan.datasets, account.computation, perf_counter() - start, settings.engine)
    suffix = part_of(settings.results / f"{figure.name}.csv", len({row["seed"] for row in rows}), command)
    target = settings.results / f"{figure.name}{suffix}.md"
    facts["computation"] = computed.collected(account)
    written = write_figure(figure, rows, target, record, state, repetitions)
    _conclude(written, account, record, facts)


def _only(plan: FigurePlan, only: Sequence[str]) -> FigurePlan:
    """Return the plan restricted to cells whose options have one of the given values, for each given key.

    Raises `UserError` if the cells do not have such a key, or no cell has such a value.
    """
    cells = plan.cells
    for word in only:
        key, _, values = word.partition("=")
        known = list(dict.fromkeys(str(options[key]) for options in plan.figure.cells if key in options))
        keys = sorted({key for options in plan.figure.cells for key in options})
        if not known:
            there = f"choose one of {', '.join(keys)}" if keys else "each repetition is one cell"
            raise UserError(
                f"--only {word}: cells of {plan.figure.name} have no such option; {there}{closest(key, keys)}"
            )
        asked = values.split(",")
        for value in asked:
            if value not in known:
                there = f"choose from {', '.join(known)}{closest(value, known)}"
                raise UserError(f"--only {word}: no cell of {plan.figure.name} has {key}={value}, {there}")
        cells = [cell for cell in cells if str(cell.options.get(key)) in asked]
    return replace(plan, cells=cells)
