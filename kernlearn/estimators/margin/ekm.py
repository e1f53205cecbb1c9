"""The estimator of `kernlearn.algorithms.margin.ekm`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.margin.ekm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch


@dataclass(eq=False, repr=False)
class EKMClassifier(SingleKernelClassifier):
    """The ellipsoidal kernel machine as a scikit-learn classifier; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`; take a kernel whose images span few dimensions, such as ``"linear"``.
    C : float > 0
        Weight of the loss.
    E : float > 0
        Weight of the examples outside of the ellipsoid.
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total. The ellipsoid ignores
        these weights.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, dual_coef_, objective_, dual_objective_, gap_
        Values of the SVM, as for `kernlearn.VKRClassifier` with one kernel.
    support_, n_support_
        Usually all training examples, since the ellipsoid encloses all of them.
    intercept_ : array of shape (1,) or (n_classes,)

    References
    ----------
    P. K. Shivaswamy. Large Relative Margin and Applications. PhD thesis, Columbia University, 2010, section 2.1.
    """

    _method = METHOD

    kernel: str = "linear"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    C: float = 100.0
    E: float = 1.0
    tol: float = 1e-6
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False


class EKMClassifierCV(ClassifierSearch, of=EKMClassifier):
    """`kernlearn.EKMClassifier` with parameters that are chosen by cross-validation."""
