"""Chapters 1 and 2 of Shivaswamy (2010) as checks: transformations, whitening, and the relative margin machine."""

from itertools import product
from typing import Any

import numpy as np
from scipy.linalg import null_space, sqrtm
from scipy.optimize import minimize

from kernlearn.kernels import Whitening
from kernlearn.papers.checks.figure import CORRECTION, ROUNDING, Check
from kernlearn.solvers import BandSolver, Bounds, QuadraticProgram, Solution, SVMSolver, solve_ellipsoid
from kernlearn.types import Array

SAMPLES = range(3)
#: Of the solvers here, and what their values, and their outputs, may be apart by.
TOL, VALUES, OUTPUTS = 1e-10, 1e-7, 1e-4
C = 0.1
#: The E and b_0 of (1.1); the epsilon of the stopping rule.
PRICE, OFFSET, EPSILON = 0.1, 0.3, 1e-3


def clouds(seed: int, n: int = 30, d: int = 3) -> tuple[Array, Array]:
    """Return n examples of two clouds that overlap, shape (n, d), and labels +-1."""
    rng = np.random.default_rng([seed, n, d])
    y = np.repeat([1.0, -1.0], n // 2)
    return rng.normal(size=(n, d)) * np.arange(1.0, d + 1) + 0.8 * y[:, None], y


def apart(seed: int) -> tuple[Array, Array]:
    """Return examples that a plane separates, each with a constant 1, shape (12, 4), and labels +-1."""
    X, y = clouds(seed, 12)
    X[:, 0] = y * (1.0 + np.abs(X[:, 0]))
    return np.column_stack([X, np.ones(12)]), y


def value_of(A: Array, w: Array, X: Array, y: Array) -> float:
    """Return the objective of (1.1) at a matrix, with the best R and rho that it allows."""
    images = X @ A.T
    margin, radius = (y * (images @ w + OFFSET)).min(), 0.5 * (images**2).sum(axis=1).max()
    return float(PRICE * radius - margin)


def rank_one(X: Array, y: Array) -> tuple[Array, float]:
    """Return the v of the best ``A = w_0 v'`` in (1.1), and the largest ``|v.x|``, by a quadratic program."""
    n, d = X.shape
    P = np.diag([*np.zeros(d + 1), PRICE])  # of (v, rho, t): t^2 = 2 R
    margin = np.column_stack([y[:, None] * X, -np.ones(n), np.zeros(n)])
    inside = [np.column_stack([sign * X, np.zeros(n), np.ones(n)]) for sign in (1.0, -1.0)]
    low, free = np.concatenate([-y * OFFSET, np.zeros(2 * n)]), np.full(d + 2, np.inf)
    program = QuadraticProgram(P, np.vstack([margin, *inside]), TOL)
    solution = program.solve(np.eye(d + 2)[d] * -1.0, Bounds(low, np.full(3 * n, np.inf), -free, free))
    return solution.x[:d], float(solution.x[-1])


def unit(seed: int, d: int) -> Array:
    """Return a direction."""
    w = np.random.default_rng(seed).normal(size=d)
    unit: Array = w / np.linalg.norm(w)
    return unit


def over_matrices(X: Array, y: Array, w: Array, seed: int) -> float:
    """Return the objective of (1.1) where sequential quadratic programming over all matrices ends."""
    shape = (len(w), X.shape[1])

    def slack(z: Array) -> Array:  # z has the matrix, rho and R
        images = X @ z[:-2].reshape(shape).T
        return np.concatenate([y * (images @ w + OFFSET) - z[-2], z[-1] - 0.5 * (images**2).sum(axis=1)])

    begin = np.append(0.1 * np.random.default_rng(seed).normal(size=shape), [-1.0, 1.0])
    how: dict[str, Any] = {"constraints": {"type": "ineq", "fun": slack}, "options": {"maxiter": 500, "ftol": 1e-13}}
    search: Any = minimize
    found = search(lambda z: PRICE * z[-1] - z[-2], begin, method="SLSQP", **how)
    return value_of(found.x[:-2].reshape(shape), w, X, y)


def of_all_matrices() -> float:
    """Return by how much the best of all matrices differs from the best of rank one, relatively, at most."""
    off = []
    for seed in SAMPLES:
        (X, y), w = apart(seed), unit(seed, 3)
        best = over_matrices(X, y, w, seed)
        off.append(abs(value_of(np.outer(w, rank_one(X, y)[0]), w, X, y) - best) / abs(best))
    return max(off)


def second_direction() -> float:
    """Return the second singular value, by the first, of a matrix that is as good as the best of rank one."""
    X, y = apart(0)
    w, (v, t) = unit(0, 3), rank_one(X, y)
    aside = null_space(w[None])[:, 0]
    at = np.abs(np.abs(X @ v) - t) < 1e-6 * t
    z = X @ null_space(X[at])[:, 0]  # not at the images that are farthest
    room = np.sqrt(np.maximum(t * t - (X @ v) ** 2, 0.0))
    amount = 0.5 * (room[~at] / np.abs(z[~at])).min()
    A = np.outer(w, v) + amount * np.outer(aside, null_space(X[at])[:, 0])
    values = np.linalg.svd(A, compute_uv=False)
    same = value_of(A, w, X, y) <= value_of(np.outer(w, v), w, X, y) + ROUNDING
    return float(values[1] / values[0]) if same else 0.0


def moved_outputs(turn: Array) -> float:
    """Return the largest change of an output of the SVM where all examples are multiplied by a matrix."""
    changes = []
    for seed in SAMPLES:
        X, y = clouds(seed)
        f = [K @ s.x + s.intercept for K in gram(X, X @ turn.T) if (s := SVMSolver(K, y, TOL).solve(C))]
        changes.append(float(np.abs(f[0] - f[1]).max()))
    return max(changes)


def gram(*several: Array) -> list[Array]:
    """Return the matrices of inner products."""
    return [X @ X.T for X in several]


def rotated() -> float:
    """Return `moved_outputs` by a rotation."""
    return moved_outputs(np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0])


def stretched() -> float:
    """Return a tenth divided by `moved_outputs` by a stretch of one axis."""
    return 0.1 / moved_outputs(np.diag([5.0, 1.0, 1.0]))


def ellipsoid(power: float) -> float:
    """Return how far ``(x - mu)' Sigma^-1 (x - mu)`` is from ``|A x - b|^2``, for ``Sigma = A^power``, relatively."""
    X, _ = clouds(0)
    around = solve_ellipsoid(X, 10.0).extras["ellipsoid"]
    values, vectors = np.linalg.eigh(sqrtm(around.A.T @ around.A))
    inverse = vectors @ np.diag(values**-power) @ vectors.T
    centred, images = X - around.centre, around.images(X)
    by_sigma, as_is = np.einsum("ij,jk,ik->i", centred, inverse, centred), (images**2).sum(axis=1)
    return float(np.abs(by_sigma / as_is - 1.0).max())


def whitened() -> float:
    """Return the largest difference of (2.5), by features, from its kernel as printed and as it is computed."""
    off = []
    for seed, D in product(SAMPLES, (0.1, 0.5, 0.9)):
        X, _ = clouds(seed)
        Z, n = clouds(seed + 10)[0], len(X)
        M = (1.0 - D) * np.eye(3) + D * np.cov(X.T, bias=True)
        K, mu, J = X @ X.T, X.mean(axis=0), np.eye(n) / n - np.full((n, n), 1.0 / n**2)
        middle = J @ np.linalg.inv((1.0 - D) / D * np.eye(n) + K @ J)
        k = K - K.mean(axis=0)[:, None]  # K_i - K1/n, by columns
        centred = k - K.mean(axis=0)[None] + K.mean()
        printed = (centred - k.T @ middle @ k) / (1.0 - D)
        by_features = (np.vstack([X, Z]) - mu) @ np.linalg.solve(M, (X - mu).T)
        ours = Whitening(K, D)
        rows = np.vstack([ours.matrix, ours.rows(Z @ X.T)])
        off += [float(np.abs(rows - by_features).max()), float(np.abs(printed - by_features[:n]).max())]
    return max(off)


def affine() -> float:
    """Return the largest change of an output of the whitened SVM with D next to 1 by an affine map."""
    X, y = clouds(0)
    f = []
    for Z in (X, X @ np.array([[3.0, 1.0, 0.0], [0.0, 0.5, 1.0], [0.0, 0.0, 2.0]]) + 4.0):
        K = Whitening(Z @ Z.T, 1.0 - 1e-7).matrix
        solution = SVMSolver(K, y, TOL).solve(C)
        f.append(K @ solution.x + solution.intercept)
    return float(np.abs(f[0] - f[1]).max())


def relative(seed: int, fraction: float = 0.5) -> tuple[Array, Array, float, Solution]:
    """Return examples, labels, a B between 1 and theta, and the solution of (2.8) with it."""
    X, y = clouds(seed)
    solver = BandSolver(X @ X.T, y, TOL)
    B = 1.0 + fraction * (solver.theta(C) - 1.0)
    return X, y, B, solver.solve(C, B)


def primal(X: Array, y: Array, solution: Solution) -> float:
    """Return the objective of (2.6) and (2.8), recomputed from w and b."""
    w = X.T @ solution.x
    loss = np.maximum(0.0, 1.0 - y * (X @ w + solution.intercept))
    return float(0.5 * w @ w + C * loss.sum())


def wide() -> float:
    """Return how far the RMM with ``B > theta`` is from the SVM, relatively, in its objective and its outputs."""
    off = []
    for seed in SAMPLES:
        X, y, B, solution = relative(seed, 1.01)
        svm = SVMSolver(X @ X.T, y, TOL).solve(C)
        off += [abs(solution.objective / svm.objective - 1.0), float(np.abs(X.T @ (solution.x - svm.x)).max())]
    return max(off)


def by_quadratics(X: Array, y: Array, alpha: Array, l: Array, B: float) -> float:  # noqa: E741
    """Return the value of (2.7), with the sign and the term that it lacks."""
    mu = l @ X / l.sum()
    M = np.eye(X.shape[1]) + (l * (X - mu).T) @ (X - mu)
    v = (alpha * y) @ (X - mu)
    spread = 0.5 * float(v @ np.linalg.solve(M, v)) + float(alpha @ y) ** 2 / (2.0 * float(l.sum()))
    return float(alpha.sum()) - spread - 0.5 * B * B * float(l.sum())


def as_printed(X: Array, y: Array, alpha: Array, l: Array, B: float) -> float:  # noqa: E741
    """Return the value of (2.7) as it is printed."""
    missing = float(alpha @ y) ** 2 / (2.0 * float(l.sum()))
    return by_quadratics(X, y, alpha, l, B) + missing + B * B * float(l.sum())


def dual_of_quadratics() -> float:
    """Return how far (2.7), corrected, is from (2.6): at its optimum, relatively, and above it anywhere else."""
    off = []
    for seed in SAMPLES:
        X, y, B, solution = relative(seed)
        alpha, above, below = solution.dual
        best = primal(X, y, solution)
        l = (above + below) / B  # noqa: E741
        off.append(abs(by_quadratics(X, y, alpha, l, B) / best - 1.0))
        mu = l @ X / l.sum()
        w = np.linalg.solve(np.eye(3) + (l * (X - mu).T) @ (X - mu), (alpha * y) @ (X - mu))
        off.append(float(np.abs(w - X.T @ solution.x).max()))
        rng = np.random.default_rng(seed)
        for _ in range(100):
            others = rng.uniform(0.0, C, len(y)), rng.exponential(0.01, len(y))
            off.append((by_quadratics(X, y, *others, B) - best) / best)
    return max(off)


def dual_as_printed() -> float:
    """Return the quotient of (2.7) as printed, at the multipliers of the optimum, and the optimal value of (2.6)."""
    X, y, B, solution = relative(0)
    alpha, above, below = solution.dual
    return as_printed(X, y, alpha, (above + below) / B, B) / primal(X, y, solution)


def dual_of_lines() -> float:
    """Return how far (2.9) at the multipliers found is from (2.8), and these from its constraints, relatively."""
    off = []
    for seed in SAMPLES:
        X, y, B, solution = relative(seed)
        alpha, above, below = solution.dual
        g = alpha * y - above + below
        value = float(alpha.sum() - B * (above + below).sum() - 0.5 * g @ X @ X.T @ g)
        outside = max(-float(solution.dual.min()), float(alpha.max()) - C, abs(float(g.sum())))
        f = np.abs(X @ (X.T @ solution.x) + solution.intercept).max() - B
        off += [abs(value / primal(X, y, solution) - 1.0), outside, float(f)]
    return max(off)


def stopping(sign: float) -> float:
    """Return by how much, in epsilons, an optimum breaks ``f(x_i) <= B + sign epsilon`` where l_i is 0.

    Every example is there twice, and one of each two has the multipliers of both.
    """
    X, y, B, _ = relative(0)
    once = BandSolver(X @ X.T, y, TOL, weights=np.full(len(y), 2.0)).solve(C, B)
    f = X @ (X.T @ once.x) + once.intercept  # of the second of each two, with l = l* = 0
    return float(np.maximum(np.abs(f) - B - sign * EPSILON, 0.0).max()) / EPSILON


def priced() -> float:
    """Return how far (2.11), with the D that a B has by its multipliers, is from (2.8): in t, and in outputs."""
    off = []
    for seed, fraction in product(SAMPLES, (0.1, 0.5, 0.9)):
        X, y, B, solution = relative(seed, fraction)
        D = float(solution.dual[1:].sum())
        other = BandSolver(X @ X.T, y, TOL).solve_priced(C, D)
        f = [X @ (X.T @ s.x) + s.intercept for s in (solution, other)]
        off += [abs(other.extras["B"] / B - 1.0), float(np.abs(f[0] - f[1]).max())]
    return max(off)


def outliers() -> float:
    """Return the largest quotient of the share of outputs beyond t and 1/nu, and of 1/nu and the share at or beyond."""
    quotients = []
    for seed, nu in product(SAMPLES, (2.0, 4.0, 8.0)):
        X, y = clouds(seed, 40)
        solution = BandSolver(X @ X.T, y, TOL).solve_priced(10.0 * C, 5.0, nu)
        f, t = np.abs(X @ (X.T @ solution.x) + solution.intercept), solution.extras["B"]
        quotients.append(nu * float(np.mean(f > t + 1e-6)))
        if t > 1.0 + 1e-6:
            quotients.append(1.0 / (nu * float(np.mean(f > t - 1e-6))))
    return max(quotients)


CHECKS = {
    "lemma 1 a": Check("no matrix is better in (1.1) than the best of rank one", of_all_matrices, VALUES, CORRECTION),
    "lemma 1 b": Check(
        "as printed, all matrices that are best have rank one",
        second_direction,
        0.0,
        number="second singular value of one of them {} of the first",
    ),
    "lemma 2 a": Check("a rotation of the inputs does not change the outputs of the SVM", rotated, VALUES),
    "lemma 2 b": Check(
        "a stretch of one axis changes outputs by at least 0.1",
        stretched,
        1.0,
        number="0.1 is {} of the largest change",
    ),
    "(2.3) a": Check("the ellipsoid has Sigma = A^-2", lambda: ellipsoid(-2.0), ROUNDING, CORRECTION),
    "(2.3) b": Check("as printed, the ellipsoid has Sigma = A^(-1/2)", lambda: ellipsoid(-0.5), ROUNDING),
    "(2.5) a": Check("the whitened kernel is the kernel of features that are whitened", whitened, ROUNDING),
    "(2.5) b": Check("with D = 1 - 1e-7 an affine map changes no output", affine, OUTPUTS, number="largest change {}"),
    "(2.6)": Check("the RMM with B above all outputs of the SVM is the SVM", wide, VALUES),
    "(2.7) a": Check(
        "the dual of (2.6), corrected, has its value and its w, and is below it elsewhere",
        dual_of_quadratics,
        VALUES,
        CORRECTION,
    ),
    "(2.7) b": Check(
        "as printed, the dual is not above (2.6)", dual_as_printed, 1.0 + VALUES, number="dual {} of (2.6)"
    ),
    "(2.9)": Check("the dual of (2.8) has its value, at feasible points of both", dual_of_lines, VALUES),
    "section 2.3.1 a": Check(
        "an optimum meets the rule with B + epsilon",
        lambda: stopping(1.0),
        0.0,
        CORRECTION,
        number="breach in epsilons {}",
    ),
    "section 2.3.1 b": Check(
        "as printed, an optimum meets the rule with B - epsilon",
        lambda: stopping(-1.0),
        0.0,
        number="breach in epsilons {}",
    ),
    "(2.11)": Check("for every B of (2.8) there is a D of (2.11) with the same solution", priced, OUTPUTS),
    "(2.12)": Check(
        "at most n/nu outputs are beyond t, and at least n/nu are at it or beyond",
        outliers,
        1.0,
        number="largest quotient of the shares and 1/nu {}",
    ),
}
