"""Ctrl-C and SIGTERM, with which others end a process: both the same, and held back where neither may come."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


@contextmanager
def terminated_as_interrupted() -> Iterator[list[int]]:
    """Let SIGTERM be a Ctrl-C to this process, and yield a list that gets the numbers of both as they come.

    Where a library that is being imported catches the exception of a Ctrl-C, it may raise another one, as numpy does.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def interrupt(number: int, _: FrameType | None) -> NoReturn:
        came.append(number)
        raise KeyboardInterrupt

    known = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not if it is ignored, as after nohup
    before = {which: signal.getsignal(which) for which in (signal.SIGTERM, *([signal.SIGINT] if known else []))}
    try:
        for which in before:
            signal.signal(which, interrupt)
        yield came
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)


def let_through() -> None:
    """Let a Ctrl-C come that `kernlearn.cli.start` has held back."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back to the end: an exception in the middle would leave locks held, or half a process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {which: signal.getsignal(which) for which in (signal.SIGINT, signal.SIGTERM)}
    try:
        for which in before:
            signal.signal(which, lambda number, _: came.append(number))
        yield
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)
    if came:
        signal.raise_signal(came[0])
