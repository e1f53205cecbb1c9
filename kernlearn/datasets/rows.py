"""New rows of a table whose columns are known: the same columns by name, in any order, a part of the file at a time."""

import codecs
import gzip
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.datasets.core.bounds import LARGEST, open_plain
from kernlearn.datasets.core.cells import show, spelling
from kernlearn.datasets.core.columns import Keys, word_for
from kernlearn.datasets.core.schema import RawColumn, TableSchema
from kernlearn.datasets.core.table import NAMED, Table, listed
from kernlearn.datasets.readers.arff import looks_like_arff, read_arff
from kernlearn.datasets.readers.comments import without_comments
from kernlearn.datasets.readers.delimited import read_csv
from kernlearn.datasets.readers.libsvm import looks_like_libsvm, read_new_libsvm
from kernlearn.datasets.readers.parquet import is_parquet, read_parquet
from kernlearn.datasets.readers.source import SIGNS, plain_lines, source_of
from kernlearn.datasets.userfile import MARKS, read_content
from kernlearn.errors import UserError, closest
from kernlearn.types import Array

#: Characters of a CSV file that are read at a time, and those of the first lines that tell its columns.
PART, HEAD = 2**23, 2**16
#: Lines that tell how a table is written.
FEW_LINES = 20
#: Characters that a row may have, which may go on over several lines in quotes.
MOST_LEFT = 4 * PART
#: The code of a text that the training data did not have.
UNSEEN = -1.0
WORDS = {sign: word for word, sign in SIGNS.items()}
#: What stands first in every line of a libsvm file.
LABEL = "label"
#: The keys of a table without a target.
ALL_FEATURES = Keys(index=("none",), real=True)


@dataclass(frozen=True)
class Rows:
    """Some rows of a file.

    Attributes
    ----------
    codes : array of shape (n, n_columns)
        Numbers; of categories the place of the value in `RawColumn.values`, -1 for another one; NaN without a value.
    kept : list of list of str
        The cells of the columns that are kept, one list for each of these columns.
    """

    codes: Array
    kept: list[list[str]]


@dataclass
class NewRows:
    """Reads the columns that a model takes, part by part.

    Parameters
    ----------
    file : Path
        CSV or libsvm text, gzipped or not, which is never in memory as a whole; or ARFF or Parquet, which are.
    schema : TableSchema
    keep : sequence of str
        Names of columns whose cells are handed on.
    fills : bool
        Whether the model fills in missing values; if not, they are refused.
    encoding, delimiter : str, optional
        As ``dataset.encoding`` and ``dataset.delimiter``.
    part : int
        Characters that are read at a time.

    Attributes
    ----------
    notes : list of str
        How the columns were understood, after the first part.
    unseen : dict of str to dict of str to int
        How often every column had every text that the training data did not have.
    """

    file: Path
    schema: TableSchema
    keep: Sequence[str] = ()
    fills: bool = False
    encoding: str | None = None
    delimiter: str | None = None
    part: int = PART
    notes: list[str] = field(default_factory=list)
    unseen: dict[str, dict[str, int]] = field(default_factory=dict)
    _places: list[int] = field(default_factory=list)
    _kept: list[int] = field(default_factory=list)

    def parts(self) -> Iterator[Rows]:
        """Yield the rows in their order.

        Raises
        ------
        UserError
            If the file cannot be read, a column is missing, or a cell is not what its column holds.
        """
        with _opened(self.file) as stream:
            start = stream.read(HEAD)
        if looks_like_libsvm(start):
            yield from self._of_libsvm(self._texts(start))
        elif is_parquet(start) or looks_like_arff(start) or self.file.suffix.lower() == ".arff":
            content = read_content(self.file)
            reader = read_parquet if is_parquet(start) else read_arff
            names = reader(self.file, content, ALL_FEATURES).names
            yield self._rows(reader(self.file, content, self._keys(names, True)))
        else:
            yield from self._of_csv(self._texts(start))

    def _of_libsvm(self, texts: Iterator[str]) -> Iterator[Rows]:
        """Yield the rows of a libsvm file, whose features are known by their numbers; what is not there is 0."""
        names = [column.name for column in self.schema.columns]
        if wrong := [name for name in names if not name.isdecimal()]:
            raise UserError(
                f"{self.file}: is in libsvm's format, whose features are numbers, and the model was trained on "
                f"{listed(wrong)}; write it as CSV, with names for the columns"
            )
        if wrong := [name for name in self.keep if name != LABEL]:
            raise UserError(f"{self.file}: --keep {wrong[0]}: of a file in libsvm's format, only {LABEL} can be kept")
        numbers, before, ignored = [int(name) for name in names], 0, set[str]()
        for text in texts:
            X, labels, others = read_new_libsvm(self.file, text.encode(), numbers, before)
            if new := [str(number) for number in others if str(number) not in ignored]:
                self.notes.append(f"{listed(new)}: not used by the model, ignored")
                ignored.update(new)
            yield Rows(X, [labels for _ in self.keep])
            before += text.count("\n")

    def _of_csv(self, texts: Iterator[str]) -> Iterator[Rows]:
        """Yield the rows of a CSV file; every part is read below the lines that are above the first row."""
        first = ""
        while first.count("\n") < FEW_LINES and (more := next(texts, "")):
            first += more
        if not first.strip():
            raise UserError(f"{self.file}: is empty")
        head = _records(first, HEAD)[0].encode()
        how = self._signs(head)
        table = read_csv(self.file, head, ALL_FEATURES, **how)
        line = int(re.sub(r"\D", "", table.written(0)[0]))
        above = b"".join(io.BytesIO(head).readlines()[: line - 1])
        keys = self._keys(table.names, table.named)
        yield self._rows(read_csv(self.file, first.encode(), keys, **how))
        before = first.count("\n") - above.count(b"\n")
        for text in texts:
            yield self._rows(read_csv(self.file, above + text.encode(), keys, **how), before)
            before += text.count("\n")

    def _signs(self, head: bytes) -> dict[str, Any]:
        """Return how the cells of all parts are separated, and their numbers written."""
        source, _ = source_of(self.file, without_comments(plain_lines(head))[0], self.delimiter)
        decimal, thousands = WORDS[self.schema.decimal], WORDS.get(self.schema.thousands)
        return {"delimiter": WORDS[source.delimiter], "decimal": decimal, "thousands": thousands}

    def _texts(self, start: bytes) -> Iterator[str]:
        """Yield the text in parts that end where a row does."""
        encoding = self.encoding or next((name for mark, name in MARKS.items() if start.startswith(mark)), None)
        if encoding in (None, "utf-8"):
            encoding = "utf-8-sig" if self.encoding or _is_utf8(start) else "cp1252"
            if encoding == "cp1252":
                self.notes.append("the text is not UTF-8, read as Windows-1252 (--encoding names another)")
        with _opened(self.file) as stream:
            left = ""
            try:
                reader = io.TextIOWrapper(stream, encoding, newline=None)
                while more := reader.read(self.part):
                    part, left = _records(left + more)
                    if len(left) > MOST_LEFT:
                        raise UserError(f"{self.file}: a quote is never closed; close it, or remove it")
                    if part:
                        yield part
            except (UnicodeError, LookupError) as error:
                raise UserError(f"{self.file}: is not {encoding} text ({error}); --encoding names another") from None
            if left.strip():
                yield left

    def _keys(self, names: Sequence[str], named: bool) -> Keys:
        """Find the columns, say what is ignored, and return what makes the reader read them as those of training."""
        columns = self.schema.columns
        self._places = [self._place(names, named, column) for column in columns]
        absent = [one.name for one, place in zip(columns, self._places, strict=True) if place < 0]
        if absent:
            near = closest(absent[0], names) if named else ""
            raise UserError(f"{self.file}: has no {listed(absent)}, which the model was trained on{near}")
        self._kept = [self._kept_place(names, name) for name in self.keep]
        ignored = set(range(len(names))) - {*self._places, *self._kept}
        if named and (others := [names[i] for i in sorted(ignored) if names[i] != self.schema.target]):
            self.notes.append(f"{listed(others)}: not used by the model, ignored")
        kinds = {place: one.kind for place, one in zip(self._places, columns, strict=True)}
        types = {**dict.fromkeys(self._kept, "text"), **kinds}
        words = {word_for(names, named, place): kind for place, kind in types.items()}
        return Keys(index=("none",), types=words, header=named, real=True, na_values=self.schema.na_values)

    def _place(self, names: Sequence[str], named: bool, column: RawColumn) -> int:
        """Return where a column is, by its name, or in files without names by its number; -1 if it is missing."""
        if self.schema.named:
            same = [i for i, name in enumerate(names) if name == column.name] if named else []
            if len(same) > 1:
                raise UserError(f"{self.file}: several columns are called {show(column.name)}; rename one")
            return same[0] if same else -1
        short = self.schema.width - len(names)
        if short not in (0, 1):
            raise UserError(f"{self.file}: has {len(names)} columns, and the training data had {self.schema.width}")
        return column.number - (short and column.number > self.schema.target_number)

    def _kept_place(self, names: Sequence[str], name: str) -> int:
        if name not in names:
            raise UserError(f"{self.file}: --keep {name}: no such column{closest(name, names)}")
        return list(names).index(name)

    def _rows(self, table: Table, before: int = 0) -> Rows:
        """Return the rows of a table, which has so many lines of the file before it."""
        codes = np.empty((len(table.frame), len(self.schema.columns)))
        for j, (column, place) in enumerate(zip(self.schema.columns, self._places, strict=True)):
            missing = table.missing(place)
            codes[:, j] = self._codes(table, column, place) if column.values else table.values(place)
            wrong = ~missing & ~(np.abs(codes[:, j]) <= LARGEST)
            codes[missing, j] = np.nan
            for row in np.flatnonzero(wrong if self.fills else wrong | missing)[:1].tolist():
                self._refuse(table, column, place, row, bool(missing[row]), before)
        return Rows(codes, [self._cells(table, place) for place in self._kept])

    def _codes(self, table: Table, column: RawColumn, place: int) -> Array:
        """Return the places of texts among those of the training data, and count the texts that are not."""
        known = {value: float(i) for i, value in enumerate(column.values)}
        cells = table.column(place)
        codes = [known.get(text, known.get(spelling(text), UNSEEN)) for text in cells.texts]
        counts = np.bincount(cells.codes[cells.codes >= 0], minlength=len(codes))
        for text, code, count in zip(cells.texts, codes, counts.tolist(), strict=True):
            if code == UNSEEN:
                of_column = self.unseen.setdefault(column.name, {})
                of_column[text] = of_column.get(text, 0) + count
        return cells.mapped(codes)

    def _cells(self, table: Table, place: int) -> list[str]:
        cells = table.column(place)
        return [cells.texts[code] if code >= 0 else "" for code in cells.codes.tolist()]

    def _refuse(self, table: Table, column: RawColumn, place: int, row: int, missing: bool, before: int) -> None:
        where, cells = table.written(row)
        where = re.sub(r"\d+", lambda found: str(int(found[0]) + before), where, count=1)
        cell = show(str(cells[place])) if place < len(cells) else "the cell"
        what = f"{cell} is no {column.kind}, as the cells of the training data are; correct it"
        if missing:
            remedy = "fill it in, leave the row out, or train with missing=median"
            what = f"the value is missing, and the model was trained without missing values: {remedy}"
        raise UserError(f"{self.file}, {where}, column {show(column.name)}: {what}")

    @property
    def unseen_notes(self) -> list[str]:
        """What is to be said of texts that the training data did not have."""
        lines = []
        for name, texts in self.unseen.items():
            some = " and ".join(map(show, list(texts)[:NAMED])) + (" and others" if len(texts) > NAMED else "")
            what = f"{some}, in {sum(texts.values())} rows, was in no training row"
            lines.append(f"column {show(name)}: {what}; it counts as none of the known values")
        return lines


def is_libsvm(file: Path) -> bool:
    """Return whether a file, gzipped or not, looks like libsvm text."""
    with _opened(file) as stream:
        return looks_like_libsvm(stream.read(HEAD))


def _records(text: str, least: int = 0) -> tuple[str, str]:
    """Split a text where a line ends outside of quotes: as late as possible, or the first after so many characters."""
    start = min(least, len(text))
    is_open = text.count('"', 0, start) % 2 == 1
    end, found = text.find("\n", start), 0
    while end >= 0:
        is_open ^= text.count('"', start, end) % 2 == 1
        start = end + 1
        if not is_open:
            found = start
            if least:
                break
        end = text.find("\n", start)
    if least and not found:
        found = len(text)
    return text[:found], text[found:]


def _is_utf8(start: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(start)
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def _opened(file: Path) -> Iterator[Any]:
    """Open a plain file, unpacked if it is gzipped."""
    try:
        with open_plain(file) as stream:
            packed = stream.read(2) == b"\x1f\x8b"
            stream.seek(0)
            yield gzip.GzipFile(fileobj=stream) if packed else stream
    except FileNotFoundError:
        raise UserError(f"{file}: no such file") from None
    except (EOFError, gzip.BadGzipFile) as error:
        raise UserError(f"{file}: damaged gzip file ({error})") from None
