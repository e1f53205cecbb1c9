"""Run one task of a job array, with the arguments ``BATCH.json SHA256``.

A batch is described in plain JSON. ``batch.json`` has the settings of its cells and the digest of each chunk, and
``<number>.json`` is the chunk of one task. The digest of ``batch.json`` is part of the job script, which SLURM stores
at submission. Files that are altered in the results directory while the job waits are therefore refused. Nothing is
unpickled.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from kernlearn.atomic import write_atomically
from kernlearn.errors import UserError
from kernlearn.interrupts import terminated_as_interrupted
from kernlearn.runner.cell.cell import Cell, cell_from_json
from kernlearn.runner.engines import local
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.store.files import read_regular
from kernlearn.runner.store.notes import noted
from kernlearn.runner.store.records import Json
from kernlearn.runner.store.store import Store
from kernlearn.streams import complain

#: The program of a task, without its arguments. It imports nothing from the current directory.
PROGRAM = (sys.executable, "-P", "-u", "-c", f"import sys; from {__name__} import main; sys.exit(main(sys.argv[1:]))")
#: The chunks of an array: the cells of each chunk, by key.
Chunks = Sequence[Mapping[str, Cell]]
#: Maximum number of times that a task is requeued at its time limit. After that, the watcher submits the missing cells.
RESTARTS = 3


def describe(
    folder: Path, chunks: Chunks, root: Path, work: CellFunction, jobs: int, limits: Mapping[str, float]
) -> str:
    """Write the description of a batch into its folder, and return its digest, which the tasks check.

    Parameters
    ----------
    chunks : sequence of mappings
    root : Path
        Directory of the store.
    work : callable
        A function of a module, since tasks import it by name.
    jobs : int
        Number of processes of a task.
    limits : mapping
        The limits of each cell, and the seconds that it has to end its iteration when the job ends.
    """
    digests = []
    for number, cells in enumerate(chunks):
        content = json.dumps({key: cell.to_json() for key, cell in cells.items()}).encode()
        write_atomically(folder / f"{number}.json", content)
        digests.append(sha256(content).hexdigest())
    batch = {
        "root": str(root),
        "work": f"{work.__module__}:{work.__qualname__}",
        "jobs": jobs,
        "limits": dict(limits),
        "chunks": digests,
    }
    content = json.dumps(batch, indent=1).encode()
    write_atomically(folder / "batch.json", content)
    return sha256(content).hexdigest()


def main(argv: Sequence[str]) -> int:
    """Compute the cells of a chunk that have no shard yet. The chunk has the number of the task."""
    description, digest = argv
    path, number = Path(description), int(os.environ.get("SLURM_ARRAY_TASK_ID", "0"))
    try:
        batch = _read(path, digest)
        cells = _read(path.with_name(f"{number}.json"), batch["chunks"][number])
    except UserError as error:
        return complain(error)
    signal.signal(signal.SIGUSR2, _time_is_up)
    try:
        with terminated_as_interrupted():
            _compute(batch, cells)
    except SystemExit:
        _requeue()
    except KeyboardInterrupt:  # cancelled
        return 130
    return 0


def _compute(batch: Mapping[str, Any], cells: Mapping[str, Json]) -> None:
    module, _, name = batch["work"].partition(":")
    work = getattr(import_module(module), name)
    store = Store(batch["root"])
    missing = {key: cell_from_json(cell) for key, cell in cells.items() if store.sound(key) is None}
    started_before = noted(store.root)  # begun before a requeue: they run last, since they may end the task again
    order = [missing[key] for key in sorted(missing, key=lambda key: key in started_before)]
    for status in local.run(order, store, work, jobs=batch["jobs"], may_run_here=False, **batch["limits"]):
        print(status, flush=True)


def _read(path: Path, digest: str) -> Any:
    """Return the content of a file, if it is the submitted one."""
    try:
        content = read_regular(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if sha256(content).hexdigest() != digest:
        raise UserError(f"{path}: has changed since it was submitted (by its sha256), and is not computed")
    return json.loads(content)


def _time_is_up(signum: int, frame: Any) -> None:
    """Let the cells end their iterations. SLURM sends this signal shortly before the end of the task."""
    raise SystemExit(0)


def _requeue() -> None:
    """Let SLURM run this task again. It resumes from the shards and from the finished parts of its cells."""
    if int(os.environ.get("SLURM_RESTART_COUNT", "0")) < RESTARTS:  # otherwise the watcher submits the missing cells
        subprocess.run(["scontrol", "requeue", os.environ["SLURM_JOB_ID"]], timeout=60, check=False)
