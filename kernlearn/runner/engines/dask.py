"""The workers of a Dask cluster.

Cells are submitted to the scheduler directly, not through joblib's backend: there one cell that kills its worker ends
the whole call, here it ends its own future. Dask starts a cell again whose worker was lost, and gives up after some
times (``distributed.scheduler.allowed-failures``); it keeps nothing on disk, which is what the store is for.
"""

import faulthandler
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kernlearn.errors import UserError
from kernlearn.runner.cells import Cell, cell_key, failure
from kernlearn.runner.engines.local import cause_of_death
from kernlearn.runner.guard import NO_LIMITS, Work, last_words, open_note, perform
from kernlearn.runner.store import Store

#: Cells that the scheduler has for every worker; more would only fill its memory.
AHEAD = 16


def run(cells: Sequence[Cell], store: Store, work: Work, *, address: str, **limits: float) -> Iterator[str]:
    """Compute cells on the cluster whose scheduler is at `address`; its workers see the same results directory.

    Raises
    ------
    UserError
        If Dask is not installed, nobody answers at the address, or workers have several threads: limits and faults are
        those of a process.
    """
    try:
        from distributed import Client, as_completed
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise UserError("engine=dask: needs the package distributed: pip install 'kernlearn[cluster]'") from None
    limits, root = {**NO_LIMITS, **limits}, store.root.resolve()
    try:
        client = Client(address, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(
            f"engine.address={address}: no Dask scheduler answers ({' '.join(str(error).split())})"
        ) from None
    with client:
        threads = client.nthreads()
        if any(count > 1 for count in threads.values()):
            raise UserError("engine=dask: workers must have one thread each: dask worker --nthreads 1 --nworkers N")
        waiting, at_work, again = deque(cells), {}, set()

        def submit() -> Any:
            cell = waiting.popleft()
            future = client.submit(_perform, cell, root, work, limits, pure=False)
            at_work[future.key] = cell
            return future

        first = [submit() for _ in range(min(len(waiting), AHEAD * max(1, len(threads))))]
        # Results come along with the futures: to ask for each would be a round trip a cell.
        running = as_completed(first, loop=client.loop, with_results=True, raise_errors=False)
        for future, status in running:
            cell = at_work.pop(future.key)
            if future.status == "error":
                problem = status[1]
                if not isinstance(problem, KilledWorker):
                    raise problem
                key, status = cell_key(cell), "failed"
                words = last_words(root, key)
                if not words and key not in again:  # perhaps it only waited on the workers that died
                    again.add(key)
                    waiting.append(cell)
                    status = ""
                else:
                    store.write(key, failure(cell, cause_of_death(words, str(problem)), words or str(problem)))
            future.release()  # or Dask would do it again, should its worker be lost
            if waiting:
                running.add(submit())
            if status:
                yield status


def _perform(cell: Cell, root: Path, work: Work, limits: Mapping[str, float]) -> str:
    faulthandler.enable(open_note(root))
    return perform(cell, root, work, limits)
