"""Tables with typed columns, whatever file they are from, and their way to features and labels."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.bounds import check_shape
from kernlearn.errors import UserError, closest

if TYPE_CHECKING:  # pandas is imported where a file is read, so that all else stays fast
    import pandas as pd

MISSING = {"", "?", "na", "n/a", "nan", "null", "none"}
#: A column by its number; more digits than int() would read are none.
INDEX = re.compile(r"[+-]?[0-9]{1,9}")
#: A comma that can only be a decimal sign, and one that may as well stand between thousands.
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?")
EITHER_COMMA = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")
#: ISO 8601; of other ways to write a date it cannot be told which number is the month.
TIME = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
DATE = re.compile(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}({TIME})?")
#: What such columns are read as, in remarks.
BOOLEANS, DATES = "true and false, read as 1 and 0", "dates, read as days since 1970-01-01"
#: How many columns a remark names.
NAMED = 3


class Numerals(NamedTuple):
    """How numbers are written."""

    decimal: str = "."
    thousands: str = ""

    def value(self, cell: str) -> float | None:
        """Return the value of a cell, or None; digits grouped by "_" are Python's idea of a number, not a file's."""
        if self.thousands == " ":
            cell = re.sub("[\u00a0\u202f]", " ", cell)
        if self.thousands and self.thousands in cell:
            mark, point = re.escape(self.thousands), re.escape(self.decimal)
            if not re.fullmatch(rf"[+-]?[0-9]{{1,3}}({mark}[0-9]{{3}})+({point}[0-9]*)?", cell):
                return None
            cell = cell.replace(self.thousands, "")
        if self.decimal != ".":
            if "." in cell:
                return None
            cell = cell.replace(self.decimal, ".")
        try:
            return None if "_" in cell else float(cell)
        except ValueError:
            return None


@dataclass(frozen=True)
class Table:
    """Columns, and what is known of them.

    Attributes
    ----------
    file : Path
        Where they come from, for messages.
    names : list of str
        Of the columns.
    frame : DataFrame
        Its columns are numbered from 0 on: numbers, booleans, dates or texts, nothing where there is no value.
    written : callable
        From the number of a row: its place in words, and its cells as they are written.
    named : bool
        Whether the names are the file's own.
    numerals : Numerals
        How numbers are written in columns of texts.
    nominal : dict of int to list of str
        The declared values of columns that become one indicator a value.
    remarks : tuple of str
        How the file was understood, beyond the target and the names.
    """

    file: Path
    names: list[str]
    frame: "pd.DataFrame"
    written: Callable[[int], tuple[str, Sequence[str]]]
    named: bool = True
    numerals: Numerals = Numerals()
    nominal: dict[int, list[str]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def split(
        self, target: Any, drop: Sequence[Any] = ()
    ) -> tuple[NDArray[np.float64], list[str], list[str], tuple[str, ...]]:
        """Return features, those of the columns that are not to be dropped, their names, labels, and remarks.

        Booleans become 0 and 1, dates days since 1970-01-01.

        Raises
        ------
        UserError
            Naming the cell which cannot be used, or the column that is not there.
        """
        at, features = roles(self.file, self.names, self.named, target, drop)
        widths = [len(self.nominal.get(column, "1")) for column in features]
        check_shape(self.file, len(self.frame), sum(widths))
        X, found = np.empty((len(self.frame), sum(widths))), []
        for column, end in zip(features, np.cumsum(widths), strict=True):
            values, kind = self._values(column)
            X[:, end - values.shape[1] : end] = values
            found.append(kind)
        labels = texts_of(self.frame[at])
        lacking = np.array([label.lower() in MISSING for label in labels])
        bad = np.flatnonzero(lacking | ~np.isfinite(X).all(axis=1))
        if len(bad):
            row = int(bad[0])
            ends = np.cumsum(widths) - 1
            wrong = [column for column, end in zip(features, ends, strict=True) if not np.isfinite(X[row, end])]
            self._refuse(row, wrong[0] if wrong else at, target=not wrong)
        remarks = tuple(
            f"{'columns' if len(of) > 1 else 'column'} {_listed(of)}: {kind}"
            for kind in dict.fromkeys(filter(None, found))
            for of in [[self.names[column] for column, k in zip(features, found, strict=True) if k == kind]]
        )
        return X, [name for column in features for name in self._names(column)], labels, self.remarks + remarks

    def words(self, target: Any) -> str:
        """Return which column was taken for the target, and where the names of the columns are from."""
        at, _ = roles(self.file, self.names, self.named, target)
        which = f"target {show(self.names[at])}{', the last column' if target is None else ''}"
        return f"{which}; {'the first line has the names' if self.named else 'no line has names'}"

    def _names(self, column: int) -> list[str]:
        """Return the name of a feature, or of each indicator that a nominal one becomes."""
        name = self.names[column]
        return [f"{name}={value}" for value in self.nominal[column]] if column in self.nominal else [name]

    def _values(self, column: int) -> tuple[NDArray[np.float64], str]:
        """Return the columns that a feature becomes, NaN where there is no number, and a word for what it holds."""
        cells = self.frame[column]
        if column in self.nominal:
            place = {value: i for i, value in enumerate(self.nominal[column])}
            index = np.array([place.get(cell, -1) for cell in texts_of(cells)])
            return np.where(index[:, None] < 0, np.nan, index[:, None] == np.arange(len(self.nominal[column]))), ""
        values, kind = numbers(cells, self.numerals)
        return values[:, None], kind

    def _refuse(self, row: int, column: int, target: bool) -> None:
        where, cells = self.written(row)
        cell, place = cells[column], f"{self.file}, {where}, column {show(self.names[column])}"
        if cell.lower() in MISSING:
            if target:
                raise UserError(f"{place}: the target is missing ({show(cell)}); remove the line or fill it in")
            raise UserError(f"{place}: the value is missing ({show(cell)}); remove it or fill it in")
        if column in self.nominal:
            raise UserError(f"{place}: {show(cell)} is not among its declared values")
        if (value := self.numerals.value(cell)) is not None:
            what = "not finite" if not isfinite(value) else "no date, as those above it are"
            raise UserError(f"{place}: {show(cell)} is {what}; remove the line or correct it")
        advice = "features must be numbers; one-hot encode text, or leave the column out with dataset.drop"
        if EITHER_COMMA.fullmatch(cell):
            either = cell.replace(",", ".", 1), cell.replace(",", "")
            advice = f"dataset.decimal=comma if it is {either[0]}, dataset.thousands=comma if it is {either[1]}"
        elif DECIMAL_COMMA.fullmatch(cell):
            advice = f"write {cell.replace(',', '.')} with a decimal point, or say dataset.decimal=comma"
        elif self.numerals.decimal == "," and Numerals().value(cell) is not None:
            advice = "the decimal sign of this file is the comma; dataset.decimal=point says otherwise"
        raise UserError(f"{place}: {show(cell)} is not a number ({advice})")


def roles(
    file: Path, names: Sequence[str], named: bool, target: Any, drop: Sequence[Any] = ()
) -> tuple[int, list[int]]:
    """Return the number of the target's column, and those of the features.

    Raises
    ------
    UserError
        If a column is not there, the target is to be dropped, or no feature is left.
    """
    at, left_out = (
        _column(file, names, named, "target", target),
        {_column(file, names, named, "drop", column) for column in drop},
    )
    if at in left_out:
        raise UserError(f"{file}: dataset.drop: column {show(names[at])} is the target")
    features = [column for column in range(len(names)) if column not in {at, *left_out}]
    if not features:
        raise UserError(f"{file}: dataset.drop leaves no feature")
    return at, features


def _column(file: Path, names: Sequence[str], named: bool, key: str, given: Any) -> int:
    count = len(names)
    if given is None:
        return count - 1
    if isinstance(given, str) and names.count(given) > 1:
        raise UserError(f"{file}: {key}={given}: several columns have this name; give the number of one")
    if named and given in names:
        return names.index(given)
    if INDEX.fullmatch(str(given)):
        if -count <= int(given) < count:
            return int(given) % count
        raise UserError(f"{file}: {key}={given}: columns are numbered 0 to {count - 1}, or -1 from the end")
    if not named:
        raise UserError(f"{file}: {key}={given}: the file has no header line; give the column's number")
    listed = ", ".join(" ".join(name.split()) for name in names[:20]) + (", ..." if count > 20 else "")
    raise UserError(f"{file}: {key}={given}: no such column, there are: {listed}{closest(given, names)}")


def numbers(cells: "pd.Series", numerals: Numerals) -> tuple[NDArray[np.float64], str]:
    """Return the values of a column, NaN for what is none, and how they were read where that is to be told."""
    import pandas as pd

    if cells.dtype.kind == "b":
        return cells.to_numpy(np.float64), BOOLEANS
    if cells.dtype.kind in "iuf":
        return cells.to_numpy(np.float64), ""
    if cells.dtype.kind == "M":
        return _days(pd.to_datetime(cells, utc=True)), DATES
    texts = texts_of(cells)
    present = [text.lower() for text in texts if text.lower() not in MISSING]
    if present and set(present) <= {"true", "false"}:  # beside cells without a value, which are told of below
        return np.array([{"true": 1.0, "false": 0.0}.get(text.lower(), np.nan) for text in texts]), BOOLEANS
    if present and DATE.fullmatch(present[0].upper()):
        dates = pd.Series(texts).where(pd.Series(map(DATE.fullmatch, texts)).notna())
        return _days(pd.to_datetime(dates, format="ISO8601", errors="coerce", utc=True)), DATES
    values = [numerals.value(text) for text in texts]
    return np.array([np.nan if value is None else value for value in values]), ""


def texts_of(cells: "pd.Series") -> list[str]:
    """Return the cells of a column as texts without blanks around them, empty where there is no value."""
    return ["" if cell is None or cell != cell else str(cell).strip() for cell in cells.tolist()]


def _days(dates: "pd.Series") -> NDArray[np.float64]:
    import pandas as pd

    return ((dates - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)).to_numpy(np.float64)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(show, names[:NAMED])) + more


def show(cell: str) -> str:
    """Quote a piece of a file for a message: on one line, and not all of it."""
    return repr(cell if len(cell) <= 40 else cell[:37] + "...")
