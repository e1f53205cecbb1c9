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

    More than two classes by one-versus-rest.

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
    tol : float
        Relative duality gap to reach.
    solver : {"homotopy", "libsvm", "osqp", "smo"}
        Our own homotopy; LibSVM, which stops at its own criterion; OSQP with a finish of our own, slow and
        independent of the homotopy; or pairs and active sets. The gap that was reached is reported.
    max_iter : int
        Cap on LibSVM's iterations.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
    intercept_ : array of shape (1,) or (n_classes,)
    gamma_ : float
        The number that gamma stands for, of a kernel that has one.
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
