"""Ctrl-C and SIGTERM, with which others end a process: both the same, and held back where neither may come."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Let SIGTERM be a Ctrl-C to this process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


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
