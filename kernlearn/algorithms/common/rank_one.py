"""Weights of bounded l1 norm for kernels of rank 1: the square of the l1 norm of the weights of their features.

With ``K_k = x_k x_k'`` the weights mu can be eliminated from multiple kernel learning with ``p = 1`` and its like::

    min_{mu >= 0, ||mu||_1 <= Lambda}  sum_k w_k^2 / mu_k  =  ||w||_1^2 / Lambda ,    mu_k = Lambda |w_k| / ||w||_1

What is left are problems in the w_k alone that are solved exactly, for thousands of kernels. Source: Bach (2008);
Rostamizadeh (2010), section 3.2, has such kernels.
"""

from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from kernlearn.algorithms.common.inner import RidgeInner, SVMInner
from kernlearn.kernels import FeatureStack
from kernlearn.kernels.matrices.columns import FeatureColumns
from kernlearn.solvers import Response, Solution, SquaredL1Solver, solve_squared_l1_ridge
from kernlearn.types import Array


def is_rank_one(stack: Any) -> TypeGuard[FeatureStack]:
    """Return whether all kernels of a stack are kept as one feature each."""
    return isinstance(stack, FeatureStack) and stack.rank_one


class RankOneMKL:
    """``l1_mkl`` for one C after another, each warm; parameters as in `kernlearn.algorithms.common.inner.SVMInner`."""

    def __init__(self, stack: FeatureStack, y: Array, sizes: Array, tol: float):
        self.inner = SVMInner(stack, y, 1.0, sizes, tol)
        features = FeatureColumns(stack, y, np.sqrt(sizes), bias=True)
        self.solver = SquaredL1Solver(features, np.append(np.ones(len(sizes)), 0.0)[None], tol)

    def solve(self, C: float) -> Solution:
        """Solve the problem; results are those of `kernlearn.algorithms.kernel_learning.lp_mkl.solve_mkl`."""
        solution = self.solver.solve(C)
        w, bias = solution.x[0, :-1], float(solution.x[0, -1])
        alpha, bound = solution.dual, self.inner.bound(solution.dual)
        # The multipliers give w up to the tolerance times C alone, and a w of 0 not at all.
        coef = alpha * self.inner.y if w.any() else np.zeros(len(alpha))
        response = Response(solution.objective, *bound, alpha, coef, bias, solution.iterations)
        return replace(solution, x=weights_of(w, 1.0), intercept=bias, extras={"response": response})


def weights_of(w: Array, Lambda: float) -> Array:
    """Return ``mu_k = Lambda |w_k| / ||w||_1``, uniform weights if w is zero."""
    mu = np.abs(w) if w.any() else np.ones(len(w))
    return Lambda * mu / mu.sum()


def solve_rank_one_krr(
    stack: FeatureStack, y: Array, lambda_: float, *, Lambda: float, sizes: Array, start: Array | None, tol: float
) -> Solution:
    """Solve ``l1_krr``; parameters and results are those of `kernlearn.algorithms.ridge.l1_krr.solve_l1_krr`."""
    features = FeatureColumns(stack, np.ones(len(y)), np.sqrt(sizes), bias=False)
    likely = np.flatnonzero(np.zeros(0) if start is None else start)
    solution = solve_squared_l1_ridge(features, y, lambda_, Lambda, likely=likely, tol=tol)
    mu = weights_of(solution.x, Lambda)
    response = RidgeInner(stack, y, lambda_, sizes).respond(mu)  # with the kernels it is at least as good
    return replace(solution, x=mu, objective=response.objective, extras={"response": response})
