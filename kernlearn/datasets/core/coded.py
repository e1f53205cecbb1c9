"""Readers of tables whose letters become indicators or whose grades become classes, and of sparse ones."""

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.core.dataset import Examples
from kernlearn.errors import UserError

#: The column of mushrooms with missing values; with the class first.
STALK_ROOT = 11


def abalone(contents: Sequence[bytes]) -> Examples:
    """Read shells: indicators of M, F and I (infant), seven measurements; target the rings, class 1 for 10 or more."""
    fields = _fields(contents[0])
    rings = fields[:, -1].astype(np.float64)
    X = np.hstack([_indicators(fields[:, 0], "MFI"), fields[:, 1:-1].astype(np.float64)])
    return Examples(X, (rings >= 10).astype(np.int64), rings)


def mushrooms(contents: Sequence[bytes]) -> Examples:
    """Read mushrooms: an indicator for every letter of every attribute, in their order, but for the stalk's root."""
    fields = _fields(contents[0])
    kept = [column for i, column in enumerate(fields.T) if i not in (0, STALK_ROOT)]
    return Examples(np.hstack([_indicators(column, sorted(set(column))) for column in kept]), fields[:, 0] == "p")


def wine(contents: Sequence[bytes]) -> Examples:
    """Read tables of wines one after the other: eleven measurements; target the grade, class 1 for 6 or more."""
    fields = np.concatenate([_fields(content)[1:] for content in contents]).astype(np.float64)
    return Examples(fields[:, :-1], (fields[:, -1] >= 6).astype(np.int64), fields[:, -1])


def sparse_signs(contents: Sequence[bytes], d: int, n: int, seed: int) -> Examples:
    """Read a text of lines ``label index:value ...``, class 1 for a positive label: n of its examples, in their order.

    Raises `UserError` if there are not so many.
    """
    from sklearn.datasets import load_svmlight_file

    X, label = load_svmlight_file(io.BytesIO(contents[0]), n_features=d, zero_based=False)
    if n > len(label):
        raise UserError(f"n={n}: there are {len(label)} examples")
    rows = np.sort(np.random.default_rng(seed).permutation(len(label))[:n])
    return Examples(sparse.csr_array(X[rows]), (label[rows] > 0).astype(np.int64))


def _fields(content: bytes) -> NDArray[np.str_]:
    return np.array([line.split(",") for line in content.decode("ascii").splitlines() if line.strip()])


def _indicators(column: NDArray[np.str_], letters: Sequence[str]) -> NDArray[np.float64]:
    return (column[:, None] == np.array(list(letters))).astype(np.float64)
