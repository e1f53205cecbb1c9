"""The estimator of `kernlearn.algorithms.margin.nearest_mean`."""

from dataclasses import dataclass

from kernlearn.algorithms.margin.nearest_mean import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier


@dataclass(eq=False, repr=False)
class NearestMeanClassifier(WeightedClassifier, SingleKernelClassifier):
    """The nearer of two class means in the feature space of a kernel.

    More than two classes are learned one-vs-rest, as by all methods for two classes: the mean of every class against
    the mean of all other examples. This is not the nearest of all class means, which scikit-learn's ``NearestCentroid``
    finds for a linear kernel.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_
        As for `kernlearn.L2SVMClassifier`; all examples have a coefficient.
    objective_, dual_objective_, gap_
        The sum of the squared distances of the examples from the means of their classes, which is its own bound.

    References
    ----------
    S. Shalev-Shwartz and S. Ben-David. Understanding Machine Learning. 2014, chapter 16, exercise 6.
    """

    _method = METHOD

    kernel: str = "gaussian"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    probability: bool = False
