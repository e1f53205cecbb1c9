"""Certificates of support vector machines, against exact fractions."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from kernlearn.certificates import hard_svm, svm
from tests.certificates.exact import CLOSE, assert_values, balance, cut, fractions, hinge, in_stack, kernels, signs

SEEDS = range(3)
HALF = Fraction(1, 2)


def exact_svm(K, y, coef, intercept, bounds, learned=None):
    K, y, coef, bounds = (fractions(v) for v in (K, y, coef, bounds))
    L, beta = (K, coef) if learned is None else (fractions(v) for v in learned)
    return HALF * (beta @ L @ beta) + hinge(y * (K @ coef + Fraction(intercept)), bounds)


def exact_dual(K, y, alpha, bounds, bias):
    K, y = fractions(K), fractions(y)
    signed = cut(fractions(alpha), 0, fractions(bounds)) * y
    signed = balance(signed) if bias else signed
    return sum(abs(signed)) - HALF * (signed @ K @ signed), signed


def problem(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 9))
    K, _ = kernels(rng, 1, n)
    weights = rng.integers(0, 3, n) / 2.0  # some losses cost nothing
    return K, signs(rng, n), rng.normal(size=n), weights, rng


@pytest.mark.parametrize("C", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_both_values_are_those_of_fractions_and_no_predictor_is_below_the_bound(seed, bias, C):
    K, y, coef, weights, rng = problem(seed)
    bounds, b = C * weights, 0.25 if bias else 0.0
    alpha = C * rng.normal(size=len(y)) * 2.0  # partly outside of the box
    proved = svm(in_stack(K), y, coef, b, alpha, C, weights=weights, bias=bias)
    assert proved.stretch == 1.0
    D, signed = exact_dual(K[0], y, alpha, bounds, bias)
    assert_values(proved, exact_svm(K[0], y, coef, b, bounds), D)
    zero = min(exact_svm(K[0], y, 0.0 * y, b, bounds) for b in ((1, -1) if bias else (0,)))
    assert abs(Fraction(proved.zero) - zero) <= CLOSE * zero
    for step in (0.0, 1e-3, 1.0):
        other = signed.astype(float) + step * C * rng.normal(size=len(y))
        for b in (0.0, *rng.normal(size=4) * 10.0 ** rng.integers(-2, 3)) if bias else (0.0,):
            P = exact_svm(K[0], y, other, b, bounds)
            assert Fraction(proved.dual_objective) <= P * (1 + CLOSE)


@pytest.mark.parametrize("power", [-300, 300])
@pytest.mark.parametrize("seed", SEEDS)
def test_units_change_no_digit(seed, power):
    K, y, coef, weights, rng = problem(seed)
    alpha, unit = rng.normal(size=len(y)), 2.0**power
    one = svm(in_stack(K), y, coef, 0.25, alpha, 1.0, weights=weights)
    other = svm(in_stack(unit * K), y, coef / unit, 0.25, alpha / unit, 1.0 / unit, weights=weights)
    assert other == one.times(1.0 / unit)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_norm_is_that_of_a_learned_kernel(seed):
    K, y, coef, weights, rng = problem(seed)
    n = len(y)
    A = rng.integers(-2, 3, (n, n)).astype(float)
    L, beta, alpha = A @ K[0] @ A.T, rng.normal(size=n), rng.random(n)
    proved = svm(in_stack(K), y, coef, -0.5, alpha, 2.0, weights=weights, learned=(L, beta))
    P = exact_svm(K[0], y, coef, -0.5, 2.0 * weights, (L, beta))
    assert_values(proved, P, exact_dual(L, y, alpha, 2.0 * weights, True)[0])


@pytest.mark.parametrize("C", [1e2, 1e9, 1e12])
@pytest.mark.parametrize("margin", [1.0, 1.0 - 1e-9, 1.0 + 2.0**-52])
def test_the_value_is_that_of_the_stretched_predictor(margin, C):
    """Examples at 1/3 and -1/3: margins are next to 1, and a loss of rounding would cost C."""
    K = np.array([[[1.0, -1.0], [-1.0, 1.0]]]) / 9.0
    y, coef = np.array([1.0, -1.0]), 4.5 * margin * np.array([1.0, -1.0])
    proved = svm(in_stack(K), y, coef, 0.0, np.full(2, 4.5), C)
    s, exact = Fraction(proved.stretch), fractions(K[0]) @ fractions(coef)
    assert 1 <= s <= 1 + Fraction(2, 10**9) and (s > 1 or C == 1e2 or margin > 1.0)
    P = HALF * s**2 * (fractions(coef) @ exact) + Fraction(C) * hinge(fractions(y) * exact * s, [1, 1])
    assert abs(Fraction(proved.objective) - P) <= CLOSE * P
    assert proved.dual_objective <= proved.objective


@pytest.mark.parametrize("alpha", [[20.0, 10.0], [2.0, 1.0], [1.0, 4.0], [2.0, 0.0], [2.0, 2.0], [0.0, 0.0]])
def test_multipliers_out_of_balance_prove_no_more_than_balanced_ones(alpha):
    """Examples at 1 and 2: the least value is 2, at ``f = 3 - 2x``, whatever the predictor and the multipliers."""
    K, y, alpha = np.array([[[1.0, 2.0], [2.0, 4.0]]]), np.array([1.0, -1.0]), np.array(alpha)
    least = min(alpha)
    for coef, b in ((np.zeros(2), 0.0), (np.array([2.0, -2.0]), 3.0)):
        proved = svm(in_stack(K), y, coef, b, alpha, 100.0)
        assert proved.dual_objective == pytest.approx(2.0 * least - 0.5 * least**2, rel=1e-13)
    proved = hard_svm(in_stack(K), y, np.array([2.0, -2.0]), 3.0, alpha)
    assert proved.objective == 4.0 and proved.dual_objective == pytest.approx(4.0 if least else 0.0, rel=1e-13)


@pytest.mark.parametrize("power", [-300, 0, 300])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_separating_machines_have_the_values_of_fractions(seed, bias, power):
    rng = np.random.default_rng(seed)
    n, unit = int(rng.integers(4, 9)), 2.0**power
    V = rng.integers(-3, 4, (n, 2)).astype(float)
    y = rng.choice([-1.0, 1.0], n)
    y[:2] = 1.0, -1.0
    V[:, 0] = y * (1.0 + np.abs(V[:, 0]))  # separable
    K, coef = (V @ V.T)[None], y * rng.random(n) + 1e-3 * rng.normal(size=n)
    b = 0.125 if bias else 0.0
    alpha = rng.normal(size=n)
    alpha[:2] = 0.75, 1.5
    proved = hard_svm(in_stack(unit * K), y, coef / unit, b, alpha / unit, bias)
    k, v, c = (fractions(x) for x in (K[0], y, coef))
    signed = cut(fractions(alpha), 0, [inf] * n) * v
    signed = balance(signed) if bias else signed
    D = sum(abs(signed)) ** 2 / (signed @ k @ signed) / Fraction(unit)
    least = min(v * (k @ c + Fraction(b)))
    if least > 0:
        assert_values(proved, c @ k @ c / least**2 / Fraction(unit), D)
    else:
        assert proved.objective == inf and abs(Fraction(proved.dual_objective) - D) <= CLOSE * D
    for w in rng.normal(size=(10, n)) * 0.1 + y:
        w = fractions(w)
        f = k @ w
        up, down = min(f[y > 0]), max(f[y < 0])
        b = -(up + down) / 2 if bias else 0
        if (least := min(v * (f + b))) > 0:
            assert Fraction(proved.dual_objective) * Fraction(unit) <= (w @ k @ w) / least**2 * (1 + CLOSE)
