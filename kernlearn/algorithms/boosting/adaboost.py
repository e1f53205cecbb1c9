"""AdaBoost over stumps: in every round the stump that is best on weighted examples, which it then weighs anew.

With the weights ``w_i = e^{-y_i f(x_i)}``, I what a stump G gets right, J the rest, ``W_I = sum_{i in I} w_i``, a round
adds the G of least ``W_J`` with the weight that minimises ``sum_i e^{-y_i (f + a G)(x_i)}``::

    a = 1/2 log(W_I / W_J)

A stump that gets everything right would have an infinite weight: it is then f, alone. Source: Freund and Schapire
(1997); Shivaswamy (2010), Algorithm 6.1. It is `ebboost` with lambda = 0, by the same code.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.boosting.ebboost import EVERY, ROUNDS, fitted, numbers_of_rounds, stages
from kernlearn.algorithms.boosting.estimator import Found, StumpClassifier
from kernlearn.algorithms.common.method import Method
from kernlearn.algorithms.common.path import Point
from kernlearn.algorithms.common.problem import Problem
from kernlearn.kernels.stumps import Stumps

Array = NDArray[np.float64]
PARAMETERS = {"rounds": ROUNDS, "every": EVERY}


def grid(family: Any, rounds: int, every: int) -> list[dict[str, float]]:
    """Return the numbers of rounds."""
    return [{"rounds": number} for number in numbers_of_rounds(rounds, every)]


def path(problem: Problem, *, rounds: int, every: int) -> Iterator[Point]:
    """Boost once, and yield a point for every number of rounds."""
    for number, point in stages(problem, 0.0, rounds, every):
        yield point({"rounds": number})


class AdaBoostClassifier(StumpClassifier):
    """AdaBoost of stumps: those of the least weighted error, found in one pass over sorted features.

    More than two classes by one-versus-rest.

    Parameters
    ----------
    rounds : int
        Rounds of boosting, and votes at most.
    n_stumps : int
        How many stumps are drawn at random; 0 for all, with thresholds in the middle between neighbouring values.
    draw : {"examples", "range"}
        Thresholds of drawn stumps: the value of a training example, or uniform in the range of the feature.
    random_state : int, RandomState or None
        Of the draw.

    Attributes
    ----------
    classes_ : array
    features_, thresholds_, estimator_weights_ : arrays of shape (n_votes,)
        Of the stumps +1 where the feature is above the threshold, else -1, and their weights, which are negative where
        the negation votes; of more than two classes lists with such an array for each.
    feature_importances_ : array of shape (d,)
    objective_, dual_objective_, gap_ : float
        As of `kernlearn.algorithms.boosting.ebboost`, sums over the classes and the largest gap.
    """

    _declared = PARAMETERS

    def __init__(
        self,
        rounds: int = 500,
        n_stumps: int = 0,
        draw: str = "examples",
        random_state: Any = None,
    ):
        self.rounds = rounds
        self.n_stumps = n_stumps
        self.draw = draw
        self.random_state = random_state

    def _boost(self, inputs: Stumps, y: Array, weights: Array) -> Found:
        return fitted(inputs, y, weights, 0.0, int(self.rounds))


METHOD = Method("adaboost", "AdaBoost over stumps", "stages", PARAMETERS, grid, path, inputs="stumps")
