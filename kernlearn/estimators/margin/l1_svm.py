"""The estimator of `kernlearn.algorithms.margin.l1_svm`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.margin.l1_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier
from kernlearn.estimators.common.search import ClassifierSearch, Weighted


@dataclass(eq=False, repr=False)
class L1SVMClassifier(WeightedClassifier, SingleKernelClassifier):
    """The norm-1 SVM as a scikit-learn classifier; more than two classes by one-versus-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    beta : float >= 0
        Weight of the l1 norm.
    tol : float, optional
        Relative duality gap to reach; by default 1e-9, and 1e-4 where more than 5000 examples are left to interior
        points.
    solver : {"auto", "simplex", "interior", "highs"}
        Our own dual simplex method, for up to 2000 examples; interior points, which up to 5000 different ones end at a
        vertex; or cutting planes on HiGHS.
    class_weight : "balanced", dict or None
        Factors of the losses of the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
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
