"""Certificates of machines whose outputs are kept in a band, against exact fractions."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from kernlearn.certificates import band
from tests.certificates.exact import CLOSE, assert_values, balance, cut, fractions, hinge, in_stack, kernels, signs

SEEDS = range(2)
HALF = Fraction(1, 2)


def exact_band(K, y, coef, intercept, bounds, B, costs, price):
    """(P) at the largest multiple of f, at most f itself, inside of the band, and which multiple that is."""
    coef, B = fractions(coef), Fraction(B)
    f, hard, soft = fractions(K) @ coef + Fraction(intercept), np.isinf(costs), np.where(np.isinf(costs), 0.0, costs)
    widest = max([*abs(f[hard]), Fraction(0)])
    B = B if price is None else max(B, widest)
    s = min(Fraction(1), B / widest) if widest else Fraction(1)
    f, square = s * f, s**2 * (coef @ fractions(K) @ coef)
    loss = hinge(fractions(y) * f[: len(y)], fractions(bounds))
    loss += sum(c * max(0, abs(v) - B) for c, v in zip(fractions(soft), f, strict=True))
    return HALF * square + loss + (0 if price is None else Fraction(price) * B), s


def exact_dual(K, y, multipliers, bounds, B, costs, price):
    m, n = len(y), len(K)
    alpha, outer, K = np.full(n, Fraction(0)), fractions(multipliers[1:]), fractions(K)
    alpha[:m] = cut(fractions(multipliers[0, :m]), 0, fractions(bounds))
    outer = np.array([cut(part, 0, [c if np.isinf(c) else Fraction(c) for c in costs]) for part in outer])
    if price is not None and sum(outer.flat) > Fraction(price):
        outer = outer * (Fraction(price) / sum(outer.flat))
    sign = np.append(fractions(y), np.full(n - m, Fraction(1)))
    terms = balance(np.array([sign * alpha, -outer[0], outer[1]]))
    u, outside = terms.sum(axis=0), sum(abs(terms[1:].ravel()))
    linear = sum(abs(terms[0])) - (Fraction(B) * outside if price is None else outside - Fraction(price))
    return linear - HALF * (u @ K @ u), u


def problem(seed, scale):
    """Some examples have no label, some losses cost nothing, and some multipliers are outside of their bounds."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(3, 6)), int(rng.integers(6, 9))
    K, _ = kernels(rng, 1, n)
    weights = rng.integers(0, 3, m) / 2.0
    multipliers = scale * rng.normal(size=(3, n)) * [[1.0], [0.25], [0.25]]
    return K, signs(rng, m), rng.normal(size=n), weights, multipliers, rng


@pytest.mark.sampled(3)
@pytest.mark.parametrize("C", [1e-6, 1e6])
@pytest.mark.parametrize("B", [0.0, 1.5, 100.0])
@pytest.mark.parametrize("kind", ["hard", "soft", "some", "price"])
@pytest.mark.parametrize("seed", SEEDS)
def test_both_values_are_those_of_fractions_and_no_predictor_is_below_the_bound(seed, kind, B, C):
    K, y, coef, weights, multipliers, rng = problem(seed, C)
    n, bounds, price = len(coef), C * weights, 0.5 * C if kind == "price" else None
    costs = C * rng.integers(0, 3, n) / 2.0 if kind in ("soft", "some") else np.full(n, inf)
    costs[::3] = inf if kind == "some" else costs[::3]
    B = max(B, 1.0) if kind == "price" else B
    proved = band(in_stack(K), y, coef, 0.25, multipliers, C, B, costs=costs, price=price, weights=weights)
    D, u = exact_dual(K[0], y, multipliers, bounds, B, costs, price)
    P, s = exact_band(K[0], y, coef, 0.25, bounds, B, costs, price)
    assert_values(proved, P, D)
    assert abs(Fraction(proved.stretch) - s) <= CLOSE
    for step in (0.0, 1e-3, 1.0):
        other = u.astype(float) + step * C * rng.normal(size=n)
        for b in (0.0, *rng.normal(size=2) * 10.0 ** rng.integers(-2, 3)):
            P, _ = exact_band(K[0], y, other, b, bounds, B, costs, price)
            assert Fraction(proved.dual_objective) <= P + CLOSE * (P + abs(D))


@pytest.mark.parametrize("power", [-300, 300])
@pytest.mark.parametrize("price", [None, 0.5])
@pytest.mark.parametrize("seed", SEEDS)
def test_units_change_no_digit(seed, price, power):
    K, y, coef, weights, multipliers, _ = problem(seed, 1.0)
    unit, costs = 2.0**power, inf if price else 0.5
    one = band(in_stack(K), y, coef, 0.25, multipliers, 1.0, 1.5, costs=costs, price=price, weights=weights)
    options = {"costs": costs / unit, "price": price and price / unit, "weights": weights}
    other = band(in_stack(unit * K), y, coef / unit, 0.25, multipliers / unit, 1.0 / unit, 1.5, **options)
    assert other == one.times(1.0 / unit)


def test_the_zero_solution_has_the_best_intercept_that_is_allowed():
    K, y, none = np.eye(3)[None], np.array([1.0, 1.0, -1.0]), np.zeros((3, 3))
    for B, costs, zero in ((0.5, inf, 3.0), (1.0, inf, 2.0), (0.0, 0.25, 2.75), (0.0, 1.0, 3.0)):
        proved = band(in_stack(K), y, np.zeros(3), 0.0, none, 1.0, B, costs=costs)
        assert (proved.objective, proved.zero, proved.dual_objective) == (3.0, zero, 0.0)


def test_multipliers_out_of_balance_prove_no_more_than_balanced_ones():
    """Examples at 1 and 2: the least value is 2, at ``f = 3 - 2x``, which stays in the band."""
    K, y = np.array([[[1.0, 2.0], [2.0, 4.0]]]), np.array([1.0, -1.0])
    multipliers = np.array([[20.0, 10.0], [0.0, 0.0], [0.0, 0.0]])
    assert band(in_stack(K), y, np.zeros(2), 0.0, multipliers, 100.0, 2.0).dual_objective <= 2.0


def test_what_is_beyond_the_band_by_less_than_a_digit_counts():
    """The outputs are 1 + 1e-17, and all of that is 1 in double precision."""
    K, y, coef, costs = np.eye(2)[None], np.array([1.0]), np.full(2, 1e-17), np.array([0.0, 1e5])
    proved = band(in_stack(K), y, coef, 1.0, np.zeros((3, 2)), 1e-6, 1.0, costs=costs)
    P, _ = exact_band(K[0], y, coef, 1.0, np.array([1e-6]), 1.0, costs, None)
    assert P > Fraction(9, 10**13) and abs(Fraction(proved.objective) - P) <= CLOSE * P
