"""The name of a cell in the store."""

from kernlearn.datasets import OWN
from kernlearn.runner.store.records import Cell
from kernlearn.runner.store.store import content_key


def cell_key(cell: Cell) -> str:
    """Return the name of a cell in the store; of a file of one's own the content is part of it, not name and place.

    A cell without a ``kind`` is the path of an algorithm; those of another kind have their data by content already.
    """
    if "kind" in cell:
        return content_key(cell)
    dataset = dict(cell["dataset"])
    if dataset.pop("path", None) is not None:
        dataset["name"] = OWN
    return content_key({**cell, "dataset": dataset})
