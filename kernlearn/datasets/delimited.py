"""Tables separated by a sign, read by pandas once it is known that they are tables.

pandas fills a row that is too short and joins a quote that ends too early to what follows. So fields are counted
before; where their number or quotes are not as they should be, the csv module of Python says at which line.
"""

import csv
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernlearn.datasets.bounds import check_shape, check_size
from kernlearn.datasets.cells import DECIMAL_COMMA, EITHER_COMMA, NA_WORDS, ZERO_PADDED, Numerals, coded
from kernlearn.datasets.columns import NUMBER, ROW_NAMES, Keys, index_by_name, roles_of
from kernlearn.datasets.delimiter import IN_QUOTES, WORDS, delimiter_of
from kernlearn.datasets.fields import count_rows
from kernlearn.datasets.header import has_header, may_be_names
from kernlearn.datasets.quotes import bad_quote
from kernlearn.datasets.table import QUOTED, Table
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
#: Rows that tell whether there is a header line, and decimal commas.
SAMPLE = 10_000
#: Cells that are looked at for zeros in front, and what a line with such a cell has.
SAMPLE_CELLS, PADDED = 1_000_000, re.compile(rb'(?m)(?:^|[,;|\t "])0[0-9]')
#: A first line in which Excel is told the delimiter.
SEPARATOR_LINE = re.compile(rb"(?i)\Asep=([,;|\t])(?=\n)")
#: A field with a word for a missing value in quotes.
NA = b"|".join(re.escape(word).encode() for word in sorted(NA_WORDS))
NA_IN_QUOTES = re.compile(rb'(?i)((?:^|[\n,;|\t]) *")(?=(?:' + NA + rb') *"(?:[\n,;|\t]|$))')
#: Blanks in a line other than one space, or what stands in quotes.
BLANKS, QUOTED_OR_BLANKS = (
    re.compile(r"[^\S\n]{2,}|[^\S\n ]"),
    re.compile(r'("(?:[^"]|"")*+")|[^\S\n]{2,}|[^\S\n ]'),
)
#: Blanks of ASCII that are rare.
RARE = (b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\x1f")


@dataclass(frozen=True)
class Source:
    """Text in UTF-8 of which every line that is not empty is a row, unless quotes go on over several.

    `advice` ends what is said of a line that has other cells than it should.
    """

    file: Path
    content: bytes
    delimiter: str
    quote: str
    advice: str = ""

    def lines(self) -> io.TextIOWrapper:
        """Return the lines, without a copy of them all; every line ends in a line feed, however it is written."""
        return io.TextIOWrapper(io.BytesIO(self.content), "utf-8", newline=None)

    def rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """Return of each row the number of lines before it, that of its last line, and its cells."""
        return (row for row in self._records() if any(row[2]))

    def _records(self) -> Iterator[tuple[int, int, list[str]]]:
        """Return the same of rows and of lines without anything in their cells."""
        quoting = csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE
        style: dict[str, Any] = {"quoting": quoting, "skipinitialspace": True, "strict": True}
        reader = csv.reader(self.lines(), delimiter=self.delimiter, quotechar=self.quote or None, **style)
        before = 0
        try:
            for cells in reader:
                yield before, reader.line_num, [cell.strip() for cell in cells]
                before = reader.line_num
        except csv.Error as error:
            raise UserError(f"{self.file}, {self._what_is_wrong(before, reader.line_num, error)}") from None

    def _what_is_wrong(self, before: int, line: int, error: csv.Error) -> str:
        """Return place and cause of an error in the row after some lines that was seen in a line."""
        found = bad_quote(self.content, self.delimiter, self.quote, before, self.advice) if self.quote else None
        if found:
            return f"line {found[0]}: {found[1]}"
        if "field limit" in str(error):
            return f"line {line}: has a cell of more than {csv.field_size_limit()} letters; shorten it{self.advice}"
        return f"line {line}: {error}{self.advice}"

    def shape(self, width: int) -> int:
        """Return the number of rows; all must be of this width."""
        n = count_rows(self.content, self.delimiter, self.quote, width)
        if n is None:
            n = 0
            for _, line, cells in self._records():
                is_row = any(cells)
                if len(cells) != width if is_row else n and len(cells) > width:  # pandas reads no wider lines
                    wrong = f"has {len(cells)} fields where {width} are expected"
                    raise UserError(f"{self.file}, line {line}: {wrong}{self.advice}")
                n += is_row
        check_size(self.file, COLUMN_BYTES * width, f"{width} columns")
        return n

    def frame(
        self, n: int, width: int, after: int, texts: Sequence[int], decimal: str = ".", most: int | None = None
    ) -> "pd.DataFrame":
        """Return the `n` rows after a line, or `most` of them, with typed columns; `texts` are not to be understood."""
        import pandas as pd

        lines = io.BytesIO(self.content)
        for _ in range(after):
            lines.readline()
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
                    nrows=most,
                    na_values=[""],
                    keep_default_na=False,
                    skipinitialspace=True,
                    decimal=decimal,
                    low_memory=False,  # one type a column
                    **exact,
                )
        except MemoryError:
            raise
        except Exception as error:  # pandas raises almost anything
            raise UserError(f"{self.file}: cannot be read ({' '.join(str(error).split())[:200]})") from None
        if most is None and len(frame) != n:
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
    keys: Keys,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Table:
    """Read a table in UTF-8 separated by comma, semicolon, tab, pipe or blanks, with a header line or without.

    What is not said is found out: the delimiter by `kernlearn.datasets.delimiter`; a decimal comma where the comma
    separates no cells and no thousands; whether there is a header line by `kernlearn.datasets.header`.
    """
    if decimal and decimal == thousands:
        raise UserError(f"{file}: dataset.thousands={thousands}: is the decimal sign as well")
    decimal = decimal or {"point": "comma", "comma": "point"}.get(thousands or "")
    source, guesses = _source(file, content, delimiter)
    source = _with_row_names(source)
    before, line, first = next(source.rows(), (0, 0, []))
    if not first:
        raise UserError(f"{file}: has separators and nothing between them")
    n, width = source.shape(len(first)), len(first)
    if width < 2:
        advice = f"separate features and class by comma, semicolon, tab, pipe or blanks{source.advice}"
        raise UserError(f"{file}: has one column only; {advice}")
    marked = replace(source, content=_marked(source.content)) if source.quote else source
    numerals = Numerals(SIGNS[decimal or "point"], SIGNS[thousands] if thousands else "")
    others = _likely_roles(first, keys)
    remarks: tuple[str, ...] = ()
    sample = marked.frame(n - 1, width, line, others, numerals.decimal, SAMPLE) if n > 1 else None
    if (
        sample is not None
        and not decimal
        and source.delimiter != ","
        and _has_decimal_commas(sample, others[keys.real :])
    ):
        numerals, remarks = (
            numerals._replace(decimal=","),
            ("numbers have decimal commas (if not: dataset.decimal=point)",),
        )
    named = keys.header
    if named is None:
        named = has_header(first, sample, others, keys.given, numerals)
        word, other = ("the first line has the names", "false") if named else ("no line has names", "true")
        if not named and may_be_names(first, numerals):
            word = "no line has names, although the numbers in the first one have equal steps, as names may have"
        remarks = (f"{word} (if not: dataset.header={other})", *remarks)
    remarks = (*guesses, *remarks)
    if named and sample is None:
        raise UserError(f"{file}: has a header line but no examples")
    names = [(name if named else "") or f"column {i}" for i, name in enumerate(first)]
    index = index_by_name(first) if named else {}
    roles = roles_of(file, names, named, keys, index)
    texts = {*range(width)} - {*roles.features, *([roles.target] if keys.real else [])} | roles.types.keys()
    above = line if named else before
    texts |= _zero_padded(marked, n - named, width, above)
    frame = marked.frame(n - named, width, above, sorted(texts), numerals.decimal)

    def written(row: int) -> tuple[str, list[str]]:
        return source.written(row + named)

    def is_quoted(text: str) -> bool:
        return f'"{text}"'.encode() in source.content

    return Table(
        *(file, names, frame, written, keys, named, numerals),
        index=index,
        is_quoted=is_quoted,
        remarks=remarks,
    )


def _zero_padded(source: Source, n: int, width: int, after: int) -> set[int]:
    """Return the columns that have numbers with zeros in front in the first rows; as texts they keep these."""
    if not PADDED.search(b"".join(islice(io.BytesIO(source.content), SAMPLE))):
        return set()
    cells = source.frame(n, width, after, range(width), most=min(n, SAMPLE, 1 + SAMPLE_CELLS // width))
    return {i for i in range(width) if any(map(ZERO_PADDED.fullmatch, coded(cells[i]).texts))}


def _with_row_names(source: Source) -> Source:
    """Return a table with a name above its row names, where R has written none: the first line is one name short."""
    (before, _, first), (_, _, second) = islice(chain(source.rows(), repeat((0, 0, list[str]()))), 2)
    if len(second) != len(first) + 1 or any(Numerals().value(cell) is not None for cell in first):
        return source
    start = len(b"".join(islice(io.BytesIO(source.content), before)))
    name = f"{ROW_NAMES}{source.delimiter}".encode()
    return replace(source, content=source.content[:start] + name + source.content[start:])


def _marked(content: bytes) -> bytes:
    """Return a text with `QUOTED` before words for missing values that are fields in quotes."""
    small = content.lower()
    if not any(f'"{word}'.encode() in small for word in NA_WORDS):
        return content
    return NA_IN_QUOTES.sub(rb"\1" + QUOTED.encode(), content)


def _source(file: Path, content: bytes, said: str | None) -> tuple[Source, tuple[str, ...]]:
    """Return the content with its delimiter, and a remark if that is a guess."""
    source = Source(file, content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), ",", '"')
    if not content.isascii() or any(
        blank in content for blank in RARE
    ):  # lines of other blanks alone are no rows, and pandas thinks that they are
        lines = ("\n" if line.isspace() else line for line in source.lines())
        source = replace(source, content="".join(lines).encode())
    named = SEPARATOR_LINE.match(source.content)
    if named:  # an empty line in its place: the others keep their numbers
        source = replace(source, content=source.content[named.end() :])
    if said:
        delimiter, remarks = SIGNS[said], tuple[str, ...]()
    elif named:
        delimiter = named[1].decode()
        remarks = (f"the first line says that the delimiter is {WORDS[delimiter]} (if not: dataset.delimiter=NAME)",)
    else:
        delimiter, remarks = delimiter_of(file, source.lines())
    if not said:
        advice = f"; the delimiter is taken to be {WORDS[delimiter]} (if not: dataset.delimiter=NAME)"
        source = replace(source, advice=advice)
    if delimiter != " ":
        check_shape(file, source.content.count(delimiter.encode()), 1)
        return replace(source, delimiter=delimiter), remarks
    return _single_blanks(source), remarks


def _single_blanks(source: Source) -> Source:
    """Return a text with one blank between cells, and quotes only if they stand around whole cells."""
    text = source.content.decode()
    quote = '"' if '"' in text and '"' not in IN_QUOTES.sub("", text) else ""
    single = QUOTED_OR_BLANKS.sub(lambda part: part[1] or " ", text) if quote else BLANKS.sub(" ", text)
    return replace(source, content=re.sub("(?m)^ | $", "", single).encode(), delimiter=" ", quote=quote)


def _likely_roles(first: list[str], keys: Keys) -> list[int]:
    """Return the target and other columns that are no features, before it is known whether there are names."""
    last = len(first) - 1
    return [
        int(str(name)) % len(first) if NUMBER.fullmatch(str(name)) else first.index(name) if name in first else last
        for name in keys.given
    ]


def _has_decimal_commas(frame: "pd.DataFrame", texts: Sequence[int]) -> bool:
    """Tell whether some cell is a number with a comma that cannot stand between thousands."""
    return any(
        DECIMAL_COMMA.fullmatch(cell) and not EITHER_COMMA.fullmatch(cell)
        for column in frame.columns.difference(list(texts))
        if frame[column].dtype.kind == "O"
        for cell in coded(frame[column]).texts
    )
