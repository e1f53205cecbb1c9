"""Finding equal rows and columns of a matrix that is known through its products."""

import numpy as np

from kernlearn.certificates.hinge_l1 import Columns
from kernlearn.types import Array, Index

#: Entries, of about 1 or less, that differ by no more are equal.
TOLERANCE = 1e-13
#: Columns that are compared before all are: rows that differ mostly differ there.
SAMPLE = 8


def equal_rows(columns: Columns, scale: Array, seed: int = 0) -> Index:
    """Return for every row of the matrix the first row that equals it up to rounding, shape (m,).

    Parameters
    ----------
    scale : array of shape (p, n)
        Largest entries of the columns, > 0.
    seed : int
        Of the random vectors that the matrix is multiplied by: two rows whose products agree are equal with
        probability 1.
    """
    p, m, n = columns.shape
    random = np.random.default_rng(seed)
    k, j = random.integers(p, size=SAMPLE), random.integers(n, size=SAMPLE)
    sample = (columns.take(k, j) / scale[k, j][:, None]).T
    first = first_equal(np.column_stack([sample @ random.standard_normal(SAMPLE), sample]))
    if (first == np.arange(m)).all():
        return first
    product = columns.apply(random.standard_normal((p, n)) / scale)
    return first_equal(np.column_stack([product / np.sqrt(p * n), first]))


class Merged:
    """Equal examples as one, with their number for its weight.

    Parameters
    ----------
    values : array of shape (n, r)
        Rows that are equal for equal examples, and for no others.
    weights : array of shape (n,)
        Of the examples.

    Attributes
    ----------
    kept : integer array of shape (m,)
        The first of every group of equal examples, in growing order.
    group : integer array of shape (n,)
        The place in `kept` of every example's group.
    count : array of shape (m,)
        How many examples a group has.
    weights : array of shape (m,)
        Of the groups.
    earlier : array of shape (n,)
        Weight of the equal examples before each.
    """

    def __init__(self, values: Array, weights: Array):
        self.kept, self.group, counts = np.unique(first_equal(values), return_inverse=True, return_counts=True)
        order = np.argsort(self.group, kind="stable")
        before = np.concatenate([[0.0], np.cumsum(weights[order])])
        self.earlier = np.empty(len(weights))
        self.earlier[order] = before[:-1] - np.repeat(before[np.cumsum(counts) - counts], counts)
        self.weights = np.bincount(self.group, weights).astype(np.float64, copy=False)
        self.count, self._each = counts.astype(np.float64), weights

    def alpha(self, sums: Array, C: float) -> Array:
        """Return alpha of all examples, each at most C times its weight: of equal ones, as few as possible have one."""
        return np.clip(sums[self.group] - self.earlier * C, 0.0, C * self._each)


def equal_columns(columns: Columns, scale: Array, seed: int = 0) -> Index:
    """Return for every j the first j' such that the columns (k, j) and (k, j') are equal for all k, shape (n,)."""
    m = columns.shape[1]
    products = columns.price(np.random.default_rng(seed).standard_normal(m)) / scale
    return first_equal(np.vstack([products / np.sqrt(m), scale / scale.max(axis=1, keepdims=True)]).T)


def first_equal(values: Array) -> Index:
    """Return for every row of `values` the first that equals it; rows with different neighbours may be missed."""
    order = np.lexsort([np.arange(len(values)), values[:, 0]])
    ordered = values[order]
    differs = (np.abs(np.diff(ordered, axis=0)) > TOLERANCE).any(axis=1)
    group = np.concatenate([[0], np.cumsum(differs)])
    first = np.full(len(values), len(values), dtype=np.intp)
    np.minimum.at(first, group, order)
    result = np.empty(len(values), dtype=np.intp)
    result[order] = first[group]
    return result
