"""Checkpoints of running cells, so that a cell that takes longer than a job's time limit can finish."""

import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from kernlearn.runner.store.progress import Position, Stopped
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)

Rows = list[dict[str, Any]]
#: Seconds between two reports of a position.
TOLD = 20.0
#: Seconds of work after which the finished part is copied, to be written if the cell is stopped.
WORTH = 1.0


class Kept(NamedTuple):
    """The finished part of a cell."""

    #: Number of complete blocks, parts of the grid whose paths do not depend on earlier parts
    #: (`kernlearn.runner.cell.measure.blocks`).
    blocks: int
    #: Number of finished points of the next block.
    points: int
    #: The state on which the next points depend (`kernlearn.algorithms.Point.state`). It may include an unfinished
    #: point. With it, a cell resumes in another process and gives the same bytes.
    state: Any
    #: The rows of all finished points.
    rows: Rows


def partials(store: Store) -> Store:
    """Return the store of the finished parts of the cells of a store."""
    return Store(store.root / "partial")


class Partial:
    """The checkpoint of a cell, stored beside the shards in the same format and under the same key.

    Parameters
    ----------
    store : Store
        The store of the shards.
    key : str
        The key of the cell, which includes all that the rows depend on.
    seconds : float
        Time between two writings.
    tell : callable
        Called with the position of the cell every `TOLD` seconds.
    ends : callable
        Returns why the cell has to stop, or an empty text to continue.

    Attributes
    ----------
    source : str
        The digest of the source that computes the cell. A checkpoint of another source is not resumed.
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
        """Return the finished part, empty if there is no sound file."""
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
        """Report the position between two iterations or grid points, write the checkpoint if due, and stop if asked to.

        Raises `Stopped` if the cell has to stop. The checkpoint from which it resumes is written.

        Parameters
        ----------
        kept : callable, optional
            Returns the finished part, if the cell can resume from here.
        """
        now, last = monotonic(), self._position
        if position["gap"] is None and last and last["point"] == position["point"]:
            position["gap"] = last["gap"]
        self._position = position
        if now - self._told >= TOLD:
            self._told = now
            self._tell(position)
        why = self.ends() if position["point"] <= position["of"] else ""  # after the last point, the rest takes no time
        if kept and (why or now - self._last >= self.seconds):
            self.save(kept())
        elif kept and now - self._copied >= WORTH:
            self._copied, self._copy = now, kept()
        if why:
            if self._copy:
                self.save(self._copy)
            raise Stopped({self.key: position}, why)

    def save(self, kept: Kept) -> None:
        """Write the finished part. If that fails, as on a full disk, log it once and let the cell continue."""
        try:
            self.store.write(self.key, {**kept._asdict(), "source": self.source})
        except OSError as error:
            if not self._said:
                words = "%s: %s; the cell continues, but an interruption would lose the work since the last checkpoint"
                log.warning(words, error.filename, error.strerror)
            self._said = True
        self._last, self._copy = monotonic(), None

    def remove(self) -> None:
        """Remove the checkpoint after the shard is written. If that fails, the file is harmless; `tidy` removes it."""
        with suppress(OSError):
            self.store.remove(self.key)
