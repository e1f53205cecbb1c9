"""Sections 4 and 5.3: the bounds of the paper where risks and complexities are known but for the draws."""

from collections.abc import Callable
from functools import lru_cache, partial
from math import ceil, comb, e, log, pi, sqrt

import numpy as np

from kernlearn.algorithms.margin.vkr import solve_vkr
from kernlearn.datasets import load
from kernlearn.evaluation.risk_bounds.rademacher import theorem1, theorem2
from kernlearn.kernels import COMPLEXITIES, SCALINGS, GramStack, make_family
from kernlearn.kernels.matrices.complexity import feature_dimensions
from kernlearn.papers.checks.local import Spectrum, complexity, fixed_point, local_bound, suprema, table, truncated
from kernlearn.types import Array

DELTA = 0.05
#: Of the lower bound of section 5.3, as in localrad2013/theorems.
CONSTANT = 0.5
#: Samples, and the share of wrong labels, of theorems 1 and 2.
SAMPLES, NOISE = 60, 0.05
#: Signs drawn for an empirical complexity.
SIGNS = 2000


# Section 4: theorems 1 and 2


@lru_cache
def clouds() -> tuple[GramStack, Array]:
    """Return two Gaussian kernels on 60 points of two clouds in the plane, and the right labels of the points."""
    y = np.repeat([1.0, -1.0], 30)
    X = np.random.default_rng(0).normal(scale=0.4, size=(60, 2)) + np.outer(y, [1.2, 0.0])
    return GramStack.train(make_family("gaussian", gammas=[0.5, 5.0]), X), y


@lru_cache
def complexities_of_clouds(m: int) -> Array:
    """Return ``R_m(H_k)`` of the two kernels, x uniform on the points; all of these are centres x'."""
    stack, _ = clouds()
    rng = np.random.default_rng(m)
    counts = rng.multinomial(m, np.full(60, 1.0 / 60.0), size=400)
    signs = 2.0 * rng.binomial(counts, 0.5) - counts
    return np.array([np.abs(signs @ stack.matrix(k)).max(axis=1).mean() / m for k in range(2)])


@lru_cache
def terms_of_the_theorems(m: int, rho: float) -> list[list[tuple[float, float, float]]]:
    """Return risk, margin loss and complexity of convex combinations f, for every sample of m examples.

    They are solutions of (1) for four penalties, and 30 random ones of few base hypotheses, divided by the l1 norm of
    their coefficients.
    """
    stack, truth = clouds()
    r, found = complexities_of_clouds(m), []
    for seed in range(SAMPLES):
        rng = np.random.default_rng([seed, m])
        counts = rng.multinomial(m, np.full(60, 1.0 / 60.0))
        wrong = rng.binomial(counts, NOISE)
        y = np.where(2 * wrong > counts, -truth, truth)
        coefs = [solve_vkr(stack, y, r, 1.0, beta).x for beta in (0.1, 0.03, 0.01, 0.003)]
        coefs += [rng.normal(size=(2, 60)) * (rng.random((2, 60)) < 0.03) for _ in range(30)]
        here = []
        for coef in coefs:
            weights = np.abs(coef).sum(axis=1)
            if not weights.sum():
                continue
            margins = truth * stack.expand(coef) / weights.sum()
            risk = float(((1.0 - NOISE) * (margins <= 0.0) + NOISE * (margins >= 0.0)).mean())
            loss = float(((counts - wrong) * (margins <= rho) + wrong * (-margins <= rho)).sum() / m)
            here.append((risk, loss, float(weights @ r / weights.sum())))
        found.append(here)
    return found


def theorem_1() -> float:
    """Return what `largest_share` is of theorem 1, for m = 20,000, rho = 0.2."""
    return largest_share(theorem1, 20_000, 0.2)


def theorem_2() -> float:
    """Return what `largest_share` is of theorem 2 with K = 2, for m = 100,000, rho = 0.3."""
    return largest_share(theorem2, 100_000, 0.3)


def largest_share(theorem: Callable[..., float], m: int, rho: float) -> float:
    """Return the (1 - delta)-quantile, over samples, of the largest quotient of a risk and the bound of a theorem."""
    most = [
        max(risk / theorem(loss, R, rho, 2, m, DELTA) for risk, loss, R in here)
        for here in terms_of_the_theorems(m, rho)
    ]
    return float(np.quantile(most, 1.0 - DELTA))


def rate(bound: str) -> float:
    """Return with what power of m the terms without f fall, plus 1/2 for theorem 1 and 1 for theorem 2.

    It is that of the terms divided by log m, from m = 10^6 to 10^12, p = 10 and rho = 1/2; 0 where they fall faster.
    """
    of, power = {"theorem 1": (theorem1, 0.5), "theorem 2": (theorem2, 1.0)}[bound]
    first, last = (of(0.0, 0.0, 0.5, 10, m, DELTA) / log(m) for m in (10**6, 10**12))
    return max(0.0, log(last / first) / log(1e6) + power)


def of_the_proof(factor: float) -> float:
    """Return the largest quotient of what (4) gives and the terms of theorem 2 without f.

    (4) of appendix A is ``(1 + K/(K-1)) exp(-n rho^2 / 8) + 5 K log(2 p^(2n - 1) / delta) / m`` at the n of the
    theorem; `factor` multiplies the term of theorem 2 that has this n.
    """
    quotients = []
    for m in (10**4, 10**5, 10**6):
        for K in (1.5, 2.0, 4.0):
            for rho, p in ((0.5, 10), (1.0, 100)):
                argument = rho**2 * (1.0 + K / (K - 1.0)) * m / (40.0 * K * log(p))
                n = ceil(8.0 / rho**2 * log(argument))
                tail = (1.0 + K / (K - 1.0)) * np.exp(-n * rho**2 / 8.0)
                needed = tail + 5.0 * K * (log(2.0 / DELTA) + (2 * n - 1) * log(p)) / m
                more = (factor - 1.0) * 5.0 * K * n * log(p) / m
                quotients.append(needed / (theorem2(0.0, 0.0, rho, p, m, DELTA, K) + more))
    return float(max(quotients))


as_printed, with_twice_n = partial(of_the_proof, 1.0), partial(of_the_proof, 2.0)


# Section 5.3: lemmas 3 and 4


@lru_cache
def classes() -> list[tuple[GramStack, Array]]:
    """Return stacks on 60 examples, and the empirical complexities of their classes with all examples as centres x'.

    Real examples have polynomial and Gaussian kernels; 360 points of the circle have the linear kernel.
    """
    (X,) = SCALINGS["unit"](load("ionosphere").X)
    angle = np.linspace(0.0, 2.0 * np.pi, 360, endpoint=False)
    cases = (
        (make_family("polynomial", degrees=[1, 2, 3, 5]), X),
        (make_family("gaussian", gammas=[0.1, 1.0, 10.0]), X),
        (make_family("linear"), np.column_stack([np.cos(angle), np.sin(angle)])),
    )
    rng, found = np.random.default_rng(0), []
    for family, Z in cases:
        some = rng.permutation(len(Z))[:60]
        signs = rng.choice([-1.0, 1.0], (SIGNS, 60))
        to_all = GramStack(family, Z[some], Z)
        means = [np.abs(signs @ to_all.matrix(k)).max(axis=1).mean() / 60.0 for k in range(len(to_all))]
        found.append((GramStack.train(family, Z[some]), np.array(means)))
    return found


def lemma_3() -> float:
    """Return the largest quotient of an empirical complexity and the bound."""
    return max(float((R / COMPLEXITIES["lemma3"](stack)).max()) for stack, R in classes())


def lemma_4() -> float:
    """Return the same for the polynomial kernels and the bound with all its constants."""
    return max(float((R / lemma_4_bound(stack)).max()) for stack, R in classes() if stack.family.name != "gaussian")


def lemma_4_bound(stack: GramStack) -> Array:
    """Return ``12 kappa_k^2 sqrt(pi d_k / m)``."""
    return 12.0 * sqrt(pi) * COMPLEXITIES["lemma4_m"](stack)


def lemmas() -> float:
    """Return the largest quotient of the bounds of lemma 3 and of lemma 4."""
    return max(
        float((COMPLEXITIES["lemma3"](stack) / lemma_4_bound(stack)).max())
        for stack, _ in classes()
        if stack.family.name != "gaussian"
    )


def dimensions() -> float:
    """Return the largest quotient of a member of (3) and the next, for N up to 30 and degrees up to 10."""
    quotients = []
    for N in (1, 2, 5, 30):
        for k in range(1, 11):
            members = [comb(N + k, k), (N + k) ** k / np.prod(np.arange(1.0, k + 1.0)), ((N + k) * e / k) ** k]
            quotients += [a / b for a, b in zip(members, members[1:], strict=False)]
    return float(max(quotients))


def ranks() -> float:
    """Return how far the rank of a polynomial kernel is from d_k at most: the number of its features."""
    off = []
    for N, degrees in ((1, [1, 2, 4]), (2, [1, 2, 3]), (4, [1, 2])):
        X = np.random.default_rng(N).uniform(-1.0, 1.0, (40, N))
        stack = GramStack.train(make_family("polynomial", degrees=degrees), X)
        found = [np.linalg.matrix_rank(stack.matrix(k), tol=1e-10) for k in range(len(stack))]
        off.append(float(np.abs(np.array(found) - feature_dimensions(stack)).max()))
    return max(off)


# Section 5.3: local complexities


def local_upper() -> float:
    """Return the largest quotient of an empirical local complexity of the ball and `algo.complexity=local`."""
    quotients = []
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (400, 60))
    for stack, _ in classes():
        for k in range(len(stack)):
            values, vectors = np.linalg.eigh(stack.matrix(k) / 60.0)
            kept = values > 1e-12 * values[-1]
            b = np.sqrt(values[kept]) * (signs @ vectors[:, kept]) / sqrt(60.0)
            for s in (1e-3, 1e-2, 1e-1, 1.0):
                bound = COMPLEXITIES["local"](stack.select(k), radius=s)[0]
                quotients.append(float(suprema(b, values[kept], s).mean()) / bound)
    return max(quotients)


def spectra(scale: float) -> list[Spectrum]:
    """Return the Gaussian kernels on all real examples, uniform on them, with ``k(x, x) = scale``."""
    (X,) = SCALINGS["unit"](load("ionosphere").X)
    stack = GramStack.train(make_family("gaussian", gammas=[0.1, 1.0, 10.0]), X)
    return [table(scale * stack.matrix(k)) for k in range(3)]


def lower(scale: float, power: float) -> float:
    """Return the largest quotient of ``c / sqrt(m) (sum_j min(r, lambda_j))^power`` and the local complexity."""
    return max(
        CONSTANT / sqrt(m) * truncated(spectrum.eigenvalues, r) ** power / complexity(spectrum, m, r, 100)
        for spectrum in spectra(scale)
        for m in (25, 100)
        if spectrum.eigenvalues[0] >= 1.0 / m
        for r in (1.0 / m, scale / 5.0)
    )


lower_as_printed, lower_with_root = partial(lower, 100.0, 1.0), partial(lower, 1.0, 0.5)


def no_radius() -> float:
    """Return how far the local complexity without a radius is from sqrt(2) times lemma 3, for kernels of one size."""
    stack, _ = classes()[1]
    return float(np.abs(COMPLEXITIES["local"](stack) / COMPLEXITIES["lemma3"](stack) / sqrt(2.0) - 1.0).max())


def gaussian_eigenvalues(d: int) -> Array:
    """Return the eigenvalues of ``exp(-|x - x'|^2)`` for normal x in d dimensions, decreasing.

    In one dimension they are ``sqrt(2a / A) (1 / A)^j`` with a = 1/4, c = sqrt(a^2 + 2a), A = a + 1 + c.
    """
    a = 0.25
    A = a + 1.0 + sqrt(a * a + 2.0 * a)
    degrees = np.arange(80 if d == 1 else 60)
    each = (2.0 * a / A) ** (d / 2.0) * A ** -degrees.astype(float)
    return np.repeat(each, [comb(int(k) + d - 1, d - 1) for k in degrees])


def power_of_log(d: int) -> float:
    """Return the power of log m, beyond the first, with which m times the fixed point grows, m from 10^4 to 10^12."""
    values = gaussian_eigenvalues(d)
    scaled = []
    for m in (1e4, 1e12):
        fixed = fixed_point(partial(local_bound, values, m))
        scaled.append(fixed * m / log(m))
    return log(scaled[1] / scaled[0]) / log(log(1e12) / log(1e4))


on_the_line, in_the_plane = partial(power_of_log, 1), partial(power_of_log, 2)
