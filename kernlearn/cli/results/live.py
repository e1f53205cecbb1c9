"""Show the progress of sweeps until nothing is left: drawn on a terminal, as lines in a pipe, or as JSON lines."""

from collections.abc import Callable, Iterator
from time import monotonic

from kernlearn import documents
from kernlearn.cli.results.drawn import drawn
from kernlearn.cli.results.keys import waiting
from kernlearn.cli.results.watched import Watch
from kernlearn.report.terminal import EVERY, say
from kernlearn.runner.engines.timing import counted
from kernlearn.streams import is_terminal

#: Seconds between two looks, and the share of the time that a look may take.
LIVE, SHARE = 1.0, 0.2
#: Seconds without a running cell after which nothing is expected any more on this machine.
GRACE = 15.0


def show_live(watch: Watch) -> int:
    """Show the progress of sweeps and runs until nothing is left, or a person presses Ctrl-C or q.

    Returns the exit code: 1 if cells failed or are missing at the end, and 0 if a person has ended it.
    """
    show = _json_lines if documents.wanted() else _on_terminal if is_terminal() else _lines
    try:
        show(watch)
    except KeyboardInterrupt:
        return 0
    finally:
        documents.deliver(watch.facts())
    if not watch.sweeps:
        idle = f"; kernlearn status shows {counted(watch.n_idle, 'unfinished sweep')}" if watch.n_idle else ""
        say(f"nothing is at work in {watch.results}{idle}")
    stopped = [one for one in watch.sweeps.values() if one.left]
    for one in stopped:
        say(f"{one.sweep.name:<10} no process is running; to continue: {one.sweep.command}")
    return int(bool(stopped) or any(one.now.failed for one in watch.sweeps.values()))


def looks(watch: Watch, wait: Callable[[float], bool]) -> Iterator[None]:
    """Look at the sweeps from time to time, until no cell is left, or nothing has been running for `GRACE` seconds.

    Raises `KeyboardInterrupt` if ``wait(seconds)`` returns True, because a person has pressed q.
    """
    busy = monotonic()
    while True:
        start = monotonic()
        watch.look()
        now = monotonic()
        if watch.is_busy:
            busy = now
        yield
        if not watch.left or monotonic() - busy > GRACE:
            return
        if wait(max(LIVE, (now - start) / SHARE)):
            raise KeyboardInterrupt


def _on_terminal(watch: Watch) -> None:
    from rich.console import Console
    from rich.live import Live

    console = Console()
    with waiting() as wait, Live(console=console, auto_refresh=False) as live:
        for _ in looks(watch, wait):
            live.update(drawn(watch, console.height), refresh=True)


def _lines(watch: Watch) -> None:
    """Print a line for each sweep every `EVERY` seconds and at the end, and one for each new failure."""
    last, told = -EVERY, set[str]()
    with waiting() as wait:
        for _ in looks(watch, wait):
            for line in watch.failures():
                if line not in told:
                    told.add(line)
                    say(f"failed     {line}")
            if monotonic() - last >= EVERY or not watch.left:
                last = monotonic()
                for line in watch.lines():
                    say(line)


def _json_lines(watch: Watch) -> None:
    """Write a line of JSON whenever cells have finished, and every `EVERY` seconds; the last one is the document."""
    last, before = -EVERY, ""
    with waiting() as wait:
        for _ in looks(watch, wait):
            now = " ".join(watch.lines())
            if watch.left and (now != before or monotonic() - last >= EVERY):
                last, before = monotonic(), now
                documents.write_line(watch.facts())
