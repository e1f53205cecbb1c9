"""The estimator of `kernlearn.algorithms.margin.soft_svm`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.margin.soft_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier
from kernlearn.estimators.common.search import ClassifierSearch, Weighted


@dataclass(eq=False, repr=False)
class SoftSVMClassifier(WeightedClassifier, SingleKernelClassifier):
    """The soft-margin SVM in the form of the textbook, with a certificate; hyperplanes may be homogenous.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    lambda_ : float > 0
        Weight of the squared norm beside the mean loss; ``C = 1 / (2 lambda_ n)``.
    homogenous : bool
        Whether there is no intercept.
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of the losses of the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`; the objective is that of the textbook.
    """

    _mean_loss = True
    _method = METHOD

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    lambda_: float = 1e-3
    homogenous: bool = False
    tol: float = 1e-6
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False


class SoftSVMClassifierCV(Weighted, ClassifierSearch, of=SoftSVMClassifier):
    """`kernlearn.SoftSVMClassifier` with parameters that are chosen by cross-validation."""
