"""Kernel ridge regression.

::

    (P)  min_w      |w|^2 + (1/lambda) sum_i (w.Phi(x_i) - y_i)^2                                             (2.8)
    (D)  max_alpha  -lambda |alpha|^2 - alpha'K alpha + 2 alpha.y ,    alpha = (K + lambda I)^-1 y            (2.9)

Centred kernels and labels give it an intercept that is not penalised. Source: Rostamizadeh (2010), section 2.2;
Saunders, Gammerman and Vovk (1998).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.method import RIDGE, Method
from kernlearn.algorithms.common.path import Point, single_kernel_point
from kernlearn.algorithms.common.prepare import LAMBDAS, mean_of, prepare, require_positive_definite
from kernlearn.algorithms.common.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.common.problem import Problem
from kernlearn.kernels import KernelFamily, alignments
from kernlearn.parameters import Parameter
from kernlearn.solvers import Solution, definite_inverse, relative_gap, status_of

Array = NDArray[np.float64]

#: Relative gap up to which a closed form counts as exact.
EXACT = 1e-6

PARAMETERS: dict[str, Parameter] = {
    "lambdas": LAMBDAS,
    **PREPARE,
}


def certify_krr(K: Array, y: Array, lambda_: float, alpha: Array, seconds: float = 0.0) -> Solution:
    """Return (P) and (D) at an alpha, which is optimal if they agree; the certificate costs one product with K."""
    f = K @ alpha
    residual, quadratic = y - f, float(alpha @ f)
    objective = quadratic + float(residual @ residual) / lambda_
    dual_objective = float(2.0 * alpha @ y - lambda_ * alpha @ alpha) - quadratic
    zero = float(y @ y) / lambda_
    status = status_of(relative_gap(objective, dual_objective, zero), EXACT)
    return Solution(alpha, objective, alpha, dual_objective, zero, status, 1, 1, seconds)


def solve_krr(K: Array, y: Array, lambda_: float) -> Solution:
    """Solve (P) and (D) by a factor of ``K + lambda I``.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix.
    y : array of shape (n,)
        Real labels.
    lambda_ : float > 0

    Returns
    -------
    Solution
        ``x`` and ``dual`` are alpha, shape (n,).
    """
    start = perf_counter()
    alpha, _ = ridge(K, y, lambda_)
    return certify_krr(K, y, lambda_, alpha, perf_counter() - start)


def ridge(K: Array, y: Array, lambda_: float) -> tuple[Array, Callable[[Array], Array]]:
    """Return ``alpha = (K + lambda I)^-1 y`` (2.9) and the function that multiplies by this inverse."""
    A = K.copy()
    A.flat[:: len(A) + 1] += lambda_
    inverse = definite_inverse(A, lambda_)
    return inverse(y), inverse


def grid(family: KernelFamily, lambdas: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all pairs of a kernel of the family and lambda; for each kernel the strongest regularisation first."""
    require_positive_definite(family)
    return [{**member, "lambda": float(lambda_)} for member in family.members for lambda_ in sorted(lambdas)[::-1]]


def path(
    problem: Problem, *, lambdas: Sequence[float], centre: bool = True, normalise: str = "none"
) -> Iterator[Point]:
    """Solve for every kernel and every lambda, the largest first, from one eigendecomposition a kernel."""
    stack, y = problem.inputs, problem.y
    mean = mean_of(y, centre)
    for k, member in enumerate(stack.family.members):
        single, t = prepare(stack.select(k), centre, normalise)
        K, alignment = single.combine(1.0 / t), alignments(single, y)
        values, vectors = np.linalg.eigh(K)
        values, coordinates = np.maximum(values, 0.0), vectors.T @ (y - mean)
        for lambda_ in sorted(lambdas, reverse=True):
            alpha = vectors @ (coordinates / (values + lambda_))
            solution = certify_krr(K, y - mean, lambda_, alpha)
            coef, constant = single.expansion(1.0 / t, alpha)
            values_of_point = {**member, "lambda": float(lambda_)}
            point = single_kernel_point(values_of_point, len(stack), k, coef[0], mean + constant, solution)
            yield replace(point, facts={"alignment": alignment})


METHOD = Method(
    "krr",
    "kernel ridge regression, one kernel of the family at a time",
    RIDGE,
    PARAMETERS,
    grid,
    path,
    targets=("reals",),
)
