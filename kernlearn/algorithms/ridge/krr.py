"""Kernel ridge regression.

::

    min_w  |w|^2 + (1/lambda) sum_i (w.Phi(x_i) - y_i)^2                                                      (2.8)

Centred kernels and labels give it an intercept that is not penalised. Source: Rostamizadeh (2010), section 2.2;
Saunders, Gammerman and Vovk (1998).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.algorithms.common.regression import Targets, certificate_of, predictor_of
from kernlearn.algorithms.common.ridge import certify_krr, without_rounding
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import RIDGE, Method
from kernlearn.algorithms.core.path import Point, one_kernel, single_kernel_point
from kernlearn.algorithms.core.prepare import LAMBDAS, prepare
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import Certificate
from kernlearn.kernels import alignments
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.parameters import Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.kernel_weights.conjugate import RidgeSystem
from kernlearn.types import Array

PARAMETERS: dict[str, Parameter] = {
    "lambdas": LAMBDAS,
    **PREPARE,
}


def path(
    problem: Problem, *, lambdas: Sequence[float], centre: bool = True, normalise: str = "none"
) -> Iterator[Point]:
    """Solve for every kernel and every lambda, the largest first, from one eigendecomposition a kernel.

    Of so many examples that this would take too long, by conjugate gradients.
    """
    stack, targets = problem.inputs, Targets.of(problem.y, centre)
    for k, member in enumerate(stack.family.members):
        single, t = prepare(stack.select(k), centre, normalise)
        K, alignment = single.combine(1.0 / t), alignments(single, targets.y)
        solve = _by_gradients if isinstance(single, BlockStack) else _by_eigenvalues
        for lambda_, solution in solve(K, targets.centred, sorted(lambdas, reverse=True)):
            problem_of_kernel = stack.select(k), single, targets, 1.0 / t, solution.x, solution, lambda_
            coef, intercept, solution = predictor_of(*problem_of_kernel, bias=centre)
            values_of_point = {**member, "lambda": float(lambda_)}
            point = single_kernel_point(values_of_point, len(stack), k, coef[0], intercept, solution)
            yield replace(point, facts={"alignment": alignment})


def _by_eigenvalues(K: Array, y: Array, lambdas: Sequence[float]) -> Iterator[tuple[float, Solution]]:
    values, vectors = np.linalg.eigh(K)
    values, coordinates = np.maximum(values, 0.0), vectors.T @ y
    for lambda_ in lambdas:
        alpha = vectors @ (coordinates / (values + lambda_))
        yield lambda_, without_rounding(certify_krr(K, y, lambda_, alpha), K, y, lambda_)


def _by_gradients(K: Array, y: Array, lambdas: Sequence[float]) -> Iterator[tuple[float, Solution]]:
    """Yield the same without a matrix beside K, each solution from the one before."""
    system, alpha = RidgeSystem(K), None
    for lambda_ in lambdas:
        alpha = system.solve(y, lambda_, alpha)
        yield lambda_, certify_krr(K, y, lambda_, alpha)


def certificate(
    problem: Problem, point: Point, *, centre: bool = True, normalise: str = "none", **_: Any
) -> Certificate:
    """Return what is proved of the predictor of a point."""
    single, coef, intercept = one_kernel(problem, point)
    t = prepare(single, centre, normalise)[1]
    return certificate_of(problem, (single, coef[None], intercept), point, 1.0 / t, centre=centre)


METHOD = Method(
    "krr",
    "kernel ridge regression (one kernel)",
    RIDGE,
    PARAMETERS,
    grid_of({"lambda": "-lambdas"}),
    path,
    version=2,
    targets=("reals",),
    max_matrix_bytes=MAX_MATRIX_BYTES,
    certificate=certificate,
)
