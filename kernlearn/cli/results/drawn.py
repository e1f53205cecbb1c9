"""Sweeps that are watched, drawn for a terminal with rich."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kernlearn.cli.results.watched import Watch, Watched
from kernlearn.runner.plan.sweeps import AtWork
from kernlearn.streams import visible

if TYPE_CHECKING:
    from rich.console import Group

#: The most failures of a sweep that are shown, the latest first.
FAILURES = 3
#: The width of a bar.
BAR = 30
HINT = "q or Ctrl-C ends the view; the cells go on"


def drawn(watch: Watch, height: int) -> "Group":
    """Return a bar for each sweep, its running cells and its failures, in at most `height` lines if possible."""
    from rich.console import Group
    from rich.text import Text

    sweeps = list(watch.sweeps.values())
    taken = 2 + sum(3 + min(len(one.now.failures), FAILURES) for one in sweeps)
    room = max(1, (height - taken) // max(1, len(sweeps) + bool(watch.others)))
    parts: list[Any] = []
    for one in sweeps:
        parts += [_head(one), _bar(one), *_cells(one.now.at_work, room)]
        parts += [_line(f"failed  {f.label}: {f.error}", "red") for f in one.now.failures[:FAILURES]]
    if watch.others:
        parts += [_line("running cells that belong to no sweep", "bold"), *_cells(watch.others, room)]
    return Group(*parts, Text(HINT, style="dim"))


def _head(one: Watched) -> Any:
    head = _line(f"{one.sweep.name}  ", "bold")
    head.append(visible(one.sweep.command), style="not bold dim")
    return head


def _bar(one: Watched) -> Any:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    done, n = one.now.done + one.now.failed, len(one.sweep.labels)
    grid = Table.grid(padding=(0, 1))
    grid.add_row(ProgressBar(total=max(n, 1), completed=done, width=BAR), _line(one.words()))
    return grid


def _cells(cells: Sequence[AtWork], most: int) -> list[Any]:
    """Return a line for each of the cells that have run longest, and the number of the others."""
    lines = [_line(f"  {cell}") for cell in cells[:most]]
    return [*lines, _line(f"  and {len(cells) - most} more", "dim")] if len(cells) > most else lines


def _line(text: str, style: str = "") -> Any:
    from rich.text import Text

    return Text(visible(text), style=style, no_wrap=True, overflow="ellipsis")
