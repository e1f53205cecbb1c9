"""The estimator of `kernlearn.algorithms.margin.perceptron`."""

from dataclasses import dataclass

from kernlearn.algorithms.margin.perceptron import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier


@dataclass(eq=False, repr=False)
class KernelPerceptronClassifier(SingleKernelClassifier):
    """The batch perceptron on kernels: of the hyperplanes that separate the classes, not the best, but soon one.

    More than two classes by one-versus-rest. Where the kernel does not separate them, `fit` warns.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    constant : float >= 0
        Of the constant feature that stands for an intercept; without one, 0, hyperplanes are homogenous.
    max_updates : int
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_
        As for `kernlearn.L2SVMClassifier`.
    objective_, dual_objective_, gap_
        Of the number of training examples on the wrong side or on the hyperplane, and 0, its lower bound.
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
