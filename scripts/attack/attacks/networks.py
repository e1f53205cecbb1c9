"""RBF networks, alone and boosted, on hostile examples: their weights and votes held against the definitions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from attacks import oracles, votes
from attacks.data import draw_sample
from attacks.held import ALLOWED, ROUNDING, Array, long
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.common.networks import Network
from kernlearn.kernels import make_family, make_inputs
from kernlearn.kernels.matrices.inputs import Inputs
from kernlearn.solvers.stumps_networks.rbf import start

Wrong = list[tuple[str, float, str]]
#: By which part a descent may end above its start, and the weights of a network above the best ones.
ABOVE = 1e-9
#: An output below this part of the sum of sizes that it is made of may have either sign.
NO_SIGN = 1e-9


@dataclass
class Task:
    """A path over features: what it is told and its inputs."""

    name: str
    inputs: Inputs
    X: Array
    y: Array
    values: dict[str, Any]
    traits: list[str]

    def run(self) -> list[Any]:
        """Return the points."""
        return list(ALGORITHMS[self.name].path(Problem(self.inputs, Signs(self.y)), **self.values))


def draw_task(rng: Generator, name: str) -> Task:
    """Draw examples and what a method is told."""
    sample = draw_sample(rng)
    told: dict[str, Any] = {
        "units": sorted({int(number) for number in rng.choice([1, 2, 3, 8, 60], 2)}),
        "lambdas": sorted({float(10.0**power) for power in rng.uniform(-9, 1, 2)}),
        "iterations": int(rng.choice([0, 1, 10])),
    }
    if name != "rbf_network":
        told["rounds"] = int(rng.choice([1, 4, 12]))
    if name in ("rbf_adaboost", "rbf_adaboost_reg"):
        told["every"] = int(rng.choice([1, 5]))
    if name == "rbf_adaboost_reg":
        told["Cs"] = sorted({float(C) for C in rng.choice([0.0, 1e-2, 1.0, 100.0, 1e6], 2)})
    if name == "rbf_lpboost":
        told |= {"nus": sorted({float(nu) for nu in rng.choice([1.0, 0.5, 0.2, 0.03], 2)}), "tol": 1e-9}
    if name == "rbf_qpboost":
        told |= {"Cs": sorted({float(10.0**power) for power in rng.uniform(-5, 3, 2)}), "tol": 1e-9}
    y = np.where(sample.classes > 0, 1.0, -1.0)
    return Task(name, make_inputs(make_family("features"), sample.X), sample.X, y, told, sample.traits)


def hold(task: Task, point: Any) -> Wrong:
    """Return what is wrong with a point."""
    if task.name == "rbf_network":
        network, (solution,) = point.predictor, point.solutions
        counts = np.full(len(task.y), 1.0 / len(task.y))
        wrong, ours, best, loose = _hold_network(task, point, network, counts)
        for excess, words in (
            (abs(solution.objective - ours) / 0.5, "another objective at the predictor"),
            ((ours - best) / 0.5 - solution.gap, f"gap {solution.gap:.2e} said"),
            ((solution.dual_objective - best) / 0.5, "lower bound above a feasible value"),
        ):
            if excess > ALLOWED + loose / 0.5:
                wrong.append(("false", float(excess), f"{point.values}: {words}"))
        if point.status != "optimal":
            wrong.append(("inaccurate", solution.gap, f"{point.values}: {point.status}, gap {solution.gap:.1e}"))
        return wrong
    vote = point.predictor
    parts, alphas = vote.rounds.networks.parts, vote.rounds.alphas[: vote.number]
    signed, wrong = _signed(task, point)
    margins = long(alphas) @ signed[: len(alphas)]
    if task.name in ("rbf_lpboost", "rbf_qpboost"):
        return wrong + votes.hold_program(task.name.removeprefix("rbf_"), point, signed, margins)
    signed = signed[: len(alphas)]
    if alphas.any():  # its objective is that of `adaboost_reg`, with C = 0 or not
        wrong += votes.hold_rounds("adaboost_reg", point, signed, np.arange(len(alphas)), alphas, best=False)
    soft, C = long(np.zeros(len(task.y))), point.values.get("C", 0.0)
    for network, alpha, right in zip(parts, alphas, signed, strict=False):
        w = np.exp(soft.min() - soft)
        w /= w.sum()
        wrong += _hold_network(task, point, network, w)[0]
        soft += alpha * (right + C * w)
    return wrong


def _signed(task: Task, point: Any) -> tuple[Array, Wrong]:
    """Return the signed votes of the networks of a point, computed anew where they have a sign."""
    networks, wrong = point.predictor.rounds.networks, []
    said = networks.votes(task.inputs)
    for r, network in enumerate(networks.parts):
        f, size = _outputs(task, network)
        other = (np.abs(f) > NO_SIGN * size) & (np.sign(f) != said[r])
        if other.any():
            wrong.append(
                ("false", float(np.abs(f[other]).max()), f"{point.values}: vote {r} is not that of its network")
            )
    return long(said * task.y), wrong


def _outputs(task: Task, network: Network) -> tuple[Array, Array]:
    """Return the outputs of a network in extended precision, and the sum of the sizes of what they are made of."""
    G, w = _units(task, network), long(network.weights)
    return G @ w, np.abs(G) @ np.abs(w) + 1e-300


def _units(task: Task, network: Network) -> Array:
    return _gaussians(task.X, network.hidden.centres, network.hidden.widths)


def _gaussians(X: Array, centres: Array, widths: Array) -> Array:
    apart = long(X)[:, None, :] - long(centres)[None]
    return np.exp(-(apart * apart).sum(axis=2) / (2 * long(widths) ** 2))


def _hold_network(task: Task, point: Any, network: Network, counts: Array) -> tuple[Wrong, Any, Any, float]:
    """Hold a network for given weights of examples: E beside that of the best weights, and beside that at the start.

    E is at most 1/2, its value without units. Beside what is wrong: E, the least E, and what rounding may change.
    """
    lambda_, w, counts = point.values["lambda"], long(network.weights), long(counts)
    G, first = _units(task, network), start(task.X, point.values["units"], 0)
    best, begin = (
        _error(task, H, _ridge(H, task.y, lambda_, counts), lambda_, counts)
        for H in (G, _gaussians(task.X, first.centres, first.widths))
    )
    ours = _error(task, G, w, lambda_, counts)
    # a width or a distance that is wrong by one rounding moves an output by that of its exponent
    loose = (
        1e3 * ROUNDING * float(np.abs(w).sum()) * (1 + float((np.abs(task.X).max() / network.hidden.widths.min()) ** 2))
    )
    wrong = []
    if ours - best > ABOVE + loose:
        wrong.append(("false", float(ours - best), f"{point.values}: weights of a network are not the best"))
    if best - begin > ABOVE + loose:
        wrong.append(("ascent", float(best - begin), f"{point.values}: the descent went up"))
    return wrong, ours, best, loose


def _ridge(G: Array, y: Array, lambda_: float, counts: Array) -> Array:
    A = (G * counts[:, None]).T @ G + long(lambda_) * np.eye(G.shape[1])
    return oracles.refined(A, G.T @ (counts * y))


def _error(task: Task, G: Array, w: Array, lambda_: float, counts: Array) -> Any:
    return (counts @ (G @ w - task.y) ** 2 + lambda_ * (w @ w)) / 2
