"""Estimators are points of the path of their method, and classes against the rest share what is made of kernels."""

import gc
from weakref import ref

import numpy as np
import pytest

import kernlearn
from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem
from kernlearn.algorithms.core.prepare import prepare
from kernlearn.estimators.common.fitting import options_of
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.families.stumps import stumps
from tests.conftest import moons

X, Y = moons(60)
THREE = np.where(X[:, 0] > 0.8, 2, (Y > 0).astype(int))
WEIGHTS = np.random.default_rng(0).uniform(0.3, 3.0, 60)
GAUSSIAN = {"kernel": "gaussian", "gamma": 2.0}


def point_of(name, inputs, values, weights=None, **more):
    options = options_of(ALGORITHMS[name], values) | more

    def path(problem):
        return ALGORITHMS[name].path(problem, **options)

    (point,) = REDUCTIONS["one_vs_rest"](path, Problem(inputs, Classes(THREE, 3), weights=weights))
    return point


@pytest.mark.parametrize(
    ("name", "model", "values", "more"),
    [
        ("l2_svm", kernlearn.L2SVMClassifier(C=3.0, **GAUSSIAN), {"C": 3.0}, {}),
        ("rmm", kernlearn.RMMClassifier(C=3.0, fraction=0.4, **GAUSSIAN), {"C": 3.0, "fraction": 0.4}, {}),
        ("rmm", kernlearn.RMMClassifier(C=3.0, B=1.3, **GAUSSIAN), {"C": 3.0, "fraction": 0.4}, {"B": 1.3}),
        ("rmm_d", kernlearn.RMMClassifier(C=3.0, D=2.0, nu=3.0, **GAUSSIAN), {"C": 3.0, "D": 2.0, "nu": 3.0}, {}),
        ("ekm", kernlearn.EKMClassifier(C=3.0, E=0.1, kernel="linear"), {"C": 3.0, "E": 0.1}, {}),
    ],
    ids=["l2_svm", "rmm", "rmm of a given bound", "rmm_d", "ekm"],
)
def test_an_estimator_is_the_point_of_the_path(name, model, values, more):
    inputs = GramStack.train(make_family("linear") if name == "ekm" else make_family("gaussian", gammas=[2.0]), X)
    point = point_of(name, inputs, values, **more)
    model.fit(X, THREE)
    coef = np.zeros_like(point.predictor.coef)
    coef[:, :, model.support_] = model.dual_coef_
    np.testing.assert_array_equal(coef, point.predictor.coef)
    np.testing.assert_array_equal(model.intercept_, point.predictor.intercept)
    assert model.objective_ == sum(solution.objective for solution in point.solutions)
    assert model.gap_ == max(solution.gap for solution in point.solutions)


@pytest.mark.parametrize("name", ["adaboost", "adaboost_reg", "ebboost", "lpboost", "qpboost"])
def test_paths_of_boosting_count_examples_by_their_weights(name):
    counts = np.random.default_rng(1).integers(1, 4, 60)
    several = np.repeat(np.arange(60), counts)
    values = {"rounds": 12, "every": 12, "C": 0.3, "lambda_": 0.1, "nu": 0.3, "over": "adaboost", "tol": 1e-8}
    options = options_of(ALGORITHMS[name], values)
    found = []
    for rows, weights in ((np.arange(60), counts.astype(float)), (several, None)):
        problem = Problem(stumps(0, "examples").fit(X[rows], 0), Classes(THREE[rows] % 2, 2), weights=weights)
        (point,) = REDUCTIONS["one_vs_rest"](lambda one: ALGORITHMS[name].path(one, **options), problem)
        found.append(point.solutions[0].objective)
    assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_kernels_are_prepared_once_and_kept_no_longer_than_their_inputs():
    stack = GramStack.train(make_family("gaussian", gammas=[0.5, 2.0]), X)
    kernels, t = prepare(stack, True, "trace")
    assert prepare(stack, True, "trace")[0] is kernels
    other, one = prepare(stack, False, "trace")
    assert other is not kernels and not np.array_equal(one, t)
    np.testing.assert_array_equal(prepare(stack, True, "trace")[0].K, kernels.K)
    there = ref(prepare(stack, True, "trace")[0])
    del stack
    gc.collect()
    assert there() is None
