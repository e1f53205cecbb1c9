"""Registered sweeps: their cells and progress, for all who see the results directory."""

import json
import logging
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from heapq import nlargest
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.atomic import write_atomically
from kernlearn.runner.plan.cells import Planned
from kernlearn.runner.store.files import read_json, read_regular, refuse_links
from kernlearn.runner.store.notes import running
from kernlearn.runner.store.progress import in_words
from kernlearn.runner.store.reading import conforms
from kernlearn.runner.store.records import Registered
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)

#: Seconds without a heartbeat after which a process is reported as silent. Processes send one every minute, except
#: during a long computation.
SILENCE = 300.0
#: Number of last finished cells that determine the speed.
RECENT = 200
#: Number of last failed cells whose errors are read.
MOST_FAILURES = 5


@dataclass(frozen=True)
class Sweep:
    """A registered sweep: its name, the command, and the cells with their labels, in the order of the plan."""

    name: str
    command: str
    labels: dict[str, str]


class AtWork(NamedTuple):
    """A cell that a process is computing; as a text it is one line."""

    label: str
    #: The machine.
    host: str
    #: Since it began.
    seconds: float
    #: Seconds since the last heartbeat of the process.
    silent: float
    #: Which grid point, of how many, and the relative gap reached so far; None if the process has not told it.
    point: int | None
    of: int | None
    gap: float | None

    def __str__(self) -> str:
        words = [in_words(self._asdict()), f"{self.seconds:.0f} s"]
        return f"{self.label}: {', '.join(filter(None, words))}"


class Failure(NamedTuple):
    """A failed cell."""

    label: str
    error: str


@dataclass(frozen=True)
class State:
    """The progress of a sweep."""

    done: int
    failed: int
    running: int
    silent: int
    missing: int
    seconds_left: float | None
    by_group: dict[str, Counter[str]]
    #: The last failed cells, at most `MOST_FAILURES`, the latest first.
    failures: list[Failure]
    #: Longest running first.
    at_work: list[AtWork]


def name_of(keys: Iterable[str]) -> str:
    """Return the name of a sweep over these cells."""
    return sha256("".join(keys).encode()).hexdigest()[:8]


def directory_of(results: Path, name: str) -> Path:
    """Return the directory of a sweep, with its registration and its tables."""
    return results / "sweeps" / name


def register(results: Path, name: str, command: str, plans: Sequence[Planned]) -> Path:
    """Write the list of cells of a sweep, so that `status` needs neither its configuration nor the data."""
    directory = directory_of(results, name)
    refuse_links(directory, results)
    lines = [" ".join(f"{key} {label}".split()) + "\n" for plan in plans for key, label in plan.labels.items()]
    write_atomically(directory / "cells.txt", "".join(lines).encode())
    time = datetime.now(UTC).isoformat(timespec="seconds")
    record: Registered = {"command": command, "registered": time, "cells": len(lines)}
    write_atomically(directory / "sweep.json", (json.dumps(record, indent=1) + "\n").encode())
    return directory


def registered(results: Path) -> list[Sweep]:
    """Return the sweeps of a results directory, the latest last. Damaged ones are left out with a warning."""
    sweeps = []
    for path in results.glob("sweeps/*/sweep.json"):
        try:
            refuse_links(path.parent, results)
            record = read_json(path)
            lines = read_regular(path.with_name("cells.txt")).decode().split("\n")[:-1]
            if not conforms(record, Registered):
                raise ValueError("no command, time or number of cells")
            if len(lines) != record["cells"]:
                raise ValueError(f"{len(lines)} of {record['cells']} cells")
            sweep = Sweep(path.parent.name, record["command"], dict(line.split(" ", 1) for line in lines))
            sweeps.append((record["registered"], sweep))
        except (OSError, ValueError) as error:
            log.warning("%s: damaged (%s), left out; the command of the sweep writes it again", path.parent, error)
    return [sweep for _, sweep in sorted(sweeps, key=lambda item: item[0])]


def state(sweep: Sweep, store: Store) -> State:
    """Return the progress of a sweep, from the names of shards and the notes of running processes."""
    finished = store.listing()
    status = {key: finished[key] for key in sweep.labels if key in finished}
    notes = [note for note in running(store.root) if note["key"] in sweep.labels and note["key"] not in status]
    groups: dict[str, Counter[str]] = {}
    for key, label in sweep.labels.items():
        groups.setdefault(label.partition(" seed ")[0], Counter())[status.get(key, "missing")] += 1
    counts = Counter(status.values())
    missing = len(sweep.labels) - len(status)
    silent = sum(note["silent"] > SILENCE for note in notes)
    return State(
        counts["ok"],
        counts["failed"],
        len({note["key"] for note in notes}),
        silent,
        missing - len({note["key"] for note in notes}),
        _seconds_left(store, status, missing) if len(notes) > silent else None,
        groups,
        _failures(sweep, store, [key for key in status if status[key] == "failed"]),
        at_work(notes, sweep.labels),
    )


def at_work(notes: Iterable[Mapping[str, Any]], labels: Mapping[str, str]) -> list[AtWork]:
    """Return the running cells with these labels, from their notes, longest running first."""
    now, cells = time.time(), []
    for note in sorted((note for note in notes if note["key"] in labels), key=lambda note: note["since"]):
        point, of, gap = (note.get(key) for key in ("point", "of", "gap"))
        known = type(point) is int and type(of) is int
        cells.append(
            AtWork(
                *(labels[note["key"]], note["host"], max(0.0, now - note["since"]), note["silent"]),
                *((point, of) if known else (None, None)),
                gap if known and isinstance(gap, float) and isfinite(gap) else None,
            )
        )
    return cells


def _seconds_left(store: Store, status: dict[str, str], missing: int) -> float | None:
    recent = sorted(store.times(status).values())[-RECENT:]
    if len(recent) < 2:
        return None
    return missing * (time.time() - recent[0]) / len(recent)


def _failures(sweep: Sweep, store: Store, failed: Sequence[str]) -> list[Failure]:
    def written(key: str) -> float:
        try:
            return store.path(key, failed=True).lstat().st_mtime
        except OSError:  # it was just computed again
            return 0.0

    latest = nlargest(MOST_FAILURES, failed, key=written)
    shards: dict[str, dict[str, Any]] = {key: store.read(key) or {} for key in latest}
    return [Failure(sweep.labels[key], str(shard.get("error", "unknown"))) for key, shard in shards.items()]
