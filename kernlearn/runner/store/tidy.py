"""Remove the files that killed processes leave in a results directory."""

import os
import time
from contextlib import suppress
from pathlib import Path

from kernlearn.atomic import create
from kernlearn.runner.store.files import remove_abandoned
from kernlearn.runner.store.notes import forget_the_dead
from kernlearn.runner.store.partial import partials
from kernlearn.runner.store.store import Store

#: Seconds between two cleanups. Each reads the names of all files, of which there may be a million.
DAY = 86400.0


def tidy(results: Path, every: float = DAY) -> None:
    """Remove temporary files, checkpoints of finished cells, and notes of ended processes.

    Nothing is done if the last cleanup was less than `every` seconds ago, by the time of ``shards/.tidied``. Files that
    may still be useful stay: see `kernlearn.runner.store.files.ABANDONED` and `kernlearn.runner.store.notes.FORGOTTEN`.
    """
    store = Store(results / "shards")
    if store.root.is_dir():
        with suppress(OSError):  # it belongs to another user, or another runner has begun: leave it to them
            _stamp(store.root / ".tidied", every)
            remove_abandoned(results)
            forget_the_dead(store.root)
            unfinished, finished = partials(store), store.listing()
            for key in unfinished.listing():
                if finished.get(key) == "ok":
                    unfinished.remove(key)


def _stamp(path: Path, every: float) -> None:
    """Touch a file; raise `FileExistsError` if it is younger than `every` seconds."""
    with suppress(FileNotFoundError):
        if time.time() - path.lstat().st_mtime < every:
            raise FileExistsError(path)
        path.unlink()
    os.close(create(path))
