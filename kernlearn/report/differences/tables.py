"""How two tables differ: rows are matched by their names, whatever their order, and cells are compared by column."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kernlearn.report.comparison.scores import RENAMED
from kernlearn.report.differences.cells import (
    EFFORT,
    OBJECTIVES,
    RELATIVE,
    VERDICTS,
    Cells,
    Found,
    changes_of,
    is_certificate,
    without_following,
)
from kernlearn.report.differences.changes import ORDER, Change, Kind, Part, Status, status_of, worst
from kernlearn.runner.store.tables import parse_csv

#: Columns that name a row wherever they occur.
NAMES = (
    *("paper", "table", "dataset", "data", "of_data", "task", "protocol", "select_by", "algorithm", "method", "kind"),
    *("kernel", "kernels", "scaling", "parameters", "metric", "seed", "split", "point"),
)
#: Columns that name a row together with those, where these do not tell all rows apart: the axes of figures.
AXES = ("n", "m", "p", "t", "D", "number", "rank", "first", "second", "stretch", "noise", "theta", "fraction", "C", "B")
#: Columns with texts that name nothing.
VALUES = frozenset(("selected", "values", "setting", "sha256", "by_size", "at_grid_end", "error", "cell", "seen"))
#: A whole number as a float is written.
WHOLE = re.compile(r"^([+-]?\d+)\.0+$")
#: Rows and columns of one side alone that are named in a note.
NAMED = 5


@dataclass(frozen=True)
class Rows:
    """A table.

    Attributes
    ----------
    columns : mapping
        The cells of every column.
    n : int
        The number of rows.
    """

    columns: Mapping[str, Sequence[str]]
    n: int


#: The cells that name a row, and its number among those with the same cells.
Key = tuple[tuple[str, ...], int]


@dataclass
class Matched:
    """The rows that both tables have.

    Attributes
    ----------
    telling : list of int
        The numbers of the key columns that have more than one value.
    keys : list of Key
        What names them.
    before, after : list of int
        Their places in both tables.
    only_before, only_after : list of Key
        What names the others.
    """

    telling: list[int]
    keys: list[Key] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    only_before: list[Key] = field(default_factory=list)
    only_after: list[Key] = field(default_factory=list)


def table_of(name: str, content: bytes) -> Rows:
    """Return the table in a CSV file, with the present names of columns that have been renamed.

    Raises `UserError` if it is damaged.
    """
    head, rows = parse_csv(name, content)
    head = [RENAMED.get(column, column) for column in head]
    return Rows(dict(zip(head, zip(*rows, strict=True) if rows else ([] for _ in head), strict=True)), len(rows))


def compare_tables(
    name: str,
    before: Rows,
    after: Rows,
    most: int,
    tolerance: float = RELATIVE,
    *,
    common: bool = False,
    single: bool = False,
    other_rows: Collection[str] = (),
) -> Part:
    """Return how two tables differ.

    Parameters
    ----------
    name : str
        Of the part.
    before, after : Rows
    most : int
        The number of changes that are kept.
    tolerance : float
        Relative to the larger of two numbers.
    common : bool
        Compare only what both tables have.
    single : bool
        Whether rows are matched even if they have another data set, method or seed on the other side. It must be the
        same in all rows of a side.
    other_rows : collection of str
        The data sets of which both sides have other training rows; their objectives are not compared.
    """
    shared = [column for column in before.columns if column in after.columns]
    keys = keys_of(before, after, shared)
    others = [key for key in keys if _is_other(before, after, key)] if single else []
    keys = [key for key in keys if key not in others]
    matched = match(before, after, keys)
    notes = [f"{key}: {before.columns[key][0]} | {after.columns[key][0]}" for key in others]
    notes += [] if common else _only(before, after, matched, keys)
    compared = [one for one in shared if one not in keys and one not in others]
    if other_rows:
        after = _with_objectives_of(before, after, matched, other_rows)
    changes, counts = _changes(before, after, matched, keys, compared, most, tolerance)
    status = worst([Status.CHANGED if notes else Status.WITHIN, status_of(counts)])
    return Part(name, status, notes, changes, counts)


def keys_of(before: Rows, after: Rows, shared: Sequence[str]) -> list[str]:
    """Return the columns that name the rows: those with such a name, and those with texts only."""
    keys = [
        column
        for column in shared
        if column in NAMES
        or (
            column not in VALUES | EFFORT | VERDICTS
            and not is_certificate(column)
            and _has_texts(before.columns[column])
            and _has_texts(after.columns[column])
        )
    ]
    unique = all(len(set(_cells(rows, keys))) == rows.n for rows in (before, after)) if keys else False
    return keys if unique else [column for column in shared if column in keys or column in AXES]


def _is_other(before: Rows, after: Rows, key: str) -> bool:
    """Return whether a column has one value on each side, and another one."""
    one, other = set(before.columns[key]), set(after.columns[key])
    return len(one) == 1 == len(other) and one != other


def _has_texts(cells: Sequence[str]) -> bool:
    """Return whether a column has a cell, and no cell is a number or empty."""
    kinds = set(cells)
    return bool(kinds) and not any(_is_number(cell) for cell in kinds)


def _is_number(cell: str) -> bool:
    try:
        float(cell or "0")
    except ValueError:
        return " " in cell and all(map(_is_number, cell.split()))
    return True


def match(before: Rows, after: Rows, keys: Sequence[str]) -> Matched:
    """Match rows by the cells of some columns; of several rows with the same cells, the first with the first, etc."""
    first, second = (_named(rows, keys) for rows in (before, after))
    names = [name for name in keys if len({*before.columns[name], *after.columns[name]}) > 1]
    matched = Matched([keys.index(name) for name in names] or list(range(len(keys))))
    for key, place in first.items():
        if key in second:
            matched.keys.append(key)
            matched.before.append(place)
            matched.after.append(second[key])
        else:
            matched.only_before.append(key)
    matched.only_after = [key for key in second if key not in first]
    return matched


def _named(rows: Rows, keys: Sequence[str]) -> dict[Key, int]:
    counts: dict[tuple[str, ...], int] = {}
    found: dict[Key, int] = {}
    for place, key in enumerate(_cells(rows, keys)):
        count = counts[key] = counts.get(key, 0) + 1
        found[key, count] = place
    return found


def _cells(rows: Rows, keys: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Return the cells that name each row. A whole number is named alike by programs that write 3 and 3.0."""
    if not keys:
        return [()] * rows.n
    shown = {cell: WHOLE.sub(r"\1", cell) for key in keys for cell in set(rows.columns[key])}
    return zip(*(map(shown.__getitem__, rows.columns[key]) for key in keys), strict=True)


def _with_objectives_of(before: Rows, after: Rows, matched: Matched, data: Collection[str]) -> Rows:
    """Return a table with the objectives of the one before in the rows of some data sets, or all if none are named."""
    columns = dict(after.columns)
    named = columns.get("dataset")
    for column in OBJECTIVES & columns.keys() & before.columns.keys():
        cells = list(columns[column])
        for one, other in zip(matched.before, matched.after, strict=True):
            if named is None or named[other] in data:
                cells[other] = before.columns[column][one]
        columns[column] = cells
    return Rows(columns, after.n)


def _words(key: Key, keys: Sequence[str], telling: Sequence[int]) -> str:
    """Return the name of a row: its cells, those that are plain numbers with the name of their column."""
    cells, count = key
    pairs = [(keys[i], cells[i]) for i in telling if cells[i]]
    words = [f"{name}={cell}" if _is_number(cell) else cell for name, cell in pairs]
    return " ".join([*words, *([f"row {count}"] if count > 1 or not words else [])])


def _only(before: Rows, after: Rows, matched: Matched, keys: Sequence[str]) -> list[str]:
    """Return notes on rows and columns of one side."""
    notes = []
    sides = ((before, after, matched.only_before, "A"), (after, before, matched.only_after, "B"))
    for side, other, rows, words in sides:
        columns = [column for column in side.columns if column not in other.columns]
        names = [_words(row, keys, matched.telling) for row in rows[:NAMED]]
        notes += [f"{_counted(columns[:NAMED], 'column', len(columns))} only in {words}"] if columns else []
        notes += [f"{_counted(names, 'row', len(rows))} only in {words}"] if rows else []
    return notes


def _counted(names: Sequence[str], what: str, n: int) -> str:
    more = f" and {n - len(names)} more" if n > len(names) else ""
    return f"{n} {what}{'s' * (n > 1)} ({'; '.join(names)}{more})"


def _changes(
    before: Rows,
    after: Rows,
    matched: Matched,
    keys: Sequence[str],
    compared: Sequence[str],
    most: int,
    tolerance: float,
) -> tuple[list[Change], Counter[Kind]]:
    """Return the largest changes in the rows that both sides have, and the numbers of all by kind."""
    in_order = matched.before == list(range(before.n)) == matched.after and after.n == before.n
    cells = {}
    for column in compared:
        pair = before.columns[column], after.columns[column]
        if not in_order:
            pair = tuple(pair[0][i] for i in matched.before), tuple(pair[1][i] for i in matched.after)
        cells[column] = Cells(column, *pair)
    certificates = {name: one for name, one in cells.items() if is_certificate(name)}
    judged = without_following(cells)
    found = {name: changes_of(one, certificates, tolerance) for name, one in judged.items()}
    counts = Counter(kind for one in found.values() for kind in one.kinds)
    best = [place for name, one in found.items() for place in _largest(name, one, most)]
    best.sort(key=lambda place: (place[0], -place[1], place[2], place[3]))
    changes = []
    for _, size, name, k in best[:most]:
        row = int(found[name].rows[k])
        difference = float(found[name].differences[k])
        changes.append(
            Change(
                found[name].kinds[k],
                f"{_words(matched.keys[row], keys, matched.telling)} {name}",
                cells[name].before[row],
                cells[name].after[row],
                None if np.isnan(difference) else difference,
                size,
            )
        )
    return changes, counts


def _largest(name: str, found: Found, most: int) -> list[tuple[int, float, str, int]]:
    """Return the largest changes of a column: the order of their kinds, their sizes, the column and their numbers."""
    order = np.array([ORDER.index(kind) for kind in found.kinds], dtype=np.intp)
    places = np.lexsort((np.arange(len(order)), -found.sizes, order))[:most]
    return [(int(order[k]), float(found.sizes[k]), name, int(k)) for k in places]
