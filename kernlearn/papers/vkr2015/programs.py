"""Sections 3 and 5 and appendix B: problem (1) and the ways to solve it, as statements with numbers."""

from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from kernlearn.algorithms.margin.vkr import solve_vkr
from kernlearn.datasets import load
from kernlearn.kernels import SCALINGS, GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.solvers import CoordinateDescent
from kernlearn.types import Array

#: Penalties of the kernels, from strong to weak.
PENALTIES = (0.1, 0.03, 0.01, 0.003)
#: Samples of real examples.
SAMPLES = range(3)
#: The kernels by their family.
PARAMETERS: dict[str, dict[str, Any]] = {
    "polynomial": {"degrees": [1, 2, 3]},
    "gaussian": {"gammas": [1.0, 10.0]},
    "sigmoid": {"slopes": [0.5, 2.0]},
}


@lru_cache
def sample(seed: int, name: str = "polynomial") -> tuple[GramStack, Array, GramStack]:
    """Return a stack on 60 real examples, their labels, and the stack with all 351 as centres, these 60 first."""
    data = load("ionosphere")
    (X,) = SCALINGS["unit"](data.X)
    order = np.random.default_rng(seed).permutation(len(X))
    X, y = X[order], np.where(data.y[order] == 1, 1.0, -1.0)
    family = make_family(name, **PARAMETERS[name])
    return GramStack.train(family, X[:60]), y[:60], GramStack(family, X[:60], X)


def linear_program(stack: GramStack, y: Array, penalty: float, *, slack: float = 0.0, hinge: float = 1.0) -> float:
    """Return the value of the program of section 5.1 by HiGHS, ``-inf`` where it has none.

    Parameters
    ----------
    slack : float
        The least value of a slack variable; minus infinity in print.
    hinge : float
        The margin at which the loss is 0.
    """
    from scipy.optimize import linprog

    A = np.hstack([y[:, None] * stack.matrix(k) for k in range(len(stack))])
    (m, n), free = A.shape, [(slack, None)] * len(y)
    cost = np.concatenate([np.full(2 * n, penalty), np.full(m, 1.0 / m)])
    rows = -np.hstack([A, -A, np.eye(m)])
    result = linprog(cost, rows, np.full(m, -hinge), bounds=[(0.0, None)] * (2 * n) + free, method="highs")
    return -inf if result.fun is None else float(result.fun)


def optimum(stack: GramStack, y: Array, penalty: float) -> float:
    """Return the optimal value of (1), where the penalty is that of all kernels."""
    return solve_vkr(stack, y, np.zeros(len(stack)), 0.0, penalty).objective


def not_definite() -> float:
    """Return the largest relative gap of (1) for the sigmoid kernel, which is not positive definite."""
    gaps = []
    for seed in SAMPLES:
        stack, y, _ = sample(seed, "sigmoid")
        gaps += [abs(solve_vkr(stack, y, np.zeros(len(stack)), 0.0, penalty).gap) for penalty in PENALTIES]
    return max(gaps)


def centres_of_the_sample() -> float:
    """Return by what part of it the optimum of (1) falls at most, if other centres x' are allowed too."""
    falls = []
    for seed in SAMPLES:
        stack, y, more = sample(seed, "gaussian")
        falls += [1.0 - optimum(more, y, penalty) / optimum(stack, y, penalty) for penalty in PENALTIES]
    return max(falls)


def values_at_the_sample() -> float:
    """Return how far the values of ``K(., x')`` on the sample are from a combination of those of ``K(., x_j)``."""
    off = []
    for name in ("polynomial", "gaussian"):
        stack, _, more = sample(0, name)
        for k in range(len(stack)):
            K, other = stack.matrix(k), more.matrix(k)
            off.append(float(np.abs(K @ np.linalg.lstsq(K, other, rcond=1e-10)[0] - other).max()))
    return max(off)


def unbounded() -> float:
    """Return in what share of the programs, as printed without ``xi >= 0``, the value is not that of (1)."""
    different = []
    for seed in SAMPLES:
        stack, y, _ = sample(seed)
        for penalty in PENALTIES:
            value = linear_program(stack, y, penalty, slack=-inf)
            different.append(abs(value - optimum(stack, y, penalty)) > 1e-6)
    return float(np.mean(different))


def same_value() -> float:
    """Return how far the value of the program with ``xi >= 0`` is from the optimum of (1), relatively."""
    return max(
        abs(linear_program(stack, y, penalty) / optimum(stack, y, penalty) - 1.0)
        for stack, y, _ in map(sample, SAMPLES)
        for penalty in PENALTIES
    )


def other_hinge() -> float:
    """Return how far the value of (6), whose hinge is ``max(0, 2 - y f)``, is from twice that of (1), relatively."""
    return max(
        abs(linear_program(stack, y, penalty, hinge=2.0) / (2.0 * optimum(stack, y, penalty)) - 1.0)
        for stack, y, _ in map(sample, SAMPLES)
        for penalty in PENALTIES
    )


@lru_cache
def descents() -> list[float]:
    """Return the objectives where no coordinate makes progress, divided by the optima."""
    quotients = []
    for seed in SAMPLES:
        stack, y, _ = sample(seed)
        descent = CoordinateDescent(KernelColumns(stack, y), max_iter=5000)
        for penalty in PENALTIES:
            stopped = descent.solve(np.full((len(stack), len(y)), penalty))
            if stopped.status == "stationary":
                quotients.append(stopped.objective / optimum(stack, y, penalty))
    return quotients


def stops_above() -> float:
    """Return by what part coordinate descent ends above the optimum, at most."""
    return max(descents()) - 1.0


def never_below() -> float:
    """Return the largest quotient of the optimum and what coordinate descent ends with."""
    return 1.0 / min(descents())
