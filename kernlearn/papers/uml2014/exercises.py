"""The exercises of chapters 15 and 16 as statements that can be computed, each with what may at most be found."""

from math import log, sqrt
from typing import Any

import numpy as np

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.common.ridge import solve_krr
from kernlearn.algorithms.margin.hard_svm import solve_hard_svm
from kernlearn.algorithms.margin.perceptron import solve_kernel_perceptron, solve_perceptron
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.kernels import GramStack, make_family
from kernlearn.papers.checks.figure import ROUNDING, Check, figure_of
from kernlearn.papers.uml2014.samples import in_the_disc
from kernlearn.types import Array

SAMPLES = range(10)


def kernel(name: str, X: Array, Z: Array | None = None, **parameters: Any) -> Array:
    """Return the Gram matrix of the first kernel of a family."""
    return GramStack(make_family(name, **parameters), X, X if Z is None else Z).matrix(0)


def monomials(X: Array, degree: int) -> Array:
    """Return the features of ``(1 + <x, z>)^k`` (section 16.2): every monomial as often as the kernel has it."""
    one = np.hstack([np.ones((len(X), 1)), X])
    psi: Array = np.ones((len(X), 1))
    for _ in range(degree):
        psi = (psi[:, :, None] * one[:, None, :]).reshape(len(X), -1)
    return psi


def hard_rule() -> float:
    """Return by how much the margin of the solution of (15.2) misses the best of 20,000 directions, at most."""
    angle = np.linspace(0.0, 2.0 * np.pi, 20_001)
    missed = []
    for seed in SAMPLES:
        X, y = in_the_disc(30, 0.1, seed, offset=0.2)
        f = X @ [np.cos(angle), np.sin(angle)]
        best = 0.5 * float((f[y > 0].min(axis=0) - f[y < 0].max(axis=0)).max())
        missed.append(abs(solve_hard_svm(X @ X.T, y).objective ** -0.5 - best))
    return max(missed)


def updates() -> float:
    """Return the largest quotient of the updates of the perceptron and ``(rho / gamma)^2``."""
    quotients = []
    for seed in SAMPLES:
        X, y = in_the_disc(80, 0.02, seed)
        _, count = solve_perceptron(X, y)
        hard = solve_hard_svm(X @ X.T, y, homogenous=True)
        quotients.append(count / (float((X**2).sum(axis=1).max()) * hard.objective))
    return max(quotients)


def same_vector() -> float:
    """Return the largest quotient, over lambda, of soft and hard solution on the sample of sqrt(lambda), +1."""
    quotients = []
    for lambda_ in 10.0 ** np.arange(-6, 4):
        x, y = np.sqrt(lambda_) * np.array([1.0, -1.0]), np.array([1.0, -1.0])
        soft = solve_soft_svm(np.outer(x, x), y, lambda_, homogenous=True)
        hard = solve_hard_svm(np.outer(x, x), y, homogenous=True)
        quotients.append(float(x @ soft.x) / float(x @ hard.x))
    return max(quotients)


def weak_duality() -> float:
    """Return the largest excess of max min over min max, of random functions of two variables with few values."""
    values = np.random.default_rng(0).normal(size=(1000, 4, 5))
    return float((values.min(axis=1).max(axis=1) - values.max(axis=2).min(axis=1)).max())


def signature() -> float:
    """Return how far ``y (2 psi_v(x) - 1)`` is from 1 at most, over random strings x and all strings v of length 2."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (100, 8)).astype(float)
    off = []
    for v in np.indices((3, 3)).reshape(2, -1).T.astype(float):
        contains = [any((x[i : i + 2] == v).all() for i in range(7)) for x in X]
        word = np.concatenate([v, np.full(6, -1.0)])[None]
        psi = kernel("substring", X, word, lengths=[2]) - kernel("substring", X, word, lengths=[1])
        off.append(float(np.abs(np.where(contains, 1.0, -1.0) * (2.0 * psi[:, 0] - 1.0) - 1.0).max()))
    return max(off)


def kernel_perceptron() -> float:
    """Return how far the perceptrons on a kernel and on its explicit map are from each other, relatively."""
    apart = []
    for seed in SAMPLES:
        X, _ = in_the_disc(60, 0.0, seed)
        y = np.where((X**2).sum(axis=1) > 0.4, 1.0, -1.0)
        X, y = X[kept := np.abs((X**2).sum(axis=1) - 0.4) > 0.1], y[kept]
        psi = monomials(X, 2)
        w, count = solve_perceptron(psi, y)
        result = solve_kernel_perceptron(kernel("polynomial", X, degrees=[2]), y)
        apart.append(abs(result.iterations - count) + float(np.linalg.norm(psi.T @ result.x - w) / np.linalg.norm(w)))
    return max(apart)


def ridge() -> float:
    """Return how far ``(G + 2 lambda m I)^-1 y`` is from the minimiser of (16.8) in explicit features, relatively."""
    rng = np.random.default_rng(0)
    X, y, lambda_ = rng.normal(size=(30, 2)), rng.normal(size=30), 0.01
    psi = monomials(X, 3)
    alpha = solve_krr(kernel("polynomial", X, degrees=[3]), y, 2.0 * lambda_ * 30).x
    w = np.linalg.solve(psi.T @ psi / 30 + 2.0 * lambda_ * np.eye(psi.shape[1]), psi.T @ y / 30)  # the gradient is 0
    return float(np.linalg.norm(psi.T @ alpha - w) / np.linalg.norm(w))


def min_kernel() -> float:
    """Return the largest difference of ``min(x, x')`` and ``<psi(x), psi(x')>``, for N = 50."""
    x = np.arange(1.0, 51.0)
    psi = np.tril(np.ones((50, 50)))
    return float(np.abs(kernel("min", x[:, None]) - psi @ psi.T).max())


def baskets(n: int, seed: int) -> tuple[Array, Array]:
    """Return baskets of at most 8 of 1000 items, and whether one of the first 3 is in them, as it is in a third."""
    rng = np.random.default_rng([seed, n])
    X = np.zeros((n, 1000))
    for x in X:
        x[rng.choice(np.arange(3, 1000), rng.integers(1, 8), replace=False)] = 1.0
        if rng.random() < 1 / 3:
            x[rng.integers(3)] = 1.0
    return X, np.where(X[:, :3].any(axis=1), 1.0, -1.0)


def basket_margin() -> float:
    """Return the largest of: what a margin of w = 2 on the items, b = -1 lacks to 1, and ``|psi|^2 - (s + 1)``."""
    X, y = baskets(1000, seed=0)
    margins = y * (2.0 * X[:, :3].sum(axis=1) - 1.0)
    return max(1.0 - float(margins.min()), float(X.sum(axis=1).max() + 1.0) - 9.0)


def basket_error() -> float:
    """Return the largest quotient of the error of hard-SVM on baskets and the bound of theorem 15.4."""
    quotients = []
    bound = sqrt(4.0 * (8 + 1) * (4 * 3 + 1) / 1000) + sqrt(2.0 * log(2.0 / 0.05) / 1000)  # rho^2 and 1/gamma^2
    for seed in SAMPLES[:3]:
        X, y = baskets(1000, seed)
        Z, truth = baskets(2000, seed)
        solution = solve_hard_svm(kernel("basket", X) + 1.0, y, homogenous=True)
        f = (kernel("basket", Z, X) + 1.0) @ solution.x
        quotients.append(float(np.mean(truth * f <= 0)) / bound)
    return max(quotients)


def nearest_mean() -> float:
    """Return how many predictions of the kernel form differ from those by distances to the means of the maps."""
    wrong = 0
    for seed in SAMPLES:
        X, y = in_the_disc(60, 0.0, seed, offset=0.3)
        Z, _ = in_the_disc(200, 0.0, seed + 100)
        family = make_family("polynomial", degrees=[2])
        stack = GramStack.train(family, X)
        (point,) = ALGORITHMS["nearest_mean"].path(Problem(stack, Signs(y)))
        psi = monomials(X, 2)
        means = [psi[y == sign].mean(axis=0) for sign in (1.0, -1.0)]
        to = [np.linalg.norm(monomials(Z, 2) - mean, axis=1) for mean in means]
        wrong += int(np.sum((point.predictor.outputs(stack.at(Z))[0] >= 0) != (to[0] <= to[1])))
    return float(wrong)


CHECKS = {
    "15.1": Check("the solution of (15.2) has the largest margin of all directions", hard_rule, np.pi / 20_000),
    "15.2": Check("the perceptron makes at most (rho/gamma)^2 updates", updates, 1.0),
    "15.3": Check("for no lambda are the soft and the hard solution the same on all samples", same_vector, 0.51),
    "15.4": Check("min max is not less than max min", weak_duality, 0.0),
    "16.1": Check("whether v is in a string is linear in its substrings, with margin 1", signature, 0.0),
    "16.2": Check("the kernel perceptron is the perceptron in feature space", kernel_perceptron, ROUNDING),
    "16.3": Check("alpha = (G + 2 lambda m I)^-1 y is the ridge regression of (16.8)", ridge, ROUNDING),
    "16.4": Check("min(x, x') is the product of the indicators of {1, ..., x}", min_kernel, 0.0),
    "16.5 a": Check(
        "baskets with one of k items are separated with |w|^2 = 4k + 1, |psi|^2 <= s + 1", basket_margin, 0.0
    ),
    "16.5 b": Check("hard-SVM on baskets errs less than theorem 15.4 says", basket_error, 1.0),
    "16.6": Check("the nearest class mean is a kernel expansion", nearest_mean, 0.0),
}

points, claims, draw, SIZE = figure_of(CHECKS)
