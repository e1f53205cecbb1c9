"""The estimator of `kernlearn.algorithms.margin.soft_svm`."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from kernlearn.algorithms.core.certified import handed_out
from kernlearn.algorithms.margin.soft_svm import PARAMETERS, certificate, solve_soft_svm
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.kernels import GramStack
from kernlearn.solvers import Solution, SVMSolver
from kernlearn.types import Array


class SoftSVMClassifier(SingleKernelClassifier):
    """The soft-margin SVM in the form of the textbook, with a certificate; hyperplanes may be homogenous.

    More than two classes by one-versus-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    lambda_ : float > 0
        Weight of the squared norm beside the mean loss; ``C = 1 / (2 lambda_ n)``.
    homogenous : bool
        Whether there is no intercept.
    tol : float
        Relative duality gap to reach.
    class_weight : "balanced", dict or None
        Factors of the losses of the examples of a class; "balanced" gives all classes the same total.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`; the objective is that of the textbook.
    """

    _declared = PARAMETERS

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        lambda_: float = 1e-3,
        homogenous: bool = False,
        tol: float = 1e-6,
        class_weight: Mapping[Any, float] | str | None = None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.lambda_ = lambda_
        self.homogenous = homogenous
        self.tol = tol
        self.class_weight = class_weight

    def _solve_binary(self, stack: GramStack, y: Array, weights: Array | None) -> tuple[Array, float, Solution]:
        K, drift = stack.matrix_with_bias(0, not self.homogenous)
        solver = SVMSolver(K, y, self.tol, weights=weights, bias=not self.homogenous)
        solution = solve_soft_svm(K, y, self.lambda_, solver=solver)
        lambda_, homogenous = float(self.lambda_), bool(self.homogenous)
        prove = partial(certificate, stack, y, a=solution.dual, lambda_=lambda_, homogenous=homogenous, weights=weights)
        solution = handed_out(solution, drift, prove, self.tol)
        return solution.x[None], solution.intercept, solution
