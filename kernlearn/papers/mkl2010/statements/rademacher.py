"""Checks of section 2.4 and appendix A.2 of Rostamizadeh (2010): the Rademacher complexity of combined kernels.

Expectations over signs are exact, over all of them, where not said otherwise.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import comb, inf, log, prod, sqrt

import numpy as np

from kernlearn.evaluation.losses import ramp
from kernlearn.evaluation.risk_bounds.kernel_learning import (
    ETA_0,
    confidence,
    l1_complexity,
    lq_complexity,
    trace_complexity,
)
from kernlearn.kernels import DenseStack, GramStack, make_family
from kernlearn.papers.checks.figure import CORRECTION, ROUNDING, Check
from kernlearn.types import Array

#: Examples of which all signs are enumerated.
M = 10
SIGNS = np.array(list(product((-1.0, 1.0), repeat=M)))
#: Conjugates r of the norm q of the weights.
CONJUGATES = (1, 2, 3, 4)
#: Of the margin bounds: the probability that they fail, the margin, examples, kernels, draws.
DELTA, RHO, EXAMPLES, KERNELS, DRAWS = 0.05, 1.0, 100, 20, 1000


@cache
def stacks() -> tuple[Array, ...]:
    """Return kernel matrices of shape (p, M, M) with ones in the diagonals: Gaussian ones, and of sign vectors."""
    rng = np.random.default_rng(0)
    found = []
    for p in (2, 8, 64, 512):
        family = make_family("gaussian", gammas=np.geomspace(0.01, 10.0, p).tolist())
        found.append(DenseStack.of(GramStack.train(family, rng.normal(size=(M, 3)))).K)
        X = rng.choice((-1.0, 1.0), (p, M))
        found.append(X[:, :, None] * X[:, None, :])
    return tuple(found)


def forms(K: Array, signs: Array) -> Array:
    """Return ``sigma' K_k sigma`` for all signs and kernels, shape (signs, p)."""
    return np.maximum(np.einsum("si,kij,sj->sk", signs, K, signs, optimize=True), 0.0)


def complexity(K: Array, r: float) -> float:
    """Return the empirical Rademacher complexity of H_p^q by proposition 2.5, with ``1/q + 1/r = 1``."""
    return float(np.sqrt(np.linalg.norm(forms(K, SIGNS), r, axis=1)).mean()) / M


def as_a_supremum() -> float:
    """Return how far proposition 2.5 is from the supremum over a grid of weights of two kernels, relatively."""
    apart = []
    share = np.linspace(0.0, 1.0, 8001)
    for K in stacks()[:2]:
        values, vectors = np.linalg.eigh(K)
        sums = np.einsum("si,kij->skj", SIGNS[::16], vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :])
        for q, r in ((1.0, inf), (4 / 3, 4.0), (2.0, 2.0)):
            mu = np.column_stack([share, 1.0 - share]) ** (1.0 / q)
            largest = np.sqrt((sums**2).sum(axis=2) @ mu.T).max(axis=1)  # w along the sum of the signed features
            stated = np.sqrt(np.linalg.norm(forms(K, SIGNS[::16]), r, axis=1))
            apart.append(abs(float(largest.mean() / stated.mean()) - 1.0))
    return max(apart)


def moments() -> float:
    """Return the largest quotient of ``E (sigma' K sigma)^r`` and its bound."""
    return max(
        float((np.mean(forms(K[:8], SIGNS) ** r, axis=0) / (ETA_0 * r * M) ** r).max())
        for K in stacks()
        for r in range(1, 7)
    )


def partitions(r: int, largest: int | None = None) -> Iterator[list[int]]:
    """Yield the ways to write r as a sum of positive numbers, the largest first."""
    if r == 0:
        yield []
    for first in range(min(r, largest or r), 0, -1):
        yield from ([first, *rest] for rest in partitions(r - first, first))


def multinomial(t: list[int]) -> int:
    """Return ``(sum t)! / prod t!``."""
    return prod(comb(sum(t[: i + 1]), t[i]) for i in range(len(t)))


def multinomials(power: bool, most: int) -> float:
    """Return the largest quotient of the sides of lemma A.2 for r up to some number, with ``r^r`` or without."""
    return max(
        multinomial([2 * one for one in t]) / ((ETA_0 * (r if power else 1)) ** r * multinomial(t))
        for r in range(1, most + 1)
        for t in partitions(r)
    )


def sums_of_weights() -> float:
    """Return the largest quotient of the complexity for q = 1 and theorem 2.5, over r."""
    return max(
        2.0 * complexity(K, inf) / trace_complexity(np.trace(K, axis1=1, axis2=2), M, 1.0, r)
        for K in stacks()
        for r in range(1, 9)
    )


def logarithm() -> float:
    """Return the largest quotient of the complexity for q = 1 and theorem 2.6."""
    return max(2.0 * complexity(K, inf) / float(l1_complexity(M, len(K), 1.0)) for K in stacks())


def norms_of_weights() -> float:
    """Return the largest quotient of the complexity for q > 1 and theorem 2.7."""
    return max(
        2.0 * complexity(K, r) / trace_complexity(np.trace(K, axis1=1, axis2=2), M, 1.0, r)
        for K in stacks()
        for r in CONJUGATES
    )


def roots() -> float:
    """Return the largest quotient of the complexity for q > 1 and theorem 2.8."""
    return max(2.0 * complexity(K, r) / float(lq_complexity(M, len(K), 1.0, r)) for K in stacks() for r in CONJUGATES)


def linear_functions() -> float:
    """Return the largest quotient of the complexity of linear functions of q-norm 1 and theorem 2.9, for even r."""
    rng, quotients = np.random.default_rng(0), []
    for X in (rng.normal(size=(M, 3)), rng.choice((-1.0, 1.0), (M, 40)), np.eye(M)):
        for r in (2, 4, 6):
            sums, size = SIGNS @ X, float(np.linalg.norm(X, r, axis=1).max())
            w = np.sign(sums) * np.abs(sums) ** (r - 1)
            w /= np.linalg.norm(w, r / (r - 1), axis=1, keepdims=True)
            quotients.append(float((w * sums).sum(axis=1).mean()) / M / (size * sqrt(ETA_0 * r / (2 * M))))
    return max(quotients)


def margin_bound(q: float, of_traces: bool) -> float:
    """Return the quotient of R - Rhat_rho and its bound that a share delta of the draws exceeds.

    Examples are sign vectors with a kernel for every entry. Labels are tossed, so that R is 1/2, and h is the function
    of H_p^q that follows the labels most, the one of proposition 2.5.
    """
    rng, quotients, r = np.random.default_rng(0), [], inf if q == 1 else q / (q - 1)
    for _ in range(DRAWS):
        X = rng.choice((-1.0, 1.0), (EXAMPLES, KERNELS))
        y = rng.choice((-1.0, 1.0), EXAMPLES)
        u = (y @ X) ** 2
        mu = (u == u.max()) / (u == u.max()).sum() if q == 1 else (u / np.linalg.norm(u, r)) ** (r / q)
        f = X @ (mu * (y @ X)) / sqrt(float(mu @ u))
        traces = np.full(KERNELS, float(EXAMPLES))
        term = (
            trace_complexity(traces, EXAMPLES, RHO, 3 if q == 1 else 2)
            if of_traces
            else float(l1_complexity(EXAMPLES, KERNELS, RHO) if q == 1 else lq_complexity(EXAMPLES, KERNELS, RHO))
        )
        gap = 0.5 - float(ramp(y * f / RHO).mean())
        quotients.append(gap / (term + float(confidence(EXAMPLES, DELTA))))
    return float(np.quantile(quotients, 1.0 - DELTA))


def at_least_the_logarithm() -> float:
    """Return the largest quotient of ``sqrt(log p / m)`` and the complexity of p sign vectors, of 2,000 drawn signs."""
    rng, m = np.random.default_rng(0), 200
    signs, quotients = rng.choice((-1.0, 1.0), (2000, m)), []
    for p in 2 ** np.arange(1, 11):
        X = rng.choice((-1.0, 1.0), (m, p))
        quotients.append(sqrt(log(p) / m) / float(np.abs(signs @ X).max(axis=1).mean() / m))
    return max(quotients)


def shattered() -> float:
    """Return how many labellings of ``1 + log2 p`` points no function of J^p has, for p up to 128."""
    missing = 0
    for d in range(1, 9):
        patterns = np.array(list(product((-1, 1), repeat=d)))
        columns = patterns[patterns[:, 0] > 0].T  # p = 2^(d-1) canonical projections on d points
        there = {tuple(s * column) for column in columns.T for s in (1, -1)}
        missing += len(patterns) - len(there)
    return float(missing)


def equal_kernels() -> float:
    """Return how far the complexity of p equal kernels is from ``p^(1/(2r))`` times that of one, relatively."""
    K = stacks()[0][:1]
    return max(
        abs(complexity(np.repeat(K, p, axis=0), r) / (p ** (1 / (2 * r)) * complexity(K, r)) - 1.0)
        for p in (2, 10, 100)
        for r in CONJUGATES
    )


CHECKS = {
    "proposition 2.5": Check(
        "the complexity is E sqrt(||u_sigma||_r) / m, as a grid of weights confirms", as_a_supremum, 1e-6
    ),
    "lemma 2.1": Check("E (sigma' K sigma)^r <= (eta0 r Tr K)^r", moments, 1.0),
    "theorem 2.5": Check(
        "the complexity of convex combinations is at most its bound by the traces for any r", sums_of_weights, 1.0
    ),
    "theorem 2.6": Check("the complexity of convex combinations is at most its bound by log p", logarithm, 1.0),
    "sqrt(log p)": Check("sqrt(log p / m) is at most the complexity of p projections", at_least_the_logarithm, 1.0),
    "sqrt(log p) by dimension": Check(
        "the VC dimension of J^p is at least 1 + log2 p", shattered, 0.0, number="labellings that are missing {}"
    ),
    "corollary 2.1": Check(
        "R - Rhat_rho is at most its bound for the function of H_p^1 that follows tossed labels most",
        lambda: margin_bound(1.0, False),
        1.0,
    ),
    "corollary 2.1 in traces": Check(
        "R - Rhat_rho of this function is at most its bound by the traces for r = 3",
        lambda: margin_bound(1.0, True),
        1.0,
    ),
    "theorem 2.7": Check(
        "the complexity for weights of bounded q-norm is at most its bound by the traces", norms_of_weights, 1.0
    ),
    "theorem 2.8": Check("the complexity for weights of bounded q-norm is at most its bound by p^(1/r)", roots, 1.0),
    "corollary 2.2": Check(
        "R - Rhat_rho is at most its bound for the function of H_p^2 that follows tossed labels most",
        lambda: margin_bound(2.0, False),
        1.0,
    ),
    "corollary 2.2 in traces": Check(
        "R - Rhat_rho of this function is at most its bound by the traces for r = 2",
        lambda: margin_bound(2.0, True),
        1.0,
    ),
    "p^(1/(2r))": Check("p equal kernels have p^(1/(2r)) times the complexity of one", equal_kernels, ROUNDING),
    "theorem 2.9": Check(
        "the complexity of linear functions of bounded q-norm is at most its bound for even r", linear_functions, 1.0
    ),
    "theorem 2.9 beside Kakade": Check(
        "eta0 r / 2 <= r - 1 for even r > 2", lambda: max(ETA_0 * r / (2 * (r - 1)) for r in range(4, 100, 2)), 1.0
    ),
    "lemma A.2": Check("as printed, (2r; 2t) <= eta0^r (r; t) holds without r^r", lambda: multinomials(False, 3), 1.0),
    "lemma A.2 with r^r": Check("(2r; 2t) <= (eta0 r)^r (r; t)", lambda: multinomials(True, 12), 1.0, CORRECTION),
}
