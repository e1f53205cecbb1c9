"""The data set as the rest of the package sees it: numbers, class indices, and a digest of both."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples with a class each.

    Attributes
    ----------
    name : str
        The name it was loaded by.
    X : ndarray of shape (n, d)
        Finite float64 values, C-contiguous and read-only.
    y : ndarray of shape (n,)
        int64 index into `classes`, read-only. Of two classes, index 1 is the positive one: f(x) > 0.
    classes : tuple of str
        The classes by index; each has at least one example.
    source : str
        "bundled", "generated", "scikit-learn", or the file (files, joined by " + ") the values were read from.
    digest : str
        sha256 of `X`, `y` and `classes`, the same whatever the source and the machine.
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    classes: tuple[str, ...]
    source: str
    digest: str


def make_dataset(name: str, X: Any, y: Any, classes: tuple[str, ...], source: str) -> Dataset:
    """Bring arrays into the form that `Dataset` promises and compute the digest.

    Parameters
    ----------
    name, source : str
        As in `Dataset`.
    X : array of shape (n, d)
        Finite numbers.
    y : array of shape (n,)
        Indices into `classes`.
    classes : tuple of str
        The classes by index.

    Raises
    ------
    UserError
        If a class has no example.
    """
    # Adding zero copies, and turns -0.0 into 0.0: values that are equal must have equal bytes for the digest.
    X = np.ascontiguousarray(X, dtype=np.float64) + 0.0
    y = np.array(y, dtype=np.int64)
    empty = [label for label, count in zip(classes, np.bincount(y, minlength=len(classes)), strict=True) if count == 0]
    if empty:
        raise UserError(
            f"{name}: {len(y)} examples leave class {empty[0]!r} without any; ask for more (n) or another seed"
        )
    X.flags.writeable = y.flags.writeable = False
    return Dataset(name, X, y, classes, source, digest(X, y, classes))


def digest(X: NDArray[np.float64], y: NDArray[np.int64], classes: tuple[str, ...]) -> str:
    """Return the sha256 (hexadecimal) of shape, values (little-endian, row by row), class indices and class names."""
    header = json.dumps({"shape": X.shape, "classes": classes})
    return sha256(header.encode() + X.astype("<f8").tobytes() + y.astype("<i8").tobytes()).hexdigest()
