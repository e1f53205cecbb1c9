"""AdaBoost of decision stumps: every round adds the stump that is best on the weighted examples.

The example i has the weight ``w_i = e^{-y_i f(x_i)}``. For a stump G, let I be the examples that it classifies
correctly, J the others, and ``W_I = sum_{i in I} w_i``. A round adds the stump with the smallest ``W_J``. Its weight
minimises ``sum_i e^{-y_i (f + a G)(x_i)}``::

    a = 1/2 log(W_I / W_J)

A stump that classifies all examples correctly would have an infinite weight. Then f is this stump alone. Source: Freund
and Schapire (1997); Shivaswamy (2010), Algorithm 6.1. The same code solves `ebboost`, which is AdaBoost for lambda = 0.
"""

from collections.abc import Iterator
from typing import Any

from kernlearn.algorithms.boosting.ebboost import EVERY, ROUNDS, numbers_of_rounds, stages
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem

PARAMETERS = {"rounds": ROUNDS, "every": EVERY}


def grid(family: Any, rounds: int, every: int) -> list[dict[str, float]]:
    """Return the numbers of rounds."""
    return [{"rounds": number} for number in numbers_of_rounds(rounds, every)]


def path(problem: Problem, *, rounds: int, every: int) -> Iterator[Point]:
    """Boost once, and yield a point for every number of rounds."""
    for number, point in stages(problem, 0.0, rounds, every):
        yield point({"rounds": number})


METHOD = Method("adaboost", "AdaBoost of decision stumps", "stages", PARAMETERS, grid, path, inputs="stumps")
