"""Widths of kernels: scikit-learn's words for them, and what they are by default."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernlearn import (
    L2SVMClassifier,
    MKLClassifier,
    SoftSVMClassifier,
    TwoStageRegressor,
    USVMClassifier,
    VKRClassifier,
)
from kernlearn.errors import UserError
from kernlearn.estimators.common.combined import CombinedKernelClassifier
from kernlearn.estimators.common.expansion import KernelExpansionClassifier
from tests.algorithms.public import PLAIN
from tests.conftest import moons

X, Y = moons(40)
WITH_KERNELS = [one for one in PLAIN if issubclass(one, KernelExpansionClassifier | CombinedKernelClassifier)]


def test_by_default_the_gaussian_kernel_learns_standardised_features():
    points, labels = load_breast_cancer(return_X_y=True)
    train, test, y, truth = train_test_split(StandardScaler().fit_transform(points), labels, random_state=0)
    ours, theirs = L2SVMClassifier(kernel="rbf").fit(train, y), SVC().fit(train, y)
    assert ours.gamma_ == pytest.approx(theirs._gamma, rel=1e-12)
    np.testing.assert_allclose(ours.decision_function(test), theirs.decision_function(test), atol=0.01)
    assert ours.score(test, truth) > 0.95


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "chi2", "matern", "poly"])
@pytest.mark.parametrize("Model", WITH_KERNELS)
def test_by_default_a_change_of_units_changes_nothing(Model, kernel):
    points = np.abs(X)
    model, other = Model(kernel=kernel).fit(points, Y), Model(kernel=kernel).fit(2.0**-20 * points, Y)
    decisions = other.decision_function(2.0**-20 * points)
    np.testing.assert_allclose(decisions, model.decision_function(points), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("gamma", ["scale", "auto", 0.3])
def test_words_are_those_of_scikit_learn_for_poly_too(gamma):
    options = {"kernel": "poly", "gamma": gamma, "degree": 2, "coef0": 0.5, "C": 2.0}
    ours, theirs = L2SVMClassifier(**options).fit(X, Y), SVC(tol=1e-8, **options).fit(X, Y)
    assert ours.gamma_ == pytest.approx(theirs._gamma, rel=1e-12)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)


def test_several_widths_are_multiples_and_numbers_stay_as_they_are():
    scale = SVC(gamma="scale").fit(X, Y)._gamma
    np.testing.assert_allclose(MKLClassifier().fit(X, Y).gammas_, scale * np.array([0.1, 1, 10]), rtol=1e-12)
    np.testing.assert_allclose(TwoStageRegressor(gammas="auto").fit(X, Y).gammas_, [0.05, 0.5, 5.0], rtol=1e-12)
    assert VKRClassifier(kernel="rbf", gammas=(0.2, 3)).fit(X, Y).gammas_.tolist() == [0.2, 3.0]
    assert MKLClassifier(kernel="poly", gammas=(0.2, 3), degrees=(1, 2)).fit(X, Y).weights_.shape == (1, 4)


def test_of_other_kernels_gamma_has_no_effect_and_is_not_shown():
    model = SoftSVMClassifier(kernel="rbf").fit(X, Y)
    model.set_params(kernel="polynomial").fit(X, Y)
    other = SoftSVMClassifier(kernel="polynomial", gamma=7.0).fit(X, Y)
    np.testing.assert_array_equal(model.decision_function(X), other.decision_function(X))
    assert not hasattr(model, "gamma_")


def test_a_variance_of_none_is_a_width_of_one_and_examples_left_out_have_no_part():
    assert L2SVMClassifier(kernel="rbf").fit(np.ones((4, 3)), [0, 1, 0, 1]).gamma_ == 1.0
    weights = np.r_[np.ones(30), np.zeros(10)]
    weighted = L2SVMClassifier(kernel="rbf").fit(X, Y, sample_weight=weights)
    assert weighted.gamma_ == L2SVMClassifier(kernel="rbf").fit(X[:30], Y[:30]).gamma_
    assert USVMClassifier(kernel="rbf").fit(X, Y, 9 * X).gamma_ == USVMClassifier(kernel="rbf").fit(X, Y).gamma_


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (L2SVMClassifier(gamma="scaled"), '^gamma=scaled: must be "scale", "auto" or a number > 0$'),
        (L2SVMClassifier(gamma=-1), "^gamma=-1: must be a number > 0$"),
        (MKLClassifier(gammas="wide"), '^gammas=wide: must be "scale", "auto" or a number > 0$'),
        (MKLClassifier(gammas=3.0), "^gammas=3.0: must be a list such as"),
    ],
)
def test_wrong_widths_are_told(model, message):
    with pytest.raises(UserError, match=message):
        model.fit(X, Y)
