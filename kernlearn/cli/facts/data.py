"""Facts about data sets, and rows of tables."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:  # verbs that have such facts import these
    from kernlearn.datasets import Dataset

#: A row of a table that is written as CSV, by column; null where the table has nothing.
TableRow = dict[str, str | int | float | bool | None]


class ClassSize(TypedDict):
    """A class of the targets, or a label of the places of sequences."""

    name: str
    #: Of sequences, the number of places.
    examples: int


class TargetRange(TypedDict):
    """The range of the targets of a regression."""

    min: float
    max: float


class DataFacts(TypedDict):
    """A data set."""

    name: str
    #: "bundled", "generated", "scikit-learn", or the files that were read.
    source: str
    #: Of all values as they were loaded.
    sha256: str
    #: Rows or sequences.
    examples: int
    #: Of all sequences together; null for single examples.
    places: int | None
    features: int
    #: Empty for a regression.
    classes: list[ClassSize]
    #: Null for classes.
    target: TargetRange | None


def data_facts(data: "Dataset", is_regression: bool) -> DataFacts:
    """Return the size and the targets of a data set."""
    target: TargetRange | None = None
    classes: list[ClassSize] = []
    if is_regression:
        values = data.real_target()
        target = {"min": float(values.min()), "max": float(values.max())}
    else:
        counts = Counter(data.labels.tolist())
        classes = [{"name": name, "examples": counts[i]} for i, name in enumerate(data.classes)]
    return {
        "name": data.name,
        "source": data.source,
        "sha256": data.digest,
        "examples": int(data.X.shape[0]),
        "places": len(data.labels) if data.is_sequential else None,
        "features": int(data.X.shape[1]),
        "classes": classes,
        "target": target,
    }


def table_row(row: Mapping[str, Any]) -> TableRow:
    """Return a row of a CSV table for JSON: cells without a value are null."""
    return {key: None if value == "" else value for key, value in row.items()}
