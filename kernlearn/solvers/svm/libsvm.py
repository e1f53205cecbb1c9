"""The support vector machine with bias by LibSVM, through scikit-learn, every C anew.

Source: Chang and Lin (2011). LibSVM stops at a violation of the optimality conditions, not at a duality gap, and after
`max_iter` iterations at the latest.
"""

import warnings
from dataclasses import replace
from time import perf_counter

import numpy as np

from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.values import Evaluator
from kernlearn.types import Array

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
    weights : array of shape (n,), optional
        Factors of C for every example.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    svc = SVC(kernel="precomputed", C=C, tol=VIOLATION, max_iter=max_iter, cache_size=500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # said in the last value instead
        try:
            svc.fit(K, y, sample_weight=weights)
        except ValueError:  # coefficients that are not finite: the numbers are beyond LibSVM
            return np.zeros(len(y)), 0.0, 0, False
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
    weights : array of shape (n,), optional
        Factors > 0 of C for every example.
    """

    def __init__(self, K: Array, y: Array, tol: float = 1e-6, max_iter: int = 100_000, weights: Array | None = None):
        self.K, self.y, self.tol, self.max_iter, self.weights = K, y, tol, max_iter, weights
        self._evaluator = Evaluator(K, y, weights)

    def solve(self, C: float) -> Solution:
        """Solve the program for one C > 0; see `kernlearn.solvers.SVMSolver.solve`."""
        start = perf_counter()
        alpha, intercept, iterations, capped = fit_libsvm(self.K, self.y, C, self.max_iter, self.weights)
        values = self._evaluator.sure(self._evaluator.at(alpha, intercept, C), C)
        solution = replace(values, alpha=alpha).solution(self.tol, iterations, 1, perf_counter() - start)
        return replace(solution, status=f"capped at {self.max_iter} iterations") if capped else solution
