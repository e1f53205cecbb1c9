"""One cell in one process: limits, a note of what is running, and a traceback even of a sudden end.

Every process that computes has one file, ``workers/<host>-<pid>`` beside the shards. Its first line says which cell is
running; should the process end in the middle, it stays there, and `faulthandler` has written the traceback below: after
a segmentation fault or an abort, and after the time limit, which is watched by a thread that no computation can block.
"""

import faulthandler
import json
import os
import platform
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any
from uuid import uuid4

from kernlearn.compiled import start
from kernlearn.runner.plan.plan import cell_key, failure
from kernlearn.runner.store.files import ABANDONED, NotOurs, create, make_directory, read_regular, refuse_links
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.progress import INTERRUPTED, Position, Stopped, in_words, stop, stopping
from kernlearn.runner.store.reading import parse_json
from kernlearn.runner.store.records import Cell, Shard
from kernlearn.runner.store.store import Store

#: Gives the payload of a cell; may keep and find the finished part of it.
Work = Callable[[Cell, Partial], Shard]

#: What may be said about every cell, and the values that mean "no limit".
NO_LIMITS: dict[str, float] = {"memory": 0.0, "time_limit": 0.0, "checkpoint": 60.0}
#: Seconds between two signs of life of a process.
HEARTBEAT = 60.0
#: Seconds beyond its time limit, or this part of it if that is less, in which a cell may end its round; as many seconds
#: later a process that has not ended does not run.
GRACE, PART = 10.0, 0.1
#: Why a cell has failed whose time was over.
TOO_LONG = "time limit: the cell took longer than engine.time_limit"
#: What errors say for want of memory, in Python, numpy, the system and C++.
NO_MEMORY = re.compile("MemoryError|allocat|bad_alloc")
#: Seconds of silence after which a process of another machine is gone: a cell may compute that long without a word.
FORGOTTEN = 30 * 86400.0
#: Bytes of a note: the tracebacks of a hundred threads are less.
LONGEST = 2**20
#: Characters of what a note calls its cell, and numbers that are larger than any of a note.
WORDS, LARGEST_NUMBER = 500, 1e12

_notes: dict[Path, int] = {}
#: Large libraries that are imported where they are first used: their memory is the process's, not that of a cell.
LATE = ("highspy", "scipy.optimize", "scipy.sparse.linalg", "sklearn.cluster", "sklearn.svm")


def perform(cell: Cell, root: Path, work: Work, limits: Mapping[str, float], runner: str = "") -> str:
    """Compute a cell, store its shard and return its status.

    Parameters
    ----------
    cell : mapping
    root : Path
        Directory of the store.
    work : callable
    limits : mapping
        ``memory``: gigabytes that the cell may take beyond what the process has; ``time_limit``: minutes, after which
        the cell ends with its round, and a little later the process; both 0 for none. ``checkpoint``: seconds between
        two writings of what is finished.
    runner : str
        Whose cell it is, for `Overdue`.

    Raises
    ------
    Stopped
        If the cells of this process are to stop (`kernlearn.runner.store.progress.stop`).
    """
    key, store, seconds, start = cell_key(cell), Store(root), 60.0 * limits["time_limit"], time.monotonic()
    note, job = open_note(root), os.environ.get("SLURM_JOB_ID")
    about = {"key": key, "label": _label(cell), "since": time.time(), "job": job, "runner": runner}

    def tell(position: Position | None = None) -> None:
        _write(note, json.dumps({**about, **(position or {})}) + "\n")

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
        words = f"{stopped.why}; stopped at {in_words(stopped.positions[key])}, from where --retry-failed goes on"
        result = failure(cell, words, traceback.format_exc())
        store.write(key, result)
    finally:
        if seconds:
            faulthandler.cancel_dump_traceback_later()
        _write(note, "")
    return result["status"]


def _label(cell: Mapping[str, Any]) -> str:
    """Return what a cell is called by those who have not planned it."""
    names = [cell[group]["name"] for group in ("dataset", "algo") if group in cell]
    return " ".join([*names, *(f"{key} {cell[key]}" for key in ("figure", "seed", "split") if key in cell)])


def last_second(time_limit: float) -> float:
    """Return after how many seconds a process ends whose cell has a limit, in seconds, and does not end by itself."""
    return time_limit + min(GRACE, PART * time_limit)


def _limited(cell: Cell, partial: Partial, work: Work, memory: float) -> Shard:
    """Return what a cell gives within so many gigabytes; where these are too few, even to say so, a failure."""
    try:
        with _memory_limit(memory):
            result = work(cell, partial)
    except MemoryError:
        result = failure(cell, "MemoryError: the cell could not begin", traceback.format_exc())
    if memory and NO_MEMORY.search(error := result.get("error", "")):
        result["error"] = f"{error.rstrip(': ')} (the limit is {within(memory)}: raise it, and --retry-failed)"
    return result


def within(memory: float) -> str:
    """Return how a limit of so many gigabytes is given."""
    return f"engine.memory={memory:g}"


def enter_worker(root: Path, parent: int) -> None:
    """Prepare a process that only computes cells: it leaves with its parent, and its faults leave a trace."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the runner, which ends its workers
    signal.signal(signal.SIGTERM, stop)  # by which it asks them first
    note = open_note(root)
    faulthandler.enable(note)
    threading.Thread(target=_watch, args=(parent, note), daemon=True).start()


def last_words(root: Path, key: str) -> str:
    """Return what the process that died over a cell has left behind: a traceback, or nothing; and clear it away."""
    found = ""
    for path in _notes_in(root):
        try:
            first, _, words = _text(path).partition("\n")
            if key in first and words:
                path.unlink()
                found = words
        except OSError:
            continue  # another runner has just read it
    return found


def running(root: Path) -> Iterator[dict[str, Any]]:
    """Yield the notes of all processes that are computing a cell, with ``silent``, the seconds since a sign of life.

    Those of dead processes of this machine are left out; those of other machines are to be judged by their silence.
    """
    for path in _notes_in(root):
        machine, _, pid = path.name.rpartition("-")
        note, silent = _note(path), _silence(path)
        if note and not _dead(machine, pid):
            yield {**note, "host": machine, "silent": silent}


def forget_the_dead(root: Path) -> None:
    """Remove the notes of processes that have ended: of this machine when nobody may want their last words any more."""
    for path in _notes_in(root):
        machine, _, pid = path.name.rpartition("-")
        silent = _silence(path)
        try:
            if silent > FORGOTTEN or (_dead(machine, pid) and (silent > ABANDONED or not path.lstat().st_size)):
                path.unlink()
        except OSError:  # somebody else has done it, or may do it
            continue


class Overdue:
    """Tells the cells whose time is over and whose processes have not ended: stopped, they cannot end themselves.

    Time is counted from when the last note of a cell is first seen, for the clocks of other machines are not to be
    relied on, and where a process has died another may have begun. Notes of other runners, which may have other
    limits, count for nothing.

    Parameters
    ----------
    root : Path
    time_limit : float
        Minutes; 0 for none.

    Attributes
    ----------
    runner : str
        The name of this runner, which the notes of its cells have.
    """

    def __init__(self, root: Path, time_limit: float):
        self.root, self.runner = root, uuid4().hex
        self.seconds = last_second(60.0 * time_limit) + GRACE if time_limit else inf
        self._seen: dict[tuple[str, float], float] = {}

    def keys(self) -> set[str]:
        """Return their keys; to be asked every few seconds."""
        now = time.monotonic()
        there = [(note["key"], note["since"]) for note in running(self.root) if note.get("runner") == self.runner]
        self._seen = {one: self._seen.get(one, now) for one in there}
        last: dict[str, float] = {}
        for (key, _), since in self._seen.items():
            last[key] = max(since, last.get(key, since))
        return {key for key, since in last.items() if now - since > self.seconds}


def noted(root: Path) -> set[str]:
    """Return the cells that processes were computing when they last said something, be they alive or dead."""
    return {note["key"] for path in _notes_in(root) if (note := _note(path))}


def alive(pid: int) -> bool:
    """Return whether there is such a process on this machine; on Windows it is taken for granted."""
    if sys.platform == "win32":  # where a signal of 0 ends the process
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _text(path: Path) -> str:
    return read_regular(path, LONGEST).decode(errors="replace")


def _note(path: Path) -> dict[str, Any] | None:
    """Return what a process says that it computes; None if it says nothing, or the file is none of ours."""
    try:
        note = parse_json(_text(path).partition("\n")[0].encode())
    except (OSError, ValueError):
        return None
    return note if isinstance(note, dict) and _sound(**{"key": None, "since": None, **note}) else None


def _sound(key: Any, since: Any, label: Any = "", point: Any = 0, of: Any = 0, **_: Any) -> bool:
    """Return whether a note can be shown: in one line, and with no more digits than there is reason for."""
    words = all(isinstance(text, str) and len(text) <= WORDS and text.isprintable() for text in (key, label))
    return words and all(
        isinstance(n, int | float) and -LARGEST_NUMBER < n < LARGEST_NUMBER for n in (since, point, of)
    )


def _silence(path: Path) -> float:
    try:
        return time.time() - path.lstat().st_mtime
    except OSError:  # it has just ended
        return 0.0


def _dead(machine: str, pid: str) -> bool:
    """Return whether a process was one of this machine and is no more."""
    return machine == platform.node() and pid.isdecimal() and not alive(int(pid))


def _note_path(root: Path, pid: int) -> Path:
    return Path(root) / "workers" / f"{platform.node()}-{pid}"


def _notes_in(root: Path) -> list[Path]:
    directory = Path(root) / "workers"
    try:
        refuse_links(directory, directory.parents[1])
        return sorted(directory.iterdir())
    except (FileNotFoundError, NotADirectoryError, NotOurs):
        return []


def open_note(root: Path) -> int:
    """Return the descriptor of the file in which this process says what it does."""
    path = _note_path(root, os.getpid())
    if path not in _notes:
        refuse_links(path.parent, Path(root).parent)
        make_directory(path.parent)
        # Of a process that had the same number, or a link to where nothing is to be written.
        path.unlink(missing_ok=True)
        _notes[path] = create(path, os.O_RDWR | os.O_APPEND)
    return _notes[path]


def _write(note: int, text: str) -> None:
    try:
        os.ftruncate(note, 0)
        if text:
            os.write(note, text.encode())
    except OSError:  # a full disk: the shard will say so, and with a file name
        pass


def _watch(parent: int, note: int) -> None:
    beat = time.monotonic()
    while os.getppid() == parent:
        time.sleep(1.0)
        if time.monotonic() - beat > HEARTBEAT:
            beat = time.monotonic()
            if os.utime in os.supports_fd:  # not on Windows, where a long cell looks silent
                os.utime(note)
    os._exit(1)


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
