"""Tidy tables of numbers, one row for each: CSV, Parquet and JSON. They have all digits."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from kernlearn.report.exports.numbers import Document, record
from kernlearn.report.exports.texts import defused

Records = Sequence[Mapping[str, Any]]


def records_of(document: Document) -> list[dict[str, Any]]:
    """Return the rows of the tidy table of a document."""
    return [record(document.name, number) for number in document.numbers]


def csv_text(records: Records) -> str:
    """Return rows as CSV. A text that a spreadsheet would run as a formula is shown after an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = list(dict.fromkeys(key for row in records for key in row))
    writer.writerow(map(defused, columns))
    for row in records:
        writer.writerow([defused(value) if isinstance(value, str) else value for value in map(row.get, columns)])
    return text.getvalue()
