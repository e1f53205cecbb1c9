"""What predicts: functions of the inputs, as the points of a path have them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.core.rounding import (
    Evaluation,
    error_of_sums,
    same_for_all,
    side_by_side,
    signed,
    without_noise,
)
from kernlearn.types import Array, Index


class Predictor(Protocol):
    """A learned function with one output, or one for every class."""

    def outputs(self, inputs: Any) -> Array:
        """Return its values on examples, shape (n_outputs, n); see `kernlearn.algorithms.core.rounding`."""
        ...

    def counts(self) -> dict[str, int]:
        """Return ``n_support`` and ``n_nonzero``: on how many examples, and on how many numbers, it rests."""
        ...


class RoundedPredictor(ABC):
    """Base of predictors that know how far rounding moves their outputs; those of others count as exact."""

    @abstractmethod
    def evaluate(self, inputs: Any) -> Evaluation:
        """Return the outputs as they are computed, and bounds of their rounding errors."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """Return what they are, see `Predictor`."""

    def outputs(self, inputs: Any) -> Array:
        """Return ``f_o`` on examples, shape (n_outputs, n), without what rounding alone decides."""
        return without_noise(self.evaluate(inputs))


def evaluation_of(predictor: Predictor, inputs: Any) -> Evaluation:
    """Return the outputs of any predictor with their bounds."""
    if isinstance(predictor, RoundedPredictor):
        return predictor.evaluate(inputs)
    values = predictor.outputs(inputs)
    return same_for_all(values, np.zeros(len(values)))


@dataclass(frozen=True)
class Expansion(RoundedPredictor):
    """A kernel expansion ``f_o(x) = sum_kj coef[o, k, j] K_k(x, x_j) + intercept[o]``."""

    #: Shape (n_outputs, p, n), or (n_outputs, D): one output for two classes or a regression, one for every class
    #: otherwise. Where kernels are features, the weights of the features: ``f_o(x) = coef[o].x + intercept[o]``.
    coef: Array
    #: Shape (n_outputs,).
    intercept: Array
    #: Shape (n_outputs, n): of the training examples, for methods that have some: support vectors are those with a
    #: positive one. The coefficients of contradictory examples may cancel.
    multipliers: Array | None = None

    def evaluate(self, inputs: Any) -> Evaluation:
        """Return the outputs and the bounds ``error(|b| + sum_kj |coef_kj| |K_k(x, x_j)|)``.

        In the place of ``|K|`` is what a kernel value adds up, where that is more: it is rounded, too.
        """
        values: Array = inputs.expansions(self.coef) + self.intercept[:, None]
        size = np.where(np.isfinite(self.intercept), np.abs(self.intercept), 0.0)  # -inf never counts
        terms = np.count_nonzero(self.coef.reshape(len(self.coef), -1), axis=1)

        def bounds(rows: Index) -> Array:
            return error_of_sums(inputs.magnitudes(self.coef, rows) + size[:, None], terms[:, None])

        return Evaluation(values, error_of_sums(inputs.largest_magnitudes(self.coef) + size, terms), bounds)

    @property
    def support(self) -> Index:
        """Support vectors: training examples with a multiplier, or a coefficient, that is not 0.

        Where kernels are features, the features with a weight.
        """
        counted = self.coef if self.multipliers is None or self.coef.ndim == 2 else self.multipliers
        return np.flatnonzero(counted.any(axis=tuple(range(counted.ndim - 1))))

    def with_part(self) -> Index:
        """Return the training examples with a coefficient or a multiplier that is not 0.

        Where a kernel is made of all examples, more of them have a coefficient than are support vectors.
        """
        parts = [self.coef.any(axis=(0, 1))] + ([] if self.multipliers is None else [self.multipliers.any(axis=0)])
        return np.flatnonzero(np.any(parts, axis=0))

    def embed_in(self, rows: Index, n: int) -> "Expansion":
        """Return the same function, learned from some rows of n examples, as an expansion on all of them."""
        if self.coef.ndim == 2:
            return self
        coef = np.zeros((*self.coef.shape[:2], n))
        coef[:, :, rows] = self.coef
        multipliers = None
        if self.multipliers is not None:
            multipliers = np.zeros((len(self.multipliers), n))
            multipliers[:, rows] = self.multipliers
        return Expansion(coef, self.intercept, multipliers)

    def counts(self) -> dict[str, int]:
        """Return the number of support vectors, and of coefficients that are not 0."""
        return {"n_support": len(self.support), "n_nonzero": int(np.count_nonzero(self.coef))}


@dataclass(frozen=True)
class Values(RoundedPredictor):
    """The values of a function on the inputs that were seen, shape (n_outputs, n): it has none elsewhere.

    Its inputs are those of the problem, or some of them, and say which: ``inputs.rows``.
    """

    #: Shape (n_outputs, n).
    values: Array
    #: A bound of what they are differences of; 0 where they are exact.
    size: float = 0.0

    def evaluate(self, inputs: Any) -> Evaluation:
        """Return the values of the inputs."""
        n_outputs, n = self.values.shape
        return same_for_all(self.values[:, inputs.rows], error_of_sums(np.full(n_outputs, self.size), n))

    def counts(self) -> dict[str, int]:
        """Return that it rests on no single example."""
        return {"n_support": 0, "n_nonzero": int(np.count_nonzero(self.values))}


@dataclass(frozen=True)
class EveryOutput(RoundedPredictor):
    """The outputs of several predictors, one after the other; None is an output that never counts."""

    parts: Sequence[Predictor | None]

    def evaluate(self, inputs: Any) -> Evaluation:
        """Return all outputs, shape (n_outputs, n), with their bounds."""
        some = [None if part is None else evaluation_of(part, inputs) for part in self.parts]
        n = next(one.values.shape[1] for one in some if one is not None)
        never = same_for_all(np.full((1, n), -np.inf), np.zeros(1))
        return side_by_side([never if one is None else one for one in some])

    def counts(self) -> dict[str, int]:
        """Return the sums of the counts."""
        return total([part for part in self.parts if part is not None])


@dataclass(frozen=True)
class Pairs:
    """One predictor for every pair of classes, each of which has a vote."""

    #: Positive for the second class of its pair.
    parts: Sequence[Predictor]
    pairs: Sequence[tuple[int, int]]
    n_classes: int

    def choices(self, inputs: Any) -> NDArray[np.bool_]:
        """Return whether a pair chooses its second class, shape (n_pairs, n); 0 is a vote for the first."""
        return signed(evaluation_of(joined(self.parts), inputs)) > 0.0

    def outputs(self, inputs: Any) -> Array:
        """Return the number of votes of every class, shape (n_classes, n)."""
        return count_votes(self.choices(inputs), self.pairs, self.n_classes)

    def counts(self) -> dict[str, int]:
        """Return the sums of the counts."""
        return total(self.parts)


def count_votes(choices: NDArray[np.bool_], pairs: Sequence[tuple[int, int]], n_classes: int) -> Array:
    """Return the number of votes of every class, shape (n_classes, n), from what every pair chooses; see `Pairs`."""
    votes = np.zeros((n_classes, choices.shape[1]))
    for chosen, (first, second) in zip(choices, pairs, strict=True):
        votes[second] += chosen
        votes[first] += ~chosen
    return votes


def joined(parts: Sequence[Predictor | None]) -> Predictor:
    """Return the predictor with the outputs of all; of kernel expansions it is one again."""
    expansions = [part for part in parts if isinstance(part, Expansion)]
    if len(expansions) < sum(part is not None for part in parts):
        return EveryOutput(parts)
    empty = Expansion(np.zeros_like(expansions[0].coef), np.full(1, -np.inf))
    every = [part if isinstance(part, Expansion) else empty for part in parts]
    multipliers = [part.multipliers for part in expansions if part.multipliers is not None]
    return Expansion(
        np.concatenate([part.coef for part in every]),
        np.concatenate([part.intercept for part in every]),
        np.concatenate(multipliers) if multipliers else None,
    )


def total(parts: Sequence[Predictor]) -> dict[str, int]:
    """Return the sums of the counts of some predictors."""
    counts = [part.counts() for part in parts]
    return {key: sum(one[key] for one in counts) for key in counts[0]}


def predict(decision: Array) -> Index:
    """Return class indices for decision values of shape (n_outputs, n), as scikit-learn does.

    One output is class 1 where it is above 0; of several the largest counts, of equal ones the first.
    """
    return (decision[0] > 0.0).astype(np.intp) if len(decision) == 1 else decision.argmax(axis=0)
