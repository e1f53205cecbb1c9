"""Tidy tables from shards. The same results give the same bytes, whoever computed them and in which order."""

import csv
import io
import logging
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol

from kernlearn.atomic import make_directory, naming, replacing, write_atomically
from kernlearn.errors import UserError
from kernlearn.runner.store.files import read_regular

log = logging.getLogger(__name__)


class SupportsWrite(Protocol):
    """A stream of text."""

    def write(self, text: str, /) -> object:
        """Write a text."""


class _Lines:
    """A stream whose lines end with a line feed, for a writer that ends them with a carriage return before it."""

    def __init__(self, stream: SupportsWrite) -> None:
        self.stream = stream

    def write(self, line: str) -> None:
        self.stream.write(line.removesuffix("\r\n") + "\n")


def csv_writer(stream: SupportsWrite) -> Any:
    """Return a writer of CSV whose lines end with a line feed.

    Python's writer quotes the characters that end its lines. Before 3.13 it leaves a carriage return within a cell
    without quotes if they end with a line feed, and readers see two lines.
    """
    return csv.writer(_Lines(stream), lineterminator="\r\n")


def write_csv(path: Path, rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None) -> None:
    """Write rows as CSV, atomically; see `csv_of`."""
    write_atomically(path, csv_of(rows, columns))


def csv_of(rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None) -> bytes:
    """Return rows as CSV, with numbers in the shortest form that reads back exactly.

    Parameters
    ----------
    rows : sequence of mappings
    columns : sequence of str, optional
        By default all keys, in the order of their first occurrence.
    """
    if columns is None:
        columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv_writer(text)
    writer.writerow(columns)
    known = set(columns)
    for row in rows:
        if not row.keys() <= known:
            raise ValueError(f"a row has other columns: {sorted(row.keys() - known)}")
        writer.writerow([row.get(column, "") for column in columns])
    return text.getvalue().encode()


def read_csv(path: Path, columns: Sequence[str] = ()) -> list[dict[str, str]]:
    """Return the rows of a CSV file of `write_csv` as texts.

    Raises `OSError` if it cannot be read. Raises `UserError` if it is not such a file or was cut short: its last line
    has no end, or a row has more or fewer cells than there are columns.

    Parameters
    ----------
    columns : sequence of str
        The columns that it must have; it may have others.
    """
    head, rows = parse_csv(str(path), read_regular(path), columns)
    return [dict(zip(head, row, strict=True)) for row in rows]


def parse_csv(name: str, content: bytes, columns: Sequence[str] = ()) -> tuple[list[str], list[list[str]]]:
    """Return the columns and the rows of the content of such a file; see `read_csv`, which returns mappings.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    """
    try:
        text = content.decode()
        if not text.endswith("\n"):
            raise ValueError("its last line has no end" if text else "it is empty")
        head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        if lacking := [name for name in columns if name not in head]:
            raise ValueError(f"it has no column {lacking[0]}")
        if short := next((number for number, row in enumerate(rows, 2) if len(row) != len(head)), 0):
            raise ValueError(f"row {short} has {len(rows[short - 2])} cells, and there are {len(head)} columns")
    except (ValueError, csv.Error) as error:
        raise UserError(f"{name}: damaged ({error})") from error
    return head, rows


def write_csv_parts(path: Path, parts: Iterable[Sequence[Mapping[str, object]]]) -> None:
    """Write a CSV file that does not fit in memory, atomically, as `write_csv` would with the rows of all parts.

    The columns are known only after the last part, so the parts go to a temporary file first.
    """
    columns: dict[str, None] = {}
    make_directory(path.parent)
    with naming(path), tempfile.TemporaryFile("w+", dir=path.parent, newline="", encoding="utf-8") as kept:
        heads: list[tuple[tuple[str, ...], int]] = []  # runs of rows with the same columns
        writer = csv_writer(kept)
        for rows in parts:
            for row in rows:
                names = tuple(row)
                if heads and heads[-1][0] == names:
                    heads[-1] = (names, heads[-1][1] + 1)
                else:
                    heads.append((names, 1))
                    columns |= dict.fromkeys(names)
                writer.writerow(row.values())
        kept.seek(0)
        with replacing(path) as binary:
            file = io.TextIOWrapper(binary, newline="", encoding="utf-8", write_through=True)
            _join(kept, file, heads, tuple(columns))
            file.detach()  # flushed but not closed


def _join(kept: IO[str], file: IO[str], heads: Sequence[tuple[tuple[str, ...], int]], columns: tuple[str, ...]) -> None:
    writer = csv_writer(file)
    writer.writerow(columns)
    lines = csv.reader(kept)
    for names, count in heads:
        if names == columns:
            writer.writerows(islice(lines, count))
            continue
        place = [names.index(name) if name in names else -1 for name in columns]
        for line in islice(lines, count):
            writer.writerow([line[i] if i >= 0 else "" for i in place])
