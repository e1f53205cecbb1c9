r"""LaTeX by pandas' Styler: booktabs, and numbers that siunitx aligns at the decimal point.

A document needs ``\usepackage{booktabs,siunitx}`` with siunitx 3.
"""

from collections.abc import Sequence
from math import isfinite, isnan

from kernlearn.errors import UserError
from kernlearn.report.exports.numbers import Document, Grid, Number, Options, shown
from kernlearn.report.exports.texts import latex, one_line

#: Marks of a number that a test finds worse than the best, and of one that is not proved optimal.
WORSE, UNPROVED = r"$^{\dagger}$", r"$^{\ddagger}$"
#: Cells of the largest table.
MOST_CELLS = 50_000
HEAD = r"""% {name}: {title}
% Written by kernlearn export. Needs \usepackage{{booktabs,siunitx}}, siunitx 3.
"""
TABLE = r"""\begin{{table}}
\centering
\sisetup{{detect-weight=true}}
\caption{{{caption}}}
\label{{{label}}}
{tabular}
\par\smallskip
\parbox{{\linewidth}}{{\footnotesize {notes}}}
\end{{table}}
"""


def latex_tables(document: Document, options: Options) -> str:
    """Return a document in LaTeX, a table for each of its grids."""
    head = HEAD.format(name=one_line(document.name), title=one_line(document.title))
    tables = [
        TABLE.format(
            caption=f"{latex(document.title)}: {latex(grid.title)}",
            label=label_of(document, grid),
            tabular=_tabular(grid, options.all_digits, options.printed and grid.has_printed).rstrip(),
            notes=" ".join(
                mark + " " * bool(mark) + latex(note)
                for mark, note in document.notes_of(grid, WORSE, UNPROVED, options.printed)
            ),
        )
        for grid in document.grids()
    ]
    return "\n".join([head, *tables])


def label_of(document: Document, grid: Grid) -> str:
    """Return the label of a table: ``tab:`` and the names of document and grid, in letters, digits and hyphens."""
    words = f"{document.name} {grid.name}"
    return "tab:" + "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in words).split()).lower()


def _tabular(grid: Grid, all_digits: bool, printed: bool) -> str:
    import pandas as pd

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
    styler = pd.DataFrame(lines).style.apply(lambda _: pd.DataFrame(styles), axis=None)
    styler = styler.format_index(names.__getitem__, axis=0).format_index(headings.__getitem__, axis=1)
    columns = "".join(_column([line[j] for line in lines]) for j in range(len(grid.columns)))
    text: str = styler.to_latex(column_format=f"l{columns}", hrules=True, siunitx=True)
    return text


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
    return rf"\,({text})" if text else ""


def _column(cells: Sequence[str]) -> str:
    """Return the column of siunitx for these cells: the places of the longest number, and of the longest text."""
    numbers = [cell for cell in cells if cell and not cell.startswith("{")]
    if not numbers:
        return "c"
    parts = [_parts(cell) for cell in numbers]
    sign = "-" * any(number.startswith("-") for number, _ in parts)
    whole = max(len(number.lstrip("-").partition(".")[0]) for number, _ in parts)
    decimal = max(len(number.partition(".")[2]) for number, _ in parts)
    places = f"{sign}{whole}.{decimal}" if decimal else f"{sign}{whole}"
    text = max((text for _, text in parts), key=len)
    return f"S[table-format={places}{f',table-space-text-post={{{text}}}' if text else ''}]"


def _parts(cell: str) -> tuple[str, str]:
    """Return the number of a cell and the text after it."""
    text = cell.lstrip("-+.0123456789")
    return cell.removesuffix(text), text
