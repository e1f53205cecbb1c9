"""Slots for processes of this machine. Each has its own loky executor, so a process that dies disturbs no other."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kernlearn.runner.engines.worker import enter_worker

_executors: dict[tuple[Path, int], Any] = {}


def executor_of(root: Path, slot: int) -> Executor:
    """Return the executor of a slot. It is reused by later calls, since starting one takes a second."""
    from joblib.externals.loky import ProcessPoolExecutor

    if (root, slot) not in _executors:
        _executors[root, slot] = ProcessPoolExecutor(
            max_workers=1, initializer=enter_worker, initargs=(root, os.getpid()), timeout=None
        )
    return _executors[root, slot]


def dismiss(root: Path, slot: int) -> None:
    """End the process of a slot, if there is one."""
    executor = _executors.pop((root, slot), None)
    if executor:
        executor.shutdown(wait=False, kill_workers=True)


def send_signal(root: Path, slot: int, which: signal.Signals) -> None:
    """Send a signal to the worker of a slot, if there is one."""
    for pid in list((_executors[root, slot]._processes or {}) if (root, slot) in _executors else ()):
        with suppress(ProcessLookupError):
            os.kill(pid, which)


@contextmanager
def nothing_from_here() -> Iterator[None]:
    """Let new processes import nothing from the current directory, since others may write there."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in new processes until they ignore it (see `enter_worker`).

    Resource trackers unblock it when they start, so they are started before.
    """
    from multiprocessing import resource_tracker as of_python

    from joblib.externals.loky.backend import resource_tracker as of_loky

    of_python.ensure_running()
    of_loky.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
