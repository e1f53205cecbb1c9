r"""LaTeX by pandas' Styler: booktabs, and numbers that siunitx aligns at the decimal point.

A document needs ``\usepackage{booktabs,siunitx}`` with siunitx 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, isnan

from kernlearn.errors import UserError
from kernlearn.report.exports.fitting import layout_of, text_width
from kernlearn.report.exports.numbers import BOLD, Document, Grid, Number, Options, shown
from kernlearn.report.exports.texts import latex, one_line

#: Marks of a number that a test finds worse than the best, and of one that is not proved optimal.
WORSE, UNPROVED = r"$^{\dagger}$", r"$^{\ddagger}$"
#: Cells of the largest table.
MOST_CELLS = 50_000
HEAD = r"""% {name}: {title}
% Written by kernlearn export. Needs \usepackage{{{packages}}}, siunitx 3.
"""
FLOAT = r"""\begin{{table}}[htbp]
\centering{size}
\setlength{{\abovecaptionskip}}{{0pt}}\setlength{{\belowcaptionskip}}{{6pt}}
\sisetup{{detect-weight=true}}
{head}
{tabulars}{notes}
\end{{table}}
"""
CAPTION = "\\caption{{{caption}}}\n\\label{{{label}}}"
CONTINUED = r"Table~\ref{{{label}}}, continued\par\smallskip"
NOTES = "\n\\par\\smallskip\n\\parbox{{\\linewidth}}{{\\footnotesize {notes}}}"
#: Makes a table smaller that is too wide although it has one column.
SHRUNK = "\\resizebox{{\\linewidth}}{{!}}{{%\n{tabular}}}"


@dataclass(frozen=True)
class Cells:
    """A table as it is in LaTeX: the names of its lines, its cells line by line with their styles, and its columns.

    With printed values, every second line has those of the line above it.
    """

    names: list[str]
    lines: list[list[str]]
    styles: list[list[str]]
    headings: list[str]
    columns: list[str]
    widths: list[float]
    lines_of_row: int


def latex_tables(document: Document, options: Options) -> str:
    """Return a document in LaTeX, a table for each of its grids, which fits the text of a page.

    A wide table has smaller letters, or several parts with some of the columns each.
    """
    tables, packages = list[str](), "booktabs,siunitx"
    for grid in document.grids():
        noted = document.notes_of(grid, WORSE, UNPROVED, options.printed)
        notes = _joined(noted)
        # What a reader of a later part needs to read it alone.
        legend = _joined((mark, note) for mark, note in noted if mark or note.startswith(BOLD))
        caption, label = f"{latex(document.title)}: {latex(grid.title)}", label_of(document, grid)
        cells = _cells(grid, options.all_digits, options.printed and grid.has_printed)
        letters = len(caption), len(notes), len(legend)
        layout = layout_of(cells.names, cells.widths, cells.lines_of_row, letters, options.width)
        packages = "booktabs,siunitx,graphicx" if layout.too_wide else packages
        form = SHRUNK if layout.too_wide else "{tabular}"
        size = layout.size
        for i, parts in enumerate(layout.floats):
            tabulars = [form.format(tabular=_tabular(cells, *part)) for part in parts]
            tables.append(
                FLOAT.format(
                    size=f"{size.command}\\setlength{{\\tabcolsep}}{{{size.gap:g}pt}}" if size.command else "",
                    head=CONTINUED.format(label=label) if i else CAPTION.format(caption=caption, label=label),
                    tabulars="\n\\par\\medskip\n".join(tabulars),
                    notes=NOTES.format(notes=legend if i else notes) if legend or not i else "",
                )
            )
    head = HEAD.format(name=one_line(document.name), title=one_line(document.title), packages=packages)
    return "\n".join([head, *tables])


def _joined(notes: Iterable[tuple[str, str]]) -> str:
    return " ".join(mark + " " * bool(mark) + latex(note) for mark, note in notes)


def label_of(document: Document, grid: Grid) -> str:
    """Return the label of a table: ``tab:`` and the names of document and grid, in letters, digits and hyphens."""
    words = f"{document.name} {grid.name}"
    return "tab:" + "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in words).split()).lower()


def _cells(grid: Grid, all_digits: bool, printed: bool) -> Cells:
    if len(grid.rows) * len(grid.columns) > MOST_CELLS:
        raise UserError(f"{grid.name}: has {len(grid.rows)} rows; LaTeX takes {MOST_CELLS} cells, --to=csv takes all")

    names, lines, styles = list[str](), list[list[str]](), list[list[str]]()
    for i, row in enumerate(grid.rows):
        numbers = [grid.cells.get((i, j)) for j in range(len(grid.columns))]
        names.append(latex(row))
        lines.append([_cell(number, all_digits) for number in numbers])
        styles.append(["bfseries:" if number and number.best else "" for number in numbers])
        if printed:
            names.append(r"\quad\itshape printed")
            lines.append([_printed(number, all_digits) for number in numbers])
            styles.append([""] * len(numbers))
    headings = [latex(name) for name in grid.columns]
    columns, widths = list[str](), list[float]()
    for j, heading in enumerate(headings):
        column, width = _column([line[j] for line in lines], any(style[j] for style in styles))
        columns.append(column)
        widths.append(max(width, text_width(heading)))
    return Cells(names, lines, styles, headings, columns, widths, 2 if printed else 1)


def _tabular(cells: Cells, rows: range, columns: range) -> str:
    """Return some rows and columns of a table."""
    import pandas as pd

    names, headings = [cells.names[i] for i in rows], [cells.headings[j] for j in columns]
    frame = pd.DataFrame([[cells.lines[i][j] for j in columns] for i in rows])
    styles = pd.DataFrame([[cells.styles[i][j] for j in columns] for i in rows])
    styler = frame.style.apply(lambda _: styles, axis=None)
    styler = styler.format_index(names.__getitem__, axis=0).format_index(headings.__getitem__, axis=1)
    specification = "".join(cells.columns[j] for j in columns)
    text: str = styler.to_latex(column_format=f"@{{}}l{specification}@{{}}", hrules=True, siunitx=True)
    return text.rstrip()


def _cell(number: Number | None, all_digits: bool) -> str:
    if number is None:
        return ""
    marks = WORSE * number.worse + UNPROVED * bool(number.n_not_optimal)
    return _mean_std(number.mean, number.std, None if all_digits else number.digits, marks)


def _printed(number: Number | None, all_digits: bool) -> str:
    if number is None or number.printed_mean is None:
        return ""
    return _mean_std(number.printed_mean, number.printed_std, None if all_digits else number.digits, "")


def _mean_std(mean: float, std: float | None, digits: int | None, marks: str) -> str:
    text = shown(mean, digits)
    if isnan(mean):
        return "{--}"
    if not isfinite(mean):
        return "{$-\\infty$}" if mean < 0 else "{$\\infty$}"
    if "e" in text:  # the columns have no place for exponents
        return f"{{\\num{{{text}}}{_deviation(std, digits)}{marks}}}"
    return text + _deviation(std, digits) + marks


def _deviation(std: float | None, digits: int | None) -> str:
    text = shown(std, digits)
    text = rf"\num{{{text}}}" if "e" in text else text
    return rf"\,({text})" if text else ""


def _column(cells: Sequence[str], bold: bool) -> tuple[str, float]:
    """Return the column of siunitx for these cells, and its width.

    It has the places of the longest number, and of the longest text after one.
    """
    numbers = [cell for cell in cells if cell and not cell.startswith("{")]
    width = max((text_width(cell, bold) for cell in cells), default=0.0)
    if not numbers:
        return "c", width
    parts = [_parts(cell) for cell in numbers]
    sign = "-" * any(number.startswith("-") for number, _ in parts)
    whole = max(len(number.lstrip("-").partition(".")[0]) for number, _ in parts)
    decimal = max(len(number.partition(".")[2]) for number, _ in parts)
    places = f"{sign}{whole}.{decimal}" if decimal else f"{sign}{whole}"
    text = max((text for _, text in parts), key=text_width)
    reserved = text_width("=" * len(sign) + "0" * (whole + decimal) + "." * bool(decimal) + text, bold)
    column = f"S[table-format={places}{f',table-space-text-post={{{text}}}' if text else ''}]"
    return column, max(width, reserved)


def _parts(cell: str) -> tuple[str, str]:
    """Return the number of a cell and the text after it."""
    text = cell.lstrip("-+.0123456789")
    return cell.removesuffix(text), text
