"""Kernel ridge regression with one kernel matrix, which methods with one kernel and with many kernels solve.

::

    (P)  min_w      |w|^2 + (1/lambda) sum_i (w.Phi(x_i) - y_i)^2                                             (2.8)
    (D)  max_alpha  -lambda |alpha|^2 - alpha'K alpha + 2 alpha.y ,    alpha = (K + lambda I)^-1 y            (2.9)

Source: Rostamizadeh (2010), section 2.2; Saunders, Gammerman and Vovk (1998).
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.certified import LOST, SURE
from kernlearn.solvers import Solution, definite_inverse, relative_gap, status_of

Array = NDArray[np.float64]

#: Relative gap up to which a closed form counts as exact.
EXACT = 1e-6
#: Relative rounding error of a kernel value: some units in the last place, of sums of products.
LAST_PLACES = 4.0 * float(np.finfo(np.float64).eps)


def certify_krr(K: Array, y: Array, lambda_: float, alpha: Array, seconds: float = 0.0) -> Solution:
    """Return (P) and (D) at an alpha, which is optimal if they agree; the certificate costs one product with K.

    Both are values of K as it is, rounded: with another error dK of it they change by ``alpha'dK alpha``. Where kernel
    values are large and lambda is small, as of examples far from the origin that are not centred, that is no longer
    nothing, and is taken from the bound (D), so that the gap says how far the value of the exact kernel may be. dK is
    taken as random, of the size of the last digits of the largest value.
    """
    f = K @ alpha
    residual, quadratic = y - f, float(alpha @ f)
    objective = quadratic + float(residual @ residual) / lambda_
    dual_objective = float(2.0 * alpha @ y - lambda_ * alpha @ alpha) - quadratic
    zero, otherwise = float(y @ y) / lambda_, "inaccurate"
    rounding = LAST_PLACES * float(np.diagonal(K).max()) * float(alpha @ alpha)
    if rounding > SURE * abs(objective):
        otherwise = LOST if status_of(relative_gap(objective, dual_objective, zero), EXACT) == "optimal" else otherwise
        dual_objective -= rounding
    status = status_of(relative_gap(objective, dual_objective, zero), EXACT, otherwise)
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
