"""The estimator of `kernlearn.algorithms.margin.perceptron`."""

from dataclasses import dataclass

from kernlearn.algorithms.margin.perceptron import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier


@dataclass(eq=False, repr=False)
class KernelPerceptronClassifier(SingleKernelClassifier):
    """The batch perceptron on kernels: finds some hyperplane that separates the classes.

    More than two classes are learned one-vs-rest. If the kernel does not separate the classes, `fit` warns.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    constant : float >= 0
        Value of an extra constant feature, whose weight is the intercept; with 0 there is no intercept.
    max_updates : int
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_
        As for `kernlearn.L2SVMClassifier`.
    objective_, dual_objective_, gap_
        The objective is the number of training examples on the wrong side or on the hyperplane. Its lower bound is 0.
    n_iter_ : int
        The number of updates.
    """

    _semidefinite = False  # updates of coefficients, whatever the kernel
    _method = METHOD

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    constant: float = 1.0
    max_updates: int = 100_000
    probability: bool = False
