"""Certificates of kernels weighed together with an SVM, against exact fractions."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from kernlearn.certificates import weighted_svm
from kernlearn.certificates.multiclass import weighted_multiclass
from kernlearn.certificates.ridge import Ball, ridge
from kernlearn.kernels import FeatureStack
from tests.certificates.exact import (
    CLOSE,
    assert_values,
    balance,
    conjugate,
    cut,
    fractions,
    hinge,
    in_stack,
    kernels,
    norm,
    signs,
)

SEEDS = range(2)
HALF = Fraction(1, 2)


def exact_weighted(K, y, beta, intercept, mu, bounds):
    """(P) of the predictor ``sum_k mu_k K_k beta + b``: its norm is that of the sum of the weighed kernels."""
    combined = sum(Fraction(m) * k for m, k in zip(mu, fractions(K), strict=True))
    beta = fractions(beta)
    margins = fractions(y) * (combined @ beta + Fraction(intercept))
    return HALF * (beta @ combined @ beta) + hinge(margins, fractions(bounds))


def exact_dual(K, y, alpha, bounds, mu, sizes, p):
    signed = balance(cut(fractions(alpha), 0, fractions(bounds)) * fractions(y))
    squares = [signed @ k @ signed for k in fractions(K)]
    if sizes is None:
        square = sum(Fraction(m) * s for m, s in zip(mu, squares, strict=True))
    else:
        square = norm([s / Fraction(t) for s, t in zip(squares, sizes, strict=True)], conjugate(p))
    return sum(abs(signed)) - HALF * square, signed


def problem(seed):
    """Three kernels, of which the first has the weight 0."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 9))
    K, V = kernels(rng, 3, n)
    mu = rng.random(3) + 0.1
    mu[0] = 0.0
    return K, V, signs(rng, n), rng.normal(size=n), mu, rng.integers(0, 3, n) / 2.0, rng


@pytest.mark.parametrize("C", [1e-6, 1e6])
@pytest.mark.parametrize("sizes, p", [(None, 1.0), ([1.0, 3.0, 0.5], 1.0), ([2.0, 1.0, 1.0], 1.5), ([1.0] * 3, inf)])
@pytest.mark.parametrize("seed", SEEDS)
def test_both_values_are_those_of_fractions_and_no_predictor_is_below_the_bound(seed, sizes, p, C):
    K, V, y, beta, mu, weights, rng = problem(seed)
    n, bounds, alpha = len(y), C * weights, 2.0 * C * rng.normal(size=len(y))
    sizes = None if sizes is None else np.array(sizes)
    violation = 0
    if sizes is not None:
        violation = max(0, norm([Fraction(t) * Fraction(m) for t, m in zip(sizes, mu, strict=True)], p) - 1)
    P, (D, signed) = exact_weighted(K, y, beta, 0.25, mu, bounds), exact_dual(K, y, alpha, bounds, mu, sizes, p)
    proved = weighted_svm(in_stack(K), y, np.outer(mu, beta), 0.25, mu, alpha, C, sizes, p, weights=weights)
    assert_values(proved, P, D, violation)
    features = FeatureStack(V.transpose(1, 0, 2).reshape(n, -1), np.repeat(np.arange(3), 2))
    w = features.expansion(mu, beta)[0]
    assert_values(weighted_svm(features, y, w, 0.25, mu, alpha, C, sizes, p, weights=weights), P, D, violation)
    for step in (0.0, 1e-3, 1.0):
        other, weighed = signed.astype(float) + step * C * rng.normal(size=n), mu
        if sizes is not None:
            weighed = rng.random(3)
            weighed = 0.999 * weighed / np.linalg.norm(sizes * weighed, p)
        for b in rng.normal(size=3) * 10.0 ** rng.integers(-2, 3):
            value = exact_weighted(K, y, other, b, weighed, bounds)
            assert Fraction(proved.dual_objective) <= value + CLOSE * (value + abs(D))


@pytest.mark.parametrize("power", [-300, 300])
@pytest.mark.parametrize("sizes", [None, np.array([1.0, 3.0, 0.5])])
@pytest.mark.parametrize("seed", SEEDS)
def test_units_change_no_digit(seed, sizes, power):
    K, _, y, beta, mu, weights, rng = problem(seed)
    alpha, unit, coef = rng.random(len(y)), 2.0**power, np.outer(mu, beta)
    one = weighted_svm(in_stack(K), y, coef, 0.25, mu, alpha, 1.0, sizes, weights=weights)
    rest = mu, alpha / unit, 1.0 / unit, sizes
    assert weighted_svm(in_stack(unit * K), y, coef / unit, 0.25, *rest, weights=weights) == one.times(1.0 / unit)


@pytest.mark.parametrize("sizes", [None, np.ones(1)])
def test_multipliers_out_of_balance_prove_no_more_than_balanced_ones(sizes):
    """Examples at 1 and 2: the least value is 2, at ``f = 3 - 2x``."""
    K, y = np.array([[[1.0, 2.0], [2.0, 4.0]]]), np.array([1.0, -1.0])
    proved = weighted_svm(in_stack(K), y, np.zeros((1, 2)), 0.0, np.ones(1), np.array([20.0, 10.0]), 100.0, sizes)
    assert proved.dual_objective <= 2.0


def test_weights_of_0_have_the_value_of_the_intercept():
    K, y, none = np.eye(4)[None], np.array([1.0, 1.0, 1.0, -1.0]), np.zeros(4)
    proved = weighted_svm(in_stack(K), y, none[None], 0.5, np.zeros(1), none, 2.0, np.ones(1), 2.0)
    assert (proved.objective, proved.dual_objective, proved.zero, proved.violation) == (6.0, 0.0, 4.0, 0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_norm_is_that_of_any_coefficients(seed):
    """Of coefficients that are no multiples of each other, and of some where the weight of the kernel is 0."""
    K, V, y, _, mu, _, rng = problem(seed)
    n, none, coef = len(y), np.zeros(len(y)), rng.integers(-4, 5, (3, len(y))) / 4.0
    assert weighted_svm(in_stack(K), y, coef, 0.25, mu, none, 1.0).objective == inf
    features = FeatureStack(V.transpose(1, 0, 2).reshape(n, -1), np.repeat(np.arange(3), 2))
    assert weighted_svm(features, y, np.ones(6), 0.25, mu, none, 1.0).objective == inf
    coef[0] = 0.0
    square = sum(c @ k @ c / Fraction(m) for c, k, m in zip(fractions(coef[1:]), fractions(K[1:]), mu[1:], strict=True))
    outer = sum(k @ c for c, k in zip(fractions(coef), fractions(K), strict=True))
    P = HALF * square + hinge(fractions(y) * (outer + Fraction(0.25)), fractions(np.ones(n)))
    assert_values(weighted_svm(in_stack(K), y, coef, 0.25, mu, none, 1.0), P, 0)


@pytest.mark.parametrize("norm", [1, 2])
def test_weights_below_0_are_a_violation_of_every_certificate(norm):
    K, y, mu, none = np.stack([np.eye(4)] * 2), np.array([1.0, 1.0, -1.0, -1.0]), np.array([0.5, -0.25]), np.zeros(4)
    stack, sizes, coef, classes = in_stack(K), np.ones(2), np.outer(mu, y), (y > 0).astype(int)
    of_classes = stack, classes, coef[None], np.zeros(1), mu, np.zeros((4, 2)), 1.0, sizes, norm
    proofs = [
        weighted_svm(stack, y, coef, 0.0, mu, none, 1.0, sizes, norm),
        weighted_multiclass(*of_classes, centred=False),
        ridge(stack, y, coef, 0.0, none, 1.0, mu, ball=Ball(1.0, sizes, norm)),
    ]
    assert [proof.violation for proof in proofs] == [0.25] * 3
