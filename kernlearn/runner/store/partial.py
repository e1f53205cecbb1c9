"""The finished part of a cell that is still running, so that a cell longer than a job's time limit gets to its end."""

import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from kernlearn.runner.store.progress import Position, Stopped
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)

Rows = list[dict[str, Any]]
#: Seconds between two times that a position is told.
TOLD = 20.0
#: Seconds of work after which what is finished is worth a copy, to be written if the cell is stopped in the middle.
WORTH = 1.0


class Kept(NamedTuple):
    """What is finished of a cell.

    Attributes
    ----------
    blocks : int
        Whole blocks, parts of the grid whose path owes nothing to the parts before
        (`kernlearn.runner.cell.measure.blocks`).
    points : int
        Points of the next block.
    state : object
        What the points after them owe to those (`kernlearn.algorithms.Point.state`), perhaps with the middle of the
        next, so that a cell goes on elsewhere and gives the same bytes.
    rows : list of dict
        Of all of them.
    """

    blocks: int
    points: int
    state: Any
    rows: Rows


def partials(store: Store) -> Store:
    """Return where the finished parts of the cells of a store are kept."""
    return Store(store.root / "partial")


class Partial:
    """The finished part of a cell, kept beside the shards in the same form, under the same key.

    Parameters
    ----------
    store : Store
        That of the shards.
    key : str
        The cell, which says everything that the rows depend on.
    seconds : float
        Time between two writings; what is finished earlier is kept with the next.
    tell : callable
        Is given the position of the cell every `TOLD` seconds.
    ends : callable
        Returns why the cell is to stop, empty to go on.

    Attributes
    ----------
    source : str
        The digest of what computes it: what other source has begun is not gone on with.
    """

    def __init__(
        self,
        store: Store,
        key: str,
        seconds: float,
        tell: Callable[[Position], None] = lambda position: None,
        ends: Callable[[], str] = lambda: "",
    ):
        self.store = partials(store)
        self.key = key
        self.seconds = seconds
        self.source = ""
        self._tell, self.ends = tell, ends
        self._last = self._told = self._copied = monotonic()
        self._position: Position | None = None
        self._copy: Kept | None = None
        self._said = False

    def load(self) -> Kept:
        """Return what is finished; nothing if there is no sound file."""
        payload = self.store.read(self.key)
        if (
            payload is None
            or not payload.keys() >= set(Kept._fields)
            or payload.get("source", self.source) != self.source
        ):
            return Kept(0, 0, None, [])
        kept = Kept(*(payload[name] for name in Kept._fields))
        sound = all(type(count) is int and count >= 0 for count in kept[:2])
        return kept if sound else Kept(0, 0, None, [])

    def look(self, position: Position, kept: Callable[[], Kept] | None = None) -> None:
        """Look up between two rounds or grid points: tell where the cell is, write what is finished, stop if it must.

        Parameters
        ----------
        position : Position
        kept : callable, optional
            Gives what is finished, if the cell can go on from here.

        Raises
        ------
        Stopped
            If it is to stop; what it goes on from is written.
        """
        now, last = monotonic(), self._position
        if position["gap"] is None and last and last["point"] == position["point"]:
            position["gap"] = last["gap"]
        self._position = position
        if now - self._told >= TOLD:
            self._told = now
            self._tell(position)
        why = self.ends() if position["point"] <= position["of"] else ""  # the rest takes no time
        if kept and (why or now - self._last >= self.seconds):
            self.save(kept())
        elif kept and now - self._copied >= WORTH:
            self._copied, self._copy = now, kept()
        if why:
            if self._copy:
                self.save(self._copy)
            raise Stopped({self.key: position}, why)

    def save(self, kept: Kept) -> None:
        """Keep what is finished; where that cannot be written, as on a full disk, the cell goes on and says so once."""
        try:
            self.store.write(self.key, {**kept._asdict(), "source": self.source})
        except OSError as error:
            if not self._said:
                words = "%s: %s; the cell goes on, and would start again from what was kept before"
                log.warning(words, error.filename, error.strerror)
            self._said = True
        self._last, self._copy = monotonic(), None

    def remove(self) -> None:
        """Forget the cell: its shard is written. What cannot be removed does no harm, and may be swept up later."""
        with suppress(OSError):
            self.store.remove(self.key)
