"""Kernel ridge regression.

::

    min_w  |w|^2 + (1/lambda) sum_i (w.Phi(x_i) - y_i)^2                                                      (2.8)

With centred kernels and labels it has an intercept that is not penalised. The weight c of an example multiplies its
loss, and the example counts as c examples in the centring and the normalisation of the kernel
(`kernlearn.algorithms.core.prepare.prepare_counted`). Source: Rostamizadeh (2010), section 2.2; Saunders, Gammerman and
Vovk (1998).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.algorithms.common.regression import Regression
from kernlearn.algorithms.common.ridge import certify_krr, weighted, without_rounding
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import RIDGE, Method
from kernlearn.algorithms.core.path import Point, rebuilt, single_kernel_point
from kernlearn.algorithms.core.prepare import LAMBDAS
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.problem import Problem
from kernlearn.kernels import alignments
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.parameters import Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.kernel_weights.conjugate import RidgeSystem
from kernlearn.types import Array

#: An eigendecomposition of more examples takes longer than conjugate gradients for several lambda.
DECOMPOSED = 2000
#: The kernel of more examples is no matrix: products with it take less time than to make it.
HELD = 5000
PARAMETERS: dict[str, Parameter] = {
    "lambdas": LAMBDAS,
    **PREPARE,
}


def path(
    problem: Problem, *, lambdas: Sequence[float], centre: bool = True, normalise: str = "none"
) -> Iterator[Point]:
    """Solve for every kernel and every lambda, the largest first, from one eigendecomposition a kernel.

    Of more than `DECOMPOSED` examples, or of a kernel that is no matrix, by conjugate gradients.
    """
    for k, member in enumerate(problem.inputs.family.members):
        own = problem.inputs.select(k)  # once: a kept stack has its values for all lambdas
        regression = Regression.of(replace(problem, inputs=own), centre, normalise)
        mu, kernels = 1.0 / regression.sizes, regression.kernels
        alignment = alignments(kernels, regression.labels)
        is_small = len(regression.y) <= DECOMPOSED and not isinstance(regression.plain, BlockStack)
        solve: Any = _by_eigenvalues if is_small else _by_gradients
        for lambda_, found in solve(weighted(kernels, mu), regression.y, sorted(lambdas, reverse=True)):
            values = {**member, "lambda": float(lambda_)}
            coef, intercept, solution = regression.predictor(lambda_, mu, found.x, found)
            point = single_kernel_point(values, len(problem.inputs), k, coef[0], intercept, solution)
            yield replace(point, facts={"alignment": alignment})


def _by_eigenvalues(K: Array, y: Array, lambdas: Sequence[float]) -> Iterator[tuple[float, Solution]]:
    values, vectors = np.linalg.eigh(K)
    values, coordinates = np.maximum(values, 0.0), vectors.T @ y
    for lambda_ in lambdas:
        alpha = vectors @ (coordinates / (values + lambda_))
        yield lambda_, without_rounding(certify_krr(K, y, lambda_, alpha), K, y, lambda_)


def _by_gradients(K: Any, y: Array, lambdas: Sequence[float]) -> Iterator[tuple[float, Solution]]:
    """Yield the same in little memory beside K, each solution from the one before."""
    system, alpha = RidgeSystem(K), None
    for lambda_ in lambdas:
        alpha = system.solve(y, lambda_, alpha)
        found = certify_krr(K, y, lambda_, alpha, otherwise=system.otherwise)
        yield lambda_, without_rounding(found, K, y, lambda_) if isinstance(K, np.ndarray) else found


METHOD = Method(
    "krr",
    "kernel ridge regression (one kernel)",
    RIDGE,
    PARAMETERS,
    grid_of({"lambda": "-lambdas"}),
    path,
    version=3,
    targets=("reals",),
    max_matrix_bytes=8.0 * HELD**2,
    certificate=rebuilt("krr"),
)
