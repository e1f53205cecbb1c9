"""Spreadsheets: a sheet for each table of the page, and one with all numbers and all that is known of them."""

import io
import re
from datetime import datetime
from math import isfinite
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kernlearn.errors import UserError
from kernlearn.report.exports.numbers import Document, Grid, Number, Options
from kernlearn.report.exports.texts import FORMULA, one_line
from kernlearn.report.exports.tidy import COLUMNS, records_of

#: Every file has this date, so that equal results have equal bytes.
DATE = datetime(1980, 1, 1)
#: The author in the properties of a file.
AUTHOR = "kernlearn export"
#: The most characters of a sheet's name, and of a text in a cell; the most rows of a sheet.
LONGEST_NAME, LONGEST_TEXT, MOST_ROWS = 31, 32767, 2**20
#: The sheet with all numbers.
NUMBERS = "numbers"
#: The date of the last change in the properties of a file.
MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def xlsx_bytes(document: Document, options: Options) -> bytes:
    """Return a document as a spreadsheet. Its cells have all digits, and show those of the metric.

    Raises `UserError` if openpyxl is not installed.
    """
    try:
        from openpyxl import Workbook
    except ImportError:
        raise UserError("--to=xlsx: needs openpyxl: pip install 'kernlearn[export]'") from None
    if len(document.numbers) >= MOST_ROWS:
        raise UserError(f"--to=xlsx: a sheet has at most {MOST_ROWS} rows; --to=csv and --to=parquet have no limit")
    book = Workbook()
    book.remove(book.active)
    book.properties.creator, book.properties.title = AUTHOR, _text(document.name)
    book.properties.created = DATE
    names = {NUMBERS}
    for grid in document.grids():
        _write_grid(book.create_sheet(_sheet_name(grid.title, names)), document, grid, options.printed)
    sheet = book.create_sheet(NUMBERS)
    for i, row in enumerate([COLUMNS, *(record.values() for record in records_of(document))]):
        for j, value in enumerate(row):
            _put(sheet, i, j, value, bold=i == 0)
    sheet.freeze_panes = "A2"
    stream = io.BytesIO()
    book.save(stream)
    return _without_dates(stream)


def _without_dates(file: io.BytesIO) -> bytes:
    """Return an archive with `DATE` in the place of the time when it was made."""
    stream = io.BytesIO()
    with ZipFile(file) as old, ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = MODIFIED.sub(rb"\g<1>" + f"{DATE.isoformat()}Z".encode(), old.read(name))
            new.writestr(ZipInfo(name, DATE.timetuple()[:6]), content, ZIP_DEFLATED)
    return stream.getvalue()


def _write_grid(sheet: Any, document: Document, grid: Grid, printed: bool) -> None:
    """Write a grid: for each of its columns the means, and the standard deviations beside them."""
    for j, column in enumerate(grid.columns):
        _put(sheet, 0, 1 + 2 * j, column, bold=True)
        _put(sheet, 0, 2 + 2 * j, "std", bold=True)
    line = 1
    for i, row in enumerate(grid.rows):
        _put(sheet, line, 0, row)
        cells = {j: number for j in range(len(grid.columns)) if (number := grid.cells.get((i, j)))}
        for j, number in cells.items():
            _put(sheet, line, 1 + 2 * j, number.mean, number, bold=number.best)
            _put(sheet, line, 2 + 2 * j, number.std, number)
        line += 1
        if printed and grid.has_printed:
            _put(sheet, line, 0, "printed", italic=True)
            for j, number in cells.items():
                _put(sheet, line, 1 + 2 * j, number.printed_mean, number, italic=True)
                _put(sheet, line, 2 + 2 * j, number.printed_std, number, italic=True)
            line += 1
    for mark, note in document.notes_of(grid, f"p_value in the sheet {NUMBERS}:", f"See {NUMBERS}:", printed):
        line += 1
        _put(sheet, line, 0, f"{mark} {note}".strip())
    sheet.freeze_panes = "B2"


def _put(sheet: Any, row: int, column: int, value: Any, number: Number | None = None, **font: bool) -> None:
    """Write a cell. A text is never a formula, and a number that is not finite is a text.

    Parameters
    ----------
    row, column : int
        From 0 on.
    number : Number, optional
        Whose digits are shown.
    """
    from openpyxl.styles import Font

    if value is None or value != value:
        return
    if isinstance(value, float) and not isfinite(value):
        value = str(value)
    cell = sheet.cell(row + 1, column + 1)
    if isinstance(value, str):
        text = _text(value)
        cell.value, cell.data_type = text, "s"
        cell.quotePrefix = text.startswith(FORMULA)  # as an apostrophe that somebody types
    elif isinstance(value, float):
        cell.value, cell.data_type = repr(value), "n"  # of a number, openpyxl would write 16 digits
    else:
        cell.value = value
    if number is not None:
        cell.number_format = f"0.{'0' * number.digits}" if number.digits else "0"
    if any(font.values()):
        cell.font = Font(**font)


def _text(text: str) -> str:
    return one_line(text)[:LONGEST_TEXT]


def _sheet_name(title: str, taken: set[str]) -> str:
    """Return the name of a sheet, which no other one has; capitals do not tell names apart."""
    base = re.sub(r"[\[\]:*?/\\]", " ", one_line(title)).strip("' ")[:LONGEST_NAME] or "sheet"
    name, number = base, 1
    while name.lower() in taken or name.lower() == "history":  # Excel keeps this name for itself
        number += 1
        name = f"{base[: LONGEST_NAME - 1 - len(str(number))]} {number}"
    taken.add(name.lower())
    return name
