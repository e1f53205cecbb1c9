"""Decision stumps as inputs: ``G_s(x) = +1`` where the feature ``k_s`` of x is above a threshold ``t_s``, else -1.

A stump and its negation are one entry here: a method gives it a weight of either sign.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.errors import UserError
from kernlearn.kernels.core.choice import KernelChoice
from kernlearn.memory import require
from kernlearn.parameters import Choice, Number, Parameter
from kernlearn.types import Array, Index

#: How thresholds are drawn: at a training example drawn for each, or uniformly in the range of a feature.
DRAWS = ("examples", "range")


@dataclass(frozen=True, eq=False)  # compared and hashed as the object that it is
class Stumps:
    """Stumps with the examples that they vote on."""

    #: Shape (d, n): the features that have stumps, each of them contiguous.
    columns: Array
    #: Shape (d,): which features of the examples these are.
    used: Index
    #: Shape (S,): the row of `columns` of every stump, increasing.
    owners: Index
    #: Shape (S,): increasing among the stumps of a feature.
    thresholds: Array

    def __len__(self) -> int:
        return len(self.thresholds)

    def at(self, X: Any) -> "Stumps":
        """Return the same stumps with other examples."""
        return replace(self, columns=_columns(X, self.used))

    def take(self, rows: Index) -> "Stumps":
        """Return the same stumps with some of the examples."""
        return replace(self, columns=np.ascontiguousarray(self.columns[:, rows]))

    def votes(self, some: Index) -> Array:
        """Return the votes +-1 of some stumps, shape (len(some), n)."""
        return np.where(self.columns[self.owners[some]] > self.thresholds[some, None], 1.0, -1.0)

    @cached_property
    def order(self) -> NDArray[np.int32]:
        """For every feature the examples by increasing value, shape (d, n)."""
        return np.argsort(self.columns, axis=1, kind="stable").astype(np.int32)

    @cached_property
    def starts(self) -> Index:
        """Where the stumps of every feature begin, and the number of all, shape (d + 1,)."""
        return np.searchsorted(self.owners, np.arange(len(self.columns) + 1))

    @cached_property
    def cuts(self) -> NDArray[np.int32]:
        """On how many examples every stump votes -1, the first of its feature's `order`, shape (S,)."""
        cuts = [
            np.searchsorted(column[order], self.thresholds[a:b], side="right")
            for column, order, a, b in zip(self.columns, self.order, self.starts, self.starts[1:], strict=False)
        ]
        return np.concatenate(cuts).astype(np.int32)


@dataclass(frozen=True)
class StumpFamily:
    """A choice of stumps; see `stumps`."""

    number: int
    draw: str
    name: str = "stumps"
    members: Sequence[Mapping[str, Any]] = ()
    positive_definite: bool = False

    def __len__(self) -> int:
        return 0

    def fit(self, X: Any, seed: int) -> Stumps:
        """Return the stumps of training examples of shape (n, d).

        Raises `UserError` if there are no features.
        """
        if not X.shape[1]:
            raise UserError("kernel=stumps: the examples have no features")
        return every_stump(X) if self.number == 0 else random_stumps(X, self.number, self.draw, seed)


def stumps(number: int = 500, draw: str = "examples") -> StumpFamily:
    """Decision stumps for boosting: signs of features above thresholds, drawn at random or all possible ones.

    Raises `UserError` if a value is not as described.

    Parameters
    ----------
    number : int >= 0
        How many are drawn; 0 for all, with thresholds in the middle between neighbouring values of a feature in the
        training examples, and one stump that votes +1 on everything.
    draw : {"examples", "range"}
        Of the feature of a stump all are equally likely. Its threshold is the value of the feature in a training
        example, all of which are equally likely, or uniform between its least and its largest value.
    """
    return StumpFamily(Number(low=0, integer=True).check("number", number), Choice(DRAWS).check("draw", draw))


def random_stumps(X: Any, number: int, draw: str, seed: int) -> Stumps:
    """Draw stumps; see `stumps`."""
    rng = np.random.default_rng(seed)
    features = rng.integers(X.shape[1], size=number)
    used, owners = np.unique(features, return_inverse=True)
    columns = _columns(X, used)
    if draw == "range":
        low, high = columns.min(axis=1), columns.max(axis=1)
        share = rng.random(number)
        thresholds = low[owners] * (1.0 - share) + high[owners] * share
    else:
        thresholds = columns[owners, rng.integers(X.shape[0], size=number)]
    by_feature = np.lexsort((thresholds, owners))
    return Stumps(columns, used, owners[by_feature], thresholds[by_feature])


def every_stump(X: Any) -> Stumps:
    """Return a stump for every feature and every two neighbouring values of it, and the constant one, the first."""
    n, d = X.shape
    require(3.0 * 8 * n * d, f"all stumps of {d} features", "set kernel.number to draw some")
    columns = _columns(X, np.arange(d))
    owners, thresholds = [np.zeros(1, dtype=np.intp)], [np.full(1, -np.inf)]
    for k, column in enumerate(columns):
        values = np.unique(column)
        low, high = values[:-1], values[1:]
        middle = low / 2.0 + high / 2.0
        thresholds.append(np.where((low <= middle) & (middle < high), middle, low))  # rounding may reach the next value
        owners.append(np.full(len(low), k, dtype=np.intp))
    return Stumps(columns, np.arange(d), np.concatenate(owners), np.concatenate(thresholds))


def _columns(X: Any, used: Index) -> Array:
    """Return some features of examples, shape (len(used), n)."""
    if isinstance(X, sparse.csr_array):
        return np.ascontiguousarray(X[:, used].toarray().T)
    return np.ascontiguousarray(np.asarray(X, dtype=np.float64)[:, used].T)


KERNELS = {
    "stumps": KernelChoice(
        stumps,
        {
            "number": Parameter(500, Number(low=0, high=10**6, integer=True), "drawn at random; 0: all there are"),
            "draw": Parameter(
                DRAWS[0], Choice(DRAWS), "thresholds of drawn stumps: values of examples, or uniform; with scaling=none"
            ),
        },
        "stumps",
    )
}
