"""What one task of a job array does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernlearn.runner.engines import local
from kernlearn.runner.guard import Work, noted
from kernlearn.runner.store import Store


@dataclass(frozen=True)
class Chunk:
    """Cells to compute on one node; a class because submitit asks it, shortly before the time is up, what then.

    Attributes
    ----------
    path : Path
        The file with the cells and their keys.
    root : Path
        Directory of the store.
    work : callable
    jobs : int
        Processes.
    limits : mapping
        Of every cell.
    """

    path: Path
    root: Path
    work: Work
    jobs: int
    limits: Mapping[str, float]

    def __call__(self) -> dict[str, int]:
        """Compute the cells that have no shard yet; return how many there were of each status."""
        store = Store(self.root)
        cells = {key: cell for key, cell in json.loads(self.path.read_bytes()) if store.sound(key) is None}
        started_before = noted(self.root)  # by this chunk, before it was requeued: last, for they may end it again
        order = sorted(cells, key=lambda key: key in started_before)
        counts: dict[str, int] = {}
        for status in local.run(
            [cells[k] for k in order], store, self.work, jobs=self.jobs, alone=False, **self.limits
        ):
            counts[status] = counts.get(status, 0) + 1
        return counts

    def checkpoint(self) -> Any:
        """Return what SLURM is to run instead when the time is up: the same, which goes on from the shards."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self)
