"""The estimator of `kernlearn.algorithms.margin.l1_svm`."""

from collections.abc import Mapping
from typing import Any

from kernlearn.algorithms.margin.l1_svm import METHOD, PARAMETERS
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier
from kernlearn.estimators.common.search import ClassifierSearch, Weighted


class L1SVMClassifier(WeightedClassifier, SingleKernelClassifier):
    """The norm-1 SVM as a scikit-learn classifier; more than two classes by one-versus-rest.

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
    beta : float >= 0
        Weight of the l1 norm.
    tol : float, optional
        Relative duality gap to reach; by default 1e-9, and 1e-4 where more than 5000 examples are left to interior
        points.
    solver : {"auto", "simplex", "interior", "highs"}
        Our own dual simplex method, for up to 2000 examples; interior points, which up to 5000 different ones end at a
        vertex; or cutting planes on HiGHS.
    class_weight : "balanced", dict or None
        Factors of the losses of the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
    """

    _semidefinite = False  # a linear program in its coefficients
    _advice = "; scale the features, or raise the penalty"
    _mean_loss = True
    _method = METHOD
    _declared = PARAMETERS
    _may_be_none = ("tol",)

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        beta: float = 1e-3,
        tol: float | None = None,
        solver: str = "auto",
        class_weight: Mapping[Any, float] | str | None = None,
        probability: bool = False,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.beta = beta
        self.tol = tol
        self.solver = solver
        self.class_weight = class_weight
        self.probability = probability


class L1SVMClassifierCV(Weighted, ClassifierSearch, of=L1SVMClassifier):
    """`kernlearn.L1SVMClassifier` with parameters that are chosen by cross-validation."""
