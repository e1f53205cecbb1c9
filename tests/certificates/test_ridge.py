"""Certificates of ridge regressions, against exact fractions and in other units."""

from fractions import Fraction

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Reals
from kernlearn.certificates.ridge import Ball, ridge
from kernlearn.errors import UserError
from kernlearn.estimators import LKRRRegressor, TwoStageRegressor
from kernlearn.kernels import FeatureStack, GramStack, make_family
from tests.certificates.exact import fractions, in_stack, kernels

SEEDS = range(6)
GRIDS = {name: {"lambdas": [1.0, 1e-2], "Lambdas": [1.0]} for name in ("l1_krr", "l2_krr")}


def exact_problem(K, y, coef, intercept, alpha, lambda_, mu, bias, support):
    """(P) and (D) in fractions, of kernels (p, n, n) that predict; alpha less its mean if there is an intercept."""
    K, y, coef, alpha, mu = (fractions(v) for v in (K, y, coef, alpha, mu))
    residual = sum(k @ c for k, c in zip(K, coef, strict=True)) + Fraction(intercept) - y
    square = sum(c @ k @ c / m for c, k, m in zip(coef, K, mu, strict=True) if m)
    alpha = alpha - sum(alpha) / len(alpha) if bias else alpha
    v = [alpha @ k @ alpha for k in K]
    dual = 2 * (alpha @ y) - Fraction(lambda_) * (alpha @ alpha) - support(v)
    return square + residual @ residual / Fraction(lambda_), dual


def whole(seed):
    """Kernels of whole numbers, with copies of examples and contradictory labels."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(4, 9)), int(rng.integers(1, 4))
    K, V = kernels(rng, p, n)
    y = rng.integers(-5, 6, n).astype(float)
    y[:2] = 3.0, -3.0
    return K, V, y, rng


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_both_values_are_those_of_fractions(seed, bias, scale):
    K, V, y, rng = whole(seed)
    y, lambda_ = scale * y, float(10.0 ** rng.integers(-3, 2))
    p, n = len(K), len(y)
    mu, alpha = rng.integers(0, 3, p) + 0.5, scale * rng.normal(size=n)
    beta = alpha - alpha.mean() if bias else alpha
    sizes = rng.integers(1, 4, p).astype(float)
    given = (K, y, np.outer(mu, beta), 0.25 * scale, alpha, lambda_, mu)
    supports = {
        None: lambda v: sum(Fraction(m) * x for m, x in zip(mu, v, strict=True)),
        1: lambda v: 2 * max(x / Fraction(t) for x, t in zip(v, sizes, strict=True)),
    }
    for norm, support in supports.items():
        ball = None if norm is None else Ball(2.0, sizes, norm)
        proved = ridge(in_stack(K), *given[1:], bias=bias, ball=ball)
        P, D = exact_problem(*given, bias, support)
        assert abs(Fraction(proved.objective) / P - 1) < Fraction(1, 10**14)
        assert Fraction(proved.dual_objective) <= D <= Fraction(proved.dual_objective) + (abs(D) + P) / 10**13
    features = FeatureStack(V.transpose(1, 0, 2).reshape(n, -1), np.repeat(np.arange(p), 2))
    w = features.expansion(mu, beta)[0]
    one = ridge(features, y, w, 0.25 * scale, alpha, lambda_, mu, bias=bias)
    other = ridge(in_stack(K), *given[1:], bias=bias)
    assert one.objective == pytest.approx(other.objective, rel=1e-13)
    assert one.dual_objective == pytest.approx(other.dual_objective, abs=1e-13 * (other.objective + abs(one.objective)))
    bigger = ridge(in_stack(K), 4.0 * y, 4.0 * given[2], scale, 4.0 * alpha, lambda_, mu, bias=bias)
    assert bigger == other.times(16.0)


def test_weights_outside_of_their_ball_are_a_violation():
    ball = Ball(2.0, np.array([1.0, 4.0]), 2, np.ones(2))
    assert ball.violation(np.array([1.0, 0.25])) == 0.0
    assert ball.violation(np.array([4.0, 0.25])) == pytest.approx(0.5)
    assert Ball(1.0, np.ones(2), 1).violation(np.array([1.0, 0.5])) == pytest.approx(0.5)


@pytest.mark.parametrize("centre", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_regressors_are_certified_as_they_predict(seed, centre):
    K, _, y, rng = whole(seed)
    lambda_, scale = float(10.0 ** rng.integers(-2, 2)), float(10.0 ** rng.integers(-6, 7))
    for model in (TwoStageRegressor(weighting="unif"), LKRRRegressor(norm=1), LKRRRegressor(norm=2)):
        model.set_params(kernel="precomputed", lambda_=lambda_, centre=centre).fit(K, scale * y)
        (mu,) = model.weights_
        residual = scale * y - model.predict(K)
        alpha = residual / lambda_ - (residual.mean() / lambda_ if centre else 0.0)
        value = sum(m * (alpha @ k @ alpha) for m, k in zip(mu, K, strict=True)) + residual @ residual / lambda_
        assert model.objective_ == pytest.approx(value, rel=1e-6)
        assert 0.0 <= model.gap_ <= 1e-6


@pytest.mark.parametrize("model", [TwoStageRegressor(), LKRRRegressor(), LKRRRegressor(norm=1)])
@pytest.mark.parametrize("unit", [2.0**-440, 2.0**-300, 2.0**300])
def test_labels_in_any_unit_are_learned_alike(model, unit):
    rng = np.random.RandomState(0)
    X = rng.randn(40, 3)
    y = 2.0 * X[:, 0] + 0.1 * rng.randn(40)
    one = model.fit(X, y).predict(X)
    gap = model.gap_
    np.testing.assert_array_equal(model.fit(X, unit * y).predict(X) / unit, one)
    assert model.gap_ == gap


def test_labels_whose_squares_underflow_are_refused():
    X = np.arange(6.0)[:, None]
    with pytest.raises(UserError, match="underflow: use another unit"):
        LKRRRegressor().fit(X, 1e-300 * X[:, 0])
    with pytest.raises(UserError, match="overflow: use another unit"):
        LKRRRegressor().fit(X, 1e300 * X[:, 0])


@pytest.mark.parametrize("name", ["krr", "krr_mean", "l1_krr", "l2_krr", "align", "unif"])
def test_a_path_is_certified_with_the_kernels_that_predict(name):
    """At a solution the norm is ``alpha.f`` with ``alpha = (y - f) / lambda``."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(25, 2))
    y = X[:, 0] + 0.1 * rng.normal(size=25)
    stack = GramStack.train(make_family("gaussian", gammas=[0.1, 1.0]), X)
    for point in ALGORITHMS[name].path(Problem(stack, Reals(y)), **GRIDS.get(name, {"lambdas": [1.0, 1e-2]})):
        (solution,) = point.solutions
        f, lambda_ = point.predictor.outputs(stack)[0], point.values["lambda"]
        factor, ridge_ = (lambda_, 2.0 * lambda_ * len(y)) if name == "krr_mean" else (1.0, lambda_)
        norm = (y - f) / ridge_ @ (f - (0.0 if name == "krr_mean" else f.mean()))
        assert solution.status == "optimal"
        assert solution.objective == pytest.approx(factor * (norm + (y - f) @ (y - f) / ridge_), rel=1e-5)
