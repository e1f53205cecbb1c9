"""The estimator of `kernlearn.algorithms.margin.klda`."""

from dataclasses import dataclass

from kernlearn.algorithms.margin.klda import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch


@dataclass(eq=False, repr=False)
class KLDAClassifier(SingleKernelClassifier):
    """The regularised kernel Fisher discriminant: class means far apart, classes close together along a direction.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    mu : float > 0
        Weight of the ridge, relative to the mean eigenvalue of the squared kernel matrix.
    threshold : {"means", "svm"}
        "means": in the middle of the projected class means. "svm": the threshold of an SVM on the projections, for
        classes of different sizes or variances.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_
        As for `kernlearn.L2SVMClassifier`; usually all examples have a coefficient.
    objective_, dual_objective_, gap_
        Values of the quadratic problem, before the threshold is chosen.

    References
    ----------
    S. Mika, G. Raetsch, J. Weston, B. Schoelkopf and K.-R. Mueller. Fisher discriminant analysis with kernels. 1999.
    """

    _method = METHOD

    kernel: str = "gaussian"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    mu: float = 1e-3
    threshold: str = "means"
    probability: bool = False


class KLDAClassifierCV(ClassifierSearch, of=KLDAClassifier):
    """`kernlearn.KLDAClassifier` with parameters that are chosen by cross-validation."""
