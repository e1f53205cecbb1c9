"""Sequences as inputs: at every place the features of a window of places around it, side by side, or kernels of these.

A kernel of degree 1 is ``x.z``, of features that are explicit and sparse; one of a degree d above is ``(x.z + 1)^d``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.core.chains import Chains, shifted
from kernlearn.errors import UserError
from kernlearn.kernels.core.choice import DEGREE, KernelChoice
from kernlearn.kernels.families.polynomial import integer_power
from kernlearn.memory import require
from kernlearn.parameters import Number, Parameter
from kernlearn.types import Array, Index

FLOAT = np.dtype(np.float64)
#: Numbers of a matrix of inner products that are computed at a time.
ENTRIES = 2**22


@dataclass(frozen=True, eq=False)  # compared and hashed as the object that it is
class Windows:
    """The features of windows."""

    #: Of all N places, shape (N, D): for every offset from the first to the last of a window the used features of the
    #: place that is so far on, zeros beyond the ends of a sequence.
    chains: Chains
    #: Which features of a place these are, for every offset: those that are not 0 in all of the training examples. The
    #: weight of another would be 0, whatever its label.
    used: Sequence[Index]
    degree: int = 1
    #: The features of the training sequences, where these are others.
    learned: Chains | None = None

    def at(self, X: Any) -> "Windows":
        """Return the same features of other sequences."""
        return Windows(_side_by_side(X, self.used), self.used, self.degree, self.learned or self.chains)

    def take(self, rows: Index) -> "Windows":
        """Return the same features of some of the sequences."""
        return Windows(self.chains[rows], self.used, self.degree)

    def matrix(self) -> Array:
        """Return the kernel of all places with those of the training sequences, shape (N, M)."""
        products = self._products
        rows, columns = products.shape
        require(8.0 * rows * columns, f"the kernel values of {rows} x {columns} places", "use fewer sequences")
        K = np.empty((rows, columns))
        for part in self._blocks():
            K[part] = self._kernel(products[part])
        return K

    def images(self, coef: Array) -> Array:
        """Return ``K @ coef`` for the matrix K and coefficients of shape (M, k), without the whole of K."""
        used = np.flatnonzero(coef.any(axis=1))
        return np.concatenate([self._kernel(self._products[part][:, used]) @ coef[used] for part in self._blocks()])

    def _blocks(self) -> Iterator[slice]:
        """Yield slices of the places whose values with all training sequences are there at a time."""
        rows, columns = self._sizes
        step = max(1, ENTRIES // columns)
        return (slice(start, start + step) for start in range(0, rows, step))

    @property
    def _sizes(self) -> tuple[int, int]:
        return tuple(one.values.shape[0] for one in (self.chains, self.learned or self.chains))

    @cached_property
    def _products(self) -> NDArray[Any]:
        """All ``x.z``, shape (N, M), kept for one solution after the other; of counts in as few bytes as hold them."""
        X, Z = self.chains.values, (self.learned or self.chains).values
        rows, columns = self._sizes
        kind = kind_of_products(X, Z)
        require(float(kind.itemsize) * rows * columns, f"the products of {rows} x {columns} places", "use fewer")
        result = np.empty((rows, columns), dtype=kind)
        for part in self._blocks():
            result[part] = (X[part] @ Z.T).toarray()
        self._require_finite(result)
        return result

    def _require_finite(self, products: NDArray[Any]) -> None:
        """Raise `UserError` if sums of squares of the kernel overflow."""
        largest = max(float(products.max()), -float(products.min()))
        with np.errstate(over="ignore"):
            if not np.isfinite((1.0 + np.float64(largest)) ** (2 * self.degree) * products.size):
                raise UserError(
                    f"kernel=chains: overflows on these features (products up to {largest:.3g}): scale them, or use a "
                    "smaller degree"
                )

    def _kernel(self, products: NDArray[Any]) -> Array:
        if self.degree == 1:
            return products.astype(np.float64)
        return integer_power(products + 1.0, self.degree)

    def names(self, columns: Sequence[str]) -> list[str]:
        """Return the names of all D features: the offset, as ``-1 capital``, and the name of a feature of a place."""
        half = len(self.used) // 2
        return [f"{k - half:+d} {columns[column]}" for k, some in enumerate(self.used) for column in some]


@dataclass(frozen=True)
class WindowFamily:
    """A choice of windows; see `chains`."""

    window: int
    degree: int = 1
    name: str = "chains"
    members: Sequence[Mapping[str, Any]] = ()
    positive_definite: bool = False

    def __len__(self) -> int:
        return 0

    def fit(self, X: Any, seed: int = 0) -> Windows:
        """Return the windows of training sequences, `Chains` of sparse features; nothing is drawn at random.

        Raises `UserError` if the examples are no sequences, or have no features.
        """
        if not isinstance(X, Chains):
            raise UserError("kernel=chains: is for sequences, and these are single examples; use dataset=conll")
        half = self.window // 2
        used: list[Index] = [np.unique(shifted(X, offset).indices) for offset in range(-half, half + 1)]
        if not any(len(some) for some in used):
            raise UserError("kernel=chains: the sequences have no features")
        return Windows(_side_by_side(X, used), used, self.degree)


def chains(window: int = 3, degree: int = 1) -> WindowFamily:
    """Features of a window around every position of a sequence, or a polynomial kernel on them.

    Raises `UserError` if it is not as described.

    Parameters
    ----------
    window : int >= 1, odd
        Places that it has, the one to be labelled in the middle; 1: no others.
    degree : int >= 1
        Of the polynomial kernel ``(x.z + 1)^degree`` of these features; 1: the features themselves, as for algo=crf.

    References
    ----------
    Shivaswamy (2010), section 4.5, with 3.
    """
    window = Number(low=1, high=99, integer=True).check("window", window)
    if window % 2 == 0:
        raise UserError(f"window={window}: must be odd, with the place to be labelled in the middle")
    return WindowFamily(window, Number(low=1, high=100, integer=True).check("degree", degree))


def kind_of_products(X: Any, Z: Any, window: int = 1) -> np.dtype[Any]:
    """Return the type of numbers that holds the inner products of all rows, or of windows of so many rows each."""
    are_counts = all(len(V.data) == 0 or (V.data.min() >= 0 and not (V.data % 1).any()) for V in (X, Z))
    squares = [V.power(2).sum(axis=1).max(initial=0.0) for V in (X, Z)]
    most = window * np.sqrt(np.prod(squares))  # Cauchy and Schwarz
    return next((np.dtype(kind) for kind in (np.uint8, np.uint16) if are_counts and most <= np.iinfo(kind).max), FLOAT)


def _side_by_side(X: Chains, used: Sequence[Index]) -> Chains:
    half = len(used) // 2
    blocks = [shifted(X, k - half)[:, some] for k, some in enumerate(used)]
    return X.with_values(sparse.csr_array(sparse.hstack(blocks, format="csr")))


KERNELS = {
    "chains": KernelChoice(
        chains,
        {
            "window": Parameter(
                3, Number(low=1, high=99, integer=True), "places whose features one has, an odd number"
            ),
            "degree": Parameter(
                1, DEGREE, "of the kernel (x.z + 1)^degree; 1: the features themselves, as for algo=crf"
            ),
        },
        "labelled sequences",
    )
}
