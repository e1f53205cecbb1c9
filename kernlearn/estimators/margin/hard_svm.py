"""The estimator of `kernlearn.algorithms.margin.hard_svm`."""

from dataclasses import dataclass

from kernlearn.algorithms.margin.hard_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier


@dataclass(eq=False, repr=False)
class HardSVMClassifier(WeightedClassifier, SingleKernelClassifier):
    """The hard-margin SVM, with a certificate; hyperplanes may be homogenous.

    More than two classes are learned one-vs-rest. If the kernel does not separate the classes, or the margin is less
    than about 1e-5 of the size of the examples, `fit` warns. The classifier is then the soft-margin SVM with a very
    large C. If features differ in size, standardise them.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    homogenous : bool
        Whether there is no intercept.
    tol : float
        Relative duality gap to reach.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`; the objective is the squared norm, of two classes ``1 / margin^2``.
    """

    _method = METHOD

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    homogenous: bool = False
    tol: float = 1e-6
    probability: bool = False
