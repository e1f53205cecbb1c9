"""Tables separated by a sign: CSV and ARFF, read by pandas once it is known that they are tables.

pandas fills a row that is too short and joins a quote that ends too early to what follows; the csv module of Python
goes through the file before, keeps nothing of it, and says at which line it is no table.
"""

import csv
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernlearn.datasets.bounds import check_shape, check_size
from kernlearn.datasets.table import (
    DATE,
    DECIMAL_COMMA,
    EITHER_COMMA,
    INDEX,
    MISSING,
    Numerals,
    Table,
    roles,
    show,
    texts_of,
)
from kernlearn.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

#: The words for signs in `dataset.delimiter`, `dataset.decimal` and `dataset.thousands`: a shell would take the signs.
SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "blanks": " ", "point": ".", "apostrophe": "'"}
DELIMITERS = ("comma", "semicolon", "tab", "pipe", "blanks")
DECIMALS = ("point", "comma")
THOUSANDS = ("comma", "point", "blanks", "apostrophe")
#: Bytes that pandas takes for a column, beside its values.
COLUMN_BYTES = 2000
#: What may be a blank of Unicode.
BLANKS = re.compile(rb"[\x0b\x0c\x1c-\x1f\x80-\xff]")
NUMERIC_TYPES = {"numeric", "real", "integer"}
ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"[^"]*"|\S+)\s+(\{.*\}|\w+)""", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Source:
    """Text in UTF-8 of which every line that is not empty is a row, unless quotes go on over several."""

    file: Path
    content: bytes
    delimiter: str
    quote: str
    first_line: int = 1

    def lines(self) -> io.TextIOWrapper:
        """Return the lines, without a copy of them all; every line ends in a line feed, however it is written."""
        return io.TextIOWrapper(io.BytesIO(self.content), "utf-8", newline=None)

    def rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """Return of each row the number of lines before it, that of its last line, and its cells."""
        quoting = csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE
        style: dict[str, Any] = {"quoting": quoting, "skipinitialspace": True, "strict": True}
        reader = csv.reader(self.lines(), delimiter=self.delimiter, quotechar=self.quote or None, **style)
        above = self.first_line - 1
        before = above
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield before, above + reader.line_num, [cell.strip() for cell in cells]
                before = above + reader.line_num
        except csv.Error as error:
            raise UserError(f"{self.file}, line {above + reader.line_num}: {error}") from None

    def shape(self, width: int) -> int:
        """Return the number of rows; all must be of this width."""
        n = 0
        for _, line, cells in self.rows():
            if len(cells) != width:
                raise UserError(f"{self.file}, line {line}: has {len(cells)} fields where {width} are expected")
            n += 1
        check_size(self.file, COLUMN_BYTES * width, f"{width} columns")
        return n

    def frame(self, n: int, width: int, after: int, texts: Sequence[int], decimal: str = ".") -> "pd.DataFrame":
        """Return the `n` rows after a line, columns with their types; `texts` are not to be understood."""
        import pandas as pd

        lines = self.lines()
        for _ in range(after + 1 - self.first_line):
            next(lines)
        quoting = csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE
        exact: dict[str, Any] = {} if _version(pd) >= (3, 1) else {"float_precision": "round_trip"}  # else the default
        try:
            with warnings.catch_warnings(action="ignore", category=pd.errors.ParserWarning):  # `shape` says it better
                frame = pd.read_csv(
                    lines,
                    sep=self.delimiter,
                    quotechar=self.quote or '"',
                    quoting=quoting,
                    header=None,
                    names=range(width),
                    index_col=False,
                    dtype=dict.fromkeys(texts, object),
                    na_values=[""],
                    keep_default_na=False,
                    skipinitialspace=True,
                    decimal=decimal,
                    low_memory=False,  # one type a column
                    **exact,
                )
        except (ValueError, OverflowError) as error:
            raise UserError(f"{self.file}: cannot be read ({' '.join(str(error).split())[:200]})") from None
        # lines of separators alone are no rows; what is missing among integers beyond 64 bits stays ""
        frame = frame[~(frame.isna() | frame.eq("")).all(axis=1)].reset_index(drop=True).infer_objects()
        if len(frame) != n:
            raise UserError(f"{self.file}: has lines of nothing but blanks between the rows; remove them")
        return frame

    def written(self, row: int) -> tuple[str, list[str]]:
        """Return place and cells of a row, counted from 0."""
        _, line, cells = next(islice(self.rows(), row, None))
        return f"line {line}", cells


def _version(pandas: Any) -> tuple[int, ...]:
    return tuple(map(int, pandas.__version__.split(".")[:2]))


def read_csv(
    file: Path,
    content: bytes,
    target: Any,
    drop: Sequence[Any] = (),
    *,
    real: bool = False,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Table:
    """Read a table in UTF-8 separated by comma, semicolon, tab, pipe or blanks, with a header line or without.

    The columns that are named, the target and what is to be dropped, help to tell a header line. What is not said is
    found: the delimiter from the first line; a decimal comma where the comma separates no cells and no thousands.
    """
    if decimal and decimal == thousands:
        raise UserError(f"{file}: dataset.thousands={thousands}: is the decimal sign as well")
    decimal = decimal or {"point": "comma", "comma": "point"}.get(thousands or "")
    source = _source(file, content, SIGNS[delimiter] if delimiter else None)
    before, line, first = next(source.rows(), (0, 0, []))
    if not first:
        raise UserError(f"{file}: has separators and nothing between them")
    n, width = source.shape(len(first)), len(first)
    if width < 2:
        raise UserError(f"{file}: has one column only; separate features and class by comma, semicolon, tab or blanks")
    numerals = Numerals(SIGNS[decimal or "point"], SIGNS[thousands] if thousands else "")
    others = _likely_roles(first, target, drop)
    remarks: tuple[str, ...] = ()
    rest = source.frame(n - 1, width, line, others, numerals.decimal) if n > 1 else None
    if rest is not None and not decimal and source.delimiter != "," and _has_decimal_commas(rest, others[real:]):
        numerals, remarks = numerals._replace(decimal=","), ("numbers have decimal commas",)
        rest = source.frame(n - 1, width, line, others, ",")
    named = _has_header(first, rest, others, (target, *drop), numerals)
    if named and rest is None:
        raise UserError(f"{file}: has a header line but no examples")
    names = [(name if named else "") or f"column {i}" for i, name in enumerate(first)]
    _, features = roles(file, names, named, target, drop)
    texts = sorted(set(range(width)) - set(features))
    if rest is None or not named or texts != sorted(set(others)):
        rest = source.frame(n - named, width, line if named else before, texts, numerals.decimal)
    return Table(file, names, rest, lambda row: source.written(row + named), named, numerals, remarks=remarks)


def read_arff(file: Path, content: bytes) -> Table:
    """Read a table in (dense) ARFF, in UTF-8."""
    names: list[str] = []
    nominal: dict[int, list[str]] = {}
    lines = list(Source(file, content, ",", "'").lines())
    start = next((i for i, line in enumerate(lines) if line.strip().lower() == "@data"), len(lines))
    for i, line in enumerate(lines[:start], start=1):
        if not line.lstrip().lower().startswith("@attribute"):
            continue
        match = ATTRIBUTE.fullmatch(line.strip())
        if not match:
            raise UserError(f"{file}, line {i}: cannot be read: {show(line.strip())}")
        name, kind = match[1].strip("'\""), match[2]
        if kind.startswith("{"):
            declared = Source(file, kind[1:-1].encode(), ",", "'", i).rows()
            nominal[len(names)] = [value for *_, cells in declared for value in cells]
        elif kind.lower() not in NUMERIC_TYPES:
            raise UserError(f"{file}, line {i}: attribute {show(name)} is of type {kind}; use numeric or nominal ones")
        names.append(name)
    if len(names) < 2:
        raise UserError(f"{file}: declares fewer than two attributes; features and class are needed")
    body = "".join(line if not line.lstrip().startswith("%") else "\n" for line in lines[start + 1 :])
    source = Source(file, body.encode(), ",", "'", start + 2)
    before, at, first = next(source.rows(), (0, 0, []))
    if not first:
        raise UserError(f"{file}: has a header but no examples")
    if first[0].startswith("{"):
        raise UserError(f"{file}, line {at}: sparse ARFF is not supported; write every value, or use libsvm format")
    n = source.shape(len(names))
    frame = source.frame(n, len(names), before, range(len(names)))
    return Table(file, names, frame, source.written, nominal=nominal)


def _source(file: Path, content: bytes, delimiter: str | None) -> Source:
    """Return the content with its delimiter, by default that which stands most often in its first row."""
    source = Source(file, content, ",", '"')
    if BLANKS.search(content):  # lines of these alone are no rows, and pandas thinks that they are
        lines = ("\n" if line.isspace() else line for line in source.lines())
        source = replace(source, content="".join(lines).encode())
    first = ""
    for line in source.lines():
        first += line if first or line.strip() else ""
        if first and first.count(source.quote) % 2 == 0 or len(first) > 2**16:  # quotes that go on, for ever
            break
    delimiter = delimiter or max(",;\t", key=first.count)
    if delimiter != " " and delimiter in first:
        check_shape(file, source.content.count(delimiter.encode()), 1)
        return replace(source, delimiter=delimiter)
    single = "\n".join(" ".join(line.split()) for line in source.lines())  # whatever blanks of Unicode there are
    return Source(file, single.encode(), " ", "")


def _likely_roles(first: list[str], target: Any, drop: Sequence[Any]) -> list[int]:
    """Return the columns of the target and of what is to be dropped, before it is known whether there are names."""
    last = len(first) - 1
    return [
        int(name) % len(first) if INDEX.fullmatch(str(name)) else first.index(name) if name in first else last
        for name in (target, *drop)
    ]


def _has_decimal_commas(frame: "pd.DataFrame", texts: Sequence[int]) -> bool:
    """Tell whether some cell is a number with a comma that cannot stand between thousands."""
    return any(
        DECIMAL_COMMA.fullmatch(cell) and not EITHER_COMMA.fullmatch(cell)
        for column in frame.columns.difference(list(texts))
        if frame[column].dtype.kind == "O"
        for cell in texts_of(frame[column])
    )


def _has_header(
    first: list[str], rest: "pd.DataFrame | None", others: Sequence[int], given: Sequence[Any], numerals: Numerals
) -> bool:
    """Tell a line of names: a feature that is no value, or a class that alone among the classes is no number.

    Numbers from 0 on are names too, those that pandas gives to columns without any; of few columns it cannot be told.
    A date, a boolean or a number with thousands is a name where the column below holds something else.
    """
    if len(first) > 3 and first == [str(i) for i in range(len(first))]:
        return True
    if any(isinstance(name, str) and name in first and not INDEX.fullmatch(name) for name in given):
        return True
    for column in set(range(len(first))) - set(others):
        cell = first[column]
        plain = Numerals().value(cell) is not None or cell.lower() in MISSING
        if not plain and not _goes_with(cell, rest, column, numerals):
            return True
    at = others[0]
    labels = [] if rest is None else texts_of(rest[at])
    is_number = Numerals().value(first[at]) is not None or numerals.value(first[at]) is not None
    return not is_number and bool(labels) and all(numerals.value(label) is not None for label in labels)


def _goes_with(cell: str, rest: "pd.DataFrame | None", column: int, numerals: Numerals) -> bool:
    """Tell whether a cell that is no plain number is a value of the kind that the column below it holds."""
    if numerals.value(cell) is not None:
        return True
    if rest is None or not (DATE.fullmatch(cell) or cell.lower() in ("true", "false")):
        return False
    below = rest[column]
    return below.dtype.kind == "b" if cell.isalpha() else all(map(DATE.fullmatch, texts_of(below)))
