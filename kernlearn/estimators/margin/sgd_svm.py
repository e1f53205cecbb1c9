"""The estimator of `kernlearn.algorithms.margin.sgd_svm`."""

from typing import Any

from kernlearn.algorithms.margin.sgd_svm import PARAMETERS, draw, proved, solve_kernel_sgd_svm
from kernlearn.estimators.common.expansion import SingleKernelClassifier, seed_of
from kernlearn.kernels import GramStack
from kernlearn.solvers import Solution
from kernlearn.types import Array


class SGDSVMClassifier(SingleKernelClassifier):
    """The soft-margin SVM by stochastic gradient descent on kernels, with a certificate of how far it came.

    More than two classes by one-versus-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    lambda_ : float > 0
        Weight of half the squared norm beside the mean loss.
    n_epochs : int
        Steps for every example.
    constant : float >= 0
        Of the constant feature that stands for an intercept; without one, 0, hyperplanes are homogenous.
    tol : float
        Relative duality gap above which `fit` warns.
    random_state : int, RandomState or None
        The seed of the examples that are drawn.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`; the objective is that of the textbook.
    """

    _semidefinite = False  # updates of coefficients, whatever the kernel
    _declared = PARAMETERS

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        lambda_: float = 1e-2,
        n_epochs: int = 100,
        constant: float = 1.0,
        tol: float = 1e-2,
        random_state: Any = 0,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.lambda_ = lambda_
        self.n_epochs = n_epochs
        self.constant = constant
        self.tol = tol
        self.random_state = random_state

    def _solve_binary(self, stack: GramStack, y: Array, weights: Array | None) -> tuple[Array, float, Solution]:
        indices = draw(len(y), self.n_epochs, seed_of(self.random_state))
        K = stack.matrix(0) + self.constant**2
        solution = solve_kernel_sgd_svm(K, y, self.lambda_, indices, self.tol)
        intercept, solution = proved(stack, K, y, solution, self.lambda_, self.constant, self.tol)
        return solution.x[None], intercept, solution
