"""The outputs of a kernel expansion on the training examples, in twice the working precision."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels.matrices.streamed import StreamedStack
from kernlearn.twofold import add, add_products, dot
from kernlearn.types import Array

Rows = slice | NDArray[np.intp]

#: Relative rounding error of a kernel value: some units in the last place. Errors of different values are taken as
#: independent, so that those of a sum add up by their squares (Higham and Mary, 2019); this is twice their deviation.
EPS = float(np.finfo(np.float64).eps)
ENTRY = 4.0 * EPS


class Inputs(Protocol):
    """Kernels between n training examples and the points of an expansion."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, m)."""
        ...

    def terms(self, coef: Array) -> Iterator[tuple[Rows, Array, Array]]:
        """Yield rows, kernel values of shape (len(rows), s), or (1, s) for the same in all rows, and s coefficients.

        The outputs of `coef` are the sums of the products of these.
        """
        ...


@dataclass(frozen=True)
class Matrix:
    """A kernel that is given by its matrix on the training examples, shape (n, n)."""

    K: Array

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (1, n, n)."""
        return 1, *self.K.shape

    def terms(self, coef: Array) -> Iterator[tuple[Rows, Array, Array]]:
        """Yield all rows, the columns with a coefficient, and their coefficients."""
        used = np.flatnonzero(coef[0])
        yield slice(None), self.K[:, used], coef[0, used]


class Outputs(NamedTuple):
    """The outputs ``f = high + low``, shape (n,), each known up to `rounding`, which the kernel values account for."""

    high: Array
    low: Array
    rounding: Array

    def losses(self, y: Array, least: float = 1.0) -> tuple[Array, Array]:
        """Return the hinge losses ``max(0, least - y f)`` and what rounding may add to each."""
        short = (least - y * self.high) - y * self.low
        losses = np.maximum(0.0, short)
        return losses, np.maximum(0.0, short + self.rounding) - losses

    def beyond(self, B: float) -> tuple[Array, Array]:
        """Return ``max(0, |f| - B)`` and what rounding may add to each."""
        far = (np.abs(self.high) - B) + np.sign(self.high) * self.low
        beyond = np.maximum(0.0, far)
        return beyond, np.maximum(0.0, far + self.rounding) - beyond

    def largest(self) -> Array:
        """Return bounds of ``|f|``."""
        values: Array = np.abs(self.high) + np.abs(self.low) + self.rounding
        return values

    def margins(self, y: Array) -> Array:
        """Return ``y f``, each rounded once."""
        values: Array = y * self.high + y * self.low
        return values

    def plus(self, intercept: float) -> "Outputs":
        """Return the outputs with an intercept."""
        high, low = self.high.copy(), self.low.copy()
        add(high, low, intercept)
        return Outputs(high, low, self.rounding)

    def times(self, factor: float) -> "Outputs":
        """Return multiples of the outputs; the factor may round each once more."""
        more = 0.0 if factor == 1.0 else EPS * np.abs(self.high)
        return Outputs(factor * self.high, factor * self.low, factor * self.rounding + more)

    def inner(self, beta: Array) -> tuple[float, float]:
        """Return ``beta'f`` and what rounding of the kernel values may add to it."""
        return dot(beta, self.high, self.low), float(np.linalg.norm(beta * self.rounding))


def outputs(inputs: Inputs, coef: Array) -> Outputs:
    """Return ``f(x_i) = sum_k sum_j coef[k, j] K_k(x_i, x_j)`` on the examples of a stack, without an intercept.

    The kernel values are those that prediction uses; what their own rounding is worth is `Outputs.rounding`.

    Parameters
    ----------
    inputs : GramStack or FeatureStack
        On n examples.
    coef : array of shape (p, m), or (D,) where kernels are features
    """
    if isinstance(inputs, StreamedStack) and (sums := inputs.twofold(coef)) is not None:
        high, low, squares = sums
        return Outputs(high, low, ENTRY * np.sqrt(squares))
    n = inputs.shape[1]
    high, low, squares = np.zeros(n), np.zeros(n), np.zeros(n)
    constant = 0.0
    for rows, values, beta in inputs.terms(coef):
        if len(values) == 1 < n:  # the same for all rows
            number = dot(beta, values[0])
            add(high, low, number)
            constant += abs(number)
        else:
            sums = high[rows], low[rows], squares[rows]  # views of a slice, copies of an index
            add_products(values, beta, *sums)
            high[rows], low[rows], squares[rows] = sums
    return Outputs(high, low, ENTRY * np.sqrt(squares) + EPS * constant)
