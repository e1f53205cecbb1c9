"""Empirical Bernstein boosting: AdaBoost with a penalty on the variance of the exponential loss.

::

    (6.8)  min_f  (sum_i e^{-y_i f(x_i)})^2 + lambda sum_{i>j} (e^{-y_i f(x_i)} - e^{-y_j f(x_j)})^2

Let ``w_i = e^{-y_i f(x_i)}``. For a stump G, let I be the examples that it classifies correctly and J the others, ``W_I
= sum_{i in I} w_i`` and ``P_I = (1 - lambda) W_I^2 + lambda n sum_{i in I} w_i^2``. Then f + a G has the value (6.9)::

    P_I e^{-2a} + P_J e^{2a} + 2 (1 - lambda) W_I W_J

Its minimum, ``2 sqrt(P_I P_J) + 2 (1 - lambda) W_I W_J``, is at ``a = 1/4 log(P_I / P_J)``. A round adds the stump with
the smallest minimum. lambda = 0 is AdaBoost. Source: Shivaswamy (2010), Algorithm 6.2, which finds the best stump by
(6.9). The closed form of the minimum is ours.

The objective is (6.8) divided by its value at f = 0, recomputed from the ensemble. The bound is the smallest value for
all weights of the last stump, by (6.9). It is no bound on the problem over all ensembles; see
`kernlearn.certificates.last_round`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from kernlearn.algorithms.boosting.votes import Rounds, Vote, margin_facts, sorted_of, staged
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates.votes import last_round
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.stumps_networks.stumps import LARGEST, boost
from kernlearn.types import Array

ROUNDS = Parameter(500, Number(low=1, high=10**6, integer=True), "rounds of boosting")
EVERY = Parameter(1, Number(low=1, high=10**6, integer=True), "rounds from one grid point to the next")
PARAMETERS = {
    "lambdas": Parameter(
        [10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001],
        Numbers(Number(low=0, high=1e6)),
        "weights of the variance",
        "lambda_",
    ),
    "rounds": ROUNDS,
    "every": EVERY,
}


def numbers_of_rounds(rounds: int, every: int) -> list[int]:
    """Return the numbers of rounds that are grid points, the last round among them."""
    return [*range(every, rounds, every), rounds]


def grid(family: Any, lambdas: Sequence[float], rounds: int, every: int) -> list[dict[str, float]]:
    """Return all lambda, the largest first, each with the numbers of rounds."""
    numbers = numbers_of_rounds(rounds, every)
    return [{"lambda": float(x), "rounds": number} for x in sorted(lambdas, reverse=True) for number in numbers]


def path(problem: Problem, *, lambdas: Sequence[float], rounds: int, every: int) -> Iterator[Point]:
    """Boost once for every lambda, and yield a point for every number of rounds."""
    for lambda_ in sorted(lambdas, reverse=True):
        for number, point in stages(problem, float(lambda_), rounds, every):
            yield point({"lambda": float(lambda_), "rounds": number})


def stages(
    problem: Problem, lambda_: float, rounds: int, every: int
) -> Iterator[tuple[int, Callable[[dict[str, float]], Point]]]:
    """Boost, and yield the grid's numbers of rounds, each with a function that makes its point of its values."""
    stumps, y, counts = problem.inputs, problem.y, problem.counts
    voters = Rounds(*boost(sorted_of(stumps), y, counts, lambda_, rounds))
    for number in numbers_of_rounds(rounds, every):
        used = min(number, len(voters.alphas))
        margins, solution = _solution(stumps, y, counts, voters, used, lambda_)
        facts = margin_facts(margins, voters.alphas[:used])
        yield number, partial(Point, predictor=Vote(voters, used), solutions=(solution,), facts=facts)


def _solution(
    stumps: Stumps, y: Array, counts: Array, voters: Rounds, number: int, lambda_: float
) -> tuple[Array, Solution]:
    """Return the margins ``y_i f(x_i)`` after a number of rounds, and the solution."""
    margins, alphas = y * voters.scores(stumps, number), voters.alphas[:number]
    right, alpha = np.zeros(len(y), dtype=np.bool_), 0.0
    if number:
        right, alpha = y * voters.vote(stumps, number - 1) > 0.0, float(abs(alphas[-1]))
    certificate = last_round(margins, right, counts, lambda_, alpha, LARGEST if number else 0.0)
    weights = counts * np.exp(margins.min() - margins)
    return margins, staged(alphas, weights / weights.sum(), certificate)


METHOD = Method(
    "ebboost",
    "empirical Bernstein boosting of decision stumps: AdaBoost with a penalty on the variance of the loss",
    "stages",
    PARAMETERS,
    grid,
    path,
    inputs="stumps",
)
