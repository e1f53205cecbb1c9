"""One experiment from its configuration to its tables."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kernlearn.errors import PartFailed
from kernlearn.evaluation import Selection
from kernlearn.parameters import Flag, Text
from kernlearn.report.run import describe, notes, show
from kernlearn.report.summary import COLUMNS, collect_summaries, summary_rows
from kernlearn.report.terminal import say, track
from kernlearn.runner.capacity import admit, need_of
from kernlearn.runner.cells import Cell, Plan, plan, require_score
from kernlearn.runner.config import check_engine, check_experiment, check_metric
from kernlearn.runner.execute import execute, pending
from kernlearn.runner.files import naming
from kernlearn.runner.identity import directory_name
from kernlearn.runner.provenance import computation_of, provenance, uncommitted, write_provenance
from kernlearn.runner.store import Store
from kernlearn.runner.tables import path_rows, write_csv
from kernlearn.runner.tidy import tidy


class Outcome(NamedTuple):
    """What came out of an experiment, and the results directory."""

    plan: Plan
    selection: Selection
    results: Path


def run(values: dict[str, Any], *, dry_run: bool = False, outcomes: list[Outcome] | None = None) -> None:
    """Run the experiment of a configuration; print and write what comes out, with `dry_run` nothing.

    If something was measured, it is appended to `outcomes`.

    Raises
    ------
    UserError
        If a name or value is wrong or the data cannot be had.
    OSError
        If the results directory cannot be written to.
    PartFailed
        If cells failed; their errors are in ``paths.csv``.
    """
    start = perf_counter()
    experiment, engine, metric = check_experiment(values), check_engine(values), check_metric(values)
    force, retry = (Flag().check(key, values[key]) for key in ("force", "retry_failed"))
    results = Path(str(Text().check("results_dir", values["results_dir"]))).absolute()

    todo = plan(experiment)
    require_score(todo, metric)
    describe(todo)
    for note in notes(todo):
        say(f"note       {note}")
    store = Store(results / "shards")
    missing = pending(todo.cells, store, force=force, retry_failed=retry)
    there = [key for key, cell in zip(todo.keys, todo.cells, strict=True) if cell not in missing]
    in_vain = sum(store.path(key, failed=True).exists() for key in there)
    words = f"{len(there)} already done{f', {in_vain} of them failed' if in_vain else ''}"
    say(f"cells      {len(todo.cells)}, {words}{'' if missing else ': nothing to run'}")
    engine = within_capacity([todo], missing, engine, show=dry_run)
    if dry_run:
        return
    require_writable(results)
    try:
        track(execute(missing, store, engine=engine), len(missing), "cell")
    except KeyboardInterrupt:
        kept = len(todo.cells) - len(pending(todo.cells, store))
        say(f"interrupted: {kept} of {len(todo.cells)} cells are kept, the same command goes on from there")
        raise

    if engine.get("detach") and missing:
        say("submitted; the same command watches and collects")
        return
    rows = path_rows(todo, store, metric)
    failed = [row for row in rows if "point" not in row]
    directory = results / "runs" / directory_name(todo, metric)
    write_csv(directory / "paths.csv", rows)  # first: whatever becomes of the selection, this is what was measured
    selection = todo.select(rows, metric)
    summary = summary_rows(todo, selection) if selection else []
    write_csv(directory / "summary.csv", summary, COLUMNS)
    wall_seconds = perf_counter() - start
    record = provenance([todo.dataset], computation_of([todo], store), wall_seconds, engine)
    write_provenance(directory / "provenance.json", {"experiment": experiment, **record})
    collect_summaries(results)

    if selection and outcomes is not None:
        outcomes.append(Outcome(todo, selection, results))
    if selection:
        show(todo, selection, summary, rows, perf_counter() - start)
    if warning := uncommitted(record):
        say(f"note       {warning}")
    for row in failed:
        say(f"split {row['split']} {row['status']}")
    say(f"results: {directory.relative_to(Path.cwd()) if directory.is_relative_to(Path.cwd()) else directory}")
    if failed:
        raise PartFailed(f"{len(failed)} of {len(todo.cells)} cells failed; --retry-failed runs them again")
    if len({row["split"] for row in rows}) < len(todo.cells):
        raise PartFailed("cells are missing; the same command runs them")


def within_capacity(
    plans: Sequence[Plan], cells: Sequence[Cell], engine: Mapping[str, Any], *, show: bool = False
) -> dict[str, Any]:
    """Return the engine with no more processes than this machine has memory for, and say so if they are fewer.

    Parameters
    ----------
    plans : sequence of Plan
    cells : sequence
        Those of their cells that are to be computed.
    engine : mapping
    show : bool
        Say what the cells need, too.

    Raises
    ------
    UserError
        If a cell does not fit into the memory of this machine.
    """
    need = need_of(plans, cells)
    if need is None:
        return dict(engine)
    admitted, fewer = admit(need, engine)
    if show:
        say(f"needs      {need.words(admitted)} (estimated)")
    if fewer:
        say(f"jobs       {fewer}")
    return admitted


def require_writable(results: Path) -> None:
    """Raise OSError now rather than after the first minutes of work; and tidy up what was left there before."""
    with naming(results):
        results.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=results):
            pass
    tidy(results)
