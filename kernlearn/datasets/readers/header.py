"""Whether the first line of a table has the names of the columns, where nobody says so."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import takewhile
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.cells import BOOLEANS, DATE, MISSING, NA_WORDS, Coded, Numerals, coded, type_of, values_of
from kernlearn.datasets.core.columns import NUMBER

if TYPE_CHECKING:
    import pandas as pd

#: An example is taken for a line of numbers that are names in at most this share of files.
CHANCE = 1e-3
#: The same where the class would be the only one of its kind, far from the others: such an example is of little use.
CHANCE_OF_CLASS = 1e-2
#: So many evenly spaced numbers are names if no row below is evenly spaced, and so many years in a row; two names are
#: numbers in steps of one.
EVEN, SUCCESSIVE, FEW = 5, 3, 2
#: What begins like a number: a text that does may be meant as one.
LIKE_NUMBER = re.compile(r"[+-]?[.,]?[0-9]")
#: A number of a column.
WHOLE = re.compile("0|[1-9][0-9]{0,8}")
#: The first and the last year.
YEARS = 1800, 2100


def has_header(
    first: Sequence[str], rest: "pd.DataFrame | None", others: Sequence[int], given: Sequence[Any], numerals: Numerals
) -> bool:
    """Tell a line of names from an example.

    The line has names in each of these cases. It contains a name that the user gives. A feature in it is a text above
    numbers or above texts that do not include it, or a number above texts, dates or booleans. A class in it has another
    type than those below. It has an empty cell above row numbers, as pandas writes an index. Its numbers are names (see
    `_are_names`), such as years, wavelengths, and the 0, 1, 2, ... of pandas.

    Parameters
    ----------
    first : sequence of str
        The cells of the first line.
    rest : DataFrame or None
        The rows below, or some thousands of them.
    others : sequence of int
        The columns that are no features, the target first.
    given : sequence of str or int or None
        The columns that a person has named.
    numerals : Numerals
        How numbers are written.
    """
    if any(_is_named(name, first) for name in given):
        return True
    no_features = set(others)
    features = [column for column in range(len(first)) if column not in no_features]
    if rest is None:
        return any(not is_plain_cell(first[column], numerals) for column in features)

    @cache
    def below(column: int) -> Coded:
        return coded(rest[column])

    are_numbers = [dtype.kind in "iuf" for dtype in rest.dtypes]
    kinds = set()
    for column in features:
        if not are_numbers[column] or not is_plain_cell(first[column], numerals):
            kinds.add(_evidence(first[column], below(column), numerals))
        if "name" in kinds:
            return True
    if "value" in kinds:
        return False
    if "unknown" in kinds:
        return True
    at = others[0]
    return (
        _is_no_class(first[at], below(at), numerals)
        or _is_above_index(first, others, below, numerals)
        or _are_names(first, features, at, below, numerals)
    )


def may_be_names(first: Sequence[str], numerals: Numerals) -> bool:
    """Tell whether the cells of the first line are numbers in equal steps, of which an example may consist as well."""
    values = np.array([numerals.value(cell) for cell in first], dtype=np.float64)
    is_long = len(values) > FEW or bool((np.abs(np.diff(values)) == 1).all())
    return is_long and bool(np.isfinite(values).all() and _are_even(values[None])[0])


def _is_named(name: Any, first: Sequence[str]) -> bool:
    """Tell whether a name is in a line and can be no number of a column."""
    text = str(name)
    if name is None or text not in first:
        return False
    return not NUMBER.fullmatch(text) or not -len(first) <= int(text) < len(first)


def is_plain_cell(cell: str, numerals: Numerals) -> bool:
    """Tell a number, with a decimal point or as numbers are written in this file, or a missing value."""
    is_number = numerals.value(cell) is not None or Numerals().value(cell) is not None
    return is_number or _is_missing(cell)


def _evidence(cell: str, below: Coded, numerals: Numerals) -> str:
    """Return what a cell is for the column below it: a "name", a "value", "unknown", or "plain" if it tells nothing."""
    kind = type_of(below.texts, numerals) if below.texts else "text"
    if is_plain_cell(cell, numerals):
        if numerals.value(cell) is None or not _are_no_numbers(below, kind):
            return "plain"
        return "unknown" if kind == "text" else "name"
    if kind == "boolean" and cell.lower() in BOOLEANS or kind == "date" and DATE.fullmatch(cell):
        return "plain"
    n_numbers = sum(numerals.value(text) is not None for text in below.texts)
    if kind != "text" or 2 * n_numbers > len(below.texts):
        return "name"
    return "value" if cell in below.texts else "unknown"


def _are_no_numbers(below: Coded, kind: str) -> bool:
    """Tell booleans, dates, or texts of which none begins like a number."""
    texts = [text for text in below.texts if not _is_missing(text)]
    if kind == "date":
        return all(map(DATE.fullmatch, texts))
    return bool(texts) and kind != "number" and not any(map(LIKE_NUMBER.match, texts))


def _is_missing(cell: str) -> bool:
    return cell in MISSING or cell.lower() in NA_WORDS


def _is_no_class(cell: str, below: Coded, numerals: Numerals) -> bool:
    """Tell a text above numbers, booleans or dates, and a number above others, if texts occur twice and more."""
    if _is_missing(cell) or not below.texts:
        return False
    kind = type_of(below.texts, numerals)
    if kind == "number":
        return numerals.value(cell) is None
    if not _are_no_numbers(below, kind):
        return False
    if kind == "text":
        return numerals.value(cell) is not None and 2 * len(below.texts) <= len(below.codes)
    return not (DATE.fullmatch(cell) if kind == "date" else cell.lower() in BOOLEANS)


def _is_above_index(
    first: Sequence[str], others: Sequence[int], below: Callable[[int], Coded], numerals: Numerals
) -> bool:
    """Tell different names after one or more without a name, whose columns number the rows.

    These are whole numbers, or no numbers, none missing, and no two rows have the same.
    """
    n_levels = len(list(takewhile(lambda name: not name, first)))
    names = first[n_levels:]
    if not n_levels or "" in names or len({*names}) < len(names) or not set(others).isdisjoint(range(n_levels)):
        return False
    levels = [below(column) for column in range(n_levels)]
    values = [numerals.value(text) for level in levels for text in level.texts]
    codes = np.column_stack([level.codes for level in levels])
    is_whole = all(value is None or value == np.floor(value) for value in values)
    return is_whole and bool((codes >= 0).all()) and 1 < len(codes) == len(np.unique(codes, axis=0))


def _are_names(
    first: Sequence[str], features: Sequence[int], at: int, below: Callable[[int], Coded], numerals: Numerals
) -> bool:
    """Tell a line of numbers that are names: they increase or decrease, and are of another kind than those below.

    A class that is a text and occurs nowhere below, where classes occur twice and more, shows that. In any order they
    may be whole numbers above fractions (see `_are_whole_above_fractions`). Where the line has
    nothing but numbers, it is 0, 1, 2, 3, ...; or it has `EVEN` and more that are evenly spaced, which no row below is,
    or `SUCCESSIVE` years; or it would be an example in at most a share of `CHANCE` of files (see `_share`). That k
    numbers are in order, by chance with probability 2/k!, counts where they are 0, 1, 2 or 1, 2, 3, ..., and where
    the class is far from all others, of which each occurs twice and more.
    """
    line = [column for column in sorted([*features, at]) if column == at or column > 0 or first[column]]
    numbers = [
        numerals.value(first[column]) for column in line if column != at or numerals.value(first[at]) is not None
    ]
    values = np.array([value for value in numbers if value is not None])
    steps = np.diff(values)
    if len(values) < len(numbers) or not np.isfinite(values).all():
        return False
    labels, n = below(at), len(below(at).codes)
    is_above = _are_whole_above_fractions([column for column in line if column != at], first, below, numerals)
    is_in_order = bool((steps > 0).all() or (steps < 0).all())
    if _is_missing(first[at]):
        return is_above
    if numerals.value(first[at]) is None:
        kind = type_of(labels.texts, numerals) if labels.texts else "number"
        is_other = kind == "text" and first[at] not in (*labels.texts, *MISSING) and 2 * len(labels.texts) <= n
        return is_other and (is_in_order or is_above)
    if is_above or not is_in_order:
        return is_above
    if len(line) > 3 and [first[column] for column in line] == [str(i) for i in range(len(line))]:
        return True
    if len(values) <= FEW and not (np.abs(steps) == 1).all():
        return False
    rows = [values_of(below(column), "number", numerals) for column in line]
    successive = (np.abs(steps) == 1).all() and YEARS[0] <= values.min() and values.max() <= YEARS[1]
    if (
        len(values) >= (SUCCESSIVE if successive else EVEN)
        and _are_even(values[None]).all()
        and not _are_even(np.column_stack(rows)).any()
    ):
        return True
    shares = [_share(value, column) for value, column in zip(values.tolist(), rows, strict=True)]
    chance, in_order = float(np.prod(shares)), 2 / factorial(len(shares))
    if max(shares) < 0.5 and chance <= CHANCE:
        return True
    if len(values) <= FEW or steps[0] < 0:
        return False
    if (steps == 1).all() and values[0] in (0, 1) and chance * in_order <= CHANCE:
        return True
    is_alone = is_far(values[line.index(at)], rows[line.index(at)]) and 2 * len(labels.texts) <= n
    return is_alone and chance * in_order <= CHANCE_OF_CLASS


def _are_whole_above_fractions(
    features: Sequence[int], first: Sequence[str], below: Callable[[int], Coded], numerals: Numerals
) -> bool:
    """Tell whole numbers, written so, above columns of numbers that nearly all have fractions.

    They are different, or several counts from 0 or 1 on, as pandas names the columns of tables side by side.
    """
    if not features or not all(WHOLE.fullmatch(first[column]) for column in features):
        return False
    values = np.array([int(first[column]) for column in features])
    starts = values[np.concatenate([[True], np.diff(values) != 1])]
    are_counts = bool((starts == starts[0]).all()) and starts[0] <= 1
    n_different = len({*values.tolist()})
    if n_different < len(values) and (not are_counts or n_different == 1):  # zeros alone are an example
        return False
    rows = [values_of(below(column), "number", numerals) for column in features]
    shares = [(1 + int((row == np.floor(row)).sum())) / (len(row) + 1) for row in rows]
    return max(shares) < 0.5 and float(np.prod(shares)) <= CHANCE


def _share(value: float, below: NDArray[np.float64]) -> float:
    """Return the share of columns with values such as those below that begin with one as unlike them as this.

    Among n + 1 exchangeable values, the first is whole, or unique, with the frequency of such values. It is outside the
    range of the others by the width of the range with probability 1 / (n + 1).
    """
    known = below[np.isfinite(below)]
    if not len(known):
        return 1.0 / (len(below) + 1)  # texts
    different, counts = np.unique(known, return_counts=True)
    n_alike = [len(known)]
    if value == np.floor(value):
        n_alike.append(int((known == np.floor(known)).sum()))
    if value not in different:
        n_alike.append(int((counts == 1).sum()))
    if is_far(value, known):
        n_alike.append(0)
    return (1 + min(n_alike)) / (len(known) + 1)


def is_far(value: float, below: NDArray[np.float64]) -> bool:
    """Tell whether a number is outside the range of others by its width."""
    low, width = below.min(), np.ptp(below)
    return bool(value < low - width or value > low + 2 * width)


def _are_even(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which rows are of evenly spaced numbers."""
    steps = np.diff(rows, axis=1)
    even: NDArray[np.bool_] = np.ptp(steps, axis=1) <= 1e-9 * np.abs(rows).max(axis=1)
    return even & (steps[:, 0] != 0)
