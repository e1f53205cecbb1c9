"""The workers of a Dask cluster.

Cells are submitted to the scheduler directly, not through joblib's backend: there one cell that kills its worker ends
the whole call, here it ends its own future. Dask starts a cell again whose worker was lost, and gives up after some
times (``distributed.scheduler.allowed-failures``); it keeps nothing on disk, which is what the store is for.

What ends a worker that still runs is its own time limit. One that does not run, stopped or on a machine that swaps, is
seen here, by the note of what it computes: it is taken from the scheduler, and its other cells go elsewhere.
"""

import faulthandler
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from kernlearn.errors import PartFailed, UserError, one_line
from kernlearn.runner.cells import cell_key, failure
from kernlearn.runner.engines import cluster
from kernlearn.runner.engines.local import cause_of_death
from kernlearn.runner.guard import NO_LIMITS, TOO_LONG, Overdue, Work, last_words, open_note, perform
from kernlearn.runner.records import Cell
from kernlearn.runner.store import Store

#: Cells that the scheduler has for every worker; more would only fill its memory.
AHEAD = 16
#: Seconds between two looks at what has finished, and at the workers.
TICK, LOOK = 0.01, 3.0
#: Seconds without a worker after which it is said that there are none.
PATIENCE = 20.0


def run(cells: Sequence[Cell], store: Store, work: Work, *, address: str, **limits: float) -> Iterator[str]:
    """Compute cells on the cluster whose scheduler is at `address`; its workers see the same results directory.

    Raises
    ------
    UserError
        If Dask is not installed, or the cluster is not fit to compute them (`kernlearn.runner.engines.cluster`).
    PartFailed
        If the scheduler or all workers are gone in the middle; what is finished is kept.
    """
    try:
        from distributed import as_completed
    except ImportError:
        raise UserError("engine=dask: needs the package distributed: pip install dask distributed") from None
    limits, root = {**NO_LIMITS, **limits}, store.root.resolve()
    with cluster.connect(address) as client:
        watch = Watch(client, address, Store(root), limits["memory"], limits["time_limit"])
        waiting = deque(cells)

        def submit() -> Any:
            cell = waiting.popleft()
            future = client.submit(_perform, cell, root, work, limits, pure=False)
            watch.at_work[future.key] = cell
            return future

        first = [submit() for _ in range(min(len(waiting), AHEAD * len(cluster.threads(client))))]
        # Results come along with the futures: to ask for each would be a round trip a cell.
        done = as_completed(first, loop=client.loop, with_results=True, raise_errors=False)
        while watch.at_work or waiting:
            batch = done.next_batch(block=False)
            for future, result in batch:
                cell = watch.at_work.pop(future.key, None)
                if cell is None:  # given up
                    continue
                status = watch.status_of(cell, future, result)
                future.release()  # or Dask would do it again, should its worker be lost
                if status:
                    yield status
                else:
                    waiting.append(cell)
                if waiting:
                    done.add(submit())
            if not batch:
                sleep(TICK)
            for status in watch.look():
                yield status
                if waiting:
                    done.add(submit())


@dataclass
class Watch:
    """What is known of the cells that a scheduler has.

    Attributes
    ----------
    at_work : dict
        Those cells, by the key of their future.
    again : set of str
        Keys of cells that were lost once without a word.
    """

    client: Any
    address: str
    store: Store
    memory: float
    time_limit: float
    at_work: dict[Any, Cell] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._looked = self._workers_seen = monotonic()
        self._times = Overdue(self.store.root, self.time_limit)

    def status_of(self, cell: Cell, future: Any, result: Any) -> str:
        """Return the status of a cell whose future has ended; empty if it is to be computed again."""
        from distributed.scheduler import KilledWorker

        if future.status == "finished":
            return str(result)
        if future.status != "error":
            raise PartFailed(
                f"the Dask scheduler at {self.address} is gone; what is finished is kept, and the same command goes on"
            )
        problem = result[1]
        if isinstance(problem, OSError):  # the store cannot be written to
            raise problem
        if not isinstance(problem, KilledWorker):
            raise PartFailed(f"engine=dask: {one_line(problem)}")
        key = cell_key(cell)
        words = last_words(self.store.root, key)
        if not words and key not in self.again:  # perhaps it only waited on the workers that died
            self.again.add(key)
            return ""
        self.store.write(key, failure(cell, cause_of_death(words, str(problem), self.memory), words or str(problem)))
        return "failed"

    def look(self) -> Iterator[str]:
        """See from time to time whether there are workers, and none is over its time; yield what is given up."""
        if monotonic() - self._looked < LOOK:
            return
        self._looked = monotonic()
        if cluster.threads(self.client):
            self._workers_seen = monotonic()
        elif monotonic() - self._workers_seen > PATIENCE:
            raise PartFailed(
                f"the Dask scheduler at {self.address} has no workers any more; what is finished is kept, and the same "
                "command goes on"
            )
        if self.time_limit:
            yield from self._overdue()

    def _overdue(self) -> Iterator[str]:
        late = self._times.keys()
        for future_key, cell in list(self.at_work.items()) if late else ():
            key = cell_key(cell)
            if key in late:
                del self.at_work[future_key]
                self.store.write(
                    key, failure(cell, TOO_LONG, "the process did not run, so that it could not end itself")
                )
                cluster.give_up(self.client, future_key)
                yield "failed"


def _perform(cell: Cell, root: Path, work: Work, limits: Mapping[str, float]) -> str:
    faulthandler.enable(open_note(root))
    return perform(cell, root, work, limits)
