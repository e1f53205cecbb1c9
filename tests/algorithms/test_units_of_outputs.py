"""What is predicted does not depend on the units of the outputs: it is their sign, or the largest of them."""

from functools import partial

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem
from kernlearn.algorithms.core.predictor import Expansion, Pairs, joined, predict
from kernlearn.algorithms.core.rounding import error_of_sums, same_for_all, signed, without_noise
from kernlearn.kernels import FeatureStack, GramStack, make_family
from kernlearn.kernels.matrices.repeated import of_kinds
from kernlearn.kernels.matrices.streamed import StreamedStack

RNG = np.random.default_rng(0)
X, CLASSES = RNG.normal(size=(45, 3)), np.repeat([0, 1, 2], 15)
X += np.eye(3)[CLASSES] * 2.0
SMALL, TINY = 1e-3, 1e-7  # both so small that no margin comes near 1
OPTIONS = {
    "perceptron": {"constant": 0.0, "max_updates": 1000},
    "sgd_svm": {"lambdas": [1.0], "epochs": [3], "constant": 0.0},
    "soft_svm": {"lambdas": [1.0], "homogenous": True},
}
#: Points on a lattice: as many are on either side of the line through the origin.
LATTICE = np.array([(i, j) for i in range(-2, 3) for j in range(-2, 3)]) / 10.0
FAMILIES = {
    "gaussian": {"gammas": [0.7]},
    "polynomial": {"degrees": [1, 3]},
    "polynomial_libsvm": {"degrees": [2]},
    "polynomial_unit": {"degrees": [2]},
    "linear": {},
    "sigmoid": {"slopes": [0.3]},
    "mixed": {"gammas": [0.7], "degrees": [2]},
    "views": {"n_views": 2},
}


def predictions(name, reduction, scale, n_classes):
    some = n_classes > CLASSES
    stack = GramStack.train(make_family("linear"), scale * X[some])
    run = partial(ALGORITHMS[name].path, **OPTIONS[name])
    (point,) = REDUCTIONS[reduction](run, Problem(stack, Classes(CLASSES[some], n_classes)))
    return predict(point.predictor.outputs(stack))


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize(("reduction", "n_classes"), [("one_vs_rest", 2), ("one_vs_rest", 3), ("one_vs_one", 3)])
def test_smaller_features_have_the_same_classes(name, reduction, n_classes):
    small, tiny = (predictions(name, reduction, scale, n_classes) for scale in (SMALL, TINY))
    np.testing.assert_array_equal(small, tiny)
    assert len(np.unique(tiny)) == n_classes


def exact(stack, coef, intercept):
    """The outputs and the sums of absolute terms in twice the precision, of kernel values as they are computed."""
    K = np.stack([stack.matrix(k) for k in range(len(stack))]).astype(np.longdouble)
    terms = coef[:, :, None, :] * K
    return terms.sum(axis=(1, 3)) + intercept[:, None], np.abs(terms).sum(axis=(1, 3)) + np.abs(intercept)[:, None]


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("kind", ["held", "streamed", "repeated"])
def test_bounds_hold_and_are_not_much_more_than_what_is_added_up(name, kind):
    family = make_family(name, **FAMILIES[name])
    if kind != "held" and not family.streams:
        pytest.skip("such kernels are always held")
    A = RNG.normal(size=(30, 4))
    A = A[np.arange(30) % 10] if kind == "repeated" else A
    held = GramStack(family, A, A)
    stack = held if kind == "held" else of_kinds(StreamedStack(family, A, A))
    coef, intercept = RNG.normal(size=(2, len(family), 30)), RNG.normal(size=2)
    coef[0] -= coef[0].mean(axis=1, keepdims=True)
    evaluation = Expansion(coef, intercept).evaluate(stack)
    values, sizes = exact(held, coef, intercept)
    rows = np.array([3, 0, 29])
    bounds = evaluation.bounds(rows)
    assert (np.abs(evaluation.values - values)[:, rows] <= bounds).all()
    assert (bounds <= evaluation.largest[:, None] * (1 + 1e-12)).all()
    assert (bounds[1] <= 20 * error_of_sums(sizes[1, rows], 30 * len(family))).all()
    if kind == "held":
        assert (bounds[1] >= error_of_sums(sizes[1, rows], 30 * len(family))).all()


def test_bounds_of_features_are_those_of_their_products():
    V, w = RNG.normal(size=(20, 5)), RNG.normal(size=(2, 5))
    evaluation = Expansion(w, np.ones(2)).evaluate(FeatureStack(V))
    rows = np.array([4, 4, 7])
    np.testing.assert_allclose(evaluation.bounds(rows), error_of_sums(np.abs(w) @ np.abs(V[rows]).T + 1.0, 5))
    assert (evaluation.bounds(np.arange(20)) <= evaluation.largest[:, None]).all()


@pytest.mark.parametrize("name", ["gaussian", "polynomial", "linear"])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_values_that_are_0_but_for_rounding_are_0_and_no_others(name, scale):
    """An odd function of lattice points is 0 on the diagonal; one bit of a coefficient more, and it is not."""
    family = make_family(name, **({"gammas": [0.7]} if name == "gaussian" else FAMILIES[name]))
    stack = GramStack.train(family, LATTICE)
    beta = RNG.normal(size=(5, 5))
    odd = (beta - beta.T).ravel() * scale  # f(x_1, x_2) = -f(x_2, x_1)
    predictor = Expansion(np.repeat(odd[None, None], len(family), axis=1), np.zeros(1))
    f, diagonal = predictor.outputs(stack)[0].reshape(5, 5), np.eye(5, dtype=bool)
    assert (f[diagonal] == 0).all() and (f[~diagonal] != 0).sum() >= 16
    moved = Expansion(predictor.coef, np.full(1, 1e-10 * scale)).outputs(stack)[0].reshape(5, 5)
    assert (moved[diagonal] > 0).all()


def test_far_values_of_a_narrow_kernel_are_small_and_not_0():
    stack = GramStack(make_family("gaussian", gammas=[1.0]), np.array([[0.0], [8.0]]), np.array([[0.5], [-0.5]]))
    f = Expansion(np.array([[[1.0, -0.9]]]), np.zeros(1)).outputs(stack)[0]
    assert 0 < f[1] < 1e-20 and f[0] > 0.01


def test_of_several_outputs_those_that_rounding_cannot_tell_from_the_largest_equal_it():
    values = np.array([[0.3, 0.1 + 0.2, 0.3, -np.inf], [0.1 + 0.2, 0.3, 0.3 - 1e-12, 2.0], [1e-17, 0.1, -1e-17, 1.0]])
    f = without_noise(same_for_all(values, np.array([1e-16, 1e-16, 1e-16])))
    np.testing.assert_array_equal(predict(f), [0, 0, 0, 1])
    np.testing.assert_array_equal(f[:, :2].max(axis=0), 0.1 + 0.2)
    assert f[1, 2] == 0.3 - 1e-12 and f[2, 0] == f[2, 2] == 0.0


def test_pairs_judge_every_output_by_itself():
    """The first is 0 but for rounding; that a second is above it does not make it positive."""
    stack = FeatureStack(np.ones((1, 1)))
    parts = [Expansion(np.array([[w]]), np.array([b])) for w, b in [(1.0, -1.0 + 2e-16), (1.0, -1.0 + 1e-14)]]
    np.testing.assert_array_equal(Pairs(parts, [(0, 1), (0, 2)], 3).choices(stack), [[False], [True]])
    assert (signed(joined(parts).evaluate(stack))[:, 0] > 0).tolist() == [False, True]


def test_a_class_without_examples_never_counts():
    there = Expansion(np.array([[-1.0]]), np.zeros(1))
    f = joined([None, there, None]).outputs(FeatureStack(np.ones((2, 1))))
    np.testing.assert_array_equal(f, [[-np.inf] * 2, [-1.0] * 2, [-np.inf] * 2])
    np.testing.assert_array_equal(predict(f), [1, 1])


def test_prediction_is_that_of_scikit_learn():
    np.testing.assert_array_equal(predict(np.array([[1e-300, 0.0, -0.0, -1e-300, 1.0]])), [1, 0, 0, 0, 1])
    np.testing.assert_array_equal(predict(np.array([[1.0, 1.0], [1.0, 2.0]])), [0, 1])
