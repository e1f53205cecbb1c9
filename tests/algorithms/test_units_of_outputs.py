"""Homogenous machines on features near 0: their outputs have no unit but their own, and none of them is a tie."""

from functools import partial

import numpy as np
import pytest

from kernlearn import KernelPerceptronClassifier, LinearSVMClassifier, SGDSVMClassifier, SoftSVMClassifier
from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem
from kernlearn.algorithms.common.predictor import Expansion, joined, own_unit, predict, units_of
from kernlearn.kernels import GramStack, make_family

RNG = np.random.default_rng(0)
X, CLASSES = RNG.normal(size=(45, 3)), np.repeat([0, 1, 2], 15)
X += np.eye(3)[CLASSES] * 2.0
SMALL, TINY = 1e-3, 1e-7  # both so small that no margin comes near 1
OPTIONS = {
    "perceptron": {"constant": 0.0, "max_updates": 1000},
    "sgd_svm": {"lambdas": [1.0], "epochs": [3], "constant": 0.0},
    "soft_svm": {"lambdas": [1.0], "homogenous": True},
}
ESTIMATORS = {
    "perceptron": KernelPerceptronClassifier(kernel="linear", constant=0.0, max_updates=1000),
    "sgd_svm": SGDSVMClassifier(kernel="linear", lambda_=1.0, n_epochs=3, constant=0.0, tol=1.0),
    "soft_svm": SoftSVMClassifier(kernel="linear", lambda_=1.0, homogenous=True),
    "linear_svm": LinearSVMClassifier(lambda_=1.0, constant=0.0),
}


def predictions(name, reduction, scale, n_classes):
    some = n_classes > CLASSES
    stack = GramStack.train(make_family("linear"), scale * X[some])
    run = partial(ALGORITHMS[name].path, **OPTIONS[name])
    (point,) = REDUCTIONS[reduction](run, Problem(stack, Classes(CLASSES[some], n_classes)))
    return predict(point.predictor.outputs(stack), units_of(point.predictor))


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize(("reduction", "n_classes"), [("one_vs_rest", 2), ("one_vs_rest", 3), ("one_vs_one", 3)])
def test_smaller_features_have_the_same_classes(name, reduction, n_classes):
    small, tiny = (predictions(name, reduction, scale, n_classes) for scale in (SMALL, TINY))
    np.testing.assert_array_equal(small, tiny)
    assert len(np.unique(tiny)) == n_classes


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_so_have_they_for_estimators(name, n_classes):
    some = n_classes > CLASSES
    small, tiny = (ESTIMATORS[name].fit(s * X[some], CLASSES[some]).predict(s * X[some]) for s in (SMALL, TINY))
    np.testing.assert_array_equal(small, tiny)
    assert (tiny == CLASSES[some]).mean() > 0.6


def test_the_unit_is_the_largest_output_or_one():
    assert own_unit(np.array([1e-12, -3e-12])) == 3e-12
    assert own_unit(np.array([5.0, 0.1])) == own_unit(np.zeros(3)) == own_unit(np.zeros(0)) == 1.0
    first = Expansion(np.ones((1, 1, 2)), np.zeros(1), units=np.array([1e-6]))
    both = joined([first, Expansion(np.ones((1, 1, 2)), np.zeros(1))])
    np.testing.assert_array_equal(units_of(both), [1e-6, 1.0])
    np.testing.assert_array_equal(predict(np.array([[1e-14, 1e-16]]), np.array([1e-6])), [1, 0])
