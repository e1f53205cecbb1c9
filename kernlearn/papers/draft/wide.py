"""A table of printed numbers in a file: rows are data sets, columns methods. How it is understood is said."""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

from kernlearn.datasets.readers.delimiter import delimiter_of
from kernlearn.datasets.readers.source import SIGNS
from kernlearn.datasets.userfile import as_utf8, read_content
from kernlearn.errors import UserError
from kernlearn.papers.draft.cells import Cell, has_decimal_commas, read_cell
from kernlearn.papers.draft.tabular import is_latex, rows_of_latex
from kernlearn.papers.own.files import LARGEST_PRINTED, MOST_PRINTED

#: A column with the deviations of the column before it.
DEVIATION = re.compile(r"[\s_(]*(?:std|sd|s\.d\.|stdev|dev|deviation|±|\+-|\+/-)\.?\)?", re.IGNORECASE)
#: Lines that are no data set: rules of tables, and sums over the others.
RULE = re.compile(r"[\s|:=+-]*")
SUMMARY = re.compile(r"(?:mean|average|avg|total|sum|(?:average |mean |avg\.? )?ranks?|#?\s*wins?)\.?", re.IGNORECASE)
#: So many cells that cannot be read are named.
SHOWN = 20


@dataclass(frozen=True)
class Printed:
    """A printed table.

    Attributes
    ----------
    rows, columns : list of str
        The names, as printed.
    cells : dict
        By row and column.
    remarks : list of str
        How the file was understood, in lines.
    """

    rows: list[str]
    columns: list[str]
    cells: dict[tuple[str, str], Cell]
    remarks: list[str] = field(default_factory=list)


def read_table(
    file: Path, *, delimiter: str | None = None, encoding: str | None = None, turned: bool = False
) -> Printed:
    """Return the printed table of a file: CSV, or the lines of a table in Markdown or LaTeX.

    Raises `UserError` if it is none, with the line of the mistake.

    Parameters
    ----------
    delimiter, encoding : str, optional
        As for data files; by default they are found out.
    turned : bool
        Whether rows are methods and columns data sets.
    """
    content = read_content(file)
    if len(content) > LARGEST_PRINTED:
        raise UserError(f"{file}: has more than {LARGEST_PRINTED} bytes; a printed table is smaller")
    try:
        content, remarks = as_utf8(file, content, encoding)
        text = content.decode()
        if not delimiter and is_latex(text):
            rows, more = rows_of_latex(file, text)
        else:
            lines = [line for line in text.splitlines() if not RULE.fullmatch(line)]
            rows, more = _cells(file, lines, SIGNS[delimiter] if delimiter else _sign(file, lines))
    except UserError as error:
        raise UserError(re.sub(r"dataset\.(delimiter|encoding)=", r"--\1 ", str(error))) from None
    head, *body = _rectangular(file, rows)
    notes = [*(re.sub(r"dataset\.encoding=", "--encoding ", remark) for remark in remarks), *more]
    if turned:
        head, *body = ([row[i] for row in (head, *body)] for i in range(len(head)))
    return _understood(file, head, body, notes)


def _sign(file: Path, lines: list[str]) -> str:
    """Return the sign between cells. Blanks are none, for there are some in cells."""
    sign, _ = delimiter_of(file, [f"{line}\n" for line in lines])
    if sign == " ":
        raise UserError(f"{file}: has only blanks between its cells; separate them by commas, semicolons or tabs")
    return sign


def _cells(file: Path, lines: list[str], sign: str) -> tuple[list[list[str]], list[str]]:
    """Return the cells of all lines, and remarks."""
    if sign == "|":
        rows = [[cell.strip() for cell in line.strip().strip("|").split(sign)] for line in lines]
    else:
        try:
            rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=sign, strict=True)]
        except csv.Error as error:
            raise UserError(f"{file}: is not CSV ({error})") from None
    word = {value: key for key, value in SIGNS.items()}.get(sign, sign)
    return rows, [f"cells are separated by {word}"]


def _rectangular(file: Path, rows: list[list[str]]) -> list[list[str]]:
    """Return the rows that have cells, equally many in each."""
    rows = [row for row in rows if any(row)]
    if len(rows) < 2 or len(rows[0]) < 2:
        raise UserError(f"{file}: must have a line with the names of methods, and below it a line for each data set")
    if len(rows) * len(rows[0]) > MOST_PRINTED:
        raise UserError(f"{file}: has more than {MOST_PRINTED} cells")
    if all(len(row) == len(rows[0]) + 1 for row in rows[1:]):
        rows[0] = ["", *rows[0]]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise UserError(f"{file}: row {number} ({row[0]}) has {len(row)} cells, and the first has {len(rows[0])}")
    return rows


def _understood(file: Path, head: list[str], body: list[list[str]], notes: list[str]) -> Printed:
    """Return the table of the cells: the first of each row is its name."""
    if all(read_cell(name).mean for name in head[1:]):
        raise UserError(f"{file}: the first line must have the names of the methods, and has numbers")
    deviations = {i for i in range(2, len(head)) if _is_deviation(head[i - 1], head[i])}
    columns = {i: _name(head[i]) for i in range(1, len(head)) if i not in deviations}
    left_out = [row[0] for row in body if SUMMARY.fullmatch(row[0])]
    body = [row for row in body if row[0] not in left_out]
    rows = [_name(row[0]) for row in body]
    for names, what in ((rows, "data set"), (list(columns.values()), "method")):
        if empty := [name for name in names if not name]:
            raise UserError(f"{file}: {len(empty)} {what}(s) have no name")
        if twice := [name for name in names if names.count(name) > 1]:
            raise UserError(f"{file}: the {what} {twice[0]!r} is there twice; give each another name")
    commas = has_decimal_commas([cell for row in body for cell in row[1:]])
    cells, problems = dict[tuple[str, str], Cell](), list[str]()
    for name, row in zip(rows, body, strict=True):
        for i, column in columns.items():
            cell = read_cell(row[i], decimal_comma=commas)
            if i + 1 in deviations:
                cell = cell._replace(std=read_cell(row[i + 1], decimal_comma=commas).mean.lstrip("-"))
            if cell.problem:
                problems.append(f"{name}, {column}: {row[i]!r} {cell.problem}")
            cells[name, column] = cell
    if not any(cell.mean for cell in cells.values()):
        first = f" ({problems[0]})" if problems else ""
        raise UserError(f"{file}: has no number in the cells beside the names{first}")
    if len(problems) > SHOWN:
        problems[SHOWN:] = [f"and {len(problems) - SHOWN} more cells that are no numbers"]
    notes += ["commas in numbers are decimal commas"] * commas
    notes += [f"{head[i]} has the deviations of {head[i - 1]}" for i in sorted(deviations)]
    notes += [f"{name} is no data set and is left out" for name in left_out]
    return Printed(rows, list(columns.values()), cells, notes + problems)


def _is_deviation(name: str, following: str) -> bool:
    """Return whether the name of a column says that it has the deviations of the one before."""
    rest = following.removeprefix(name)
    return bool(rest and DEVIATION.fullmatch(rest))


def _name(text: str) -> str:
    """Return a name without the commands of LaTeX and marks of Markdown."""
    if "$" in text:  # l_1 of LaTeX
        text = re.sub(r"[{}_^$]", "", text.replace(r"\ell", "l"))
    plain = re.sub(r"\\[a-zA-Z]+\*?|[{}*`\\]", " ", text)
    return " ".join("".join(sign if sign.isprintable() else " " for sign in plain).split())[:64]
