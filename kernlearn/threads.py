"""Libraries that have threads of their own, held to one where more would do no good.

Threads that have nothing to do spin, in case more comes, on cores that the others need. Where products of vectors by
numpy take turns with factors by scipy, two threads of each take longer on two cores than one thread does.

A limit is mostly one of the whole process, and fits in several threads of Python may overlap. If each brought back what
it had found, as `threadpoolctl.threadpool_limits` does, one that came second would bring back the limit of the first,
and that would stay. So each library is counted: the first notes how many threads it has, the last brings them back.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

from threadpoolctl import ThreadpoolController


@dataclass
class _Held:
    """How many threads a library had, and how many are inside that hold it to one."""

    threads: int
    inside: int = 0


_lock = Lock()
#: By what a limit is for (`_scope`).
_held: dict[tuple[str, int], _Held] = {}


def one_of_numpy() -> AbstractContextManager[None]:
    """Leave the cores to scipy's products and factors: numpy's own library has one thread meanwhile.

    That is for the whole process, until all who asked for it have left. Nothing changes where both share a library, as
    conda's do.
    """
    return _one_of(_of_numpy())


def one_of_all() -> AbstractContextManager[None]:
    """Do without threads: every library that is loaded has one meanwhile.

    That is for the whole process, until all who asked for it have left; but of OpenMP every thread of Python has limits
    of its own.
    """
    return _one_of(_libraries(_has_own_threads))


@contextmanager
def _one_of(libraries: ThreadpoolController) -> Iterator[None]:
    entered = {_scope(library): library for library in libraries.lib_controllers}
    with _lock:
        for scope, library in entered.items():  # before one is limited: MKL may have OpenMP's
            _held.setdefault(scope, _Held(library.num_threads)).inside += 1
        for library in entered.values():
            library.set_num_threads(1)
        _let_go(libraries)
    try:
        yield
    finally:
        with _lock:
            for scope, library in entered.items():
                held = _held[scope]
                held.inside -= 1
                if not held.inside:
                    del _held[scope]
                    if library.num_threads == 1:  # otherwise somebody else has set them meanwhile
                        library.set_num_threads(held.threads)
            _let_go(libraries)


def _scope(library: Any) -> tuple[str, int]:
    """Return what a limit of a library is for: the whole process, 0, or one thread of Python.

    OpenBLAS has one for all, OpenMP by its standard one for each. Of others it depends, and is taken for one of a
    thread: if it is not, it ends with the first who leaves, and the threads still come back.
    """
    return library.filepath, 0 if library.internal_api == "openblas" else get_ident()


def _let_go(libraries: ThreadpoolController) -> None:
    """Let other threads of Python set OpenBLAS's limits: the last to leave may be another than the first.

    From 3.8 on threadpoolctl takes them from one thread only, until that has left a context, be it of no limit.
    """
    with libraries.limit(limits=None):
        pass


@cache
def _of_numpy() -> ThreadpoolController:
    return _libraries(lambda library: _numpys(library.filepath))


def _libraries(wanted: Callable[[Any], bool]) -> ThreadpoolController:
    """Return those of the libraries that are loaded now that are wanted."""
    libraries = ThreadpoolController()
    return libraries.select(filepath=[one.filepath for one in libraries.lib_controllers if wanted(one)])


def _has_own_threads(library: Any) -> bool:
    """Return whether threads are not those of another library: OpenBLAS may have OpenMP's, and so their limit."""
    return (library.internal_api, getattr(library, "threading_layer", "")) != ("openblas", "openmp")


def _numpys(path: str) -> bool:
    """Return whether a library is in a directory of numpy's: `numpy.libs`, `numpy/.dylibs`."""
    directories = Path(path).parts[:-1]
    return directories[-1:] == ("numpy.libs",) or directories[-2:] == ("numpy", ".dylibs")
