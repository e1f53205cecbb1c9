"""Gram stacks that keep their kernel values, for many predictors on the same examples."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels.matrices.gram import KEEP_BYTES, GramStack
from kernlearn.types import Array, Index


class KeptStack(GramStack):
    """The values of a `GramStack`, which are also kept minus a constant, as long as all of them fit in `KEEP_BYTES`.

    A certificate takes kernel values at the expansion points of its predictor. Of one predictor that is once, and a
    matrix more in memory would buy nothing. Of a whole path it is once a point. Values may differ in their last digits
    from those of a `GramStack`, which has functions of other parts of the base.
    """

    _less: dict[int, Array]

    @classmethod
    def of(cls, stack: GramStack) -> Self:
        """Return the same stack, of the same base."""
        kept = cls.__new__(cls)
        vars(kept).update(vars(stack))
        kept._less = {}
        return kept

    def at(self, X: Array) -> "KeptStack":
        """Return the stack of other examples, on the same expansion points."""
        return KeptStack.of(super().at(X))

    def take(self, rows: Index) -> GramStack:
        """Return the square stack of some of the training examples among themselves."""
        return _emptied(super().take(rows))

    def narrow(self, points: Index) -> GramStack:
        """Return the stack of the same examples on some of the expansion points."""
        return _emptied(super().narrow(points))

    def select(self, k: int) -> GramStack:
        """Return the stack of kernel number `k` alone, on the same base; it keeps its values for itself."""
        return _emptied(super().select(k), {0: self._less[k]} if k in self._less else {})

    def matrix_less_constant(self, k: int) -> Array:
        """Return the matrix of kernel `k`, minus what is the same for all j if that costs no digits, shape (n, m)."""
        if self.family.less_constant is None:
            return self.matrix(k)
        if k not in self._less:
            values = self.family.values(k, self.base, True)
            if (len(self._less) + len(self._kept) + 1) * values.nbytes > KEEP_BYTES:
                return values
            self._less[k] = np.asfortranarray(values)
        return self._less[k]

    def _rows(self, rows: slice) -> GramStack:
        return _emptied(super()._rows(rows), {k: values[rows] for k, values in self._less.items()})

    def _values(self, k: int, points: NDArray[Any], less_constant: bool) -> Array:
        if less_constant and self.centred_products is None and self.family.less_constant is not None:
            values = self.matrix_less_constant(k)
            if len(points) == values.shape[1]:
                return values
            columns: Array = values.T.take(points, axis=0)
            return columns.T  # column by column, as sums of products take them
        return super()._values(k, points, less_constant)


def _emptied(stack: GramStack, less: dict[int, Array] | None = None) -> GramStack:
    """Return a copy of a kept stack with values of its own."""
    assert isinstance(stack, KeptStack)
    stack._less = less or {}
    return stack
