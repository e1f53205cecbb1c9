"""The soft-margin SVM of the textbook: mean loss, lambda in the place of C, and hyperplanes with or without bias.

::

    (P)  min_{w,b}  lambda |w|^2 + (1/m) sum_i max(0, 1 - y_i (<w, psi(x_i)> + b))                            (15.5)
    (D)  max_a      sum_i a_i - 1/(4 lambda) sum_ij a_i a_j y_i y_j K(x_i, x_j)
         subject to sum_i a_i y_i = 0,  0 <= a_i <= 1/m ;    w = 1/(2 lambda) sum_i a_i y_i psi(x_i)

Homogenous hyperplanes have b = 0 (15.6), and then (D) has no equation. In the coefficients of w this is problem (16.4).
(P) is 2 lambda times the problem of `algo=l2_svm` with ``C = 1/(2 lambda m)``, and the same homotopy solves it. Source:
Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, sections 15.2 and 16.2.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from kernlearn.algorithms.core.certified import handed_out
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point, rebuilt, single_kernel_point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates.svm import soft_margin
from kernlearn.parameters import Flag, Number, Numbers, Parameter
from kernlearn.solvers import Solution, SVMSolver
from kernlearn.types import Array

HOMOGENOUS = Parameter(False, Flag(), "true: hyperplanes through the origin of feature space, without a bias")
TOL = Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap")
PARAMETERS: dict[str, Parameter] = {
    "lambdas": Parameter(
        [10.0**-k for k in range(9)], Numbers(Number(positive=True)), "weights of the squared norm", "lambda_"
    ),
    "homogenous": HOMOGENOUS,
    "tol": TOL,
}


def solve_soft_svm(
    K: Array, y: Array, lambda_: float, *, homogenous: bool = False, solver: SVMSolver | None = None
) -> Solution:
    """Solve (P) and (D).

    Parameters
    ----------
    K : array of shape (m, m)
        Gram matrix.
    y : array of shape (m,)
        Labels +-1, both of them.
    lambda_ : float > 0
    homogenous : bool
        Whether b is 0.
    solver : SVMSolver, optional
        One used before on the same matrix and labels, with a bias or without, to start from where it stands.

    Returns
    -------
    Solution
        ``x`` are the coefficients of w, shape (m,); ``dual`` is a.
    """
    solver = solver or SVMSolver(K, y, bias=not homogenous)
    unit = 2.0 * lambda_  # of (P), where the solver has 1/2 |w|^2 + C sum_i loss_i
    return solver.solve(1.0 / (2.0 * lambda_ * len(y))).times(unit)


def path(problem: Problem, *, lambdas: Sequence[float], homogenous: bool = False, tol: float = 1e-6) -> Iterator[Point]:
    """Solve for every kernel and every lambda, the largest first, for every kernel warm in lambda."""
    stack, y, weights = problem.inputs, problem.y, problem.weights
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K, drift = single.matrix_with_bias(0, not homogenous)
        warm = SVMSolver(K, y, tol, weights=weights, bias=not homogenous)
        for lambda_ in sorted(lambdas, reverse=True):
            solution = solve_soft_svm(K, y, lambda_, solver=warm)
            values = {**member, "lambda": float(lambda_)}
            more: dict[str, Any] = {"lambda_": lambda_, "weights": weights, "bias": not homogenous}
            prove = partial(soft_margin, single, y, alpha=solution.dual, **more)
            solution = handed_out(solution, drift, prove, tol)
            point = values, len(stack), k, solution.x, solution.intercept
            yield single_kernel_point(*point, solution, solution.dual)


METHOD = Method(
    "soft_svm",
    "soft-margin SVM with a mean loss and a penalty lambda, with or without a bias term (one kernel)",
    PROGRAMS,
    PARAMETERS,
    grid_of({"lambda": "-lambdas"}),
    path,
    version=2,
    class_weight=True,
    certificate=rebuilt("soft_svm"),
)
