"""Libraries that have threads of their own, held to one where more would do no good.

Threads that have nothing to do spin, in case more comes, on cores that the others need. Where products of vectors by
numpy take turns with factors by scipy, two threads of each take longer on two cores than one thread does.

A limit is mostly one of the whole process, and fits in several threads of Python may overlap. If each brought back what
it had found, as `threadpoolctl.threadpool_limits` does, one that came second would bring back the limit of the first,
and that would stay. So of each library it is known who is inside: the first notes how many threads it has, the last
brings them back. One that a Ctrl-C takes out before it could say so counts no more, and the next who leaves brings them
back; in a process that is forked meanwhile nobody is inside.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock, get_ident
from typing import Any
from weakref import WeakSet

from threadpoolctl import ThreadpoolController


class _Inside:
    """One who is inside, as long as its context lives."""


@dataclass
class _Held:
    """A library, how many threads it had, and who is inside that holds it to one."""

    library: Any
    threads: int
    inside: WeakSet[_Inside] = field(default_factory=WeakSet)


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
    entered, me = {_scope(library): library for library in libraries.lib_controllers}, _Inside()
    try:
        with _lock:
            for scope, library in entered.items():  # before one is limited: MKL may have OpenMP's
                _held.setdefault(scope, _Held(library, library.num_threads)).inside.add(me)
            for library in entered.values():
                library.set_num_threads(1)
            _let_go(libraries)
        yield
    finally:
        with _lock:
            for held in [_held[scope] for scope in entered if scope in _held]:
                held.inside.discard(me)
            for scope in [scope for scope in entered if scope in _held and not _held[scope].inside]:
                _bring_back(_held[scope])
                del _held[scope]
            _let_go(libraries)


def _bring_back(held: _Held) -> None:
    if held.library.num_threads == 1:  # otherwise somebody else has set them meanwhile
        held.library.set_num_threads(held.threads)


def _nobody_inside() -> None:
    """Begin anew in a process that was forked: of its threads only the one that forked is there."""
    try:
        for held in _held.values():
            _bring_back(held)
    finally:  # Python goes on after an error here, and the child would wait for the lock
        _held.clear()
        _lock.release()


if hasattr(os, "register_at_fork"):  # not while another thread changes limits
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_nobody_inside)


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
