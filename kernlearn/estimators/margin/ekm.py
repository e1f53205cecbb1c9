"""The estimator of `kernlearn.algorithms.margin.ekm`."""

from collections.abc import Mapping
from typing import Any

from kernlearn.algorithms.margin.ekm import METHOD, PARAMETERS
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch


class EKMClassifier(SingleKernelClassifier):
    """The ellipsoidal kernel machine as a scikit-learn classifier; more than two classes by one-versus-rest.

    Parameters
    ----------
    kernel : str, callable
        One of few directions, such as ``"linear"``: a kernel on vectors (``kernlearn list kernels``), with the
        parameters below; or ``"precomputed"``: the Gram matrix takes the place of the examples.
        ``"rbf"``, ``"poly"``, ``"laplacian"``, ``"chi2"``, ``"matern"`` and ``"cosine"`` are as in scikit-learn. A
        function ``f(X, Z)`` returns the kernel values of two sets of examples.
    degree : int
        Of ``"polynomial"``, which is ``(x.z + coef0)^degree``, and of ``"poly"``: ``(gamma x.z + coef0)^degree``.
    gamma : "scale", "auto" or float > 0
        Of the Gaussian ``exp(-gamma |x - z|^2)``, of ``"laplacian"``, ``"chi2"`` and ``"matern"``, and of ``"poly"``;
        other kernels have none. "scale" is 1 / (d X.var()) of the training examples, and 1 / (d X.std()) for the
        distances of ``"laplacian"`` and ``"chi2"``; "auto" is 1 / d.
    coef0 : float
    C : float > 0
        Weight of the loss.
    E : float > 0
        Price of an example outside of the ellipsoid.
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total.
        The ellipsoid is that of all examples alike.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

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
    _declared = PARAMETERS

    def __init__(
        self,
        kernel: str = "linear",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        C: float = 100.0,
        E: float = 1.0,
        tol: float = 1e-6,
        class_weight: Mapping[Any, float] | str | None = None,
        probability: bool = False,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.E = E
        self.tol = tol
        self.class_weight = class_weight
        self.probability = probability


class EKMClassifierCV(ClassifierSearch, of=EKMClassifier):
    """`kernlearn.EKMClassifier` with parameters that are chosen by cross-validation."""
