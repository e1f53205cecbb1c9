"""Processes of this machine, by loky. A process that dies takes nothing with it but the cell it was computing."""

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Timer
from time import monotonic, sleep
from typing import Any

from kernlearn.interrupts import uninterrupted
from kernlearn.places import code_directory
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines.guard import NO_LIMITS, Work, perform, within
from kernlearn.runner.engines.worker import TOO_LONG, Overdue, enter_worker
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
_workers: dict[tuple[Path, int], Any] = {}


def run(
    cells: Sequence[Cell],
    store: Store,
    work: Work,
    *,
    jobs: int = 0,
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

    limits, root = {**NO_LIMITS, **limits}, store.root.absolute()
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
    waiting = deque(cells)
    deaths: dict[str, int] = {}
    finished: Finished = SimpleQueue()
    at_work: dict[int, tuple[str, Future[str]]] = {}
    ended = set[Future[str]]()
    overdue, late = Overdue(root, limits["time_limit"]), set[str]()

    def submit(slot: int, cell: Cell) -> None:
        with _nothing_from_here(), uninterrupted(), _without_interrupts():
            future = _worker(root, slot).submit(perform, cell, root, work, limits, overdue.runner)
            at_work[slot] = cell.key, future
            future.add_done_callback(ended.add)
            future.add_done_callback(lambda done: finished.put((slot, cell, done)))

    def start(slot: int) -> None:
        if waiting:
            cell = waiting.popleft()
            try:
                submit(slot, cell)
            except BrokenExecutor:  # it was killed while it had nothing to do
                dismiss(root, slot)
                submit(slot, cell)

    left = len(cells)
    try:
        for slot in range(jobs):
            start(slot)
        while left:
            try:
                slot, cell, future = finished.get(timeout=LOOK if limits["time_limit"] else None)
            except Empty:
                late |= overdue.keys()
                for one in [slot for slot, (key, _) in at_work.items() if key in late]:
                    _signal(root, one, signal.SIGKILL)  # it does not run; its executor sees it end
                continue
            del at_work[slot]
            try:
                status = future.result()
            except BrokenExecutor as error:
                dismiss(root, slot)
                key = cell.key
                words = last_words(root, key)
                deaths[key] = deaths.get(key, 0) + 1
                if not words and key not in late and deaths[key] < SILENT_DEATHS:
                    waiting.append(cell)
                    start(slot)
                    continue
                cause = TOO_LONG if key in late else cause_of_death(words, str(error), limits["memory"])
                store.write(key, failure(cell, cause, words or str(error)))
                status = "failed"
            left -= 1
            start(slot)
            yield status
    except (KeyboardInterrupt, SystemExit) as error:
        positions = dict(error.positions) if isinstance(error, Stopped) else {}
        positions |= _last_rounds(root, {slot: future for slot, (_, future) in at_work.items()}, ended, last_round)
        if isinstance(error, SystemExit):
            raise
        raise Stopped(positions) from None
    finally:
        if left:  # not all is done: what is still in the middle is given up
            with uninterrupted():
                for slot in range(jobs):
                    dismiss(root, slot)


def _last_rounds(
    root: Path, at_work: dict[int, Future[str]], ended: set[Future[str]], seconds: float
) -> dict[str, Position]:
    """Let the workers of some slots end their rounds in so many seconds; return where their cells are, by key.

    What is in the queue does not tell who is left: an interruption may have come between that and where it is noted.
    Nor are the futures asked: one more Ctrl-C in the middle of that would leave their locks held, and the end wait.
    """
    for slot in at_work:
        _signal(root, slot, signal.SIGTERM)
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


def _worker(root: Path, slot: int) -> Executor:
    """Return the executor of a slot; it is kept for the next call, since starting one takes a second."""
    from joblib.externals.loky import ProcessPoolExecutor

    if (root, slot) not in _workers:
        _workers[root, slot] = ProcessPoolExecutor(
            max_workers=1, initializer=enter_worker, initargs=(root, os.getpid()), timeout=None
        )
    return _workers[root, slot]


@contextmanager
def _nothing_from_here() -> Iterator[None]:
    """Let processes that are started now import nothing from the current directory, to which others may write."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes that are started now hold Ctrl-C back until they ignore it, see `enter_worker`.

    The trackers of resources let it through again where they start, so they are started before.
    """
    from multiprocessing import resource_tracker as of_python

    from joblib.externals.loky.backend import resource_tracker as of_loky

    of_python.ensure_running()
    of_loky.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def dismiss(root: Path, slot: int) -> None:
    """End the worker of a slot, if there is one."""
    executor = _workers.pop((root, slot), None)
    if executor:
        executor.shutdown(wait=False, kill_workers=True)


def _signal(root: Path, slot: int, which: signal.Signals) -> None:
    """Send a signal to the worker of a slot, if there is one."""
    for pid in list((_workers[root, slot]._processes or {}) if (root, slot) in _workers else ()):
        with suppress(ProcessLookupError):
            os.kill(pid, which)


def cause_of_death(words: str, error: str, memory: float) -> str:
    """Return in one line why a process died: by its last words, or else by what its parent knows, and its limit."""
    if words.startswith("Timeout"):
        return TOO_LONG
    if words:
        return f"worker died: {words.splitlines()[0]}"
    signals = error[error.rfind("{") : error.rfind("}") + 1]
    limit = f" (the limit is {within(memory)})" if memory else ""
    return f"worker died {SILENT_DEATHS} times, exit code {signals or 'unknown'}: out of memory{limit}, or killed"
