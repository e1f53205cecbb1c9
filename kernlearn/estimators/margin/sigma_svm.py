"""The estimator of `kernlearn.algorithms.margin.sigma_svm`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.margin.sigma_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch


@dataclass(eq=False, repr=False)
class SigmaSVMClassifier(SingleKernelClassifier):
    """The SVM on partly whitened examples as a scikit-learn classifier; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    C : float > 0
        Weight of the loss.
    D : float in [0, 1)
        Share of the whitening; 0 is the SVM. The covariance is divided by the mean of ``K(x_i, x_i)``, so D has the
        same effect for K and 1000 K. With a linear or polynomial kernel, centre the features first. Far from the origin
        this mean is large, and the whitening is weak.
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total.
        The whitening treats all examples equally.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`.
    support_, n_support_
        Usually all training examples, because the whitening uses all of them.
    intercept_ : array of shape (1,) or (n_classes,)

    References
    ----------
    P. K. Shivaswamy. Large Relative Margin and Applications. PhD thesis, Columbia University, 2010.
    """

    _method = METHOD

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    C: float = 1.0
    D: float = 0.9
    tol: float = 1e-6
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False


class SigmaSVMClassifierCV(ClassifierSearch, of=SigmaSVMClassifier):
    """`kernlearn.SigmaSVMClassifier` with parameters that are chosen by cross-validation."""
