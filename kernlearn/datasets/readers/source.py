"""The text of a table, as rows of cells between separators, read by pandas once it is known that these are right.

pandas fills a row that is too short and joins a quote that ends too early to what follows. So fields are counted
before; where their number or quotes are not as they should be, the csv module of Python says at which line.
"""

import csv
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kernlearn.datasets.core.bounds import check_shape, check_size
from kernlearn.datasets.core.cells import NA_WORDS
from kernlearn.datasets.core.table import QUOTED
from kernlearn.datasets.readers.delimiter import IN_QUOTES, WORDS, delimiter_of
from kernlearn.datasets.readers.fields import count_rows
from kernlearn.datasets.readers.quotes import bad_quote
from kernlearn.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

#: The words for signs in `dataset.delimiter`, `dataset.decimal` and `dataset.thousands`: a shell would take the signs.
SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "blanks": " ", "point": ".", "apostrophe": "'"}
DELIMITERS = ("comma", "semicolon", "tab", "pipe", "blanks")
DECIMALS = ("point", "comma")
THOUSANDS = ("comma", "point", "blanks", "apostrophe")
#: Rows that tell whether there is a header line, and decimal commas.
SAMPLE = 10_000
#: Bytes that pandas takes for a column, beside its values.
COLUMN_BYTES = 2000
#: A first line in which Excel is told the delimiter.
SEPARATOR_LINE = re.compile(rb'(?i)\A"?sep=([,;|\t])"?(?=\n)')
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


class Row(NamedTuple):
    """A row: the number of lines before it, that of its last line, and its cells."""

    before: int
    line: int
    cells: list[str]


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

    def rows(self) -> Iterator[Row]:
        """Return the rows."""
        return (row for row in self._records() if any(row.cells))

    def quoted(self, row: Row) -> list[bool]:
        """Return which cells of a row stand in quotes."""
        text = " ".join(line.strip("\n") for line in islice(self.lines(), row.before, row.line))
        cells = next(csv.reader([text], delimiter=self.delimiter, quoting=csv.QUOTE_NONE))
        is_whole = len(cells) == len(row.cells)  # else there are delimiters in quotes
        return [is_whole and cell.strip().startswith(self.quote or "\n") for cell in cells]

    def again(self, row: Row) -> int | None:
        """Return the line that is written as a row above it is, if there is one."""
        start, end = self._end_of(row.before), self._end_of(row.line)
        text = b"\n" + self.content[start:end].rstrip(b"\n")
        at = self.content.find(text + b"\n", end - 1)
        if at < 0 and self.content[end - 1 :].endswith(text):
            at = len(self.content) - len(text)
        return None if at < 0 else self.content.count(b"\n", 0, at + 1) + 1

    def with_first_cell(self, line: int, cell: str) -> "Source":
        """Return the same with a cell more where a line begins, counted from 1."""
        start = self._end_of(line - 1)
        return self._with(start, f"{cell}{self.delimiter}")

    def with_last_cell(self, line: int) -> "Source":
        """Return the same with an empty cell more where a line ends."""
        return self._with(self._end_of(line) - 1, self.delimiter)

    def with_line(self, line: int, text: str) -> "Source":
        """Return the same with a text in the place of an empty line."""
        return self._with(self._end_of(line - 1), text)

    def _end_of(self, line: int) -> int:
        return len(b"".join(islice(io.BytesIO(self.content), line)))

    def _with(self, at: int, text: str) -> "Source":
        return replace(self, content=self.content[:at] + text.encode() + self.content[at:])

    def _records(self) -> Iterator[Row]:
        """Return rows, and lines without anything in their cells."""
        quoting = csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE
        style: dict[str, Any] = {"quoting": quoting, "skipinitialspace": True, "strict": True}
        reader = csv.reader(self.lines(), delimiter=self.delimiter, quotechar=self.quote or None, **style)
        before = 0
        try:
            for cells in reader:
                yield Row(before, reader.line_num, [cell.strip() for cell in cells])
                before = reader.line_num
        except csv.Error as error:
            raise UserError(f"{self.file}, {self._what_is_wrong(before, reader.line_num, error)}") from None

    def _what_is_wrong(self, before: int, line: int, error: csv.Error) -> str:
        """Return place and cause of an error in the row after some lines that was seen in a line."""
        wrong = bad_quote(self.content, self.delimiter, self.quote, before, self.advice) if self.quote else None
        if wrong:
            return f"line {wrong[0]}: {wrong[1]}"
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


def marked(content: bytes) -> bytes:
    """Return a text with `QUOTED` before words for missing values that are fields in quotes."""
    small = content.lower()
    if not any(f'"{word}'.encode() in small for word in NA_WORDS):
        return content
    return NA_IN_QUOTES.sub(rb"\1" + QUOTED.encode(), content)


def plain_lines(content: bytes) -> bytes:
    """Return a text with line feeds at the ends of lines, and nothing in lines of blanks alone."""
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if content.isascii() and not any(blank in content for blank in RARE):
        return content
    # lines of other blanks alone are no rows, and pandas thinks that they are
    lines = io.TextIOWrapper(io.BytesIO(content), "utf-8", newline=None)
    return "".join("\n" if line.isspace() else line for line in lines).encode()


def source_of(file: Path, content: bytes, said: str | None) -> tuple[Source, tuple[str, ...]]:
    """Return plain lines with their delimiter, and a remark if that is a guess."""
    source = Source(file, content, ",", '"')
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
