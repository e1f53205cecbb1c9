"""The support vector machine with bias by OSQP: a second way to the programs of `kernlearn.solvers.SVMSolver`.

It shares with the homotopy only what certifies a solution (`kernlearn.solvers.svm.values`). As a general solver it
takes time that grows with n^3, and memory of some n x n arrays.
"""

from time import perf_counter

import numpy as np

from kernlearn.memory import require
from kernlearn.solvers.core.qp import Bounds, QuadraticProgram
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.values import Evaluator
from kernlearn.types import Array


class OSQPSVMSolver:
    """Solve (D) of `kernlearn.solvers.svm.solver` as a quadratic program, for one C after another, warm.

    Parameters
    ----------
    K : array of shape (n, n)
    y : array of shape (n,)
    tol : float
        Relative duality gap to reach.
    weights : array of shape (n,), optional
        Factors > 0 of C for every example.
    """

    def __init__(self, K: Array, y: Array, tol: float = 1e-6, weights: Array | None = None):
        require(6.0 * K.nbytes, f"the quadratic program of {len(y)} examples", "use algo.solver=homotopy")
        self._evaluator, self.tol = Evaluator(K, y, weights), tol
        self._scale = max(float(np.diagonal(K).max()), 0.0) or 1.0  # K / scale and C scale have moderate size
        self._program = QuadraticProgram(y[:, None] * K * y / self._scale, y[None], tol)

    def solve(self, C: float) -> Solution:
        """Solve the program for one C > 0; see `kernlearn.solvers.SVMSolver.solve`."""
        start = perf_counter()
        evaluator, n, none = self._evaluator, len(self._evaluator.y), np.zeros(1)
        bounds = Bounds(none, none, np.zeros(n), C * self._scale * evaluator.weights)
        result = self._program.solve(np.full(n, -1.0), bounds)
        alpha = np.clip(result.x / self._scale, 0.0, C * evaluator.weights)
        intercept = float(result.dual[0])  # the multiplier of sum_i alpha_i y_i = 0
        values = evaluator.sure(evaluator.at(alpha, intercept, C), C)
        return values.solution(self.tol, result.iterations, result.rounds, perf_counter() - start)
