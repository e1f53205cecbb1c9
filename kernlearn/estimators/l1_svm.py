"""The estimator of `kernlearn.algorithms.margin.l1_svm`."""

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.columns import KernelColumns
from kernlearn.algorithms.margin.l1_svm import PARAMETERS, solve_l1_svm
from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.kernels import GramStack
from kernlearn.solvers import SOLVERS, Solution

Array = NDArray[np.float64]


class L1SVMClassifier(SingleKernelClassifier):
    """The norm-1 SVM as a scikit-learn classifier; more than two classes by one-versus-rest.

    Parameters
    ----------
    kernel : str
        A kernel on vectors (``kernlearn list kernels``), such as ``"polynomial"``, ``"gaussian"`` or ``"min"``, with
        the parameters below; or ``"precomputed"``: the Gram matrix takes the place of the examples.
    degree : int
        Degree of the polynomial kernel ``(x.z + coef0)^degree``.
    gamma : float
        Parameter of the Gaussian kernel ``exp(-gamma |x - z|^2)``.
    coef0 : float
    beta : float >= 0
        Weight of the l1 norm.
    tol : float
        Relative duality gap to reach.
    solver : {"simplex", "highs"}
        Our own dual simplex method, or cutting planes on HiGHS.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
    """

    _declared = PARAMETERS

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float = 1.0,
        coef0: float = 1.0,
        beta: float = 1e-3,
        tol: float = 1e-9,
        solver: str = "simplex",
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.beta = beta
        self.tol = tol
        self.solver = solver

    def _solve_binary(self, stack: GramStack, y: Array, weights: Array | None) -> tuple[Array, float, Solution]:
        solver = SOLVERS[self.solver](KernelColumns(stack, y), self.tol)
        solution = solve_l1_svm(stack, y, self.beta, solver=solver)
        return solution.x, 0.0, solution
