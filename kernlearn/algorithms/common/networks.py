"""Networks of Gaussian units ``f(x) = sum_k w_k exp(-|x - m_k|^2 / (2 s_k^2))``: alone, or as votes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.algorithms.core.predictor import RoundedPredictor
from kernlearn.algorithms.core.rounding import Evaluation, error_of_sums
from kernlearn.memory import require
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.stumps_networks.rbf import Units, refine, solve_weights
from kernlearn.types import Array

NETWORK = {
    "units": Parameter([3, 10, 30], Numbers(Number(low=1, high=10_000, integer=True)), "numbers of units", "n_units"),
    "lambdas": Parameter(
        [1e-6, 1e-5, 1e-4, 1e-3, 1e-2], Numbers(Number(positive=True)), "penalties on the weights", "lambda_"
    ),
    "iterations": Parameter(10, Number(low=0, high=10_000, integer=True), "gradient steps on centres and widths"),
}


@dataclass(frozen=True)
class Network(RoundedPredictor):
    """The predictor ``f(x) = sum_k w_k g_k(x)``."""

    hidden: Units
    weights: Array

    def evaluate(self, inputs: Any) -> Evaluation:
        """Return f on examples, shape (1, n), and the bounds ``error(sum_k |w_k| g_k(x))``."""
        X, sizes, terms = dense(inputs.V), np.abs(self.weights), len(self.weights)

        def bounds(rows: NDArray[np.intp]) -> Array:
            return error_of_sums(self.hidden.outputs(X[rows]) @ sizes, terms)[None]

        values = (self.hidden.outputs(X) @ self.weights)[None]
        return Evaluation(values, error_of_sums(sizes.sum(keepdims=True), terms), bounds)

    def counts(self) -> dict[str, int]:
        """Return that it rests on no single example, and on how many units."""
        return {"n_support": 0, "n_nonzero": int(np.count_nonzero(self.weights))}


def dense(V: Any) -> Array:
    """Return features as an array."""
    if isinstance(V, sparse.csr_array):
        require(8.0 * V.shape[0] * V.shape[1], f"{V.shape[1]} features as a dense array", "use fewer examples")
        V = V.toarray()
    return np.asarray(V, dtype=np.float64)


def fit_network(
    units: Units, X: Array, y: Array, lambda_: float, iterations: int, weights: Array | None = None
) -> tuple[Network, Solution]:
    """Refine units and return the network, with the solution for its output weights.

    Parameters
    ----------
    units : Units
        Where to start, see `kernlearn.solvers.stumps_networks.rbf.start`.
    X : array of shape (n, d)
    y : array of shape (n,)
        Labels +-1, or real ones.
    lambda_ : float > 0
    weights : array of shape (n,), optional
        How often every example counts; by default once.
    """
    counts = np.full(len(y), 1.0 / len(y)) if weights is None else weights / weights.sum()
    refined = refine(units, X, y, lambda_, counts, iterations)
    solution = solve_weights(refined.outputs(X), y, lambda_, counts)
    return Network(refined, solution.x), solution


def networks(units: Sequence[int], lambdas: Sequence[float], iterations: int) -> list[dict[str, float]]:
    """Return the grid, all pairs, the fewest units first, and of each number the strongest penalty."""
    return [
        {"units": int(number), "lambda": float(x)} for number in sorted(units) for x in sorted(lambdas, reverse=True)
    ]
