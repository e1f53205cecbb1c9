"""Execute cells with an engine. Each finished cell is stored immediately."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.engines import ENGINES
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.engines.options import ENGINE_OPTIONS, defaults_of
from kernlearn.runner.store.store import Store

WORTH_A_LISTING = 1000


def pending(cells: Sequence[Cell], store: Store, *, force: bool = False, retry_failed: bool = False) -> list[Cell]:
    """Return the cells without a sound shard, with `retry_failed` also the failed ones, with `force` all."""
    if force:
        return list(cells)
    # A listing saves a million failing calls of open, but for a few cells it would read too many names.
    finished = store.listing() if len(cells) > WORTH_A_LISTING else None
    missing = []
    for cell in cells:
        key = cell.key
        status = store.sound(key) if finished is None or key in finished else None
        if status is None or (retry_failed and status == "failed"):
            missing.append(cell)
    return missing


def execute(
    cells: Sequence[Cell],
    store: Store,
    *,
    jobs: int = 0,
    engine: Mapping[str, Any] | None = None,
    work: CellFunction = run_cell,
) -> Iterator[str]:
    """Run cells and yield the status of each as it finishes.

    Parameters
    ----------
    store : Store
        Each worker writes the shards of its cells there itself, so finished cells survive later errors.
    jobs : int
        Number of processes of this machine if no `engine` is given; 0 means one for each core.
    engine : mapping, optional
        The checked ``engine`` group of a configuration. Missing options have their defaults.
    work : callable
        Returns the payload of a cell.
    """
    if not cells:
        return
    asked = dict(engine or {"name": "local", "jobs": jobs})
    name = asked.pop("name")
    options = defaults_of(ENGINE_OPTIONS[name]) | asked
    options.pop("headroom", None)  # `needs` includes it
    yield from ENGINES[name](cells, store, work, **options)
