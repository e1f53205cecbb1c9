"""Readers of files that hold arrays."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.datasets.core.dataset import Examples
from kernlearn.errors import UserError


def idx(content: bytes) -> np.ndarray:
    """Return the array of unsigned bytes of a file in IDX format: its numbers of rows and so on come first."""
    if content[:3] != b"\x00\x00\x08":
        raise UserError("is not a file of unsigned bytes in IDX format")
    n_axes = content[3]
    shape = np.frombuffer(content, ">i4", n_axes, offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * n_axes).reshape(shape)


def mnist(contents: Sequence[bytes]) -> Examples:
    """Read images and labels, in turn: grey levels 0 to 255, sparse since four in five are zero."""
    images = [idx(content) for content in contents[::2]]
    X = sparse.vstack([sparse.csr_array(part.reshape(len(part), -1)) for part in images], format="csr")
    return Examples(X, np.concatenate([idx(content) for content in contents[1::2]]))


def mnist_pair(contents: Sequence[bytes], first: int, second: int) -> Examples:
    """Read the images of two digits; the second is class 1.

    Raises `UserError` if they are one.
    """
    if first == second:
        raise UserError(f"first={first}, second={second}: must be two digits")
    X, digit, *_ = mnist(contents)
    rows = np.flatnonzero(np.isin(digit, (first, second)))
    return Examples(X[rows], (digit[rows] == second).astype(np.int64))


def mnist_universum(contents: Sequence[bytes], first: int, second: int, universum: int, n_universum: int) -> Examples:
    """Read the images of two digits, the second class 1, and as Universum the first `n_universum` of a third digit.

    Raises `UserError` if they are not three.
    """
    if len({first, second, universum}) < 3:
        raise UserError(f"first={first}, second={second}, universum={universum}: must be three digits")
    X, digit, *_ = mnist(contents)
    rows, others = np.flatnonzero(np.isin(digit, (first, second))), np.flatnonzero(digit == universum)
    return Examples(X[rows], (digit[rows] == second).astype(np.int64), universum=X[others[:n_universum]])


def label_first(contents: Sequence[bytes]) -> Examples:
    """Read the files of numbers one after the other: an example a line, first its class, a digit."""
    parts = [np.loadtxt(io.BytesIO(content)) for content in contents]
    together = np.concatenate(parts)
    return Examples(together[:, 1:], together[:, 0].astype(np.int64))


def benchmark(contents: Sequence[bytes], name: str) -> Examples:
    """Read a table of numbers, a label +-1 last, and what is known of the training parts of its random partitions.

    These are the arrays ``<name>_train`` of row numbers, a partition a row, of a second file, if there is one.
    """
    table = np.loadtxt(io.BytesIO(contents[0]), delimiter=",", ndmin=2)
    labels = table[:, -1]
    if not np.isin(labels, (-1, 1)).all():
        raise UserError("has labels other than -1 and 1")
    known = np.load(io.BytesIO(contents[1]))[f"{name}_train"] if len(contents) > 1 else ()
    return Examples(table[:, :-1], (labels > 0).astype(np.int64), partitions=tuple(known))


def protein_fold(contents: Sequence[bytes]) -> Examples:
    """Read the views of the proteins, side by side, and their folds, numbered from 1 in the file."""
    from scipy.io import loadmat

    stream: Any = io.BytesIO(contents[0])  # which its type stubs do not know
    file = loadmat(stream)
    views = list(file["X"].ravel())
    return Examples(np.hstack(views), file["Y"].ravel().astype(np.int64) - 1, n_views=len(views))
