"""Tables of text cells, read from CSV or ARFF, and their way to numbers."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.bounds import check_shape
from kernlearn.errors import UserError, closest

MISSING = {"", "?", "na", "n/a", "nan", "null", "none"}
#: A column by its number; more digits than int() would read are none.
INDEX = re.compile(r"[+-]?[0-9]{1,9}")
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
NUMERIC_TYPES = {"numeric", "real", "integer"}
ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"[^"]*"|\S+)\s+(\{.*\}|\w+)""", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Table:
    """Named columns of text cells.

    Attributes
    ----------
    file : Path
        Where they come from, for messages.
    names : list of str
        Of the columns.
    rows : list of (int, list of str)
        Line number and cells.
    nominal : dict of int to list of str
        The declared values of the columns that are not numeric.
    named : bool
        Whether the names are the file's own.
    """

    file: Path
    names: list[str]
    rows: list[tuple[int, list[str]]]
    nominal: dict[int, list[str]] = field(default_factory=dict)
    named: bool = True

    def split(self, target: Any, drop: Sequence[Any] = ()) -> tuple[NDArray[np.float64], list[str], list[str]]:
        """Return features, those of the columns that are not to be dropped, their names, and labels.

        Raises
        ------
        UserError
            Naming the cell which cannot be used, or the column that is not there.
        """
        at, left_out = self._column("target", target), {self._column("drop", column) for column in drop}
        if at in left_out:
            raise UserError(f"{self.file}: dataset.drop: column {show(self.names[at])} is the target")
        features = [column for column in range(len(self.names)) if column not in {at, *left_out}]
        if not features:
            raise UserError(f"{self.file}: dataset.drop leaves no feature")
        check_shape(self.file, len(self.rows), sum(len(self.nominal.get(column, "1")) for column in features))
        places = {column: {value: i for i, value in enumerate(values)} for column, values in self.nominal.items()}
        X, labels = [], []
        for line, cells in self.rows:
            values = (self._values(line, column, cells[column], places.get(column)) for column in features)
            X.append(np.array(list(chain.from_iterable(values)), dtype=np.float64))
            if cells[at].lower() in MISSING:
                missing = f"the target is missing ({show(cells[at])})"
                raise UserError(f"{self._place(line, at)}: {missing}; remove the line or fill it in")
            labels.append(cells[at])
        return np.array(X), [name for column in features for name in self._names(column)], labels

    def words(self, target: Any) -> str:
        """Return which column was taken for the target, and where the names of the columns are from."""
        at = self._column("target", target)
        which = f"target {show(self.names[at])}{', the last column' if target is None else ''}"
        return f"{which}; {'the first line has the names' if self.named else 'no line has names'}"

    def _names(self, column: int) -> list[str]:
        """Return the name of a feature, or of each indicator that a nominal one becomes."""
        name = self.names[column]
        return [f"{name}={value}" for value in self.nominal[column]] if column in self.nominal else [name]

    def _column(self, key: str, given: Any) -> int:
        count = len(self.names)
        if given is None:
            return count - 1
        if isinstance(given, str) and self.names.count(given) > 1:
            raise UserError(f"{self.file}: {key}={given}: several columns have this name; give the number of one")
        if self.named and given in self.names:
            return self.names.index(given)
        if INDEX.fullmatch(str(given)):
            if -count <= int(given) < count:
                return int(given) % count
            raise UserError(f"{self.file}: {key}={given}: columns are numbered 0 to {count - 1}, or -1 from the end")
        if not self.named:
            raise UserError(f"{self.file}: {key}={given}: the file has no header line; give the column's number")
        listed = ", ".join(self.names[:20]) + (", ..." if count > 20 else "")
        raise UserError(f"{self.file}: {key}={given}: no such column, there are: {listed}{closest(given, self.names)}")

    def _values(self, line: int, column: int, cell: str, places: dict[str, int] | None) -> list[float]:
        if cell.lower() in MISSING:
            raise UserError(
                f"{self._place(line, column)}: the value is missing ({show(cell)}); remove it or fill it in"
            )
        if places is not None:
            if cell not in places:
                raise UserError(f"{self._place(line, column)}: {show(cell)} is not among its declared values")
            indicators = [0.0] * len(self.nominal[column])
            indicators[places[cell]] = 1.0
            return indicators
        value = number(cell)
        if value is None:
            advice = "features must be numbers; one-hot encode text, or leave the column out with dataset.drop"
            if DECIMAL_COMMA.fullmatch(cell):
                advice = f"write {cell.replace(',', '.')} with a decimal point"
            raise UserError(f"{self._place(line, column)}: {show(cell)} is not a number ({advice})")
        if not isfinite(value):
            raise UserError(f"{self._place(line, column)}: {show(cell)} is not finite; remove the line or correct it")
        return [value]

    def _place(self, line: int, column: int) -> str:
        return f"{self.file}, line {line}, column {show(self.names[column])}"


def read_csv(file: Path, text: str, target: Any, drop: Sequence[Any] = ()) -> Table:
    """Read a table separated by comma, semicolon, tab or blanks, with a header line or without.

    The columns that are named, the target and what is to be dropped, help to tell a header line.
    """
    lines = list(io.StringIO(text, newline=None))
    first = next(line for line in lines if line.strip())
    delimiter = max(",;\t", key=first.count)
    if delimiter in first:
        check_shape(file, text.count(delimiter), 1)
        rows = list(_records(file, lines, delimiter, '"'))
    else:
        rows = [(i, line.split()) for i, line in enumerate(lines, start=1) if line.strip()]
    if not rows:
        raise UserError(f"{file}: has separators and nothing between them")
    _check_widths(file, rows)
    width = len(rows[0][1])
    if width < 2:
        raise UserError(f"{file}: has one column only; separate features and class by comma, semicolon, tab or blanks")
    if not _has_header(rows, target, drop):
        return Table(file, [f"column {i}" for i in range(width)], rows, named=False)
    if len(rows) == 1:
        raise UserError(f"{file}: has a header line but no examples")
    names = [name or f"column {i}" for i, name in enumerate(rows[0][1])]
    return Table(file, names, rows[1:])


def read_arff(file: Path, text: str) -> Table:
    """Read a table in (dense) ARFF."""
    names: list[str] = []
    nominal: dict[int, list[str]] = {}
    lines = list(io.StringIO(text, newline=None))
    start = next((i for i, line in enumerate(lines) if line.strip().lower() == "@data"), len(lines))
    for i, line in enumerate(lines[:start], start=1):
        if not line.lstrip().lower().startswith("@attribute"):
            continue
        match = ATTRIBUTE.fullmatch(line.strip())
        if not match:
            raise UserError(f"{file}, line {i}: cannot be read: {show(line.strip())}")
        name, kind = match[1].strip("'\""), match[2]
        if kind.startswith("{"):
            nominal[len(names)] = [value for _, cells in _records(file, [kind[1:-1]], ",", "'") for value in cells]
        elif kind.lower() not in NUMERIC_TYPES:
            raise UserError(f"{file}, line {i}: attribute {show(name)} is of type {kind}; use numeric or nominal ones")
        names.append(name)
    if len(names) < 2:
        raise UserError(f"{file}: declares fewer than two attributes; features and class are needed")
    blank = [line if not line.lstrip().startswith("%") else "\n" for line in lines[start + 1 :]]
    rows = [(start + 1 + i, cells) for i, cells in _records(file, blank, ",", "'")]
    if not rows:
        raise UserError(f"{file}: has a header but no examples")
    if rows[0][1][0].startswith("{"):
        raise UserError(
            f"{file}, line {rows[0][0]}: sparse ARFF is not supported; write every value, or use libsvm format"
        )
    _check_widths(file, [(0, names), *rows])
    return Table(file, names, rows, nominal)


def number(cell: str) -> float | None:
    """Return the value of a cell, or None; digits grouped by "_" are Python's idea of a number, not a data file's."""
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def show(cell: str) -> str:
    """Quote a piece of a file for a message: on one line, and not all of it."""
    return repr(cell if len(cell) <= 40 else cell[:37] + "...")


def _records(file: Path, lines: Iterable[str], delimiter: str, quote: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote, skipinitialspace=True, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise UserError(f"{file}, line {reader.line_num}: {error}") from None


def _check_widths(file: Path, rows: list[tuple[int, list[str]]]) -> None:
    width = len(rows[0][1])
    for line, cells in rows:
        if len(cells) != width:
            raise UserError(f"{file}, line {line}: has {len(cells)} fields where {width} are expected")


def _has_header(rows: list[tuple[int, list[str]]], target: Any, drop: Sequence[Any]) -> bool:
    """Tell a line of names: a feature that is no number, or a class that alone among the classes is none.

    Numbers from 0 on are names too, those that pandas gives to columns without any; of few columns it cannot be told.
    """
    first = rows[0][1]
    if len(first) > 3 and first == [str(i) for i in range(len(first))]:
        return True
    if any(isinstance(name, str) and name in first and not INDEX.fullmatch(name) for name in (target, *drop)):
        return True
    at, *others = (int(name) % len(first) if INDEX.fullmatch(str(name)) else len(first) - 1 for name in (target, *drop))
    features = [cell for i, cell in enumerate(first) if i not in {at, *others}]
    if any(number(cell) is None and cell.lower() not in MISSING for cell in features):
        return True
    rest = [cells[at] for _, cells in rows[1:]]
    return number(first[at]) is None and bool(rest) and all(number(cell) is not None for cell in rest)
