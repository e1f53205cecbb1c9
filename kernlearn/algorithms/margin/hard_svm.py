"""The hard-margin SVM: the hyperplane of feature space that separates the classes with the largest margin.

::

    (P)  min_{w,b}      |w|^2   subject to  y_i (<w, psi(x_i)> + b) >= 1                                      (15.2)
    (D)  max_{a >= 0}   2 sum_i a_i - sum_ij a_i a_j y_i y_j K(x_i, x_j)   subject to  sum_i a_i y_i = 0     (15.11)

twice what is printed as (15.11), as (P) has no half; homogenous hyperplanes have b = 0 (15.3), and (D) no equation.
The margin, ``min_i |<w, psi(x_i)> + b| / |w|``, is ``1/|w|`` at the solution (lemma 15.2).

Solved as soft-margin SVM of growing C, warm, until no a_i is at its bound: then a larger C changes nothing. Any
separating f and any a give bounds, ``|w|^2 / min_i (y_i f(x_i))^2`` and ``(sum_i a_i)^2 / |sum_i a_i y_i psi(x_i)|^2``;
these are certified. A margin of less than about 1e-5 of the largest |psi(x_i)| is not told from none. Source: Shalev-
Shwartz and Ben-David (2014), Understanding Machine Learning, section 15.1.
"""

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.certified import LAST_PLACES, around_given
from kernlearn.algorithms.common.method import PROGRAMS, Method
from kernlearn.algorithms.common.path import Point, single_kernel_point
from kernlearn.algorithms.common.prepare import require_positive_definite
from kernlearn.algorithms.common.problem import Problem
from kernlearn.algorithms.margin.soft_svm import HOMOGENOUS, TOL
from kernlearn.certificates import relative_gap, status_of
from kernlearn.kernels import KernelFamily
from kernlearn.parameters import Parameter
from kernlearn.solvers import AT_BOUND, Evaluator, Solution, SVMSolver

Array = NDArray[np.float64]

#: Values of C, in units of 1 / max_i K_ii: with the last, margins below 1e-5 of the radius count as none.
GROWING = 10.0 ** np.arange(11)
#: Status of classes that no hyperplane separates, or with a margin that rounding hides.
NOT_SEPARABLE = "not separable"

PARAMETERS: dict[str, Parameter] = {"homogenous": HOMOGENOUS, "tol": TOL}


def solve_hard_svm(K: Array, y: Array, *, homogenous: bool = False, tol: float = 1e-6) -> tuple[Solution, float]:
    """Solve (P) and (D).

    Parameters
    ----------
    K : array of shape (m, m)
        Gram matrix.
    y : array of shape (m,)
        Labels +-1, both of them.
    homogenous : bool
        Whether b is 0.
    tol : float
        Relative duality gap to reach.

    Returns
    -------
    solution : Solution
        ``x`` are the coefficients of w, shape (m,), ``dual`` is a. Where the classes are not separable, status is
        `NOT_SEPARABLE` and the solution that of the soft-margin SVM, ``|w|^2 + 2 C sum_i loss_i``, of the largest C.
    intercept : float
    """
    start, steps, rounds = perf_counter(), 0, 0
    solver, evaluator = SVMSolver(K, y, tol, bias=not homogenous), Evaluator(K, y, bias=not homogenous)
    largest = float(np.diagonal(K).max()) or 1.0
    for C in GROWING / largest:
        soft, intercept = solver.solve(C)
        steps, rounds = steps + soft.iterations, rounds + 1
        if soft.dual.max() < (1.0 - AT_BOUND) * C:
            break
    f = K @ soft.x
    if not homogenous:  # in the middle between the classes
        intercept = -0.5 * float(f[y > 0].min() + f[y < 0].max())
    margin, rounding = float((y * (f + intercept)).min()), LAST_PLACES * largest * float(np.abs(soft.x).sum())
    effort = steps, rounds, perf_counter() - start
    if margin <= rounding:
        doubled = 2.0 * soft.objective, soft.dual, 2.0 * soft.dual_objective, 2.0 * soft.zero
        return Solution(soft.x, *doubled, NOT_SEPARABLE, *effort), intercept
    beta = evaluator.net(soft.dual * y)
    total, norm = float(soft.dual.sum()), float(beta @ K @ beta)
    objective, bound = float(soft.x @ f) / margin**2, total**2 / norm
    status = status_of(relative_gap(objective, bound, 0.0), tol)
    points = (soft.x / margin, objective, (total / norm) * soft.dual, bound, 0.0)
    return Solution(*points, status, *effort), intercept / margin


def grid(family: KernelFamily, **_: Any) -> list[dict[str, float]]:
    """Return the kernels of the family, each with nothing to choose."""
    require_positive_definite(family)
    return [dict(member) for member in family.members]


def path(problem: Problem, *, homogenous: bool = False, tol: float = 1e-6) -> Iterator[Point]:
    """Solve for every kernel; ``margin`` is that of the solution, 0 where the classes are not separable."""
    stack, y = problem.inputs, problem.y
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K, drift = single.matrix_with_bias(0, not homogenous)
        solution, intercept = solve_hard_svm(K, y, homogenous=homogenous, tol=tol)
        bias, solution = around_given(single, K, drift, solution, intercept, tol)
        margin = 0.0 if solution.status == NOT_SEPARABLE else solution.objective**-0.5
        point = single_kernel_point(dict(member), len(stack), k, solution.x, bias, solution, solution.dual)
        yield replace(point, facts={"margin": np.array([margin])})


METHOD = Method(
    "hard_svm",
    "hard-margin SVM, homogenous or not, one kernel of the family at a time",
    PROGRAMS,
    PARAMETERS,
    grid,
    path,
    version=2,
    always_optimal=False,
)
