"""Kernel ridge regression with kernel weights of bounded l1 norm, which are sparse, unlike those of `l2_krr`.

::

    min_{mu >= 0, ||mu||_1 <= Lambda}  y' (sum_k mu_k K_k / t_k + lambda I)^-1 y

The family is (3.3), the objective (2.9). Source: Rostamizadeh (2010), sections 2.2 and 3.2.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kernlearn.algorithms.common.inner import RidgeInner
from kernlearn.algorithms.common.rank_one import is_rank_one, solve_rank_one_krr
from kernlearn.algorithms.common.regression import Regression
from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point, rebuilt
from kernlearn.algorithms.core.prepare import LAMBDAS, require_positive_definite
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates.ridge import Ball
from kernlearn.kernels import KernelFamily, KernelStack
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution, newton
from kernlearn.types import Array

PARAMETERS: dict[str, Parameter] = {
    "lambdas": LAMBDAS,
    "Lambdas": Parameter(
        [1.0],
        Numbers(Number(positive=True)),
        "radii of the ball of kernel weights; a small one is a strong penalty",
        "Lambda",
    ),
    **PREPARE,
    "tol": Parameter(1e-6, Number(low=1e-9, high=1e-1), "relative duality gap"),
}


def solve_l1_krr(
    stack: KernelStack,
    y: Array,
    lambda_: float,
    *,
    Lambda: float = 1.0,
    sizes: Array | None = None,
    start: Array | None = None,
    tol: float = 1e-6,
) -> Solution:
    """Solve the problem by Newton's method on the weights, or in the features where kernels have rank 1.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
    lambda_, Lambda : float > 0
    sizes : array of shape (p,), optional
        The t_k, ones by default.
    start : array of shape (p,), optional
        Weights to start from.
    tol : float
        Relative duality gap.

    Returns
    -------
    Solution
        ``x`` are the weights mu of the kernels ``K_k / t_k``, ``dual`` is the alpha of the best lower bound; ``extras``
        have the ``response``, ridge regression with these weights.
    """
    ones = np.ones(len(stack))
    sizes = ones if sizes is None else sizes
    if is_rank_one(stack):
        return solve_rank_one_krr(stack, y, lambda_, Lambda=Lambda, sizes=sizes, start=start, tol=tol)
    inner = RidgeInner(stack, y, lambda_, sizes)
    return newton(inner, ones if start is None else start, radius=Lambda, tol=tol)


def grid(family: KernelFamily, lambdas: Sequence[float], Lambdas: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all pairs of lambda and Lambda, the strongest regularisation first."""
    require_positive_definite(family)
    return pairs(lambdas, Lambdas)


def pairs(lambdas: Sequence[float], Lambdas: Sequence[float]) -> list[dict[str, float]]:
    """Return the points of the grid."""
    return [
        {"lambda": float(lambda_), "Lambda": float(Lambda)}
        for lambda_ in sorted(lambdas, reverse=True)
        for Lambda in sorted(Lambdas)
    ]


def path(
    problem: Problem,
    *,
    lambdas: Sequence[float],
    Lambdas: Sequence[float],
    centre: bool = True,
    normalise: str = "mean_diagonal",
    tol: float = 1e-6,
) -> Iterator[Point]:
    """Solve the problem on the whole grid, every point from the weights of the one before."""
    regression, mu = Regression.of(problem, centre, normalise), None
    t = regression.sizes
    for values in pairs(lambdas, Lambdas):
        options: dict[str, Any] = {"Lambda": values["Lambda"], "sizes": t, "start": mu, "tol": tol}
        solution = solve_l1_krr(regression.kernels, regression.y, values["lambda"], **options)
        mu, ball = solution.x, Ball(values["Lambda"], t, 1)
        yield regression.point(values, mu / t, solution.extras["response"].alpha, solution, ball=ball, tol=tol)


METHOD = Method(
    "l1_krr",
    "ridge regression that also learns kernel weights of bounded l1 norm",
    KERNEL_LEARNING,
    PARAMETERS,
    grid,
    path,
    version=4,
    targets=("reals",),
    weighs=True,
    max_matrix_bytes=MAX_MATRIX_BYTES,
    certificate=rebuilt("l1_krr"),
)
