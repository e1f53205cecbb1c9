"""Threads of numpy's products beside those of scipy's.

Each brings a BLAS library with threads of its own, and those that have nothing to do spin, in case more comes, on cores
that the others need. Where products of vectors by numpy take turns with factors by scipy, two threads of each take
longer on two cores than one thread does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = Lock()
#: What those hold who are inside now: the first one's limit; the last to leave brings back the threads that there were.
_inside: list[Any] = []


@contextmanager
def one_of_numpy() -> Iterator[None]:
    """Leave the cores to scipy's products and factors: numpy's own library has one thread meanwhile.

    That is for the whole process, until all who asked for it have left. Nothing changes where both share a library, as
    conda's do.
    """
    with _lock:
        _inside.append(_inside[0] if _inside else _of_numpy().limit(limits=1))
    try:
        yield
    finally:
        with _lock:
            limit = _inside.pop()
            if not _inside:
                limit.restore_original_limits()


@cache
def _of_numpy() -> ThreadpoolController:
    """Return the libraries in a directory of numpy's: `numpy.libs`, `numpy/.dylibs`."""
    libraries = ThreadpoolController()
    return libraries.select(filepath=[path for one in libraries.info() if _numpys(path := one["filepath"])])


def _numpys(path: str) -> bool:
    directories = Path(path).parts[:-1]
    return directories[-1:] == ("numpy.libs",) or directories[-2:] == ("numpy", ".dylibs")
