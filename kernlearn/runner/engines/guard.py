"""Run one cell in one process, within its limits of memory and time, and store its shard, even if it fails.

A note names the running cell (`kernlearn.runner.store.notes`). If the process ends in the middle, `faulthandler` writes
a traceback below it. This covers segmentation faults, aborts and the time limit. A thread watches the time limit, and
no computation can block this thread.
"""

import faulthandler
import json
import os
import re
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from kernlearn.compiled import start
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines.worker import TOO_LONG, last_second
from kernlearn.runner.store.notes import open_note, write_note
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.progress import INTERRUPTED, Position, Stopped, in_words, stopping
from kernlearn.runner.store.records import Shard
from kernlearn.runner.store.store import Store

#: Returns the payload of a cell; can store and load its finished part.
CellFunction = Callable[[Cell, Partial], Shard]

#: Texts of out-of-memory errors in Python, numpy, the system and C++.
NO_MEMORY = re.compile("MemoryError|allocat|bad_alloc")

#: Large libraries that are imported at their first use. Their memory counts for the process, not for a cell.
LATE = ("highspy", "scipy.optimize", "scipy.sparse.linalg", "sklearn.cluster", "sklearn.svm")


def perform(cell: Cell, root: Path, work: CellFunction, limits: Mapping[str, float], runner: str = "") -> str:
    """Compute a cell, store its shard and return its status.

    Raises `Stopped` if the cells of this process were asked to stop (`kernlearn.runner.store.progress.stop`).

    Parameters
    ----------
    root : Path
        Directory of the store.
    limits : mapping
        ``memory``: gigabytes that the cell may take in addition to the memory of the process, 0 for no limit.
        ``time_limit``: minutes after which the cell ends with its iteration, and a little later the process; 0 for no
        limit. ``checkpoint``: seconds between two writings of the finished part.
    runner : str
        The name of the runner that the cell belongs to, for `Overdue`.
    """
    key, store, seconds, start = cell.key, Store(root), 60.0 * limits["time_limit"], time.monotonic()
    note, job = open_note(root), os.environ.get("SLURM_JOB_ID")
    about = {"key": key, "label": cell.label, "since": time.time(), "job": job, "runner": runner}

    def tell(position: Position | None = None) -> None:
        write_note(note, json.dumps({**about, **(position or {})}) + "\n")

    def ends() -> str:
        late = seconds and time.monotonic() - start > seconds
        return INTERRUPTED if stopping() else TOO_LONG if late else ""

    partial = Partial(store, key, limits["checkpoint"], tell, ends)
    tell()
    try:
        if seconds:
            faulthandler.dump_traceback_later(last_second(seconds), exit=True, file=note)
        result = _limited(cell, partial, work, limits["memory"])
        store.write(key, result)
        partial.remove()
    except Stopped as stopped:
        if stopped.why == INTERRUPTED:
            raise
        words = f"{stopped.why}; stopped at {in_words(stopped.positions[key])}, from where --retry-failed resumes"
        result = failure(cell, words, traceback.format_exc())
        store.write(key, result)
    finally:
        if seconds:
            faulthandler.cancel_dump_traceback_later()
        write_note(note, "")
    return result["status"]


def _limited(cell: Cell, partial: Partial, work: CellFunction, memory: float) -> Shard:
    """Return the shard of a cell within a memory limit in gigabytes; a failure if the memory is not enough."""
    try:
        with _memory_limit(memory):
            result = work(cell, partial)
    except MemoryError:
        result = failure(cell, "MemoryError: the cell could not begin", traceback.format_exc())
    if memory and NO_MEMORY.search(error := result.get("error", "")):
        result["error"] = f"{error.rstrip(': ')} (the limit is {within(memory)}: raise it, and --retry-failed)"
    return result


def within(memory: float) -> str:
    """Return the option that sets a memory limit, in gigabytes."""
    return f"engine.memory={memory:g}"


@contextmanager
def _memory_limit(gigabytes: float) -> Iterator[None]:
    if not gigabytes:
        yield
        return
    import resource

    start()
    for library in LATE:
        import_module(library)
    old = resource.getrlimit(resource.RLIMIT_AS)
    limit = _address_space() + int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, old)


def _address_space() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
