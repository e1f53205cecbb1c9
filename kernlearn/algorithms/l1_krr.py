"""Kernel ridge regression with weights of bounded l1 norm, the sparse rival of `kernlearn.algorithms.l2_krr`.

::

    min_{mu >= 0, ||mu||_1 <= Lambda}  y' (sum_k mu_k K_k / t_k + lambda I)^-1 y

The family is (3.3), the objective (2.9). Source: Rostamizadeh (2010), sections 2.2 and 3.2.
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.inner import RidgeInner
from kernlearn.kernels import KernelStack
from kernlearn.solvers import Response, Solution, newton

Array = NDArray[np.float64]


def solve_l1_krr(
    stack: KernelStack,
    y: Array,
    lambda_: float,
    *,
    Lambda: float = 1.0,
    sizes: Array | None = None,
    start: Array | None = None,
    tol: float = 1e-6,
) -> tuple[Solution, Response]:
    """Solve the problem by Newton's method on the weights.

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
    solution : Solution
        ``x`` are the weights mu of the kernels ``K_k / t_k``, ``dual`` is the alpha of the best lower bound.
    response : Response
        Ridge regression with these weights.
    """
    ones = np.ones(len(stack))
    inner = RidgeInner(stack, y, lambda_, ones if sizes is None else sizes)
    return newton(inner, ones if start is None else start, radius=Lambda, tol=tol)
