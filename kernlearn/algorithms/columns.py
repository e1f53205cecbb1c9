"""The matrix of the linear programs: every kernel at every expansion point, with the labels multiplied in."""

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels import GramStack

Array = NDArray[np.float64]


class KernelColumns:
    """Columns ``A_{i,(k,j)} = y_i K_k(x_i, x_j)`` of a training stack, as `kernlearn.solvers.Columns`.

    Voted Kernel Regularization is also written with ``y_i y_j K_k(x_i, x_j)``; that changes the sign of the
    coefficients of negative points and nothing else.

    Parameters
    ----------
    stack : GramStack of shape (p, m, n)
    y : array of shape (m,), labels +-1
    """

    def __init__(self, stack: GramStack, y: Array):
        self.stack = stack
        self.y = y

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, m, n)."""
        return self.stack.shape

    def scales(self) -> Array:
        """Return the largest absolute entry of every column, shape (p, n)."""
        return self.stack.scales()

    def price(self, v: Array) -> Array:
        """Return ``A'v``, shape (p, n)."""
        return self.stack.price(self.y * v)

    def take(self, k: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """Return the columns (k_1, j_1), (k_2, j_2), ... as rows, shape (len(k), m)."""
        rows = np.empty((len(k), len(self.y)))
        for kernel in np.unique(k):
            chosen = k == kernel
            rows[chosen] = self.stack.columns(int(kernel), j[chosen]).T
        return rows * self.y

    def apply(self, coef: Array) -> Array:
        """Return the margins ``A a = y f``, shape (m,)."""
        return self.y * self.stack.expand(coef)
