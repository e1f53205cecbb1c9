"""A time budget: a duration on the command line, and the end of the work when it is over."""

import re
import signal
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Timer, main_thread

from kernlearn.errors import UserError
from kernlearn.runner.engines.worker import last_second
from kernlearn.runner.store.progress import budget_is_over

#: A number with a unit, and the seconds of every unit.
DURATION = re.compile(r"(\d+(?:\.\d+)?)(s|m|h)")
SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
#: The longest budget, in seconds: a timer takes no more than some weeks.
LONGEST = 14 * 24 * 3600.0


def seconds_of(key: str, text: str) -> float:
    """Return the seconds of a duration such as ``90s``, ``10m`` or ``1.5h``, or raise `UserError`."""
    match = DURATION.fullmatch(text)
    seconds = float(match[1]) * SECONDS[match[2]] if match else 0.0
    if not 0.0 < seconds <= LONGEST:
        raise UserError(f"{key}={text}: must be a duration such as 90s, 10m or 1.5h, two weeks at most")
    return seconds


@contextmanager
def interrupted_after(seconds: float | None, over: Event) -> Iterator[None]:
    """Interrupt the block after some seconds, as Ctrl-C does, and set `over`; without seconds, do nothing.

    The work then ends as after Ctrl-C: cells are stopped between two iterations, and can resume. A long iteration is
    given up a little later, as after a second Ctrl-C.
    """
    if seconds is None:
        yield
        return
    ended, lock = Event(), Lock()

    def end() -> None:
        with lock:  # the block cannot end between the question and the interrupt
            if not ended.is_set():
                over.set()
                budget_is_over(True)
                _interrupt()

    timers = [Timer(when, end) for when in (seconds, last_second(seconds))]
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # a shell starts commands in the background so
    if ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for timer in timers:  # a budget may be over before the last one has started
            timer.daemon = True
            timer.start()
        yield
    finally:
        for timer in timers:
            timer.cancel()
        with lock:
            ended.set()
        budget_is_over(False)
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt() -> None:
    """Send Ctrl-C to the main thread, which may be waiting for a process."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
    else:  # on Windows it takes effect when the wait is over
        interrupt_main()
