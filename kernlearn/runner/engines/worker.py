"""Worker processes, which only compute cells. They exit with their parent, and at the time limit of a cell."""

import faulthandler
import os
import threading
import time
from math import inf
from pathlib import Path
from uuid import uuid4

from kernlearn.runner.store.notes import open_note, running
from kernlearn.runner.store.progress import stop

#: Seconds between two heartbeats of a process.
HEARTBEAT = 60.0
#: Seconds after its time limit, or a fraction of the limit if that is less, in which a cell may end its iteration.
#: After the same time again, a process that has not ended hangs.
GRACE, PART = 10.0, 0.1
#: The error of a cell that exceeded its time limit.
TOO_LONG = "time limit: the cell took longer than engine.time_limit"


def last_second(time_limit: float) -> float:
    """Return after how many seconds a process is ended if its cell has a time limit, in seconds, and does not stop."""
    return time_limit + min(GRACE, PART * time_limit)


def enter_worker(root: Path, parent: int) -> None:
    """Prepare a worker process: it exits with its parent, and its crashes leave a traceback."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner handles Ctrl-C and ends its workers
    signal.signal(signal.SIGTERM, stop)  # the runner asks with this signal first
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
    """Finds cells whose time is over but whose processes have not ended. A stopped process cannot end itself.

    Time is counted from the moment at which the last note of a cell is first seen: clocks of other machines are not
    reliable, and a new process may have replaced one that died. Notes of other runners are ignored, since their limits
    may differ.

    Parameters
    ----------
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
        """Return the keys of these cells. Call this every few seconds."""
        now = time.monotonic()
        notes = [(note["key"], note["since"]) for note in running(self.root) if note.get("runner") == self.runner]
        self._seen = {one: self._seen.get(one, now) for one in notes}
        last: dict[str, float] = {}
        for (key, _), since in self._seen.items():
            last[key] = max(since, last.get(key, since))
        return {key for key, since in last.items() if now - since > self.seconds}
