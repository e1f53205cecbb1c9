"""A weighted sum of kernels that is never a matrix: its products with vectors, and some of its columns."""

from functools import cached_property
from typing import Protocol

import numpy as np

from kernlearn.types import Array, Index


class Weighable(Protocol):
    """Kernels of n examples, whose weighted sum is asked for products and entries."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, n)."""
        ...

    @property
    def is_fused(self) -> bool:
        """Whether kernel values in single precision are computed sooner."""
        ...

    def traces(self) -> Array:
        """Return ``Tr K_k``, shape (p,)."""
        ...

    def weighted_image(self, mu: Array, a: Array, kind: type = np.float64) -> Array:
        """Return ``K_mu a``, shape (n,), from kernel values of double or single precision."""
        ...

    def weighted_block(self, mu: Array, rows: slice | Index, columns: Index) -> Array:
        """Return entries of K_mu."""
        ...


class CombinedKernel:
    """The matrix ``K_mu = sum_k mu_k K_k`` of a `BlockStack` of n examples, as linear algebra without entries needs it.

    Parameters
    ----------
    stack : BlockStack
    mu : array of shape (p,)
    """

    def __init__(self, stack: Weighable, mu: Array):
        self.stack, self.mu = stack, mu

    def __len__(self) -> int:
        return self.stack.shape[1]

    def __matmul__(self, a: Array) -> Array:
        """Return ``K_mu a``, shape (n,)."""
        return self.stack.weighted_image(self.mu, a)

    def single(self, a: Array) -> Array:
        """Return the same from kernel values in single precision, where there are such that are computed sooner."""
        largest = float(np.abs(a).max(initial=0.0)) or 1.0
        return largest * self.stack.weighted_image(self.mu, a / largest, np.float32)

    @property
    def has_single(self) -> bool:
        """Whether `single` takes less time."""
        return self.stack.is_fused

    @cached_property
    def trace(self) -> float:
        """``Tr K_mu``."""
        return float(self.mu @ self.stack.traces())

    def block(self, rows: slice | Index, columns: Index) -> Array:
        """Return the entries of some rows and columns."""
        return self.stack.weighted_block(self.mu, rows, columns)
