"""Tidy tables of numbers, a row for each: CSV, Parquet and JSON. They have all digits."""

import io
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, get_type_hints

from kernlearn import documents
from kernlearn.errors import UserError
from kernlearn.report.exports.numbers import Document, Number, Options
from kernlearn.report.exports.record import Exported, Record
from kernlearn.report.exports.texts import defused

#: The columns of tidy tables.
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
        "kind": document.target.kind,
        "name": document.name,
        "title": document.title,
        "about": list(document.notes),
        "test": document.test,
        "facts": dict(document.facts),
        "titles": dict(document.titles),
        "numbers": records_of(document),
    }


def csv_text(document: Document, _: Options) -> str:
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


def json_text(document: Document, _: Options) -> str:
    """Return a document as JSON, the same that ``kernlearn export --json`` prints."""
    return documents.text_of(documents.content_of("export", facts_of(document)))


def parquet_bytes(document: Document, _: Options) -> bytes:
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
    table = pa.Table.from_pylist(rows, pa.schema(fields, metadata={"written by": "kernlearn export"}))
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()
