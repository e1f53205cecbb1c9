"""RBF network: Gaussian units with adapted centres and widths, and weights by ridge regression on the labels.

::

    f(x) = sum_k w_k exp(-|x - m_k|^2 / (2 s_k^2))
    min_{w, m, s}  1/(2n) sum_i (f(x_i) - y_i)^2 + lambda/2 |w|^2

The centres start from k-means, and the widths from the distance to the nearest other centre. A few conjugate gradient
steps refine both; the weights are always the optimal ones for them. The problem is not convex. The gap is the gap of
the weights for the final centres and widths. Source: Raetsch, Onoda and Mueller (2001), Soft margins for AdaBoost,
whose lambda is n times ours.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from kernlearn.algorithms.common.networks import NETWORK, dense, fit_network, networks
from kernlearn.algorithms.core.method import RIDGE, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.solvers.stumps_networks.rbf import start


def grid(family: Any, **values: Any) -> list[dict[str, float]]:
    """Return all pairs of a number of units and a penalty."""
    return networks(**values)


def path(problem: Problem, *, units: Sequence[int], lambdas: Sequence[float], iterations: int) -> Iterator[Point]:
    """Fit a network for every pair, all of a number of units from the same start."""
    X, y = dense(problem.inputs.V), problem.y
    for number in sorted(units):
        first = start(X, int(number), problem.seed)
        for lambda_ in sorted(lambdas, reverse=True):
            network, solution = fit_network(first, X, y, float(lambda_), iterations, problem.weights)
            yield Point({"units": int(number), "lambda": float(lambda_)}, network, (solution,))


METHOD = Method(
    "rbf_network",
    "RBF network: ridge regression on Gaussian units whose centres and widths are learned",
    RIDGE,
    NETWORK,
    grid,
    path,
    inputs="features",
    version=2,
)
