"""What kernel learning asks of p positive semidefinite kernels on the same n training examples."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.types import Array


class KernelStack(Protocol):
    """Kernels ``K_1, ..., K_p`` between n training examples, as matrices or as features."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, n)."""
        ...

    def __len__(self) -> int: ...

    def combine(self, mu: Array) -> Array:
        """Return ``K_mu = sum_k mu_k K_k``, shape (n, n)."""
        ...

    def quadratic(self, a: Array, b: Array | None = None) -> Array:
        """Return ``a' K_k b`` for every k, b = a by default, shape (p,)."""
        ...

    def images(self, a: Array, some: NDArray[np.intp]) -> Array:
        """Return ``K_k a`` for some k, shape (len(some), n)."""
        ...

    def traces(self) -> Array:
        """Return ``Tr K_k``, shape (p,)."""
        ...

    def norms(self) -> Array:
        """Return ``||K_k||_F``, shape (p,)."""
        ...

    def products(self) -> Array:
        """Return ``<K_k, K_l>_F``, shape (p, p)."""
        ...

    def alignment(self, mu: Array, y: Array) -> Array:
        """Return the centred alignment of ``K_mu`` with ``yy'`` (definition 2.4), shape (1,)."""
        ...

    def heads(self, theta: int) -> Array:
        """Return the sum of the theta largest eigenvalues of every ``K_k``, shape (p,)."""
        ...

    def centred(self) -> "KernelStack":
        """Return the stack of the kernels centred in feature space, see `kernlearn.kernels.centre`."""
        ...

    def largest_given(self, mu: Array) -> float:
        """Return a bound of the absolute values of ``K_mu``, before it was centred: it has their rounding errors."""
        ...

    def expansion(self, mu: Array, beta: Array) -> tuple[Array, float]:
        """Return what predicts ``f(x) = sum_k mu_k sum_j beta_j K_k(x, x_j)`` at new examples, and a constant to add.

        For a centred stack the kernels of f are the centred ones, and the coefficients those of the kernels as given.
        """
        ...
