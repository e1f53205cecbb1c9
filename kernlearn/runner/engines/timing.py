"""Estimate how long cells take, from cells that were computed before. There is no estimate for a method never run.

The time of a cell depends on how hard its data are, which is not known beforehand. A dry run therefore uses shards of
cells that differ only in their partition, and a run uses its own finished cells.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapreplace
from statistics import median
from time import time
from typing import NamedTuple

from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.store.notes import running
from kernlearn.runner.store.store import Store, content_key

#: Keys in which cells of the same work may differ: the partition, versions, and the name of the data.
PARTITION = {"dataset", "seed", "split", "version", "versions"}
#: Maximum number of shards that a dry run reads, the latest ones; this takes a second or two.
SEARCHED = 10_000
#: Maximum number of finished cells of one kind that a run reads before it begins.
ENOUGH = 20


def kind_of(cell: Cell | Mapping[str, object]) -> str:
    """Return a name for the work of a cell: data, method, kernels, grid and protocol, without the partition."""
    content = cell if isinstance(cell, Mapping) else cell.to_json()
    return content_key({key: value for key, value in content.items() if key not in PARTITION})


def measured(store: Store, cells: Iterable[Cell]) -> dict[str, list[float]]:
    """Return the seconds of finished cells with the same work as the given cells, by `kind_of`."""
    wanted, times, known = (
        {kind_of(cell) for cell in cells},
        store.times(),
        defaultdict[str, list[float]](list),
    )
    for key in sorted(times, key=times.__getitem__, reverse=True)[:SEARCHED]:
        if (kind := kind_of(store.cell(key))) in wanted and (seconds := _seconds(store, key)) is not None:
            known[kind].append(seconds)
    return dict(known)


def wall_seconds(seconds: Iterable[float], processes: int) -> float:
    """Return the time that processes take for cells with the given seconds, started in this order."""
    ends = [0.0] * max(1, processes)
    for one in seconds:
        heapreplace(ends, ends[0] + one)
    return max(ends)


class Forecast(NamedTuple):
    """The estimated time of some cells; as a text it is one line."""

    seconds: float
    #: The number of cells.
    cells: int
    #: That compute them; 0 if it is not known how many.
    processes: int
    #: The number of measured cells that the estimate rests on.
    n_measured: int

    def __str__(self) -> str:
        several = f" in {counted(self.processes, 'process', 'processes')}"
        where = several if self.processes else ", one after the other"
        rests_on = f"the median of {counted(self.n_measured, 'measured cell')}"
        return f"about {duration(self.seconds)} for {counted(self.cells, 'cell')}{where}, by {rests_on}"


def forecast(cells: Sequence[Cell], known: Mapping[str, Sequence[float]], processes: int) -> Forecast | None:
    """Return the estimated time of some cells from the times in `known`; None without estimates.

    Parameters
    ----------
    processes : int
        That compute them; 0 if it is not known how many.
    """
    kinds = [kind for cell in cells if known.get(kind := kind_of(cell))]
    if not kinds:
        return None
    typical = {kind: median(known[kind]) for kind in set(kinds)}
    seconds = wall_seconds(map(typical.__getitem__, kinds), processes)
    return Forecast(seconds, len(kinds), processes, sum(len(known[kind]) for kind in typical))


class TimeLeft:
    """The remaining time of a run, from the median seconds of its finished cells by method and data set.

    Parameters
    ----------
    labels : mapping
        The labels of all cells of the run, by key: ``<data set and method> seed ...``.
    missing : sequence of str
        The keys of the cells that it computes.
    processes : int
        That compute them; 0 if it is not known how many.
    """

    def __init__(self, store: Store, labels: Mapping[str, str], missing: Sequence[str], processes: int):
        self._store, self._processes = store, processes
        self._pending = {key: _group(labels[key]) for key in missing}
        self._known = defaultdict[str, list[float]](list)
        self._before = store.times(self._pending)  # shards that will be written again
        for key in labels.keys() - self._pending.keys():
            if len(self._known[_group(labels[key])]) < ENOUGH:
                self._learn(key, _group(labels[key]))

    def seconds(self) -> float | None:
        """Return a lower bound of the remaining seconds, or None before a cell is finished."""
        times = self._store.times(self._pending)
        for key in [key for key, at in times.items() if at != self._before.get(key)]:
            self._learn(key, self._pending.pop(key))
        if not any(self._known.values()):
            return None
        now, since = time(), {note["key"]: note["since"] for note in running(self._store.root)}
        typical = {group: median(seconds) for group, seconds in self._known.items() if seconds}
        left = {key: typical[group] for key, group in self._pending.items() if group in typical}
        begun = [max(0.0, left.pop(key) - (now - since[key])) for key in since if key in left]
        return wall_seconds([*begun, *left.values()], self._processes or len(begun))

    def estimate(self) -> tuple[float | None, str]:
        """Return the remaining seconds, and the same in words.

        It is None and "" before a cell is finished, when all are, and if nothing is known about most of the others.
        """
        seconds = self.seconds()
        if seconds is None or not self._pending:
            return None, ""
        unknown = sum(not self._known.get(group) for group in self._pending.values())
        if 2 * unknown > len(self._pending) or (unknown and seconds < 1.0):
            return None, ""
        return seconds, f"{'more than' if unknown else 'about'} {duration(seconds)} left"

    def _learn(self, key: str, group: str) -> None:
        if (seconds := _seconds(self._store, key)) is not None:
            self._known[group].append(seconds)


def _group(label: str) -> str:
    return label.partition(" seed ")[0]


def _seconds(store: Store, key: str) -> float | None:
    """Return the seconds that a cell took; None if it failed or its shard has no time."""
    return store.made(key).get("seconds") if store.path(key).exists() else None


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with the noun that it counts."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def duration(seconds: float) -> str:
    """Return seconds, minutes or hours in words, with two digits."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{_digits(seconds / size)} {unit}"
    return f"{_digits(seconds)} s"


def _digits(number: float) -> str:
    return f"{number:.2g}" if number < 99.5 else f"{number:.0f}"
