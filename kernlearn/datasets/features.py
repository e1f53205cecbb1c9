"""From a table to features: numbers, or raw features of which a training part makes numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.bounds import LARGEST, check_shape
from kernlearn.datasets.core.cells import DECIMAL_COMMA, EITHER_COMMA, MORE_BOOLEANS, NA_WORDS, Numerals, show
from kernlearn.datasets.core.columns import drop_key, key_for, na_key, types_key
from kernlearn.datasets.core.raw import MISSING_WAYS, REFUSE, RawFeatures
from kernlearn.datasets.core.schema import RawColumn, TableSchema
from kernlearn.datasets.core.table import NAMED, Table, listed
from kernlearn.errors import UserError

#: What is said where values are missing, and where features are texts.
FILLING = (
    "dataset.missing=median, most_frequent or indicator fills in what is missing, of all columns, "
    "and dataset.missing=drop leaves out such rows"
)
ENCODING = (
    "features must be numbers; dataset.text=onehot or ordinal makes numbers of texts, and dataset.text=drop "
    "or {drop} leaves it out"
)
#: Signs between thousands, in words and themselves, and the decimal sign beside each.
GROUPED_BY = (("comma", ",", "."), ("point", ".", ","))
#: Texts that often stand for no value.
PLACEHOLDERS = {"-", "--", "---", ".", "..", "*", "n.a.", "n. a.", "missing", "unknown", "undefined"}


def complete(table: Table) -> tuple[Table, list[str]]:
    """Return the rows that can be learned from, and what is to be said of the others.

    With ``missing=drop`` no feature nor the target is missing in them. Where missing values are filled in, the target
    is there.

    Raises `UserError` if there is none.
    """
    is_dropped = table.keys.missing == "drop"
    columns = (*(table.features if is_dropped else ()), table.roles.target)
    lacking = np.any([table.missing(column) for column in columns], axis=0)
    rows = np.flatnonzero(~lacking)
    if not len(rows):
        if not is_dropped:
            raise UserError(f"{table.file}: no row has a target; dataset.target=NAME names another column")
        raise UserError(f"{table.file}: dataset.missing=drop leaves no row; leave out columns with dataset.drop")
    if not lacking.any():
        return table, []
    what = "missing values and are left out" if is_dropped else "no target and are left out"
    return replace(
        table,
        frame=table.frame.iloc[rows].reset_index(drop=True),
        written=lambda row: table.written(int(rows[row])),
    ), [f"{lacking.sum()} of {len(lacking)} rows have {what}"]


def features_of(table: Table) -> tuple[NDArray[np.float64] | RawFeatures, list[str], list[str]]:
    """Return the features, their names, and what keys call the columns that they are of.

    Booleans become 0 and 1, dates days since 1970-01-01, and categories one indicator a value. With texts, or
    missing values that are to be filled in, the features are raw, and such categories and texts one column.

    Raises
    ------
    UserError
        Naming the first cell that cannot be used, and how many there are.
    """
    features, at = table.features, table.roles.target
    is_filled = table.keys.missing not in MISSING_WAYS[:2]
    lacking = {column: table.missing(column) for column in features if is_filled}
    kinds, raw = _kinds_and_raw(table)
    values = {i: _categories(table, i) for i in features if kinds[i] == "category" and i not in raw}
    ends = np.cumsum([len(values.get(column, "1")) for column in features])
    is_ordinal = table.keys.text == "ordinal"
    widths = [len(texts) for column, texts in raw.items() if not (is_ordinal and kinds[column] == "text")]
    check_shape(table.file, len(table.frame), int(ends[-1]) + sum(widths))
    X, unusable = np.empty((len(table.frame), ends[-1])), {}
    for column, end in zip(features, ends, strict=True):
        if column in values:
            block = _indicators(table, column, values[column])
        else:
            block = (_places(table, column, raw[column]) if column in raw else table.values(column))[:, None]
        X[:, end - block.shape[1] : end] = block
        # A category may have no values.
        good = np.abs(block[:, 0]) <= LARGEST if block.shape[1] else ~table.missing(column)
        if not (usable := good | lacking.get(column, False)).all():
            unusable[column] = np.flatnonzero(~usable)
    if (missing := table.missing(at)).any():
        unusable[at] = np.flatnonzero(missing)
    if unusable:
        _refuse(table, unusable)
    indicators = {i: [f"{table.names[i]}={value}" for value in values[i]] for i in values}
    columns = [(i, name) for i in features for name in indicators.get(i, [table.names[i]])]
    names, words = [name for _, name in columns], [table.words[i] for i, _ in columns]
    if not raw and not np.isnan(X).any():
        return X, names, words
    categories = tuple(tuple(raw[i]) if i in raw else None for i, _ in columns)
    ordinal = tuple(place for place, (i, _) in enumerate(columns) if is_ordinal and i in raw and kinds[i] == "text")
    return RawFeatures(X, categories, ordinal, table.keys.missing), names, words


def schema_of(table: Table) -> TableSchema:
    """Return how the columns of a table become the features of `features_of`."""
    kinds, raw = _kinds_and_raw(table)
    texts = {i: _categories(table, i) for i in kinds if kinds[i] == "category" or i in raw}
    columns = [
        RawColumn(table.names[i], i, kinds[i], tuple(texts.get(i, ())), i in texts and i not in raw) for i in kinds
    ]
    na_values = None if table.keys.na_values is None else tuple(table.keys.na_values)
    target = table.roles.target
    known = table.names[target], target, len(table.names), table.named
    return TableSchema(tuple(columns), *known, *table.numerals, na_values)


def _kinds_and_raw(table: Table) -> tuple[dict[int, str], dict[int, list[str]]]:
    """Return the types of the features, and the texts of those that are raw categories."""
    is_filled = table.keys.missing not in MISSING_WAYS[:2]
    kinds = {column: table.type(column) for column in table.features}
    lacking = {i for i in kinds if is_filled and table.missing(i).any()}
    return kinds, {i: _categories(table, i) for i in kinds if _is_raw(table, kinds[i], i in lacking)}


def _categories(table: Table, column: int) -> list[str]:
    return table.nominal[column] if column in table.nominal else sorted(table.column(column).texts)


def _is_raw(table: Table, kind: str, lacking: bool) -> bool:
    """Tell whether a column of a kind, with missing values to be filled in or without, is one of raw categories."""
    return (kind == "category" and lacking) or (kind == "text" and table.keys.text in ("onehot", "ordinal"))


def _places(table: Table, column: int, values: Sequence[str]) -> NDArray[np.float64]:
    """Return for every row the place of its text among values, NaN where it is none of these."""
    place = {value: i for i, value in enumerate(values)}
    return table.column(column).mapped([place.get(text) for text in table.column(column).texts])


def _indicators(table: Table, column: int, values: Sequence[str]) -> NDArray[np.float64]:
    """Return one column for every value, with NaN in the rows without one of these."""
    index = _places(table, column, values)[:, None]
    return np.where(np.isnan(index), np.nan, index == np.arange(len(values)))


def _refuse(table: Table, unusable: Mapping[int, NDArray[np.intp]]) -> None:
    """Raise `UserError` for the first of some cells, by their columns and rows, and count them."""
    row, _, column = min((int(rows[0]), column == table.roles.target, column) for column, rows in unusable.items())
    where, cells = table.written(row)
    place = f"{table.file}, {where}, column {show(table.names[column])}"
    message = f"{place}: {_what_is_wrong(table, column, row, cells[column])}"
    if (total := sum(map(len, unusable.values()))) > 1:
        lacking = sum(int(table.missing(column)[rows].sum()) for column, rows in unusable.items())
        texts = sum(
            int((~table.missing(column)[rows]).sum()) for column, rows in unusable.items() if _is_text(table, column)
        )
        kinds = [f"{lacking} of them are missing: see dataset.missing"]
        kinds += [f"{texts} are texts: see dataset.text"] if texts else []
        some = f" ({'; '.join(kinds)})" if 0 < lacking < total else ""
        message += f"; {total} cells cannot be used{some}, in {_listed(table, sorted(unusable))}"
    raise UserError(message)


def _is_text(table: Table, column: int) -> bool:
    """Return whether a column is a feature of texts."""
    return table.type(column) == "text" and column != table.roles.target


def _what_is_wrong(table: Table, column: int, row: int, cell: str) -> str:
    if table.missing(column)[row]:
        word = f"; {na_key('?')} if {cell} is a value" if cell.lower() in NA_WORDS else ""
        written = show(cell) if cell else "the cell is empty"
        if column == table.roles.target:
            features = any(table.missing(one).any() for one in table.features)
            filled = ", and so does missing=median, which fills in the features" if features else ""
            return f"the target is missing ({written}); dataset.missing=drop leaves out such rows{filled}{word}"
        return f"the value is missing ({written}); {FILLING}{word}"
    kind, value = table.type(column), table.numerals.value(cell)
    if kind == "category":
        return f"{show(cell)} is not among its declared values"
    if kind == "date":
        return f"{show(cell)} is no date such as 2001-12-31, as others in its column are; correct it"
    if kind == "boolean":
        return f"{show(cell)} is neither true nor false; remove the line or correct it"
    if value is not None and not isfinite(value) and cell.lower() not in NA_WORDS:
        return f"{show(cell)} is not finite; remove the line or correct it"
    if kind == "number" and value is not None and abs(value) > LARGEST:
        return (
            f"{show(cell)} is too large to square (more than {LARGEST:g}); correct it, leave out the column "
            f"({drop_key(table.words[column])}), or leave out the row ({na_key(cell)} dataset.missing=drop)"
        )
    if kind == "text" and value is not None and column in table.roles.types:
        return f"{show(cell)} is a text, as dataset.types says; leave the column out with dataset.drop"
    if kind == "text" and all(text.lower() in MORE_BOOLEANS for text in table.column(column).texts):
        key = types_key(table.words[column], "boolean")
        return f"{show(cell)} is not a number ({key} reads the column as 1 and 0)"
    advice = ENCODING.format(drop=drop_key(table.words[column]))
    if column == 0 and table.keys.target is None:
        advice += f"; {key_for('target', table.words[column])} if it has the classes"
    if cell.lower() in PLACEHOLDERS | NA_WORDS:
        advice = f"{na_key(*(table.keys.na_values or ()), cell)} if it stands for a missing value; else {advice}"
    if (key := _thousands_key(table, column, cell)) and not EITHER_COMMA.fullmatch(cell):
        advice = key
    elif EITHER_COMMA.fullmatch(cell):
        either = cell.replace(",", ".", 1), cell.replace(",", "")
        advice = f"dataset.decimal=comma if it is {either[0]}, dataset.thousands=comma if it is {either[1]}"
    elif DECIMAL_COMMA.fullmatch(cell):
        advice = f"write {cell.replace(',', '.')} with a decimal point, or say dataset.decimal=comma"
    elif table.numerals.decimal == "," and Numerals().value(cell) is not None:
        advice = "the decimal sign of this file is the comma; dataset.decimal=point says otherwise"
    return f"{show(cell)} is not a number ({advice})"


def _thousands_key(table: Table, column: int, cell: str) -> str:
    """Return the key with which all texts of a column are numbers, as one that says what stands between thousands."""
    texts, decimal = table.column(column).texts, table.numerals.decimal
    for word, mark, point in (*GROUPED_BY, ("blanks", " ", decimal), ("apostrophe", "'", decimal)):
        numerals = Numerals(point, mark)
        if mark in cell and all(numerals.value(text) is not None for text in texts):
            return f"dataset.thousands={word} if it is {numerals.value(cell):.16g}"
    return ""


def encodings(table: Table) -> list[str]:
    """Return what is done about texts and missing values."""
    lines, ways = [], {"onehot": "one indicator for each", "ordinal": "numbered in alphabetical order"}
    texts = [i for i in table.roles.features if table.keys.text != REFUSE and table.type(i) == "text"]
    if texts and table.keys.text in ways:
        counts = ", ".join(str(len(table.column(column).texts)) for column in texts[:NAMED])
        more = ", ..." if len(texts) > NAMED else ""
        lines.append(f"{_listed(table, texts)}: {counts}{more} different texts, {ways[table.keys.text]}")
    elif texts:
        lines.append(f"{_listed(table, texts)}: texts, left out")
    is_filled = table.keys.missing not in MISSING_WAYS[:2]
    lacking = {column: int(table.missing(column).sum()) for column in table.features if is_filled}
    if total := sum(lacking.values()):
        which = _listed(table, [column for column in lacking if lacking[column]])
        lines.append(f"{which}: {total} missing values, filled in by the training part ({table.keys.missing})")
    return lines


def _listed(table: Table, columns: Sequence[int]) -> str:
    return listed([table.names[column] for column in columns])
