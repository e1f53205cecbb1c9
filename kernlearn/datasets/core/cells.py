"""Cells of tables as people write them: missing values, numbers, dates, true and false, and texts."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # pandas is imported where a file is read, so that all else stays fast
    import pandas as pd

#: A cell with one of these has no value, whatever is in its column.
MISSING = {"", "?"}
#: A cell with one of these, in any case, has no value where the other cells are numbers, dates or booleans; the last
#: three are of MySQL.
NA_WORDS = {"na", "n/a", "#n/a", "<na>", "nan", "null", "none", r"\n", "0000-00-00", "0000-00-00 00:00:00"}
#: What a column may hold.
TYPES = ("number", "category", "text", "date", "boolean")
#: A comma that can only be a decimal sign, and one that may as well stand between thousands.
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?")
EITHER_COMMA = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")
#: ISO 8601. In other notations of a date, it is ambiguous which number is the month.
TIME = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
DATE = re.compile(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}({TIME})?", re.IGNORECASE)
#: A number that is written with zeros in front, as codes such as 01234 are.
ZERO_PADDED = re.compile("0[0-9]+")
BOOLEANS = {"true": 1.0, "false": 0.0}
#: What else is read as true or false where a column is said to be of booleans.
MORE_BOOLEANS = {**BOOLEANS, "yes": 1.0, "no": 0.0, "t": 1.0, "f": 0.0, "y": 1.0, "n": 0.0, "1": 1.0, "0": 0.0}
#: Characters that take no room on a page.
INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
#: Units of dates in a day.
UNITS = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Numerals(NamedTuple):
    """How numbers are written."""

    decimal: str = "."
    thousands: str = ""

    def value(self, cell: str) -> float | None:
        """Return the value of a cell, or None; digits grouped by "_" are Python's idea of a number, not a file's."""
        plain = self.plain(cell)
        try:
            return None if plain is None or "_" in plain else float(plain)
        except ValueError:
            return None

    def plain(self, cell: str) -> str | None:
        """Return a number with a decimal point and without signs between thousands; None where these are wrong."""
        if self.thousands == " ":
            cell = re.sub("[\u00a0\u202f]", " ", cell)
        if self.thousands and self.thousands in cell:
            mark, point = re.escape(self.thousands), re.escape(self.decimal)
            if not re.fullmatch(rf"[+-]?[0-9]{{1,3}}({mark}[0-9]{{3}})+({point}[0-9]*)?", cell):
                return None
            cell = cell.replace(self.thousands, "")
        if self.decimal == ".":
            return cell
        return None if "." in cell else cell.replace(self.decimal, ".")


class Coded(NamedTuple):
    """A column as its different texts, in the order in which they first occur."""

    #: Shape (n,). For every row the index of its text, -1 where there is no value.
    codes: NDArray[np.int64]
    #: Without blanks around them, none twice, none empty.
    texts: list[str]

    def merged(self, texts: Sequence[str]) -> "Coded":
        """Return the column with other texts in the place of its own: equal ones become one, empty ones no value."""
        place = {text: i for i, text in enumerate(dict.fromkeys(filter(None, texts)))}
        new = np.array([place.get(text, -1) for text in texts] + [-1], dtype=np.int64)  # the last is for code -1
        return Coded(new[self.codes], list(place))

    def mapped(self, values: Sequence[float | None]) -> NDArray[np.float64]:
        """Return for every row the value of its text, NaN where there is none."""
        return np.array([np.nan if value is None else value for value in (*values, None)])[self.codes]


def coded(cells: "pd.Series") -> Coded:
    """Return the different texts of a column, numbers as they are written by Python: integers of any size exactly."""
    raw = as_written(cells)
    return raw.merged([text.strip() for text in raw.texts])


def as_written(cells: "pd.Series") -> Coded:
    """Return the same with the blanks around texts, of which some may be empty."""
    import pandas as pd

    codes, unique = pd.factorize(cells)
    return Coded(codes.astype(np.int64), [str(value) for value in np.asarray(unique)])


def one_spelling(texts: Sequence[str]) -> list[str]:
    """Return texts with one in the place of those that are spelled alike (see `spelling`)."""
    spellings = list(map(spelling, texts))
    alike: dict[str, set[str]] = {}
    for text, its in zip(texts, spellings, strict=True):
        alike.setdefault(its, set()).add(text)
    return [text if len(alike[its]) == 1 else its for text, its in zip(texts, spellings, strict=True)]


def spelling(text: str) -> str:
    """Return a text with single blanks, without invisible characters, and true and false in small letters.

    Texts that look the same have the same spelling.
    """
    plain = " ".join(INVISIBLE.sub("", unicodedata.normalize("NFC", text)).split())
    return plain.lower() if plain.lower() in BOOLEANS else plain


def type_of(texts: Sequence[str], numerals: Numerals) -> str:
    """Return what the texts of a column are: "number", "boolean", "date" (if the first one is), or "text"."""
    if texts and {text.lower() for text in texts} <= BOOLEANS.keys():
        return "boolean"
    if texts and DATE.fullmatch(texts[0]):
        return "date"
    return "number" if all(numerals.value(text) is not None for text in texts) else "text"


def values_of(column: Coded, kind: str, numerals: Numerals, *, said: bool = False) -> NDArray[np.float64]:
    """Return the numbers that texts of a type stand for, NaN for others; `said` if a person has said the type."""
    if kind == "date":
        return column.mapped(list(map(days, column.texts)))
    if kind == "boolean":
        known = MORE_BOOLEANS if said else BOOLEANS
        return column.mapped([known.get(text.lower()) for text in column.texts])
    return column.mapped([numerals.value(text) for text in column.texts])


def days(text: str) -> float | None:
    """Return the days from 1970-01-01, 0 o'clock UTC, to a date of ISO 8601 of the years 1 to 9999, or None."""
    if not DATE.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
        ahead = moment.utcoffset() or timedelta()  # taken off last: the year 1 of a zone may begin in the year 0
        return (moment.replace(tzinfo=UTC) - EPOCH - ahead) / timedelta(days=1)
    except ValueError:  # 2001-02-29
        return None


def days_of(cells: "pd.Series") -> NDArray[np.float64]:
    """Return a column of dates as days since 1970-01-01, 0 o'clock UTC, whatever their unit and century."""
    if cells.dt.tz is not None:
        cells = cells.dt.tz_convert(None)
    dates = cells.to_numpy()
    a_day = UNITS[np.datetime_data(dates.dtype)[0]]
    n_days, part = np.divmod(dates.view(np.int64), a_day)
    return np.where(np.isnat(dates), np.nan, n_days + part / a_day)


def show(cell: str) -> str:
    """Quote a piece of a file for a message: on one line, and not all of it."""
    return repr(cell if len(cell) <= 40 else cell[:37] + "...")


def show_name(name: str) -> str:
    """Return a name as it is, and one that is long or has letters that cannot be printed as `show` does."""
    quoted = show(name)
    return name if quoted[1:-1] == name else quoted
