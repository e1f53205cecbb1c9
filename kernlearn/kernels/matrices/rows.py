"""Values of one kernel between many examples, computed tile by tile as they are asked for, and never all in memory."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.errors import UserError
from kernlearn.kernels.core.family import KernelFamily, exponential
from kernlearn.kernels.core.products import squared_distances, squared_norms
from kernlearn.types import Array, Index

#: Rows and columns of a tile: its numbers, and what they are made of, stay in the memory next to a core.
TILE_ROWS, TILE_COLUMNS = 128, 1024


@dataclass(frozen=True)
class FunctionRows:
    """Values of a function of two sets of examples."""

    #: ``function(X, Z)`` returns the kernel values of all pairs, shape (len(X), len(Z)).
    function: Callable[[Any, Any], Array]
    #: Shape (n, d).
    X: Any

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def take(self, rows: Index) -> "FunctionRows":
        """Return the values between some of the examples."""
        return FunctionRows(self.function, self.X[rows])

    def points(self, columns: Any) -> Any:
        """Return some examples as what `between` wants on its right."""
        return self.X[columns]

    def between(self, rows: Any, points: Any) -> Array:
        """Return the values of some examples and points, few enough to be made at once."""
        return self.function(self.X[rows], points)

    def fill(self, rows: Index, columns: Index, out: Array) -> None:
        """Put the values of all pairs into `out`, tile by tile.

        Raises `UserError` if a value is not finite.
        """
        for j in range(0, len(columns), TILE_COLUMNS):
            points = self.points(columns[j : j + TILE_COLUMNS])
            for i in range(0, len(rows), TILE_ROWS):
                part = self.between(rows[i : i + TILE_ROWS], points)
                if not np.isfinite(part.sum()):
                    raise UserError("the kernel overflows on these features: scale the examples (scaling=unit)")
                out[i : i + TILE_ROWS, j : j + TILE_COLUMNS] = part

    def diagonal(self) -> Array:
        """Return the value of every example with itself, shape (n,)."""
        parts = (np.arange(i, min(i + TILE_ROWS, len(self))) for i in range(0, len(self), TILE_ROWS))
        return np.concatenate([np.diagonal(self.between(part, self.points(part))) for part in parts])


@dataclass(frozen=True)
class EntryRows(FunctionRows):
    """Values of a function of the numbers of two sets of examples, such as the entries of a matrix."""

    #: The numbers of the examples, shape (n,).
    numbers: Index

    def take(self, rows: Index) -> "EntryRows":
        """Return the values between some of the examples."""
        return EntryRows(self.function, self.X[rows], self.numbers[rows])

    def points(self, columns: Any) -> Any:
        """Return the numbers of some examples."""
        return self.numbers[columns]

    def between(self, rows: Any, points: Any) -> Array:
        """Return the values of some examples and points."""
        return self.function(self.numbers[rows], points)


@dataclass(frozen=True)
class GaussianRows(FunctionRows):
    """Values of a Gaussian kernel, one product of matrices and one exponential a tile.

    ``-gamma |x - z|^2 = (x, |x|^2, 1) . (2 gamma z, -gamma, -gamma |z|^2)`` with the examples moved by their mean.
    """

    #: Shape (n, d + 2): what the rows (x, |x|^2, 1) of X are multiplied by.
    right: Any

    def take(self, rows: Index) -> "GaussianRows":
        """Return the values between some of the examples."""
        return GaussianRows(self.function, self.X[rows], self.right[rows])

    def points(self, columns: Any) -> Any:
        """Return the columns that some examples stand for."""
        return np.ascontiguousarray(self.right[columns].T)

    def between(self, rows: Any, points: Any) -> Array:
        """Return the values of some examples and points."""
        exponents = self.X[rows] @ points
        np.minimum(exponents, 0.0, out=exponents)
        return np.exp(exponents, out=exponents)

    def diagonal(self) -> Array:
        """Return 1 for every example."""
        return np.ones(len(self))


def kernel_rows(family: KernelFamily, X: Any) -> FunctionRows:
    """Return the values of the one kernel of a family between examples X."""
    (member,) = family.members

    def function(X: Any, Z: Any) -> Array:
        return family.transform(family.base(X, Z), **member)

    if family.base is not squared_distances or family.transform is not exponential:
        return FunctionRows(function, X)
    gamma, is_sparse = float(member["gamma"]), sparse.issparse(X)
    X = X if is_sparse else X - X.mean(axis=0)
    squares = squared_norms(X)[:, None]
    ones = np.ones_like(squares)
    parts: list[Any] = [2.0 * gamma * X, -gamma * ones, -gamma * squares]
    if not is_sparse:
        return GaussianRows(function, np.hstack([X, squares, ones]), np.hstack(parts))
    left = sparse.csr_array(sparse.hstack([X, *map(sparse.csr_array, (squares, ones))]))
    # Rows of a sparse matrix times columns of a dense one are faster than those of two sparse ones.
    return GaussianRows(function, left, np.hstack([parts[0].toarray(), *parts[1:]]))
