"""The estimator of `kernlearn.algorithms.margin.u_svm`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.margin import l2_svm
from kernlearn.algorithms.margin.u_svm import METHOD
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.fitting import path_points


@dataclass(eq=False, repr=False)
class USVMClassifier(SingleKernelClassifier):
    """The SVM with a Universum as a scikit-learn classifier; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`; ``"precomputed"`` is for `fit` without a Universum.
    C : float > 0
        Weight of the loss.
    C_universum : float > 0
        Weight of the loss ``max(0, |f(u)| - epsilon)`` on the Universum, on the same scale as C.
    epsilon : float >= 0
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`.
    support_ : integer array
        Indices of the examples with a non-zero coefficient. Example j of the Universum (from 0) has the index n + j.
    intercept_ : array of shape (1,) or (n_classes,)

    References
    ----------
    J. Weston, R. Collobert, F. Sinz, L. Bottou, V. Vapnik. Inference with the Universum. ICML 2006.
    """

    _method = METHOD

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    C: float = 1.0
    C_universum: float = 1.0
    epsilon: float = 0.1
    tol: float = 1e-6
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    def fit(self, X: Any, y: Any, universum: Any = None, sample_weight: Any = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array of shape (n, d), or the Gram matrix of shape (n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Class labels, at least two different ones.
        universum : array of shape (m, d), optional
            Examples of none of the classes; without any it is the SVM.
        sample_weight : array of shape (n,), optional
            How often every example with a label counts, as for `kernlearn.L2SVMClassifier`.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        prepared = self._prepare(X, y, sample_weight, universum)
        self._universum = None if universum is None else prepared.X[len(y) :]  # which the certificate needs
        return self._fit(prepared)._calibrated(X, y, sample_weight, universum=universum)

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        return path_points(l2_svm.METHOD if problem.labelled is None else METHOD, problem, values)
