"""The support vector machine with bias by LibSVM, through scikit-learn, every C anew.

Source: Chang and Lin (2011). LibSVM stops at a violation of the optimality conditions, not at a duality gap, and after
`max_iter` iterations at the latest.
"""

import warnings
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.solution import Solution, relative_gap

Array = NDArray[np.float64]

#: Largest violation of the optimality conditions, LibSVM's default `eps`.
VIOLATION = 1e-3


def fit_libsvm(
    K: Array, y: Array, C: float, max_iter: int, weights: Array | None = None
) -> tuple[Array, float, int, bool]:
    """Return alpha, the intercept, the iterations, and whether these were all that were allowed.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix.
    y : array of shape (n,)
        Labels +-1, both of them.
    C : float > 0
    max_iter : int
    weights : array of shape (n,), optional
        Factors of C for every example.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    svc = SVC(kernel="precomputed", C=C, tol=VIOLATION, max_iter=max_iter, cache_size=500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # said in the last value instead
        svc.fit(K, y, sample_weight=weights)
    alpha = np.zeros(len(y))
    alpha[svc.support_] = np.abs(svc.dual_coef_[0])
    return alpha, float(svc.intercept_[0]), int(np.sum(svc.n_iter_)), bool(svc.fit_status_)


class LibSVMSolver:
    """Solve the programs of `kernlearn.solvers.SVMSolver` by LibSVM, for comparison.

    Parameters
    ----------
    K : array of shape (n, n)
    y : array of shape (n,)
    tol : float
        Relative duality gap at which a solution is called optimal; LibSVM knows nothing of it.
    max_iter : int
        Cap on LibSVM's iterations.
    """

    def __init__(self, K: Array, y: Array, tol: float = 1e-6, max_iter: int = 100_000):
        self.K, self.y, self.tol, self.max_iter = K, y, tol, max_iter

    def solve(self, C: float) -> tuple[Solution, float]:
        """Solve the program for one C > 0; see `kernlearn.solvers.SVMSolver.solve`."""
        start = perf_counter()
        alpha, intercept, iterations, capped = fit_libsvm(self.K, self.y, C, self.max_iter)
        x = alpha * self.y
        Kx = self.K @ x
        quadratic = float(x @ Kx)
        objective = 0.5 * quadratic + C * float(np.maximum(0.0, 1.0 - self.y * (Kx + intercept)).sum())
        dual_objective = float(alpha.sum()) - 0.5 * quadratic
        reached = "optimal" if relative_gap(objective, dual_objective) <= self.tol else "inaccurate"
        status = f"capped at {self.max_iter} iterations" if capped else reached
        return Solution(x, objective, alpha, dual_objective, status, iterations, 1, perf_counter() - start), intercept
