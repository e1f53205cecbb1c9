"""The estimator of `kernlearn.algorithms.margin.sgd_svm`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.margin.sgd_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.labels import seed_of
from kernlearn.estimators.common.search import ClassifierSearch


@dataclass(eq=False, repr=False)
class SGDSVMClassifier(SingleKernelClassifier):
    """The soft-margin SVM by stochastic gradient descent on kernels, with a certificate.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    lambda_ : float > 0
        Weight of half the squared norm beside the mean loss.
    n_epochs : int
        Steps for every example.
    constant : float >= 0
        Value of an extra constant feature, whose weight is the intercept; with 0 there is no intercept.
    tol : float
        Relative duality gap above which `fit` warns.
    random_state : int, RandomState or None
        The seed of the examples that are drawn.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`; the objective is that of the textbook.
    """

    _semidefinite = False  # updates of coefficients, whatever the kernel
    _method = METHOD

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    lambda_: float = 1e-2
    n_epochs: int = 100
    constant: float = 1.0
    tol: float = 1e-2
    random_state: Any = 0
    probability: bool = False

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        return super()._points(replace(problem, seed=seed_of(self.random_state)), values)


class SGDSVMClassifierCV(ClassifierSearch, of=SGDSVMClassifier):
    """`kernlearn.SGDSVMClassifier` with parameters that are chosen by cross-validation."""
