"""Compute cells on a SLURM cluster: pack them into a few job arrays, watch squeue, and resubmit lost cells.

A *chunk* is the list of cells of one task of an array. It is stored in ``jobs/<batch>/<number>.json`` beside the
shards, and the array has the name of the batch. A restarted watcher thus sees in the queue which cells have a job, and
submits none of them twice. A cell with a shard is finished. A task that is executed twice finds the shards and does
nothing.
"""

import logging
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

from kernlearn.atomic import make_directory
from kernlearn.errors import PartFailed
from kernlearn.memory import MB
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines import chunk, queue
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.engines.placement import beside_each_other, by_memory
from kernlearn.runner.store.files import read_json, refuse_links
from kernlearn.runner.store.notes import last_words, noted
from kernlearn.runner.store.partial import Kept, Partial
from kernlearn.runner.store.store import Store, content_key

log = logging.getLogger(__name__)

#: Chunks for each node. More chunks balance the load better; fewer start faster, since a start costs seconds.
CHUNKS_A_NODE = 4
#: A cell counts as failed after it was lost with its job this many times without progress.
STRIKES = 3
#: Number of checks in which a task must be absent from the queue before its shards count as missing. A shared file
#: system may show them late.
GRACE = 2
#: Memory of the process that starts the other processes of a task, in bytes.
RUNNER = 256.0 * MB
#: The digest of the finished part of a cell without progress.
NOTHING = content_key(Kept(0, 0, None, [])._asdict())


def run(
    cells: Sequence[Cell],
    store: Store,
    work: CellFunction,
    *,
    poll: float,
    patience: float,
    detach: bool,
    needs: Mapping[str, float] | None = None,
    **resources: Any,
) -> Iterator[str]:
    """Compute cells on `nodes` nodes at a time, with `cpus` processes on each, in jobs of at most `minutes`.

    Cells with similar memory needs share jobs. A job requests the memory that `needs` gives for its cells, by key. It
    has fewer processes if no node has enough memory.

    Raises `UserError` if there is no SLURM here, or no node has enough memory for a cell. Raises `PartFailed` if jobs
    were cancelled or compute nothing, or if SLURM has not answered for `patience` seconds.
    """
    queue.require()
    left = {cell.key: cell for cell in cells}
    for key in left:  # remove failed or damaged shards, or all with `force`: from here on a shard means "done"
        store.remove(key)
    watch = Watch(Store(store.root.resolve()), work, resources, left, needs or {})
    answered = time.monotonic()
    while watch.left:
        looked = time.monotonic()
        try:
            alive = watch.look()
            if watch.submit() and not detach:
                alive = watch.look()
        except queue.NoAnswer as error:
            if time.monotonic() - answered > patience:
                advice = "its jobs continue, and the same command finds them"
                raise PartFailed(f"SLURM has not answered for {patience:.0f} s ({error}); {advice}") from None
        else:
            answered = time.monotonic()
            if detach:
                return
            yield from watch.finished()
            watch.mourn(alive)
        if watch.left and (not watch.new or answered < looked):
            time.sleep(max(poll, 5.0 * (time.monotonic() - looked)))  # checks of the queue must not become a load
    if watch.cancelled:
        raise PartFailed(f"{watch.cancelled} cells were in jobs that were cancelled; the same command runs them")


@dataclass
class Task:
    """A watched task: its job, its cells, and how often it was absent from the queue."""

    job: str
    keys: set[str]
    absent: int = 0


@dataclass
class Watch:
    """The state of a watcher. All of it can be recovered from the queue and the files.

    Attributes
    ----------
    left : dict
        The cells without a shard, by key.
    needs : dict
        The memory that they need, in bytes.
    new : dict
        The cells among them that are in no job.
    tasks : dict
        The tasks that compute them, by batch and number.
    strikes, kept : dict
        For each lost cell, the number of losses without progress, and the digest of its finished part.
    cancelled, barren : int
        The number of cells whose job was cancelled, and of successive jobs that ended before they began a cell.
    """

    store: Store
    work: CellFunction
    resources: dict[str, Any]
    left: dict[str, Cell]
    needs: Mapping[str, float]
    tasks: dict[tuple[str, int], Task] = field(default_factory=dict)
    strikes: dict[str, int] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    cancelled: int = 0
    barren: int = 0

    def __post_init__(self) -> None:
        self.jobs = self.store.root.parent / "jobs"
        self.new = dict(self.left)
        self._first = True

    def look(self) -> set[tuple[str, int]]:
        """Return the tasks in the queue, including those that another watcher has submitted."""
        alive = {(task.batch, task.number): task.job for task in queue.tasks() if (self.jobs / task.batch).is_dir()}
        for slot in alive.keys() - self.tasks.keys():
            keys = _keys(self.jobs, *slot) & self.left.keys()
            if keys and self._first:
                log.warning("task %s_%d is in the queue already, with %d of the cells", alive[slot], slot[1], len(keys))
            self.tasks[slot] = Task(alive[slot], keys)
            self.new = {key: cell for key, cell in self.new.items() if key not in keys}
        self._first = False
        return set(alive)

    def submit(self) -> bool:
        """Submit the cells that are in no job. Cells that were lost before get separate jobs."""
        if not self.new:
            return False
        nodes, cpus = self.resources["nodes"], self.resources["cpus"]
        groups = by_memory(list(self.new.values()), self.needs)
        room = queue.largest_node(self.resources.get("partition")) if self.needs else 0.0
        places = [
            beside_each_other(need, room, cpus, "the largest node", RUNNER) if room else cpus for need, _ in groups
        ]
        for (need, cells), processes in zip(groups, places, strict=True):
            suspects = [cell for cell in cells if cell.key in self.strikes]
            others = [cell for cell in cells if cell.key not in self.strikes]
            share = max(1, round(nodes * len(cells) / len(self.new)))
            chunks = [*pack(others, CHUNKS_A_NODE * share, at_least=processes), *([cell] for cell in suspects)]
            asked = {"nodes": share, "cpus": processes, "bytes": processes * need + RUNNER if room and need else 0.0}
            for slot, task in submit(chunks, self.store, self.work, **{**self.resources, **asked}):
                self.tasks[slot] = task
        self.new = {}
        return True

    def finished(self) -> Iterator[str]:
        """Yield the status of each cell whose shard is new since the last call."""
        listed = self.store.listing()
        for key in [key for key in self.left if key in listed]:
            del self.left[key]
            self.barren = 0
            yield listed[key]

    def mourn(self, alive: set[tuple[str, int]]) -> None:
        """Handle the cells of tasks that left the queue without computing them."""
        for slot in [slot for slot in self.tasks if slot not in alive]:
            task = self.tasks[slot]
            task.absent += 1
            lost = sorted(task.keys & self.left.keys())
            if lost and task.absent < GRACE:
                continue
            del self.tasks[slot]
            if lost:
                self._lost(slot, task, lost)

    def _lost(self, slot: tuple[str, int], task: Task, lost: list[str]) -> None:
        end = queue.end_of(task.job, slot[1])
        log.warning("task %s_%d ended as %s; %d of its cells are missing", task.job, slot[1], end, len(lost))
        if end == "CANCELLED":
            self.cancelled += len(lost)
            for key in lost:
                del self.left[key]
            return
        begun = noted(self.store.root).intersection(lost)
        self.barren += not begun
        if self.barren > STRIKES:
            raise PartFailed(f"{self.barren} jobs ended before they began a cell; see {self.jobs / slot[0]}")
        self.new |= {key: self.left[key] for key in lost}
        for key in begun:
            kept = content_key(Partial(self.store, key, 0.0).load()._asdict())
            further = kept != self.kept.get(key, NOTHING)
            self.strikes[key] = 0 if further else self.strikes.get(key, 0) + 1
            self.kept[key] = kept
            if self.strikes[key] == STRIKES:
                limit = f"engine.minutes={self.resources['minutes']}"
                words = f"lost with its job {STRIKES} times without progress, at last as {end} ({limit})"
                trace = last_words(self.store.root, key) or f"{words}; logs in {self.jobs / slot[0]}"
                self.store.write(key, failure(self.left[key], words, trace))
                del self.new[key]


def pack(cells: Sequence[Cell], chunks: int, at_least: int = 1) -> list[list[Cell]]:
    """Deal cells out to chunks like cards: neighbours are similar, so each chunk gets some of each kind.

    The number of chunks is reduced if they would have fewer than `at_least` cells.
    """
    number = max(1, min(chunks, len(cells) // at_least))
    return [list(cells[i::number]) for i in range(number) if i < len(cells)]


def submit(
    chunks: Sequence[Sequence[Cell]],
    store: Store,
    work: CellFunction,
    *,
    nodes: int,
    cpus: int,
    minutes: int,
    bytes: float = 0.0,
    partition: str | None = None,
    account: str | None = None,
    **limits: float,
) -> Iterator[tuple[tuple[str, int], Task]]:
    """Submit chunks as arrays within the limit of SLURM; yield batch and number of each, and its task."""
    size = queue.array_limit()
    parts = [chunks[i : i + size] for i in range(0, len(chunks), size)]
    for part in parts:
        batch = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
        folder = store.root.parent / "jobs" / batch
        refuse_links(folder, store.root.parent)
        make_directory(folder, 0o700)
        cells = [{cell.key: cell for cell in few} for few in part]
        notice = min(90, 6 * minutes)  # seconds before its end at which a job gets a signal
        of_cells = {**limits, "last_round": 0.5 * notice}
        digest = chunk.describe(folder, cells, store.root, work, cpus, of_cells)
        command = [*chunk.PROGRAM, str(folder / "batch.json"), digest]
        options = {
            "job-name": f"{queue.PREFIX}{batch}",
            "array": f"0-{len(part) - 1}%{max(1, nodes // len(parts))}",
            "nodes": 1,
            "ntasks": 1,
            "cpus-per-task": cpus,
            "time": minutes,
            "signal": f"B:USR2@{notice}",
            "output": f"{folder}/".replace("%", "%%") + "%a.log",
            "open-mode": "append",
        }
        known = {"partition": partition, "account": account, "mem": f"{ceil(bytes / MB)}M" if bytes else None}
        options |= {key: value for key, value in known.items() if value}
        job = queue.submit(command, options)
        for number, keys in enumerate(cells):
            yield (batch, number), Task(job, set(keys))


def _keys(jobs: Path, batch: str, number: int) -> set[str]:
    try:
        return set(read_json(jobs / batch / f"{number}.json"))
    except (OSError, ValueError, TypeError):
        return set()
