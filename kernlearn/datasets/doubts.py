"""Values of a table that are read, but may not mean what they say: rounded numbers, and dates that stand for none."""

import re

import numpy as np

from kernlearn.datasets.cells import days
from kernlearn.datasets.columns import drop_key, na_key
from kernlearn.datasets.table import EXACT, Table, listed

#: A whole number of so many digits that double precision may round it.
WHOLE = re.compile(r"[+-]?[0-9]{16,}")
#: Large numbers of a column that are looked at.
LOOKED_AT = 1000
#: The first day of the year 2, and that of the year 9999.
YEAR_2, YEAR_9999 = days("0002-01-01") or 0.0, days("9999-01-01") or 0.0


def doubts(table: Table) -> list[str]:
    """Return notes on columns with rounded whole numbers, and with dates of the first or last year that there is."""
    columns = [*table.features, *([table.roles.target] if table.keys.real else [])]
    rounded = [i for i in columns if table.type(i) == "number" and _is_rounded(table, i)]
    lines = []
    if rounded:
        names = listed([table.names[i] for i in rounded])
        lines.append(
            f"{names}: whole numbers beyond 2^53 lose their last digits ({drop_key(table.word(rounded[0]))} leaves "
            "out a column of ids)"
        )
    return lines + [line for i in columns if table.type(i) == "date" for line in _far_dates(table, i)]


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
