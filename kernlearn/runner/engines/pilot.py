"""A pilot: solve one cell for a short time to estimate how long such cells take. It leaves the results unchanged."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial as bound
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines import local
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.engines.slots import dismiss
from kernlearn.runner.engines.timing import duration
from kernlearn.runner.engines.worker import TOO_LONG
from kernlearn.runner.store.partial import Kept, Partial
from kernlearn.runner.store.progress import INTERRUPTED, Position, Stopped, in_words
from kernlearn.runner.store.records import Options, Shard
from kernlearn.runner.store.store import Store

#: Time limit of a pilot, in seconds.
PILOT_SECONDS = 60.0
#: Seconds that an interrupted pilot has to end its iteration.
LAST_ROUND = 2.0
#: Why the first solve ends, which only warms up imports, data and compilation; and how the error begins that gives the
#: position of a cell at its time limit.
WARM, REACHED = "warm", "reached "


class FirstPoint(Partial):
    """Ends a cell after its first grid point."""

    def look(self, position: Position, kept: Callable[[], Kept] | None = None) -> None:
        """Stop the cell after the first grid point, otherwise do as `Partial.look`."""
        if position["point"] > 1:
            raise Stopped({self.key: position}, WARM)
        super().look(position, kept)


@contextmanager
def pilot_store() -> Iterator[Store]:
    """Give the store of some pilots, in a directory that is removed; they share a process, which ends with it."""
    # A process that is killed in the middle may still be writing.
    with TemporaryDirectory(prefix="kernlearn-pilot-", ignore_cleanup_errors=True) as folder:
        store = Store(Path(folder).absolute() / "shards")
        try:
            yield store
        finally:
            dismiss(store.root, 0)


def pilot(
    cell: Cell, work: CellFunction, engine: Options, store: Store, seconds: float = PILOT_SECONDS
) -> tuple[Shard, str]:
    """Solve a cell for at most some seconds, then end its iteration; return its shard and a description.

    It is computed in a separate process, within the limits of the engine, in a store from `pilot_store`. Its first
    grid point is solved once before, within the same number of seconds, which do not count. The process has then
    imported, compiled and read what it needs. This is also the state of a process in a run, for most of its cells.

    Raises `Stopped` after an interruption.
    """
    limits = {key: engine[key] for key in ("memory", "time_limit", "checkpoint")}
    limits["time_limit"] = min(seconds / 60.0, limits["time_limit"] or seconds / 60.0)
    allowed = 60.0 * limits["time_limit"]
    shard = _solve(cell, store, bound(_first_point, work), limits)
    if shard["status"] == "ok" or shard["error"] == WARM:
        shard = _solve(cell, store, bound(_observed, work), limits)
    if shard["status"] == "ok":
        return shard, f"finished in {duration(shard['made']['seconds'])}"
    if shard["error"].startswith(REACHED):
        return shard, f"{shard['error']}, in {duration(allowed)}"
    if shard["error"].startswith(TOO_LONG):
        return shard, f"finished no iteration in {duration(allowed)}"
    return shard, f"failed: {shard['error']}"


def _solve(cell: Cell, store: Store, work: CellFunction, limits: Options) -> Shard:
    for _ in local.run([cell], store, work, jobs=1, may_run_here=False, last_round=LAST_ROUND, **limits):
        pass
    shard = store.read(cell.key)
    assert shard is not None, "an engine leaves a shard of every cell"
    return cast(Shard, shard)


def _first_point(work: CellFunction, cell: Cell, partial: Partial) -> Shard:
    """Return the shard of a cell that is ended after its first grid point."""
    nothing_kept = FirstPoint(Store(partial.store.root.parent), partial.key, inf, ends=partial.ends)
    return _observed(work, cell, nothing_kept)


def _observed(work: CellFunction, cell: Cell, partial: Partial) -> Shard:
    """Return the shard of a cell; if its time is over, with its position."""
    try:
        return work(cell, partial)
    except Stopped as stopped:
        if stopped.why == INTERRUPTED:
            raise
        words = WARM if stopped.why == WARM else f"{REACHED}{in_words(stopped.positions[partial.key])}"
        return failure(cell, words, "")
