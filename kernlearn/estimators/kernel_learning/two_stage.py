"""The estimators of `kernlearn.algorithms.kernel_learning.two_stage`."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.common.regression import Regression
from kernlearn.algorithms.common.ridge import ridge_of, solve_krr
from kernlearn.algorithms.core.grams import combined_svm
from kernlearn.algorithms.kernel_learning.two_stage import PARAMETERS, WEIGHTINGS, prove_svm, weigh
from kernlearn.errors import UserError
from kernlearn.estimators.common.combined import CombinedKernelClassifier, CombinedKernelRegressor, Fit
from kernlearn.kernels import KernelStack
from kernlearn.kernels.matrices.streamed import HELD_BYTES
from kernlearn.parameters import Choice, Parameter
from kernlearn.types import Array

#: What a configuration says by the name of the method.
OWN = {
    "weighting": Parameter("alignf", Choice(tuple(WEIGHTINGS))),
    "machine": Parameter("svm", Choice(("svm", "ridge"))),
}


class TwoStageClassifier(CombinedKernelClassifier):
    """An SVM, or ridge regression on labels +-1, with weighted kernels; more than two classes by one-versus-rest.

    Parameters
    ----------
    weighting : {"unif", "align", "alignf"}
        Uniform weights; alignment of each kernel with the labels; best alignment of the combination.
    machine : {"svm", "ridge"}
    kernel : str, callable or list of callables
        A family of kernels on vectors (``kernlearn list kernels``), such as ``"gaussian"`` or ``"polynomial"``, with
        the parameters below; ``"precomputed"``: matrices of shape (p, n, n) in the place of X; or ``"features"``: a
        rank-1 kernel for every column of X.
        ``"rbf"``, ``"poly"``, ``"laplacian"``, ``"chi2"``, ``"matern"`` and ``"cosine"`` are as in scikit-learn. A
        function ``f(X, Z)``, or a list of some, returns the kernel values of two sets.
    gammas : "scale", "auto" or sequence of float > 0
    degrees : sequence of int
        As for `kernlearn.VKRClassifier`.
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
    gammas_ : array
        The numbers that gammas stand for, of kernels that have any.
    coef_ : array of shape (n_outputs, p)
        With ``kernel="features"``: weights of the features.
    """

    _declared = {**PARAMETERS, **OWN}
    _held = HELD_BYTES

    def __init__(
        self,
        weighting: str = "alignf",
        machine: str = "svm",
        kernel: str = "gaussian",
        gammas: ArrayLike | str = "scale",
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
        mu, status = weigh(self.weighting, stack, y, t)
        if self.machine == "svm":
            solution = combined_svm(stack, mu, y, self.tol, weights=weights).solve(float(self.C))
            proof = prove_svm(y, mu, solution.dual, float(self.C), weights)
            return Fit(mu, solution.x, solution.intercept, solution, solution.dual, proof, status=status)
        intercept = float(y.mean()) if self.centre else 0.0
        lambda_ = float(self.lambda_)
        solution = solve_krr(stack.combine(mu), y - intercept, lambda_, ridge_of(stack))
        return Fit(
            mu,
            solution.x,
            intercept,
            solution,
            regression=Regression(y, lambda_, self.centre, tol=float(self.tol)),
            status=status,
        )


class TwoStageRegressor(CombinedKernelRegressor):
    """Ridge regression with weighted kernels.

    With one kernel it is kernel ridge regression. Parameters and attributes are those of `TwoStageClassifier`.
    """

    _declared = {**PARAMETERS, **OWN}
    _held = HELD_BYTES

    def __init__(
        self,
        weighting: str = "alignf",
        kernel: str = "gaussian",
        gammas: ArrayLike | str = "scale",
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
        mu, status = weigh(self.weighting, stack, y, t)
        lambda_ = float(self.lambda_)
        solution = solve_krr(stack.combine(mu), y, lambda_, ridge_of(stack))
        return Fit(
            mu,
            solution.x,
            0.0,
            solution,
            regression=Regression(y, lambda_, self.centre, tol=float(self.tol)),
            status=status,
        )
