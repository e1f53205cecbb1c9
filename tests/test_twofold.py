"""Sums of products in twice the precision, against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from kernlearn.twofold import add, add_products, dot


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_products_that_cancel_are_exact_to_twice_the_precision(seed):
    rng = np.random.default_rng(seed)
    n, m = 3, int(rng.integers(1, 40))
    values = rng.normal(size=(n, m)) * 10.0 ** rng.integers(-8, 9, (n, m))
    coef = rng.normal(size=m) * 10.0 ** rng.integers(-8, 9, m)
    values[:, -1] = -(values[:, :-1] @ coef[:-1]) / coef[-1]  # the sum cancels
    sums = np.zeros(n), np.zeros(n), np.zeros(n)
    add_products(values, coef, *sums)
    for i in range(n):
        terms = [Fraction(a) * Fraction(b) for a, b in zip(values[i].tolist(), coef.tolist(), strict=True)]
        exact, size = sum(terms), float(sum(map(abs, terms)))
        off = abs(float(Fraction(sums[0][i]) + Fraction(sums[1][i]) - exact))
        assert off <= 1e-31 * 2 * m**2 * size
        assert sums[2][i] == pytest.approx(float(sum(t * t for t in terms)), rel=1e-12)


def test_numbers_and_dots_keep_what_double_precision_loses():
    high, low = np.array([1e16]), np.zeros(1)
    add(high, low, 1.0)
    add(high, low, -1e16)
    assert high[0] + low[0] == 1.0
    a, b = np.array([1e16, 1.0, -1e16]), np.array([1.0, 1e-3, 1.0])
    assert dot(a, b) == 1e-3
