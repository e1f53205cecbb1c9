"""The hard-margin SVM: the hyperplane of feature space that separates the classes with the largest margin.

::

    (P)  min_{w,b}      |w|^2   subject to  y_i (<w, psi(x_i)> + b) >= 1                                      (15.2)
    (D)  max_{a >= 0}   2 sum_i a_i - sum_ij a_i a_j y_i y_j K(x_i, x_j)   subject to  sum_i a_i y_i = 0     (15.11)

(D) is twice the printed (15.11), because (P) has no factor 1/2. Homogenous hyperplanes have b = 0 (15.3), and then (D)
has no equation. The margin, ``min_i |<w, psi(x_i)> + b| / |w|``, is ``1/|w|`` at the solution (lemma 15.2).

It is solved as a soft-margin SVM with growing C, each from the solution before, until no a_i is at its bound. Then a
larger C changes nothing. Any separating f gives an upper bound, ``|w|^2 / min_i (y_i f(x_i))^2``. Any a gives a lower
bound, ``(sum_i a_i)^2 / |sum_i a_i y_i psi(x_i)|^2``. These two are the certificate. A margin of less than about 1e-5
of the largest |psi(x_i)| cannot be distinguished from none. Source: Shalev-Shwartz and Ben-David (2014), Understanding
Machine Learning, section 15.1.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from time import perf_counter

import numpy as np

from kernlearn import certificates
from kernlearn.algorithms.core.certified import handed_out
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point, rebuilt, single_kernel_point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.margin.soft_svm import HOMOGENOUS, TOL
from kernlearn.certificates import Matrix
from kernlearn.certificates.outputs import ENTRY
from kernlearn.kernels import GramStack
from kernlearn.parameters import Parameter
from kernlearn.solvers import AT_BOUND, Solution, SVMSolver
from kernlearn.solvers.core.solution import certified
from kernlearn.twofold import dot
from kernlearn.types import Array

#: Values of C, in units of 1 / max_i K_ii: with the last, margins below 1e-5 of the radius count as none.
GROWING = 10.0 ** np.arange(11)
#: Status of classes that no hyperplane separates, or with a margin that rounding hides.
NOT_SEPARABLE = "not separable"

PARAMETERS: dict[str, Parameter] = {"homogenous": HOMOGENOUS, "tol": TOL}


def solve_hard_svm(K: Array, y: Array, *, homogenous: bool = False, tol: float = 1e-6) -> Solution:
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
    Solution
        ``x`` are the coefficients of w, shape (m,), ``dual`` is a multiple of a; what they prove is not said yet, see
        `proved`. Where the classes are not separable, the status is `NOT_SEPARABLE`, and the solution is that of the
        soft-margin SVM, ``|w|^2 + 2 C sum_i loss_i``, of the largest C.
    """
    start, steps, rounds = perf_counter(), 0, 0
    # In units in which the largest K_ii is about 1, squares of the solution neither overflow nor underflow; a power of
    # two rounds nothing.
    unit = float(2.0 ** np.round(np.log2(largest))) if (largest := float(np.diagonal(K).max())) > 0.0 else 1.0
    scaled = K / unit
    solver = SVMSolver(scaled, y, tol, bias=not homogenous)
    for C in GROWING * (unit / (largest or 1.0)):
        soft = solver.solve(C)
        steps, rounds = steps + soft.iterations, rounds + 1
        if soft.dual.max() < (1.0 - AT_BOUND) * C:
            break
    f, intercept = scaled @ soft.x, soft.intercept
    if not homogenous:  # in the middle between the classes
        intercept = -0.5 * float(f[y > 0].min() + f[y < 0].max())
    margin, rounding = float((y * (f + intercept)).min()), ENTRY * float(np.abs(soft.x).sum()) * largest / unit
    effort = steps, rounds, perf_counter() - start
    if margin <= rounding:
        values = (2.0 * value / unit for value in (soft.objective, soft.dual_objective, soft.zero))
        objective, bound, zero = values
        points = (soft.x / unit, objective, soft.dual / unit, bound, zero)
        return Solution(*points, NOT_SEPARABLE, *effort, intercept)
    x, dual, intercept = soft.x / (margin * unit), soft.dual / unit, intercept / margin
    proof = certificates.hard_svm(Matrix(K), y, x, intercept, dual, not homogenous)
    return certified(Solution(x, 0.0, dual, 0.0, 0.0, "optimal", *effort, intercept), proof, tol)


def proved(stack: GramStack, y: Array, solution: Solution, drift: Array, homogenous: bool, tol: float) -> Solution:
    """Return the solution for the kernel as given, and what is proved of its predictor if that separates classes."""
    if solution.status == NOT_SEPARABLE:
        return replace(solution, intercept=solution.intercept - dot(drift, solution.x))
    prove = partial(certificates.hard_svm, stack, y, alpha=solution.dual, bias=not homogenous)
    return handed_out(solution, drift, prove, tol)


def path(problem: Problem, *, homogenous: bool = False, tol: float = 1e-6) -> Iterator[Point]:
    """Solve for every kernel; ``margin`` is that of the solution, 0 where the classes are not separable."""
    stack, y = problem.inputs, problem.y
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K, drift = single.matrix_with_bias(0, not homogenous)
        solution = solve_hard_svm(K, y, homogenous=homogenous, tol=tol)
        solution = proved(single, y, solution, drift, homogenous, tol)
        margin = 0.0 if solution.status == NOT_SEPARABLE else solution.objective**-0.5
        parts = dict(member), len(stack), k, solution.x, solution.intercept
        point = single_kernel_point(*parts, solution, solution.dual)
        yield replace(point, facts={"margin": np.array([margin])})


METHOD = Method(
    "hard_svm",
    "hard-margin SVM, with or without a bias term (one kernel)",
    PROGRAMS,
    PARAMETERS,
    grid_of({}),
    path,
    version=2,
    always_optimal=False,
    certificate=rebuilt("hard_svm"),
)
