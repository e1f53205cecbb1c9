"""The soft-margin SVM with bias, one kernel at a time.

::

    (P)  min_{w,b}  1/2 |w|^2 + C sum_i max(0, 1 - y_i (w.phi(x_i) + b))
    (D)  max_alpha  sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K(x_i, x_j)
         subject to sum_i alpha_i y_i = 0,  0 <= alpha_i <= C

The homotopy of `kernlearn.solvers.SVMSolver` solves the whole grid of C along one path. LibSVM and OSQP (as a general
quadratic program) solve point by point. If the kernel matrix is too large, SMO with active sets finds the same optimum
from rows of the matrix. Source: Cortes and Vapnik (1995).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from kernlearn.algorithms.core.certified import handed_out
from kernlearn.algorithms.core.grams import by_rows, gram_with_bias
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point, rebuilt, single_kernel_point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import svm
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import (
    SVM_SOLVERS,
    KernelGram,
    Solver,
)
from kernlearn.types import Array

PARAMETERS: dict[str, Parameter] = {
    "Cs": Parameter(
        [1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7],
        Numbers(Number(positive=True)),
        "weights of the loss",
        "C",
    ),
    "tol": Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap"),
    "solver": Parameter(
        "homotopy",
        Choice(tuple(SVM_SOLVERS)),
        "homotopy: our homotopy method; libsvm: less exact; osqp: slow; smo: our SMO with active sets",
    ),
    "max_iter": Parameter(
        100_000, Number(low=1, integer=True), "largest number of iterations, with solver=libsvm only"
    ),
}


def make_solver(
    K: Array | KernelGram, y: Array, tol: float, solver: str, max_iter: int, weights: Array | None = None
) -> Solver:
    """Return the solver of a name; `max_iter` is LibSVM's, `weights` are factors of C for every example."""
    if isinstance(K, KernelGram):
        return by_rows(K, y, tol, solver, weights)
    limits = {"max_iter": max_iter} if solver == "libsvm" else {}
    return SVM_SOLVERS[solver](K, y, tol, weights=weights, **limits)


def path(
    problem: Problem,
    *,
    Cs: Sequence[float],
    tol: float = 1e-6,
    solver: str = "homotopy",
    max_iter: int = 100_000,
) -> Iterator[Point]:
    """Solve the SVM on the whole grid, for every kernel warm in C (LibSVM starts every point anew)."""
    stack, y, weights = problem.inputs, problem.y, problem.weights

    def along(k: int, member: dict[str, Any]) -> Iterator[Point]:  # its matrices are gone when the next are made
        single = stack.select(k)
        K, drift = gram_with_bias(single)
        warm = make_solver(K, y, tol, solver, max_iter, weights)
        for C in sorted(Cs):
            solution = warm.solve(float(C))
            values = {**member, "C": float(C)}
            prove = partial(svm, single, y, alpha=solution.dual, C=C, weights=weights)
            solution = handed_out(solution, drift, prove, tol)
            point = values, len(stack), k, solution.x, solution.intercept
            yield single_kernel_point(*point, solution, solution.dual)

    for k, member in enumerate(stack.family.members):
        yield from along(k, member)


METHOD = Method(
    "l2_svm",
    "soft-margin SVM (one kernel)",
    PROGRAMS,
    PARAMETERS,
    grid_of({"C": "Cs"}),
    path,
    version=5,
    max_matrix_bytes=MAX_MATRIX_BYTES,
    rows_only=True,
    class_weight=True,
    certificate=rebuilt("l2_svm"),
)
