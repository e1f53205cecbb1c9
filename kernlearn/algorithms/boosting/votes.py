"""Weighted votes ``f(x) = sum_r alpha_r G_r(x)`` (6.7), of stumps or others, and their margins.

A path has a point for every number of rounds, each with one vote more than the one before. So what the rounds add up to
is kept for all inputs that were asked for, and the next point adds what is new.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from kernlearn.algorithms.core.predictor import RoundedPredictor
from kernlearn.algorithms.core.rounding import Evaluation, error_of_sums, same_for_all
from kernlearn.certificates import Certificate, status_of
from kernlearn.certificates.votes import SEPARABLE
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.solvers import Solution
from kernlearn.solvers.stumps_networks.stumps import Sorted, add_votes
from kernlearn.types import Array, Index

#: The relative gap up to which the weight of a round counts as the best.
AGREE = 1e-6


class Voters(Protocol):
    """Functions with the votes +-1 on some examples."""

    def __len__(self) -> int: ...

    def votes(self, some: Index) -> Array:
        """Return the votes of some of them, shape (len(some), n)."""
        ...


class Found(Protocol):
    """What boosting finds, round by round."""

    @property
    def alphas(self) -> Array:
        """The weight of every round, shape (r,)."""
        ...

    @property
    def distinct(self) -> Index:
        """How many different functions have a weight after every number of rounds, shape (r + 1,)."""
        ...

    def scores(self, inputs: Any, number: int) -> Array:
        """Return f after a number of rounds on examples, shape (n,)."""
        ...

    def vote(self, inputs: Any, r: int) -> Array:
        """Return the votes +-1 of round r on examples, as its weight turns them, shape (n,)."""
        ...


def sorted_of(stumps: Stumps) -> Sorted:
    """Return the stumps as solvers take them."""
    return Sorted(stumps.order, stumps.starts, stumps.cuts)


@dataclass(frozen=True, eq=False)
class Rounds:
    """Stumps and their weights in the order in which they were found."""

    #: Integers of shape (r,).
    stumps: Index
    #: Shape (r,): negative where the negation of the stump votes.
    alphas: Array
    _sums: WeakKeyDictionary[Stumps, tuple[int, Array]] = field(default_factory=WeakKeyDictionary, repr=False)

    @cached_property
    def distinct(self) -> Index:
        """How many different stumps there are after every number of rounds, shape (r + 1,)."""
        new = np.zeros(len(self.stumps) + 1, dtype=np.intp)
        new[np.unique(self.stumps, return_index=True)[1] + 1] = 1
        return new.cumsum()

    def scores(self, inputs: Stumps, number: int) -> Array:
        """Return f after a number of rounds on examples, shape (n,)."""
        number = min(number, len(self.alphas))
        done, f = self._sums.get(inputs, (0, np.zeros(inputs.columns.shape[1])))
        if number < done:
            done, f = 0, np.zeros_like(f)
        new = self.stumps[done:number]
        add_votes(inputs.columns, inputs.owners[new], inputs.thresholds[new], self.alphas[done:number], f)
        self._sums[inputs] = number, f
        return f.copy()

    def vote(self, inputs: Stumps, r: int) -> Array:
        """Return the votes +-1 of round r on examples, as its weight turns them, shape (n,)."""
        votes: Array = np.sign(self.alphas[r]) * inputs.votes(self.stumps[r : r + 1])[0]
        return votes


@dataclass(frozen=True)
class Vote(RoundedPredictor):
    """The predictor ``f`` after a number of rounds."""

    rounds: Found
    number: int

    def evaluate(self, inputs: Any) -> Evaluation:
        """Return f on examples, shape (1, n), and its bound, which is that of ``sum_r |alpha_r|``."""
        return evaluated(self.rounds.scores(inputs, self.number)[None], [self.rounds.alphas[: self.number]])

    def counts(self) -> dict[str, int]:
        """Return that it rests on no single example, and on how many functions."""
        return {"n_support": 0, "n_nonzero": int(self.rounds.distinct[min(self.number, len(self.rounds.alphas))])}


def evaluated(values: Array, alphas: Sequence[Array]) -> Evaluation:
    """Return votes, shape (n_outputs, n), with the bounds that follow from the weights of each of them."""
    largest = [error_of_sums(np.abs(weights).sum(), len(weights)) for weights in alphas]
    return same_for_all(values, np.array(largest))


def staged(alphas: Array, weights: Array, certificate: Certificate) -> Solution:
    """Return the solution of the last round of boosting: the weights of all votes, and those of the examples."""
    gap, zero = certificate.gap, certificate.zero
    separable = certificate.dual_objective == 0.0 < certificate.objective
    status = status_of(gap, AGREE, SEPARABLE if separable else "inaccurate")
    P, D = certificate.objective, certificate.dual_objective
    return Solution(alphas, P, weights, D, zero, status, len(alphas), 1, 0.0)


def margin_facts(margins: Array, alphas: Array) -> dict[str, Array]:
    """Return mean and standard deviation of the normalised margins ``y_i f(x_i) / sum_r |alpha_r|`` of examples."""
    normalised = margins / (np.abs(alphas).sum() or 1.0)
    return {"margin_mean": np.array([normalised.mean()]), "margin_std": np.array([normalised.std()])}
