"""Words on the terminal: rich on one, plain lines when piped."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from kernlearn.errors import UserError
from kernlearn.streams import put, visible

#: Seconds between two times that it is said, in lines or on a live one, where the work is; so many lines.
EVERY, LIVE, SHOWN = 30.0, 2.0, 3


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


def track(
    steps: Iterable[str],
    total: int,
    what: str,
    at_work: Callable[[], list[str]] = lambda: [],
    left: Callable[[], str] = lambda: "",
) -> None:
    """Consume the statuses of steps and show how far they are: a bar, or up to forty plain lines.

    `at_work` gives a line for every step that is being taken, the longest first: `SHOWN` are shown from time to time.
    `left` gives the time that is left, in words, or nothing.
    """
    if not sys.stdout.isatty():
        failed, every = 0, max(1, total // 20)
        with _repeated(EVERY, lambda: say_at_work(at_work())):
            for count, status in enumerate(steps, 1):
                failed += status != "ok"
                if count % every == 0 or count == total:
                    parts = [f"{count}/{total}", f"{failed} failed" if failed else "", left()]
                    say(f"{what:<10} {', '.join(filter(None, parts))}")
        return
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    columns += [TextColumn("{task.fields[left]}"), TextColumn("{task.fields[at_work]}", markup=False)]
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task(what, total=total, left="", at_work="")
        with _repeated(LIVE, lambda: progress.update(task, left=left(), at_work=visible("".join(at_work()[:1])))):
            for _ in steps:
                progress.advance(task)


def say_at_work(lines: Sequence[str], most: int = SHOWN) -> None:
    """Print where cells are, a line for each of the first, and how many there are beside them."""
    for line in lines[:most]:
        say(f"at work    {line}")
    if len(lines) > most:
        say(f"           and {len(lines) - most} more")


@contextmanager
def _repeated(seconds: float, action: Callable[[], None]) -> Iterator[None]:
    """Do something every so many seconds, and at most a sixth of the time, as long as the block lasts."""
    over = Event()

    def repeat() -> None:
        wait = seconds
        while not over.wait(wait):
            start = monotonic()
            try:
                action()
            except (OSError, UserError):  # nobody reads it any more: what comes after the block will say so
                return
            wait = max(seconds, 5.0 * (monotonic() - start))

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def shown_path(path: Path) -> Path:
    """Return a path as it is typed where the command is given."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def mean_std(mean: float, std: float | None, digits: int = 2) -> str:
    """Return ``mean (std)``; NaN is the mean of no value."""
    if isnan(mean):
        return "undefined"
    return f"{mean:.{digits}f}" if std is None else f"{mean:.{digits}f} ({std:.{digits}f})"
