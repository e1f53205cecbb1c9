"""Certificates of pairs of arrays: other certificates of the same problems, units, weights, and hostile input."""

import numpy as np
import pytest
from scipy import sparse

from kernlearn import certify_arrays
from kernlearn.certificates import Matrix, svm
from kernlearn.certificates.proofs.losses import LOSSES
from kernlearn.certificates.ridge import ridge
from kernlearn.errors import UserError
from kernlearn.kernels import FeatureStack

RNG = np.random.default_rng(1)
N, D = 20, 5
X = RNG.normal(size=(N, D))
K = X @ X.T
SIGNS = np.where(RNG.random(N) < 0.5, 1.0, -1.0)
TARGET = RNG.normal(size=N)
BETA = RNG.normal(size=N)
W = RNG.normal(size=D)


def targets(loss):
    return SIGNS if LOSSES[loss].labels else TARGET


def values_of(proof):
    return np.array([proof.objective, proof.lower_bound])


def test_the_svm_is_that_of_its_own_certificate():
    for intercept, multipliers in ((0.3, np.abs(BETA)), (None, RNG.random(N))):
        options = {"kernel": True, "intercept": intercept, "C": 0.7}
        proof = certify_arrays("svm", K, SIGNS, BETA, multipliers * SIGNS, **options)
        b, bias = intercept or 0.0, intercept is not None
        other = svm(Matrix(K), SIGNS, BETA, b, multipliers, 0.7, bias=bias)
        assert proof.objective == pytest.approx(other.objective, rel=1e-12)
        assert proof.lower_bound >= other.dual_objective - 1e-9  # that of the best multiple of the multipliers


def test_ridge_regression_is_that_of_its_own_certificate():
    coef = np.linalg.solve(X @ X.T + 0.5 * np.eye(N), TARGET)
    proof = certify_arrays("ridge", X, TARGET, X.T @ coef, C=2.0)
    other = ridge(FeatureStack(X, np.zeros(D, dtype=int)), TARGET, X.T @ coef, 0.0, coef, 0.5, np.ones(1), bias=False)
    assert values_of(proof) == pytest.approx([0.5 * other.objective, 0.5 * other.dual_objective], rel=1e-12)
    assert proof.relative_gap <= 1e-12


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize(
    ("loss", "given"),
    [(name, given) for name, one in LOSSES.items() for given in (True, False) if given or one.slopes is not None],
)
def test_a_weight_is_a_repeated_example(loss, kernel, given):
    weights = RNG.integers(1, 4, N)
    y, each = targets(loss), np.repeat(np.arange(N), weights)
    multipliers = np.abs(BETA) * y
    options = {"kernel": kernel, "intercept": 0.2, "C": 0.4, "epsilon": 0.1}
    coef, some = (BETA, BETA[each] / weights[each]) if kernel else (W, W)
    dual, parts = (multipliers, multipliers[each] / weights[each]) if given else (None, None)
    proof = certify_arrays(loss, K if kernel else X, y, coef, dual, sample_weight=weights, **options)
    repeated = K[np.ix_(each, each)] if kernel else X[each]
    other = certify_arrays(loss, repeated, y[each], some, parts, **options)
    assert values_of(other) == pytest.approx(values_of(proof), rel=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("unit", [2.0**-30, 2.0**30])
@pytest.mark.parametrize("loss", LOSSES)
def test_other_units_change_nothing(loss, unit):
    """Features in another unit: weights and C change with it, and so do both values."""
    y = targets(loss)
    for l1, l2 in ((0.0, 1.0), (0.3, 0.0), (0.3, 1.0)):
        plain = certify_arrays(loss, X, y, W, intercept=0.1, C=2.0, l1=l1, l2=l2)
        other = certify_arrays(loss, unit * X, y, W / unit, intercept=0.1, C=2.0, l1=unit * l1, l2=unit**2 * l2)
        assert values_of(other) == pytest.approx(values_of(plain), rel=1e-9)
    plain = certify_arrays(loss, K, y, BETA, BETA, kernel=True, C=2.0)
    other = certify_arrays(loss, unit * K, y, BETA / unit, BETA / unit, kernel=True, C=2.0 / unit)
    assert unit * values_of(other) == pytest.approx(values_of(plain), rel=1e-12)
    assert other.relative_gap == pytest.approx(plain.relative_gap, rel=1e-9)


@pytest.mark.parametrize("loss", [name for name, one in LOSSES.items() if not one.labels])
def test_targets_in_other_units_change_nothing(loss):
    unit = 2.0**20
    square = loss.startswith("squared")
    plain = certify_arrays(loss, X, TARGET, W, intercept=0.1, epsilon=0.1)
    C = 1.0 if square else unit
    other = certify_arrays(loss, X, unit * TARGET, unit * W, intercept=0.1 * unit, epsilon=0.1 * unit, C=C)
    assert values_of(other) == pytest.approx(unit**2 * values_of(plain), rel=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_no_function_is_below_a_bound_of_any_multipliers(loss):
    y = targets(loss)
    options = {"intercept": 0.0, "C": 0.5, "epsilon": 0.1}
    functions = [certify_arrays(loss, X, y, size * RNG.normal(size=D), **options) for size in (0.0, 0.1, 1.0, 5.0)]
    bounds = [certify_arrays(loss, X, y, W, size * BETA, **options).lower_bound for size in (0.0, 0.1, 1.0, 5.0)]
    assert min(one.objective for one in functions) >= max([one.lower_bound for one in functions] + bounds)


def test_the_lasso_at_zero_is_optimal_for_a_large_penalty():
    largest = np.abs(X.T @ TARGET).max()
    proof = certify_arrays("lasso", X, TARGET, np.zeros(D), l1=1.001 * largest)
    assert proof.relative_gap <= 1e-12 and proof.distance == np.inf
    assert certify_arrays("lasso", sparse.csr_array(X), TARGET, np.zeros(D), l1=0.5 * largest).relative_gap > 1e-3


def test_multipliers_that_are_not_feasible_are_said_to_be_so():
    proof = certify_arrays("svm", K, SIGNS, BETA, -SIGNS, kernel=True, intercept=0.0)
    assert proof.violation == 1.0 and proof.lower_bound == 0.0
    assert "violated constraints" in str(proof)


@pytest.mark.parametrize(
    ("words", "arguments", "options"),
    [
        ("problem=svn: must be one of svm", ("svn", X, SIGNS, W), {}),
        ("needs labels y of -1 and 1", ("svm", X, TARGET, W), {}),
        ("coefficients: must be 5 finite numbers", ("svm", X, SIGNS, W[:3]), {}),
        ("coefficients: must be 5 finite numbers", ("svm", X, SIGNS, W * np.nan), {}),
        ("multipliers: must be 20 finite numbers", ("svm", X, SIGNS, W, W), {}),
        ("must be a square matrix", ("svm", X, SIGNS, BETA), {"kernel": True}),
        ("not positive semidefinite", ("svm", -K, SIGNS, BETA), {"kernel": True}),
        ("penalties of features", ("svm", K, SIGNS, BETA), {"kernel": True, "l1": 1.0}),
        ("one of them above 0", ("svm", X, SIGNS, W), {"l2": 0.0}),
        ("must be numbers for this estimator", ("ridge", X, SIGNS.astype(str) + "x", W), {}),
        ("C=-1.0", ("svm", X, SIGNS, W), {"C": -1.0}),
    ],
)
def test_what_does_not_fit_is_refused(words, arguments, options):
    with pytest.raises(UserError, match=words):
        certify_arrays(*arguments, **options)
