"""Gram stacks of examples that repeat: few differ, and kernels are computed of these alone."""

from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.matrices.gram import GramStack
from kernlearn.kernels.matrices.streamed import StreamedStack, kernel_stack
from kernlearn.types import Array, Index

#: Largest part of distinct examples for which only their kernels are computed: those of all take four times as long.
FEW = 0.5
#: Rows that are compared at once.
ROWS = 4096


def kinds(X: Any) -> tuple[Index, Index]:
    """Return which rows of a matrix differ.

    Equal ones are found by the product with random numbers; should these be equal for others, all rows differ.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)

    Returns
    -------
    first : array of shape (r,)
        The first row of every kind, in growing order.
    kind : array of shape (n,)
        The place in `first` of every row's kind.
    """
    n, d = X.shape
    numbers = np.random.default_rng(0).standard_normal(d)
    products = X @ numbers if sparse.issparse(X) else np.einsum("ij,j->i", X, numbers)
    _, first, kind = np.unique(products, return_index=True, return_inverse=True)
    order = np.argsort(first)
    first, kind = first[order], np.argsort(order)[kind]
    for start in range(0, n if len(first) < n else 0, ROWS):
        some = slice(start, start + ROWS)
        if abs(X[some] - X[first[kind[some]]]).max():
            return np.arange(n), np.arange(n)
    return first, kind


class RepeatedStack(StreamedStack):
    """A `StreamedStack` of repeated examples, whose values are those of the kinds that these are of.

    Parameters
    ----------
    X, Z : arrays or sparse matrices of shape (n, d), (m, d)
    max_matrix_bytes : float
        As for `kernel_stack`.
    few : GramStack of shape (p, r, s)
        Of the kinds.
    kind, place : arrays of shape (n,), (m,)
        Of every example and expansion point, which of the r and s it is.
    """

    def __init__(
        self, family: KernelFamily, X: Any, Z: Any, max_matrix_bytes: float, few: GramStack, kind: Index, place: Index
    ):
        super().__init__(family, X, Z, max_matrix_bytes)
        self._few, self._kind, self._place = few, kind, place

    def select(self, k: int) -> "RepeatedStack":
        """Return the stack of kernel number `k` alone."""
        few = self._few.select(k)
        return RepeatedStack(
            few.family, self.examples, self.points, self.max_matrix_bytes, few, self._kind, self._place
        )

    def narrow(self, points: Index) -> "RepeatedStack":
        """Return the stack of the same examples on some of the expansion points."""
        used, place = np.unique(self._place[points], return_inverse=True)
        few, Z = self._few.narrow(used), self.points[points]
        return RepeatedStack(self.family, self.examples, Z, self.max_matrix_bytes, few, self._kind, place)

    def columns(self, k: int, points: Index) -> Array:
        """Return ``K_k(x_i, z_j)`` for the expansion points j in `points`, shape (n, len(points))."""
        return self._few.columns(k, self._place[points])[self._kind]

    def diagonal(self, k: int) -> Array:
        """Return ``K_k(x_i, x_i)`` of a square stack, shape (n,)."""
        return self._few.diagonal(k)[self._kind]

    def scales(self) -> Array:
        """Return ``max_i |K_k(x_i, z_j)|`` for all k and j, shape (p, m)."""
        return self._few.scales()[:, self._place]

    def price(self, v: Array) -> Array:
        """Return ``sum_i v_i K_k(x_i, z_j)`` for all k and j, shape (p, m), in the precision of `v`."""
        sums = np.zeros(self._few.shape[1], dtype=v.dtype)
        np.add.at(sums, self._kind, v)
        return self._few.price(sums)[:, self._place]

    def expansions(self, coef: Array) -> Array:
        """Return several kernel expansions as `expand` does, from coefficients of shape (o, p, m), shape (o, n)."""
        return self._few.expansions(self._summed(coef))[:, self._kind]

    def magnitudes(self, coef: Array, rows: Index) -> Array:
        """Return the sums of absolute terms of some examples; see `GramStack`."""
        return self._few.magnitudes(self._summed(coef), self._kind[rows])

    def largest_magnitudes(self, coef: Array) -> Array:
        """Return a bound of all `magnitudes`; see `GramStack`."""
        return self._few.largest_magnitudes(self._summed(coef))

    def _summed(self, coef: Array) -> Array:
        """Return the sums of the coefficients of every kind, shape (o, p, s)."""
        sums = np.zeros((*coef.shape[:2], self._few.shape[2]), dtype=coef.dtype)
        np.add.at(np.moveaxis(sums, 2, 0), self._place, np.moveaxis(coef, 2, 0))
        return sums


def of_kinds(stack: GramStack) -> GramStack:
    """Return a stack itself, or where it is streamed, square, and few of its examples differ, one of their kinds."""
    if type(stack) is not StreamedStack or stack.examples is not stack.points:
        return stack
    X, family, max_matrix_bytes = stack.examples, stack.family, stack.max_matrix_bytes
    first, kind = kinds(X)
    if len(first) > FEW * len(kind):
        return stack
    few = X[first]
    return RepeatedStack(family, X, X, max_matrix_bytes, kernel_stack(family, few, few, max_matrix_bytes), kind, kind)
