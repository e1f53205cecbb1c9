"""New rows of a table whose columns are known: the same columns by name, in any order, a part of the file at a time."""

import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.datasets.core.bounds import LARGEST
from kernlearn.datasets.core.cells import DECIMAL_COMMA, Numerals, show, spelling
from kernlearn.datasets.core.columns import Keys, places_of, words_for
from kernlearn.datasets.core.raw import UNSEEN
from kernlearn.datasets.core.schema import RawColumn, TableSchema
from kernlearn.datasets.core.table import NAMED, Table, listed
from kernlearn.datasets.parts import HEAD, PART, records, start_of, texts_of
from kernlearn.datasets.readers.arff import looks_like_arff, read_arff
from kernlearn.datasets.readers.comments import without_comments
from kernlearn.datasets.readers.delimited import read_csv
from kernlearn.datasets.readers.libsvm import looks_like_libsvm, read_new_libsvm
from kernlearn.datasets.readers.parquet import is_parquet, read_parquet
from kernlearn.datasets.readers.source import SIGNS, plain_lines, source_of
from kernlearn.datasets.userfile import as_utf8, read_content
from kernlearn.errors import UserError, closest
from kernlearn.types import Array

#: Lines that tell how a table is written.
FEW_LINES = 20
WORDS = {sign: word for word, sign in SIGNS.items()}
#: What stands first in every line of a libsvm file.
LABEL = "label"
#: The keys of a table without a target.
ALL_FEATURES = Keys(index=("none",), real=True)


@dataclass(frozen=True)
class Rows:
    """Some rows of a file."""

    #: Shape (n, n_columns). Numbers; of categories the place of the value in `RawColumn.values`, -1 for another one;
    #: NaN without a value.
    codes: Array
    #: Shape (n,). Whether the model takes a row: of one that does not fill in missing values, whether none is missing.
    complete: Any
    #: The cells of the columns that are kept, one list for each of these columns.
    kept: list[list[str]]


@dataclass
class NewRows:
    """Reads the columns that a model takes, part by part."""

    #: CSV or libsvm text, gzipped or not, which is never in memory as a whole; or ARFF or Parquet, which are.
    file: Path
    schema: TableSchema
    #: Names of columns whose cells are handed on.
    keep: Sequence[str] = ()
    #: Whether the model fills in missing values; if not, rows that lack one are counted.
    fills: bool = False
    #: How a person says that the file is read: ``encoding``, ``delimiter``, ``decimal``, ``thousands``, ``header`` and
    #: ``na_values``, as ``dataset.encoding`` and so on.
    said: Mapping[str, Any] = field(default_factory=dict)
    #: The columns of texts that the model takes as numbers.
    ordinal: Collection[str] = ()
    #: The least and the largest training value of every column; empty if they are not known.
    ranges: Sequence[tuple[float, float] | None] = ()
    #: Characters that are read at a time.
    part: int = PART
    #: How the columns were understood, after the first part.
    notes: list[str] = field(default_factory=list)
    #: How often every column had every text that the training data did not have.
    unseen: dict[str, dict[str, int]] = field(default_factory=dict)
    #: The columns that had no value in some row, of a model that does not fill one in.
    lacking: dict[str, None] = field(default_factory=dict)
    #: In how many rows some column had none.
    n_lacking: int = 0
    #: How numbers are written, after the first part.
    numerals: Numerals = Numerals()
    #: In how many rows every column is outside of its range by more than its width.
    far: dict[int, int] = field(default_factory=dict)
    _places: list[int] = field(default_factory=list)
    _kept: list[int] = field(default_factory=list)

    def parts(self) -> Iterator[Rows]:
        """Yield the rows in their order.

        Raises `UserError` if the file cannot be read, a column is missing, or a cell is not what its column holds.
        """
        start, encoding = start_of(self.file, self.said.get("encoding"))
        if looks_like_libsvm(start):
            yield from self._of_libsvm(self._texts(encoding))
        elif is_parquet(start) or looks_like_arff(start) or self.file.suffix.lower() == ".arff":
            content, reader = read_content(self.file), read_parquet
            if not is_parquet(start):
                (content, notes), reader = as_utf8(self.file, content, self.said.get("encoding")), read_arff
                self.notes += notes
            names = reader(self.file, content, ALL_FEATURES).names
            yield self._rows(reader(self.file, content, self._keys(names, True)))
        else:
            yield from self._of_csv(self._texts(encoding))

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
            yield Rows(X, np.ones(len(X), dtype=bool), [labels for _ in self.keep])
            before += text.count("\n")

    def _of_csv(self, texts: Iterator[str]) -> Iterator[Rows]:
        """Yield the rows of a CSV file; every part is read below the lines that are above the first row."""
        first = ""
        while first.count("\n") < FEW_LINES and (more := next(texts, "")):
            first += more
        if not first.strip():
            raise UserError(f"{self.file}: is empty")
        few = sum(map(len, islice(io.StringIO(first), FEW_LINES)))  # a line may be longer than HEAD
        head = records(first, max(HEAD, few - 1))[0].encode()
        how = self._signs(head)
        table = read_csv(self.file, head, self._features, **how)
        self.numerals = table.numerals
        line = int(re.sub(r"\D", "", table.written(0)[0]))
        above = b"".join(io.BytesIO(head).readlines()[: line - 1])
        keys = self._keys(table.names, table.named)
        yield self._rows(read_csv(self.file, first.encode(), keys, **how))
        before = first.count("\n") - above.count(b"\n")
        for text in texts:
            yield self._rows(read_csv(self.file, above + text.encode(), keys, **how), before)
            before += text.count("\n")

    @property
    def _features(self) -> Keys:
        """The keys of a table without a target, before its columns are found."""
        return replace(ALL_FEATURES, header=self.said.get("header"))

    def _signs(self, head: bytes) -> dict[str, Any]:
        """Return how the cells of all parts are separated, and their numbers written: as in training, or else guessed.

        The decimal sign is that of the training data, unless more columns are numbers with the sign that the reading of
        a training file finds.
        """
        source, _ = source_of(self.file, without_comments(plain_lines(head))[0], self.said.get("delimiter"))
        signs = {"delimiter": WORDS[source.delimiter]}
        if said := {key: self.said[key] for key in ("decimal", "thousands") if key in self.said}:
            return signs | said
        known = signs | {"decimal": WORDS[self.schema.decimal], "thousands": WORDS.get(self.schema.thousands)}
        guess = read_csv(self.file, head, self._features, **signs)
        if guess.numerals.decimal == self.schema.decimal:
            return known
        if _n_numbers(guess) <= _n_numbers(read_csv(self.file, head, self._features, **known)):
            return known
        word, before = WORDS[guess.numerals.decimal], WORDS[self.schema.decimal]
        self.notes.append(
            f"numbers have the decimal {word}, and a {before} in the training data (if not: decimal={before})"
        )
        return signs | {"decimal": word}

    def _texts(self, encoding: str) -> Iterator[str]:
        """Yield the text in parts that end where a row does."""
        if "encoding" not in self.said and encoding != "utf-8-sig":
            found = "not UTF-8, read as Windows-1252" if encoding == "cp1252" else encoding.upper()
            self.notes.append(f"the text is {found} (if not: encoding=NAME)")
        yield from texts_of(self.file, encoding, self.part)

    def _keys(self, names: Sequence[str], named: bool) -> Keys:
        """Find the columns, say what is ignored, and return what makes the reader read them as those of training."""
        columns = self.schema.columns
        places = places_of(names) if named else {}
        self._places = [self._place(names, places, column) for column in columns]
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
        words = words_for(names, named)
        of_words = {words[place]: kind for place, kind in types.items()}
        na_values = self.said.get("na_values", self.schema.na_values)
        lines = self.said.get("header", named)
        return Keys(index=("none",), types=of_words, header=lines, real=True, na_values=na_values)

    def _place(self, names: Sequence[str], places: Mapping[str, list[int]], column: RawColumn) -> int:
        """Return where a column is, by its name, or in files without names by its number; -1 if it is missing."""
        if self.schema.named:
            same = places.get(column.name, [])
            if len(same) > 1 and column.number in same and len(names) == self.schema.width:
                return column.number  # as in the training data, where they are told apart by their places
            if len(same) > 1:
                what = f"several columns are called {show(column.name)}, and the training data had other columns"
                raise UserError(f"{self.file}: {what}; rename one, or leave it out of the file")
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
            for row in np.flatnonzero(wrong)[:1].tolist():
                self._refuse(table, column, place, row, before)
            if self.ranges and (ends := self.ranges[j]):
                low, high, width = *ends, ends[1] - ends[0]
                count = int(((codes[:, j] < low - width) | (codes[:, j] > high + width)).sum())
                self.far[j] = self.far.get(j, 0) + count
            if missing.any() and not self.fills:
                self.lacking[column.name] = None
        complete = np.full(len(codes), True) if self.fills else ~np.isnan(codes).any(axis=1)
        self.n_lacking += int((~complete).sum())
        return Rows(codes, complete, [self._cells(table, place) for place in self._kept])

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

    def _refuse(self, table: Table, column: RawColumn, place: int, row: int, before: int) -> None:
        where, cells = table.written(row)
        where = re.sub(r"\d+", lambda found: str(int(found[0]) + before), where, count=1)
        text = str(cells[place]) if place < len(cells) else ""
        remedy = "correct it"
        if column.kind == "number" and DECIMAL_COMMA.fullmatch(text):
            remedy = "decimal=comma or thousands=comma says what the comma is"
        elif column.kind == "number" and Numerals().value(text) is not None and np.isfinite(float(text)):
            remedy = "decimal=point says what the point is"
        value = table.values(place)[row] if column.kind == "number" else np.nan
        if np.isfinite(value) and abs(value) > LARGEST:
            what = f"{show(text)} is too large to square (more than {LARGEST:g}); correct it"
            raise UserError(f"{self.file}, {where}, column {show(column.name)}: {what}")
        what = (
            f"{show(text) if text else 'the cell'} is no {column.kind}, as the cells of the training data are; {remedy}"
        )
        raise UserError(f"{self.file}, {where}, column {show(column.name)}: {what}")

    def lacking_notes(self, so: str) -> list[str]:
        """Return what is to be said of rows without a value, and what became of them: "left out" or another word."""
        if not self.n_lacking:
            return []
        what = f"no value in {listed(list(self.lacking))}, and the model does not fill in what is missing"
        return [f"{self.n_lacking} rows have {what}: {so} (train with missing=median to fill it in)"]

    @property
    def unseen_notes(self) -> list[str]:
        """What is to be said of texts that the training data did not have, and of numbers far from theirs."""
        lines = []
        for j, count in self.far.items():
            if count and (ends := self.ranges[j]):
                what = f"{count} values are far outside the training data, which are from {ends[0]:g} to {ends[1]:g}"
                lines.append(f"column {show(self.schema.columns[j].name)}: {what}; is the unit the same?")
        for name, texts in self.unseen.items():
            some = " and ".join(map(show, list(texts)[:NAMED])) + (" and others" if len(texts) > NAMED else "")
            what = f"{some}, in {sum(texts.values())} rows, was in no training row"
            so = (
                "it becomes -1, below the numbers of all known texts"
                if name in self.ordinal
                else "it counts as none of the known values"
            )
            lines.append(f"column {show(name)}: {what}; {so}")
        return lines


def is_libsvm(file: Path, encoding: str | None = None) -> bool:
    """Return whether a file, gzipped or not, looks like libsvm text."""
    return looks_like_libsvm(start_of(file, encoding)[0])


def _n_numbers(table: Table) -> int:
    """Return how many columns of a table are read as numbers."""
    return sum(table.type(column) == "number" for column in range(len(table.names)))
