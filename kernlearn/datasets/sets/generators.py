"""Artificial problems whose distribution is known exactly.

Each generator takes the number of examples and a seed (numpy's PCG64), and draws the class of each example with equal
probabilities. It returns ``X`` of shape (n, d) and the class indices ``y`` of shape (n,). The same arguments give the
same data.
"""

import numpy as np

Pair = tuple[np.ndarray, np.ndarray]

#: Breiman's distance parameter, a = 2/sqrt(20), for the 20 features of twonorm and ringnorm.
SHIFT = 2 / np.sqrt(20)

_I = np.arange(1, 22)
_H1 = np.maximum(6 - np.abs(_I - 11), 0)
_H2 = np.maximum(6 - np.abs(_I - 15), 0)
_H3 = np.maximum(6 - np.abs(_I - 7), 0)
#: The two base waves of each class, shape (3, 2, 21).
WAVES = np.array([[_H1, _H2], [_H1, _H3], [_H2, _H3]], dtype=np.float64)

#: Class means and common covariance of `gaussians`; row 1 is the positive class.
MEANS = np.array([[19.0, 13.0], [1.0, 1.0]])
COVARIANCE = np.array([[17.0, 15.0], [15.0, 17.0]])


def waveform(n: int, seed: int) -> Pair:
    """Draw from the waveform problem: three classes, 21 features.

    ``x_i = u a_i + (1 - u) b_i + e_i``, i = 1..21, with u uniform on [0, 1] and e_i standard normal. The waves (a, b)
    are (h1, h2) for class 0, (h1, h3) for class 1 and (h2, h3) for class 2. Here ``h1(i) = max(6 - |i - 11|, 0)``,
    ``h2(i) = h1(i - 4)`` and ``h3(i) = h1(i + 4)``.

    Source: Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees, pages 49-55.
    """
    rng, y = _classes(n, seed, 3)
    u = rng.random((n, 1))
    X = u * WAVES[y, 0] + (1 - u) * WAVES[y, 1] + rng.standard_normal((n, 21))
    return X, y


def twonorm(n: int, seed: int) -> Pair:
    """Draw from two normal distributions in 20 dimensions with unit covariance and means -(a, ..., a), (a, ..., a).

    a = 2/sqrt(20), so the error of the best rule is Phi(-2) = 2.28 %. Class 1 has the positive mean.

    Source: Breiman (1996), Bias, variance, and arcing classifiers, TR 460, Statistics, UC Berkeley.
    """
    rng, y = _classes(n, seed, 2)
    return rng.standard_normal((n, 20)) + SHIFT * (2 * y[:, None] - 1), y


def ringnorm(n: int, seed: int) -> Pair:
    """Draw from two normal distributions in 20 dimensions, one inside the other.

    Class 0 (Breiman's class 2) is N((a, ..., a), I) with a = 2/sqrt(20); class 1 (Breiman's class 1) is N(0, 4 I).

    Source: Breiman (1996), Bias, variance, and arcing classifiers, TR 460, Statistics, UC Berkeley.
    """
    rng, y = _classes(n, seed, 2)
    outer = y[:, None]
    return rng.standard_normal((n, 20)) * (1 + outer) + SHIFT * (1 - outer), y


def gaussians(n: int, seed: int) -> Pair:
    """Draw from two elongated normal distributions in the plane.

    Class 0 has mean (19, 13), class 1 mean (1, 1); both have covariance [[17, 15], [15, 17]]. The best rule is linear;
    with Mahalanobis distance D = 4.802 of the means its error is Phi(-D/2) = 0.82 %.

    Source: Shivaswamy (2010), Large Relative Margin and Applications, thesis, Columbia University, figures 2.1 to 2.4.
    """
    rng, y = _classes(n, seed, 2)
    return MEANS[y] + rng.standard_normal((n, 2)) @ np.linalg.cholesky(COVARIANCE).T, y


def _classes(n: int, seed: int, count: int) -> tuple[np.random.Generator, np.ndarray]:
    rng = np.random.Generator(np.random.PCG64(seed))
    return rng, rng.integers(count, size=n)
