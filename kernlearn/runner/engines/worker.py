"""A process that only computes cells: it leaves with its parent, and ends when the time of a cell is over."""

import faulthandler
import os
import threading
import time
from math import inf
from pathlib import Path
from uuid import uuid4

from kernlearn.runner.store.notes import open_note, running
from kernlearn.runner.store.progress import stop

#: Seconds between two signs of life of a process.
HEARTBEAT = 60.0
#: Seconds beyond its time limit, or this part of it if that is less, in which a cell may end its round; as many seconds
#: later a process that has not ended does not run.
GRACE, PART = 10.0, 0.1
#: Why a cell has failed whose time was over.
TOO_LONG = "time limit: the cell took longer than engine.time_limit"


def last_second(time_limit: float) -> float:
    """Return after how many seconds a process ends whose cell has a limit, in seconds, and does not end by itself."""
    return time_limit + min(GRACE, PART * time_limit)


def enter_worker(root: Path, parent: int) -> None:
    """Prepare a process that only computes cells: it leaves with its parent, and its faults leave a trace."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the runner, which ends its workers
    signal.signal(signal.SIGTERM, stop)  # by which it asks them first
    note = open_note(root)
    faulthandler.enable(note)
    threading.Thread(target=_watch, args=(parent, note), daemon=True).start()


def _watch(parent: int, note: int) -> None:
    beat = time.monotonic()
    while os.getppid() == parent:
        time.sleep(1.0)
        if time.monotonic() - beat > HEARTBEAT:
            beat = time.monotonic()
            if os.utime in os.supports_fd:  # not on Windows, where a long cell looks silent
                os.utime(note)
    os._exit(1)


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
