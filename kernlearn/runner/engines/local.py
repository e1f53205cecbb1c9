"""Processes of this machine, by loky. A process that dies takes nothing with it but the cell it was computing."""

import signal
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Timer
from time import monotonic, sleep

from kernlearn.interrupts import uninterrupted
from kernlearn.places import code_directory
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines.guard import Work, perform, within
from kernlearn.runner.engines.slots import dismiss, executor_of, nothing_from_here, send_signal, without_interrupts
from kernlearn.runner.engines.worker import TOO_LONG, Overdue
from kernlearn.runner.store.files import make_directory, refuse_links
from kernlearn.runner.store.notes import last_words
from kernlearn.runner.store.progress import PATIENT, Position, Stopped, gently, say_patience, stopping
from kernlearn.runner.store.store import Store

#: A process that ends without a word (killed, perhaps for want of memory) may not have been the cell's fault: it is
#: tried again before it counts as failed. One that left a traceback is not.
SILENT_DEATHS = 2
#: Seconds between two looks for workers that are over their time and do not run.
LOOK = 3.0
#: Seconds that workers have to end their rounds when they are stopped.
LAST_ROUND = 60.0
#: Seconds between two looks whether they have.
LAST_LOOK = 0.02

#: The slot of a worker that has ended with a cell, and the status of this, or why there is none.
Finished = SimpleQueue[tuple[int, Cell, Future[str]]]


def run(
    cells: Sequence[Cell],
    store: Store,
    work: Work,
    *,
    jobs: int,
    alone: bool = True,
    last_round: float = LAST_ROUND,
    **limits: float,
) -> Iterator[str]:
    """Compute cells in `jobs` processes, 0 being one for every core.

    One process is this one, where that is enough: without limits, and with `alone`, which says that nobody depends on
    it. Every other has an executor for itself, so that the death of one is known at once, with its cell, and disturbs
    no other. When they are interrupted, they have `last_round` seconds to end their rounds.

    Raises
    ------
    Stopped
        After an interruption.
    """
    from joblib import cpu_count  # takes a while to import, which is for nothing where all is computed

    root = store.root.absolute()
    jobs = min(jobs or cpu_count(), max(1, len(cells)))
    refuse_links(root / "workers", root.parent)
    make_directory(root / "workers")  # now: what is wrong with it would be a traceback of every process
    if jobs == 1 and alone and not limits["memory"] and not limits["time_limit"]:
        with gently():
            for cell in cells:
                yield perform(cell, root, work, limits)
                if stopping():
                    raise Stopped({})
        return
    code_directory()  # now: what is wrong with it is said once, and not by every process
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
        if pool.left:  # not all is done: what is still in the middle is given up
            with uninterrupted():
                for slot in range(jobs):
                    dismiss(root, slot)


class Pool:
    """Cells that wait, are at work or have ended in processes of this machine.

    Attributes
    ----------
    left : int
        How many have no status yet.
    at_work : dict
        By slot, the key of the cell that its process computes, and the future of its status.
    ended : set of Future
        Those that have a status, or the reason why there is none.
    """

    def __init__(self, cells: Sequence[Cell], store: Store, work: Work, limits: Mapping[str, float]):
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
            except BrokenExecutor:  # it was killed while it had nothing to do
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
        """Wait for a cell and return its status; empty if it has none yet, or none has ended for a while."""
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
        """Kill the processes that are over their time and do not run; their executors see them end."""
        self._late |= self._overdue.keys()
        for slot in [slot for slot, (key, _) in self.at_work.items() if key in self._late]:
            send_signal(self._root, slot, signal.SIGKILL)

    def _status_of_dead(self, cell: Cell, error: str) -> str:
        """Return the status of a cell whose process has died; empty if it waits for another try."""
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
    """Let the workers of some slots end their rounds in so many seconds; return where their cells are, by key.

    What is in the queue does not tell who is left: an interruption may have come between that and where it is noted.
    Nor are the futures asked: one more Ctrl-C in the middle of that would leave their locks held, and the end wait.
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
    """Return in one line why a process died: by its last words, or else by what its parent knows, and its limit."""
    if words.startswith("Timeout"):
        return TOO_LONG
    if words:
        return f"worker died: {words.splitlines()[0]}"
    signals = error[error.rfind("{") : error.rfind("}") + 1]
    limit = f" (the limit is {within(memory)})" if memory else ""
    return f"worker died {SILENT_DEATHS} times, exit code {signals or 'unknown'}: out of memory{limit}, or killed"
