"""Chapter 6 of Shivaswamy (2010) as checks: Hoeffding's and Bernstein's bounds, and boosting that uses the latter.

The bounds of one mean are those of indicators of probability p, so that the probability of a failure is known exactly.
"""

from collections.abc import Callable, Iterator
from itertools import product
from math import e, log, sqrt

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import binom

from kernlearn.algorithms.boosting.votes import sorted_of
from kernlearn.evaluation.risk_bounds.bernstein import bernstein_of_errors, empirical_bernstein, hoeffding
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.papers.checks.figure import CORRECTION, OURS, ROUNDING, Check
from kernlearn.papers.rmm2010.theory.complexities import at_confidence
from kernlearn.solvers.stumps_networks.stumps import boost
from kernlearn.types import Array

DELTA = 0.05
SIZES, MEANS = (20, 100, 1000), (0.01, 0.05, 0.2, 0.5, 0.9)
LAMBDAS = (0.0, 0.1, 0.5, 1.0, 3.0)
#: What minima of a line search may be apart by.
SEARCHED = 1e-6
#: Errors that are of interest in section 6.2 are below this.
REGIME = 0.5

#: A bound of the mean by the share of ones, n and delta.
Bound = Callable[[float, int, float], float]


def failures(bound: Bound, functions: int = 1) -> float:
    """Return the largest probability that a bound fails, by delta: for all of some independent functions at once."""
    quotients = []
    for n, p in product(SIZES, MEANS):
        k = np.arange(n + 1)
        below = np.array([bound(j / n, n, DELTA / functions) < p for j in k])
        once = float(binom.pmf(k, n, p)[below].sum())
        quotients.append((1.0 - (1.0 - once) ** functions) / DELTA)
    return max(quotients)


def variance(z: float, n: int) -> float:
    """Return the empirical variance of theorem 29 of indicators, by (6.3): n/(n - 1) z (1 - z)."""
    return n / (n - 1) * z * (1.0 - z)


def empirical(z: float, n: int, delta: float) -> float:
    """Return the bound of theorem 29."""
    return empirical_bernstein(z, variance(z, n), n, delta)


def in_one_root(z: float, n: int, delta: float) -> float:
    """Return the bound of theorem 29 as printed, with both terms in one root."""
    term = log(2.0 / delta)
    return z + sqrt(2.0 * variance(z, n) * term / n + 7.0 * term / (3.0 * (n - 1)))


def rate(bound: Bound) -> float:
    """Return the quotient of a bound for 100 times as many examples, without an error, and a 90th of it."""
    return 90.0 * bound(0.0, 100_000, DELTA) / bound(0.0, 1000, DELTA)


def uniform(functions: int = 10, repeats: int = 4000) -> float:
    """Return the quotient of a mean and (6.2), over functions with M(n) = 10 times as many, all of them at once."""
    worst, rng = [], np.random.default_rng(0)
    for n in SIZES:
        p = np.linspace(0.05, 0.5, functions)
        z = rng.binomial(n, p, (repeats, functions)) / n
        term = log(10.0 * functions / DELTA)
        slack = 15.0 * term / (n - 1) + np.sqrt(18.0 * (n / (n - 1) * z * (1.0 - z)) * term / n)
        worst.append(at_confidence((p / (z + slack)).max(axis=1)))
    return max(worst)


def pairs(z: Array) -> float:
    """Return the empirical variance as it is defined: ``1/(n (n - 1)) sum_{i > j} (z_i - z_j)^2``."""
    return float(((z[:, None] - z) ** 2).sum() / 2.0) / (len(z) * (len(z) - 1))


def lemma_31() -> float:
    """Return how far the empirical variance of indicators is from ``n/(n - 1) p (1 - p)``, and (6.4) from (6.2)."""
    off = []
    for n, share in product((10, 100), (0.1, 0.5, 0.8)):
        z = np.where(np.arange(n) < share * n, 1.0, 0.0)
        p, term = float(z.mean()), log(100.0 / DELTA)
        off.append(abs(pairs(z) - variance(p, n)))
        off.append(abs(sqrt(18.0 * pairs(z) * term / n) - sqrt(18.0 * p * (1.0 - p) * term / (n - 1))))
    return max(off)


def penalised() -> float:
    """Return by how much ``p + lambda sqrt(p (1 - p))`` falls from one p to a larger one below 1/2, at most."""
    p = np.linspace(0.0, REGIME, 1001)
    return max(0.0, *(float(-np.diff(p + weight * np.sqrt(p * (1.0 - p))).min()) for weight in (0.0, 1.0, 100.0)))


def error_of(centre: float) -> float:
    """Return ``P[y f <= 0]`` of ``y f`` uniform in the interval of length 1 about a centre."""
    return 0.5 - centre


def exponential() -> float:
    """Return the quotient of ``P[y f <= 0]`` and its bound by the exponential loss, ``y f`` uniform in an interval."""
    n, rng, worst = 1000, np.random.default_rng(0), []
    for centre in (-0.5, 0.0, 0.5):
        error, term = error_of(centre), log(10.0 / DELTA)
        for _ in range(200):
            loss = np.exp(-(centre + rng.uniform(-0.5, 0.5, n)))
            slack = 15.0 * e * term / (n - 1) + sqrt(float(loss.var(ddof=1)) * 18.0 * term / n)
            worst.append(error / (float(loss.mean()) + slack))
    return max(worst)


def stages() -> Iterator[tuple[float, Array, Array]]:
    """Yield a lambda, the weights of 20 examples, and whether a weak learner is right of each, +-1."""
    for seed, lambda_ in product(range(5), LAMBDAS):
        rng = np.random.default_rng(seed)
        yield lambda_, rng.exponential(size=20), np.where(rng.random(20) < 0.7, 1.0, -1.0)


def stage_value(lambda_: float, losses: Array) -> float:
    """Return (6.8) of the exponential losses of examples."""
    n = len(losses)
    return float(losses.sum()) ** 2 + lambda_ * n * (n - 1) * pairs(losses)


def two_forms() -> float:
    """Return how far (6.9) is from (6.8), relatively, at most."""
    off = []
    for lambda_, w, right in stages():
        n, loss = len(w), w * np.exp(-0.3 * right)
        products = float(sum(loss[i] * loss[j] for i in range(n) for j in range(i)))
        value = (1.0 + (n - 1) * lambda_) * float((loss**2).sum()) + (2.0 - 2.0 * lambda_) * products
        off.append(abs(value / stage_value(lambda_, loss) - 1.0))
    return max(off)


def step(lambda_: float, w: Array, right: Array) -> float:
    """Return the alpha of algorithm 6.2."""
    P = [(1.0 - lambda_) * w[s].sum() ** 2 + lambda_ * len(w) * (w[s] ** 2).sum() for s in (right > 0, right < 0)]
    return 0.25 * log(P[0] / P[1])


def best_step() -> float:
    """Return how far (6.8) at alpha is above the end of a line search, relatively, and alpha from that of AdaBoost."""
    off: list[float] = []
    for lambda_, w, right in stages():
        alpha = step(lambda_, w, right)
        found = minimize_scalar(lambda a, x=lambda_, w=w, right=right: stage_value(x, w * np.exp(-a * right)))
        off.append(stage_value(lambda_, w * np.exp(-alpha * right)) / found.fun - 1.0)
        if lambda_ == 0.0:
            off.append(abs(alpha - 0.5 * log(w[right > 0].sum() / w[right < 0].sum())))
    return max(off)


def best_stump() -> float:
    """Return how far (6.8) after the stumps of algorithm 6.2 is above that after the best of all others, relatively."""
    off = []
    for seed, lambda_ in product(range(5), LAMBDAS):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 3)), np.where(rng.random(40) < 0.5, 1.0, -1.0)
        columns = np.ascontiguousarray(X.T)
        thresholds = np.sort(columns, axis=1)[:, 1:-1:4]
        owners = np.repeat(np.arange(3), thresholds.shape[1])
        stumps = Stumps(columns, np.arange(3), owners, thresholds.ravel())
        votes = stumps.votes(np.arange(len(owners)))
        chosen, alphas = boost(sorted_of(stumps), y, np.ones(40), lambda_, 5)
        w = np.ones(40)
        for s, alpha in zip(chosen, alphas, strict=True):
            after = [_least(lambda_, w, y * vote) for vote in votes]
            w = w * np.exp(-alpha * y * votes[s])
            off.append(stage_value(lambda_, w) / min(after) - 1.0)
    return max(off)


def _least(lambda_: float, w: Array, right: Array) -> float:
    """Return (6.8) after the best step with a weak learner."""
    return stage_value(lambda_, w * np.exp(-step(lambda_, w, right) * right))


CHECKS = {
    "theorem 26": Check(
        "Hoeffding's bound of indicators fails with a probability of at most delta, exactly",
        lambda: failures(hoeffding),
        1.0,
        number="probability {} of delta",
    ),
    "corollary 27": Check(
        "(6.1) with ln(|F|/delta) fails for ten functions at once with a probability of at most delta",
        lambda: failures(hoeffding, 10),
        1.0,
        number="probability {} of delta",
    ),
    "theorem 28": Check(
        "Bernstein's bound fails with a probability of at most delta",
        lambda: failures(bernstein_of_errors),
        1.0,
        number="probability {} of delta",
    ),
    "theorem 29 a": Check(
        "the empirical Bernstein bound fails with a probability of at most delta",
        lambda: failures(empirical),
        1.0,
        CORRECTION,
        number="probability {} of delta",
    ),
    "theorem 29 b": Check(
        "without variance the bound falls as 1/n, at least by 90 where n grows by 100",
        lambda: rate(empirical),
        1.0,
        CORRECTION,
        number="90 is {} of the fall",
    ),
    "theorem 29 c": Check(
        "as printed, with both terms in one root, the bound fails with a probability of at most delta",
        lambda: failures(in_one_root),
        1.0,
        number="probability {} of delta",
    ),
    "theorem 29 d": Check(
        "as printed, with both terms in one root, the bound falls as 1/n, too",
        lambda: rate(in_one_root),
        1.0,
        number="90 is {} of the fall",
    ),
    "theorem 30": Check("a mean is at most (6.2) for ten functions at once", uniform, 1.0),
    "lemma 31 a": Check("(6.4) is (6.2) with the variance of indicators", lemma_31, ROUNDING),
    "lemma 31 b": Check("the penalised error rises with the error up to 1/2", penalised, 0.0, number="largest fall {}"),
    "section 6.2.1": Check(
        "the error is at most its bound by the mean and variance of the exponential loss", exponential, 1.0
    ),
    "(6.9)": Check("(6.9) is (6.8) of one more weak learner", two_forms, ROUNDING),
    "algorithm 6.2 a": Check("the alpha minimises (6.8), and is that of AdaBoost for lambda = 0", best_step, SEARCHED),
    "algorithm 6.2 b": Check("the stumps are the best of all", best_stump, ROUNDING, OURS),
}
