"""Processes that do one piece of work after another, each within a time limit."""

from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from traceback import format_exc
from typing import Any

#: Seconds that a piece of work may take.
LIMIT = 60.0
#: Seconds that a process may take to start and to compile what it needs.
START = 240.0
CONTEXT = get_context("spawn")


def serve(pipe: Connection, prepare: Callable[[], Any], work: Callable[..., Any]) -> None:
    """Do what comes through the pipe, until nothing does."""
    prepare()
    pipe.send(None)
    while (piece := pipe.recv()) is not None:
        try:
            result = work(*piece)
        except Exception:
            result = format_exc()
        pipe.send(result)


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
            if self.pipe.poll(LIMIT):
                return self.pipe.recv()
            result = "hang"
        except EOFError:
            result = "death"
        self.process.kill()
        self.process.join()
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
