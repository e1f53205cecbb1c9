"""Learning kernels in two stages: weights first, then an SVM or ridge regression with the combined kernel.

Stage 1 is one of `WEIGHTINGS`, see the modules of their names. Source: Rostamizadeh (2010), section 3.2; Cortes, Mohri
and Rostamizadeh (2012).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlearn.algorithms.common.combined import CombinedKernelClassifier, CombinedKernelRegressor, Fit
from kernlearn.algorithms.common.method import PROGRAMS, RIDGE, Method
from kernlearn.algorithms.common.path import Point, combined_point
from kernlearn.algorithms.common.prepare import CS, LAMBDAS, grid_of_Cs, mean_of, prepare, require_positive_definite
from kernlearn.algorithms.common.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.common.problem import Problem
from kernlearn.algorithms.kernel_learning import align, alignf, unif
from kernlearn.algorithms.ridge.krr import solve_krr
from kernlearn.errors import UserError
from kernlearn.kernels import KernelFamily, KernelStack, is_semidefinite
from kernlearn.parameters import Choice, Number, Parameter
from kernlearn.solvers import SVMSolver

Array = NDArray[np.float64]

#: Stage 1 by name: ``weigh(stack, y, sizes, Lambda)`` gives the weights of the kernels ``K_k / t_k``.
WEIGHTINGS: dict[str, Callable[..., Array]] = {"unif": unif.weigh, "align": align.weigh, "alignf": alignf.weigh}

PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    "lambdas": replace(LAMBDAS, meaning="ridges, of task=regression"),
    **PREPARE,
    "tol": Parameter(1e-6, Number(low=1e-12, high=1e-1), "relative duality gap"),
}
#: Of the estimators alone, where the method is the name of stage 1.
OWN = {
    "weighting": Parameter("alignf", Choice(tuple(WEIGHTINGS))),
    "machine": Parameter("svm", Choice(("svm", "ridge"))),
}
SIGNS = Parameter("nonnegative", Choice(("nonnegative", "linear")), "of the weights; linear: any")


def grid(
    family: KernelFamily, Cs: Sequence[float], lambdas: Sequence[float] = (), task: str = "classification", **_: Any
) -> list[dict[str, float]]:
    """Return all C, or for a regression all lambda, the strongest regularisation first."""
    if task == "regression":
        require_positive_definite(family)
        return [{"lambda": float(lambda_)} for lambda_ in sorted(lambdas, reverse=True)]
    return grid_of_Cs(family, Cs)


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
) -> Iterator[Point]:
    """Weigh the kernels once, then solve the SVM for every C, warm, or ridge regression for every lambda.

    Raises
    ------
    UserError
        If the weights may have any sign (``weights="linear"``) and the combination is not positive semidefinite.
    """
    y = problem.y
    kernels, t = prepare(problem.inputs, centre, normalise)
    weigh = alignf.weigh_linear if weights == "linear" else WEIGHTINGS[weighting]
    mu = weigh(kernels, y, t) / t
    K = kernels.combine(mu)
    if mu.min() < 0 and not is_semidefinite(K):
        raise UserError("the linear combination of kernels is not positive semidefinite: use algo.weights=nonnegative")
    if problem.is_regression:
        mean = mean_of(y, centre)
        for lambda_ in sorted(lambdas, reverse=True):
            solution = solve_krr(K, y - mean, lambda_)
            yield combined_point(kernels, y, {"lambda": float(lambda_)}, mu, solution.x, mean, solution)
        return
    solver = SVMSolver(K, y, tol)
    for C in sorted(Cs):
        solution, intercept = solver.solve(C)
        values = {"C": float(C)}
        yield combined_point(kernels, y, values, mu, solution.x, intercept, solution, solution.dual)


class TwoStageClassifier(CombinedKernelClassifier):
    """An SVM, or ridge regression on labels +-1, with weighted kernels; more than two classes by one-versus-rest.

    Parameters
    ----------
    weighting : {"unif", "align", "alignf"}
        Uniform weights; alignment of each kernel with the labels; best alignment of the combination.
    machine : {"svm", "ridge"}
    kernel : {"gaussian", "polynomial", "linear", "precomputed", "features"}
        A family over X; matrices of shape (p, n, n) in the place of X; or a rank-1 kernel for every column of X.
    gammas, degrees : sequences
        Members of the Gaussian and of the polynomial family.
    coef0 : float
    C : float > 0
        Of the SVM.
    lambda_ : float > 0
        Of ridge regression.
    centre : bool
        Centre the kernels in feature space.
    normalise : {"trace", "mean_diagonal", "frobenius", "none"}
        What every (centred) kernel is divided by before it is weighted: trace, trace / n, Frobenius norm, nothing.
    tol : float
        Relative duality gap.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class, of ``machine="svm"``; "balanced" gives all classes the same total.
        Weights, sizes and centres of kernels are those of all examples alike.

    Attributes
    ----------
    weights_ : array of shape (n_outputs, p)
        Of the kernels as given, normalisation included.
    classes_, support_, n_support_, intercept_, objective_, dual_objective_, gap_
        The gap is the largest of the binary problems.
    coef_ : array of shape (n_outputs, p)
        With ``kernel="features"``: weights of the features.
    """

    _declared = {**PARAMETERS, **OWN}

    def __init__(
        self,
        weighting: str = "alignf",
        machine: str = "svm",
        kernel: str = "gaussian",
        gammas: ArrayLike = (0.1, 1.0, 10.0),
        degrees: ArrayLike = (1, 2, 3),
        coef0: float = 1.0,
        C: float = 1.0,
        lambda_: float = 1.0,
        centre: bool = True,
        normalise: str = "mean_diagonal",
        tol: float = 1e-6,
        class_weight: Mapping[Any, float] | str | None = None,
    ):
        self.weighting = weighting
        self.machine = machine
        self.kernel = kernel
        self.gammas = gammas
        self.degrees = degrees
        self.coef0 = coef0
        self.C = C
        self.lambda_ = lambda_
        self.centre = centre
        self.normalise = normalise
        self.tol = tol
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.class_weight is not None and self.machine == "ridge":
            raise UserError("class_weight: is for machine='svm', ridge regression has none")

    def _solve(self, stack: KernelStack, t: Array, y: Array, weights: Array | None) -> Fit:
        mu = WEIGHTINGS[self.weighting](stack, y, t) / t
        if self.machine == "svm":
            solution, intercept = SVMSolver(stack.combine(mu), y, self.tol, weights=weights).solve(float(self.C))
            return Fit(mu, solution.x, intercept, solution, solution.dual)
        intercept = float(y.mean()) if self.centre else 0.0
        solution = solve_krr(stack.combine(mu), y - intercept, float(self.lambda_))
        return Fit(mu, solution.x, intercept, solution)


class TwoStageRegressor(CombinedKernelRegressor):
    """Ridge regression with weighted kernels.

    With one kernel it is kernel ridge regression. Parameters and attributes are those of `TwoStageClassifier`.
    """

    _declared = {**PARAMETERS, **OWN}

    def __init__(
        self,
        weighting: str = "alignf",
        kernel: str = "gaussian",
        gammas: ArrayLike = (0.1, 1.0, 10.0),
        degrees: ArrayLike = (1, 2, 3),
        coef0: float = 1.0,
        lambda_: float = 1.0,
        centre: bool = True,
        normalise: str = "mean_diagonal",
        tol: float = 1e-6,
    ):
        self.weighting = weighting
        self.kernel = kernel
        self.gammas = gammas
        self.degrees = degrees
        self.coef0 = coef0
        self.lambda_ = lambda_
        self.centre = centre
        self.normalise = normalise
        self.tol = tol

    def _solve(self, stack: KernelStack, t: Array, y: Array) -> Fit:
        mu = WEIGHTINGS[self.weighting](stack, y, t) / t
        solution = solve_krr(stack.combine(mu), y, float(self.lambda_))
        return Fit(mu, solution.x, 0.0, solution)


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
    )


METHODS = (
    _method("unif", "SVM or ridge regression with the mean of the kernels of the family", 4),
    _method("align", "SVM or ridge regression with the kernels weighted by their alignment", 4),
    _method(
        *("alignf", "SVM or ridge regression with the combination of kernels best aligned with the labels", 5),
        weights=SIGNS,
    ),
)
