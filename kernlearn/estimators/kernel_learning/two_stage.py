"""The estimators of `kernlearn.algorithms.kernel_learning.two_stage`."""

from __future__ import annotations  # so that `help` shows names of types

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem, Reals, Signs
from kernlearn.algorithms.kernel_learning.two_stage import METHODS, PARAMETERS, WEIGHTINGS
from kernlearn.errors import UserError
from kernlearn.estimators.common.combined import CombinedKernelRegressor, WeightedCombinedClassifier
from kernlearn.estimators.common.fitting import path_points
from kernlearn.estimators.common.search import ClassifierSearch, RegressorSearch, Weighted
from kernlearn.parameters import Choice, Parameter

#: The methods by their weighting.
BY_WEIGHTING = {method.name: method for method in METHODS}
#: What a configuration says by the name of the method.
OWN = {
    "weighting": Parameter("alignf", Choice(tuple(WEIGHTINGS))),
    "machine": Parameter("svm", Choice(("svm", "ridge"))),
}


@dataclass(eq=False, repr=False)
class TwoStageClassifier(WeightedCombinedClassifier):
    """An SVM, or ridge regression on labels +-1, with weighted kernels; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    weighting : {"unif", "align", "alignf"}
        Uniform weights; alignment of each kernel with the labels; best alignment of the combination.
    machine : {"svm", "ridge"}
    kernel : str, callable, list of callables or ColumnKernels
        A family of kernels on vectors (``kernlearn list kernels``), such as ``"gaussian"`` or ``"polynomial"``, with
        the parameters below. ``"precomputed"``: X has matrices of shape (p, n, n). ``"features"``: a rank-1 kernel for
        each column of X. `kernlearn.ColumnKernels` is a kernel for every group of columns.
        ``"rbf"``, ``"poly"``, ``"laplacian"``, ``"chi2"``, ``"matern"`` and ``"cosine"`` are as in scikit-learn. A
        function ``f(X, Z)``, or a list of some, returns the kernel values of two sets.
    gammas : "scale", "auto" or sequence of float > 0
    degrees : sequence of int
        As for `kernlearn.VKRClassifier`.
    coef0 : float
    C : float > 0
        Weight of the loss of the SVM.
    lambda_ : float > 0
        Penalty of ridge regression.
    centre : bool
        Centre the kernels in feature space.
    normalise : {"trace", "mean_diagonal", "frobenius", "none"}
        The divisor of each (centred) kernel before it is weighted: trace, trace / n, Frobenius norm, or none.
    tol : float
        Relative duality gap.
    class_weight : "balanced", dict or None
        Factors of C by class, for ``machine="svm"``; "balanced" gives all classes the same total. Weights, norms and
        centres of kernels treat all examples equally.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    weights_ : array of shape (n_outputs, p)
        Weights of the kernels as given; they include the normalisation.
    classes_, support_, n_support_, intercept_, objective_, dual_objective_, gap_
        The gap is the largest of the binary problems.
    gammas_ : array
        The values of gamma that were used, if the kernels have any.
    coef_ : array of shape (n_outputs, p)
        With ``kernel="features"``: weights of the features.
    """

    _declared = {**PARAMETERS, **OWN}

    weighting: str = "alignf"
    machine: str = "svm"
    kernel: str = "gaussian"
    gammas: ArrayLike | str = "scale"
    degrees: ArrayLike = (1, 2, 3)
    coef0: float = 1.0
    C: float = 1.0
    lambda_: float = 1.0
    centre: bool = True
    normalise: str = "mean_diagonal"
    tol: float = 1e-6
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    def _check_parameters(self) -> dict[str, Any]:
        values = super()._check_parameters()
        if self.class_weight is not None and self.machine == "ridge":
            raise UserError("class_weight: is for machine='svm', ridge regression has none")
        return values

    @property
    def _method(self) -> Method:
        return BY_WEIGHTING[self.weighting]

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        binary = Signs if self.machine == "svm" else Reals
        return path_points(self._method, problem, values, binary=binary, **self._given(values))


@dataclass(eq=False, repr=False)
class TwoStageRegressor(CombinedKernelRegressor):
    """Ridge regression with weighted kernels.

    With one kernel it is kernel ridge regression. Parameters and attributes are those of `TwoStageClassifier`.
    """

    _declared = {**PARAMETERS, **OWN}

    weighting: str = "alignf"
    kernel: str = "gaussian"
    gammas: ArrayLike | str = "scale"
    degrees: ArrayLike = (1, 2, 3)
    coef0: float = 1.0
    lambda_: float = 1.0
    centre: bool = True
    normalise: str = "mean_diagonal"
    tol: float = 1e-6

    @property
    def _method(self) -> Method:
        return BY_WEIGHTING[self.weighting]


class TwoStageClassifierCV(Weighted, ClassifierSearch, of=TwoStageClassifier):
    """`kernlearn.TwoStageClassifier` with parameters that are chosen by cross-validation."""


class TwoStageRegressorCV(Weighted, RegressorSearch, of=TwoStageRegressor):
    """`kernlearn.TwoStageRegressor` with parameters that are chosen by cross-validation."""
