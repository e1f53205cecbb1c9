"""Chapter 3 of Shivaswamy (2010) from theorem 15 on, and its appendix, as checks: how landmarks leave the bounds."""

from collections.abc import Callable
from functools import partial
from itertools import product
from math import log, sqrt

import numpy as np
from scipy.linalg import eigh
from scipy.stats import binom

from kernlearn.papers.checks.figure import CORRECTION, ROUNDING, Check
from kernlearn.papers.rmm2010.theory.complexities import (
    DELTA,
    GAMMA,
    RADIUS,
    SHARES,
    E,
    at_confidence,
    confidence,
    examples,
    members,
    of_largest,
    of_means,
    of_norms,
    risk,
    t_0,
    t_1,
    t_2,
)
from kernlearn.types import Array


def lipschitz(D: float, R: float, X: Array, n: int, all_directions: bool) -> float:
    """Return the constant of lemma 32, for n landmarks that are averaged, as printed or for the worst of all others.

    As printed it has the largest eigenvalue of the Gram matrix, and 1/(1 - D). With the trace it holds, and then with
    the square root of 1 - D.
    """
    trace, largest = float((X**2).sum()), float(np.linalg.eigvalsh(X.T @ X)[-1])
    part = D * R * R / (n * (1.0 - D) + D * R * R)
    less = sqrt(trace) - sqrt(trace - part * (trace if all_directions else largest))
    return 2.0 * sqrt(2.0 * E) / len(X) * less / (sqrt(1.0 - D) if all_directions else 1.0 - D)


def change(value: Callable[[float, Array, Array], float], D: float, V: Array, v: Array, X: Array) -> float:
    """Return by how much T_1, or T_2, changes where the first landmark becomes another."""
    return abs(value(D, V, X) - value(D, np.vstack([v[None], V[1:]]), X))


def across() -> tuple[Array, Array]:
    """Return five examples along each axis, and ten landmarks of norm 20, the first across all others."""
    return np.repeat(np.eye(2), 5, axis=0), 20.0 * np.vstack([[0.0, 1.0], np.tile([1.0, 0.0], (9, 1))])


def lemma_32(all_directions: bool) -> float:
    """Return the largest quotient of a change of T_1 and its constant."""
    X, U = across()
    quotients = [change(t_1, 0.2, U, np.zeros(2), X) / lipschitz(0.2, 20.0, X, 10, all_directions)]
    line, alone = np.outer(np.ones(10), [1.0, 0.0]), np.outer(np.arange(10) == 0, [1.0, 0.0])
    quotients.append(change(t_1, 0.5, alone, np.zeros(2), line) / lipschitz(0.5, 1.0, line, 10, all_directions))
    for seed, D in product(range(10), SHARES):
        rng = np.random.default_rng(seed)
        X, U, u = (examples(n, rng)[0] for n in (10, 10, 1))
        quotients.append(change(t_1, D, U, u[0], X) / lipschitz(D, RADIUS, X, 10, all_directions))
    return max(quotients)


def lemma_33(averaged: bool) -> float:
    """Return the largest quotient of a change of T_2 and its constant: as printed, or for weights that are not 1/n."""
    quotients = []
    for seed, D in product(range(3), SHARES):
        X = examples(10, np.random.default_rng(seed))[0]
        V = np.vstack([RADIUS * np.linalg.eigh(X.T @ X)[1][:, -1], np.zeros((3, 2))])
        constant = lipschitz(D, RADIUS, X, 10, False) if averaged else lipschitz(D, RADIUS, X, 1, True)
        quotients.append(change(t_2, D, V, np.zeros(2), X) / constant)
    return max(quotients)


def theorem_15() -> float:
    """Return the quotient of T_1 and its mean over landmarks with what (3.7) adds, corrected, for one sample."""
    worst = []
    for D in SHARES:
        rng = np.random.default_rng(0)
        X = examples(100, rng)[0]
        values = np.array([t_1(D, examples(100, rng)[0], X) for _ in range(400)])
        slack = lipschitz(D, RADIUS, X, 100, True) * sqrt(100 * log(1.0 / DELTA) / 2.0)
        worst.append(at_confidence(values / (values.mean() + slack)))
    return max(worst)


def second_of_15() -> float:
    """Return the quotient of T_2 and the mean of T_1 over landmarks, without what is added."""
    worst = []
    for D in (0.5, 0.999):
        rng = np.random.default_rng(0)
        X = examples(100, rng)[0]
        drawn = [examples(10, rng)[0] for _ in range(40)]
        mean = np.mean([t_1(D, V, X) for V in drawn])
        worst.append(at_confidence(np.array([t_2(D, V, X) for V in drawn]) / mean))
    return max(worst)


def with_its_own_mean(averaged: bool) -> float:
    """Return the quotient of T_2 and its mean over 20 landmarks with McDiarmid's slack by lemma 33, exactly.

    x is (1, 0) or 0, so rarely the former that all landmarks are 0 with probability 2 delta. Of `averaged` see
    `lemma_33`.
    """
    D, n, m = 0.5, 400, 20
    X = np.outer(np.arange(n) < n * (1.0 - (2.0 * DELTA) ** (1.0 / m)), [1.0, 0.0])
    without, with_one = t_2(D, np.zeros((m, 2)), X), t_2(D, np.eye(2)[[0]], X)
    mean = 2.0 * DELTA * without + (1.0 - 2.0 * DELTA) * with_one
    constant = lipschitz(D, 1.0, X, n, False) if averaged else lipschitz(D, 1.0, X, 1, True)
    slack = constant * sqrt(m * log(1.0 / DELTA) / 2.0)
    values, weights = np.array([without, with_one]), np.array([2.0 * DELTA, 1.0 - 2.0 * DELTA])
    return at_confidence(values / (mean + slack), DELTA, weights)


def kappa(factor: float) -> float:
    """Return the quotient of the largest ``(1 - D)/2 |w|^2 + D/2 (w.x)^2`` and kappa, or a multiple of it."""
    quotients = []
    for D in SHARES:
        w = np.array([sqrt(2.0 * E / (1.0 - D)), 0.0])
        largest = 0.5 * (1.0 - D) * float(w @ w) + 0.5 * D * float(w @ [RADIUS, 0.0]) ** 2
        quotients.append(largest / (factor * (E / 2.0 + D * E * RADIUS**2 / (2.0 * (1.0 - D)))))
    return max(quotients)


def theorem_16() -> float:
    """Return the quotient of the B with which G of the examples is in G of the landmarks, and that of its proof.

    E is 1e-9, as the first does not depend on it; both are divided by it.
    """
    n, worst = 200, []
    for D in SHARES:
        rng = np.random.default_rng(0)
        scale = 1.0 + D * RADIUS**2 / (1.0 - D)  # of kappa by E, without its factor 1/2
        more = 0.5 * scale * (4.0 * RADIUS * sqrt(2e-9 / (n * (1.0 - D))) + 2.0 * confidence(n, 2.0))
        needed = []
        for _ in range(300):
            M, N = ((1.0 - D) * np.eye(2) + D / n * Z.T @ Z for Z in (examples(n, rng)[0], examples(n, rng)[0]))
            needed.append(float(eigh(N, M, eigvals_only=True)[-1]))
        worst.append(at_confidence(np.array(needed) / (1.0 + more), 2.0 * DELTA))
    return max(worst)


def number_of_landmarks(n: float, delta: float, D: float = 0.5, R: float = 1.0, E: float = 0.0) -> tuple[float, float]:
    """Return the n_v that solves (3.12) = 1/n_v, and the simpler one that is above it (section A.3)."""
    c, b = 4.0 * R * sqrt(2.0 * E / (1.0 - D)), 1.5 * sqrt(log(2.0 / delta) / 2.0)
    return (b + sqrt(b * b + (c + 2.0 * b) / sqrt(n))) ** -2, sqrt(n) / (c + 2.0 * b)


def solved() -> float:
    """Return how far (3.12) is from 1/n_v at the n_v of section A.3, relatively, or how far it is above the simpler."""
    off = []
    for n, delta, size in product((10.0, 1e3, 1e6), (0.01, 0.1, 0.5), (0.01, 1.0)):
        exact, above = number_of_landmarks(n, delta, E=size)
        right = 4.0 * sqrt(2.0 * size / (0.5 * n)) + 3.0 * sqrt(log(2.0 / delta) / 2.0) * (n**-0.5 + exact**-0.5)
        off += [abs(right * exact - 1.0), exact / above - 1.0]
    return max(off)


def fewest() -> float:
    """Return 1 divided by the largest n_v of section A.3: below 1 there is a landmark."""
    return 1.0 / max(number_of_landmarks(n, delta)[0] for n, delta in product((1e3, 1e9, 1e15), (0.05, 0.5, 0.99)))


def theorem_17() -> float:
    """Return how often, by 2 delta, H of examples is not in H of landmarks, as many as the simpler n_v, on a circle.

    E is 0 in that n_v, as H of the one is in H of the other for every E or none. A landmark v is outside of it if
    ``w = v`` has a larger product with v than with all examples.
    """
    n, rng, D, outside = 400, np.random.default_rng(0), 0.5, 0
    m = int(number_of_landmarks(n, DELTA, D)[1])
    for _ in range(50):
        X, V = (np.column_stack([np.cos(a), np.sin(a)]) for a in (2.0 * np.pi * rng.random(k) for k in (n, m)))
        spread, allowed = ((1.0 - D + D * (V @ Z.T) ** 2).max(axis=1) for Z in (V, X))
        outside += bool((spread > allowed).any())
    return outside / 50 / (2.0 * DELTA)


def wider() -> float:
    """Return the quotient of the E that H of landmarks needs to have H of the examples in it, and kappa, twice."""
    quotients = []
    for seed, D in product(range(3), SHARES):
        rng = np.random.default_rng(seed)
        W = members(of_largest(D, examples(20, rng)[0]))
        spread = 0.5 * ((1.0 - D) * (W**2).sum(axis=1) + D * ((W @ examples(500, rng)[0].T) ** 2).max(axis=1))
        quotients.append(float(spread.max()) / (E + D * E * RADIUS**2 / (1.0 - D)))
    return max(quotients)


def risks(squares: Callable[[Array], Array], bound: Callable[[Array], float], events: float, repeats: int) -> float:
    """Return the quotient of the risk and (3.13), (3.14) or (3.15), over all of a class at once."""
    n, rng, worst = 2000, np.random.default_rng(0), []
    for _ in range(repeats):
        X, y = examples(n, rng)
        W = members(squares(X))
        slacks = np.maximum(0.0, GAMMA - y[:, None] * (X @ W.T)).mean(axis=0)
        terms = slacks / GAMMA + confidence(n, events) + 2.0 / GAMMA * bound(X)
        worst.append(float((risk(W) / terms).max()))
    return at_confidence(np.array(worst))


def mean_over_landmarks(
    value: Callable[[float, Array, Array], float], D: float, m: int, count: int
) -> Callable[[Array], float]:
    """Return a function of the examples: the mean of T_1 or T_2 over landmarks, m of them."""
    rng = np.random.default_rng(1)
    drawn = [examples(m, rng)[0] for _ in range(count)]
    return lambda X: float(np.mean([value(D, V, X) for V in drawn]))


def line_13() -> float:
    """Return the quotient of (3.13)."""
    return risks(lambda X: of_norms(), t_0, 2.0, 40)


def line_14() -> float:
    """Return the largest quotient of (3.14) over D, with the number of landmarks of section A.3."""
    m = int(number_of_landmarks(2000, DELTA, 0.9, RADIUS, E)[1])
    return max(risks(partial(of_largest, D), mean_over_landmarks(t_2, D, max(m, 1), 5), 8.0, 20) for D in (0.5, 0.9))


def line_15() -> float:
    """Return the largest quotient of (3.15) over D, with B = E and without what is O(.)."""
    return max(risks(partial(of_means, D), mean_over_landmarks(t_1, D, 2000, 10), 8.0, 20) for D in (0.5, 0.9, 0.999))


def mcdiarmid() -> float:
    """Return the largest quotient of a probability, of the mean of n variables in [0, 1] above its own, and (A.1)."""
    quotients = []
    for n, p in product((5, 20, 100), (0.05, 0.3, 0.5, 0.9)):
        k = np.arange(n + 1)
        above = k / n - p
        some = above > 0
        quotients.append(float((binom.sf(k[some] - 1, n, p) / np.exp(-2.0 * n * above[some] ** 2)).max()))
    return max(quotients)


CHECKS = {
    "theorem 15 a": Check(
        "T_1 is at most its mean over landmarks and the slack of lemma 32, corrected", theorem_15, 1.0, CORRECTION
    ),
    "theorem 15 b": Check("as printed, T_2 is at most the mean of T_1", second_of_15, 1.0),
    "theorem 15 c": Check(
        "T_2 is at most its own mean, which (3.14) has, and the slack of lemma 33, corrected",
        lambda: with_its_own_mean(False),
        1.0,
        CORRECTION,
    ),
    "theorem 15 d": Check(
        "as proved, T_2 is at most its own mean and the slack of lemma 33 as printed",
        lambda: with_its_own_mean(True),
        1.0,
    ),
    "theorem 16 a": Check(
        "G of the examples is in G of the landmarks with B of E and the epsilon of the proof",
        theorem_16,
        1.0,
        number="B that it takes {} of that of the proof",
    ),
    "theorem 16 b": Check("twice kappa bounds what kappa is to bound", lambda: kappa(2.0), 1.0 + ROUNDING, CORRECTION),
    "theorem 16 c": Check("as printed, kappa bounds it", lambda: kappa(1.0), 1.0),
    "theorem 17 a": Check(
        "H of the examples is in H of any landmarks with the E of twice kappa",
        wider,
        1.0,
        CORRECTION,
        number="E that it takes {} of this",
    ),
    "theorem 17 b": Check(
        "as printed, H of the examples is in H of landmarks with the same E, here with the simpler n_v of A.3",
        theorem_17,
        1.0,
        number="share of failures {} times 2 delta",
    ),
    "theorem 17 c": Check(
        "as printed, the n_v of the proof is at least 1", fewest, 1.0, number="1 divided by it is {}"
    ),
    "theorem 18 a": Check("(3.13) holds for all of F at once", line_13, 1.0),
    "theorem 18 b": Check("(3.14) holds for all of H at once, without its O(.)", line_14, 1.0),
    "theorem 18 c": Check("(3.15) holds for all of G at once, with B = E and without its O(.)", line_15, 1.0),
    "(A.1)": Check("McDiarmid's inequality holds exactly for means of indicators", mcdiarmid, 1.0),
    "lemma 32 a": Check(
        "one landmark changes T_1 by at most the constant, with tr(K) for mu_max",
        lambda: lemma_32(True),
        1.0 + ROUNDING,
        CORRECTION,
    ),
    "lemma 32 b": Check("as printed, one landmark changes T_1 by at most the constant", lambda: lemma_32(False), 1.0),
    "lemma 33 a": Check(
        "one landmark changes T_2 by at most the constant with 1 for n, and tr(K) for mu_max",
        lambda: lemma_33(False),
        1.0 + ROUNDING,
        CORRECTION,
    ),
    "lemma 33 b": Check("as printed, one landmark changes T_2 by at most the constant", lambda: lemma_33(True), 1.0),
    "section A.3": Check("the n_v solves (3.12) = 1/n_v, and is below the simpler one", solved, ROUNDING),
}
