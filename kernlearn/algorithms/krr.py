"""Kernel ridge regression.

::

    (P)  min_w      |w|^2 + (1/lambda) sum_i (w.Phi(x_i) - y_i)^2                                             (2.8)
    (D)  max_alpha  -lambda |alpha|^2 - alpha'K alpha + 2 alpha.y ,    alpha = (K + lambda I)^-1 y            (2.9)

Centred kernels and labels give it an intercept that is not penalised. Source: Rostamizadeh (2010), section 2.2;
Saunders, Gammerman and Vovk (1998).
"""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from kernlearn.algorithms.path import PathPoint, single_kernel_point
from kernlearn.kernels import DenseStack, GramStack
from kernlearn.solvers import Solution

Array = NDArray[np.float64]

#: Relative gap up to which a closed form counts as exact.
EXACT = 1e-6


def certify_krr(K: Array, y: Array, lambda_: float, alpha: Array, seconds: float = 0.0) -> Solution:
    """Return (P) and (D) at an alpha, which is optimal if they agree; the certificate costs one product with K."""
    f = K @ alpha
    residual, quadratic = y - f, float(alpha @ f)
    objective = quadratic + float(residual @ residual) / lambda_
    dual_objective = float(2.0 * alpha @ y - lambda_ * alpha @ alpha) - quadratic
    status = "optimal" if objective - dual_objective <= EXACT * abs(objective) else "inaccurate"
    return Solution(alpha, objective, alpha, dual_objective, status, 1, 1, seconds)


def solve_krr(K: Array, y: Array, lambda_: float) -> Solution:
    """Solve (P) and (D) by a Cholesky factor.

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


def ridge(K: Array, y: Array, lambda_: float) -> tuple[Array, tuple[Array, bool]]:
    """Return ``alpha = (K + lambda I)^-1 y`` (2.9) and the factor of the matrix, for `scipy.linalg.cho_solve`."""
    A = K.copy()
    A.flat[:: len(A) + 1] += lambda_
    factor = cho_factor(A, overwrite_a=True, check_finite=False)
    return cho_solve(factor, y, check_finite=False), factor


def path(stack: GramStack, y: Array, *, lambdas: Sequence[float], centre: bool = True) -> Iterator[PathPoint]:
    """Solve for every kernel and every lambda, the largest first, from one eigendecomposition a kernel."""
    mean = float(y.mean()) if centre else 0.0
    for k, member in enumerate(stack.family.members):
        single: DenseStack = DenseStack.of(stack.select(k))
        single = single.centred() if centre else single
        values, vectors = np.linalg.eigh(single.K[0])
        values, coordinates = np.maximum(values, 0.0), vectors.T @ (y - mean)
        for lambda_ in sorted(lambdas, reverse=True):
            alpha = vectors @ (coordinates / (values + lambda_))
            solution = certify_krr(single.K[0], y - mean, lambda_, alpha)
            coef, constant = single.expansion(np.ones(1), alpha)
            point = {**member, "lambda": float(lambda_)}
            yield single_kernel_point(point, len(stack), k, coef[0], mean + constant, solution)
