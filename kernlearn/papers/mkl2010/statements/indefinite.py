"""Checks of section 3.1 of Rostamizadeh (2010): combinations of kernels that need not have weights >= 0."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kernlearn.algorithms.common.inner import SVMInner
from kernlearn.algorithms.kernel_learning.lp_mkl import solve_mkl
from kernlearn.datasets import load
from kernlearn.kernels import DenseStack, GramStack, make_family, scaled
from kernlearn.papers.checks.figure import ROUNDING, Check
from kernlearn.solvers import SVMSolver
from kernlearn.threads import one_of_all
from kernlearn.types import Array

#: Data of section 3.2.2 that are bundled, examples to train with, splits of each, and C.
SETS, TRAIN, SPLITS, C = ("sonar", "ionosphere", "breastcancer"), 100, 10, 1.0
#: Relative gap of the semidefinite programs, their most rounds, and the largest weight that they try.
TOL, ROUNDS, LARGEST = 1e-4, 300, 100.0


class Learned(NamedTuple):
    """Weights of kernels, and what they prove: the value of the SVM with them, and a lower bound of it for all."""

    mu: Array
    value: float
    lower: float


def semidefinite(K: Array, y: Array, of_trace: bool) -> Learned:
    """Return the weights of the SVM over the kernels ``K_mu`` that are positive semidefinite, of either sign (3.2).

    The semidefinite program is solved by linear ones: each alpha, and each vector on which some ``K_mu`` is negative,
    gives an inequality that is linear in mu.

    Parameters
    ----------
    K : array of shape (p, n, n)
        Kernels of trace n.
    of_trace : bool
        Whether ``K_mu`` has the trace n, as Lanckriet et al. have it, or mu the l1 norm 1 at most (3.2).
    """
    from scipy.optimize import linprog

    p, even = len(K), np.full(len(K), 1.0 / len(K))
    cost = np.append(np.zeros(2 * p), 1.0)  # mu = x[:p] - x[p:2p], and a bound of the value
    limits: Any = [(0.0, LARGEST)] * (2 * p) + [(0.0, None)]
    ball = np.append(np.concatenate([np.ones(p), (-1.0 if of_trace else 1.0) * np.ones(p)]), 0.0)[None]
    sums: Any = {"A_eq": ball, "b_eq": [1.0]} if of_trace else {}
    rows: list[Array] = [] if of_trace else [ball[0]]
    sides: list[float] = [] if of_trace else [1.0]
    mu, best, lower = even, Learned(even, np.inf, 0.0), 0.0
    for _ in range(ROUNDS):
        values, vectors = np.linalg.eigh(np.tensordot(mu, K, 1))
        for u in vectors[:, values < -ROUNDING * values[-1]].T[:5]:
            row = np.einsum("i,kij,j->k", u, K, u)
            rows, sides = [*rows, np.concatenate([-row, row, [0.0]])], [*sides, 0.0]
        solution = SVMSolver((vectors * np.maximum(values, 0.0)) @ vectors.T, y).solve(C)
        w = 0.5 * np.einsum("i,kij,j->k", solution.dual * y, K, solution.dual * y)
        rows, sides = [*rows, np.concatenate([-w, w, [-1.0]])], [*sides, -float(solution.dual.sum())]
        inside, value = mu, solution.objective
        if values[0] < -ROUNDING * values[-1]:
            inside = _inside(K, mu, even)
            value = SVMSolver(np.tensordot(inside, K, 1), y).solve(C).objective
        best = Learned(inside, value, lower) if value < best.value else best
        program = linprog(cost, np.array(rows), sides, bounds=limits, **sums)
        mu, lower = program.x[:p] - program.x[p : 2 * p], float(program.fun)
        if best.value - lower <= TOL * best.value:
            break
    return best._replace(lower=lower)


def _inside(K: Array, mu: Array, even: Array) -> Array:
    """Return weights on the way from mu to even ones, the first with which the kernel is positive semidefinite."""
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = 0.5 * (low + high)
        values = np.linalg.eigvalsh(np.tensordot((1 - middle) * mu + middle * even, K, 1))
        low, high = (low, middle) if values[0] >= -ROUNDING * values[-1] else (middle, high)
    return (1 - high) * mu + high * even


class Trial(NamedTuple):
    """The SVM with learned weights on one split."""

    #: Over K+ in the l1 ball (3.2), K+ of one trace, and K++ (3.3).
    ball: Learned
    trace: Learned
    value: float
    #: Of the second and the third.
    errors: tuple[float, float]


def trial(name: str, seed: int) -> Trial:
    """Return what is learned from some examples of a data set, and the errors on the others."""
    data = load(name)
    labels = np.where(data.y == 1, 1.0, -1.0)
    order = np.random.default_rng(seed).permutation(len(labels))
    train, test = order[:TRAIN], order[TRAIN:]
    X, Z = scaled("standard", data.X[train], data.X[test])
    family, y = make_family("mixed", gammas=[0.01], degrees=[2]), labels[train]
    stack, other = DenseStack.of(GramStack.train(family, X)), GramStack(family, Z, X)
    sizes = stack.traces() / TRAIN
    K, L = stack.K / sizes[:, None, None], [other.matrix(k) / sizes[k] for k in range(len(stack))]
    ours = solve_mkl(SVMInner(DenseStack(K), y, C, np.ones(len(K)), 1e-7))
    ball, trace = semidefinite(K, y, False), semidefinite(K, y, True)
    errors = []
    for mu in (trace.mu, ours.x):
        svm = SVMSolver(np.tensordot(mu, K, 1), y).solve(C)
        f = np.tensordot(mu, L, 1) @ svm.x + svm.intercept
        errors.append(float(np.mean(labels[test] * f <= 0)))
    return Trial(ball, trace, ours.objective, (errors[0], errors[1]))


@cache
def trials() -> dict[str, list[Trial]]:
    """Return the trials of every data set."""
    with one_of_all():
        return {name: [trial(name, seed) for seed in range(SPLITS)] for name in SETS}


def same_value() -> float:
    """Return how far the value over K+ (3.2) is from the one over K++ (3.3), relatively."""
    return max(abs(one.ball.value / one.value - 1.0) for some in trials().values() for one in some)


def errors_apart() -> float:
    """Return the largest difference of the mean errors over K+ of one trace and over K++, in standard deviations."""
    apart = []
    for some in trials().values():
        errors = np.array([one.errors for one in some])
        apart.append(abs(float(np.diff(errors.mean(axis=0))[0])) / float(errors.std(axis=0, ddof=1).max()))
    return max(apart)


CHECKS = {
    "(3.2)": Check("the SVM over K+ has the value of the one over K++", same_value, 2 * TOL),
    "(3.2) of one trace": Check(
        "errors over K+ and K++ differ by less than a deviation",
        errors_apart,
        1.0,
        number="difference {} of a deviation",
    ),
}
