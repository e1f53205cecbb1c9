"""The soft-margin SVM with bias, by LibSVM through scikit-learn, with a certificate of its own.

::

    (P)  min_{w,b}  1/2 |w|^2 + C sum_i max(0, 1 - y_i (w.phi(x_i) + b))
    (D)  max_alpha  sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K(x_i, x_j)
         subject to sum_i alpha_i y_i = 0,  0 <= alpha_i <= C

Source: Cortes and Vapnik (1995); LibSVM: Chang and Lin (2011). LibSVM stops at a violation of the optimality
conditions, not at a duality gap, and after `max_iter` iterations at the latest: the gap reached is always reported.
"""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.estimator import SingleKernelClassifier
from kernlearn.algorithms.path import PathPoint, single_kernel_point
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, KernelFamily
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution

Array = NDArray[np.float64]

PARAMETERS: dict[str, Parameter] = {
    "Cs": Numbers(Number(positive=True)),
    "tol": Number(low=1e-12, high=1.0),
    "max_iter": Number(low=1, integer=True),
}


def solve_l2_svm(
    K: Array, y: Array, C: float, *, tol: float = 1e-3, max_iter: int = 1_000_000
) -> tuple[Solution, float]:
    """Solve (D) by LibSVM.

    Parameters
    ----------
    K : array of shape (m, m)
        Gram matrix.
    y : array of shape (m,)
        Labels +-1.
    C : float > 0
    tol : float
        Largest violation of the optimality conditions (LibSVM's `eps`).
    max_iter : int
        Cap on LibSVM's iterations; a fit that reaches it has the status ``capped``.

    Returns
    -------
    solution : Solution
        ``x`` are the expansion coefficients ``alpha_i y_i``, shape (m,); ``dual`` is alpha.
    intercept : float
    """
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    start = perf_counter()
    svc = SVC(kernel="precomputed", C=C, tol=tol, max_iter=max_iter, cache_size=500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # said in the status instead
        svc.fit(K, y)
    x = np.zeros(len(y))
    x[svc.support_] = svc.dual_coef_[0]
    intercept = float(svc.intercept_[0])
    Kx = K[:, svc.support_] @ x[svc.support_]
    quadratic = float(x @ Kx)
    objective = 0.5 * quadratic + C * float(np.maximum(0.0, 1.0 - y * (Kx + intercept)).sum())  # (P)
    dual_objective = float(np.abs(x).sum()) - 0.5 * quadratic  # (D)
    status = f"capped at {max_iter} iterations" if svc.fit_status_ else "optimal"
    iterations = int(np.sum(svc.n_iter_))
    seconds = perf_counter() - start
    return Solution(x, objective, x * y, dual_objective, status, iterations, 1, seconds), intercept


def grid(family: KernelFamily, Cs: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all pairs of a kernel of the family and C; for each kernel the strongest regularisation first.

    Raises
    ------
    UserError
        If the kernels are not positive definite: (P) and (D) are then no dual pair, and (D) is not convex.
    """
    if not family.positive_definite:
        raise UserError(
            f"algo=l2_svm: needs positive definite kernels, {family.name} is not; use algo=vkr or algo=l1_svm"
        )
    return [{**member, "C": float(C)} for member in family.members for C in sorted(Cs)]


def path(
    stack: GramStack, y: Array, *, Cs: Sequence[float], tol: float = 1e-3, max_iter: int = 1_000_000
) -> Iterator[PathPoint]:
    """Solve the SVM on the whole grid; LibSVM starts every point anew."""
    for k, member in enumerate(stack.family.members):
        K = stack.select(k).matrix(0)
        for C in sorted(Cs):
            solution, intercept = solve_l2_svm(K, y, C, tol=tol, max_iter=max_iter)
            yield single_kernel_point({**member, "C": float(C)}, len(stack), k, solution.x, intercept, solution)


class L2SVMClassifier(SingleKernelClassifier):
    """The soft-margin SVM with the kernels and the certificate of this package.

    It is ``sklearn.svm.SVC`` underneath; use that one where neither is needed. More than two classes by
    one-versus-rest.

    Parameters
    ----------
    kernel : {"polynomial", "gaussian", "linear", "precomputed"}
    degree : int
        Degree of the polynomial kernel ``(x.z + coef0)^degree``.
    gamma : float
        Parameter of the Gaussian kernel ``exp(-gamma |x - z|^2)``.
    coef0 : float
    C : float > 0
    tol : float
        Largest violation of the optimality conditions.
    max_iter : int
        Cap on LibSVM's iterations.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
    intercept_ : array of shape (1,) or (n_classes,)
    """

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float = 1.0,
        coef0: float = 1.0,
        C: float = 1.0,
        tol: float = 1e-3,
        max_iter: int = 1_000_000,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.tol = tol
        self.max_iter = max_iter

    def _check_parameters(self) -> None:
        Number(positive=True).check("C", self.C)
        PARAMETERS["tol"].check("tol", self.tol)
        PARAMETERS["max_iter"].check("max_iter", self.max_iter)

    def _solve_binary(self, stack: GramStack, y: Array) -> tuple[Array, float, Solution]:
        solution, intercept = solve_l2_svm(stack.matrix(0), y, self.C, tol=self.tol, max_iter=self.max_iter)
        return solution.x[None], intercept, solution
