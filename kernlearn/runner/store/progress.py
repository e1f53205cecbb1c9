"""Where cells are: at which grid point, with which gap so far; and how they are stopped between two rounds."""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from typing import Any, TypedDict

from kernlearn.streams import tell

#: Seconds after a Ctrl-C until it is said what it waits for.
PATIENT = 5.0
#: Why a cell is stopped, if not for want of time.
INTERRUPTED = "interrupted"

_stopping = threading.Event()


class Position(TypedDict):
    """The grid point that is solved, of how many in all paths of the cell, and the relative gap that it has reached."""

    point: int
    of: int
    gap: float | None


class Stopped(KeyboardInterrupt):
    """Cells were stopped between two rounds, and what they need to go on is kept; `positions` are theirs, by key."""

    def __init__(self, positions: Mapping[str, Position], why: str = INTERRUPTED):
        super().__init__(positions, why)
        self.positions, self.why = positions, why


def in_words(position: Mapping[str, Any]) -> str:
    """Return a position such as ``grid point 3 of 49, gap 2.0e-03``; nothing if a note has none."""
    point, of, gap = (position.get(key) for key in ("point", "of", "gap"))
    if type(point) is not int or type(of) is not int:
        return ""
    known = f", gap {max(gap, 0.0):.1e}" if isinstance(gap, float) and isfinite(gap) else ""
    return f"grid point {point} of {of}{known}"


def stopping() -> bool:
    """Return whether the cells of this process are to stop after the round that they are in."""
    return _stopping.is_set()


def stop(*_: Any) -> None:
    """Have the cells of this process stop after the round that they are in; may be a handler of signals."""
    _stopping.set()


@contextmanager
def gently() -> Iterator[None]:
    """Let the first Ctrl-C, or SIGTERM, stop the cells of this process after their round, and the second at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    later = threading.Timer(PATIENT, say_patience)
    later.daemon = True

    def handle(*_: Any) -> None:
        if stopping():
            raise KeyboardInterrupt
        stop()
        later.start()

    before = {which: signal.signal(which, handle) for which in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)
        later.cancel()
        _stopping.clear()


def say_patience() -> None:
    """Say what is waited for."""
    tell("kernlearn: stops at the end of this round; Ctrl-C once more stops at once")
