"""The estimator of `kernlearn.algorithms.margin.u_svm`."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np

from kernlearn.algorithms.core.certified import handed_out
from kernlearn.algorithms.margin.u_svm import PARAMETERS
from kernlearn.certificates import band, svm
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.kernels import GramStack
from kernlearn.solvers import BandSolver, Solution, SVMSolver
from kernlearn.types import Array


class USVMClassifier(SingleKernelClassifier):
    """The SVM with a Universum as a scikit-learn classifier; more than two classes by one-versus-rest.

    Parameters
    ----------
    kernel : str, callable
        A kernel on vectors (``kernlearn list kernels``), such as ``"polynomial"``, ``"gaussian"`` or ``"min"``, with
        the parameters below; or ``"precomputed"``: the Gram matrix takes the place of the examples.
        That is for `fit` without a Universum.
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
    C_universum : float > 0
        Cost of an output on the Universum, as far as it is beyond `epsilon`.
    epsilon : float >= 0
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of C for the examples of a class; "balanced" gives all classes the same total.

    Attributes
    ----------
    classes_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
    support_ : integer array
        Examples that the function rests on; example j of the Universum, from 0 on, is number n + j.
    intercept_ : array of shape (1,) or (n_classes,)

    References
    ----------
    J. Weston, R. Collobert, F. Sinz, L. Bottou, V. Vapnik. Inference with the Universum. ICML 2006.
    """

    _declared = PARAMETERS

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        C: float = 1.0,
        C_universum: float = 1.0,
        epsilon: float = 0.1,
        tol: float = 1e-6,
        class_weight: Mapping[Any, float] | str | None = None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.C_universum = C_universum
        self.epsilon = epsilon
        self.tol = tol
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, universum: Any = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array of shape (n, d), or the Gram matrix of shape (n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Class labels, at least two different ones.
        universum : array of shape (m, d), optional
            Examples of none of the classes; without any it is the SVM.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        return self._fit(X, y, self.class_weight, unlabelled=universum)

    def _solve_binary(self, stack: GramStack, y: Array, weights: Array | None) -> tuple[Array, float, Solution]:
        (K, drift), C = stack.matrix_with_bias(0), float(self.C)
        if len(K) == len(y):
            solution = SVMSolver(K, y, self.tol, weights=weights).solve(C)
            prove = partial(svm, stack, y, alpha=solution.dual, C=C, weights=weights)
        else:
            epsilon, cost = float(self.epsilon), float(self.C_universum)
            solution = BandSolver(K, y, self.tol, weights).solve(C, epsilon, cost)
            costs = np.append(np.zeros(len(y)), np.full(len(K) - len(y), cost))
            prove = partial(band, stack, y, multipliers=solution.dual, C=C, B=epsilon, costs=costs, weights=weights)
            solution = replace(solution, dual=solution.dual.sum(axis=0))  # one number an example
        solution = handed_out(solution, drift, prove, self.tol)
        return solution.x[None], solution.intercept, solution
