"""What predicts: functions of the inputs, as the points of a path have them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.intp]
#: Difference of decision values below which they are the same; labels +-1, or margins of 1, are the unit as a rule.
SAME = 1e-9


class Predictor(Protocol):
    """A learned function with one output, or one for every class."""

    def outputs(self, inputs: Any) -> Array:
        """Return its values on examples, shape (n_outputs, n)."""
        ...

    def counts(self) -> dict[str, int]:
        """Return ``n_support`` and ``n_nonzero``: on how many examples, and on how many numbers, it rests."""
        ...


@dataclass(frozen=True)
class Expansion:
    """A kernel expansion ``f_o(x) = sum_kj coef[o, k, j] K_k(x, x_j) + intercept[o]``.

    Attributes
    ----------
    coef : array of shape (n_outputs, p, n), or (n_outputs, D)
        One output for two classes or a regression, one for every class otherwise. Where kernels are features, the
        weights of the features: ``f_o(x) = coef[o].x + intercept[o]``.
    intercept : array of shape (n_outputs,)
    multipliers : array of shape (n_outputs, n), optional
        Of the training examples, for methods that have some: support vectors are those with a positive one. The
        coefficients of contradictory examples may cancel.
    units : array of shape (n_outputs,), optional
        Of the outputs, 1 without them: see `own_unit`.
    """

    coef: Array
    intercept: Array
    multipliers: Array | None = None
    units: Array | None = None

    def outputs(self, inputs: Any) -> Array:
        """Return ``f_o`` on examples, shape (n_outputs, n)."""
        values: Array = inputs.expansions(self.coef) + self.intercept[:, None]
        return values

    @property
    def support(self) -> Index:
        """Support vectors: training examples with a multiplier, or a coefficient, that is not 0.

        Where kernels are features, the features with a weight.
        """
        counted = self.coef if self.multipliers is None or self.coef.ndim == 2 else self.multipliers
        return np.flatnonzero(counted.any(axis=tuple(range(counted.ndim - 1))))

    def spread(self, rows: Index, n: int) -> "Expansion":
        """Return the same function, learned from some rows of n examples, as an expansion on all of them."""
        if self.coef.ndim == 2:
            return self
        coef = np.zeros((*self.coef.shape[:2], n))
        coef[:, :, rows] = self.coef
        multipliers = None
        if self.multipliers is not None:
            multipliers = np.zeros((len(self.multipliers), n))
            multipliers[:, rows] = self.multipliers
        return Expansion(coef, self.intercept, multipliers, self.units)

    def counts(self) -> dict[str, int]:
        """Return the number of support vectors, and of coefficients that are not 0."""
        return {"n_support": len(self.support), "n_nonzero": int(np.count_nonzero(self.coef))}


@dataclass(frozen=True)
class Values:
    """The values of a function on the inputs that were seen, shape (n_outputs, n): it has none elsewhere.

    Its inputs are those of the problem, or some of them, and say which: ``inputs.rows``.
    """

    values: Array

    def outputs(self, inputs: Any) -> Array:
        """Return the values of the inputs."""
        return self.values[:, inputs.rows]

    def counts(self) -> dict[str, int]:
        """Return that it rests on no single example."""
        return {"n_support": 0, "n_nonzero": int(np.count_nonzero(self.values))}


@dataclass(frozen=True)
class EveryOutput:
    """The outputs of several predictors, one after the other; None is an output that never counts."""

    parts: Sequence[Predictor | None]

    def outputs(self, inputs: Any) -> Array:
        """Return them, shape (n_outputs, n)."""
        found = [None if part is None else part.outputs(inputs) for part in self.parts]
        n = next(values.shape[1] for values in found if values is not None)
        return np.concatenate([np.full((1, n), -np.inf) if values is None else values for values in found])

    @property
    def units(self) -> Array:
        """The units of the outputs, shape (n_outputs,) where none has several."""
        return np.concatenate([np.ones(1) if part is None else units_of(part) for part in self.parts])

    def counts(self) -> dict[str, int]:
        """Return the sums of the counts."""
        return total([part for part in self.parts if part is not None])


@dataclass(frozen=True)
class Pairs:
    """One predictor for every pair of classes, each of which has a vote.

    Attributes
    ----------
    parts : sequence of Predictor
        Positive for the second class of its pair.
    pairs : sequence of (int, int)
    n_classes : int
    """

    parts: Sequence[Predictor]
    pairs: Sequence[tuple[int, int]]
    n_classes: int

    def choices(self, inputs: Any) -> NDArray[np.bool_]:
        """Return whether a pair chooses its second class, shape (n_pairs, n); 0 is a vote for the first."""
        every = joined(self.parts)
        return every.outputs(inputs) > SAME * units_of(every)[:, None]

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
    units = None if all(part.units is None for part in expansions) else np.concatenate([units_of(p) for p in every])
    return Expansion(
        np.concatenate([part.coef for part in every]),
        np.concatenate([part.intercept for part in every]),
        np.concatenate(multipliers) if multipliers else None,
        units,
    )


def own_unit(outputs: Array, below: float = 1.0) -> Array:
    """Return the unit of outputs that no intercept of about 1 gives one: the largest, or 1 if it is large; shape (1,).

    Homogenous machines have such outputs: of features near 0 all of them are near 0, and none of them is a tie.

    Parameters
    ----------
    outputs : array of shape (n,)
        On the training examples.
    below : float
        Up to which the largest is the unit.
    """
    largest = float(np.abs(outputs).max(initial=0.0))
    return np.array([largest if 0.0 < largest < below else 1.0])


def units_of(predictor: Predictor) -> Array:
    """Return the units of the outputs of a predictor, shape (n_outputs,), or (1,) where all have the same."""
    units = getattr(predictor, "units", None)
    return np.ones(1) if units is None else np.asarray(units)


def total(parts: Sequence[Predictor]) -> dict[str, int]:
    """Return the sums of the counts of some predictors."""
    counts = [part.counts() for part in parts]
    return {key: sum(one[key] for one in counts) for key in counts[0]}


def predict(decision: Array, units: Array | None = None) -> Index:
    """Return class indices for decision values of shape (n_outputs, n).

    One output is read as ``sign f``, with 0 going to class 0; of several the largest counts, of equal ones the first.
    Values within `SAME` of 0, or of the largest, count as equal to it: the last bit decides nothing. That is in units
    of the outputs, of several the largest.
    """
    apart = SAME * (1.0 if units is None else float(units.max()))
    if len(decision) == 1:
        return (decision[0] > apart).astype(np.intp)
    return (decision >= decision.max(axis=0) - apart).argmax(axis=0)
