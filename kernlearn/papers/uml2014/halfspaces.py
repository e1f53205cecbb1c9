"""The claims, lemmas and theorems of chapter 15 as statements with numbers, on our solvers."""

from functools import lru_cache

import numpy as np
from scipy.optimize import nnls

from kernlearn.algorithms.margin.hard_svm import solve_hard_svm
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.evaluation.losses import hinge
from kernlearn.papers.uml2014.samples import in_the_disc, on_the_sphere
from kernlearn.solvers import Solution
from kernlearn.solvers.core.qp import Bounds, QuadraticProgram
from kernlearn.types import Array

SAMPLES = range(5)
#: Outputs that differ from 1 by less are at the margin.
AT_MARGIN = 1e-5


def distance(X: Array, w: Array, b: float) -> Array:
    """Return the distances of claim 15.1, for w of norm 1."""
    return np.asarray(np.abs(X @ w + b))


def planes() -> list[tuple[Array, Array, float, Array]]:
    """Return points, a hyperplane in 4 dimensions, and points of it."""
    found = []
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        X, w, b = rng.normal(size=(50, 4)), rng.normal(size=4), float(rng.normal())
        w /= np.linalg.norm(w)
        u = rng.normal(scale=2.0, size=(5000, 4))
        found.append((X, w, b, u - np.outer(u @ w + b, w)))
    return found


def nearest() -> float:
    """Return the largest quotient of the distance and that of any drawn point of the hyperplane."""
    quotients = []
    for X, w, b, u in planes():
        to = np.linalg.norm(X[:, None] - u, axis=2).min(axis=1)
        quotients.append(float((distance(X, w, b) / to).max()))
    return max(quotients)


def foot() -> float:
    """Return how far the distance of the foot of the perpendicular is from the formula."""
    off = []
    for X, w, b, _ in planes():
        v = X - np.outer(X @ w + b, w)
        off.append(float(np.abs(np.linalg.norm(X - v, axis=1) - distance(X, w, b)).max() + np.abs(v @ w + b).max()))
    return max(off)


@lru_cache
def separable(seed: int, homogenous: bool) -> tuple[Array, Array, Solution]:
    """Return 60 examples in 6 dimensions and the solution of (15.3), or of (15.2)."""
    rng = np.random.default_rng(seed)
    X, y = on_the_sphere(60, 6, 0.1, 0.0, rng)
    if not homogenous:
        X = X + 0.5
    return X, y, solve_hard_svm(X @ X.T, y, homogenous=homogenous)


def largest_margin() -> float:
    """Return how much the margin of the solution of (15.2) is below half the distance of the hulls of both classes.

    No margin is larger. The two points of the hulls come from the dual solution.
    """
    missed = []
    for seed in SAMPLES:
        X, y, solution = separable(seed, False)
        w = X.T @ solution.x
        margin = float((y * (X @ w + solution.intercept)).min() / np.linalg.norm(w))
        a = solution.dual
        points = [a[y == sign] @ X[y == sign] / a[y == sign].sum() for sign in (1.0, -1.0)]
        missed.append(1.0 - margin / (0.5 * float(np.linalg.norm(points[0] - points[1]))))
    return max(missed)


def slacks() -> float:
    """Return how far the value of (15.4), a quadratic program in w, b and xi, is from that of (15.5), relatively."""
    off = []
    for seed in SAMPLES:
        X, y = in_the_disc(40, 0.0, seed)
        y = np.where(np.random.default_rng(seed).random(40) < 0.1, -y, y)
        m, n = X.shape
        P = np.diag(np.concatenate([np.full(n, 2.0 * 0.05), np.zeros(1 + m)]))
        rows = np.hstack([y[:, None] * X, y[:, None], np.eye(m)])
        lower = np.concatenate([np.full(n + 1, -1e3), np.zeros(m)])
        bounds = Bounds(np.ones(m), np.full(m, 1e6), lower, np.full(n + 1 + m, 1e3))
        program = QuadraticProgram(P, rows).solve(np.concatenate([np.zeros(n + 1), np.full(m, 1.0 / m)]), bounds)
        off.append(abs(program.objective / solve_soft_svm(X @ X.T, y, 0.05).objective - 1.0))
    return max(off)


def lipschitz() -> float:
    """Return the largest quotient of a difference of two hinge losses and ``|x| |w - w'|``."""
    rng = np.random.default_rng(0)
    x, w, v = rng.normal(size=(3, 20_000, 3))
    v = w + 0.1 * rng.normal(size=(20_000, 1)) * x + 0.01 * v  # near the direction of x, in which the loss changes
    y = rng.choice([-1.0, 1.0], 20_000)
    change = np.abs(hinge(y * (w * x).sum(axis=1)) - hinge(y * (v * x).sum(axis=1)))
    return float((change / (np.linalg.norm(x, axis=1) * np.linalg.norm(w - v, axis=1))).max())


def support(X: Array, w: Array) -> Array:
    """Return which examples are at the margin: the set I of theorem 15.8."""
    return np.asarray(np.abs(np.abs(X @ w) - 1.0) <= AT_MARGIN)


def of_support_vectors() -> float:
    """Return how far w0 is from the span of the examples at the margin, relatively."""
    off = []
    for seed in SAMPLES:
        X, _, solution = separable(seed, True)
        w = X.T @ solution.x
        A = X[support(X, w)].T
        off.append(float(np.linalg.norm(A @ np.linalg.lstsq(A, w, rcond=None)[0] - w) / np.linalg.norm(w)))
    return max(off)


def multipliers() -> float:
    """Return how far ``2 w0`` is from the cone of the ``y_i x_i`` of the examples at the margin, relatively."""
    off = []
    for seed in SAMPLES:
        X, y, solution = separable(seed, True)
        w = X.T @ solution.x
        at = support(X, w)
        off.append(nnls((y[at, None] * X[at]).T, 2.0 * w)[1] / (2.0 * float(np.linalg.norm(w))))
    return float(max(off))


def gradients_at_a_cusp() -> tuple[float, float]:
    """Return the gradients of ``f(w) = w`` and ``g(w) = w^2`` at 0, the one point with ``g(w) <= 0``."""
    return 1.0, 0.0


def fritz_john_as_printed() -> float:
    """Return ``|f' + a g'|`` there for the best a: 0 if the lemma is true."""
    of_f, of_g = gradients_at_a_cusp()
    (a,) = np.linalg.lstsq(np.array([[of_g]]), np.array([-of_f]), rcond=None)[0]
    return abs(of_f + float(a) * of_g)


def fritz_john() -> float:
    """Return ``|b f' + a g'|`` there for the best a and b that are not negative, with ``a^2 + b^2 = 1``."""
    of_f, of_g = gradients_at_a_cusp()
    angle = np.linspace(0.0, 0.5 * np.pi, 1001)
    return float(np.abs(np.cos(angle) * of_f + np.sin(angle) * of_g).min())


def strong_duality() -> float:
    """Return how far the best value of (15.11) on the ray of our dual point is from ``|w0|^2 / 2``, relatively."""
    off = []
    for seed in SAMPLES:
        X, y, solution = separable(seed, True)
        best = 0.5 * float(solution.dual.sum() ** 2 / np.square((solution.dual * y) @ X).sum())
        off.append(abs(best / (0.5 * float(np.square(X.T @ solution.x).sum())) - 1.0))
    return max(off)
