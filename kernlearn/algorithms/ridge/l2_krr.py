"""Kernel ridge regression with kernel weights in a Euclidean ball (LKRR in the source).

::

    min_{mu in M} max_alpha  -lambda |alpha|^2 - mu.v + 2 alpha.y ,    v_k = alpha' K_k alpha / t_k ,         (2.12)
    M = { mu >= 0, ||mu - mu0||_2 <= Lambda } ,    mu0 >= 0                                                   (2.11)
    max_alpha  F(alpha) = -lambda |alpha|^2 + 2 alpha.y - mu0.v - Lambda ||v||                                (2.19)

At the solution ``mu = mu0 + Lambda v / ||v||`` and ``alpha = (K_mu + lambda I)^-1 y`` (2.13); Algorithm 1 iterates this
with interpolation. Source: Rostamizadeh (2010), section 2.2; Cortes, Mohri and Rostamizadeh (2009).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernlearn.algorithms.common.inner import squares
from kernlearn.algorithms.common.regression import Regression
from kernlearn.algorithms.common.ridge import certify_krr, ridge_of, weighted
from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point, rebuilt
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.ridge.l1_krr import PARAMETERS as L1_KRR
from kernlearn.algorithms.ridge.l1_krr import grid, pairs
from kernlearn.certificates import relative_gap, status_of
from kernlearn.certificates.ridge import Ball
from kernlearn.errors import UserError
from kernlearn.kernels import KernelStack
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.parameters import Choice, Number, Parameter, shown
from kernlearn.solvers import Solution
from kernlearn.solvers.core.clock import Clock
from kernlearn.types import Array

#: Iterations after which the method gives up.
MAX_ITER = 500
#: What ridge regression by iterations is more exact than what is built on it.
INNER = 0.01

PARAMETERS: dict[str, Parameter] = {
    **L1_KRR,
    "mu0": Parameter(
        "zero", Choice(("zero", "uniform")), "centre of the ball of weights; uniform: all Lambda / sqrt(p)"
    ),
}


def solve_l2_krr(
    stack: KernelStack,
    y: Array,
    lambda_: float,
    *,
    Lambda: float = 1.0,
    mu0: ArrayLike | None = None,
    sizes: Array | None = None,
    eta: float | None = None,
    start: Array | None = None,
    tol: float = 1e-6,
) -> Solution:
    """Solve (2.12) by Algorithm 1.

    Raises `UserError` if `mu0` has not p entries, all of them at least 0, or eta is not in [0, 1).

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
    lambda_, Lambda : float > 0
        With ``mu0 = 0`` only their ratio matters to the predictor.
    mu0 : array of shape (p,), optional
        Centre of the ball, zero by default.
    sizes : array of shape (p,), optional
        The t_k, ones by default.
    eta : float in [0, 1), optional
        The part of the old alpha in the interpolation, as printed. By default the step is the best one: the direction
        ``(K_mu + lambda I)^-1 y - alpha`` is one of ascent of F, and along it v is a parabola.
    start : array of shape (n,), optional
        The alpha to start from, such as that of similar parameters; by default as printed.
    tol : float
        Relative duality gap at which to stop, in the place of the printed ``|alpha' - alpha| < eps``.

    Returns
    -------
    Solution
        ``x`` are the weights mu of the kernels ``K_k / t_k``, ``dual`` is the alpha of (2.19); ``extras`` have the
        ``alpha`` of ridge regression with these weights, shape (n,).
    """
    clock, p, zero = Clock(), len(stack), float(y @ y) / lambda_
    centre = check_mu0(mu0, p)
    if eta is not None:
        Number(low=0, high=1 - 1e-6).check("eta", eta)
    sizes, solve = np.ones(p) if sizes is None else sizes, ridge_of(stack, INNER * tol)

    def v_of(alpha: Array) -> Array:
        return squares(stack, alpha) / sizes

    def value_of(alpha: Array, v: Array) -> float:
        return float((2.0 * y - lambda_ * alpha) @ alpha - centre @ v - Lambda * np.linalg.norm(v))  # F(alpha)

    if start is None and centre.any():
        start = solve(weighted(stack, centre / sizes), y, lambda_)[0]  # alpha' = (K_0 + lambda I)^-1 y
    alpha = dual = target = y / lambda_ if start is None else start
    v, lower, iterations = v_of(alpha), -np.inf, 0
    best: tuple[float, Array, Array] | None = None
    while iterations < MAX_ITER and not (best and clock.over):
        iterations += 1
        value = value_of(alpha, v)
        if value > lower:
            lower, dual = value, alpha
        if best and relative_gap(best[0], lower, zero) <= tol:
            break
        mu = centre + Lambda * v / (np.linalg.norm(v) or 1.0)  # (2.13)
        K = weighted(stack, mu / sizes)
        target = solve(K, y, lambda_, target)[0]  # not the inverse, which keeps K
        objective = certify_krr(K, y, lambda_, target).objective
        del K  # before the next is made
        if best is None or objective < best[0]:
            best = objective, mu, target
        clock.tell(relative_gap(best[0], lower, zero))
        v1, mixed = v_of(target), stack.quadratic(target, alpha) / sizes
        if eta is None:
            step = _best_step(alpha, target - alpha, y, lambda_, centre, Lambda, v, v1, mixed)
        else:
            step = 1.0 - eta
        alpha = alpha + step * (target - alpha)
        v = np.maximum((1.0 - step) ** 2 * v + 2.0 * step * (1.0 - step) * mixed + step**2 * v1, 0.0)
    assert best is not None
    lower = value_of(dual, v_of(dual))  # from the kernels themselves, not from sums of rounded squares
    objective, mu, target = best
    status = status_of(relative_gap(objective, lower, zero), tol, clock.otherwise)
    counts = iterations, iterations, clock.seconds
    return Solution(mu, objective, dual, lower, zero, status, *counts, extras={"alpha": target})


def _best_step(
    alpha: Array, d: Array, y: Array, lambda_: float, mu0: Array, Lambda: float, v: Array, v1: Array, mixed: Array
) -> float:
    """Return the step s >= 0 that maximises F(alpha + s d); v at alpha and alpha + d, and their products, are given."""
    cross, vd = mixed - v, np.maximum(v1 - 2.0 * mixed + v, 0.0)  # alpha' K_k d / t_k, and v of d
    linear, square = float(d @ (y - lambda_ * alpha)), lambda_ * float(d @ d)

    def slope(s: float) -> float:
        vs = v + 2.0 * s * cross + s * s * vd
        return linear - s * square - float((mu0 + Lambda * vs / (np.linalg.norm(vs) or 1.0)) @ (cross + s * vd))

    if slope(0.0) <= 0.0:  # rounding: alpha is as good as the direction can tell
        return 1.0
    far = 1.0
    while slope(far) > 0.0 and far < 1e6:
        far *= 2.0
    if slope(far) < 0.0:
        from scipy.optimize import brentq  # takes a while to import

        return float(brentq(slope, 0.0, far, rtol=1e-3))
    return far


def check_mu0(mu0: ArrayLike | None, p: int) -> Array:
    """Return the centre of the ball as an array of shape (p,), or raise `UserError`."""
    try:
        centre = np.zeros(1) if mu0 is None else np.asarray(mu0, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise UserError(f"mu0={shown(mu0)}: give a weight >= 0, or one for each of {p} kernels") from None
    if centre.shape not in ((), (1,), (p,)):
        raise UserError(f"mu0 has the shape {centre.shape}: give one weight for all kernels or one for each of {p}")
    if not (np.isfinite(centre).all() and (centre >= 0).all()):
        raise UserError(f"mu0 has the weight {centre.min():g}: every weight must be a number >= 0")
    return np.broadcast_to(centre, (p,)).copy()


def path(
    problem: Problem,
    *,
    lambdas: Sequence[float],
    Lambdas: Sequence[float],
    mu0: str | ArrayLike = "zero",
    centre: bool = True,
    normalise: str = "mean_diagonal",
    tol: float = 1e-6,
    eta: float | None = None,
) -> Iterator[Point]:
    """Solve the problem on the grid of ``l1_krr``, every point from the alpha of the one before.

    The centre of the ball is 0, ``Lambda / sqrt(p)`` for every kernel (``mu0="uniform"``), or weights that are given.
    `eta` is that of `solve_l2_krr`.
    """
    regression, dual = Regression.of(problem, centre, normalise), None
    kernels, t = regression.kernels, regression.sizes
    for values in pairs(lambdas, Lambdas):
        middle = _centre_of_ball(mu0, len(kernels), values["Lambda"])
        options: dict[str, Any] = {"Lambda": values["Lambda"], "mu0": middle, "sizes": t, "start": dual, "tol": tol}
        solution = solve_l2_krr(kernels, regression.y, values["lambda"], eta=eta, **options)
        dual, ball = solution.dual, Ball(values["Lambda"], t, 2, middle)
        yield regression.point(values, solution.x / t, solution.extras["alpha"], solution, ball=ball, tol=tol)


def _centre_of_ball(mu0: str | ArrayLike, p: int, Lambda: float) -> Array | float:
    if not isinstance(mu0, str):
        return check_mu0(mu0, p)
    return Lambda / float(np.sqrt(p)) if mu0 == "uniform" else 0.0


METHOD = Method(
    "l2_krr",
    "ridge regression that also learns kernel weights of bounded l2 norm",
    KERNEL_LEARNING,
    PARAMETERS,
    grid,
    path,
    version=3,
    targets=("reals",),
    weighs=True,
    max_matrix_bytes=MAX_MATRIX_BYTES,
    certificate=rebuilt("l2_krr"),
)
