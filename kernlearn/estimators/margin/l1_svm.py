"""The estimator of `kernlearn.algorithms.margin.l1_svm`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.margin.l1_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier
from kernlearn.estimators.common.search import ClassifierSearch, Weighted


@dataclass(eq=False, repr=False)
class L1SVMClassifier(WeightedClassifier, SingleKernelClassifier):
    """The norm-1 SVM as a scikit-learn classifier; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    beta : float >= 0
        Weight of the l1 norm.
    tol : float, optional
        Relative duality gap to reach; by default 1e-9, or 1e-4 for interior points with more than 5000 examples.
    solver : {"auto", "simplex", "interior", "highs"}
        "simplex": our dual simplex method. "interior": interior points, finished by the simplex method if at most 5000
        examples differ. "highs": cutting planes on HiGHS. "auto": "simplex" up to 2000 examples, then "interior".
    class_weight : "balanced", dict or None
        Factors of the losses of the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`.
    """

    _semidefinite = False  # a linear program in its coefficients
    _advice = "; scale the features, or raise the penalty"
    _mean_loss = True
    _method = METHOD
    _may_be_none = ("tol",)

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    beta: float = 1e-3
    tol: float | None = None
    solver: str = "auto"
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False


class L1SVMClassifierCV(Weighted, ClassifierSearch, of=L1SVMClassifier):
    """`kernlearn.L1SVMClassifier` with parameters that are chosen by cross-validation."""
