"""The estimator of `kernlearn.algorithms.margin.vkr`."""

from __future__ import annotations  # so that `help` shows names of types

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.margin.vkr import METHOD
from kernlearn.errors import UserError
from kernlearn.estimators.common.expansion import WeightedClassifier
from kernlearn.estimators.common.fitting import path_points
from kernlearn.estimators.common.search import ClassifierSearch, Weighted


@dataclass(eq=False, repr=False)
class VKRClassifier(WeightedClassifier):
    """Voted Kernel Regularization as a scikit-learn classifier; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel : str, callable, list of callables or ColumnKernels
        A family of kernels on vectors (``kernlearn list kernels``), such as ``"polynomial"`` or ``"gaussian"``, with
        the parameters below; or ``"precomputed"`` to pass Gram matrices in the place of the examples, of shape (n, n),
        (n, n, p) or (p, n, n). `kernlearn.ColumnKernels` is a kernel for every group of columns. ``"rbf"``, ``"poly"``,
        ``"laplacian"``, ``"chi2"``, ``"matern"`` and ``"cosine"`` are as in scikit-learn. A function ``f(X, Z)``, or a
        list of some, returns the kernel values of two sets.
    degrees : sequence of int
        Degrees k of ``"polynomial"``, which is ``(x.z + coef0)^k``, or of ``"poly"``, which is ``(gamma x.z +
        coef0)^k`` for every gamma and k.
    gammas : "scale", "auto" or sequence of float > 0
        The gamma of the Gaussian kernel ``exp(-gamma |x - z|^2)``, and of ``"laplacian"``, ``"chi2"``, ``"matern"`` and
        ``"poly"``. Other kernels have none. "scale" and "auto" give 0.1, 1 and 10 times the gamma of
        `kernlearn.L2SVMClassifier`.
    coef0 : float
    complexity : {"lemma3", "lemma4", "lemma4_m", "dimension", "massart", "local"}
        The measure r_k, see `kernlearn.kernels.matrices.complexity`. Kernels that are not positive definite need
        ``"massart"``.
    local_radius : float > 0, optional
        The radius s of the local complexity, for ``complexity="local"`` only.
    lambda_, beta : float >= 0
        Weights of the complexities and of the plain l1 norm.
    tol : float, optional
        Relative duality gap to reach; by default 1e-9, or 1e-4 for interior points with more than 5000 examples.
    solver : {"auto", "simplex", "interior", "highs"}
        "simplex": our dual simplex method. "interior": interior points, finished by the simplex method if at most 5000
        examples differ. "highs": cutting planes on HiGHS. "auto": "simplex" up to 2000 examples, then "interior".
    class_weight : "balanced", dict or None
        Factors of the losses of the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    support_ : array of shape (n_support,)
        Indices of the training points with a non-zero coefficient.
    n_support_ : int
    gammas_ : array
        The values of gamma that were used, if the kernels have any.
    dual_coef_ : array of shape (n_kernels, n_support)
        The coefficients ``a_kj``; (n_classes, n_kernels, n_support) for more than two classes.
    objective_, dual_objective_, gap_ : float
        The objective, its certified lower bound and the relative gap between them. With more than two classes, the
        first two are sums over the binary problems, and the gap is the largest.

    References
    ----------
    C. Cortes, P. Goyal, V. Kuznetsov and M. Mohri. Voted Kernel Regularization. arXiv:1509.04340, 2015.
    """

    _semidefinite = False  # a linear program in its coefficients
    _advice = "; scale the features, or raise the penalty"
    _mean_loss = True
    _method = METHOD
    _may_be_none = ("local_radius", "tol")

    kernel: str = "polynomial"
    degrees: ArrayLike = tuple(range(1, 11))
    gammas: ArrayLike | str = "scale"
    coef0: float = 1.0
    complexity: str = "lemma3"
    lambda_: float = 1e-3
    beta: float = 1e-3
    local_radius: float | None = None
    tol: float | None = None
    solver: str = "auto"
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    def _family_parameters(self) -> dict[str, Any]:
        return {"degrees": self.degrees, "gammas": self.gammas, "coef0": self.coef0}

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        return path_points(self._method, problem, values, counts=values.get("counts"))

    def _check_parameters(self) -> dict[str, Any]:
        values = super()._check_parameters()
        if (self.complexity == "local") != (self.local_radius is not None):
            raise UserError(f"local_radius={self.local_radius}: needed with complexity='local' and only there")
        return values


class VKRClassifierCV(Weighted, ClassifierSearch, of=VKRClassifier, single=("local_radius",)):
    """`kernlearn.VKRClassifier` with parameters that are chosen by cross-validation."""
