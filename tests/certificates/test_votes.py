"""Certificates of votes, against 50 digits and exact fractions, and of the estimators that vote."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from kernlearn.certificates.votes import (
    edges_of,
    edges_of_stumps,
    last_round,
    last_soft_round,
    norm,
    soft_margin,
)
from kernlearn.estimators import (
    AdaBoostClassifier,
    AdaBoostRegClassifier,
    EBBoostClassifier,
    LPBoostClassifier,
    QPBoostClassifier,
)
from kernlearn.kernels import make_family

REACH = 18.0
SEEDS = range(8)


def small(seed):
    """Few examples of whole numbers, with copies and contradictory labels."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    X, y = rng.integers(0, 4, (n, 2)).astype(float), rng.choice([-1.0, 1.0], n)
    y[:2] = 1.0, -1.0
    return X, y, rng


def exactly(losses):
    return [Decimal(x) for x in losses]


def decimal_sum(weights, exponents):
    return sum(Decimal(w) * (-Decimal(x)).exp() for w, x in zip(weights, exponents, strict=True))


def decimal_loss(margins, counts, lambda_, right=None, step=0):
    """(6.8) over n^2 in 50 digits, with the last vote's weight changed by a step."""
    n = sum(exactly(counts))
    moved = [Decimal(m) + (step if r else -step) for m, r in zip(margins, right, strict=True)]
    e = [(-m).exp() for m in moved]
    mean = sum(Decimal(c) * x for c, x in zip(counts, e, strict=True)) / n
    square = sum(Decimal(c) * x * x for c, x in zip(counts, e, strict=True)) / n
    return mean**2 + Decimal(lambda_) * (square - mean**2)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lambda_", [0.0, 0.5, 30.0])
def test_the_last_round_of_a_vote_is_bounded_by_its_closed_form(seed, lambda_):
    rng = np.random.default_rng(seed)
    n = 9
    right, counts = rng.random(n) > 0.4, rng.choice([1.0, 2.5, 1e-3], n)
    right[:2] = True, False
    margins = rng.normal(size=n) * 10.0 ** rng.integers(-2, 2)
    proved = last_round(margins, right, counts, lambda_, 1.0, REACH)
    with localcontext() as context:
        context.prec = 50
        value = decimal_loss(margins, counts, lambda_, right)
        assert abs(Decimal(proved.objective) / value - 1) < Decimal("1e-13")
        n = sum(exactly(counts))
        P = []
        for part in (right, ~right):
            W = decimal_sum(counts[part], margins[part])
            Q = decimal_sum(counts[part], 2.0 * margins[part])
            P.append((1 - Decimal(lambda_)) * W**2 + Decimal(lambda_) * n * Q)
        step = (P[0] / P[1]).ln() / 4
        least = decimal_loss(margins, counts, lambda_, right, min(max(step, Decimal(-19)), Decimal(17)))
        assert Decimal(proved.dual_objective) <= least <= Decimal(proved.dual_objective) + value * Decimal("1e-12")


@pytest.mark.parametrize("C", [0.0, 1.0, 300.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_soft_round_is_bounded_for_every_weight(seed, C):
    rng = np.random.default_rng(seed)
    n, alpha = 7, 0.7
    gains = rng.choice([-1.0, 1.0], n) + C * rng.random(n) / n
    soft, counts = 3.0 * rng.normal(size=n), rng.choice([1.0, 3.0], n)
    proved = last_soft_round(soft, gains, counts, alpha, REACH)
    with localcontext() as context:
        context.prec = 50
        size = sum(exactly(counts))
        value = decimal_sum(counts, soft) / size
        assert abs(Decimal(proved.objective) / value - 1) < Decimal("1e-13")
        for a in [0.0, 0.3, 0.7, 1.0, 5.0, REACH]:
            moved = [Decimal(s) + Decimal(a - alpha) * Decimal(g) for s, g in zip(soft, gains, strict=True)]
            assert Decimal(proved.dual_objective) <= decimal_sum(counts, moved) / size


def test_a_vote_that_is_right_everywhere_has_the_infimum_0_and_attains_its_own_loss():
    ones = np.ones(3)
    for proved, value in [
        (last_round(ones, ones > 0, ones, 0.0, 1.0, REACH), np.exp(-2.0)),
        (last_soft_round(ones, ones, ones, 1.0, REACH), np.exp(-1.0)),
    ]:
        assert proved.objective == pytest.approx(value) and proved.dual_objective == 0.0 and proved.gap == 1.0


def fraction_edges(votes, v, y):
    return [sum(Fraction(a) * Fraction(b) * Fraction(c) for a, b, c in zip(row, v, y, strict=True)) for row in votes]


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_are_exact_but_for_what_is_said(seed):
    X, y, rng = small(seed)
    stumps = make_family("stumps", number=0).fit(X, 0)
    v = rng.random(len(y)) * 10.0 ** rng.integers(-6, 7, len(y))
    votes = stumps.votes(np.arange(len(stumps)))
    for found, unsure in (edges_of(votes, v * y), edges_of_stumps(stumps, v * y)):
        for mine, exact in zip(found, fraction_edges(votes, v, y), strict=True):
            assert abs(Fraction(mine) - exact) <= Fraction(unsure)


@pytest.mark.parametrize("over", ["adaboost", "all"])
@pytest.mark.parametrize("seed", SEEDS)
def test_lpboost_and_qpboost_are_certified_as_they_predict(seed, over):
    X, y, rng = small(seed)
    nu, C = float(rng.choice([0.3, 0.6, 1.0])), 10.0 ** float(rng.integers(-3, 4))
    stumps = make_family("stumps", number=0).fit(X, 0)
    votes = stumps.votes(np.arange(len(stumps)))
    n = len(y)
    model = LPBoostClassifier(nu=nu, over=over, rounds=20).fit(X, y)
    m = [Fraction(a) for a in y * model.decision_function(X)]
    u = Fraction(1.0 / (nu * n))
    value = min(1 - rho + u * sum(max(0, rho - x) for x in m) for rho in m)
    assert abs(float(value) - model.objective_) <= 1e-12
    assert model.dual_objective_ <= model.objective_ and model.gap_ <= 1e-9
    model = QPBoostClassifier(C=C, over=over, rounds=20).fit(X, y)
    m = [Fraction(a) for a in y * model.decision_function(X)]
    value = sum(Fraction(a) ** 2 for a in model.estimator_weights_) + Fraction(C) * sum(max(0, 1 - x) for x in m)
    assert abs(float(value) / model.objective_ - 1.0) <= 1e-14 and model.gap_ <= 1e-9
    if over == "all":
        both = np.vstack([votes, -votes])
        v = np.minimum(rng.random(n), C)
        edges, unsure = edges_of_stumps(stumps, v * y)
        proved = norm(np.ones(n), np.zeros(0), np.full(n, C), v, np.abs(edges), unsure)
        exact = sum(map(Fraction, v)) - sum(max(0, e) ** 2 for e in fraction_edges(both, v, y)) / 4
        assert Fraction(proved.dual_objective) <= exact <= Fraction(proved.dual_objective) + abs(exact) / 10**12
        w = v / v.sum()
        largest = max(fraction_edges(both, w, y))
        edges, unsure = edges_of_stumps(stumps, w * y)
        proved = soft_margin(np.zeros(n), np.ones(1), np.ones(n), w, float(np.abs(edges).max()) + unsure)
        assert Fraction(proved.dual_objective) <= 1 - largest <= Fraction(proved.dual_objective) + Fraction(1, 10**12)


def test_of_a_soft_margin_the_best_threshold_is_taken_and_rounding_is_nothing():
    perfect = np.array([0.1, 0.2, 0.7])  # 1 - the sum of these is rounding
    margins = np.full(4, perfect.sum())
    v = np.full(4, 0.25)
    proved = soft_margin(margins, perfect, 2.0 * v, v, 1.0)
    assert proved.objective == proved.dual_objective == 0.0 and proved.violation < 1e-15
    proved = soft_margin(np.array([-1.0, 0.5, 1.0, 1.0]), np.ones(1), 2.0 * v, v, 0.375)
    assert proved.objective == 1.0 - 0.5 + 0.5 * 1.5  # half of the weight is below rho
    assert proved.dual_objective == pytest.approx(0.625)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("seed", SEEDS)
def test_boosting_is_certified_as_it_predicts(seed, scale):
    X, y, rng = small(seed)
    for model in (
        AdaBoostClassifier(rounds=6),
        EBBoostClassifier(rounds=6, lambda_=1.0),
        AdaBoostRegClassifier(rounds=1, C=3.0),
    ):
        weights = rng.integers(1, 4, len(y)).astype(float)
        model.fit(scale * X, y, sample_weight=weights)
        e = np.exp(-y * model.decision_function(scale * X))
        mean = np.average(e, weights=weights)
        value = mean**2 + getattr(model, "lambda_", 0.0) * np.average((e - mean) ** 2, weights=weights)
        if isinstance(model, AdaBoostRegClassifier):  # the influence of one round is its weight, shared out
            influence = np.abs(model.estimator_weights_).sum() / weights.sum()
            value = mean * np.exp(-3.0 * influence)
        assert model.objective_ == pytest.approx(value, rel=1e-12)
        right = y * model.decision_function(scale * X) > 0
        alone = right.all() and len(model.estimator_weights_) == 1
        assert model.gap_ == 1.0 if alone else model.gap_ <= 1e-6
