"""The estimator of `kernlearn.algorithms.margin.sigma_svm`."""

from collections.abc import Mapping
from typing import Any

from kernlearn.algorithms.margin.sigma_svm import METHOD, PARAMETERS
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch


class SigmaSVMClassifier(SingleKernelClassifier):
    """The SVM on partly whitened examples as a scikit-learn classifier; more than two classes by one-versus-rest.

    Parameters
    ----------
    kernel : str, callable
        A kernel on vectors (``kernlearn list kernels``), such as ``"polynomial"``, ``"gaussian"`` or ``"min"``, with
        the parameters below; or ``"precomputed"``: the Gram matrix takes the place of the examples.
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
    D : float in [0, 1)
        Share of the whitening; 0 is the SVM. The covariance is in units of the mean of ``K(x_i, x_i)``, so that D means
        the same for K and 1000 K. With a linear or polynomial kernel, centre the features first: off the origin, this
        mean is large and the whitening weak.
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total.
        The whitening treats all examples equally.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
    support_, n_support_
        The whitening is of all training examples, and so, as a rule, is the predictor.
    intercept_ : array of shape (1,) or (n_classes,)

    References
    ----------
    P. K. Shivaswamy. Large Relative Margin and Applications. PhD thesis, Columbia University, 2010.
    """

    _method = METHOD
    _declared = PARAMETERS

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        C: float = 1.0,
        D: float = 0.9,
        tol: float = 1e-6,
        class_weight: Mapping[Any, float] | str | None = None,
        probability: bool = False,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.D = D
        self.tol = tol
        self.class_weight = class_weight
        self.probability = probability


class SigmaSVMClassifierCV(ClassifierSearch, of=SigmaSVMClassifier):
    """`kernlearn.SigmaSVMClassifier` with parameters that are chosen by cross-validation."""
