"""Checks of section 3.3.1 of Rostamizadeh (2010): weights by alignment, and ensembles."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from kernlearn.algorithms.common.ridge import solve_krr
from kernlearn.algorithms.kernel_learning.align import weigh
from kernlearn.algorithms.kernel_learning.alignf import solve_alignf, solve_alignf_linear
from kernlearn.kernels import DenseStack, GramStack, make_family
from kernlearn.kernels.matrices.centring import frobenius
from kernlearn.papers.checks.figure import CORRECTION, OURS, ROUNDING, Check
from kernlearn.types import Array

#: Widths of the Gaussian kernels, problems, and norms of the weights of (3.8).
GAMMAS, PROBLEMS, NORMS = (0.05, 0.2, 1.0, 4.0, 10.0), 20, (1.5, 2.0, 3.0, 4.0)
#: Of an ensemble, what every combination of kernels leaves of it at least.
LEFT = 0.01


def problems() -> Iterator[tuple[DenseStack, Array]]:
    """Yield kernels on drawn points, and labels that some coordinates have to do with."""
    for seed in range(PROBLEMS):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 3))
        y = np.sign(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=30))
        yield DenseStack.of(GramStack.train(make_family("gaussian", gammas=list(GAMMAS)), X)), y


def aligned(stack: DenseStack, y: Array) -> tuple[Array, Array]:
    """Return ``a_k = <K_kc, yy'>`` and ``M_kl = <K_kc, K_lc>``."""
    centred = stack.centred()
    return centred.quadratic(y), centred.products()


def alignment_of(mu: Array, a: Array, M: Array) -> float:
    """Return ``(mu.a) / sqrt(mu'M mu)`` (3.9)."""
    return float(mu @ a) / float(np.sqrt(mu @ M @ mu))


def by_product() -> float:
    """Return how much more than ``mu_k ~ a_k^(1/(q-1))`` SLSQP finds for (3.8) with weights >= 0, relatively."""
    from scipy.optimize import minimize

    more = []
    for stack, y in problems():
        a = stack.quadratic(y) / stack.quadratic(y).max()
        for q in NORMS:
            mu = a ** (1.0 / (q - 1.0))
            mu /= np.linalg.norm(mu, q)

            def value(mu: Array, a: Array = a) -> float:
                return -float(mu @ a)

            def room(mu: Array, q: float = q) -> float:
                return 1.0 - float(np.sum(mu**q))

            start = np.full(len(a), len(a) ** (-1.0 / q))
            options: Any = {"bounds": [(1e-12, 1.0)] * len(a), "constraints": {"type": "ineq", "fun": room}}
            other = minimize(value, start, options={"ftol": 1e-13, "maxiter": 500}, **options)
            found = other.x / max(1.0, float(np.linalg.norm(other.x, q)))
            more.append(float(found @ a) / float(mu @ a) - 1.0)
    return max(more)


def independent() -> float:
    """Return how far the weights of `align` are from those of proposition 3.1 for q = 2 and kernels of norm one."""
    apart = []
    for stack, y in problems():
        a, _ = aligned(stack, y)
        mu = a / frobenius(stack.centred())
        apart.append(float(np.abs(weigh(stack, y, np.ones(len(a))) - mu / np.linalg.norm(mu)).max()))
    return max(apart)


def of_any_sign() -> float:
    """Return the largest quotient of (3.8) for q = 3 at weights of either sign and at those of proposition 3.1."""
    quotients = []
    for stack, y in problems():
        a = stack.quadratic(y)
        mu, other = a**0.5 / np.linalg.norm(a**0.5, 3), np.zeros(len(a))
        other[[a.argmax(), a.argmin()]] = 100.0, -100.0  # their cubes add up to 0
        quotients.append(float(other @ a) / float(mu @ a))
    return max(quotients)


def negative_weights() -> float:
    """Return how far below 0 a weight of the solution of (3.9) is."""
    return -min(float(solve_alignf_linear(stack, y).min()) for stack, y in problems())


def linear() -> float:
    """Return how much less than the largest eigenvalue of ``M^-1 aa'`` the squared alignment of proposition 3.2 is."""
    from scipy.linalg import eigh

    less = []
    for stack, y in problems():
        a, M = aligned(stack, y)
        largest = float(eigh(np.outer(a, a), M, eigvals_only=True)[-1])
        less.append(1.0 - alignment_of(solve_alignf_linear(stack, y), a, M) ** 2 / largest)
    return max(less)


def convex() -> float:
    """Return how much less than the best over all sets of kernels with weights > 0 proposition 3.3 is, relatively."""
    less = []
    for stack, y in problems():
        a, M = aligned(stack, y)
        best = 0.0
        for size in range(1, len(a) + 1):
            for some in map(list, combinations(range(len(a)), size)):
                v = np.zeros(len(a))
                v[some] = np.linalg.solve(M[np.ix_(some, some)], a[some])
                if (v >= 0.0).all():
                    best = max(best, alignment_of(v, a, M))
        less.append(1.0 - alignment_of(solve_alignf(stack, y).x, a, M) / best)
    return max(less)


def ensembles() -> Iterator[tuple[Array, Array]]:
    """Yield two kernels between 10 examples and 60 points, and the coefficients of ridge regression with each."""
    for seed in range(PROBLEMS):
        rng = np.random.default_rng(seed)
        X, Z = rng.normal(size=(10, 2)), rng.normal(size=(60, 2))
        family, y = make_family("gaussian", gammas=[0.1, 5.0]), np.sign(rng.normal(size=10))
        stack, other = DenseStack.of(GramStack.train(family, X)), GramStack(family, Z, X)
        alpha = [solve_krr(K, y, 0.1).x for K in stack.K]
        yield np.stack([other.matrix(0), other.matrix(1)]), np.stack(alpha)


def is_an_ensemble() -> float:
    """Return how far ``sum_j alpha_j K_mu(x_j, x)`` (3.7) is from the ensemble (3.6) with the same alpha for all."""
    apart, mu = [], np.array([0.3, 0.7])
    for K, alpha in ensembles():
        combined = np.tensordot(mu, K, 1) @ alpha[0]
        apart.append(float(np.abs(combined - sum(m * (L @ alpha[0]) for m, L in zip(mu, K, strict=True))).max()))
    return max(apart)


def is_no_combination() -> float:
    """Return the quotient of 0.01 and the least part of an ensemble that all combinations of its kernels leave."""
    left = []
    for K, alpha in ensembles():
        f = 0.5 * (K[0] @ alpha[0] + K[1] @ alpha[1])
        for angle in np.linspace(0.0, np.pi, 181):  # weights of either sign
            A = np.cos(angle) * K[0] + np.sin(angle) * K[1]
            left.append(float(np.linalg.norm(f - A @ np.linalg.lstsq(A, f)[0]) / np.linalg.norm(f)))
    return LEFT / min(left)


CHECKS = {
    "(3.6)": Check("a combination of kernels (3.7) is an ensemble", is_an_ensemble, ROUNDING),
    "(3.6) is larger": Check(
        "an ensemble is not always a combination: every combination leaves a hundredth",
        is_no_combination,
        1.0,
        number="a hundredth is {} of what it leaves",
    ),
    "proposition 3.1": Check(
        "mu_k ~ <K_k, K_Y>^(1/(q-1)) is best for (3.8) with mu >= 0", by_product, 1e-9, CORRECTION
    ),
    "proposition 3.1 in align": Check("align has these weights for q = 2", independent, ROUNDING, OURS),
    "proposition 3.1 for any mu": Check(
        "as printed, these weights are best without mu >= 0 for q = 3",
        of_any_sign,
        1.0,
        number="best value found {} times that of these weights",
    ),
    "(3.9)": Check(
        "the solution has no negative weight", negative_weights, 0.0, number="size of its most negative weight {}"
    ),
    "proposition 3.2": Check("M^-1 a is best for (3.9)", linear, ROUNDING),
    "proposition 3.3": Check("the quadratic program (3.11) solves (3.10)", convex, 1e-8),
}
