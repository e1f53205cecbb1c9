"""Bounds of a mean loss in [0, 1] by its mean z over n independent examples, with probability 1 - delta.

For one function that is fixed before the examples are seen; for the best of N such functions use ``delta / N``, by the
union bound: (6.1) is `hoeffding` with it. Sources: Shivaswamy (2010), section 6.1, theorems 26, 28 and 29; Maurer and
Pontil (2009), Empirical Bernstein bounds and sample variance penalization.
"""

from math import log, sqrt


def hoeffding(z: float, n: int, delta: float) -> float:
    """Return the bound of theorem 26, ``z + sqrt(ln(1/delta) / (2n))``, at most 1."""
    return min(1.0, z + sqrt(log(1 / delta) / (2 * n)))


def bernstein_of_errors(z: float, n: int, delta: float) -> float:
    """Return the bound of theorem 28 for the 0-1 loss, whose variance is ``V = p (1 - p)`` with its unknown mean p.

    It is the largest p with ``p <= z + sqrt(2 V ln(1/delta) / n) + ln(1/delta) / (3n)``, at most 1.
    """
    a, b = 2 * log(1 / delta) / n, z + log(1 / delta) / (3 * n)
    if b >= 1.0:
        return 1.0
    # (p - b)^2 = a p (1 - p)
    middle = 2 * b + a
    return min(1.0, (middle + sqrt(middle**2 - 4 * (1 + a) * b**2)) / (2 * (1 + a)))


def empirical_bernstein(z: float, variance: float, n: int, delta: float) -> float:
    """Return the bound of theorem 29, at most 1, for n > 1 examples with a sample variance (of divisor n - 1)."""
    slack = sqrt(2 * variance * log(2 / delta) / n) + 7 * log(2 / delta) / (3 * (n - 1))
    return min(1.0, z + slack)
