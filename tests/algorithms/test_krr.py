"""The estimators in closed form: ridge regression with one kernel, the Fisher discriminant and the nearest mean."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import NearestCentroid
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernlearn
from kernlearn.kernels import GramStack, make_family
from tests.conftest import moons

ESTIMATORS = [kernlearn.KRRRegressor, kernlearn.KRRMeanRegressor]
X, Y = moons(80)
TARGET = np.sin(3.0 * X[:, 0]) + X[:, 1] + 5.0
PLAIN = {"kernel": "gaussian", "gamma": 0.7}


@pytest.mark.sampled(4)
@parametrize_with_checks(
    [Estimator() for Estimator in ESTIMATORS],
    expected_failed_checks=lambda _: {"check_sample_weight_equivalence_on_dense_data": "gamma='scale'"},
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def test_without_centring_it_is_kernel_ridge_of_scikit_learn():
    ours = kernlearn.KRRRegressor(**PLAIN, lambda_=0.3, centre=False, normalise="none").fit(X, TARGET)
    other = KernelRidge(kernel="rbf", gamma=0.7, alpha=0.3).fit(X, TARGET)
    np.testing.assert_allclose(ours.predict(X), other.predict(X), rtol=1e-10)
    np.testing.assert_allclose(ours.dual_coef_[0], other.dual_coef_, rtol=1e-8)
    assert ours.gap_ < 1e-9 and ours.intercept_[0] == 0.0


def test_with_centring_a_constant_is_free():
    model = kernlearn.KRRRegressor(**PLAIN, lambda_=0.3)
    shifted = kernlearn.KRRRegressor(**PLAIN, lambda_=0.3).fit(X, TARGET + 100.0).predict(X)
    np.testing.assert_allclose(shifted, model.fit(X, TARGET).predict(X) + 100.0, rtol=1e-9)


@pytest.mark.parametrize("centre", [True, False])
def test_the_mean_loss_is_another_unit_of_the_penalty(centre):
    mean = kernlearn.KRRMeanRegressor(**PLAIN, lambda_=1e-3, centre=centre).fit(X, TARGET)
    total = kernlearn.KRRRegressor(**PLAIN, lambda_=2e-3 * 80, centre=centre, normalise="none").fit(X, TARGET)
    np.testing.assert_allclose(mean.predict(X), total.predict(X), rtol=1e-10)
    residual = TARGET - mean.predict(X)
    assert mean.objective_ == pytest.approx(1e-3 * total.objective_, rel=1e-9)
    assert mean.objective_ > residual @ residual / 160


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_precomputed_equals_the_kernel_itself(Estimator):
    direct, stack = Estimator(**PLAIN).fit(X[:60], TARGET[:60]), GramStack.train(family(), X[:60])
    given = Estimator(kernel="precomputed").fit(stack.matrix(0), TARGET[:60])
    new = GramStack(family(), X[60:], X[:60]).matrix(0)
    np.testing.assert_allclose(given.predict(new), direct.predict(X[60:]), rtol=1e-9)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_labels_that_are_no_numbers_are_told_in_one_line(Estimator):
    with pytest.raises(ValueError, match="must be numbers"):
        Estimator().fit(X, np.where(Y > 0, "a", "b").astype(object))


def test_with_a_linear_kernel_the_discriminant_is_that_of_scikit_learn():
    ours = kernlearn.KLDAClassifier(kernel="linear", mu=1e-9).fit(X, Y)
    other = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, Y)
    f, g = ours.decision_function(X), other.decision_function(X)
    np.testing.assert_allclose(f / np.abs(f).max(), g / np.abs(g).max(), atol=1e-5)
    assert ours.gap_ < 1e-6


def test_with_a_linear_kernel_the_nearest_mean_is_the_nearest_centroid():
    labels = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))
    for y in (Y, labels == "red"):
        ours = kernlearn.NearestMeanClassifier(kernel="linear").fit(X, y)
        np.testing.assert_array_equal(ours.predict(X), NearestCentroid().fit(X, y).predict(X))
    assert ours.objective_ == ours.dual_objective_ and ours.gap_ == 0.0


def family():
    return make_family("gaussian", gammas=[0.7])
