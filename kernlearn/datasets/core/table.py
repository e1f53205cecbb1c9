"""Tables with typed columns, whatever file they are from, and their way to features and labels."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.bounds import LARGEST
from kernlearn.datasets.core.cells import (
    MISSING,
    NA_WORDS,
    Coded,
    Numerals,
    as_written,
    days_of,
    one_spelling,
    show,
    type_of,
    values_of,
)
from kernlearn.datasets.core.columns import Keys, Roles, key_for, na_key, roles_of, types_key, words_for
from kernlearn.datasets.core.labels import Advice, check_targets, classes_of, look_alike, target_value
from kernlearn.errors import UserError

if TYPE_CHECKING:  # pandas is imported where a file is read, so that all else stays fast
    import pandas as pd

#: What such columns are read as, in remarks.
READ_AS = {"boolean": "true and false, in any case, read as 1 and 0", "date": "dates, read as days since 1970-01-01"}
#: What columns of pandas with these kinds of a dtype hold.
TYPED = {"b": "boolean", "i": "number", "u": "number", "f": "number", "M": "date"}
#: From here on double precision rounds whole numbers.
EXACT = 2.0**53
#: A first column with more values than this is not taken for the target.
FEW_VALUES = 10
#: How many columns or labels a remark names.
NAMED = 3
#: Stands before a cell that has one of `NA_WORDS` in quotes, which pandas does not tell from one without.
QUOTED = "\ue000"


@dataclass(frozen=True, eq=False)
class Table:
    """Columns, what is known of them, and what a person says of them."""

    #: Where they come from, for messages.
    file: Path
    #: Of the columns.
    names: list[str]
    #: Its columns are numbered from 0 on: numbers, booleans, dates or texts, nothing where there is no value.
    frame: "pd.DataFrame"
    #: From the number of a row: its place in words, and its cells as they are written.
    written: Callable[[int], tuple[str, Sequence[str]]]
    #: What a person says.
    keys: Keys = Keys()
    #: Whether the names are the file's own.
    named: bool = True
    #: How numbers are written in columns of texts.
    numerals: Numerals = Numerals()
    #: The declared values of columns that become one indicator a value.
    nominal: Mapping[int, list[str]] = field(default_factory=dict)
    #: Columns whose cells are texts by the file's own types, of which every one but the empty one is a value.
    texts: Collection[int] = ()
    #: Columns that are the index of pandas, and how that was found out.
    index: Mapping[int, str] = field(default_factory=dict)
    #: Tells whether a text stands in quotes in the file.
    is_quoted: Callable[[str], bool] = lambda text: False
    #: How the types of columns are known where the file has types; empty where they are found out from the cells.
    typed: str = ""
    #: How the file was understood, beyond its columns.
    remarks: tuple[str, ...] = ()

    @cached_property
    def roles(self) -> Roles:
        """What the columns are for."""
        return roles_of(self.file, self.names, self.named, self.keys, self.index)

    @cached_property
    def dtype_kinds(self) -> list[str]:
        """The kind of every column's dtype: asking the frame for one column after the other is slow."""
        return [dtype.kind for dtype in self.frame.dtypes]

    @cached_property
    def _spellings(self) -> dict[int, "_Spellings"]:
        return {}

    @cached_property
    def _coded(self) -> dict[int, Coded]:
        return {}

    def column(self, column: int) -> Coded:
        """Return a column as texts, with the code -1 where a value is missing."""
        if column not in self._coded:
            raw = as_written(self.frame[column])
            stripped = [text.strip() for text in raw.texts]
            missing = self._missing_texts(column, list(dict.fromkeys(filter(None, stripped))))
            plain = ["" if text in missing else _unmarked(text) for text in stripped]
            names = plain if self.is_exact(column) else one_spelling(plain)
            self._coded[column] = raw.merged(names)
            self._spellings[column] = _Spellings(_joined(map(_without_mark, raw.texts), plain), _joined(plain, names))
        return self._coded[column]

    def is_exact(self, column: int) -> bool:
        """Tell whether texts of a column that only look the same are different values: declared, or said to be."""
        return column in self.nominal or self.roles.types.get(column) in ("text", "category")

    @cached_property
    def words(self) -> list[str]:
        """How a key names every column."""
        return words_for(self.names, self.named)

    def missing(self, column: int) -> NDArray[np.bool_]:
        """Return for every row whether a column has no value."""
        if self.dtype_kinds[column] in TYPED and self.keys.na_values is None:
            return self.frame[column].isna().to_numpy()
        return self.column(column).codes < 0

    def type(self, column: int) -> str:
        """Return what a column holds, one of `kernlearn.datasets.core.cells.TYPES`."""
        if column in self.roles.types:
            return self.roles.types[column]
        if column in self.nominal:
            return "category"
        if column in self.texts and self._is_label(column):
            return "text"
        return TYPED.get(self.dtype_kinds[column]) or type_of(self.column(column).texts, self.numerals)

    def values(self, column: int) -> NDArray[np.float64]:
        """Return the numbers that a column holds, NaN where a value is missing or is not of the column's type."""
        cells, kind, said = self.frame[column], self.type(column), column in self.roles.types
        if said and kind == "text":
            return np.full(len(cells), np.nan)
        if said and TYPED.get(self.dtype_kinds[column]) != kind or self.dtype_kinds[column] not in TYPED:
            return values_of(self.column(column), kind, self.numerals, said=said)
        values = days_of(cells) if kind == "date" else cells.to_numpy(np.float64)
        return values if self.keys.na_values is None else np.where(self.missing(column), np.nan, values)

    @cached_property
    def features(self) -> list[int]:
        """The columns that are learned from: without empty ones, and without texts if these are to be left out.

        Raises `UserError` if none is left.
        """
        empty = set(self.empty)
        some = [i for i in self.roles.features if i not in empty]
        if not some:
            raise UserError(f"{self.file}: no feature has a value in any row")
        some = [i for i in some if self.keys.text != "drop" or self.type(i) != "text"]
        if not some:
            raise UserError(f"{self.file}: dataset.text=drop leaves no feature")
        return some

    @cached_property
    def empty(self) -> list[int]:
        """The feature columns without a value in any row."""
        return [i for i in self.roles.features if self.missing(i).all()]

    def targets(self) -> NDArray[np.float64]:
        """Return the real targets.

        Raises `UserError` if one is no finite number, or all are the same.
        """
        at = self.roles.target
        values, cells = self.values(at), self.column(at)
        if self.type(at) != "number" or not np.isfinite(values).all():
            for text in cells.texts:
                target_value(self.file, text, self.numerals)
            raise UserError(
                f"{self.file}: task=regression: column {show(self.names[at])} is said to be a {self.type(at)}"
            )
        check_targets(self.file, values)
        return values

    def classes(self) -> tuple[NDArray[np.int64], tuple[str, ...], tuple[str, ...]]:
        """Return what `kernlearn.datasets.core.labels.classes_of` does for the target; it has no missing value."""
        at = self.roles.target
        word, exact = self.words[at], self.type(at) in ("text", "category")
        labels = self._labels_of_type()
        advice = Advice(
            f"{types_key(word, 'text')} keeps them apart",
            f"{types_key(word, 'category')} if they are classes",
            key_for("target", self._other_target()),
        )
        return classes_of(self.file, labels, advice, exact=exact, numerals=self.numerals)

    def _labels_of_type(self) -> Coded:
        """Return the labels; where a person says that they are booleans, and writes these in several ways, in one.

        Raises `UserError` for a label that is not of the type that a person says the target has.
        """
        at = self.roles.target
        column, said = self.column(at), self.roles.types.get(at, "text")
        labels = column.texts
        values = values_of(Coded(np.arange(len(labels)), labels), said, self.numerals, said=True)
        if said in ("number", "date", "boolean") and (wrong := np.flatnonzero(np.isnan(values))).size:
            raise UserError(
                f"{self.file}: {types_key(self.words[at], said)}: the label {show(labels[wrong[0]])} is no {said}; "
                "leave the key out to take labels as they are written"
            )
        if said == "boolean" and len(labels) > 2:
            return column.merged(["true" if value else "false" for value in values])
        return column

    def _other_target(self) -> str:
        """Return the first column, if its values are few enough to be classes, or NAME."""
        first = self.column(0).texts
        return self.words[0] if self.roles.target != 0 and len(first) <= FEW_VALUES < len(self.frame) else "NAME"

    def understood(self) -> list[str]:
        """Return how the columns were understood where that was a guess, with the key that says otherwise."""
        at = self.roles.target
        which = "" if self.keys.target is not None else f", {self.keys.why_target} (if not: dataset.target=NAME)"
        lines = [f"target {show(self.names[at])}{which}", *self.remarks]
        index = self.roles.index if self.keys.index is None else {}
        for how in dict.fromkeys(index.values()):
            of = listed([self.names[column] for column, its in index.items() if its == how])
            lines.append(f"{of}: index, not a feature; {how} (if not: dataset.index=none)")
        guessed = {column: self.type(column) for column in self.roles.features if column not in self.roles.types}
        for kind, words in READ_AS.items():
            if some := [column for column, its in guessed.items() if its == kind]:
                key = types_key(self.words[some[0]], "category")
                lines.append(f"{listed([self.names[column] for column in some])}: {words} (if not: {key})")
        if texts := [column for column, its in guessed.items() if its == "number" and column in self.texts]:
            key = types_key(self.words[texts[0]], "category")
            lines.append(f"{listed([self.names[column] for column in texts])}: texts, read as numbers (if not: {key})")
        for column in sorted([*self.roles.features, at]):
            if self.type(column) in ("text", "category", "boolean"):
                lines += self._joined_texts(column)
        if self.empty:
            lines.append(f"{listed([self.names[i] for i in self.empty])}: no value in any row, left out")
        if labels := self._words_as_labels():
            words = " and ".join(map(show, labels[:NAMED]))
            lines.append(f"label {words}: a class, not a missing value (if not: {na_key(labels[0])})")
        return lines

    def _joined_texts(self, column: int) -> list[str]:
        """Return what is to be said of texts of a column that are taken for one value."""
        self.column(column)
        spellings, name = self._spellings[column], show(self.names[column])
        lines = [
            f"column {name}: {' and '.join(map(show, same))} are one value, as blanks around it do not count "
            "(rename one in the file to keep them apart)"
            for same in list(spellings.padded.values())[:NAMED]
        ]
        if column != self.roles.target:
            lines += look_alike(f"column {name}: values", self.column(column).texts)
        return lines + [
            f"column {name}: {' and '.join(map(show, same))} are one value, {show(value)} "
            f"({types_key(self.words[column], 'text')} keeps them apart)"
            for value, same in list(spellings.joined.items())[:NAMED]
        ]

    def _is_label(self, column: int) -> bool:
        return column == self.roles.target and not self.keys.real

    def _missing_texts(self, column: int, texts: Sequence[str]) -> set[str]:
        """Return which texts of a column, marked where they are `QUOTED`, stand for no value.

        "?" does, and words such as NA do among numbers, dates and booleans. Among texts they are values, unless the
        file has texts in quotes and these without. A class label in quotes is always a value.
        """
        if self.keys.na_values is not None:
            return self._said_missing(column, texts)
        if column in self.nominal:
            return set()
        words = {text for text in texts if _unmarked(text).lower() in NA_WORDS}
        bare = {text for text in words if not text.startswith(QUOTED)}
        others = [text for text in texts if text not in words and text not in MISSING]
        said, is_label = self.roles.types.get(column), self._is_label(column)
        if is_label and column in self.texts:
            words = set()
        elif said in ("text", "category") or (said is None and others and type_of(others, self.numerals) == "text"):
            words = bare if others and self.is_quoted(others[0]) else set()
        elif is_label:
            words = bare if others else set()
        return words | MISSING & set(texts)

    def _said_missing(self, column: int, texts: Sequence[str]) -> set[str]:
        """Return which texts a person says to stand for no value: in typed columns, the spellings of these values."""
        said = self.keys.na_values or ()
        kind = TYPED.get(self.dtype_kinds[column])
        if kind is None:
            return set(said) & set(texts)
        values = values_of(Coded(np.arange(len(texts)), list(texts)), kind, Numerals())
        no_values = values_of(Coded(np.arange(len(said)), list(said)), kind, self.numerals)
        sizes = np.abs(values)
        equal = np.isin(values, no_values) & ((sizes < EXACT) | (sizes > LARGEST))  # others may be rounded ids
        return {text for text, same in zip(texts, equal, strict=True) if same or text in said}

    def _words_as_labels(self) -> list[str]:
        """Return the labels without quotes that elsewhere are words for missing values."""
        at = self.roles.target
        if not self._is_label(at) or at in self.texts or at in self.nominal or self.keys.na_values is not None:
            return []
        if self.dtype_kinds[at] in TYPED:
            return []
        return [word for word in self.column(at).texts if word.lower() in NA_WORDS and not self.is_quoted(word)]


class _Spellings(NamedTuple):
    """The texts of a column that are one value: those with blanks around them, and others that look the same."""

    padded: dict[str, list[str]]
    joined: dict[str, list[str]]


def _joined(texts: Iterable[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Return the different texts of the names that have several."""
    of: dict[str, set[str]] = {}
    for text, name in zip(texts, names, strict=True):
        of.setdefault(name, set()).add(text)
    return {name: sorted(same) for name, same in of.items() if name and len(same) > 1}


def _without_mark(text: str) -> str:
    return text.removeprefix(QUOTED)


def _unmarked(text: str) -> str:
    return _without_mark(text).strip()


def listed(names: Sequence[str]) -> str:
    """Return names of columns for a message, the first few of them."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ("columns " if len(names) > 1 else "column ") + ", ".join(map(show, names[:NAMED])) + more
