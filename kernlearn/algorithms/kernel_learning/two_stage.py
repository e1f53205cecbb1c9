"""Learning kernels in two stages: weights first, then an SVM or ridge regression with the combined kernel.

Stage 1 is one of `WEIGHTINGS`, see the modules of their names. Source: Rostamizadeh (2010), section 3.2; Cortes, Mohri
and Rostamizadeh (2012).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kernlearn.algorithms.common.regression import Regression, Targets
from kernlearn.algorithms.common.ridge import ridge_of, solve_krr, weighted
from kernlearn.algorithms.core.grams import combined_svm
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, RIDGE, Method
from kernlearn.algorithms.core.path import Point, Prove, combined_point, proved, rebuilt
from kernlearn.algorithms.core.prepare import CS, LAMBDAS, prepare, prepare_counted, turn_by
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.kernel_learning import align, alignf, unif
from kernlearn.certificates import Certificate, weighted_svm
from kernlearn.errors import UserError
from kernlearn.kernels import KernelFamily, KernelStack, is_semidefinite
from kernlearn.kernels.matrices.centring import unaligned
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.parameters import Choice, Number, Parameter
from kernlearn.types import Array

#: Stage 1 by name: ``weigh(stack, y, sizes, Lambda)`` gives the weights of the kernels ``K_k / t_k``.
WEIGHTINGS: dict[str, Callable[..., Array]] = {"unif": unif.weigh, "align": align.weigh, "alignf": alignf.weigh}
#: The status where weights by alignment would be made of rounding.
UNALIGNED = "no kernel is aligned with the labels: all have equal weights"

PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    "lambdas": replace(LAMBDAS, meaning="weights of the squared norm, with task=regression only"),
    **PREPARE,
    "tol": Parameter(1e-6, Number(low=1e-12, high=1e-1), "relative duality gap"),
}
SIGNS = Parameter(
    "nonnegative", Choice(("nonnegative", "linear")), "nonnegative: weights >= 0; linear: weights of any sign"
)


def weigh(weighting: str, stack: KernelStack, y: Array, sizes: Array, *, linear: bool = False) -> tuple[Array, str]:
    """Return the weights of stage 1 of the kernels as given, and the status of what is solved with them.

    Where no kernel is aligned with the labels by more than rounding, weights are equal.

    Parameters
    ----------
    weighting : {"unif", "align", "alignf"}
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
        Labels +-1 or real ones.
    sizes : array of shape (p,)
        The t_k.
    linear : bool
        Whether weights may have any sign.
    """
    if weighting != "unif" and unaligned(stack, y):
        return unif.weigh(stack) / sizes, UNALIGNED
    weigh = alignf.weigh_linear if linear else WEIGHTINGS[weighting]
    return weigh(stack, y, sizes) / sizes, "optimal"


def grid(family: KernelFamily, task: str = "classification", **values: Any) -> list[dict[str, float]]:
    """Return all C, or for a regression all lambda, the strongest regularisation first."""
    keys = {"lambda": "-lambdas"} if task == "regression" else {"C": "Cs"}
    return grid_of(keys, one_kernel=False)(family, **values)


def path(
    problem: Problem,
    *,
    weighting: str,
    Cs: Sequence[float] = (),
    lambdas: Sequence[float] = (),
    centre: bool = True,
    normalise: str = "mean_diagonal",
    tol: float = 1e-6,
    weights: str = "nonnegative",
    counted: bool = False,
) -> Iterator[Point]:
    """Weigh the kernels once, then solve the SVM for every C, warm, or ridge regression for every lambda.

    With `counted`, the weights of the examples of an SVM are how often they are there, in stage 1, too.

    Raises `UserError` if the weights may have any sign (``weights="linear"``) and the combination is not positive
    semidefinite.
    """
    regression = Regression.of(problem, centre, normalise) if problem.is_regression else None
    if regression:
        kernels, t, y = regression.kernels, regression.sizes, regression.labels
    else:
        (kernels, t), y = prepare(problem.inputs, centre, normalise), Targets.of(problem.y, False).y
    first = kernels, y, t
    if counted and not regression:
        turned, t = prepare_counted(problem.inputs, problem.counts, centre, normalise)
        first = turned, turn_by(problem.counts, y), t
    mu, status = weigh(weighting, *first, linear=weights == "linear")
    if mu.min() < 0 and not is_semidefinite(kernels.combine(mu)):
        raise UserError("the linear combination of kernels is not positive semidefinite: use algo.weights=nonnegative")
    if regression:
        K = weighted(kernels, mu)
        for lambda_ in sorted(lambdas, reverse=True):
            values, solution = {"lambda": float(lambda_)}, solve_krr(K, regression.y, lambda_, ridge_of(kernels))
            yield regression.point(values, mu, solution.x, solution, tol=tol).with_status(status)
        return
    solver = combined_svm(kernels, mu, y, tol, weights=problem.weights)
    for C in sorted(Cs):
        solution = solver.solve(C)
        values = {"C": float(C)}
        predictor = solution.x, solution.intercept
        here = combined_point(kernels, y, values, mu, *predictor, solution, solution.dual)
        prove = prove_svm(y, mu, solution.dual, float(C), problem.weights)
        yield proved(here, problem.inputs, prove, tol).with_status(status)


def prove_svm(y: Array, mu: Array, alpha: Array, C: float, weights: Array | None = None) -> Prove:
    """Return what proves an SVM with the kernel ``sum_k mu_k K_k`` as a predictor."""

    def of(inputs: Any, coef: Array, intercept: float) -> Certificate:
        return weighted_svm(inputs, y, coef, intercept, mu, alpha, C, weights=weights)

    return of


def _method(weighting: str, description: str, version: int, **more: Parameter) -> Method:
    return Method(
        weighting,
        description,
        PROGRAMS,
        {**PARAMETERS, **more},
        grid,
        partial(path, weighting=weighting),
        version=version,
        variant=lambda weights="nonnegative", **_: weighting if weights == "nonnegative" else f"{weighting}_{weights}",
        targets=("signs", "reals"),
        in_regression=RIDGE,
        weighs=True,
        class_weight=True,
        max_matrix_bytes=MAX_MATRIX_BYTES,
        certificate=rebuilt(weighting),
    )


METHODS = (
    _method("unif", "SVM or ridge regression with the unweighted mean of the kernels", 4),
    _method("align", "SVM or ridge regression; each kernel is weighted by its own alignment with the labels", 4),
    _method(
        *("alignf", "SVM or ridge regression with the combination of kernels that is best aligned with the labels", 5),
        weights=SIGNS,
    ),
)
