"""Compute one cell: its rows or its error, and its provenance."""

import traceback
from collections.abc import Callable
from typing import cast

from threadpoolctl import threadpool_limits

from kernlearn.evaluation import Row
from kernlearn.runner.cell.baseline import measure_baseline
from kernlearn.runner.cell.cell import BaselineCell, Cell, PathCell
from kernlearn.runner.cell.measure import measure
from kernlearn.runner.provenance.made import Effort, made
from kernlearn.runner.provenance.sources import source_of_baselines
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.records import Shard, Source


def run_cell(cell: Cell, partial: Partial | None = None) -> Shard:
    """Solve the grid of a cell and measure every point, or fit a baseline and measure it.

    Parameters
    ----------
    cell : PathCell or BaselineCell
    partial : Partial, optional
        The store of the finished blocks of the cell, from which it resumes after an interruption.

    Returns
    -------
    dict
        ``status`` ("ok" or "failed"), ``rows``, ``cell`` and ``made``, the provenance with time and memory
        (`kernlearn.runner.provenance.made`). A failure is a result, not an exception: it also has ``error`` (one line)
        and ``traceback``.
    """
    if isinstance(cell, BaselineCell):
        return attempt(cell, source_of_baselines, lambda: measure_baseline(cell))
    found = cast(PathCell, cell)

    def rows() -> list[Row]:
        if partial:
            partial.source = found.source["digest"]
        return measure(found, partial)

    return attempt(cell, lambda: found.source, rows)


def attempt(cell: Cell, source_of: Callable[[], Source], rows_of: Callable[[], list[Row]]) -> Shard:
    """Return the payload of a cell, as `run_cell` does, with the rows and the source from two functions."""
    effort, source = Effort(), None
    try:
        with threadpool_limits(1):  # same arithmetic, whatever else runs on the machine
            source = source_of()
            rows = rows_of()
    except Exception as error:
        return {**failure(cell, _one_line(error), traceback.format_exc()), "made": effort.made(source)}
    return {"status": "ok", "cell": cell.to_json(), "rows": rows, "made": effort.made(source)}


def failure(cell: Cell, error: str, trace: str) -> Shard:
    """Return the payload of a cell that has failed."""
    return {"status": "failed", "cell": cell.to_json(), "rows": [], "error": error, "traceback": trace, "made": made()}


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
