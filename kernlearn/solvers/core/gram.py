"""Gram matrices of a solver that asks for some rows only: one in memory, or one that is computed as it is needed."""

from collections import OrderedDict
from typing import Any

import numpy as np

from kernlearn.kernels.matrices.rows import FunctionRows
from kernlearn.solvers.core.products import add_rows
from kernlearn.types import Array, Index

#: Rows that are computed at once.
BLOCK = 128


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
    """The Gram matrix of a kernel, of which as many rows are kept as there is memory for.

    Parameters
    ----------
    values : FunctionRows
        Of the n examples.
    cache : float
        Bytes of rows that are kept, those used last.
    """

    def __init__(self, values: FunctionRows, cache: float = 2.0**28):
        self._values, self._cache = values, cache
        self.shape = len(values), len(values)
        self._most = max(1, int(cache / (8 * max(1, len(values)))))
        self._rows: OrderedDict[int, Array] = OrderedDict()

    def diagonal(self) -> Array:
        """Return the diagonal, shape (n,)."""
        return self._values.diagonal()

    def block(self, rows: Index, columns: Index) -> Array:
        """Return the entries of some rows and columns."""
        out = np.empty((len(rows), len(columns)))
        self._values.fill(rows, columns, out)
        return out

    def subset(self, rows: Index) -> "KernelGram":
        """Return the matrix of some examples."""
        return KernelGram(self._values.take(rows), self._cache)

    def add(self, rows: Index, factors: Array, out: Array) -> None:
        """Add ``sum_s factors_s K[rows_s]`` to `out`."""
        known = np.array([int(i) in self._rows for i in rows], dtype=bool)
        for i, factor in zip(rows[known], factors[known], strict=True):
            self._rows.move_to_end(int(i))
            out += factor * self._rows[int(i)]
        missing, factors, every = rows[~known], factors[~known], np.arange(len(out))
        kept = len(missing) - self._most
        for start in range(0, len(missing), BLOCK):
            part = missing[start : start + BLOCK]
            computed = self.block(part, every)
            out += factors[start : start + BLOCK] @ computed
            for i, row in zip(part[max(0, kept - start) :], computed[max(0, kept - start) :], strict=True):
                self._rows[int(i)] = row.copy()  # not a view that keeps the whole block
        while len(self._rows) > self._most:
            self._rows.popitem(last=False)

    def fingerprints(self, random: Array) -> Array:
        """Return numbers that agree for equal examples, and for no others, with probability 1."""
        X = self._values.X
        weights = np.random.default_rng(1).standard_normal((X.shape[1], random.shape[1]))
        largest = float(abs(X).sum(axis=1).max(initial=0.0)) or 1.0
        size = float(self.diagonal().max(initial=0.0)) or 1.0  # in units of a product with K
        return X @ weights * (size * np.sqrt(len(random)) / largest)

    def __matmul__(self, x: Array) -> Array:
        """Return ``K x``, from the rows where x is not 0."""
        return _product(self, x)

    def __getitem__(self, key: tuple[slice, Index]) -> Array:
        rows, columns = key
        return self.block(np.arange(self.shape[0])[rows], columns)


def _product(gram: DenseGram | KernelGram, x: Array) -> Array:
    used, out = np.flatnonzero(x), np.zeros(len(x))
    gram.add(used, x[used], out)
    return out
