"""The decorator of everything that numba compiles, which imports numba when the first of it is called.

Compiled code keeps to IEEE arithmetic, with no leave to reorder sums: machine code that was compiled a moment ago and
the same code from numba's cache are inlined and vectorised differently, and with such leave they give different digits.
Loops over entries vectorise all the same; a sum over a product does not: `kernlearn.solvers.products.dot` is for it.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any


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

    numba takes that up again as long as the file of the function is the same; but functions of other files are compiled
    into it, so that here all `sources` of its directory have to be.
    """
    return Deferred(partial(_dispatcher, function))


def _dispatcher(function: Callable[..., Any]) -> Any:
    from numba import njit

    scope = function.__globals__
    for name in function.__code__.co_names:  # numba looks there for what the function calls
        if isinstance(called := scope.get(name), Deferred):
            scope[name] = called.made
    dispatcher: Any = njit(cache=True, nogil=True)(function)
    with suppress(AttributeError):  # another numba may keep it elsewhere
        dispatcher._cache._cache_file._source_stamp = sources(Path(function.__code__.co_filename).parent)
    return dispatcher


def start() -> None:
    """Let numba load all that it compiles with, for those who count what memory is taken afterwards."""
    from numba import njit

    nothing: Any = njit(lambda: None)
    nothing()


@cache
def sources(directory: Path) -> str:
    """Return a digest of all that compiled code of a directory may depend on."""
    return sha256(b"".join(path.read_bytes() for path in [Path(__file__), *sorted(directory.glob("*.py"))])).hexdigest()
