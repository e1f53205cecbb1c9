"""Tidy tables of numbers, a row for each: CSV, Parquet and JSON. They have all digits."""

import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any, TypedDict, get_type_hints

from kernlearn import __version__
from kernlearn.errors import UserError
from kernlearn.report.exports.numbers import Document, Number
from kernlearn.report.exports.texts import defused

#: The version of the columns and of the JSON Schema; it grows if one disappears or changes its meaning or type.
VERSION = 1


class Record(TypedDict):
    """A number."""

    #: The table, run or comparison.
    result: str
    #: A row of a table.
    dataset: str
    #: The method, or a column of a table.
    algorithm: str
    metric: str
    #: Over the splits of all partitions; null if it is undefined.
    mean: float | None
    #: The standard deviation over the splits.
    std: float | None
    n_splits: int
    #: The value that the paper prints.
    printed_mean: float | None
    printed_std: float | None
    #: Our mean minus the printed one.
    delta: float | None
    #: The interval that decides on the verdict or, in a comparison, the interval of the mean.
    interval_low: float | None
    interval_high: float | None
    #: Empty if there is none.
    verdict: str
    #: Whether no number that it is compared with is better.
    best: bool
    #: Of the test against the best number, adjusted by Holm's rule; null if there is no test.
    p_value: float | None
    #: The number of selected solutions that are not proved optimal; null if there are no solutions.
    n_not_optimal: int | None
    #: The digits after the decimal point with which tables show it.
    digits: int


class Exported(TypedDict):
    """A table, a run or a comparison."""

    kind: str
    name: str
    title: str
    #: Sentences on what the numbers are.
    about: list[str]
    #: The test behind the p-values, in words; empty if there is none.
    test: str
    #: Counts over the whole table, by name.
    facts: dict[str, int]
    #: The titles of the metrics.
    titles: dict[str, str]
    numbers: list[Record]


COLUMNS = tuple(get_type_hints(Record))


def records_of(document: Document) -> list[Record]:
    """Return the numbers of a document."""
    return [_record(document.name, number) for number in document.numbers]


def _record(name: str, number: Number) -> Record:
    facts = {**asdict(number), "result": name, "delta": number.delta}
    finite = {key: None if isinstance(value, float) and value != value else value for key, value in facts.items()}
    return Record(**{key: finite[key] for key in COLUMNS})  # type: ignore[typeddict-item]


def facts_of(document: Document) -> Exported:
    """Return a document as facts for programs."""
    return {
        "kind": document.kind,
        "name": document.name,
        "title": document.title,
        "about": list(document.notes),
        "test": document.test,
        "facts": dict(document.facts),
        "titles": dict(document.titles),
        "numbers": records_of(document),
    }


def csv_text(document: Document) -> str:
    """Return a document as CSV. A text that a spreadsheet would run as a formula is shown after an apostrophe."""
    rows = [COLUMNS, *(row.values() for row in records_of(document))]
    return "".join(",".join(map(_field, row)) + "\n" for row in rows)


def _field(value: Any) -> str:
    """Return a field of CSV. The writer of Python before 3.13 leaves a carriage return without quotes."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    quoted = defused(value).replace('"', '""')
    return f'"{quoted}"' if any(character in quoted for character in ',;"\r\n\t') else quoted


def json_text(document: Document) -> str:
    """Return a document as JSON. Numbers that are infinite are null, as JSON has none."""
    content = {"schema_version": VERSION, "kernlearn": __version__, **facts_of(document)}
    return json.dumps(_plain(content), indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def parquet_bytes(document: Document) -> bytes:
    """Return a document as Parquet.

    Raises `UserError` if pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UserError("--to=parquet: needs pyarrow: pip install 'kernlearn[parquet]'") from None
    kinds: dict[Any, Any] = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    kinds |= {float | None: pa.float64(), int | None: pa.int64()}
    fields = [pa.field(name, kinds[kind]) for name, kind in get_type_hints(Record).items()]
    rows: Sequence[Record] = records_of(document)
    table = pa.Table.from_pylist(rows, pa.schema(fields, metadata={"written by": f"kernlearn export {VERSION}"}))
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()
