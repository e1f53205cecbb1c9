"""Chapter 3 of Shivaswamy (2010), theorems 9 to 14, as checks: Rademacher complexities and what they bound.

Classes of functions ``w.x`` of two variables are tried at directions w, each as long as the class lets it be.
"""

from collections.abc import Callable, Iterator
from itertools import product
from math import log, sqrt

import numpy as np
from scipy.stats import binom

from kernlearn.papers.checks.figure import CORRECTION, Check
from kernlearn.solvers import solve_design
from kernlearn.types import Array

DELTA = 0.05
#: Unless it is said otherwise, ``1/2 |w|^2 <= E``; and the margin that slacks are measured by.
E, GAMMA = 0.5, 0.25
SHARES = (0.1, 0.5, 0.9, 0.999)
#: Directions of w, shape (720, 2).
DIRECTIONS: Array = np.column_stack([f(np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)) for f in (np.cos, np.sin)])
#: An example is ``x = y MEAN + HALF_AXES * u`` with u uniform in the unit disc, so that its norm is at most RADIUS.
MEAN, HALF_AXES = np.array([0.5, 0.2]), np.array([0.5, 1.0])
RADIUS = float(np.linalg.norm(MEAN)) + 1.0


def at_confidence(quotients: Array, delta: float = DELTA, weights: Array | None = None) -> float:
    """Return the least number that at least 1 - delta of some quotients do not exceed.

    It is at most 1 just where a bound fails with a probability of at most delta.
    """
    order = np.argsort(quotients)
    share = np.cumsum(np.full(len(order), 1.0 / len(order)) if weights is None else weights[order])
    return float(quotients[order][np.searchsorted(share, (1.0 - delta) * share[-1] * (1.0 - 1e-12))])


def examples(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return n examples, shape (n, 2), and labels +-1, both as likely."""
    y = rng.choice([1.0, -1.0], n)
    radius, angle = np.sqrt(rng.random(n)), 2.0 * np.pi * rng.random(n)
    disc = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    return y[:, None] * MEAN + HALF_AXES * disc, y


def risk(W: Array) -> Array:
    """Return the probability of ``y w.x <= 0`` for every row w of W; a coordinate in a disc has a semicircle."""
    t = np.clip(-(W @ MEAN) / np.linalg.norm(W * HALF_AXES, axis=1), -1.0, 1.0)
    share: Array = 0.5 + (t * np.sqrt(1.0 - t * t) + np.arcsin(t)) / np.pi
    return share


def of_norms() -> Array:
    """Return ``|w|^2`` for every direction: at most 2E in F."""
    return np.ones(len(DIRECTIONS))


def of_means(D: float, U: Array) -> Array:
    """Return ``(1 - D) |w|^2 + D/n sum_j (w.u_j)^2`` for every direction: at most 2B in G."""
    mean: Array = 1.0 - D + D * ((DIRECTIONS @ U.T) ** 2).mean(axis=1)
    return mean


def of_largest(D: float, V: Array) -> Array:
    """Return ``(1 - D) |w|^2 + D max_j (w.v_j)^2`` for every direction: at most 2E in H."""
    largest: Array = 1.0 - D + D * ((DIRECTIONS @ V.T) ** 2).max(axis=1)
    return largest


def members(squares: Array) -> Array:
    """Return the longest member of a class in every direction, shape (720, 2), by what it bounds."""
    longest: Array = np.sqrt(2.0 * E / squares)[:, None] * DIRECTIONS
    return longest


def complexity(W: Array, X: Array, signs: Array) -> float:
    """Return definition 8, the mean of ``max_w |2/n sum_i sigma_i w.x_i|`` over some signs, shape (m, n)."""
    return float(2.0 / len(X) * np.abs(signs @ X @ W.T).max(axis=1).mean())


def all_signs(n: int) -> Array:
    """Return half of all vectors of signs, as the others are their negatives."""
    return np.array(list(product([1.0], *[[1.0, -1.0]] * (n - 1))))


def t_0(X: Array) -> float:
    """Return T_0 of theorem 9."""
    return 2.0 * sqrt(2.0 * E) / len(X) * sqrt(float((X**2).sum()))


def t_1(D: float, U: Array, X: Array) -> float:
    """Return T_1 of theorem 11."""
    M = (1.0 - D) * np.eye(X.shape[1]) + D / len(U) * U.T @ U
    return 2.0 * sqrt(2.0 * E) / len(X) * sqrt(float(np.vdot(X, np.linalg.solve(M, X.T).T)))


def t_2(D: float, V: Array, X: Array) -> float:
    """Return T_2 of theorem 10: the sum of the multipliers is minimised in closed form."""
    return 2.0 * sqrt(2.0 * E) / len(X) * sqrt(solve_design(X, V, D).objective)


def samples() -> Iterator[tuple[float, Array, Array]]:
    """Yield a D, landmarks and examples."""
    for seed, D in product(range(3), SHARES):
        rng = np.random.default_rng(seed)
        yield D, examples(8, rng)[0], examples(12, rng)[0]


def complexities(squares: Callable[[float, Array], Array], bound: Callable[[float, Array, Array], float]) -> float:
    """Return the largest quotient of the complexity of a class, over all signs, and its bound."""
    signs = all_signs(12)
    return max(complexity(members(squares(D, V)), X, signs) / bound(D, V, X) for D, V, X in samples())


def theorem_9() -> float:
    """Return the quotient for F."""
    return complexities(lambda D, V: of_norms(), lambda D, V, X: t_0(X))


def theorem_10() -> float:
    """Return the quotient for H."""
    return complexities(of_largest, t_2)


def theorem_11() -> float:
    """Return the quotient for G."""
    return complexities(of_means, t_1)


def lemma_12(length: float) -> float:
    """Return the quotient of ``R - Rhat``, and of ``Rhat - R``, and its bound, for ``{wx : |w| <= length}``, exactly.

    x is 0 or 1, both as likely; so Rhat follows from how many are 1.
    """
    n, slack = 100, 2.0 * sqrt(log(2.0 / DELTA) / 200.0)
    k = np.arange(n + 1)
    walk = np.array([float(binom.pmf(k, m, 0.5) @ np.abs(2.0 * k - m)) for m in k])
    of_sample, weights = 2.0 * length / n * walk, binom.pmf(k, n, 0.5)
    off = (weights @ of_sample - of_sample) / slack
    return max(at_confidence(off, DELTA, weights), at_confidence(-off, DELTA, weights))


def theorem_13(sign: float) -> float:
    """Return the quotient of ``E f - Ehat f``, or its negative, and its bound, for all indicators of ``z <= t``."""
    n, rng = 200, np.random.default_rng(0)
    walks = np.abs(np.cumsum(rng.choice([1.0, -1.0], (2000, n)), axis=1)).max(axis=1)
    bound = 2.0 / n * float(walks.mean()) + confidence(n, 2.0)
    z = np.sort(rng.random((2000, n)), axis=1)
    steps = np.arange(n) / n
    apart = (z - steps).max(axis=1) if sign > 0 else (steps + 1.0 / n - z).max(axis=1)
    return at_confidence(apart / bound)


def confidence(n: int, events: float) -> float:
    """Return ``3 sqrt(ln(events/delta) / (2n))``."""
    return 3.0 * sqrt(log(events / DELTA) / (2.0 * n))


def theorem_14(slack_of: float, gamma: float, length: float) -> float:
    """Return the quotient of the risk and (3.6), with ``max(0, slack_of - y g(x))``, over all g of F, |w| <= length."""
    n, rng = 1000, np.random.default_rng(0)
    W = length * np.vstack([DIRECTIONS, 0.3 * DIRECTIONS])
    errors, signs, worst = risk(W), rng.choice([1.0, -1.0], (100, n)), []
    for _ in range(60):
        X, y = examples(n, rng)
        slacks = np.maximum(0.0, slack_of - y[:, None] * (X @ W.T)).mean(axis=0)
        bound = slacks / gamma + 2.0 / gamma * complexity(W, X, signs) + confidence(n, 2.0)
        worst.append(float((errors / bound).max()))
    return at_confidence(np.array(worst))


CHECKS = {
    "theorem 9": Check("the complexity of F, over all signs, is at most its bound by T_0", theorem_9, 1.0),
    "theorem 10": Check("the complexity of H, over all signs, is at most its bound by T_2", theorem_10, 1.0),
    "theorem 11": Check("the complexity of G, over all signs, is at most its bound by T_1", theorem_11, 1.0),
    "lemma 12 a": Check(
        "R is as near Rhat as the bound says for functions whose values are in an interval of length 1",
        lambda: lemma_12(1.0),
        1.0,
        CORRECTION,
    ),
    "lemma 12 b": Check(
        "as printed, R is as near Rhat for any functions, here with values up to 100", lambda: lemma_12(100.0), 1.0
    ),
    "theorem 13 a": Check("(3.4) holds for all indicators of intervals at once", lambda: theorem_13(1.0), 1.0),
    "theorem 13 b": Check("(3.5) holds for all indicators of intervals at once", lambda: theorem_13(-1.0), 1.0),
    "theorem 14 a": Check(
        "with slacks of gamma, (3.6) holds for all of F at once", lambda: theorem_14(GAMMA, GAMMA, 1.0), 1.0, CORRECTION
    ),
    "theorem 14 b": Check(
        "as printed, (3.6) holds with slacks of 1, here for gamma = 10", lambda: theorem_14(1.0, 10.0, 0.01), 1.0
    ),
}
