"""Values of a table that are read, but may not mean what they say: rounded numbers, and dates that stand for none."""

import re

import numpy as np

from kernlearn.datasets.cells import ZERO_PADDED, days
from kernlearn.datasets.columns import drop_key, key_for, na_key, types_key
from kernlearn.datasets.table import EXACT, TYPED, Table, listed

#: A whole number of so many digits that double precision may round it.
WHOLE = re.compile(r"[+-]?[0-9]{16,}")
#: What a column of classes or targets is often called.
TARGETS = {"class", "classes", "label", "labels", "target", "targets"}
#: Large numbers of a column that are looked at.
LOOKED_AT = 1000
#: The first day of the year 2, and that of the year 9999.
YEAR_2, YEAR_9999 = days("0002-01-01") or 0.0, days("9999-01-01") or 0.0


def doubts(table: Table) -> list[str]:
    """Return notes on features that may be targets, whole numbers that lose digits, and dates that are far off."""
    lines = _other_targets(table)
    columns = [*table.features, *([table.roles.target] if table.keys.real else [])]
    rounded = [i for i in columns if table.type(i) == "number" and _is_rounded(table, i)]
    if rounded:
        names = listed([table.names[i] for i in rounded])
        lines.append(
            f"{names}: whole numbers beyond 2^53 lose their last digits ({drop_key(table.word(rounded[0]))} leaves "
            "out a column of ids)"
        )
    lines += _dropped_zeros(table)
    return lines + [line for i in columns if table.type(i) == "date" for line in _far_dates(table, i)]


def _other_targets(table: Table) -> list[str]:
    """Return a note on a feature that is called as a target is, where nobody says which column is the target."""
    if table.keys.target is not None or table.keys.declared or table.names[table.roles.target].lower() in TARGETS:
        return []
    named = [column for column in table.features if table.named and table.names[column].lower() in TARGETS]
    what = "targets" if table.keys.real else "classes"
    return [
        f"{listed([table.names[column]])}: a feature ({key_for('target', table.word(column))} if it has the {what})"
        for column in named[:1]
    ]


def _dropped_zeros(table: Table) -> list[str]:
    """Return a note on features whose cells are read as numbers and have zeros in front."""
    guessed = [i for i in table.features if i not in table.roles.types and table.frame[i].dtype.kind not in TYPED]
    padded = {i: cell for i in guessed if table.type(i) == "number" and (cell := _zero_padded(table, i))}
    if not padded:
        return []
    first, cell = next(iter(padded.items()))
    return [
        f"{listed([table.names[i] for i in padded])}: zeros in front are dropped, as {cell} is read as "
        f"{float(cell):.16g} ({types_key(table.word(first), 'category')} keeps them)"
    ]


def _zero_padded(table: Table, column: int) -> str:
    """Return a cell of a column that is a number with zeros in front, or nothing."""
    return next(filter(ZERO_PADDED.fullmatch, table.column(column).texts), "")


def _is_rounded(table: Table, column: int) -> bool:
    rows = np.flatnonzero(np.abs(table.values(column)) >= EXACT)[:LOOKED_AT]
    cells, mark = (table.written(int(row))[1][column] for row in rows), table.numerals.thousands
    return any(WHOLE.fullmatch(cell.replace(mark, "") if mark else cell) for cell in cells)


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
