"""Probabilities of classifiers, against scikit-learn's calibration on the same folds."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

import kernlearn
from kernlearn.errors import UserError
from tests.algorithms.public import PLAIN
from tests.conftest import moons

X, Y = moons(90)
THREE = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))
SVM = kernlearn.L2SVMClassifier(kernel="gaussian", gamma=1.0, probability=True)
CALIBRATED = [one for one in PLAIN if "probability" in one().get_params()]


def oracle(model):
    return CalibratedClassifierCV(clone(model).set_params(probability=False), cv=StratifiedKFold(5), ensemble=False)


@pytest.mark.sampled(6)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # few rounds, and classes that overlap
@pytest.mark.parametrize("Estimator", CALIBRATED)
def test_they_are_those_of_scikit_learn_s_calibration(Estimator):
    short = {key: value for key, value in {"rounds": 10, "random_state": 0}.items() if key in Estimator().get_params()}
    model = Estimator(probability=True, **short).fit(X, Y)
    other = oracle(model).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-6)
    plain = Estimator(**short).fit(X, Y)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))
    assert not hasattr(plain, "predict_proba")


def test_three_classes_by_name_and_weights_of_examples():
    weights = np.random.default_rng(0).uniform(0.2, 2.0, 90)
    model, other = clone(SVM).fit(X, THREE, sample_weight=weights), oracle(SVM).fit(X, THREE, sample_weight=weights)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert model.predict_proba(X).shape == (90, 3) and model.probA_.shape == model.probB_.shape == (3,)


def test_examples_of_weight_zero_are_left_out():
    weights = np.where(np.arange(90) % 3 == 0, 0.0, 1.0)
    some = weights > 0
    one, two = clone(SVM).fit(X, Y, sample_weight=weights), clone(SVM).fit(X[some], Y[some])
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), atol=1e-5)


def test_they_know_more_than_the_shares_of_the_classes():
    model = clone(SVM).fit(X[:60], Y[:60])
    shares = np.tile([(Y[:60] < 0).mean(), (Y[:60] > 0).mean()], (30, 1))
    assert log_loss(Y[60:], model.predict_proba(X[60:])) < 0.5 * log_loss(Y[60:], shares)


def test_they_are_there_with_a_search_a_pickle_and_a_kernel_matrix():
    search = kernlearn.L2SVMClassifierCV(kernel="gaussian", gammas=[1.0], Cs=[0.1, 10.0], cv=3, probability=True)
    search.fit(X, Y)
    alone = clone(SVM).set_params(**search.best_params_).fit(X, Y)
    np.testing.assert_array_equal(search.predict_proba(X), alone.predict_proba(X))
    again = pickle.loads(pickle.dumps(search))
    np.testing.assert_array_equal(again.predict_proba(X), search.predict_proba(X))
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))
    given = clone(SVM).set_params(kernel="precomputed").fit(K, Y)
    np.testing.assert_allclose(given.predict_proba(K), clone(SVM).fit(X, Y).predict_proba(X), atol=1e-6)
    several = kernlearn.MKLClassifier(kernel="precomputed", probability=True).fit(np.stack([K, K**2]), Y)
    assert several.predict_proba(np.stack([K, K**2])[:, :7]).shape == (7, 2)


def test_without_being_asked_for_there_are_none():
    for Estimator in PLAIN:
        if is_classifier(Estimator()):
            assert not hasattr(Estimator(), "predict_proba")
    with pytest.raises(AttributeError) as told:
        kernlearn.VKRClassifier().fit(X, Y).predict_proba(X)
    assert "give probability=True" in f"{told.value} {told.value.__cause__}"
    fitted = clone(SVM).fit(X, Y)
    assert not hasattr(fitted.set_params(probability=False).fit(X, Y), "probA_")


def test_a_class_of_one_example_is_told():
    with pytest.raises(UserError, match="needs two examples of every class"):
        clone(SVM).fit(X, np.append(Y[:-1], 7.0))
