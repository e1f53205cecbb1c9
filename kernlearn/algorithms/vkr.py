"""Voted Kernel Regularization (Cortes, Goyal, Kuznetsov and Mohri, 2015).

Predictor ``f(x) = sum_k sum_j a_kj K_k(x, x_j)`` over all p kernels and m training points, without a bias, from::

    min_a  F(a) = (1/m) sum_i max(0, 1 - y_i f(x_i)) + sum_k Lambda_k sum_j |a_kj|          (eq. 1)
    Lambda_k = lambda r_k + beta

where r_k bounds the Rademacher complexity of kernel k: a complex kernel has to earn its use. ``lambda = 0`` is the
norm-1 SVM over all kernels together.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlearn.algorithms.columns import KernelColumns
from kernlearn.algorithms.estimator import KernelExpansionClassifier
from kernlearn.algorithms.path import PathPoint
from kernlearn.kernels import COMPLEXITIES, GramStack, KernelFamily
from kernlearn.kernels.complexity import require_defined
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import HingeL1Solver, Solution

Array = NDArray[np.float64]

PARAMETERS: dict[str, Parameter] = {
    "complexity": Choice(tuple(COMPLEXITIES)),
    "lambdas": Numbers(Number(low=0)),
    "betas": Numbers(Number(low=0)),
    "tol": Number(low=1e-12, high=1e-3),
}


def solve_vkr(
    stack: GramStack, y: Array, r: ArrayLike, lambda_: float, beta: float, *, solver: HingeL1Solver | None = None
) -> Solution:
    """Solve (1) for one pair (lambda, beta).

    Parameters
    ----------
    stack : GramStack of shape (p, m, m)
        Training kernels.
    y : array of shape (m,)
        Labels +-1.
    r : array of shape (p,)
        Complexities r_k >= 0.
    lambda_, beta : float >= 0
    solver : HingeL1Solver, optional
        One used before on the same stack and labels, to start from where it stands.

    Returns
    -------
    Solution
        ``x`` has shape (p, m).
    """
    solver = solver or HingeL1Solver(KernelColumns(stack, y))
    Lambda = lambda_ * np.asarray(r, dtype=float) + beta
    return solver.solve(np.repeat(Lambda[:, None], stack.shape[2], axis=1))


def grid(
    family: KernelFamily, lambdas: Sequence[float], betas: Sequence[float], complexity: str, **_: Any
) -> list[dict[str, float]]:
    """Return all pairs (lambda, beta), the strongest penalty first.

    Raises
    ------
    UserError
        If the complexity measure is not defined for the family.
    """
    require_defined(complexity, family)
    return [
        {"lambda": float(lambda_), "beta": float(beta)}
        for lambda_ in sorted(lambdas, reverse=True)
        for beta in sorted(betas, reverse=True)
    ]


def path(
    stack: GramStack, y: Array, *, complexity: str, lambdas: Sequence[float], betas: Sequence[float], tol: float = 1e-9
) -> Iterator[PathPoint]:
    """Solve (1) on the whole grid, every point from the basis of the one before."""
    r = COMPLEXITIES[complexity](stack)
    solver = HingeL1Solver(KernelColumns(stack, y), tol)
    for values in grid(stack.family, lambdas, betas, complexity):
        solution = solve_vkr(stack, y, r, values["lambda"], values["beta"], solver=solver)
        yield PathPoint(values, solution.x[None], np.zeros(1), (solution,))


class VKRClassifier(KernelExpansionClassifier):
    """Voted Kernel Regularization as a scikit-learn classifier; more than two classes by one-versus-rest.

    Parameters
    ----------
    kernel : {"polynomial", "gaussian", "linear", "precomputed"}
        The family. ``"precomputed"`` takes one Gram matrix in the place of the examples.
    degrees : sequence of int
        Degrees of the polynomial kernels ``(x.z + coef0)^k``.
    gammas : sequence of float
        Parameters of the Gaussian kernels ``exp(-gamma |x - z|^2)``.
    coef0 : float
    complexity : {"lemma3", "lemma4", "lemma4_m", "dimension"}
        The measure r_k, see `kernlearn.kernels.complexity`.
    lambda_, beta : float >= 0
        Weights of the complexities and of the plain l1 norm.
    tol : float
        Relative duality gap to reach.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    support_ : array of shape (n_support,)
        Indices of the training points with a non-zero coefficient.
    n_support_ : int
    dual_coef_ : array of shape (n_kernels, n_support)
        The coefficients ``a_kj``; (n_classes, n_kernels, n_support) for more than two classes.
    objective_, dual_objective_, gap_ : float
        Objective of (1), its certified lower bound and their relative distance; for more than two classes sums
        over the binary problems, and the largest gap.

    References
    ----------
    C. Cortes, P. Goyal, V. Kuznetsov and M. Mohri. Voted Kernel Regularization. arXiv:1509.04340, 2015.
    """

    def __init__(
        self,
        kernel: str = "polynomial",
        degrees: Sequence[int] = tuple(range(1, 11)),
        gammas: Sequence[float] = (1e-3, 1e-2, 1e-1, 1.0),
        coef0: float = 1.0,
        complexity: str = "lemma3",
        lambda_: float = 1e-3,
        beta: float = 1e-3,
        tol: float = 1e-9,
    ):
        self.kernel = kernel
        self.degrees = degrees
        self.gammas = gammas
        self.coef0 = coef0
        self.complexity = complexity
        self.lambda_ = lambda_
        self.beta = beta
        self.tol = tol

    def _family_parameters(self) -> dict[str, Any]:
        return {"degrees": self.degrees, "gammas": self.gammas, "coef0": self.coef0}

    def _check_parameters(self) -> None:
        PARAMETERS["complexity"].check("complexity", self.complexity)
        Number(low=0).check("lambda_", self.lambda_)
        Number(low=0).check("beta", self.beta)
        PARAMETERS["tol"].check("tol", self.tol)

    def _solve_binary(self, stack: GramStack, y: Array) -> tuple[Array, float, Solution]:
        require_defined(self.complexity, stack.family)
        r = COMPLEXITIES[self.complexity](stack)
        solver = HingeL1Solver(KernelColumns(stack, y), self.tol)
        solution = solve_vkr(stack, y, r, self.lambda_, self.beta, solver=solver)
        return solution.x, 0.0, solution
