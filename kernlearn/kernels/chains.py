"""Sequences as inputs: at every place the features of a window of places around it, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.chains import Chains, shifted
from kernlearn.errors import UserError
from kernlearn.parameters import Number

Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)  # compared and hashed as the object that it is
class Windows:
    """The features of windows.

    Attributes
    ----------
    chains : Chains
        Of all N places, shape (N, D): for every offset from the first to the last of a window the used features of
        the place that is so far on, zeros beyond the ends of a sequence.
    used : sequence of arrays
        Which features of a place these are, for every offset: those that are not 0 in all of the training examples. The
        weight of another would be 0, whatever its label.
    """

    chains: Chains
    used: Sequence[Index]

    def at(self, X: Any) -> "Windows":
        """Return the same features of other sequences."""
        return Windows(_side_by_side(X, self.used), self.used)

    def take(self, rows: Index) -> "Windows":
        """Return the same features of some of the sequences."""
        return Windows(self.chains[rows], self.used)

    def names(self, columns: Sequence[str]) -> list[str]:
        """Return the names of all D features: the offset, as ``-1 capital``, and the name of a feature of a place."""
        half = len(self.used) // 2
        return [f"{k - half:+d} {columns[column]}" for k, some in enumerate(self.used) for column in some]


@dataclass(frozen=True)
class WindowFamily:
    """A choice of windows; see `chains`."""

    window: int
    name: str = "chains"
    members: Sequence[Mapping[str, Any]] = ()
    positive_definite: bool = False

    def __len__(self) -> int:
        return 0

    def fit(self, X: Any, seed: int = 0) -> Windows:
        """Return the windows of training sequences, `Chains` of sparse features; nothing is drawn at random.

        Raises
        ------
        UserError
            If the examples are no sequences, or have no features.
        """
        if not isinstance(X, Chains):
            raise UserError("kernel=chains: is for sequences, and these are single examples; use dataset=conll")
        half = self.window // 2
        used: list[Index] = [np.unique(shifted(X, offset).indices) for offset in range(-half, half + 1)]
        if not any(len(some) for some in used):
            raise UserError("kernel=chains: the sequences have no features")
        return Windows(_side_by_side(X, used), used)


def chains(window: int = 3) -> WindowFamily:
    """Sequences with a label at every place, whose features are those of a window around it; for algo=crf.

    Parameters
    ----------
    window : int >= 1, odd
        Places that it has, the one to be labelled in the middle; 1: no others.

    Raises
    ------
    UserError
        If it is not as described.

    References
    ----------
    Shivaswamy (2010), section 4.5, with 3.
    """
    window = Number(low=1, high=99, integer=True).check("window", window)
    if window % 2 == 0:
        raise UserError(f"window={window}: must be odd, with the place to be labelled in the middle")
    return WindowFamily(window)


def _side_by_side(X: Chains, used: Sequence[Index]) -> Chains:
    half = len(used) // 2
    blocks = [shifted(X, k - half)[:, some] for k, some in enumerate(used)]
    return X.with_values(sparse.csr_array(sparse.hstack(blocks, format="csr")))
