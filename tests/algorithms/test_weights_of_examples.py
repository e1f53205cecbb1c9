"""Weights of classes and examples, against scikit-learn's SVC and against examples that are there several times."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.svm import SVC

import kernlearn
from tests.conftest import moons

X, Y = moons(90)
RNG = np.random.default_rng(0)
W = RNG.uniform(0.2, 3.0, 90)
THREE = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))
SVM = kernlearn.L2SVMClassifier(kernel="gaussian", gamma=1.0, C=2.0, tol=1e-8)
ONE_KERNEL = {"gammas": [1.0], "centre": False, "normalise": "none", "C": 2.0}
WEIGHED = [
    kernlearn.TwoStageClassifier(weighting="unif", **ONE_KERNEL),
    kernlearn.MKLClassifier(**ONE_KERNEL),
    kernlearn.MKLClassifier(norm=2.0, **ONE_KERNEL),
]


def svc(class_weight=None, C=2.0):
    return SVC(kernel="rbf", gamma=1.0, C=C, class_weight=class_weight, tol=1e-8)


@pytest.mark.parametrize("solver", ["homotopy", "libsvm"])
@pytest.mark.parametrize("class_weight", [None, "balanced", {-1.0: 5.0, 1.0: 0.5}, {1.0: 10.0}])
def test_the_svm_is_that_of_scikit_learn(class_weight, solver):
    y = np.where(np.arange(90) % 3 == 0, 1.0, Y)  # unbalanced
    weights = None if class_weight == "balanced" else W  # scikit-learn counts examples there, we add up weights
    model = clone(SVM).set_params(solver=solver, class_weight=class_weight, tol=1e-8 if solver == "homotopy" else 1e-2)
    model.fit(X, y, sample_weight=weights)
    other = svc(class_weight).fit(X, y, sample_weight=weights)
    near = 1e-5 if solver == "homotopy" else 1e-2
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(X), atol=near)
    assert abs(model.gap_) <= model.tol


@pytest.mark.parametrize("Cs", [0.01, 2.0, 1e4])
def test_an_example_of_weight_two_is_two_examples(Cs):
    counts = RNG.integers(0, 4, 90)
    repeated = np.repeat(np.arange(90), counts)
    model = clone(SVM).set_params(C=Cs, tol=1e-6)
    weighted = clone(model).fit(X, Y, sample_weight=counts)
    several = clone(model).fit(X[repeated], Y[repeated])
    assert weighted.objective_ == pytest.approx(several.objective_, rel=2e-6)
    np.testing.assert_allclose(weighted.decision_function(X), several.decision_function(X), atol=1e-2)
    assert not np.isin(weighted.support_, np.flatnonzero(counts == 0)).any()


def test_weights_of_a_precomputed_kernel():
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))
    weights = np.where(np.arange(90) % 4 == 0, 0.0, W)
    given = clone(SVM).set_params(kernel="precomputed").fit(K, Y, sample_weight=weights)
    direct = clone(SVM).fit(X, Y, sample_weight=weights)
    np.testing.assert_array_equal(given.support_, direct.support_)
    np.testing.assert_allclose(given.decision_function(K), direct.decision_function(X), atol=1e-6)


def test_equal_examples_of_different_weights_are_one():
    pairs = np.repeat(np.arange(45), 2)
    model = clone(SVM).fit(X[pairs], Y[pairs], sample_weight=W)
    once = clone(SVM).fit(X[:45], Y[:45], sample_weight=W.reshape(45, 2).sum(axis=1))
    assert model.objective_ == pytest.approx(once.objective_, rel=1e-7)


def test_a_factor_of_all_weights_is_one_of_C():
    scaled = clone(SVM).set_params(C=0.5).fit(X, Y, sample_weight=4.0 * W)
    np.testing.assert_allclose(scaled.objective_, clone(SVM).fit(X, Y, sample_weight=W).objective_, rtol=1e-7)


@pytest.mark.parametrize("model", WEIGHED, ids=repr)
def test_kernel_learning_with_one_kernel_is_the_svm(model):
    model = clone(model).set_params(class_weight={-1.0: 5.0}, tol=1e-9).fit(X, Y)
    other = svc({-1.0: 5.0}).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(X), atol=1e-4)
    assert abs(model.gap_) <= 1e-9


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "model",
    [
        kernlearn.L2SVMClassifier(),
        kernlearn.TwoStageClassifier(),
        kernlearn.MKLClassifier(C=10.0),
        kernlearn.MKLClassifier(norm=1.5, C=10.0),
        kernlearn.MKLClassifier(kernel="features", C=10.0),
        kernlearn.LocalRademacherClassifier(),
        kernlearn.LocalRademacherClassifier(method="dc"),
        kernlearn.VKRClassifier(tol=1e-9),
        kernlearn.VKRClassifier(tol=1e-9, solver="highs"),
        kernlearn.VKRClassifier(tol=1e-6, solver="interior"),
        kernlearn.L1SVMClassifier(tol=1e-9),
        kernlearn.RMMClassifier(kernel="gaussian", C=0.3),
        kernlearn.RMMClassifier(D=1.0),
        kernlearn.MulticlassMKLClassifier(C=10.0),
        kernlearn.UFOMKLClassifier(C=10.0, finish="exact"),
        kernlearn.SoftSVMClassifier(),
        kernlearn.SoftSVMClassifier(homogenous=True),
        kernlearn.SigmaSVMClassifier(),
        kernlearn.EKMClassifier(C=1.0),
        kernlearn.USVMClassifier(),
    ],
    ids=repr,
)
def test_heavier_classes_are_predicted_more_often(model):
    rare = np.where(Y > 0, 1, 0)
    keep = np.concatenate([np.flatnonzero(rare == 0), np.flatnonzero(rare == 1)[:6]])
    noisy = X[keep] + np.random.default_rng(1).normal(0, 0.6, (len(keep), 2))
    fits = [clone(model).set_params(class_weight=w).fit(noisy, rare[keep]) for w in (None, "balanced")]
    counts = [int(fit.predict(noisy).sum()) for fit in fits]
    assert counts[0] < counts[1] and all(abs(fit.gap_) <= fit.tol for fit in fits)


@pytest.mark.parametrize("solver", ["simplex", "interior", "highs"])
@pytest.mark.parametrize("name", ["L1SVMClassifier", "VKRClassifier"])
def test_a_class_of_weight_three_is_there_three_times(name, solver):
    """The mean loss of 1 + 3 parts, of half as many examples, has twice the penalty."""
    y = np.where(np.arange(90) % 2, 1, 0)
    given = {"kernel": "gaussian", "solver": solver, "tol": 1e-9}
    given |= {"gamma": 1.0} if name == "L1SVMClassifier" else {"gammas": [0.5, 2.0], "lambda_": 0.0}
    Model = getattr(kernlearn, name)
    model = Model(**given, beta=0.02, class_weight={1: 3.0}).fit(X, y)
    copies = np.repeat(np.arange(90), np.where(y == 1, 3, 1))
    other = Model(**given, beta=0.01).fit(X[copies], y[copies])
    assert model.objective_ == pytest.approx(2.0 * other.objective_, rel=1e-7)
    assert abs(model.gap_) <= 1e-9 and model.dual_objective_ <= model.objective_ * (1 + 1e-9)
    losses = np.maximum(0.0, 1.0 - (2 * y - 1) * model.decision_function(X)) * np.where(y == 1, 3.0, 1.0)
    assert model.objective_ == pytest.approx(losses.mean() + 0.02 * np.abs(model.dual_coef_).sum(), rel=1e-9)


def test_the_relative_margin_machine_without_a_bound_is_the_svm():
    given = {"kernel": "gaussian", "gamma": 1.0, "C": 2.0, "class_weight": {-1.0: 5.0}}
    model = kernlearn.RMMClassifier(fraction=1.0, tol=1e-8, **given)
    other = svc({-1.0: 5.0}).fit(X, Y)
    np.testing.assert_allclose(model.fit(X, Y).decision_function(X), other.decision_function(X), atol=1e-4)


@pytest.mark.parametrize("model", [SVM, WEIGHED[1]], ids=repr)
def test_a_weight_for_an_absent_class_is_warned_of_and_has_no_effect(model):
    with pytest.warns(UserWarning, match="no example is of class 3, whose weight has no effect; the classes are -1.0"):
        fitted = clone(model).set_params(class_weight={3: 9.0, 1.0: 2.0}).fit(X, Y)
    known = clone(model).set_params(class_weight={1.0: 2.0}).fit(X, Y)
    np.testing.assert_array_equal(fitted.decision_function(X), known.decision_function(X))


def test_classes_one_against_the_rest_keep_their_weights():
    weights = {"red": 3.0, "blue": 0.5}
    model = clone(SVM).set_params(class_weight=weights).fit(X, THREE)
    factors = np.array([weights.get(name, 1.0) for name in THREE])
    for c, name in enumerate(model.classes_):
        binary = clone(SVM).fit(X, THREE == name, sample_weight=factors)
        np.testing.assert_allclose(model.decision_function(X)[:, c], binary.decision_function(X), atol=1e-6)


@pytest.mark.parametrize(
    ("model", "class_weight", "message"),
    [
        (SVM, "even", "class_weight=even: must be 'balanced', a dictionary or None"),
        (SVM, {1.0: -2.0}, r"class_weight\[1.0\]=-2.0: must be a number > 0"),
        (kernlearn.TwoStageClassifier(machine="ridge"), "balanced", "is for machine='svm'"),
    ],
)
def test_wrong_weights_are_told(model, class_weight, message):
    with pytest.raises(ValueError, match=message):
        clone(model).set_params(class_weight=class_weight).fit(X, Y)


def test_weights_of_no_example_are_told():
    with pytest.raises(ValueError, match="one class only"):
        clone(SVM).fit(X, Y, sample_weight=(Y > 0).astype(float))
    with pytest.raises(ValueError, match="[Nn]egative"):
        clone(SVM).fit(X, Y, sample_weight=-W)
