"""The workers of a Dask cluster.

Cells are submitted directly to the scheduler. With joblib's backend, a cell that kills its worker would end the whole
call; here it ends only its own future. Dask runs a cell again if its worker was lost, and gives up after some attempts
(``distributed.scheduler.allowed-failures``). It keeps nothing on disk; the store does.

A running worker ends at its own time limit. A worker can also hang, if it is stopped or its machine swaps. This is
detected here by its note. The worker is then removed from the scheduler, and its other cells go elsewhere.
"""

import faulthandler
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from kernlearn.errors import PartFailed, UserError, one_line
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines import cluster
from kernlearn.runner.engines.guard import CellFunction, perform
from kernlearn.runner.engines.local import cause_of_death
from kernlearn.runner.engines.placement import beside_each_other, by_memory
from kernlearn.runner.engines.worker import TOO_LONG, Overdue
from kernlearn.runner.store.notes import last_words, open_note
from kernlearn.runner.store.store import Store

#: Cells submitted for each worker; more would only fill the scheduler's memory.
AHEAD = 16
#: Seconds between two checks of finished cells and of the workers.
TICK, LOOK = 0.01, 3.0
#: Seconds without a worker after which the run ends.
PATIENCE = 20.0
#: The place of a cell that waits because no worker suits it now.
NOWHERE = "nowhere"


def run(
    cells: Sequence[Cell],
    store: Store,
    work: CellFunction,
    *,
    address: str,
    needs: Mapping[str, float] | None = None,
    **limits: float,
) -> Iterator[str]:
    """Compute cells on the cluster whose scheduler is at `address`. Its workers see the same results directory.

    `needs` gives the memory of cells, in bytes by key. A cell goes to a worker whose limit is high enough. Cells that
    need most memory come first.

    Raises `UserError` if Dask is not installed, if the cluster does not pass the checks
    (`kernlearn.runner.engines.cluster`), or if no worker has enough memory for a cell. Raises `PartFailed` if the
    scheduler or all workers are lost during the run. Finished cells are stored.
    """
    try:
        from distributed import as_completed
    except ImportError:
        raise UserError("engine=dask: needs the package distributed: pip install dask distributed") from None
    root = store.root.absolute()
    with cluster.connect(address) as client:
        watch = Watch(client, address, Store(root), limits["memory"], limits["time_limit"], needs or {})
        groups = by_memory(cells, watch.needs)
        watch.require_room(groups[0][0])
        waiting = deque(cell for _, group in groups for cell in group)

        def submit() -> Any:
            cell = waiting.popleft()
            workers = watch.place(cell)
            future = client.submit(_perform, cell, root, work, limits, watch.runner, pure=False, workers=workers)
            watch.places[future.key] = workers
            watch.at_work[future.key] = cell
            return future

        first = [submit() for _ in range(min(len(waiting), AHEAD * len(cluster.threads(client))))]
        # Results arrive with the futures, since fetching each one would cost a round trip for each cell.
        done = as_completed(first, loop=client.loop, with_results=True, raise_errors=False)
        while watch.at_work or waiting:
            batch = done.next_batch(block=False)
            for future, result in batch:
                watch.places.pop(future.key, None)
                cell = watch.at_work.pop(future.key, None)
                if cell is None:  # given up, or withdrawn
                    continue
                status = watch.status_of(cell, future, result)
                future.release()  # otherwise Dask would compute it again if its worker is lost
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
            for taken_back in watch.stranded():
                waiting.appendleft(taken_back)
                done.add(submit())


@dataclass
class Watch:
    """The state of the cells that were submitted to a scheduler."""

    client: Any
    address: str
    store: Store
    memory: float
    time_limit: float
    #: The memory of cells in bytes, by key.
    needs: Mapping[str, float]
    #: `at_work`, `places`: the submitted cells, and the workers allowed for each (None for all), by the key of their
    #: future.
    at_work: dict[Any, Cell] = field(default_factory=dict)
    places: dict[Any, list[str] | None] = field(default_factory=dict)
    #: Keys of cells that were lost once without a traceback.
    again: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._looked = self._workers_seen = monotonic()
        self._times = Overdue(self.store.root, self.time_limit)
        self._room, self._all_fit = cluster.memories(self.client), self._looked
        self._searched = self._looked

    @property
    def runner(self) -> str:
        """The name of this runner in the notes of its cells."""
        return self._times.runner

    def require_room(self, need: float) -> None:
        """Raise `UserError` if no worker has this much memory, in bytes."""
        if self._room:
            beside_each_other(need, max(self._room.values()), 1, "the largest worker")

    def place(self, cell: Cell) -> list[str] | None:
        """Return the workers with enough memory for a cell, or None if all have enough."""
        need = self.needs.get(cell.key, 0.0)
        fitting = [worker for worker, room in self._room.items() if need <= room]
        return None if len(fitting) == len(self._room) else fitting or [NOWHERE]

    def status_of(self, cell: Cell, future: Any, result: Any) -> str:
        """Return the status of a cell whose future has ended, or "" if the cell will be computed again."""
        from distributed.scheduler import KilledWorker

        if future.status == "finished":
            return str(result)
        if future.status != "error":
            raise PartFailed(
                f"the Dask scheduler at {self.address} is gone; finished cells are stored, and the same command resumes"
            )
        problem = result[1]
        if isinstance(problem, OSError):  # the store cannot be written to
            raise problem
        if not isinstance(problem, KilledWorker):
            raise PartFailed(f"engine=dask: {one_line(problem)}")
        key = cell.key
        words = last_words(self.store.root, key)
        if not words and key not in self.again:  # perhaps it only waited on workers that died
            self.again.add(key)
            return ""
        self.store.write(key, failure(cell, cause_of_death(words, str(problem), self.memory), words or str(problem)))
        return "failed"

    def look(self) -> Iterator[str]:
        """Check regularly that there are workers and that none exceeds its time; yield the status of given-up cells."""
        if monotonic() - self._looked < LOOK:
            return
        self._looked = monotonic()
        self._room = cluster.memories(self.client) or self._room
        if cluster.threads(self.client):
            self._workers_seen = monotonic()
        elif monotonic() - self._workers_seen > PATIENCE:
            raise PartFailed(
                f"the Dask scheduler at {self.address} has no workers any more; finished cells are stored, and the "
                "same command resumes"
            )
        if self.time_limit:
            yield from self._overdue()

    def stranded(self) -> list[Cell]:
        """Withdraw the cells whose workers are all gone, so that new workers can compute them.

        Raises `PartFailed` if there has been no suitable worker for a while.
        """
        if not self.needs or monotonic() - self._searched < LOOK:
            return []
        self._searched = monotonic()
        lost = {key: self.at_work[key] for key, workers in self.places.items() if self._is_gone(workers)}
        fitting = {key: cell for key, cell in lost.items() if self.needs[cell.key] <= max(self._room.values())}
        if len(fitting) == len(lost):
            self._all_fit = monotonic()
        elif monotonic() - self._all_fit > PATIENCE:
            raise PartFailed(
                f"the Dask scheduler at {self.address} has no worker any more with enough memory for some cells; "
                "finished cells are stored, and the same command resumes"
            )
        for key in fitting:
            del self.at_work[key], self.places[key]
            cluster.forget(self.client, key)
        return list(fitting.values())

    def _is_gone(self, workers: list[str] | None) -> bool:
        return workers is not None and self._room.keys().isdisjoint(workers)

    def _overdue(self) -> Iterator[str]:
        late = self._times.keys()
        for future_key, cell in list(self.at_work.items()) if late else ():
            key = cell.key
            if key in late:
                del self.at_work[future_key]
                self.places.pop(future_key, None)
                self.store.write(key, failure(cell, TOO_LONG, "the process was not running and could not end itself"))
                cluster.give_up(self.client, future_key)
                yield "failed"


def _perform(cell: Cell, root: Path, work: CellFunction, limits: Mapping[str, float], runner: str) -> str:
    faulthandler.enable(open_note(root))
    return perform(cell, root, work, limits, runner)
