"""What the columns of a table are for: the target, features, the index of pandas, and what is left out."""

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from kernlearn.datasets.core.cells import TYPES, show
from kernlearn.datasets.core.raw import REFUSE
from kernlearn.errors import UserError, closest

#: A column by its number; more digits than int() would read are none.
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
#: A name that a command line reads as a number which is not whole, or is written with an exponent.
FRACTION = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]{1,3})?")
#: What pandas calls an index that has no name, in Parquet, and where it has read it as a column and written it again.
INDEX_NAME = re.compile(r"__index_level_\d+__|Unnamed: \d+(_level_\d+)?(\.\d+)?|row\.names")
#: What R calls the column of its row names.
ROW_NAMES = "row.names"
#: Stands for no column in ``dataset.index``.
NO_INDEX = "none"
#: Names that a command line can have without quotes of Hydra's, and words that it would not read as texts.
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*|0|[1-9][0-9]{0,8}")
NO_TEXTS = {"true", "false", "null", "nan", "inf"}


@dataclass(frozen=True)
class Declared:
    """What a file says of its columns: the target, those that are no features, and in which words each."""

    target: int
    others: tuple[int, ...]
    why: str
    why_others: str = ""


@dataclass(frozen=True)
class Keys:
    """What a person says of the columns of a file, as keys ``dataset.*``; a column is given by name or number."""

    #: The column with the classes or targets; by default the last that is no index.
    target: Any = None
    #: Columns that are no features.
    drop: Sequence[Any] = ()
    #: Columns that number or name the rows; ("none",) if there are none, None if it is to be found out.
    index: Sequence[Any] | None = None
    #: One of `TYPES` for columns of which the type is not to be found out.
    types: Mapping[Any, str] = field(default_factory=dict)
    #: How many of the first lines of a CSV file have the names, at most 2; None if it is to be found out.
    header: bool | int | None = None
    #: The texts of cells without a value, beside the empty one; None if it is to be found out.
    na_values: Sequence[str] | None = None
    #: Whether the targets are real numbers, not classes.
    real: bool = False
    #: `missing`, `text`: what is done about missing values and about texts, see `kernlearn.datasets.core.raw`.
    missing: str = REFUSE
    text: str = REFUSE
    #: What the file itself says of its columns; it counts where no target is given.
    declared: "Declared | None" = None

    @property
    def why_target(self) -> str:
        """Why a column is the target where nobody says which one is."""
        return self.declared.why if self.declared else "the last column"

    @property
    def given(self) -> list[Any]:
        """The columns that are named, the target first."""
        index = [] if self.index is None or self.index_is_none else self.index
        return [self.target, *self.drop, *index, *self.types]

    @property
    def index_is_none(self) -> bool:
        """Whether it is said that there is no index."""
        return self.index is not None and list(self.index) in ([], [NO_INDEX])


@dataclass(frozen=True)
class Roles:
    """The numbers of the columns by what they are for."""

    target: int
    features: list[int]
    #: How it was found out that they are the index.
    index: dict[int, str]
    dropped: list[int]
    #: Those that a person has said.
    types: dict[int, str]


def roles_of(file: Path, names: Sequence[str], named: bool, keys: Keys, index: Mapping[int, str]) -> Roles:
    """Return what the columns are for.

    Raises `UserError` if a column is not there, the target is to be dropped, a type is unknown, or no feature is left.

    Parameters
    ----------
    names : sequence of str
    named : bool
        Whether the names are the file's own.
    index : mapping of int to str
        Columns that are an index if nobody says otherwise, and how that was found out.
    """
    places = places_of(names)

    def column_of(key: str, given: Any, from_end: Sequence[int]) -> int:
        return _column(file, places, len(names), named, key, given, from_end)

    if keys.index_is_none:
        index = {}
    elif keys.index is not None:
        index = {column_of("index", column, range(len(names))): "said" for column in keys.index}
    others = [column for column in range(len(names)) if column not in index] or list(range(len(names)))
    declared = keys.declared if keys.target is None else None
    at = declared.target if declared else others[-1]
    if keys.target is not None:
        at = column_of("target", keys.target, others)
    dropped = {column_of("drop", column, others) for column in keys.drop}
    if at in dropped:
        raise UserError(f"{file}: dataset.drop: column {show(names[at])} is the target")
    if keys.index is not None and at in index:
        raise UserError(f"{file}: dataset.index: column {show(names[at])} is the target")
    dropped |= set(declared.others) if declared else set()
    features = [column for column in others if column != at and column not in dropped]
    if not features:
        no_index = " beside the index (if that is a feature: dataset.index=none)" if index else ""
        raise UserError(
            f"{file}: dataset.drop leaves no feature" if dropped else f"{file}: has no feature column{no_index}"
        )
    types = {}
    for column, kind in keys.types.items():
        if kind not in TYPES:
            raise UserError(f"{file}: dataset.types={{{column}: {kind}}}: must be one of {', '.join(TYPES)}")
        types[column_of("types", column, others)] = kind
    left = {column: how for column, how in index.items() if column != at and column not in dropped}
    return Roles(at, features, left, sorted(dropped), types)


def index_by_name(names: Sequence[str]) -> dict[int, str]:
    """Return the columns of a table which are an index of pandas by their names: the first ones without a name, too."""
    unnamed = range(len(list(takewhile(lambda name: not name, names))))
    reasons = dict.fromkeys(unnamed, "it has no name, as pandas and R write it")
    return reasons | {
        i: "its name is one that pandas or R gives" for i, name in enumerate(names) if INDEX_NAME.fullmatch(name)
    }


def roles(
    file: Path, names: Sequence[str], named: bool, target: Any, drop: Sequence[Any] = ()
) -> tuple[int, list[int]]:
    """Return the number of the target's column, and those of the features, of a table without an index."""
    chosen = roles_of(file, names, named, Keys(target, drop), {})
    return chosen.target, chosen.features


def is_plain(text: str) -> bool:
    """Tell whether a text stands for itself in a value on the command line, without quotes."""
    return PLAIN.fullmatch(text) is not None and text.lower() not in NO_TEXTS


def words_for(names: Sequence[str], named: bool) -> list[str]:
    """Return how a key names every column: by its own name if that is plain and the only one, else by its number.

    Where another column is called by this number, it is counted from the end.
    """
    counts = Counter(names)

    def word(column: int, name: str) -> str:
        if named and counts[name] == 1 and is_plain(name):
            return name
        number = str(column)
        return str(column - len(names)) if named and number in counts else number

    return [word(column, name) for column, name in enumerate(names)]


def key_for(key: str, value: str) -> str:
    """Return ``dataset.KEY=VALUE`` with the quotes that a shell needs, for a message that is copied from."""
    return shlex.quote(f"dataset.{key}={value}")


def types_key(word: str, kind: str) -> str:
    """Return the key that says the type of a column, ready to be copied."""
    return key_for("types", f"{{{word}: {kind}}}")


def drop_key(*words: str) -> str:
    """Return the key that leaves columns out, ready to be copied."""
    return key_for("drop", f"[{','.join(map(_quoted, words))}]")


def na_key(*words: str) -> str:
    """Return the key that says that texts stand for no value, ready to be copied."""
    return key_for("na_values", f"[{','.join(map(_quoted, words))}]")


def _quoted(word: str) -> str:
    """Return a text as an element of a list on the command line."""
    return word if is_plain(word) else '"' + word.replace('"', r"\"") + '"'


def places_of(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the numbers of the columns that have every name, for files with very many columns."""
    places: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        places.setdefault(name, []).append(i)
    return places


def _column(
    file: Path,
    places: Mapping[str, list[int]],
    count: int,
    named: bool,
    key: str,
    given: Any,
    from_end: Sequence[int],
) -> int:
    """Return the number of a column: a name that the file has comes before a number.

    Numbers below 0 count from the end of some columns, those that are no index.
    """
    text = str(given)
    if (same := _called(places, text) if named else []) and len(same) > 1:
        numbers = " or ".join(map(str, same))
        raise UserError(f"{file}: {key}={given}: several columns have this name; give the number of one, {numbers}")
    if same:
        return same[0]
    if not named and isinstance(given, str) and text in places:  # column 3, as messages call it
        return places[text][0]
    if NUMBER.fullmatch(text):
        if 0 <= int(text) < count:
            return int(text)
        if -len(from_end) <= int(text) < 0:
            return from_end[int(text)]
        raise UserError(f"{file}: {key}={given}: columns are numbered 0 to {count - 1}, or -1 from the end")
    if not named:
        advice = "give the column's number, or say dataset.header=true if the first line has the names"
        raise UserError(f"{file}: {key}={given}: the file has no header line; {advice}")
    some = ", ".join(" ".join(name.split()) for name in islice(places, 20)) + (", ..." if count > 20 else "")
    raise UserError(f"{file}: {key}={given}: no such column, there are: {some}{closest(given, list(places))}")


def _called(places: Mapping[str, list[int]], text: str) -> list[int]:
    """Return the numbers of the columns that a text may name.

    A command line reads 2.10 and 1e3 as numbers, and what is given then is 2.1 and 1000.0: these name all columns that
    are called by such a number.
    """
    if FRACTION.fullmatch(text) and str(float(text)) == text:
        named = [name for name in places if name == text or _is_fraction(name) and float(name) == float(text)]
        return sorted(i for name in named for i in places[name])
    return places.get(text, [])


def _is_fraction(name: str) -> bool:
    return FRACTION.fullmatch(name) is not None
