"""Words on the terminal: rich on one, plain lines when piped."""

import sys
from collections.abc import Iterable, Sequence
from math import isnan
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from kernlearn.streams import put, visible


def say(line: str = "") -> None:
    """Print one line, never wrapped or interpreted: what would move the cursor is shown as a code."""
    put(f"{line}\n")


def show_table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """Print a table; the first `left` columns are flush left, the others right.

    On a terminal it is drawn by rich; piped, it is plain text in columns two blanks apart.
    """
    if sys.stdout.isatty():
        table = Table(header_style="bold")
        for i, header in enumerate(headers):
            table.add_column(header, justify="left" if i < left else "right", overflow="fold")
        for row in rows:
            table.add_row(*(Text(visible(cell)) for cell in row))
        Console().print(table)
        return
    widths = [max(len(row[i]) for row in [headers, *rows]) for i in range(len(headers))]
    for row in [headers, *rows]:
        cells = [
            cell.ljust(w) if i < left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        say("  ".join(cells).rstrip())


def track(steps: Iterable[str], total: int, what: str) -> None:
    """Consume the statuses of steps and show how far they are: a bar with the time left, or up to forty plain lines."""
    if not sys.stdout.isatty():
        failed, every = 0, max(1, total // 20)
        for count, status in enumerate(steps, 1):
            failed += status != "ok"
            if count % every == 0 or count == total:
                say(f"{what:<10} {count}/{total}{f', {failed} failed' if failed else ''}")
        return
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    columns += [TextColumn("left"), TimeRemainingColumn()]
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task(what, total=total)
        for _ in steps:
            progress.advance(task)


def shown_path(path: Path) -> Path:
    """Return a path as it is typed where the command is given."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def mean_std(mean: float, std: float | None, digits: int = 2) -> str:
    """Return ``mean (std)``; NaN is the mean of no value."""
    if isnan(mean):
        return "undefined"
    return f"{mean:.{digits}f}" if std is None else f"{mean:.{digits}f} ({std:.{digits}f})"
