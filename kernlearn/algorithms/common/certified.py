"""Solutions with the certificates of the predictors that they are handed out as."""

from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import Certificate, svm
from kernlearn.kernels import GramStack
from kernlearn.solvers import Solution
from kernlearn.solvers.solution import certified

Array = NDArray[np.float64]
#: Part of the objective that the rounding of outputs may add, and that is not told.
SURE = 1e-9
#: Relative rounding error of a kernel value: some units in the last place, of sums of products.
LAST_PLACES = 4.0 * float(np.finfo(np.float64).eps)
#: Of examples so far from the origin that the kernel as given has lost the digits which tell them apart.
LOST = "inaccurate far from the origin"


class Learned(Protocol):
    """A kernel made of another one and the training examples: its matrix on these, shape (n, n)."""

    matrix: Array

    def expansion(self, beta: Array) -> tuple[Array, float]:
        """Return a combination of its columns as coefficients of the kernel as given, shape (n,), and a constant."""
        ...


def around_given(solution: Solution, certificate: Certificate, drift: Array, tol: float) -> Solution:
    """Return the solution with what is proved of its predictor, which uses the kernel as given, stretched as it says.

    Where it was solved with the kernel around the mean of the examples (`drift` is that of
    `kernlearn.kernels.GramStack.matrix_with_bias`) and the predictor is no solution any more, the status is `LOST`.
    """
    proved = certified(replace(solution, x=certificate.stretch * solution.x), certificate, tol)
    lost = drift.any() and solution.status == "optimal" and proved.status != "optimal"
    return replace(proved, status=LOST) if lost else proved


def in_kernel_given(
    kernel: Learned, stack: GramStack, solution: Solution, bias: float, y: Array, C: float, tol: float
) -> tuple[Array, float, Solution]:
    """Return the predictor of an SVM with a learned kernel in the one that it is made of, and what it proves.

    Returns
    -------
    coef : array of shape (n,)
    intercept : float
    solution : Solution
        With the values that the predictor has.
    """
    coef, constant = kernel.expansion(solution.x)
    intercept = bias + constant
    certificate = svm(stack, y, coef, intercept, solution.dual, C, learned=(kernel.matrix, solution.x))
    stretch = certificate.stretch
    return stretch * coef, stretch * intercept, certified(solution, certificate, tol)
