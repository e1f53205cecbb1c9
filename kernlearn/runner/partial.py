"""The finished part of a cell that is still running, so that a cell longer than a job's time limit gets to its end."""

from collections.abc import Sequence
from time import monotonic
from typing import Any

from kernlearn.runner.store import Store

Rows = list[dict[str, Any]]


class Partial:
    """Rows of the finished blocks of a cell, kept beside the shards in the same form, under the same key.

    A block is a part of the grid whose path owes nothing to the parts before it (see `kernlearn.runner.cells.blocks`):
    only after a whole one can a cell go on elsewhere and give the same bytes.

    Parameters
    ----------
    store : Store
        That of the shards.
    key : str
        The cell, which says everything that the rows depend on.
    seconds : float
        Time between two writings; a block that ends earlier is kept with the next.
    """

    def __init__(self, store: Store, key: str, seconds: float):
        self.store = Store(store.root / "partial")
        self.key = key
        self.seconds = seconds
        self._last = monotonic()

    def load(self) -> tuple[int, Rows]:
        """Return the number of finished blocks and their rows; nothing if there is no sound file."""
        payload = self.store.read(self.key)
        return (payload["blocks"], payload["rows"]) if payload else (0, [])

    def save(self, blocks: int, rows: Sequence[dict[str, Any]]) -> None:
        """Keep what is finished, if it is time."""
        if monotonic() - self._last >= self.seconds:
            self.store.write(self.key, {"blocks": blocks, "rows": list(rows)})
            self._last = monotonic()

    def remove(self) -> None:
        """Forget the cell: its shard is written."""
        self.store.remove(self.key)
