"""Sweeps and runs that are watched: their states, and what is left."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import time

from kernlearn.cli.facts.sweeps import ProgressFacts, progress_facts, running_facts
from kernlearn.cli.results.progress import chosen_sweeps, other_cells
from kernlearn.runner.engines.timing import TimeLeft, duration
from kernlearn.runner.plan.sweeps import AtWork, State, Sweep, directory_of, state
from kernlearn.runner.store.store import Store

#: Words of the command of a sweep whose cells may wait in a queue.
QUEUED = ("engine=slurm", "engine=dask")
#: Seconds after its start within which a command may run no cell yet.
STARTING = 60.0


@dataclass
class Watched:
    """A sweep that is watched, and its last state."""

    sweep: Sweep
    now: State
    timing: TimeLeft
    seconds_left: float | None = None

    @property
    def left(self) -> int:
        """The number of cells that are not finished."""
        return _left(self.now)

    @property
    def is_busy(self) -> bool:
        """Whether cells are running or may wait in a queue."""
        return _is_busy(self.sweep, self.now)

    def words(self) -> str:
        """Return the progress in words."""
        now = self.now
        parts = [
            f"{now.done} of {len(self.sweep.labels)} done",
            f"{now.running} running" if self.left else "",
            f"{now.failed} failed" if now.failed else "",
            f"about {duration(self.seconds_left)} left" if self.seconds_left and self.left else "",
        ]
        return ", ".join(filter(None, parts))


def _left(now: State) -> int:
    return now.missing + now.running


def _is_busy(sweep: Sweep, now: State) -> bool:
    return now.running > 0 or (_left(now) > 0 and any(word in sweep.command for word in QUEUED))


@dataclass
class Watch:
    """What is watched in a results directory."""

    results: Path
    #: The sweep that is asked for, or None for all that are at work.
    name: str | None
    sweeps: dict[str, Watched] = field(default_factory=dict)
    others: Sequence[AtWork] = ()
    #: The number of unfinished sweeps that no process works on.
    n_idle: int = 0

    def look(self) -> None:
        """Read the states now, and find sweeps that have begun since.

        Raises `UserError` if there is no such sweep.
        """
        store, there = Store(self.results / "shards"), chosen_sweeps(self.results, self.name)
        self.n_idle = 0
        for sweep in there:
            now = state(sweep, store)
            if sweep.name not in self.sweeps:
                starts = _left(now) > 0 and self._is_starting(sweep)
                if self.name is None and not (_is_busy(sweep, now) or starts):
                    self.n_idle += _left(now) > 0
                    continue
                finished = store.listing()
                pending = [key for key in sweep.labels if key not in finished]
                self.sweeps[sweep.name] = Watched(sweep, now, TimeLeft(store, sweep.labels, pending, 0))
            watched = self.sweeps[sweep.name]
            watched.now = now
            measured = watched.timing.estimate()[0] if now.running else None
            watched.seconds_left = now.seconds_left if measured is None else measured
        self.others = [] if self.name else other_cells(there, self.results)

    def _is_starting(self, sweep: Sweep) -> bool:
        """Return whether the command of a sweep was started a moment ago; it writes its registration first."""
        try:
            began = (directory_of(self.results, sweep.name) / "sweep.json").lstat().st_mtime
        except OSError:
            return False
        return time() - began < STARTING

    @property
    def left(self) -> int:
        """The number of cells that are not finished."""
        return sum(one.left for one in self.sweeps.values()) + len(self.others)

    @property
    def is_busy(self) -> bool:
        """Whether cells are running or may wait in a queue."""
        return bool(self.others) or any(one.is_busy for one in self.sweeps.values())

    def lines(self) -> list[str]:
        """Return the progress, a line for each sweep, and one for other cells."""
        lines = [f"{one.sweep.name:<10} {one.words()}" for one in self.sweeps.values()]
        return [*lines, f"{'runs':<10} {len(self.others)} running"] if self.others else lines

    def failures(self) -> list[str]:
        """Return the last failures of all sweeps, a line each."""
        return [f"{one.label}: {one.error}" for watched in self.sweeps.values() for one in watched.now.failures]

    def facts(self) -> ProgressFacts:
        """Return the progress for a JSON document."""
        sweeps = [progress_facts(one.sweep, one.now, one.seconds_left) for one in self.sweeps.values()]
        return {"results": str(self.results), "sweeps": sweeps, "others": running_facts(self.others)}
