"""Solutions with the certificates of the predictors that they are handed out as."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from kernlearn.certificates import Certificate, svm
from kernlearn.kernels import GramStack
from kernlearn.solvers import Solution
from kernlearn.solvers.core.solution import certified
from kernlearn.twofold import dot
from kernlearn.types import Array

#: Of examples so far from the origin that the kernel as given has lost the digits which tell them apart.
LOST = "inaccurate far from the origin"


class Learned(Protocol):
    """A kernel made of another one and the training examples: its matrix on these, shape (n, n)."""

    matrix: Array

    def expansion(self, beta: Array) -> tuple[Array, float]:
        """Return a combination of its columns as coefficients of the kernel as given, shape (n,), and a constant."""
        ...


def handed_out(solution: Solution, drift: Array, prove: Callable[[Array, float], Certificate], tol: float) -> Solution:
    """Return the solution of an SVM with the intercept for the kernel as given, and what is proved of the predictor.

    The predictor is stretched as the certificate says. Where the machine was solved with the kernel around the mean of
    the examples and the predictor is no solution any more, the status is `LOST`.

    Parameters
    ----------
    solution : Solution
        ``x`` are the coefficients, shape (n,), and ``intercept`` that of the kernel that it was solved with.
    drift : array of shape (n,)
        See `kernlearn.kernels.GramStack.matrix_with_bias`.
    prove : callable
        ``prove(coef, intercept)`` returns the certificate of a predictor.
    tol : float
        Relative duality gap to reach.
    """
    bias = solution.intercept - dot(drift, solution.x)
    proof = prove(solution.x, bias)
    coef, bias = stretched(solution.x, bias, drift, proof.stretch)
    proved = certified(replace(solution, x=coef, intercept=bias), proof, tol)
    if drift.any() and solution.status == "optimal" and proved.status != "optimal":
        proved = replace(proved, status=LOST)
    return proved


def stretched(coef: Array, intercept: float, drift: Array, factor: float) -> tuple[Array, float]:
    """Return the multiple of a predictor that its certificate holds of: coefficients, shape (n,), and intercept.

    Where a kernel drifts, the sum of coefficients and drifts is as large as the examples are far, and only rounding is
    left of it beside the intercept: what rounding the coefficients moves in that sum, the intercept takes back.
    """
    if factor == 1.0:
        return coef, intercept
    multiple: Array = factor * coef
    return multiple, factor * (intercept + dot(drift, coef)) - dot(drift, multiple)


def in_kernel_given(
    kernel: Learned,
    stack: GramStack,
    solution: Solution,
    y: Array,
    C: float,
    tol: float,
    weights: Array | None = None,
) -> tuple[Array, float, Solution]:
    """Return the predictor of an SVM with a learned kernel in the one that it is made of, and what it proves.

    `weights` are factors of C for every example.

    Returns
    -------
    coef : array of shape (n,)
    intercept : float
    solution : Solution
        With the values that the predictor has.
    """
    coef, constant = kernel.expansion(solution.x)
    intercept = solution.intercept + constant
    learned = kernel.matrix, solution.x
    certificate = svm(stack, y, coef, intercept, solution.dual, C, weights=weights, learned=learned)
    drift = np.zeros(len(coef)) if stack.centred_products is None else stack.centred_products.drift
    coef, intercept = stretched(coef, intercept, drift, certificate.stretch)
    return coef, intercept, certified(replace(solution, x=certificate.stretch * solution.x), certificate, tol)
