"""Processes of this machine, started by loky. A process that dies loses only the cell that it was computing."""

import signal
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Timer
from time import monotonic, sleep

from kernlearn.atomic import make_directory
from kernlearn.interrupts import uninterrupted
from kernlearn.places import code_directory
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines.guard import CellFunction, perform, within
from kernlearn.runner.engines.slots import dismiss, executor_of, nothing_from_here, send_signal, without_interrupts
from kernlearn.runner.engines.worker import TOO_LONG, Overdue
from kernlearn.runner.store.files import refuse_links
from kernlearn.runner.store.notes import last_words
from kernlearn.runner.store.progress import PATIENT, Position, Stopped, gently, say_patience, stopping
from kernlearn.runner.store.store import Store

#: If a process ends without a traceback (killed, perhaps because memory ran out), the cell may not be the cause. The
#: cell is tried again before it counts as failed. After a traceback it is not.
SILENT_DEATHS = 2
#: Seconds between two checks for workers that exceed their time and hang.
LOOK = 3.0
#: Seconds that workers have to end their iterations when they are stopped.
LAST_ROUND = 60.0
#: Seconds between two checks whether they have ended.
LAST_LOOK = 0.02

#: The slot of a worker that has finished a cell, and the cell's status or the reason why there is none.
Finished = SimpleQueue[tuple[int, Cell, Future[str]]]


def run(
    cells: Sequence[Cell],
    store: Store,
    work: CellFunction,
    *,
    jobs: int,
    may_run_here: bool = True,
    last_round: float = LAST_ROUND,
    **limits: float,
) -> Iterator[str]:
    """Compute cells in `jobs` processes; 0 means one for each core.

    A single process without limits is this process, if `may_run_here` allows it. Each other process has its own
    executor. If one dies, its cell is known at once, and the others are not disturbed. After an interruption, processes
    have `last_round` seconds to end their iterations.

    Raises `Stopped` after an interruption.
    """
    from joblib import cpu_count  # slow to import, so not before it is needed

    root = store.root.absolute()
    jobs = min(jobs or cpu_count(), max(1, len(cells)))
    refuse_links(root / "workers", root.parent)
    make_directory(root / "workers")  # early, since an error would be a traceback in every process
    if jobs == 1 and may_run_here and not limits["memory"] and not limits["time_limit"]:
        with gently():
            for cell in cells:
                yield perform(cell, root, work, limits)
                if stopping():
                    raise Stopped({})
        return
    code_directory()  # early, so that an error is reported once and not by every process
    pool = Pool(cells, store, work, limits)
    try:
        for slot in range(jobs):
            pool.start(slot)
        while pool.left:
            if status := pool.next_status():
                yield status
    except (KeyboardInterrupt, SystemExit) as error:
        positions = dict(error.positions) if isinstance(error, Stopped) else {}
        positions |= _last_rounds(
            root, {slot: future for slot, (_, future) in pool.at_work.items()}, pool.ended, last_round
        )
        if isinstance(error, SystemExit):
            raise
        raise Stopped(positions) from None
    finally:
        if pool.left:  # stopped early: unfinished cells are given up
            with uninterrupted():
                for slot in range(jobs):
                    dismiss(root, slot)


class Pool:
    """Cells that wait, run or have ended in processes of this machine.

    Attributes
    ----------
    left : int
        The number of cells without a status.
    at_work : dict
        By slot, the key of the cell that its process computes, and the future of its status.
    ended : set of Future
        The futures that have a status, or an error.
    """

    def __init__(self, cells: Sequence[Cell], store: Store, work: CellFunction, limits: Mapping[str, float]):
        self.left, self.at_work, self.ended = len(cells), dict[int, tuple[str, Future[str]]](), set[Future[str]]()
        self._store, self._root, self._work, self._limits = store, store.root.absolute(), work, limits
        self._waiting, self._deaths = deque(cells), dict[str, int]()
        self._finished: Finished = SimpleQueue()
        self._overdue, self._late = Overdue(self._root, limits["time_limit"]), set[str]()

    def start(self, slot: int) -> None:
        """Let the process of a slot compute the next cell, if there is one."""
        if self._waiting:
            cell = self._waiting.popleft()
            try:
                self._submit(slot, cell)
            except BrokenExecutor:  # it was killed while it was idle
                dismiss(self._root, slot)
                self._submit(slot, cell)

    def _submit(self, slot: int, cell: Cell) -> None:
        with nothing_from_here(), uninterrupted(), without_interrupts():
            executor, runner = executor_of(self._root, slot), self._overdue.runner
            future = executor.submit(perform, cell, self._root, self._work, self._limits, runner)
            self.at_work[slot] = cell.key, future
            future.add_done_callback(self.ended.add)
            future.add_done_callback(lambda done: self._finished.put((slot, cell, done)))

    def next_status(self) -> str:
        """Wait for a cell and return its status, or "" if it is tried again or no cell has ended for a while."""
        try:
            slot, cell, future = self._finished.get(timeout=LOOK if self._limits["time_limit"] else None)
        except Empty:
            self._kill_overdue()
            return ""
        del self.at_work[slot]
        try:
            status = future.result()
        except BrokenExecutor as error:
            dismiss(self._root, slot)
            status = self._status_of_dead(cell, str(error))
        self.left -= bool(status)
        self.start(slot)
        return status

    def _kill_overdue(self) -> None:
        """Kill processes that exceed their time and hang. Their executors notice the end."""
        self._late |= self._overdue.keys()
        for slot in [slot for slot, (key, _) in self.at_work.items() if key in self._late]:
            send_signal(self._root, slot, signal.SIGKILL)

    def _status_of_dead(self, cell: Cell, error: str) -> str:
        """Return the status of a cell whose process has died, or "" if it waits for another attempt."""
        key, words = cell.key, last_words(self._root, cell.key)
        self._deaths[key] = self._deaths.get(key, 0) + 1
        if not words and key not in self._late and self._deaths[key] < SILENT_DEATHS:
            self._waiting.append(cell)
            return ""
        cause = TOO_LONG if key in self._late else cause_of_death(words, error, self._limits["memory"])
        self._store.write(key, failure(cell, cause, words or error))
        return "failed"


def _last_rounds(
    root: Path, at_work: dict[int, Future[str]], ended: set[Future[str]], seconds: float
) -> dict[str, Position]:
    """Let the workers of some slots end their iterations within some seconds; return the positions of cells by key.

    The queue does not show which workers are left, since an interruption may come before an entry is noted. The futures
    are not asked either: a second Ctrl-C in the middle would leave their locks closed, and the exit would hang.
    """
    for slot in at_work:
        send_signal(root, slot, signal.SIGTERM)
    later, positions = Timer(PATIENT, say_patience), dict[str, Position]()
    later.daemon = True
    later.start()
    end, futures = monotonic() + seconds, set(at_work.values())
    try:
        while not futures <= ended and monotonic() < end:
            sleep(LAST_LOOK)
        for future in futures & ended:
            if isinstance(error := future.exception(), Stopped):
                positions |= error.positions
    finally:
        later.cancel()
    return positions


def cause_of_death(words: str, error: str, memory: float) -> str:
    """Return in one line why a process died, from its traceback or else from its parent's error and its limit."""
    if words.startswith("Timeout"):
        return TOO_LONG
    if words:
        return f"worker died: {words.splitlines()[0]}"
    signals = error[error.rfind("{") : error.rfind("}") + 1]
    limit = f" (the limit is {within(memory)})" if memory else ""
    return f"worker died {SILENT_DEATHS} times, exit code {signals or 'unknown'}: out of memory{limit}, or killed"
