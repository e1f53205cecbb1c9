"""Least squares with the square of the l1 norm, exactly, where few of many features have a weight.

::

    (P)  min_u      (1/lambda) |y - X u|^2 + (1/Lambda) ||u||_1^2
    (D)  max_alpha  2 alpha.y - lambda |alpha|^2 - Lambda max_k (x_k'alpha)^2 ,    alpha = (y - X u) / lambda

With the signs S of u given it is non-negative least squares: ``min_{v >= 0} v'Mv - 2 v.SX'y``, ``M = SX'XS + (lambda /
Lambda) 11'``. The features in this program are those that violate (D), each with the sign that it has there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import relative_gap, status_of
from kernlearn.certificates.hinge_l1 import Columns
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.nnqp import approach
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array

NONE: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
#: Features that join the program in one round.
FEATURES_A_ROUND = 100
MAX_ROUNDS = 200
#: Rounds of one program; a gap on its features of this part of the tolerance ends it.
PROGRAM_ROUNDS, EXACT = 50, 0.1


def solve_squared_l1_ridge(
    X: Columns, y: Array, lambda_: float, Lambda: float, *, likely: NDArray[np.intp] = NONE, tol: float = 1e-9
) -> Solution:
    """Solve (P).

    Parameters
    ----------
    X : Columns of shape (1, n, p)
        The features.
    y : array of shape (n,)
    lambda_, Lambda : float > 0
    likely : array of indices, optional
        Features that the solution is thought to have, such as those for a similar lambda.
    tol : float
        Relative duality gap.

    Returns
    -------
    Solution
        ``x`` is u, shape (p,), ``dual`` is alpha, shape (n,); `iterations` counts sweeps of coordinate descent.
    """
    clock = Clock()
    n, p = X.shape[1:]
    zero = float(y @ y) / lambda_
    k, S, v, A = NONE, np.zeros(0), np.zeros(0), np.zeros((0, n))
    best, iterations, rounds = Bound(-np.inf, y), 0, 0
    while True:
        alpha = (y - v @ A) / lambda_
        correlation = X.price(alpha)[0]
        objective, bound = _values(alpha, v, float(np.abs(correlation).max()), y, lambda_, Lambda)
        best = max(best, bound, key=lambda b: b.value)
        excess = np.abs(correlation) - v.sum() / Lambda
        excess[k[S == np.sign(correlation[k])]] = 0.0  # it is in the program
        new = np.argsort(-excess, kind="stable")[:FEATURES_A_ROUND]
        new = new if rounds else np.union1d(new, likely)
        new = new[excess[new] > 0.0]
        gap = relative_gap(objective, best.value, zero)
        clock.tell(gap)
        if gap <= tol or rounds == MAX_ROUNDS or not len(new) or clock.over:
            break
        rounds += 1
        used, sign = v > 0.0, np.sign(correlation[new])
        A = np.vstack([A[used], sign[:, None] * X.take(np.zeros_like(new), new)])
        k, S, v = np.append(k[used], new), np.append(S[used], sign), np.append(v[used], np.zeros(len(new)))
        v, sweeps = _solve_program(A, y, v, lambda_, Lambda, EXACT * tol)
        iterations += sweeps
    u = np.zeros(p)
    np.add.at(u, k, S * v)  # a feature may be there twice, with either sign
    status = status_of(gap, tol, clock.otherwise)
    return Solution(u, objective, best.alpha, best.value, zero, status, iterations, rounds, clock.seconds)


class Bound(NamedTuple):
    """A value of (D), and where."""

    value: float
    alpha: Array


def _values(alpha: Array, v: Array, largest: float, y: Array, lambda_: float, Lambda: float) -> tuple[float, Bound]:
    """Return (P) at v, whose residual is ``lambda alpha``, and (D) at the best multiple of alpha.

    The largest ``|x_k'alpha|`` is given.
    """
    square = lambda_ * float(alpha @ alpha)
    linear, quadratic = float(alpha @ y), square + Lambda * largest**2
    scale = linear / (quadratic or 1.0)
    return square + float(v.sum()) ** 2 / Lambda, Bound(scale * linear, scale * alpha)


def _solve_program(A: Array, y: Array, v: Array, lambda_: float, Lambda: float, tol: float) -> tuple[Array, int]:
    """Solve ``min_{v >= 0} (1/lambda) |y - A'v|^2 + (1/Lambda) (sum v)^2`` from v; return v and the sweeps."""
    M, total = A @ A.T + lambda_ / Lambda, 0
    unit, zero = np.sqrt(np.diagonal(M)), float(y @ y) / lambda_
    M, q = M / unit[:, None] / unit, A @ y / unit
    for rounds, (x, _, sweeps) in enumerate(approach(M, q, v * unit), 1):
        v, total = x / unit, total + sweeps
        alpha = (y - v @ A) / lambda_
        objective, bound = _values(alpha, v, max(0.0, float((A @ alpha).max())), y, lambda_, Lambda)
        if relative_gap(objective, bound.value, zero) <= tol or rounds == PROGRAM_ROUNDS:
            break
    return v, total
