"""Kernel ridge regression with one kernel matrix, which methods with one kernel and with many kernels solve.

::

    (P)  min_w      |w|^2 + (1/lambda) sum_i (w.Phi(x_i) - y_i)^2                                             (2.8)
    (D)  max_alpha  -lambda |alpha|^2 - alpha'K alpha + 2 alpha.y ,    alpha = (K + lambda I)^-1 y            (2.9)

Source: Rostamizadeh (2010), section 2.2; Saunders, Gammerman and Vovk (1998).
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from kernlearn.certificates import relative_gap, status_of
from kernlearn.kernels import KernelStack
from kernlearn.kernels.core.combined import CombinedKernel
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.solvers import Solution, definite_inverse
from kernlearn.solvers.kernel_weights.conjugate import RidgeSystem
from kernlearn.types import Array

#: Relative gap up to which a closed form counts as exact.
EXACT = 1e-6


class Ridge(Protocol):
    """Solves ``(K + lambda I) alpha = y``: gives alpha, and the function that multiplies by the inverse."""

    def __call__(
        self, K: Any, y: Array, lambda_: float, start: Array | None = None
    ) -> tuple[Array, Callable[[Array], Array]]:
        """Solve it; what iterates begins at `start`, if one is given."""


def certify_krr(
    K: Array | CombinedKernel,
    y: Array,
    lambda_: float,
    alpha: Array,
    seconds: float = 0.0,
    otherwise: str = "inaccurate",
) -> Solution:
    """Return (P) and (D) at an alpha for the kernel K, which is optimal if they agree; it costs one product with K.

    What the predictor has with the kernels that predict is `kernlearn.algorithms.common.regression.Regression.proved`.
    """
    f = K @ alpha
    residual, quadratic = y - f, float(alpha @ f)
    objective = quadratic + float(residual @ residual) / lambda_
    dual_objective = float(2.0 * alpha @ y - lambda_ * alpha @ alpha) - quadratic
    zero = float(y @ y) / lambda_
    status = status_of(relative_gap(objective, dual_objective, zero), EXACT, otherwise)
    return Solution(alpha, objective, alpha, dual_objective, zero, status, 1, 1, seconds)


def solve_krr(K: Any, y: Array, lambda_: float, solve: Ridge | None = None) -> Solution:
    """Solve (P) and (D) by a factor of ``K + lambda I``, or as `solve` does.

    Parameters
    ----------
    K : array of shape (n, n), or CombinedKernel
        Gram matrix, as `weighted` gives it.
    y : array of shape (n,)
        Real labels.
    lambda_ : float > 0
    solve : callable, optional
        See `ridge_of`.

    Returns
    -------
    Solution
        ``x`` and ``dual`` are alpha, shape (n,).
    """
    start = perf_counter()
    solve = solve or ridge
    alpha, _ = solve(K, y, lambda_)
    krr = certify_krr(K, y, lambda_, alpha, perf_counter() - start)
    return without_rounding(krr, K, y, lambda_) if solve is ridge else krr  # else there is no room for a factor


def without_rounding(solution: Solution, K: Array, y: Array, lambda_: float) -> Solution:
    """Return an optimal solution as it is, and for any other the better of it and the one in the sure directions of K.

    Those are the eigenvectors with an eigenvalue larger than the most negative one, which rounding has made: with a
    small lambda the others can make a solution worse than 0.
    """
    if solution.status == "optimal":
        return solution
    values, vectors = np.linalg.eigh(K)
    sure = values > abs(values[0])
    alpha = vectors[:, sure] @ ((vectors[:, sure].T @ y) / (values[sure] + lambda_))
    other = certify_krr(K, y, lambda_, alpha, solution.seconds)
    return other if other.objective < solution.objective else solution


def weighted(stack: KernelStack, mu: Array) -> Array | CombinedKernel:
    """Return ``K_mu = sum_k mu_k K_k`` as ridge regression needs it: of kernels by blocks no matrix, if it is large."""
    return stack.weighted(mu) if isinstance(stack, BlockStack) else stack.combine(mu)


def ridge_of(stack: KernelStack, gap: float | None = None) -> Ridge:
    """Return how ridge regression with a combination of kernels is solved: of kernels by blocks without a factor.

    What has no factor ends at a relative gap, by default that of `kernlearn.solvers.kernel_weights.conjugate`.
    """
    if not isinstance(stack, BlockStack):
        return ridge
    return partial(by_gradients, gap=gap)


def by_gradients(
    K: Array | CombinedKernel, y: Array, lambda_: float, start: Array | None = None, gap: float | None = None
) -> tuple[Array, Callable[[Array], Array]]:
    """Return what `ridge` does by conjugate gradients, in the memory of K and some of its columns."""
    system = RidgeSystem(K)
    return system.solve(y, lambda_, start, gap), lambda B: system.inverse(B, lambda_)


def ridge(K: Array, y: Array, lambda_: float, start: Array | None = None) -> tuple[Array, Callable[[Array], Array]]:
    """Return ``alpha = (K + lambda I)^-1 y`` (2.9) and the function that multiplies by this inverse.

    The factor has no use for a `start`, the alpha of a similar problem, which iterations begin with.
    """
    A = K.copy()
    A.flat[:: len(A) + 1] += lambda_
    inverse = definite_inverse(A, lambda_)
    return inverse(y), inverse
