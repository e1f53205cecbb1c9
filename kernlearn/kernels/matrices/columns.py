"""The matrices of the linear programs, with the labels multiplied in: kernels at expansion points, or features."""

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels import FeatureStack, GramStack
from kernlearn.kernels.matrices.repeated import of_kinds
from kernlearn.types import Array

#: Part of the sum of sizes below which the sum of multipliers counts as 0: what clipping them to their bounds leaves.
NO_SUM = 1e-12


class KernelColumns:
    """Columns ``A_{i,(k,j)} = y_i K_k(x_i, x_j)`` of a training stack, as `kernlearn.solvers.Columns`.

    Voted Kernel Regularization is also written with ``y_i y_j K_k(x_i, x_j)``; that changes the sign of the
    coefficients of negative points and nothing else.

    Parameters
    ----------
    stack : GramStack of shape (p, m, n)
    y : array of shape (m,), labels +-1
    weights : array of shape (m,), optional
        Factors > 0 of the losses, of mean 1.
    """

    def __init__(self, stack: GramStack, y: Array, weights: Array | None = None):
        self.stack = of_kinds(stack)
        self.y, self.weights = y, weights
        self._scales: Array | None = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, m, n)."""
        return self.stack.shape

    def narrow(self, j: NDArray[np.intp]) -> "KernelColumns":
        """Return the columns of some of the expansion points."""
        return KernelColumns(self.stack.narrow(j), self.y, self.weights)

    def scales(self) -> Array:
        """Return the largest absolute entry of every column, shape (p, n), computed once."""
        if self._scales is None:
            self._scales = self.stack.scales()
        return self._scales

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


class FeatureColumns:
    """Columns ``A_iq = y_i x_iq / scale_q`` of the features of a stack, centred if it is, as `Columns`.

    Parameters
    ----------
    y : array of shape (n,), labels +-1
    scale : array of shape (D,), > 0
    bias : bool
        Whether there is one more column, ``y_i``.
    """

    def __init__(self, stack: FeatureStack, y: Array, scale: Array, *, bias: bool):
        self.stack, self.y, self.scale, self.bias = stack, y, scale, bias
        self.weights: Array | None = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (1, n, D or D + 1)."""
        return 1, len(self.y), len(self.scale) + self.bias

    def scales(self) -> Array:
        """Return the largest absolute entry of every column, shape (1, D or D + 1)."""
        return self._with_bias(self.stack.largest() / self.scale, 1.0)

    def price(self, v: Array) -> Array:
        """Return ``A'v``, shape (1, D or D + 1).

        The sum of the bias is 0 where it is next to nothing: only 0 is feasible, which no sum of rounded numbers is but
        by chance.
        """
        a = self.y * v
        total = a.sum()
        if abs(total) <= NO_SUM * np.abs(a).sum():
            total = a.dtype.type(0.0)
        return self._with_bias(self.stack.project(a) / self.scale, total)

    def take(self, k: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """Return the columns j_1, j_2, ... as rows, shape (len(j), n)."""
        rows = np.ones((len(j), len(self.y)))
        features = j < len(self.scale)
        chosen = j[features]
        rows[features] = self.stack.columns(chosen).T / self.scale[chosen, None]
        return rows * self.y

    def apply(self, coef: Array) -> Array:
        """Return the margins ``A a = y f``, shape (n,)."""
        w = coef[0, : len(self.scale)] / self.scale
        shift = 0.0 if self.stack.shift is None else self.stack.shift @ w
        return self.y * (self.stack.expand(w) - shift + coef[0, len(self.scale) :].sum())

    def _with_bias(self, values: Array, bias: float) -> Array:
        return (np.append(values, bias) if self.bias else values)[None]
