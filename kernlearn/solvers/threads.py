"""Threads of numpy's products beside those of scipy's.

Each brings a BLAS library with threads of its own, and those that have nothing to do spin, in case more comes, on cores
that the others need. Where products of vectors by numpy take turns with factors by scipy, two threads of each take
longer on two cores than one thread does.
"""

from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

from threadpoolctl import ThreadpoolController


def one_of_numpy() -> AbstractContextManager[Any]:
    """Leave the cores to scipy's products and factors: numpy's own library has one thread meanwhile.

    That is for the whole process. Nothing changes where both share a library, as conda's do.
    """
    limited: AbstractContextManager[Any] = _of_numpy().limit(limits=1)
    return limited


@cache
def _of_numpy() -> ThreadpoolController:
    """Return the libraries in a directory of numpy's: `numpy.libs`, `numpy/.dylibs`."""
    paths = [library["filepath"] for library in ThreadpoolController().info()]
    return ThreadpoolController().select(filepath=[path for path in paths if _numpys(path)])


def _numpys(path: str) -> bool:
    directories = Path(path).parts[:-1]
    return directories[-1:] == ("numpy.libs",) or directories[-2:] == ("numpy", ".dylibs")
