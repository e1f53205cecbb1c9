"""Output on the terminal, drawn by rich, or as plain lines when piped."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic

from kernlearn.documents import add_note
from kernlearn.errors import UserError
from kernlearn.evaluation.metrics import rounded
from kernlearn.streams import emit, has_events, is_terminal, put, visible

#: Seconds between two progress reports, as plain lines or live, and the maximum number of lines.
EVERY, LIVE, SHOWN = 30.0, 2.0, 3


def say(line: str = "") -> None:
    """Print one line without wrapping or markup; control characters are escaped."""
    put(f"{line}\n")


def say_note(words: str) -> None:
    """Print what a person should know of the results, which the JSON document of the command has, too."""
    say(f"note       {words}")
    add_note(words)


def show_table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """Print a table. The first `left` columns are left-aligned, the others right-aligned.

    On a terminal it is drawn by rich. Piped, it is plain text in columns two blanks apart.
    """
    if is_terminal():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

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
    at_work: Callable[[], Sequence[object]] = list,
    left: Callable[[], tuple[float | None, str]] = lambda: (None, ""),
) -> None:
    """Consume the statuses of steps and show the progress: a bar, up to forty plain lines, or events.

    `at_work` returns the running steps, longest running first, each a line as a text; `SHOWN` of them are shown from
    time to time. `left` returns the remaining seconds, or None, and the same in words.
    """
    if has_events():
        _track_events(steps, total, what, at_work, left)
        return
    if not is_terminal():
        failed, every = 0, max(1, total // 20)
        with _repeated(EVERY, lambda: say_at_work(at_work())):
            for count, status in enumerate(steps, 1):
                failed += status != "ok"
                if count % every == 0 or count == total:
                    parts = [f"{count}/{total}", f"{failed} failed" if failed else "", left()[1]]
                    say(f"{what:<10} {', '.join(filter(None, parts))}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    columns += [TextColumn("{task.fields[left]}"), TextColumn("{task.fields[at_work]}", markup=False)]
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task(what, total=total, left="", at_work="")

        def update() -> None:
            longest = "".join(map(str, at_work()[:1]))
            progress.update(task, left=left()[1], at_work=visible(longest))

        with _repeated(LIVE, update):
            for _ in steps:
                progress.advance(task)


def _track_events(
    steps: Iterable[str],
    total: int,
    what: str,
    at_work: Callable[[], Sequence[object]],
    left: Callable[[], tuple[float | None, str]],
) -> None:
    """Write an event at the beginning, after every step, and from time to time; see `track`."""
    done, failed, lock = 0, 0, Lock()

    def report() -> None:
        with lock:  # two threads report
            lines, seconds = [str(one) for one in at_work()], left()[0]
            emit("progress", what=what, done=done, total=total, failed=failed, seconds_left=seconds, at_work=lines)

    with _repeated(EVERY, report):
        report()
        for status in steps:
            done, failed = done + 1, failed + (status != "ok")
            report()


def say_at_work(lines: Sequence[object], most: int = SHOWN) -> None:
    """Print the progress of the first `most` cells, a line each, and the number of the others."""
    for line in lines[:most]:
        say(f"at work    {line}")
    if len(lines) > most:
        say(f"           and {len(lines) - most} more")


@contextmanager
def _repeated(seconds: float, action: Callable[[], None]) -> Iterator[None]:
    """Call `action` every `seconds` during the block, but spend at most a sixth of the time on it."""
    over = Event()

    def repeat() -> None:
        wait = seconds
        while not over.wait(wait):
            start = monotonic()
            try:
                action()
            except (OSError, UserError):  # the output is closed; the code after the block reports it
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
    """Return a path relative to the current directory, if it is inside."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def capitalised(words: str) -> str:
    """Return words with a capital first letter, as a sentence or a title begins; the others stay as they are."""
    return f"{words[:1].upper()}{words[1:]}"


def mean_std(mean: float, std: float | None, digits: int = 2) -> str:
    """Return ``mean (std)``. A mean of no values is NaN."""
    if isnan(mean):
        return "undefined"
    text = rounded(mean, digits)
    return text if std is None else f"{text} ({rounded(std, digits)})"
