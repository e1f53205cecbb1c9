"""What the plans of experiments, baselines and figures have in common: named cells, and the shards of these."""

import logging
from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

from kernlearn.runner.store.records import Shard, Source, is_made
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)


class Planned:
    """Cells to compute; a subclass has them as `cells`."""

    cells: Sequence[Any]

    @cached_property
    def keys(self) -> list[str]:
        """The names of the cells in the store."""
        return [cell.key for cell in self.cells]

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the cells, by key: ``<common part> seed <seed>...``."""
        return {key: self._label_of(cell) for key, cell in zip(self.keys, self.cells, strict=True)}

    @property
    def source(self) -> Source:
        """The source that computes the cells now."""
        raise NotImplementedError

    @property
    def about(self) -> str:
        """The method or figure that computes them."""
        raise NotImplementedError

    def shards(self, store: Store) -> list[Shard | None]:
        """Return the shards of the cells, None for missing ones.

        A shard with a correct checksum may still have content that no such cell can have. It counts as missing and is
        removed, so that the same command computes it again. The checksum detects accidents, but not changes on purpose
        by others who can write to the directory.
        """
        return [self._shard(key, cell, store) for key, cell in zip(self.keys, self.cells, strict=True)]

    def _shard(self, key: str, cell: Any, store: Store) -> Shard | None:
        shard = cast(Shard | None, store.read(key))
        try:
            if shard is None or (
                (shard["status"] == "ok" or isinstance(shard["error"], str))
                and is_made(shard["made"])
                and self._has_rows_of(cell, shard)
            ):
                return shard
        except (AttributeError, KeyError, TypeError):
            pass
        log.warning("%s: does not belong to %s; removed, the same command computes it again", key, self.about)
        store.remove(key)
        return None

    def _label_of(self, cell: Any) -> str:
        raise NotImplementedError

    def _has_rows_of(self, cell: Any, shard: Shard) -> bool:
        """Return whether the rows of a shard have all values that are read from them, with the right types."""
        raise NotImplementedError
