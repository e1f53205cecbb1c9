"""What is read, but may not mean what it says: rounded numbers, dates that stand for none, features that are ids."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.cells import ZERO_PADDED, days, show
from kernlearn.datasets.core.columns import drop_key, key_for, na_key, types_key
from kernlearn.datasets.core.table import EXACT, TYPED, Table, listed
from kernlearn.datasets.readers.header import is_far

#: A whole number of so many digits that double precision may round it.
WHOLE = re.compile(r"[+-]?[0-9]{16,}")
#: What a column of classes or targets is often called.
TARGETS = {"class", "classes", "label", "labels", "target", "targets"}
#: What a column that numbers or names the examples is often called.
IDS = re.compile(
    r"(?i:(.*[_ .-])?(id|idx|uuid|guid)|index|unnamed.*|row([_ ]?(id|nr|no|number|names?))?)|.*[a-z](Id|ID)"
)
#: Of so few examples a feature may have equal distances, or no value twice, by chance.
FEW, MANY = 5, 10
#: Ids of which some occur twice have at least this share of different values; or those of examples that were drawn
#: with replacement, 63 % if they are many, and no larger range than there are examples.
SHARE, DRAWN_SHARE, MOST_RANGE = 0.9, 0.55, 1.1
#: Numbers that often stand for a missing value.
CODES = (-999, -9999, -99, -99999, 999, 9999, 99, 99999)
#: How many columns a note on ids names, and its key.
NAMED, KEYED = 5, 20
#: Of more cells than these, equal rows are not looked for, which would take seconds.
MOST_CELLS = 20_000_000
#: Large numbers of a column that are looked at.
LOOKED_AT = 1000
#: The first day of the year 2, and that of the year 9999.
YEAR_2, YEAR_9999 = days("0002-01-01") or 0.0, days("9999-01-01") or 0.0


def doubts(table: Table) -> list[str]:
    """Return notes on features that may be targets, whole numbers that lose digits, and dates that are far off."""
    lines = [*_other_targets(table), *_same_names(table), *_same_rows(table)]
    columns = [*table.features, *([table.roles.target] if table.keys.real else [])]
    rounded = [i for i in columns if table.type(i) == "number" and _is_rounded(table, i)]
    if rounded:
        names = listed([table.names[i] for i in rounded])
        lines.append(
            f"{names}: whole numbers beyond 2^53 lose their last digits ({drop_key(table.words[rounded[0]])} leaves "
            "out a column of ids)"
        )
    lines += _dropped_zeros(table)
    lines += [line for i in columns if table.type(i) == "number" for line in _codes(table, i)]
    return lines + [line for i in columns if table.type(i) == "date" for line in _far_dates(table, i)]


def _other_targets(table: Table) -> list[str]:
    """Return a note on a feature that is called as a target is, where nobody says which column is the target."""
    if table.keys.target is not None or table.keys.declared or table.names[table.roles.target].lower() in TARGETS:
        return []
    named = [column for column in table.features if table.named and table.names[column].lower() in TARGETS]
    what = "targets" if table.keys.real else "classes"
    return [
        f"{listed([table.names[column]])}: a feature ({key_for('target', table.words[column])} if it has the {what})"
        for column in named[:1]
    ]


def _same_names(table: Table) -> list[str]:
    """Return notes on features that have the name of another column."""
    names = [table.names[column] for column in table.features] if table.named else []
    lines, counts = [], Counter(table.names)
    for name in list(dict.fromkeys(name for name in names if counts[name] > 1))[:NAMED]:
        places = " and ".join(str(i) for i, other in enumerate(table.names) if other == name)
        lines.append(
            f"columns {places} are both called {show(name)}: a model tells them apart by their places, so new "
            "files need the same columns in the same order (rename one in the file)"
        )
    return lines


def _same_rows(table: Table) -> list[str]:
    """Return a note on rows that are equal to another one in all features and the target."""
    columns = [*table.features, table.roles.target]
    if not FEW < len(table.frame) <= MOST_CELLS / len(columns):
        return []
    n = int(table.frame[columns].duplicated().sum())
    if not n:
        return []
    what = f"{n} of {len(table.frame)} rows are copies of another row"
    return [f"{what}: a copy may be tested on while the other one trains, and errors then look too small"]


def _dropped_zeros(table: Table) -> list[str]:
    """Return a note on features whose cells are read as numbers and have zeros in front."""
    guessed = [i for i in table.features if i not in table.roles.types and table.dtype_kinds[i] not in TYPED]
    padded = {i: cell for i in guessed if table.type(i) == "number" and (cell := _zero_padded(table, i))}
    if not padded:
        return []
    first, cell = next(iter(padded.items()))
    return [
        f"{listed([table.names[i] for i in padded])}: zeros in front are dropped, as {cell} is read as "
        f"{float(cell):.16g} ({types_key(table.words[first], 'category')} keeps them)"
    ]


def _zero_padded(table: Table, column: int) -> str:
    """Return a cell of a column that is a number with zeros in front, or nothing."""
    return next(filter(ZERO_PADDED.fullmatch, table.column(column).texts), "")


def _is_rounded(table: Table, column: int) -> bool:
    rows = np.flatnonzero(np.abs(table.values(column)) >= EXACT)[:LOOKED_AT]
    cells, mark = (table.written(int(row))[1][column] for row in rows), table.numerals.thousands
    return any(WHOLE.fullmatch(cell.replace(mark, "") if mark else cell) for cell in cells)


def _codes(table: Table, column: int) -> list[str]:
    """Return a note on a number that often stands for a missing value, and is far from all others of a column."""
    values = table.values(column)
    values = values[np.isfinite(values)]
    for code in CODES if len(values) else ():
        others = values[values != code]
        if len(others) in (0, len(values)) or not is_far(code, others):
            continue
        n = len(values) - len(others)
        return [
            f"{listed([table.names[column]])}: {code} stands in {n} row{'s' * (n > 1)}, far from all other values "
            f"({na_key(str(code))} if that stands for a missing value)"
        ]
    return []


def _far_dates(table: Table, column: int) -> list[str]:
    values = table.values(column)
    rows = np.flatnonzero((values < YEAR_2) | (values >= YEAR_9999))
    if not len(rows):
        return []
    cell, count = table.written(int(rows[0]))[1][column], "1 date is" if len(rows) == 1 else f"{len(rows)} dates are"
    return [
        f"{listed([table.names[column]])}: {count} in the year 1 or 9999, such as {cell} "
        f"({na_key(cell)} if that stands for a missing value)"
    ]


def suspects(X: NDArray[np.float64], names: Sequence[str], words: Sequence[str] = ()) -> list[str]:
    """Return notes on features of a person's own file that may be none.

    Such columns number the examples (0, 1, 2, ... in any order and step), or have a single value. Others are whole
    numbers that differ in every example, like customer numbers. Columns with the name of an id need to differ only in
    most examples.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        With NaN where a value is missing.
    names : sequence of str
        Of the features; empty if they have none.
    words : sequence of str, optional
        What keys call them, if not by their names.
    """
    words = words or names
    suspected: dict[str, list[int]] = {}
    for i in range(X.shape[1]) if len(X) > FEW else ():
        if kind := _kind_of_id(X[np.isfinite(X[:, i]), i], names[i] if names else ""):
            suspected.setdefault(kind, []).append(i)
    return [_note(kind, suspected[kind], names, words) for kind in FORMS if kind in suspected]


#: What is said of one column and of several: those with missing or repeated numbers only may be ids.
FORMS = {
    "counting": ("only numbers the examples; {key} leaves it out", "only number the examples; {key} leaves them out"),
    "different": (
        "is whole and differs in every example, as an id does; {key} leaves it out",
        "are whole and differ in every example, as an id does; {key} leaves them out",
    ),
    "repeated": (
        "is whole and differs in most examples, as an id does; {key} leaves it out",
        "are whole and differ in most examples, as an id does; {key} leaves them out",
    ),
    "called": (
        "is whole and is called as an id is; {key} leaves it out",
        "are whole and are called as ids are; {key} leaves them out",
    ),
    "constant": (
        "has one value only, of which nothing can be learned",
        "have one value only, of which nothing can be learned",
    ),
}


def _kind_of_id(values: NDArray[np.float64], name: str) -> str:
    """Return why a feature may be none, a key of `FORMS`, or nothing."""
    n, different = len(values), np.unique(values)
    if len(different) <= 1:
        return "constant" if n else ""
    with np.errstate(over="ignore", invalid="ignore"):
        steps, width = np.diff(different), np.ptp(different)
        if n == len(different) > FEW and np.ptp(steps) <= 1e-9 * steps[0]:
            return "counting"
    if (different != np.floor(different)).any():
        return ""
    if n == len(different) >= MANY:
        return "different"
    is_drawn = len(different) >= DRAWN_SHARE * n and width <= MOST_RANGE * n
    if n >= 2 * MANY and (is_drawn or len(different) >= SHARE * n):
        return "repeated"
    return "called" if IDS.fullmatch(name) else ""


def _note(kind: str, columns: Sequence[int], names: Sequence[str], words: Sequence[str]) -> str:
    called = [names[i] if names else f"column {i + 1}" for i in columns[:NAMED]]  # without a name it is column 0
    listed = " and ".join(one if re.fullmatch(r"column \d+", one) else f"column {one!r}" for one in called)
    more = f" and {len(columns) - NAMED} more" if len(columns) > NAMED else ""
    chosen = list(dict.fromkeys(words[i] for i in columns)) if words else []
    key = drop_key(*chosen) if 0 < len(chosen) <= KEYED else "dataset.drop"
    return f"{listed}{more} {FORMS[kind][len(columns) > 1].format(key=key)}"
