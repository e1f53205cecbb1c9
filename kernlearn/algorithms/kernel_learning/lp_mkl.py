"""Multiple kernel learning with an SVM and the lp norm of the weights.

::

    min_{mu >= 0, ||mu||_p <= 1}  min_{w,b}  1/2 sum_k |w_k|^2 / mu_k + C sum_i max(0, 1 - y_i f(x_i)) ,
               f(x) = sum_k w_k.phi_k(x) + b
    max_alpha  sum_i alpha_i - 1/2 || (beta' K_k beta / t_k)_k ||_q ,   beta = alpha o y ,  1/p + 1/q = 1
               subject to  sum_i beta_i = 0,  0 <= alpha_i <= C

on the kernels ``K_k / t_k``. For ``p = 1`` the weights are sparse: ``l1_mkl``, the l1-svm of Rostamizadeh (2010), (3.1)
with (3.3), up to its missing factor 1/2. Source: Lanckriet et al. (2004); Kloft, Brefeld, Sonnenburg and Zien (2011).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from kernlearn.algorithms.common.inner import SVMInner
from kernlearn.algorithms.common.rank_one import RankOneMKL, is_rank_one
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point, Prove, combined_point, proved, rebuilt
from kernlearn.algorithms.core.prepare import CS, prepare, prepare_counted
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import Certificate, weighted_svm
from kernlearn.errors import UserError
from kernlearn.kernels import KernelStack
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.parameters import Number, Parameter
from kernlearn.solvers import Solution, alternate, cutting_planes, newton
from kernlearn.types import Array

#: Ways to solve it: Newton's method on the weights, or the semi-infinite linear program, for p = 1.
WAYS = ("newton", "silp")
#: Of more kernels, all of which have a weight where p > 1, Newton's matrices are too large; taking turns is as fast.
MAX_NEWTON_KERNELS = 500

#: Examples from which on the weights start from those of a part of them, what part that is, and its gap.
LARGE, PART, ROUGH = 8000, 4, 1e-3

#: Of the weights.
NORM = Parameter(1.0, Number(low=1, infinite=True), "p of the lp norm of the weights")
PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    **PREPARE,
    "tol": Parameter(1e-6, Number(low=1e-9, high=1e-1), "relative duality gap"),
}


def solve_mkl(
    inner: SVMInner, *, norm: float = 1.0, start: Array | None = None, tol: float = 1e-6, method: str = "newton"
) -> Solution:
    """Solve the problem for one C.

    Raises `UserError` if the method is SILP and the norm is not 1.

    Parameters
    ----------
    inner : SVMInner
        The SVM with its C and the sizes t_k; it stays warm from one call to the next.
    norm : float >= 1
        The p of the norm; infinity is allowed.
    start : array of shape (p,), optional
        Weights to start from, e.g. those for another C.
    tol : float
        Relative duality gap.
    method : {"newton", "silp"}

    Returns
    -------
    Solution
        ``x`` are the weights mu of the kernels ``K_k / t_k``, ``dual`` is alpha; ``extras`` have the ``response``, the
        SVM for these weights; `rounds` counts SVMs.
    """
    mu = np.ones(len(inner.stack)) if start is None else start
    if method == "newton" and norm > 1 and len(mu) > MAX_NEWTON_KERNELS:
        return alternate(inner, mu, norm=norm, tol=tol)
    if method == "newton":
        return newton(inner, mu, norm=norm, tol=tol)
    if norm != 1:
        raise UserError(f"method=silp solves the norm 1 only, not norm={norm:g}: use method=newton")
    return cutting_planes(inner, mu, tol=tol)


def solve_path(
    stack: KernelStack,
    y: Array,
    Cs: Sequence[float],
    sizes: Array,
    *,
    norm: float,
    tol: float,
    method: str = "newton",
    weights: Array | None = None,
) -> Iterator[tuple[float, Solution]]:
    """Solve the problem for one C after another, the strongest regularisation first, weights and SVM warm.

    Of kernels of rank 1 the weights of ``norm=1`` come from `kernlearn.algorithms.common.rank_one`, unless examples
    have `weights`, factors of C.
    """
    if norm == 1 and method == "newton" and weights is None and is_rank_one(stack):
        exact = RankOneMKL(stack, y, sizes, tol)
        yield from ((C, exact.solve(C)) for C in sorted(Cs))
        return
    mu = weights_of_a_part(stack, y, min(Cs), sizes, norm=norm, method=method, weights=weights)
    inner = SVMInner(stack, y, min(Cs), sizes, tol, weights)
    for C in sorted(Cs):
        inner.move_to(C)
        solution = solve_mkl(inner, norm=norm, start=mu, tol=tol, method=method)
        mu = solution.x
        yield C, solution


def weights_of_a_part(
    stack: KernelStack, y: Array, C: float, sizes: Array, *, norm: float, method: str, weights: Array | None
) -> Array | None:
    """Return weights to start from, those of a part of many examples with kernels by blocks, or None.

    C is larger as the examples are fewer. Equal weights would be far away, and the first steps from them go too far, to
    kernels so narrow that nearly all examples are at the margin: the factor of these takes time and memory.
    """
    n = len(y)
    if not isinstance(stack, BlockStack) or n < LARGE:
        return None
    order = np.argsort(y, kind="stable")  # as many of either class as it has
    some = np.sort(order[np.linspace(0, n - 1, n // PART).astype(np.intp)])
    part = None if weights is None else weights[some]
    inner = SVMInner(stack.take(some), y[some], C * n / len(some), sizes, ROUGH, part)
    return solve_mkl(inner, norm=norm, tol=ROUGH, method=method).x


def point(
    problem: Problem,
    stack: KernelStack,
    values: dict[str, float],
    solution: Solution,
    sizes: Array,
    norm: float,
    tol: float,
) -> Point:
    """Return a solution, weights of the kernels ``K_k / t_k`` of some sizes, as a certified point of a path."""
    mu, y, response = solution.x / sizes, problem.y, solution.extras["response"]
    here = combined_point(stack, y, values, mu, response.coef, response.intercept, solution, response.alpha)
    return proved(here, problem.inputs, prove(y, mu, solution.dual, values["C"], sizes, norm, problem.weights), tol)


def prove(
    y: Array, mu: Array, alpha: Array, C: float, sizes: Array, norm: float, weights: Array | None = None
) -> Prove:
    """Return what proves a predictor with the weights mu of the kernels as given and the alpha of the best bound."""

    def of(inputs: Any, coef: Array, intercept: float) -> Certificate:
        return weighted_svm(inputs, y, coef, intercept, mu, alpha, C, sizes, norm, weights=weights)

    return of


def path(
    problem: Problem,
    *,
    norm: float,
    Cs: Sequence[float],
    centre: bool = True,
    normalise: str = "mean_diagonal",
    tol: float = 1e-6,
    method: str = "newton",
    counted: bool = False,
) -> Iterator[Point]:
    """Solve the problem for every C, warm; `method` is that of `solve_mkl`.

    With `counted`, the weights of examples are how often they are there, in the sizes of the kernels, too.
    """
    kernels, t = prepare(problem.inputs, centre, normalise)
    if counted:
        t = prepare_counted(problem.inputs, problem.counts, centre, normalise)[1]
    options: dict[str, Any] = {"norm": norm, "tol": tol, "method": method, "weights": problem.weights}
    for C, solution in solve_path(kernels, problem.y, Cs, t, **options):
        yield point(problem, kernels, {"C": float(C)}, solution, t, norm, tol)


def _method(name: str, norm: float, description: str) -> Method:
    run = partial(path, norm=norm)
    return Method(
        name,
        description,
        KERNEL_LEARNING,
        PARAMETERS,
        grid_of({"C": "Cs"}, one_kernel=False),
        run,
        version=6,
        weighs=True,
        class_weight=True,
        max_matrix_bytes=MAX_MATRIX_BYTES,
        certificate=rebuilt(name),
    )


METHODS = (
    _method("l1_mkl", 1.0, "SVM that also learns kernel weights of bounded l1 norm; few kernels get a weight"),
    _method("l2_mkl", 2.0, "SVM that also learns kernel weights of bounded l2 norm"),
)
