"""Execution of cells by an engine, with every finished one in the store at once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.engines import ENGINES
from kernlearn.runner.engines.guard import Work
from kernlearn.runner.engines.options import ENGINE_OPTIONS, defaults_of
from kernlearn.runner.store.store import Store

WORTH_A_LISTING = 1000


def pending(cells: Sequence[Cell], store: Store, *, force: bool = False, retry_failed: bool = False) -> list[Cell]:
    """Return the cells that have to run: those without a sound shard, with `force` all, with `retry_failed` failed."""
    if force:
        return list(cells)
    # A listing spares a million failing calls of open; for a few cells it would read names of no interest.
    there = store.listing() if len(cells) > WORTH_A_LISTING else None
    missing = []
    for cell in cells:
        key = cell.key
        status = store.sound(key) if there is None or key in there else None
        if status is None or (retry_failed and status == "failed"):
            missing.append(cell)
    return missing


def execute(
    cells: Sequence[Cell],
    store: Store,
    *,
    jobs: int = 0,
    engine: Mapping[str, Any] | None = None,
    work: Work = run_cell,
) -> Iterator[str]:
    """Run cells and yield the status of each as it finishes.

    Parameters
    ----------
    cells : sequence
    store : Store
        Every worker writes the shards of its cells there itself, so what is finished survives whatever comes after.
    jobs : int
        Processes of this machine, where no `engine` is given; 0 means one for every core.
    engine : mapping, optional
        The checked ``engine`` group of a configuration; options that it leaves out have their defaults.
    work : callable
        Gives the payload of a cell.
    """
    if not cells:
        return
    asked = dict(engine or {"name": "local", "jobs": jobs})
    name = asked.pop("name")
    options = defaults_of(ENGINE_OPTIONS[name]) | asked
    options.pop("headroom", None)  # it is in the `needs`
    yield from ENGINES[name](cells, store, work, **options)
