"""The progress of cells, their grid point and gap, and how to stop them between two iterations."""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from typing import Any, TypedDict

from kernlearn.streams import tell

#: Seconds after a Ctrl-C until a message explains the wait.
PATIENT = 5.0
#: Why a cell is stopped, if not by its time limit.
INTERRUPTED = "interrupted"

_stopping, _over = threading.Event(), threading.Event()


class Position(TypedDict):
    """The current grid point, the number of points in all paths of the cell, and the relative gap reached so far."""

    point: int
    of: int
    gap: float | None


class Stopped(KeyboardInterrupt):
    """Cells were stopped between two iterations and can resume; `positions` has their positions by key."""

    def __init__(self, positions: Mapping[str, Position], why: str = INTERRUPTED):
        super().__init__(positions, why)
        self.positions, self.why = positions, why


def in_words(position: Mapping[str, Any]) -> str:
    """Return a position such as ``grid point 3 of 49, gap 2.0e-03``; empty if a note has none."""
    point, of, gap = (position.get(key) for key in ("point", "of", "gap"))
    if type(point) is not int or type(of) is not int:
        return ""
    known = f", gap {max(gap, 0.0):.1e}" if isinstance(gap, float) and isfinite(gap) else ""
    return f"grid point {point} of {of}{known}"


def stopping() -> bool:
    """Return whether the cells of this process have to stop after their current iteration."""
    return _stopping.is_set()


def stop(*_: Any) -> None:
    """Let the cells of this process stop after their current iteration. It can be a signal handler."""
    _stopping.set()


@contextmanager
def gently() -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM stop cells after their iteration, and the second one immediately."""
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


def budget_is_over(over: bool) -> None:
    """Take note that a time budget, and nobody's Ctrl-C, stops the cells; or that there is none any more."""
    (_over.set if over else _over.clear)()


def say_patience() -> None:
    """Explain the wait after a Ctrl-C, or at the end of a budget."""
    if _over.is_set():
        tell("kernlearn: the budget is over; stopping after this iteration")
    else:
        tell("kernlearn: stopping after this iteration; press Ctrl-C again to stop at once")
