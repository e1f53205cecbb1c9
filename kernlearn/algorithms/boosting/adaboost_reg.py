"""AdaBoost_REG: boosting that may give up hard examples, which have had much weight already.

With ``f = sum_r a_r G_r``, ``a_r > 0``, and the weights ``w_i^(r)`` of the rounds, which add up to 1, the influence of
an example is ``mu_i = sum_r a_r w_i^(r) / sum_r a_r``. Its soft margin is ``y_i f(x_i) / sum_r a_r + C mu_i``. A round
takes the stump with the smallest error on the weighted examples, whose weights are proportional to::

    w_i ~ exp(-(sum_r a_r) (soft margin of i)) = exp(-y_i f(x_i) - C sum_r a_r w_i^(r))

A line search finds the weight a of the stump, up to `LARGEST`, that minimises ``mean_i w_i e^{-a (y_i G(x_i) + C
w_i)}``. C = 0 is AdaBoost. Source: Raetsch, Onoda and Mueller (2001), Soft margins for AdaBoost. Their a is twice ours,
because there the exponent has the factor 1/2.

The objective is this mean, recomputed from the ensemble. The bound holds for all weights a of the last round only, see
`kernlearn.certificates.last_soft_round`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kernlearn.algorithms.boosting.ebboost import EVERY, ROUNDS, numbers_of_rounds
from kernlearn.algorithms.boosting.votes import Found, Rounds, Vote, margin_facts, sorted_of, staged
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import Certificate
from kernlearn.certificates.votes import last_soft_round
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.stumps_networks.stumps import LARGEST, boost_soft
from kernlearn.types import Array

PARAMETERS = {
    "Cs": Parameter(
        [1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1],
        Numbers(Number(low=0, high=1e9)),
        "weights of the influence of examples",
        "C",
    ),
    "rounds": ROUNDS,
    "every": EVERY,
}


def grid(family: Any, Cs: Sequence[float], rounds: int, every: int) -> list[dict[str, float]]:
    """Return all C, the largest first, which gives up most; each with the numbers of rounds."""
    numbers = numbers_of_rounds(rounds, every)
    return [{"C": float(C), "rounds": number} for C in sorted(Cs, reverse=True) for number in numbers]


def path(problem: Problem, *, Cs: Sequence[float], rounds: int, every: int) -> Iterator[Point]:
    """Boost once for every C, and yield a point for every number of rounds."""
    for C in sorted(Cs, reverse=True):
        y, numbers = problem.y, numbers_of_rounds(rounds, every)
        chosen, alphas = boost_soft(sorted_of(problem.inputs), y, problem.counts, float(C), rounds)
        yield from stages(problem, {"C": float(C)}, float(C), Rounds(chosen, alphas), numbers)


def stages(
    problem: Problem, values: dict[str, float], C: float, found: Found, numbers: Sequence[int]
) -> Iterator[Point]:
    """Yield the points after some numbers of rounds of what boosting has found."""
    training = Training(problem.inputs, problem.y, problem.counts, C, found)
    for number in numbers:
        rounds = min(number, len(found.alphas))
        margins, solution = training.after(rounds)
        facts = margin_facts(margins, found.alphas[:rounds])
        yield Point({**values, "rounds": number}, Vote(found, rounds), (solution,), facts)


class Training:
    """What the training examples have gone through, from the votes, round by round."""

    def __init__(self, inputs: Any, y: Array, counts: Array, C: float, found: Found):
        self.inputs, self.y, self.counts, self.C, self.found = inputs, y, counts, C, found
        self.influence, self.done = np.zeros(len(y)), 0  # sum_r a_r w_i^(r)
        self.last = np.zeros(len(y))  # w_i of the last round

    def after(self, rounds: int) -> tuple[Array, Solution]:
        """Return the margins ``y_i f(x_i)`` and the solution after some rounds, no fewer than were asked for before."""
        alphas = self.found.alphas[:rounds]
        for r in range(self.done, rounds):
            e = self._weights(self.y * self.found.scores(self.inputs, r))
            self.last = e / (self.counts @ e)
            self.influence += abs(alphas[r]) * self.last
        self.done = rounds
        margins = self.y * self.found.scores(self.inputs, rounds)
        w = self.counts * self._weights(margins)
        return margins, staged(alphas, w / w.sum(), self._certificate(margins, rounds))

    def _certificate(self, margins: Array, rounds: int) -> Certificate:
        soft, alpha = margins + self.C * self.influence, float(np.abs(self.found.alphas[:rounds])[-1:].sum())
        if not alpha:  # no round, or one that is no better than chance
            return last_soft_round(soft, np.zeros(len(soft)), self.counts, 0.0, 0.0)
        gains = self.y * self.found.vote(self.inputs, rounds - 1) + self.C * self.last
        return last_soft_round(soft, gains, self.counts, alpha, LARGEST)

    def _weights(self, margins: Array) -> Array:
        """Return the weights of examples, the largest of them 1."""
        soft = margins + self.C * self.influence
        return np.exp(soft.min() - soft)


METHOD = Method(
    "adaboost_reg",
    "AdaBoost_REG: boosting of decision stumps with soft margins",
    "stages",
    PARAMETERS,
    grid,
    path,
    inputs="stumps",
)
