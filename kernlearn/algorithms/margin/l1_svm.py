"""The norm-1 SVM: hinge loss and the l1 norm of the coefficients of a kernel expansion, one kernel.

::

    min_a  (1/m) sum_i max(0, 1 - y_i f(x_i)) + beta sum_j |a_j| ,    f(x) = sum_j a_j K(x, x_j)

the problem (1) of `kernlearn.algorithms.margin.vkr` with one kernel and ``lambda = 0``. Source: Zhu, Rosset, Hastie and
Tibshirani (2004); as a baseline in Cortes, Goyal, Kuznetsov and Mohri (2015), section 6.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.algorithms.core.example_weights import mean_and_parts
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, Resume, rebuilt, single_kernel_point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.margin.vkr import MAX_MATRIX_BYTES, SOLVER, TOL, resolve_auto
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Resumable, hinge_solver

PARAMETERS: dict[str, Parameter] = {
    "betas": Parameter(
        [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6],
        Numbers(Number(low=0)),
        "weights of the l1 norm; with 0, only a loss of 0 can be proved optimal",
        "beta",
    ),
    "tol": TOL,
    "solver": SOLVER,
}


def path(
    problem: Problem,
    *,
    betas: Sequence[float],
    tol: float | None = None,
    solver: str = "auto",
    resume: Resume | None = None,
) -> Iterator[Point]:
    """Solve the norm-1 SVM on the whole grid, for every kernel warm in beta.

    By the simplex method and interior points the path can go on from its middle (`resume`). Solvers take weights of
    mean 1: with others the problem is divided by their mean.
    """
    stack, y = problem.inputs, problem.y
    mean, parts = mean_and_parts(problem.weights)
    first, done = divmod(resume[0] if resume else 0, len(betas))

    def along(k: int, member: dict[str, Any]) -> Iterator[Point]:  # its matrices are gone when the next are made
        single = stack.select(k)
        warm = hinge_solver(KernelColumns(single, y, parts), solver, tol)
        kept = warm if isinstance(warm, Resumable) else None
        if resume and kept and k == first:
            kept.restore(resume[1])
        strongest_first = sorted(betas, reverse=True)
        for beta in strongest_first[done if k == first else 0 :]:
            solution = warm.solve(np.full((1, stack.shape[2]), beta / mean)).times(mean)
            point = single_kernel_point({**member, "beta": float(beta)}, len(stack), k, solution.x[0], 0.0, solution)
            # What the last point of a kernel leaves is of no use to the next kernel.
            yield replace(point, state=kept.state) if kept and beta > strongest_first[-1] else point

    for k, member in enumerate(stack.family.members[first:], start=first):
        yield from along(k, member)


METHOD = Method(
    "l1_svm",
    "norm-1 SVM: hinge loss and l1 norm of the expansion coefficients (one kernel)",
    "linear programs",
    PARAMETERS,
    grid_of({"beta": "-betas"}, positive_definite=False),
    path,
    version=4,
    max_matrix_bytes=MAX_MATRIX_BYTES,
    rows_only=True,
    class_weight=True,
    resolve=resolve_auto,
    certificate=rebuilt("l1_svm"),
)
