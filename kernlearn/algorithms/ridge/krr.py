"""Kernel ridge regression.

::

    min_w  |w|^2 + (1/lambda) sum_i (w.Phi(x_i) - y_i)^2                                                      (2.8)

With centred kernels and labels it has an intercept that is not penalised. The weight c of an example multiplies its
loss, and the example counts as c examples in the centring and the normalisation of the kernel. With ``D =
diag(sqrt(c_i))`` this is the problem of the kernel ``D K D`` and the labels D y. Source: Rostamizadeh (2010), section
2.2; Saunders, Gammerman and Vovk (1998).
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
from kernlearn.algorithms.core.prepare import LAMBDAS, kernels_of, prepare
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import Certificate
from kernlearn.certificates.ridge import counted_kernel
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
    if problem.weights is not None:
        yield from _weighted_path(problem, problem.weights, lambdas, centre, normalise)
        return
    stack, targets = problem.inputs, Targets.of(problem.y, centre)
    for k, member in enumerate(stack.family.members):
        own = stack.select(k)  # once: a kept stack has its values for all lambdas
        single, t = prepare(own, centre, normalise)
        K, alignment = single.combine(1.0 / t), alignments(single, targets.y)
        solve = _by_gradients if isinstance(single, BlockStack) else _by_eigenvalues
        for lambda_, solution in solve(K, targets.centred, sorted(lambdas, reverse=True)):
            problem_of_kernel = own, single, targets, 1.0 / t, solution.x, solution, lambda_
            coef, intercept, solution = predictor_of(*problem_of_kernel, bias=centre)
            values_of_point = {**member, "lambda": float(lambda_)}
            point = single_kernel_point(values_of_point, len(stack), k, coef[0], intercept, solution)
            yield replace(point, facts={"alignment": alignment})


def _weighted_path(
    problem: Problem, weights: Array, lambdas: Sequence[float], centre: bool, normalise: str
) -> Iterator[Point]:
    """Solve the problem of examples with weights."""
    stack, targets, root = problem.inputs, Targets.of(problem.y, centre, weights), np.sqrt(weights)
    for k, member in enumerate(stack.family.members):
        own = stack.select(k)
        single = kernels_of(own, centre)
        K, size, means = counted_kernel(single.combine(np.ones(1)), weights, centre, normalise)
        K = root[:, None] * K * (root / size)
        y, mu = root * targets.centred, np.full(1, 1.0 / size)
        quadratic = float(y @ (K @ y))
        norm = float(np.linalg.norm(K)) * float(y @ y)
        solve = _by_gradients if isinstance(single, BlockStack) else _by_eigenvalues
        for lambda_, found in solve(K, y, sorted(lambdas, reverse=True)):
            beta = root * found.x
            solution = replace(found, x=beta, dual=beta)
            parts = own, single, targets, mu, beta, solution, lambda_
            shift = -float(means @ beta) / size
            coef, intercept, solution = predictor_of(*parts, bias=centre, weights=weights, shift=shift)
            values = {**member, "lambda": float(lambda_)}
            point = single_kernel_point(values, len(stack), k, coef[0], intercept, solution)
            yield replace(point, facts={"alignment": np.full(1, quadratic / norm if norm else 0.0)})


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
    kernels = single, coef[None], intercept
    if problem.weights is None:
        mu = 1.0 / prepare(single, centre, normalise)[1]
    else:
        K = kernels_of(single, centre).combine(np.ones(1))
        mu = np.full(1, 1.0 / counted_kernel(K, problem.weights, centre, normalise).size)
    return certificate_of(problem, kernels, point, mu, centre=centre)


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
