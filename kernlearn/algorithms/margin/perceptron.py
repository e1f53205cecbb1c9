"""The batch perceptron, on features and on kernels.

::

    beta = 0;   while some i has  y_i sum_j beta_j K(x_j, x_i) <= 0:   beta_i += y_i

Examples are taken in the order of the data; the source leaves open which example is taken. An output that differs from
0 only by rounding counts as 0, so the units of the examples have no effect. If there is a separating hyperplane through
the origin, the method finds one after T updates. With ``w = sum_j beta_j psi(x_j)``, the radius ``rho = max_i
|psi(x_i)|`` and the margin gamma of the best such hyperplane::

    min_i y_i <w, psi(x_i)> / |w|  <=  gamma  <=  |w| / T ,     T <= (rho / gamma)^2

The upper bound on gamma follows from ``gamma T <= <w, w*> <= |w|`` for the unit vector w* with this margin, and the
bound on T from ``|w|^2 <= T rho^2``. Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning,
section 9.1.2, remark 15.1 and exercise 2 of chapter 16.
"""

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, single_kernel_point
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates.outputs import EPS
from kernlearn.kernels import GramStack
from kernlearn.parameters import Number, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.svm.online import feature_updates, kernel_updates
from kernlearn.types import Array

#: Where the updates are as many as are allowed.
CAPPED = "capped"
CONSTANT = Parameter(
    1.0, Number(low=0, high=1e6), "value of an extra constant feature, whose weight is the bias; 0: no bias"
)
PARAMETERS: dict[str, Parameter] = {
    "constant": CONSTANT,
    "max_updates": Parameter(
        100_000, Number(low=1, high=10**12, integer=True), "number of updates after which the method stops"
    ),
}


def solve_perceptron(X: Any, y: Array, max_updates: int = 100_000) -> tuple[Array, int]:
    """Run the perceptron on features.

    Parameters
    ----------
    X : array or sparse matrix of shape (m, d)
    y : array of shape (m,)
        Labels +-1.

    Returns
    -------
    w : array of shape (d,)
    updates : int
    """
    rows, w = sparse.csr_array(X, dtype=np.float64), np.zeros(X.shape[1])
    unsure = rounding_of(np.asarray(rows.multiply(rows).sum(axis=1)))
    return w, feature_updates(rows.indptr, rows.indices, rows.data, y, unsure, max_updates, w)


def solve_kernel_perceptron(K: Array, y: Array, max_updates: int = 100_000) -> Solution:
    """Run the perceptron on a Gram matrix: the same updates, by coefficients.

    Parameters
    ----------
    K : array of shape (m, m)
    y : array of shape (m,)
        Labels +-1.

    Returns
    -------
    Solution
        Of the problem to have no example on the wrong side or on the hyperplane: the objective is their number, whose
        lower bound is 0. ``x`` is beta, ``dual`` are the numbers of updates of each example, ``iterations`` their sum.
    """
    start, beta, m = perf_counter(), np.zeros(len(y)), len(y)
    unsure = rounding_of(np.diagonal(K))
    updates = kernel_updates(np.ascontiguousarray(K), y, unsure, max_updates, beta, np.zeros(m))
    wrong = float(np.sum(y * (K @ beta) <= 0.0))
    status = CAPPED if wrong else "optimal"
    return Solution(beta, wrong, np.abs(beta), 0.0, float(m), status, updates, 1, perf_counter() - start)


def rounding_of(squares: Array) -> Array:
    """Return what rounding may be worth in an output, by update: of examples with these squares of their norms."""
    norms = np.sqrt(np.maximum(squares, 0.0))
    return EPS * norms * norms.max(initial=0.0)


def proved(stack: GramStack, y: Array, solution: Solution, constant: float) -> tuple[float, Solution]:
    """Return the intercept, and the solution with the number of examples that the predictor has wrong.

    The kernel of a `stack` of shape (1, m, m) predicts; y are labels +-1, shape (m,).
    """
    intercept = constant**2 * float(solution.x.sum())
    predictor = Expansion(solution.x[None, None], np.array([intercept]))
    wrong = float(np.sum(y * predictor.outputs(stack)[0] <= 0.0))
    return intercept, replace(solution, objective=wrong, status=CAPPED if wrong else "optimal")


def bounds_of(K: Array, y: Array, beta: Array, updates: int) -> dict[str, Array]:
    """Return what a run proves: bounds of the margin (0 where nothing is separated), and of the number of updates.

    ``updates_bound`` is ``(rho / gamma)^2`` with the margin of w for gamma, infinite where nothing is separated; the
    gamma of the hard-margin SVM makes it smaller.
    """
    f, rho2 = K @ beta, float(np.diagonal(K).max())
    norm = max(float(beta @ f), 0.0) ** 0.5
    margin = max(float((y * f).min()), 0.0) / norm if norm else 0.0
    ratio = rho2**0.5 / margin if margin else np.inf  # not squared before: it may be as large as 1e200
    bounds = {"margin_bound": norm / max(updates, 1), "updates_bound": ratio * ratio}
    facts = {"updates": float(updates), "margin": margin, **bounds}
    return {name: np.array([value]) for name, value in facts.items()}


def path(problem: Problem, *, constant: float = 1.0, max_updates: int = 100_000) -> Iterator[Point]:
    """Run the perceptron for every kernel."""
    stack, y = problem.inputs, problem.y
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K = single.matrix(0) + constant**2
        intercept, solution = proved(single, y, solve_kernel_perceptron(K, y, max_updates), constant)
        beta = solution.x
        point = single_kernel_point(dict(member), len(stack), k, beta, intercept, solution)
        yield replace(point, facts=bounds_of(K, y, beta, solution.iterations))


METHOD = Method(
    "perceptron",
    "batch perceptron (one kernel)",
    "perceptrons",
    PARAMETERS,
    grid_of({}),
    path,
    always_optimal=False,
    version=3,
)
