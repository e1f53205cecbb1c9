"""Execution of cells, in parallel, with every finished one in the store at once."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from joblib import Parallel, cpu_count, delayed

from kernlearn.runner.cells import Cell, cell_key, run_cell
from kernlearn.runner.store import Store

Work = Callable[[Cell], dict[str, Any]]


def pending(cells: Sequence[Cell], store: Store, *, force: bool = False, retry_failed: bool = False) -> list[Cell]:
    """Return the cells that have to run: those without a shard, with `force` all, with `retry_failed` failed ones."""
    missing = []
    for cell in cells:
        shard = None if force else store.read(cell_key(cell))
        if shard is None or (retry_failed and shard["status"] != "ok"):
            missing.append(cell)
    return missing


def execute(cells: Sequence[Cell], store: Store, *, jobs: int = 0, work: Work = run_cell) -> Iterator[str]:
    """Run cells and yield the status of each as it finishes.

    Parameters
    ----------
    cells : sequence
    store : Store
        Every worker writes the shards of its cells there itself, so what is finished survives whatever comes after.
    jobs : int
        Processes; 0 means one for every core.
    work : callable
        Gives the payload of a cell.
    """
    processes = min(jobs or cpu_count(), max(1, len(cells)))
    parallel = Parallel(n_jobs=processes, return_as="generator_unordered", batch_size=1)
    yield from parallel(delayed(_run_and_store)(cell, store.root, work) for cell in cells)


def _run_and_store(cell: Cell, root: Path, work: Work) -> str:
    result = work(cell)
    Store(root).write(cell_key(cell), result)
    return result["status"]
