"""Problems of whole numbers, with copies of examples and contradictory labels, and their values in exact fractions."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from kernlearn.kernels import GramStack
from kernlearn.kernels.families.vectors import precomputed

#: Relative distance of an objective from the exact one.
CLOSE = Fraction(1, 10**12)


def fractions(values):
    return np.array([Fraction(v) for v in np.ravel(values)], dtype=object).reshape(np.shape(values))


def in_stack(K):
    return GramStack(precomputed(len(K)), K, K)


def kernels(rng, p, n):
    """Kernels of shape (p, n, n) and their features of shape (p, n, 2); the first two examples are the same."""
    V = rng.integers(-3, 4, (p, n, 2)).astype(float)
    V[:, 1] = V[:, 0]
    return V @ V.swapaxes(1, 2), V


def signs(rng, n):
    """Labels +-1; the first two contradict each other."""
    y = rng.choice([-1.0, 1.0], n)
    y[:2] = 1.0, -1.0
    return y


def cut(values, low, high):
    return np.array([min(max(v, low), h) for v, h in zip(values, high, strict=True)], dtype=object)


def balance(terms):
    """Terms in fractions, those of the heavier sign scaled down until the sum is 0."""
    up, down = sum(t for t in terms.flat if t > 0), -sum(t for t in terms.flat if t < 0)
    heavy = max(up, down, Fraction(1, 10**300))
    return np.where(terms * (1 if up > down else -1) > 0, terms * (min(up, down) / heavy), terms)


def hinge(margins, bounds):
    return sum(c * max(0, 1 - m) for c, m in zip(bounds, margins, strict=True))


def norm(values, p):
    """The p norm of fractions >= 0, to 50 digits."""
    if np.isinf(p):
        return max(values)
    with localcontext() as context:
        context.prec = 50
        decimals = [Decimal(v.numerator) / Decimal(v.denominator) for v in values]
        return Fraction(sum(v ** Decimal(p) for v in decimals) ** (1 / Decimal(p)))


def conjugate(p):
    return np.inf if p == 1 else 1.0 if np.isinf(p) else p / (p - 1)


def assert_values(proved, objective, dual, violation=0):
    """Both values are those of fractions; the lower bound may lose what rounding is worth."""
    size = abs(objective) + abs(dual)
    assert abs(Fraction(proved.objective) - objective) <= CLOSE * objective
    assert abs(Fraction(proved.dual_objective) - dual) <= CLOSE * size
    assert abs(Fraction(proved.violation) - violation) <= CLOSE * (1 + violation)
