"""The soft-margin SVM by stochastic gradient descent, on features and on kernels.

::

    (P)  min_w   lambda/2 |w|^2 + (1/m) sum_i max(0, 1 - y_i <w, psi(x_i)>)                             (15.12), (16.5)
    (D)  max_a   sum_i a_i - 1/(2 lambda) sum_ij a_i a_j y_i y_j K(x_i, x_j)   subject to  0 <= a_i <= 1/m

    theta = 0;  for t = 1, ..., T:   w_t = theta / (lambda t) ,   i uniform in 1, ..., m ,
                                     theta += y_i psi(x_i)  if  y_i <w_t, psi(x_i)> < 1
    return the mean of w_1, ..., w_T

This lambda is twice that of `algo=soft_svm`. With the same indices, the form on features and the form on kernels return
the same predictor (lemma 16.3). Its distance from the optimum is of the order ``log(T) / (lambda T)``. The certificate
is the gap between (P) and (D). The coefficients of the mean, ``a_i = lambda alpha_i y_i``, are a feasible dual point
after they are cut at 1/m. Some sweeps of coordinate ascent in (D) improve this bound; they do not change the predictor.
Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, sections 15.5 and 16.3.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, single_kernel_point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.margin.perceptron import CAPPED, CONSTANT
from kernlearn.certificates import relative_gap, status_of, svm
from kernlearn.kernels import GramStack
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.core.solution import certified
from kernlearn.solvers.svm.descent import descend
from kernlearn.solvers.svm.online import feature_steps, kernel_steps
from kernlearn.types import Array, Index

#: Sweeps of coordinate ascent for the bound.
SWEEPS = 20

PARAMETERS: dict[str, Parameter] = {
    "lambdas": Parameter(
        [10.0**-k for k in range(5)], Numbers(Number(positive=True)), "weights of half the squared norm", "lambda_"
    ),
    "epochs": Parameter(
        [100], Numbers(Number(low=1, high=10**6, integer=True)), "numbers of steps for each example, T / m", "n_epochs"
    ),
    "constant": CONSTANT,
    "tol": Parameter(1e-2, Number(low=1e-12, high=1.0), "relative duality gap that counts as optimal"),
}


def draw(m: int, n_epochs: int, seed: int) -> Iterator[Index]:
    """Yield `n_epochs` times m indices of examples, each uniform in 0, ..., m - 1."""
    rng = np.random.default_rng(seed)
    for _ in range(n_epochs):
        yield rng.integers(m, size=m)


def solve_sgd_svm(X: Any, y: Array, lambda_: float, indices: Iterator[Index] | Sequence[Index]) -> Array:
    """Run the method on features.

    Parameters
    ----------
    X : array or sparse matrix of shape (m, d)
    y : array of shape (m,)
        Labels +-1.
    lambda_ : float > 0
    indices : iterable of arrays
        The examples that are drawn, one array after the other.

    Returns
    -------
    w : array of shape (d,)
        The mean of all w_t.
    """
    rows, theta, late = sparse.csr_array(X, dtype=np.float64), np.zeros(X.shape[1]), np.zeros(X.shape[1])
    t, harmonic = 0, 0.0
    for some in indices:
        t, harmonic = feature_steps(rows.indptr, rows.indices, rows.data, y, lambda_, some, t, harmonic, theta, late)
    return (harmonic * theta - late) / (lambda_ * max(t, 1))


class KernelSGD:
    """The method on a Gram matrix, which can go on.

    Parameters
    ----------
    K : array of shape (m, m)
    y : array of shape (m,)
        Labels +-1.
    lambda_ : float > 0
    """

    def __init__(self, K: Array, y: Array, lambda_: float):
        self.K, self.y, self.lambda_ = np.ascontiguousarray(K), y, lambda_
        self._beta, self._late, self._g = np.zeros((3, len(y)))
        self.t, self._harmonic = 0, 0.0

    def step(self, indices: Index) -> None:
        """Do a step for every index."""
        self.t, self._harmonic = kernel_steps(
            *(self.K, self.y, self.lambda_, indices, self.t, self._harmonic, self._beta, self._late, self._g)
        )

    @property
    def coef(self) -> Array:
        """The coefficients alpha of the mean of all w_t, shape (m,)."""
        return (self._harmonic * self._beta - self._late) / (self.lambda_ * max(self.t, 1))

    def solution(self, tol: float, seconds: float = 0.0) -> Solution:
        """Return (P) at the mean of all w_t, and a bound by (D); ``x`` is alpha, ``dual`` is a."""
        alpha, y, m = self.coef, self.y, len(self.y)
        f = self.K @ alpha
        loss = float(np.maximum(0.0, 1.0 - y * f).mean())
        objective = 0.5 * self.lambda_ * max(float(alpha @ f), 0.0) + loss
        C = 1.0 / (self.lambda_ * m)
        a = np.clip(alpha * y, 0.0, C)  # a / lambda
        descend(self.K, y, np.ones(m), C, SWEEPS, a)
        bound = self.lambda_ * float(a.sum() - 0.5 * (a * y) @ self.K @ (a * y))
        status = status_of(relative_gap(objective, bound, 1.0), tol, CAPPED)
        return Solution(alpha, objective, self.lambda_ * a, bound, 1.0, status, self.t, 1, seconds)


def proved(
    stack: GramStack, K: Array, y: Array, solution: Solution, lambda_: float, constant: float, tol: float
) -> tuple[float, Solution]:
    """Return the intercept, and the solution that the predictor has.

    Parameters
    ----------
    stack : GramStack of shape (1, m, m)
        The kernel that predicts.
    K : array of shape (m, m)
        Its matrix with the constant feature.
    y : array of shape (m,)
        Labels +-1.
    """
    intercept = constant**2 * float(solution.x.sum())
    C, learned = 1.0 / (lambda_ * len(y)), (K, solution.x) if constant else None
    proof = svm(stack, y, solution.x, intercept, solution.dual / lambda_, C, bias=False, learned=learned)
    solution = replace(solution, x=proof.stretch * solution.x)
    return proof.stretch * intercept, certified(solution, proof.times(lambda_), tol)


def path(
    problem: Problem, *, lambdas: Sequence[float], epochs: Sequence[int], constant: float = 1.0, tol: float = 1e-2
) -> Iterator[Point]:
    """Run for every kernel and every lambda, with the same indices, drawn by the seed of the problem."""
    stack, y = problem.inputs, problem.y
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K = single.matrix(0) + constant**2
        for lambda_ in sorted(lambdas, reverse=True):
            start, run = perf_counter(), KernelSGD(K, y, lambda_)
            for epoch, indices in enumerate(draw(len(y), max(epochs), problem.seed), start=1):
                run.step(indices)
                if epoch in epochs:
                    solution = run.solution(tol, perf_counter() - start)
                    values = {**member, "lambda": float(lambda_), "epochs": float(epoch)}
                    intercept, solution = proved(single, K, y, solution, lambda_, constant, tol)
                    yield single_kernel_point(values, len(stack), k, solution.x, intercept, solution)


METHOD = Method(
    "sgd_svm",
    "soft-margin SVM by stochastic gradient descent (one kernel)",
    "SVMs by stochastic gradients",
    PARAMETERS,
    grid_of({"lambda": "-lambdas", "epochs": "epochs"}),
    path,
    always_optimal=False,
    version=2,
)
