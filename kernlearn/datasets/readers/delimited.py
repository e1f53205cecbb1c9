"""Tables separated by a sign: how they are written is found out, and pandas reads them."""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from kernlearn.datasets.core.cells import DECIMAL_COMMA, EITHER_COMMA, ZERO_PADDED, Numerals, coded, show
from kernlearn.datasets.core.columns import NUMBER, Keys, index_by_name, places_of, roles_of
from kernlearn.datasets.core.table import Table
from kernlearn.datasets.readers.comments import with_names, without_comments
from kernlearn.datasets.readers.names import AS_R, Head, with_row_names
from kernlearn.datasets.readers.source import SAMPLE, SIGNS, Source, marked, plain_lines, source_of
from kernlearn.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

#: Empty lines between rows, and the fewest of them in a file that may have sentences.
EMPTY_LINES, LEAST_DIVIDED = re.compile(rb"\n(?:[ \t]*\n)+"), 2
#: Cells that are looked at for zeros in front, and what a line with such a cell has.
SAMPLE_CELLS, PADDED = 1_000_000, re.compile(rb'(?m)(?:^|[,;|\t "])0[0-9]')


def read_csv(
    file: Path,
    content: bytes,
    keys: Keys,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Table:
    """Read a table in UTF-8 separated by comma, semicolon, tab, pipe or blanks, with a header line or without.

    Settings that are not given are detected. `kernlearn.datasets.readers.delimiter` finds the delimiter, and
    `kernlearn.datasets.readers.header` finds a header line. A comma is a decimal comma if it separates neither cells
    nor thousands.
    """
    if decimal and decimal == thousands:
        raise UserError(f"{file}: dataset.thousands={thousands}: is the decimal sign as well")
    decimal = decimal or {"point": "comma", "comma": "point"}.get(thousands or "")
    content, lines = without_comments(plain_lines(content))
    source, guesses = source_of(file, content, delimiter)
    source, commented = with_names(source, lines, named=keys.header is not False)
    source, has_row_names, short = with_row_names(source, keys)
    rows = list(islice(source.rows(), 3))
    if not rows:
        raise UserError(f"{file}: has separators and nothing between them")
    n, width = source.shape(len(rows[0].cells)), len(rows[0].cells)
    if width < 2:
        advice = f"separate features and class by comma, semicolon, tab, pipe or blanks{source.advice}"
        raise UserError(f"{file}: has one column only; {advice}")
    text = replace(source, content=marked(source.content)) if source.quote else source
    numerals = Numerals(SIGNS[decimal or "point"], SIGNS[thousands] if thousands else "")

    def below(n_lines: int) -> "pd.DataFrame | None":
        """Return the rows below the first ones, or some thousands of them."""
        if n <= n_lines:
            return None
        return text.frame(n - n_lines, width, rows[n_lines - 1].line, others, numerals.decimal, SAMPLE)

    others: list[int] = []
    kept = _without_ends(rows[0].cells, below)
    others = _likely_roles(rows[0].cells[:kept], keys)
    remarks: tuple[str, ...] = ()
    if not decimal and source.delimiter != "," and _has_decimal_commas(below(1), others[keys.real :]):
        numerals = numerals._replace(decimal=",")
        remarks = ("numbers have decimal commas (if not: dataset.decimal=point)",)
    head = Head(source, rows, kept, others, keys, numerals, below, has_row_names)
    n_lines, guessed = head.lines_of_names()
    if n <= n_lines:
        raise UserError(f"{file}: has a header line but no examples")
    if n_lines and (again := source.again(rows[0])):
        raise UserError(f"{file}, line {again}: has the names of the columns again; remove it")
    named, own = n_lines > 0, head.names(n_lines)
    names = [name or f"column {i}" for i, name in enumerate(own)]
    index = index_by_name(own) if named else {}
    if has_row_names:
        index[0] = AS_R
    roles = roles_of(file, names, named, keys, index)
    texts = {*range(kept)} - {*roles.features, *([roles.target] if keys.real else [])} | roles.types.keys()
    above = rows[n_lines - 1].line if named else rows[0].before
    texts |= _zero_padded(text, n - n_lines, width, above)
    frame = text.frame(n - n_lines, width, above, sorted(texts), numerals.decimal)
    _check_ends(source, frame, kept, n_lines)

    def written(row: int) -> tuple[str, list[str]]:
        return source.written(row + n_lines)

    def is_quoted(text: str) -> bool:
        return f'"{text}"'.encode() in source.content

    return Table(
        *(file, names, frame[range(kept)], written, keys, named, numerals),
        index=index,
        is_quoted=is_quoted,
        remarks=(*guesses, *commented, *short, *guessed, *remarks, *([] if named else _sentences(source))),
    )


def _sentences(source: Source) -> list[str]:
    """Return a note if empty lines divide the rows, as they divide the sentences of a CoNLL file."""
    n = len(EMPTY_LINES.findall(source.content.strip())) if source.delimiter in " \t" else 0
    if n < LEAST_DIVIDED:
        return []
    return [f"empty lines divide the rows into {n + 1} groups: if these are sentences, add format=conll"]


def _without_ends(first: Sequence[str], below: Callable[[int], "pd.DataFrame | None"]) -> int:
    """Return the number of columns without the last ones that have neither name nor value, of delimiters at ends."""
    if first[-1] or (rest := below(1)) is None:
        return len(first)
    is_empty = [not name and rest[i].isna().all() for i, name in enumerate(first)]
    return len(first) - len(list(takewhile(bool, reversed(is_empty))))


def _check_ends(source: Source, frame: "pd.DataFrame", kept: int, n_lines: int) -> None:
    """Raise `UserError` if a column that had neither name nor value in the first rows has one further down."""
    for column in frame.columns[kept:]:
        if (rows := frame[column].notna().to_numpy().nonzero()[0]).size:
            place, cells = source.written(int(rows[0]) + n_lines)
            raise UserError(
                f"{source.file}, {place}: {show(cells[column])} is in a column that has neither a name nor a value "
                "before; remove it, or give the column a name"
            )


def _zero_padded(source: Source, n: int, width: int, after: int) -> set[int]:
    """Return the columns that have numbers with zeros in front in the first rows; as texts they keep these."""
    if not PADDED.search(b"".join(islice(io.BytesIO(source.content), SAMPLE))):
        return set()
    cells = source.frame(n, width, after, range(width), most=min(n, SAMPLE, 1 + SAMPLE_CELLS // width))
    return {i for i in range(width) if any(map(ZERO_PADDED.fullmatch, coded(cells[i]).texts))}


def _likely_roles(first: list[str], keys: Keys) -> list[int]:
    """Return the target and other columns that are no features, before it is known whether there are names."""
    last, places = len(first) - 1, places_of(first)
    return [
        int(str(name)) % len(first) if NUMBER.fullmatch(str(name)) else places.get(name, [last])[0]
        for name in keys.given
    ]


def _has_decimal_commas(frame: "pd.DataFrame | None", texts: Sequence[int]) -> bool:
    """Tell whether some cell is a number with a comma that cannot stand between thousands."""
    return frame is not None and any(
        DECIMAL_COMMA.fullmatch(cell) and not EITHER_COMMA.fullmatch(cell)
        for column in frame.columns.difference(list(texts))
        if frame[column].dtype.kind == "O"
        for cell in coded(frame[column]).texts
    )
