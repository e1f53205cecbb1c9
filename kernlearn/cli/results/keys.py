"""Wait for some seconds, or for the key q."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep

#: The keys that end a view.
QUIT = "qQ"


@contextmanager
def waiting() -> Iterator[Callable[[float], bool]]:
    """Yield ``wait(seconds)``, which returns True at once if the key q is pressed, and False when the time is over.

    Keys are read if the standard input is a terminal that this process may read from. They are not shown.
    """
    if not _may_read():
        yield _sleep
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)  # Ctrl-C is still an interrupt
        yield lambda seconds: _pressed(terminal, seconds)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _may_read() -> bool:
    """Return whether the standard input is a terminal, and this process is in the foreground of it."""
    if sys.platform == "win32" or sys.stdin is None:
        return False
    try:
        return sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False


def _sleep(seconds: float) -> bool:
    sleep(seconds)
    return False


def _pressed(terminal: int, seconds: float) -> bool:
    from select import select

    end = monotonic() + seconds
    while (left := end - monotonic()) > 0:
        if select([terminal], [], [], left)[0]:
            keys = os.read(terminal, 64)
            if not keys:  # the terminal is gone
                return True
            if any(key in keys.decode(errors="replace") for key in QUIT):
                return True
    return False
