"""How a file was understood, column by column, for the person whose file it is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from kernlearn.datasets.core.columns import types_key
from kernlearn.datasets.core.table import Table

#: How the type of a column of texts was found out.
BY_CELLS = {
    "number": "every cell is a number",
    "boolean": "every cell is true or false",
    "date": "its cells are dates of ISO 8601",
    "text": "some cells are no numbers",
    "category": "declared in the file",
}
#: How that of a column of texts in a file with types was.
BY_TEXTS = {
    "number": "every text is a number",
    "boolean": "every text is true or false",
    "date": "its texts are dates of ISO 8601",
}
#: If there are more lines, one line is shown for each kind of column.
MOST_LINES = 60
#: Of so few rows all may have different texts by chance.
FEW = 5


@dataclass(frozen=True)
class Column:
    """How a column was understood."""

    #: From 0 on; of several that are alike, of the first and the last.
    number: str
    name: str
    #: "feature", "target", "index" or "dropped".
    role: str
    #: One of `kernlearn.datasets.core.cells.TYPES`; "class" for a target of classes; "" for what is not read.
    type: str
    #: What a person may want to know of it: missing cells, or how many values it has.
    content: str
    #: How role and type were found out.
    reason: str
    #: What says otherwise, with NAME for the column.
    key: str
    #: How a key names the column, in the place of NAME; not shown.
    word: str = ""
    #: Rows without a value.
    n_missing: int = 0


#: The titles of the attributes.
TITLES = ("column", "name", "role", "type", "content", "found out by", "to change it")


def columns_of(table: Table) -> list[Column]:
    """Return how every column of a table was understood."""
    read = {table.roles.target, *table.features}
    return [_read(table, i) if i in read else _unread(table, i) for i in range(len(table.names))]


def summarised(columns: Sequence[Column]) -> list[Column]:
    """Return columns with one in the place of several side by side that differ in number and name alone.

    The key of one column by itself has its name.
    """
    alike = [
        list(same) for _, same in groupby(columns, key=lambda column: replace(column, number="", name="", word=""))
    ]
    return [
        replace(same[0], number=f"{same[0].number}-{same[-1].number}", name=f"{same[0].name} ... {same[-1].name}")
        if len(same) > 1
        else replace(same[0], key=same[0].key.replace("NAME", same[0].word or "NAME"))
        for same in alike
    ]


def kinds_of(columns: Sequence[Column]) -> list[Column]:
    """Return one line for all columns with the same role, type, reason and key, with their number."""
    alike: dict[tuple[str, str, str, str], list[Column]] = {}
    for column in columns:
        alike.setdefault((column.role, column.type, column.reason, column.key), []).append(column)
    return [_together(same) for same in alike.values()]


def _together(same: Sequence[Column]) -> Column:
    """Return the line of several columns of one kind."""
    first = same[0]
    if len(same) == 1:
        return replace(first, key=first.key.replace("NAME", first.word or "NAME"))
    n_missing = sum(column.n_missing > 0 for column in same)
    content = f"{n_missing} with missing values: dataset.missing" if n_missing else ""
    return replace(first, number=f"{len(same)} columns", name=f"{first.name} ... {same[-1].name}", content=content)


def _unread(table: Table, column: int) -> Column:
    """Return how a column was understood that is neither the target nor learned from."""
    roles, number, name = table.roles, str(column), table.names[column]
    if column in roles.index:
        reason = roles.index[column] if table.keys.index is None else "dataset.index"
        return Column(number, name, "index", "", "", reason, "dataset.index=none")
    if column in roles.dropped:
        declared = table.keys.declared if table.keys.target is None else None
        if declared and column in declared.others:
            return Column(number, name, "dropped", "", "", declared.why_others, "dataset.target=NAME")
        return Column(number, name, "dropped", "", "", "dataset.drop", "dataset.drop")
    if column in table.empty:
        return Column(number, name, "dropped", "", "no values", "no value in any row", "")
    return Column(number, name, "dropped", "text", "", "dataset.text=drop", "dataset.text")


def _read(table: Table, column: int) -> Column:
    """Return how the target, or a column that is learned from, was understood."""
    roles, number, name = table.roles, str(column), table.names[column]
    is_target, kind = column == roles.target, table.type(column)
    known = BY_TEXTS.get(kind, table.typed) if column in table.texts else table.typed
    reason = "dataset.types" if column in roles.types else known or BY_CELLS[kind]
    key, role = types_key("NAME", "text" if kind == "category" else "category"), "feature"
    if kind == "text":
        key = f"dataset.text=onehot, {key}"
    if is_target:
        reason = table.keys.why_target if table.keys.target is None else "dataset.target"
        key, role = "dataset.target=NAME", "target"
    n_missing = int(table.missing(column).sum())
    content = [f"{n_missing} missing: dataset.missing"] if n_missing else []
    if kind in ("text", "category") or (is_target and not table.keys.real):
        cells = table.column(column)
        content = [f"{len(cells.texts)} value{'s' if len(cells.texts) > 1 else ''}", *content]
        if kind == "text" and not is_target and FEW < len(cells.texts) == len(cells.codes) - n_missing:
            content.append("differs in every row, as an id does: dataset.drop")
    kind = "class" if is_target and not table.keys.real else kind
    word = "" if is_target else table.words[column]
    return Column(number, name, role, kind, ", ".join(content), reason, key, word, n_missing)
