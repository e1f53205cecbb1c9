"""Tables in Markdown."""

from kernlearn.report.exports.numbers import Document, Grid, Number, Options, shown
from kernlearn.report.exports.texts import markdown

#: Marks of a number that a test finds worse than the best, and of one that is not proved optimal.
MARKS = "†", "‡"


def markdown_tables(document: Document, options: Options) -> str:
    """Return a document in Markdown, a table for each of its grids."""
    parts = ["<!-- Written by kernlearn export. -->\n", f"# {markdown(document.name)}: {markdown(document.title)}\n"]
    for grid in document.grids():
        lines = [f"## {markdown(grid.title)}", "", *_lines(grid, options), ""]
        notes = [f"{mark} {markdown(note)}".lstrip() for mark, note in document.notes_of(grid, *MARKS, options.printed)]
        parts.append("\n".join([*lines, " ".join(notes), ""]))
    return "\n".join(parts)


def _lines(grid: Grid, options: Options) -> list[str]:
    lines = [["", *map(markdown, grid.columns)], ["---"] * (1 + len(grid.columns))]
    for i, row in enumerate(grid.rows):
        numbers = [grid.cells.get((i, j)) for j in range(len(grid.columns))]
        lines.append([markdown(row), *(_cell(number, options.all_digits) for number in numbers)])
        if options.printed and grid.has_printed:
            lines.append(["*printed*", *(_printed(number, options.all_digits) for number in numbers)])
    return [f"| {' | '.join(line)} |" for line in lines]


def _cell(number: Number | None, all_digits: bool) -> str:
    if number is None:
        return ""
    text = _mean_std(number.mean, number.std, None if all_digits else number.digits)
    worse, unproved = MARKS
    text = f"**{text}**" if number.best else text
    return text + worse * number.worse + unproved * bool(number.n_not_optimal)


def _printed(number: Number | None, all_digits: bool) -> str:
    if number is None or number.printed_mean is None:
        return ""
    return f"*{_mean_std(number.printed_mean, number.printed_std, None if all_digits else number.digits)}*"


def _mean_std(mean: float, std: float | None, digits: int | None) -> str:
    deviation = shown(std, digits)
    return (shown(mean, digits) or "undefined") + (f" ({deviation})" if deviation else "")
