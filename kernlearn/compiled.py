"""The decorator of everything that numba compiles, which imports numba when the first of it is called.

Compiled code keeps to IEEE arithmetic, with no leave to reorder sums: machine code that was compiled a moment ago and
the same code from numba's cache are inlined and vectorised differently, and with such leave they give different digits.
Loops over entries vectorise all the same; for a sum over a product, which does not, there is
`kernlearn.solvers.core.products.dot`.
"""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from threading import Lock, current_thread, main_thread
from typing import Any

from kernlearn.interrupts import uninterrupted
from kernlearn.places import code_directory

log = logging.getLogger(__name__)

PACKAGE = Path(__file__).parent
#: The rooms of compiled functions. They import from each other and from files beside the rooms, and from nowhere else.
ROOMS = ("kernels", "solvers")
_making = Lock()


class _Announcement:
    """Says once that code is compiled."""

    wanted = False

    def __call__(self) -> None:
        if self.wanted:
            self.wanted = False
            log.warning("kernlearn compiles functions for this machine; later runs reuse them")


_announcement = _Announcement()


class Deferred:
    """What is made when it is first called, or compiled into something else: numba takes a quarter of a second.

    Parameters
    ----------
    make : callable
        Makes it.
    """

    def __init__(self, make: Callable[[], Any]):
        self.make = make

    @cached_property
    def made(self) -> Any:
        """What was deferred."""
        return self.make()

    def __call__(self, *arguments: Any) -> Any:
        """Call it."""
        return self.made(*arguments)


def compiled(function: Callable[..., Any]) -> Deferred:
    """Compile a function when it is first called, and keep the machine code on disk for the next process.

    numba would use that again as long as the file of the function is the same. But functions and constants of other
    files are compiled into it, so that here all `sources` have to be. It is kept in numba's own cache directory if
    ``NUMBA_CACHE_DIR`` names one, else in `kernlearn.places.code_directory`: never in the package, whose directory
    would outlive it. Without a directory, or with one that is full or damaged, every process compiles.
    """
    return Deferred(partial(_dispatcher, function))


def _dispatcher(function: Callable[..., Any]) -> Any:
    from numba import njit

    _listen()
    scope = function.__globals__
    for name in function.__code__.co_names:  # numba looks there for what the function calls
        if isinstance(called := scope.get(name), Deferred):
            scope[name] = called.made
    dispatcher: Any = njit(nogil=True)(function)
    _enable_cache(dispatcher, Path(function.__code__.co_filename).parent)
    return dispatcher


def _enable_cache(dispatcher: Any, directory: Path) -> None:
    """Let numba cache the machine code of a function from a file in a directory, where there is a place for it."""
    from numba.core import config as module

    config: Any = module  # its names come from the environment
    with _making:
        chosen = config.CACHE_DIR
        place = chosen or code_directory()
        if not place:
            return
        config.CACHE_DIR = str(place)
        try:
            dispatcher.enable_caching()
            dispatcher._cache._cache_file._source_stamp = sources(directory)
        except (RuntimeError, OSError, AttributeError) as error:  # no such place, or another numba
            log.debug("no cache of %s", dispatcher, exc_info=error)
        else:
            dispatcher._cache = _Cache(dispatcher._cache)
        finally:
            config.CACHE_DIR = chosen


class _Cache:
    """numba's cache of a function, of which no fault is one of the computation: at worst the function is compiled."""

    def __init__(self, cache: Any):
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, *arguments: Any) -> Any:
        """Return the machine code for a signature; None if there is none that can be read."""
        try:
            return self._cache.load_overload(*arguments)
        except Exception as error:  # of a damaged pickle anything may come
            log.debug("%s: damaged", self._cache.cache_path, exc_info=error)
            self._attempt(self._cache.flush)
            return None

    def save_overload(self, *arguments: Any) -> None:
        """Keep the machine code for a signature, where that can be written."""
        self._attempt(self._cache.save_overload, *arguments)

    def _attempt(self, act: Callable[..., Any], *arguments: Any) -> None:
        try:
            act(*arguments)
        except Exception as error:  # a full disk, for one
            log.debug("%s: cannot be written", self._cache.cache_path, exc_info=error)


def announce() -> None:
    """Let the logger of this module say once, as a warning, that code is compiled, where numba's cache has none."""
    _announcement.wanted = True


@cache
def _listen() -> None:
    """Announce the first compilation, and hold Ctrl-C back while numba compiles or loads code.

    LLVM calls Python back: an exception in there is lost, or ends the process.
    """
    from numba.core import event

    class Compilation(event.Listener):
        """Of any function."""

        def on_start(self, event: Any) -> None:
            """Say so, the first time."""
            _announcement()

        def on_end(self, event: Any) -> None:
            """Say nothing more."""

    class Locked(event.Listener):
        """All that numba does under its lock, which it takes again while it holds it."""

        depth, held = 0, ExitStack()

        def on_start(self, event: Any) -> None:
            """Hold Ctrl-C back."""
            if current_thread() is main_thread():
                self.depth += 1
                if self.depth == 1:
                    self.held.enter_context(uninterrupted())

        def on_end(self, event: Any) -> None:
            """Let it come, which may raise `KeyboardInterrupt`."""
            if current_thread() is main_thread() and self.depth:
                self.depth -= 1
                if not self.depth:
                    self.held.close()

    register: Any = event.register
    register("numba:compile", Compilation())
    register("numba:compiler_lock", Locked())


def start() -> None:
    """Let numba load all that it compiles with, for those who count what memory is taken afterwards."""
    from numba import njit

    nothing: Any = njit(lambda: None)
    nothing()


@cache
def sources(directory: Path) -> str:
    """Return a digest of all that compiled code from a directory may depend on, in 4 ms for those of the package."""
    paths = {*PACKAGE.glob("*.py"), *directory.glob("*.py")}
    paths.update(*(PACKAGE.joinpath(room).rglob("*.py") for room in ROOMS))
    return sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()
