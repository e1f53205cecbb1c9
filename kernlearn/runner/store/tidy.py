"""What killed processes leave in a results directory, and when it goes."""

import os
import time
from contextlib import suppress
from pathlib import Path

from kernlearn.runner.store.files import create, remove_abandoned
from kernlearn.runner.store.notes import forget_the_dead
from kernlearn.runner.store.partial import partials
from kernlearn.runner.store.store import Store

#: Seconds between two sweeps: one reads the names of all files, of which there may be a million.
DAY = 86400.0


def tidy(results: Path, every: float = DAY) -> None:
    """Remove temporary files, finished parts of cells that are finished, and notes of processes that are gone.

    Nothing is done if that was done less than `every` seconds ago, going by the time of ``shards/.tidied``. What may
    still be of use to anybody stays: see `kernlearn.runner.store.files.ABANDONED` and
    `kernlearn.runner.store.notes.FORGOTTEN`.
    """
    store = Store(results / "shards")
    if store.root.is_dir():
        with suppress(OSError):  # of another user, or another runner has begun: it is for them
            _stamp(store.root / ".tidied", every)
            remove_abandoned(results)
            forget_the_dead(store.root)
            unfinished, there = partials(store), store.listing()
            for key in unfinished.listing():
                if there.get(key) == "ok":
                    unfinished.remove(key)


def _stamp(path: Path, every: float) -> None:
    """Renew a file; raise `FileExistsError` if it is younger than that."""
    with suppress(FileNotFoundError):
        if time.time() - path.lstat().st_mtime < every:
            raise FileExistsError(path)
        path.unlink()
    os.close(create(path))
