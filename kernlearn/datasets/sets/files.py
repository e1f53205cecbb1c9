"""Reader of the catalogue's own tables; what it reads has a known layout, so whatever departs from it is an error."""

from collections.abc import Iterable, Mapping
from io import BytesIO, TextIOWrapper
from typing import Any

import numpy as np

from kernlearn.datasets.core.dataset import Examples
from kernlearn.datasets.sets.entry import Entry, Layout
from kernlearn.errors import UserError

BASES = "ACGT"
#: The bases a letter may stand for (IUPAC code), as far as the UCI splice file uses them.
AMBIGUOUS = {**{base: base for base in BASES}, "N": "ACGT", "D": "AGT", "R": "AG", "S": "CG"}
INDICATORS = {letter: [(base in some) / len(some) for base in BASES] for letter, some in AMBIGUOUS.items()}


def read(entry: Entry, contents: Iterable[bytes], layout: Layout) -> Examples:
    """Read the examples of an entry from the contents of its files, one after the other.

    Raises `UserError` if a label is unknown, a field is no finite number, or the shape is not that of the entry.

    Parameters
    ----------
    entry : Entry
        Gives the shape and the classes that must come out.
    contents : iterable of bytes
        Uncompressed content of each file.
    layout : Layout
        How they are written.

    Returns
    -------
    named tuple
        `Examples`, with class indices in the order of ``entry.classes``, or with targets if the entry has no classes.
    """
    index = {label: i for i, label in enumerate(entry.classes)}
    rows: list[list[float]] = []
    y: list[int] = []
    targets: list[float] = []
    most = layout.drop + entry.d + 1
    for fields in _lines(contents, layout, most):
        label = fields[-1]
        if label in layout.omit:
            continue
        if len(rows) == entry.n or len(fields) > most:  # longer than the file of this name; no more of it is read
            raise _of_another_shape(entry)
        if not index:
            targets += _numbers([label])
        elif label in index:
            y.append(index[label])
        else:
            raise UserError(f"label {label[:20]!r} is not one of {', '.join(index)}")
        rows.append(_features(fields[layout.drop : -1], layout))
    if len(rows) != entry.n or any(len(row) != entry.d for row in rows):
        raise _of_another_shape(entry)
    X = np.array(rows, dtype=np.float64)
    target = None if index else np.array(targets)
    if not np.isfinite(X).all() or (target is not None and not np.isfinite(target).all()):
        raise UserError("has a value that is not finite")
    return Examples(X, np.array(y, dtype=np.int64), target)


def _of_another_shape(entry: Entry) -> UserError:
    return UserError(f"has not the {entry.n} examples of {entry.d} features that the catalogue states")


def _lines(contents: Iterable[bytes], layout: Layout, most: int) -> Iterable[list[str]]:
    """Yield the fields of every line; of one that has more than `most` the rest as one field."""
    for content in contents:
        for line in TextIOWrapper(BytesIO(content), "latin-1"):
            if line.strip() and not line.lstrip().startswith(layout.skip):
                yield [field.strip() for field in line.split(layout.delimiter, most)]


def _features(fields: list[str], layout: Layout) -> list[float]:
    if layout.missing:
        fields = [layout.missing if field == "?" else field for field in fields]
    if layout.bases:
        return [value for letter in fields for value in _look_up(letter, INDICATORS)]
    if layout.codes:
        code = {letter: float(i) for i, letter in enumerate(layout.codes)}
        return [_look_up(letter, code) for letter in fields]
    return _numbers(fields)


def _numbers(fields: list[str]) -> list[float]:
    try:
        return [float(field) for field in fields]
    except ValueError as error:
        raise UserError(f"a field cannot be read ({' '.join(str(error).split())[:60]})") from None


def _look_up(letter: str, table: Mapping[str, Any]) -> Any:
    if letter not in table:
        raise UserError(f"a field cannot be read ({letter[:20]!r})")
    return table[letter]
