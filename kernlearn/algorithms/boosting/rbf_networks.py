"""Boosting of RBF networks: AdaBoost, AdaBoost_REG, LPBoost and QPBoost with networks in the place of stumps.

A round fits a network to the labels, as `rbf_network` does, with weighted squares. The weak learner is its sign::

    G(x) = sign( sum_k v_k exp(-|x - m_k|^2 / (2 s_k^2)) )
    min_{v, m, s}  1/2 sum_i w_i (sum_k v_k exp(-|x_i - m_k|^2 / (2 s_k^2)) - y_i)^2 + lambda/2 |v|^2 ,  sum_i w_i = 1

Every round starts from the same k-means. The weight of the network follows as in `adaboost_reg`; C = 0 is AdaBoost.
Boosting ends at a network that classifies all examples correctly, because its weight would be infinite. It also ends at
a network that is no better than chance (Algorithm 6.1: "if a < 0: stop"). Then f consists of the networks before it, or
of the first network alone. `rbf_lpboost` and `rbf_qpboost` give new weights to the networks that AdaBoost found, as
`lpboost` and `qpboost` do for stumps. Sources: Raetsch, Onoda and Mueller (2001), Soft margins for AdaBoost, section 4;
Shivaswamy (2010), table 2.3.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from kernlearn.algorithms.boosting import adaboost_reg, lpboost, qpboost
from kernlearn.algorithms.boosting.ebboost import numbers_of_rounds
from kernlearn.algorithms.boosting.votes import Vote, margin_facts
from kernlearn.algorithms.common.networks import NETWORK, Network, dense, fit_network, networks
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.memory import require
from kernlearn.parameters import Number, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.stumps_networks.rbf import start
from kernlearn.solvers.stumps_networks.stumps import NOTHING, least_along
from kernlearn.types import Array, Index

#: Fits a network to weights of examples.
Fit = Callable[[Array], Network]

LIMIT = Number(low=1, high=10_000, integer=True)
NETWORKS = {
    "units": replace(NETWORK["units"], meaning="numbers of units of a network"),
    "lambdas": replace(NETWORK["lambdas"], default=[1e-4, 1e-2]),
    "iterations": NETWORK["iterations"],
    "rounds": Parameter(200, LIMIT, "rounds of boosting"),
}
EVERY = Parameter(50, LIMIT, "rounds from one grid point to the next")
INFLUENCE = replace(adaboost_reg.PARAMETERS["Cs"], default=[1000.0, 100.0, 10.0])


@dataclass(frozen=True, eq=False)
class Networks:
    """Networks that vote by their signs."""

    parts: Sequence[Network]
    _known: WeakKeyDictionary[Any, Array] = field(default_factory=WeakKeyDictionary, repr=False)

    def __len__(self) -> int:
        return len(self.parts)

    def votes(self, inputs: Any) -> Array:
        """Return the votes +-1 of all on examples, shape (r, n)."""
        if inputs not in self._known:
            X = dense(inputs.V)
            require(2.0 * 8 * len(self) * len(X), f"the votes of {len(self)} networks", "use fewer rounds")
            self._known[inputs] = np.array([sign_of(network, X) for network in self.parts])
        return self._known[inputs]


def sign_of(network: Network, X: Array) -> Array:
    """Return the vote +-1 of a network on examples, shape (n,)."""
    return np.where(network.hidden.outputs(X) @ network.weights > 0.0, 1.0, -1.0)


@dataclass(frozen=True, eq=False)
class Weighed:
    """Networks with weights, in the order in which they were found: what boosting finds, round by round."""

    networks: Networks
    alphas: Array

    @cached_property
    def distinct(self) -> Index:
        """How many networks have a weight after every number of rounds, shape (r + 1,)."""
        return np.append(0, np.cumsum(self.alphas != 0.0))

    def scores(self, inputs: Any, number: int) -> Array:
        """Return f after a number of rounds on examples, shape (n,)."""
        return self.alphas[:number] @ self.networks.votes(inputs)[:number]

    def vote(self, inputs: Any, r: int) -> Array:
        """Return the votes +-1 of round r on examples, shape (n,)."""
        return self.networks.votes(inputs)[r]


class Matrix:
    """Votes that are known, where otherwise stumps would be asked for theirs."""

    def __init__(self, values: Array):
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def votes(self, some: Index) -> Array:
        """Return some of them."""
        return self.values[some]


def boost(fit: Fit, X: Array, y: Array, C: float, rounds: int) -> Weighed:
    """Boost networks with soft margins.

    Parameters
    ----------
    fit : callable
        ``fit(w)`` returns the network for weights of the examples.
    X : array of shape (n, d)
    y : array of shape (n,)
        Labels +-1.
    C : float >= 0
        Weight of the influence of examples; see `adaboost_reg`.

    Returns
    -------
    Weighed
        Of r <= rounds networks. If the first gets everything right, it alone, with the weight 1; if it is no better
        than chance, it alone, with the weight 0.
    """
    voters: list[Network] = []
    alphas: list[float] = []
    soft = np.zeros(len(y))
    for _ in range(rounds):
        e = np.exp(soft.min() - soft)  # the weights, the largest of them 1
        network = fit(e)
        right = y * sign_of(network, X)
        perfect = bool((right > 0.0).all())
        if perfect or right @ e <= NOTHING * e.sum():
            if not voters:
                voters, alphas = [network], [float(perfect)]
            break
        gains = right + C * e / e.sum()
        alpha = least_along(e, gains)[0]
        voters.append(network)
        alphas.append(alpha)
        soft += alpha * gains
    return Weighed(Networks(voters), np.array(alphas))


def learners(
    problem: Problem, units: Sequence[int], lambdas: Sequence[float], iterations: int
) -> Iterator[tuple[dict[str, float], Fit]]:
    """Yield the parameters of every kind of network and what fits one, all of a number of units from one start."""
    X, y = dense(problem.inputs.V), problem.y
    for number in sorted(units):
        first = start(X, int(number), problem.seed)
        for lambda_ in sorted(lambdas, reverse=True):
            fit = partial(_fitted, first, X, y, float(lambda_), iterations)
            yield {"units": int(number), "lambda": float(lambda_)}, fit


def _fitted(*arguments: Any) -> Network:
    return fit_network(*arguments)[0]


def grid_of_stages(
    family: Any, rounds: int, every: int, Cs: Sequence[float] = (), **kinds: Any
) -> list[dict[str, float]]:
    """Return all kinds of networks, each with all C if there are some, and the numbers of rounds."""
    influence = _influence(Cs)
    numbers = numbers_of_rounds(rounds, every)
    kinds_of = networks(**kinds)
    return [{**kind, **soft, "rounds": number} for kind in kinds_of for soft in influence for number in numbers]


def _influence(Cs: Sequence[float]) -> list[dict[str, float]]:
    """Return all C as in `adaboost_reg`, or the one that is not said of AdaBoost."""
    return [{"C": float(C)} for C in sorted(Cs, reverse=True)] or [{}]


def stages(problem: Problem, *, rounds: int, every: int, Cs: Sequence[float] = (), **kinds: Any) -> Iterator[Point]:
    """Boost every kind of network, for every C or without, and yield a point for every number of rounds."""
    X, numbers = dense(problem.inputs.V), numbers_of_rounds(rounds, every)
    influence = _influence(Cs)
    for values, fit in learners(problem, **kinds):
        for soft in influence:
            C = soft.get("C", 0.0)
            voters = boost(fit, X, problem.y, C, rounds)
            yield from adaboost_reg.stages(problem, values | soft, C, voters, numbers)


def found_networks(
    problem: Problem, rounds: int, kinds: Mapping[str, Any]
) -> Iterator[tuple[dict[str, float], Networks, Array]]:
    """Yield the networks of every kind that AdaBoost finds, and their votes, shape (r, n)."""
    X = dense(problem.inputs.V)
    for values, fit in learners(problem, **kinds):
        voters = boost(fit, X, problem.y, 0.0, rounds).networks
        yield values, voters, voters.votes(problem.inputs)


def _point(problem: Problem, values: dict[str, float], voters: Networks, solution: Solution) -> Point:
    predictor = Weighed(voters, solution.x)
    margins = problem.y * predictor.scores(problem.inputs, len(voters))
    return Point(values, Vote(predictor, len(voters)), (solution,), margin_facts(margins, solution.x))


def lp_grid(family: Any, nus: Sequence[float], rounds: int, tol: float, **kinds: Any) -> list[dict[str, float]]:
    """Return all kinds of networks, each with all nu, the largest first."""
    return [kind | nu for kind in networks(**kinds) for nu in lpboost.METHOD.grid(family, nus=nus)]


def lp_path(problem: Problem, *, nus: Sequence[float], rounds: int, tol: float, **kinds: Any) -> Iterator[Point]:
    """Solve the program (P) of `lpboost` over the networks of every kind that AdaBoost finds, for every nu."""
    y = problem.y
    for values, voters, votes in found_networks(problem, rounds, kinds):
        for nu in lpboost.METHOD.grid(None, nus=nus):
            solution = lpboost.weigh(votes * y, nu["nu"], tol, np.ones(len(y)))
            yield _point(problem, values | nu, voters, solution)


def qp_grid(family: Any, Cs: Sequence[float], rounds: int, tol: float, **kinds: Any) -> list[dict[str, float]]:
    """Return all kinds of networks, each with all C, the strongest regularisation first."""
    return [kind | C for kind in networks(**kinds) for C in qpboost.METHOD.grid(family, Cs=Cs)]


def qp_path(problem: Problem, *, Cs: Sequence[float], rounds: int, tol: float, **kinds: Any) -> Iterator[Point]:
    """Solve the program (P) of `qpboost` over the networks of every kind that AdaBoost finds, for every C."""
    for values, voters, votes in found_networks(problem, rounds, kinds):
        every = np.arange(len(votes)), np.ones(len(votes))
        solver = qpboost.QPBoostSolver(Matrix(votes), problem.y, every, tol)
        for C in qpboost.METHOD.grid(None, Cs=Cs):
            yield _point(problem, values | C, voters, solver.solve(C["C"]))


def _method(name: str, description: str, problem: str, more: dict[str, Parameter], grid: Any, path: Any) -> Method:
    parameters = NETWORKS | more
    return Method(name, f"{description} of RBF networks", problem, parameters, grid, path, 3, inputs="features")


NUS = {"nus": lpboost.PARAMETERS["nus"], "tol": lpboost.TOL}
CS = {"Cs": qpboost.PARAMETERS["Cs"], "tol": lpboost.TOL}
METHODS = [
    _method("rbf_adaboost", "AdaBoost", "stages", {"every": EVERY}, grid_of_stages, stages),
    _method("rbf_adaboost_reg", "AdaBoost_REG", "stages", {"Cs": INFLUENCE, "every": EVERY}, grid_of_stages, stages),
    _method("rbf_lpboost", "LPBoost", "linear programs", NUS, lp_grid, lp_path),
    _method("rbf_qpboost", "QPBoost", PROGRAMS, CS, qp_grid, qp_path),
]
