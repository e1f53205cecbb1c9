"""Processes that do one piece of work after another, each within a time limit."""

import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from traceback import format_exc
from typing import Any

#: CPU seconds that a piece of work may take, and seconds if it waits for something or others keep the machine busy.
LIMIT, WAITING = 60.0, 300.0
#: Seconds that a process may take to start and to compile what it needs.
START = 240.0
#: How the system ends a process that takes too long.
SIGKILL, SIGPROF = 9, 27
CONTEXT = get_context("spawn")


def serve(pipe: Connection, prepare: Callable[[], Any], work: Callable[..., Any]) -> None:
    """Do what comes through the pipe, until nothing does."""
    prepare()
    pipe.send(None)
    while (piece := pipe.recv()) is not None:
        _allow(LIMIT)
        try:
            result = work(*piece)
        except Exception:
            result = format_exc()
        _allow(0.0)
        pipe.send(result)


def _allow(seconds: float) -> None:
    """Let the process be ended by the system after some seconds of CPU time, whatever it does then."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


class Worker:
    """One process; it is started again when it hangs or dies."""

    def __init__(self, prepare: Callable[[], Any], work: Callable[..., Any]):
        self.prepare, self.work = prepare, work
        self.start()

    def start(self) -> None:
        """Start the process and wait until it is ready."""
        self.pipe, other = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(other, self.prepare, self.work), daemon=True)
        self.process.start()
        other.close()
        if not self.pipe.poll(START):
            raise RuntimeError("a worker did not start")
        self.pipe.recv()

    def do(self, piece: tuple[Any, ...]) -> Any:
        """Return the result of a piece, ``"hang"``, ``"death"``, or the traceback of an error."""
        self.pipe.send(piece)
        try:
            if self.pipe.poll(WAITING):
                return self.pipe.recv()
            self.process.kill()
        except EOFError:
            pass
        self.process.join()
        result = "hang" if self.process.exitcode in (-SIGKILL, -SIGPROF) else "death"
        self.start()
        return result

    def stop(self) -> None:
        """End the process."""
        try:
            self.pipe.send(None)
        except OSError:
            pass
        self.process.join(5)
        self.process.kill()


def run_all(
    pieces: Iterable[tuple[Any, ...]], jobs: int, prepare: Callable[[], Any], work: Callable[..., Any]
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every piece with its result, as they come."""
    waiting, lock, done = iter(pieces), Lock(), SimpleQueue[Any]()

    def drive() -> None:
        worker = None
        try:
            worker = Worker(prepare, work)
            while True:
                with lock:
                    piece = next(waiting, None)
                if piece is None:
                    break
                done.put((piece, worker.do(piece)))
        except BaseException as error:
            done.put(error)
        finally:
            if worker:
                worker.stop()
            done.put(None)

    for _ in range(jobs):
        Thread(target=drive, daemon=True).start()
    left = jobs
    while left:
        item = done.get()
        if item is None:
            left -= 1
        elif isinstance(item, BaseException):
            raise item
        else:
            yield item
