"""Certificates of what predicts: the value of a program at the outputs of a predictor, not at those of a solver."""

from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import status_of
from kernlearn.kernels import GramStack
from kernlearn.solvers import KernelGram, Solution

Array = NDArray[np.float64]
#: Part of the objective that the rounding of outputs may add, and that is not told.
SURE = 1e-9
#: Relative rounding error of a kernel value: some units in the last place, of sums of products.
LAST_PLACES = 4.0 * float(np.finfo(np.float64).eps)
#: Where the outputs of the predictor are not those that were solved for.
LOST = "inaccurate far from the origin"


class Learned(Protocol):
    """A kernel made of another one and the training examples: its matrix on these, shape (n, n)."""

    matrix: Array

    def expansion(self, beta: Array) -> tuple[Array, float]:
        """Return a combination of its columns as coefficients of the kernel as given, shape (n,), and a constant."""
        ...


def around_given(
    stack: GramStack, K: Array | KernelGram, drift: Array, solution: Solution, bias: float, tol: float
) -> tuple[float, Solution]:
    """Return the bias of the kernel as given, and the solution, for a machine that was solved with another matrix.

    K and its drift are those of `kernlearn.kernels.GramStack.matrix_with_bias`. Of examples far from the origin the
    kernel as given may have lost the digits that tell them apart: where outputs of the predictor are further than
    `tol` from those that were solved for, with margins of 1 as the unit, the status is `LOST`.
    """
    intercept = bias - float(drift @ solution.x)
    if drift.any():
        predicted = stack.expand(solution.x[None]) + intercept
        apart = float(np.abs(predicted - (K @ solution.x + bias)).max())
        if solution.status == "optimal" and not apart <= tol:
            solution = replace(solution, status=LOST)
    return intercept, solution


def in_kernel_given(
    kernel: Learned, stack: GramStack, solution: Solution, bias: float, y: Array, C: float, tol: float
) -> tuple[Array, float, Solution]:
    """Return the predictor of an SVM with a learned kernel in the one that it is made of, and what it proves.

    Returns
    -------
    coef : array of shape (n,)
    intercept : float
    solution : Solution
        See `certified`.
    """
    coef, constant = kernel.expansion(solution.x)
    intercept = bias + constant
    solved, predicted = kernel.matrix @ solution.x + bias, stack.expand(coef[None]) + intercept
    return coef, intercept, certified(solution, y, C, solved, predicted, tol)


def certified(solution: Solution, y: Array, C: float, solved: Array, predicted: Array, tol: float) -> Solution:
    """Return the solution of an SVM with the hinge loss that its predictor has on the training examples.

    Coefficients that were changed into those of another kernel, or of examples far from the origin, may have lost
    digits: then the objective is that of the predictor, and the gap of it and the bound may be above `tol`.

    Parameters
    ----------
    solution : Solution
        Of ``1/2 |f|^2 + C sum_i max(0, 1 - y_i f(x_i))``.
    y : array of shape (n,)
        Labels +-1.
    C : float
    solved, predicted : arrays of shape (n,)
        The outputs on the training examples: those that were solved for, and those of the predictor.
    tol : float
        Relative duality gap to reach.
    """
    moved = C * float(np.maximum(0.0, 1.0 - y * predicted).sum() - np.maximum(0.0, 1.0 - y * solved).sum())
    if moved <= SURE * abs(solution.objective):
        return solution
    worse = replace(solution, objective=solution.objective + moved)
    return worse if solution.status != "optimal" else replace(worse, status=status_of(worse.gap, tol))
