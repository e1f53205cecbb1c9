"""Checks of section 2.5 and appendix A.3 of Rostamizadeh (2010): centring, and alignment on samples and in expectation.

A distribution has a few points, so that expectations are sums. The thesis takes ``E[y h*(x)]`` for ``rho(K, K_Y)``, but
the labels are not centred in the one and are in the other, whence ``E[y h*(x)] = rho(K, K_Y) Var(y)`` where
``E[y^2] = 1``. Its theorems 2.11 and 2.12 are so those of labels of mean 0.
"""

from collections.abc import Callable, Iterator
from itertools import product
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from kernlearn.kernels.matrices.centring import alignment, centre
from kernlearn.papers.checks.figure import CORRECTION, ROUNDING, Check
from kernlearn.types import Array

#: Distributions, samples of each, the size of a sample, and the probability that a bound fails.
DISTRIBUTIONS, SAMPLES, M, DELTA = 10, 400, 50, 0.05


class Distribution(NamedTuple):
    """Points with probabilities, two kernels on them, and their labels."""

    share: Array
    features: Array
    K: Array
    L: Array
    y: Array

    def centred(self, K: Array) -> Array:
        """Return ``K_c`` (2.38)."""
        mean = K @ self.share
        return K - mean[:, None] - mean[None, :] + self.share @ mean

    def mean(self, K: Array) -> float:
        """Return the expectation over two points."""
        return float(self.share @ K @ self.share)

    def of_centred(self, K: Array, L: Array) -> float:
        """Return ``E[K_c L_c]``."""
        return self.mean(self.centred(K) * self.centred(L))

    def rho(self, K: Array, L: Array) -> float:
        """Return the alignment (definition 2.3)."""
        return self.of_centred(K, L) / sqrt(self.of_centred(K, K) * self.of_centred(L, L))

    def follower(self) -> Array:
        """Return ``h*`` (2.44)."""
        return self.centred(self.K) @ (self.share * self.y) / sqrt(self.of_centred(self.K, self.K))


def drawn(seed: int, classes: bool = True, n: int = 6) -> Distribution:
    """Return a distribution of n points in the plane; real labels have a mean square of 1."""
    rng = np.random.default_rng(seed)
    share, F, G = rng.dirichlet(np.ones(n)), rng.normal(size=(n, 2)), rng.normal(size=(n, 3))
    F, G = F / np.linalg.norm(F, axis=1).max(), G / np.linalg.norm(G, axis=1).max()
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0) if classes else rng.normal(size=n) + 0.5
    return Distribution(share, F, F @ F.T, G @ G.T, y if classes else y / sqrt(share @ y**2))


def skewed() -> Distribution:
    """Return a distribution that refutes theorem 2.11: most points are next to the mean and of the frequent class."""
    share, x, y = np.array([0.1, 0.1, 0.8]), np.array([-1.0, 1.0, -0.01]), np.array([-1.0, 1.0, 1.0])
    return Distribution(share, x[:, None], np.outer(x, x), np.outer(y, y), y)


def distributions(classes: bool = True) -> Iterator[Distribution]:
    """Yield all distributions."""
    yield from (drawn(seed, classes) for seed in range(50))
    if classes:
        yield skewed()


def in_feature_space() -> float:
    """Return how far (2.38), and (2.39) on a sample, are from kernels of centred features."""
    apart = []
    for one in distributions():
        F = one.features - one.share @ one.features
        S = one.features[np.random.default_rng(0).integers(len(F), size=20)]
        T = S - S.mean(axis=0)
        apart += [np.abs(one.centred(one.K) - F @ F.T).max(), np.abs(centre(S @ S.T) - T @ T.T).max()]
    return float(np.max(apart))


def not_negative() -> float:
    """Return how negative ``E[K L]`` is, and the product of centred matrices (2.40), in units of their norms."""
    values = []
    for one in distributions():
        values += [one.mean(one.K * one.L), one.of_centred(one.K, one.L), alignment(one.K, one.L)]
    return max(0.0, -min(values))


def by_projection() -> float:
    """Return how far the centred matrix is from that of (A.12)."""
    H = np.eye(6) - 1.0 / 6.0
    return float(np.max([np.abs(centre(one.K) - H @ one.K @ H).max() for one in distributions() if len(one.y) == 6]))


def products(second: Callable[[Array], Array]) -> float:
    """Return how far ``<K_c, L_c>`` is from ``<K, second(L)>`` or ``<K_c, L>`` (A.13), relatively."""
    apart = []
    for one in distributions():
        K, L = centre(one.K), centre(one.L)
        for other in (float(np.vdot(one.K, second(one.L))), float(np.vdot(K, one.L))):
            apart.append(abs(other - np.vdot(K, L)) / (np.linalg.norm(one.K) * np.linalg.norm(one.L)))
    return float(np.max(apart))


def one_point() -> float:
    """Return the largest quotient of what one point changes of ``<K_c, L_c> / m^2`` and ``24 R^4 / m``."""
    quotients = []
    for one in distributions():
        rng = np.random.default_rng(0)
        for m in (2, 3, 5, 20):
            before = rng.integers(len(one.y), size=m)
            after = np.append(before[:-1], rng.integers(len(one.y)))
            values = [
                np.vdot(*(centre(K[np.ix_(rows, rows)]) for K in (one.K, one.L))) / m**2 for rows in (before, after)
            ]
            quotients.append(abs(values[1] - values[0]) * m / (24.0 * size(one) ** 4))
    return float(np.max(quotients))


def size(one: Distribution) -> float:
    """Return R."""
    return sqrt(max(np.diagonal(one.K).max(), np.diagonal(one.L).max()))


def bias() -> float:
    """Return the largest quotient of the bias of ``<K_c, L_c> / m^2`` and ``18 R^4 / m``, over all samples."""
    quotients = []
    for seed in range(DISTRIBUTIONS):
        one = drawn(seed, n=3)
        for m in (2, 4, 6):
            mean = 0.0
            for rows in product(range(3), repeat=m):
                both, chance = np.ix_(rows, rows), float(one.share[list(rows)].prod())
                mean += chance * float(np.vdot(centre(one.K[both]), centre(one.L[both]))) / m**2
            quotients.append(abs(mean - one.of_centred(one.K, one.L)) * m / (18.0 * size(one) ** 4))
    return float(np.max(quotients))


def on_samples(quotient: Callable[[Distribution, Array, Array], float]) -> float:
    """Return the quotient that a share delta of the samples exceeds, for the distribution where it is the largest."""
    found = []
    for seed in range(DISTRIBUTIONS):
        one, rng = drawn(seed), np.random.default_rng(seed)
        samples = [rng.choice(len(one.y), M, p=one.share) for _ in range(SAMPLES)]
        values = [quotient(one, one.K[np.ix_(rows, rows)], one.L[np.ix_(rows, rows)]) for rows in samples]
        found.append(np.quantile(values, 1.0 - DELTA))
    return float(np.max(found))


def products_of_samples(one: Distribution, K: Array, L: Array) -> float:
    """Return the quotient of the sides of proposition 2.6."""
    bound = size(one) ** 4 * (18.0 / M + 24.0 * sqrt(log(2.0 / DELTA) / (2.0 * M)))
    return abs(float(np.vdot(centre(K), centre(L))) / M**2 - one.of_centred(one.K, one.L)) / bound


def alignments_of_samples(one: Distribution, K: Array, L: Array) -> float:
    """Return the quotient of the sides of theorem 2.10."""
    beta = size(one) ** 4 / min(one.of_centred(one.K, one.K), one.of_centred(one.L, one.L))
    bound = 18.0 * beta * (3.0 / M + 4.0 * sqrt(log(6.0 / DELTA) / (2.0 * M)))
    return abs(alignment(K, L) - one.rho(one.K, one.L)) / bound


def factor(one: Distribution, corrected: bool) -> float:
    """Return ``rho(K, K_Y)``, or what the proofs need in its place, which is less by Var(y)."""
    variance = float(one.share @ one.y**2 - (one.share @ one.y) ** 2)
    return one.rho(one.K, np.outer(one.y, one.y)) * (variance if corrected else 1.0)


def mean_of_the_follower(corrected: bool) -> float:
    """Return how far ``E[y h*(x)]`` is from rho, or from ``rho Var(y)``."""
    found = [one.share @ (one.y * one.follower()) - factor(one, corrected) for one in distributions()]
    return float(np.abs(found).max())


def classification(corrected: bool) -> float:
    """Return the largest quotient of the error of h* and ``1 - rho / Gamma``."""
    quotients = []
    for one in distributions():
        h, K = one.follower(), one.centred(one.K)
        Gamma = sqrt(float((K**2 @ one.share).max()) / one.mean(K**2))
        quotients.append(float(one.share[one.y * h < 0].sum()) / (1.0 - factor(one, corrected) / Gamma))
    return float(np.max(quotients))


def regression(corrected: bool) -> float:
    """Return the largest quotient of the squared error of h* and ``2 (1 - rho)``."""
    return float(
        np.max(
            [
                float(one.share @ (one.y - one.follower()) ** 2) / (2.0 * (1.0 - factor(one, corrected)))
                for one in distributions(classes=False)
            ]
        )
    )


def not_normalised() -> float:
    """Return the largest quotient of the error of g* (2.45) and ``1 - eta / R^2``."""
    quotients = []
    for one in distributions():
        K = one.centred(one.K)
        g, eta = K @ (one.share * one.y), one.of_centred(one.K, np.outer(one.y, one.y))
        quotients.append(float(one.share[one.y * g < 0].sum()) / (1.0 - eta / float(np.diagonal(K).max())))
    return float(np.max(quotients))


def largest_alignment(power: int) -> float:
    """Return the largest quotient of eta, of a distribution or all of its points once, and ``R^2 M^power``."""
    quotients = []
    for one in [*distributions(), *(drawn(0)._replace(K=np.outer(y, y), y=M * y) for y in (drawn(0).y,))]:
        labels, K = np.outer(one.y, one.y), one.centred(one.K)
        bound = float(np.diagonal(K).max()) * float(np.abs(one.y).max()) ** power
        sample = float(np.vdot(centre(one.K), labels)) / len(one.y) ** 2
        allowed = float(np.diagonal(centre(one.K)).max()) * float(np.abs(one.y).max()) ** power
        quotients += [one.of_centred(one.K, labels) / bound, sample / allowed]
    return float(np.max(quotients))


CHECKS = {
    "(2.38)": Check("centring a kernel, or a matrix (2.39), centres its features", in_feature_space, ROUNDING),
    "lemma 2.2": Check("E[Q Q'] >= 0, and <K_c, K'_c> >= 0 (2.40)", not_negative, ROUNDING),
    "proposition 2.6": Check(
        "<K_c, K'_c> / m^2 of samples is as near its limit as the bound says",
        lambda: on_samples(products_of_samples),
        1.0,
    ),
    "theorem 2.10": Check(
        "rho of samples is as near its limit as the bound says", lambda: on_samples(alignments_of_samples), 1.0
    ),
    "(2.44)": Check("E[y h*(x)] is rho(K, K_Y)", lambda: mean_of_the_follower(False), ROUNDING),
    "(2.44) corrected": Check(
        "E[y h*(x)] is rho(K, K_Y) Var(y)", lambda: mean_of_the_follower(True), ROUNDING, CORRECTION
    ),
    "theorem 2.11": Check("the error of h* is at most 1 - rho / Gamma", lambda: classification(False), 1.0),
    "theorem 2.11 corrected": Check(
        "the error of h* is at most 1 - rho Var(y) / Gamma", lambda: classification(True), 1.0, CORRECTION
    ),
    "theorem 2.12": Check("the squared error of h* is at most 2 (1 - rho)", lambda: regression(False), 1.0),
    "theorem 2.12 corrected": Check(
        "the squared error of h* is at most 2 (1 - rho Var(y))", lambda: regression(True), 1.0, CORRECTION
    ),
    "lemma 2.3": Check("eta is at most R^2 M", lambda: largest_alignment(1), 1.0),
    "lemma 2.3 with M^2": Check("eta is at most R^2 M^2", lambda: largest_alignment(2), 1.0 + ROUNDING, CORRECTION),
    "theorem 2.13": Check("the error of g* is at most 1 - eta / R^2", not_normalised, 1.0),
    "lemma A.3 (A.12)": Check("K_c = (I - 11'/m) K (I - 11'/m)", by_projection, ROUNDING),
    "lemma A.3 (A.13)": Check("<K_c, K'_c> = <K, K'> = <K_c, K'>", lambda: products(lambda L: L), ROUNDING),
    "lemma A.3 (A.13) corrected": Check(
        "<K_c, K'_c> = <K, K'_c> = <K_c, K'>", lambda: products(centre), ROUNDING, CORRECTION
    ),
    "lemma A.4": Check("one point changes <K_c, K'_c> / m^2 by at most the bound", one_point, 1.0),
    "lemma A.5": Check("the bias of <K_c, K'_c> / m^2 is at most its bound", bias, 1.0),
}
