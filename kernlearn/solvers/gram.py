"""Gram matrices of a solver that asks for some rows only: one in memory, or one that is computed as it is needed."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.products import add_rows

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Rows that are computed at once.
BLOCK = 256


class DenseGram:
    """A symmetric matrix in memory.

    Parameters
    ----------
    K : array of shape (n, n)
    """

    def __init__(self, K: Array):
        self._K, self.shape = np.ascontiguousarray(K), K.shape

    def diagonal(self) -> Array:
        """Return the diagonal, shape (n,)."""
        return self._K.diagonal()

    def block(self, rows: Index, columns: Index) -> Array:
        """Return the entries of some rows and columns; the matrix itself, no copy, where that is all of them."""
        if len(rows) == len(columns) == len(self._K):
            return self._K
        return self._K[np.ix_(rows, columns)]

    def subset(self, rows: Index) -> "DenseGram":
        """Return the matrix of some examples."""
        return DenseGram(self.block(rows, rows))

    def add(self, rows: Index, factors: Array, out: Array) -> None:
        """Add ``sum_s factors_s K[rows_s]`` to `out`."""
        add_rows(self._K, rows, 1.0, factors, out)

    def fingerprints(self, random: Array) -> Array:
        """Return numbers that agree for equal rows, and for no others: the product with random numbers."""
        return np.column_stack([self._K @ column for column in np.ascontiguousarray(random.T)])  # faster than at once

    def __matmul__(self, x: Array) -> Array:
        """Return ``K x``, from the rows where x is not 0."""
        return _product(self, x)

    def __getitem__(self, key: Any) -> Array:
        return self._K[key]


class KernelGram:
    """The Gram matrix of a kernel function, of which as many rows are kept as there is memory for.

    Parameters
    ----------
    function : callable
        ``function(X, Z)`` returns the kernel values of all pairs, shape (len(X), len(Z)).
    X : array of shape (n, d)
    cache : float
        Bytes of rows that are kept, those used last.
    """

    def __init__(self, function: Callable[[Array, Array], Array], X: Array, cache: float = 2.0**28):
        self._function, self._X, self._cache = function, X, cache
        self.shape = len(X), len(X)
        self._most = max(1, int(cache / (8 * len(X))))
        self._rows: OrderedDict[int, Array] = OrderedDict()

    def diagonal(self) -> Array:
        """Return the diagonal, shape (n,)."""
        parts = (self._X[i : i + BLOCK] for i in range(0, len(self._X), BLOCK))
        return np.concatenate([np.diagonal(self._function(part, part)) for part in parts])

    def block(self, rows: Index, columns: Index) -> Array:
        """Return the entries of some rows and columns."""
        return np.ascontiguousarray(self._function(self._X[rows], self._X[columns]))

    def subset(self, rows: Index) -> "KernelGram":
        """Return the matrix of some examples."""
        return KernelGram(self._function, self._X[rows], self._cache)

    def add(self, rows: Index, factors: Array, out: Array) -> None:
        """Add ``sum_s factors_s K[rows_s]`` to `out`."""
        missing = []
        for i, factor in zip(rows, factors, strict=True):
            if (row := self._rows.get(int(i))) is None:
                missing.append((i, factor))
            else:
                self._rows.move_to_end(int(i))
                out += factor * row
        for start in range(0, len(missing), BLOCK):
            part = missing[start : start + BLOCK]
            computed = self._function(self._X[[i for i, _ in part]], self._X)
            out += np.array([factor for _, factor in part]) @ computed
            for (i, _), row in zip(part[-self._most :], computed[-self._most :], strict=True):
                self._rows[int(i)] = row.copy()  # not a view that keeps the whole block
        while len(self._rows) > self._most:
            self._rows.popitem(last=False)

    def fingerprints(self, random: Array) -> Array:
        """Return numbers that agree for equal examples, and for no others, with probability 1."""
        weights = np.random.default_rng(1).standard_normal((self._X.shape[1], random.shape[1]))
        largest = float(np.abs(self._X).sum(axis=1).max(initial=0.0)) or 1.0
        size = float(self.diagonal().max(initial=0.0)) or 1.0  # in units of a product with K
        return self._X @ weights * (size * np.sqrt(len(random)) / largest)

    def __matmul__(self, x: Array) -> Array:
        """Return ``K x``, from the rows where x is not 0."""
        return _product(self, x)

    def __getitem__(self, key: tuple[slice, Index]) -> Array:
        rows, columns = key
        return self.block(np.arange(len(self._X))[rows], columns)


def _product(gram: DenseGram | KernelGram, x: Array) -> Array:
    used, out = np.flatnonzero(x), np.zeros(len(x))
    gram.add(used, x[used], out)
    return out
