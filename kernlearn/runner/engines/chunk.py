"""What one task of a job array does, with the words ``BATCH.json SHA256``.

A batch is described in plain JSON: ``batch.json`` says how its cells are computed and has the digest of every chunk,
and ``<number>.json`` is the chunk of one task. The digest of ``batch.json`` is part of the job script, which SLURM has
from the submission on. So what anybody alters in the results directory while the job waits is refused; nothing is
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

from kernlearn.errors import UserError
from kernlearn.interrupts import terminated_as_interrupted
from kernlearn.runner.cell.cell import Cell, cell_from_json
from kernlearn.runner.engines import local
from kernlearn.runner.engines.guard import Work
from kernlearn.runner.store.files import read_regular, write_atomically
from kernlearn.runner.store.notes import noted
from kernlearn.runner.store.records import Json
from kernlearn.runner.store.store import Store
from kernlearn.streams import complain

#: The program of a task, before its words. It imports nothing from the directory that it is started in.
PROGRAM = (sys.executable, "-P", "-u", "-c", f"import sys; from {__name__} import main; sys.exit(main(sys.argv[1:]))")
#: The chunks of an array: the cells of each, by key.
Chunks = Sequence[Mapping[str, Cell]]
#: Times that a task is started again when its time is up. After them the watcher sees to what is missing.
RESTARTS = 3


def describe(folder: Path, chunks: Chunks, root: Path, work: Work, jobs: int, limits: Mapping[str, float]) -> str:
    """Write the description of a batch into its folder; return the digest by which its tasks know it.

    Parameters
    ----------
    folder : Path
    chunks : sequence of mappings
    root : Path
        Directory of the store.
    work : callable
        A function of a module: it is found again by its name.
    jobs : int
        Processes of a task.
    limits : mapping
        Of every cell, and the seconds that it has to end its round when the job ends.
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
    """Compute the cells of a chunk that have no shard yet; its number is that of the task."""
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
    started_before = noted(store.root)  # by this task, before it was requeued: last, for they may end it again
    order = [missing[key] for key in sorted(missing, key=lambda key: key in started_before)]
    for status in local.run(order, store, work, jobs=batch["jobs"], alone=False, **batch["limits"]):
        print(status, flush=True)


def _read(path: Path, digest: str) -> Any:
    """Return what is described in a file, if it is the one that was submitted."""
    try:
        content = read_regular(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if sha256(content).hexdigest() != digest:
        raise UserError(f"{path}: is not what was submitted (its sha256 is another), and is not computed")
    return json.loads(content)


def _time_is_up(signum: int, frame: Any) -> None:
    """Have the cells end their rounds; the task is told so shortly before its end."""
    raise SystemExit(0)


def _requeue() -> None:
    """Have SLURM run this task again, which goes on from the shards and from what is kept of its cells."""
    if int(os.environ.get("SLURM_RESTART_COUNT", "0")) < RESTARTS:  # otherwise the watcher sees to what is missing
        subprocess.run(["scontrol", "requeue", os.environ["SLURM_JOB_ID"]], timeout=60, check=False)
