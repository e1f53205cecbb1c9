"""The estimator of `kernlearn.algorithms.margin.l2_svm`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.margin.l2_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier
from kernlearn.estimators.common.search import ClassifierSearch, Weighted


@dataclass(eq=False, repr=False)
class L2SVMClassifier(WeightedClassifier, SingleKernelClassifier):
    """The soft-margin SVM with the kernels and the certificate of this package.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel : str, callable
        A kernel on vectors (``kernlearn list kernels``), such as ``"polynomial"``, ``"gaussian"`` or ``"min"``, with
        the parameters below; or ``"precomputed"`` to pass the Gram matrix in the place of the examples. ``"rbf"``,
        ``"poly"``, ``"laplacian"``, ``"chi2"``, ``"matern"`` and ``"cosine"`` are as in scikit-learn. A function ``f(X,
        Z)`` returns the kernel values of two sets of examples.
    degree : int
        The degree of ``"polynomial"``, which is ``(x.z + coef0)^degree``, or of ``"poly"``, which is ``(gamma x.z +
        coef0)^degree``.
    gamma : "scale", "auto" or float > 0
        The gamma of the Gaussian kernel ``exp(-gamma |x - z|^2)``, and of ``"laplacian"``, ``"chi2"``, ``"matern"`` and
        ``"poly"``. Other kernels have none. "scale" is 1 / (d X.var()) of the training examples, or 1 / (d X.std()) for
        ``"laplacian"`` and ``"chi2"``. "auto" is 1 / d.
    coef0 : float
    C : float > 0
    tol : float
        Relative duality gap to reach.
    solver : {"homotopy", "libsvm", "osqp", "smo"}
        "homotopy": our homotopy method. "libsvm": LibSVM, which stops at its own criterion. "osqp": OSQP, refined at
        the end; it is slow, and independent of the homotopy. "smo": our SMO with active sets, for large data. `gap_` is
        the gap that was reached.
    max_iter : int
        The largest number of iterations, with ``solver="libsvm"`` only.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    support_ : array of shape (n_support,)
        Indices of the training examples with a non-zero coefficient.
    n_support_ : int
    dual_coef_ : array of shape (1, n_support)
        The coefficients, multipliers times labels; (n_classes, 1, n_support) for more than two classes.
    objective_, dual_objective_, gap_ : float
        The objective, its certified lower bound and the relative gap between them. With more than two classes, the
        first two are sums over the binary problems, and the gap is the largest.
    intercept_ : array of shape (1,) or (n_classes,)
    gamma_ : float
        The value of gamma that was used, if the kernel has one.
    """

    _method = METHOD

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    C: float = 1.0
    tol: float = 1e-6
    solver: str = "homotopy"
    max_iter: int = 100_000
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False


class L2SVMClassifierCV(Weighted, ClassifierSearch, of=L2SVMClassifier):
    """`kernlearn.L2SVMClassifier` with parameters that are chosen by cross-validation."""
