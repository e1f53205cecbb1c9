"""What a method is given: inputs, what is to be learned of them, and of which of them it is known."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.types import Array, Index


@dataclass(frozen=True)
class Signs:
    """Two classes, labels +-1, shape (n,)."""

    values: Array


@dataclass(frozen=True)
class Classes:
    """Class numbers 0, 1, ..., shape (n,), and how many classes there are; some may have no example here."""

    values: NDArray[np.integer]
    number: int


@dataclass(frozen=True)
class Reals:
    """Real labels, shape (n,)."""

    values: Array


@dataclass(frozen=True)
class Sequences:
    """Class numbers 0, 1, ... for every place of n sequences, one below the other, shape (N,), and how many there are.

    Which places are one sequence is what the inputs say, too: `kernlearn.datasets.Chains`.
    """

    values: NDArray[np.integer]
    number: int


Target = Signs | Classes | Reals | Sequences


@dataclass(frozen=True)
class Problem:
    """What a path is given.

    Attributes
    ----------
    inputs : GramStack, FeatureStack or other Inputs
        Of n examples.
    target : Signs, Classes, Reals or Sequences
        Of the examples that are labelled.
    labelled : array of shape (l,), optional
        Which of the inputs the target is of, where a method also sees examples without labels; by default all.
    seed : int
        Of what a method draws at random.
    weights : array of shape (l,), optional
        Factors > 0 of the losses of the labelled examples, for methods that take them.
    """

    inputs: Any
    target: Target
    labelled: Index | None = None
    seed: int = 0
    weights: Array | None = None

    @property
    def y(self) -> Any:
        """The labels of the target."""
        return self.target.values

    @property
    def counts(self) -> Array:
        """How often the labelled examples count: their weights, or 1 each, shape (l,)."""
        return np.ones(len(self.y)) if self.weights is None else self.weights

    @property
    def is_regression(self) -> bool:
        """Whether the labels are real."""
        return isinstance(self.target, Reals)
