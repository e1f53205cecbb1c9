"""Certificates of a hinge loss with a weighted l1 penalty, against exact fractions."""

from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest

from kernlearn.certificates import hinge_l1
from tests.certificates.exact import CLOSE, assert_values, fractions, hinge
from tests.solvers.hinge_problems import DenseColumns

SEEDS = range(4)


def exact_value(A, weights, cost, coef, stretch=1):
    margins = stretch * sum(a @ c for a, c in zip(fractions(A), fractions(coef), strict=True))
    return hinge(margins, fractions(weights)) / len(weights) + stretch * sum(
        c * abs(a) for c, a in zip(fractions(cost).flat, fractions(coef).flat, strict=True)
    )


def exact_dual(A, weights, cost, pi):
    """The dual point cut to its box and scaled until it is feasible, and its value."""
    m = len(weights)
    pi = np.array([min(max(p, 0), w) for p, w in zip(fractions(pi), fractions(weights), strict=True)], dtype=object)
    ratios = [
        m * c / abs(product)
        for a, costs in zip(fractions(A), fractions(cost), strict=True)
        for product, c in zip(pi @ a, costs, strict=True)
        if product
    ]
    return min([Fraction(1), *ratios]) * pi / m


def columns_of(A, weights):
    columns = DenseColumns(A)
    columns.weights = None if (weights == 1.0).all() else weights
    return columns


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("seed", SEEDS)
def test_both_values_are_those_of_fractions_and_no_predictor_is_below_the_bound(seed, size, weighted):
    rng = np.random.default_rng(seed)
    p, m, n = 2, int(rng.integers(3, 9)), int(rng.integers(2, 6))
    A = rng.integers(-3, 4, (p, m, n)).astype(float)
    A[:, 1] = -A[:, 0]  # the same example with both labels
    weights = rng.integers(1, 4, m) / 2.0 if weighted else np.ones(m)
    weights *= m / weights.sum()
    cost = size * rng.integers(1, 4, (p, n)) / 4.0
    coef, pi = rng.normal(size=(p, n)) * (rng.random((p, n)) < 0.5), 2.0 * rng.normal(size=m)
    proved = hinge_l1(columns_of(A, weights), cost, coef, pi)
    u = exact_dual(A, weights, cost, pi)
    assert proved.stretch == 1.0
    assert_values(proved, exact_value(A, weights, cost, coef), sum(u))
    assert all(abs(Fraction(mine) - exact) <= CLOSE * exact for mine, exact in zip(proved.dual, u, strict=True))
    for mine, a in zip(proved.largest, fractions(A), strict=True):
        assert abs(Fraction(mine) - max(abs(u @ a))) <= CLOSE * sum(u)
    for step in (0.0, 1e-3, 1.0):
        P = exact_value(A, weights, cost, coef + step * rng.normal(size=(p, n)))
        assert Fraction(proved.dual_objective) <= P * (1 + CLOSE)
    unit = 2.0**300
    scaled = hinge_l1(columns_of(unit * A, weights), unit * cost, coef / unit, pi)
    for field in fields(proved):
        factor = unit if field.name == "largest" else 1.0
        np.testing.assert_array_equal(getattr(scaled, field.name), factor * getattr(proved, field.name))


@pytest.mark.parametrize("size", [1e-18, 1e-6, 1.0])
@pytest.mark.parametrize("margin", [1.0, 1.0 - 1e-9])
def test_the_value_is_that_of_the_stretched_coefficients(margin, size):
    A, coef = np.full((1, 3, 1), 1.0 / 3.0), np.full((1, 1), 3.0 * margin)
    cost = np.full((1, 1), size)
    proved = hinge_l1(DenseColumns(A), cost, coef, np.ones(3))
    s, ones = Fraction(proved.stretch), np.ones(3)
    assert 1 <= s <= 1 + Fraction(2, 10**9) and (s > 1 or size == 1.0)
    P = exact_value(A, ones, cost, coef, s)
    assert abs(Fraction(proved.objective) - P) <= CLOSE * P
    assert Fraction(proved.dual_objective) <= P


@pytest.mark.parametrize("seed", SEEDS)
def test_products_that_cancel_do_not_lower_the_bound(seed):
    """Copies of examples with both labels: every product is 0 and nothing limits the dual point."""
    rng = np.random.default_rng(seed)
    half = rng.integers(-9, 10, (1, 20, 3)) / 4.0
    A, pi = np.concatenate([half, -half], axis=1), np.tile(rng.integers(0, 9, 20) / 8.0, 2)
    for cost in (1e-300, 1.0, 1e6):
        proved = hinge_l1(DenseColumns(A), np.full((1, 3), cost), np.zeros((1, 3)), pi)
        assert proved.objective == 1.0 and proved.dual_objective == pytest.approx(pi.mean(), rel=1e-13)


def test_a_column_that_costs_nothing_admits_no_product_but_0():
    A, cost, none = np.array([[[1.0], [-1.0], [1.0]]]), np.zeros((1, 1)), np.zeros((1, 1))
    assert hinge_l1(DenseColumns(A), cost, none, np.array([0.5, 1.0, 0.5])).dual_objective == pytest.approx(2.0 / 3.0)
    assert hinge_l1(DenseColumns(A), cost, none, np.ones(3)).dual_objective == 0.0
