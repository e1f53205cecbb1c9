"""One cell, computed: its rows, or why it has none, and who has made it."""

import traceback
from collections.abc import Callable
from typing import cast

from threadpoolctl import threadpool_limits

from kernlearn.evaluation import Row
from kernlearn.runner.cell.cell import Cell, PathCell
from kernlearn.runner.cell.measure import measure
from kernlearn.runner.provenance.made import Effort, made
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.records import Shard, Source


def run_cell(cell: Cell, partial: Partial | None = None) -> Shard:
    """Solve the grid of a cell and measure every point.

    Parameters
    ----------
    cell : PathCell
    partial : Partial, optional
        Where the finished blocks of the cell are kept, and found again if it was interrupted.

    Returns
    -------
    dict
        ``status`` ("ok" or "failed"), ``rows``, ``cell``, ``made`` (who computed it, when, and what it took; see
        `kernlearn.runner.provenance.made`) and, after a failure, ``error`` (one line) and ``traceback``; a failure is a
        result, not an exception.
    """
    found = cast(PathCell, cell)

    def rows() -> list[Row]:
        if partial:
            partial.source = found.source["digest"]
        return measure(found, partial)

    return attempt(cell, lambda: found.source, rows)


def attempt(cell: Cell, source_of: Callable[[], Source], rows_of: Callable[[], list[Row]]) -> Shard:
    """Return the payload of a cell, as `run_cell` does, with the rows and the source that two functions give."""
    effort, source = Effort(), None
    try:
        with threadpool_limits(1):  # the same arithmetic whatever runs beside it
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
