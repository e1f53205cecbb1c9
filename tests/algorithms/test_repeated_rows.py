"""Weights of examples are repeated rows, in every estimator that takes them."""

from inspect import signature

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning

import kernlearn
from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, GramStack, make_family
from tests.algorithms.public import PLAIN
from tests.conftest import moons

X, Y = moons(50)
THREE = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))
COUNTS = np.random.default_rng(0).integers(0, 4, 50)
ROWS = np.repeat(np.arange(50), COUNTS)
GAUSSIAN = {"kernel": "gaussian", "gamma": 1.5}
VKR = {"kernel": "gaussian", "gammas": [0.5, 3.0], "tol": 1e-9}
MODELS = [
    kernlearn.L2SVMClassifier(**GAUSSIAN, tol=1e-9),
    kernlearn.SoftSVMClassifier(**GAUSSIAN, tol=1e-9),
    kernlearn.SoftSVMClassifier(**GAUSSIAN, homogenous=True, tol=1e-9),
    kernlearn.L1SVMClassifier(**GAUSSIAN, beta=0.02, tol=1e-9),
    kernlearn.L1SVMClassifier(**GAUSSIAN, beta=0.02, tol=1e-6, solver="interior"),
    *(kernlearn.VKRClassifier(**VKR, lambda_=1e-2, complexity=name) for name in ("lemma3", "massart")),
    kernlearn.VKRClassifier(**VKR, lambda_=1e-2, complexity="local", local_radius=0.1),
    kernlearn.VKRClassifier(kernel="polynomial", degrees=[1, 3], lambda_=1e-3, complexity="lemma4_m", tol=1e-9),
    kernlearn.RMMClassifier(**GAUSSIAN, C=3.0, tol=1e-9),
    kernlearn.RMMClassifier(**GAUSSIAN, C=3.0, D=1.0, tol=1e-9),
    kernlearn.HardSVMClassifier(kernel="gaussian", gamma=20.0, tol=1e-9),
    kernlearn.USVMClassifier(**GAUSSIAN, tol=1e-9),
    kernlearn.NearestMeanClassifier(**GAUSSIAN),
    kernlearn.EBBoostClassifier(rounds=10),
    kernlearn.LPBoostClassifier(rounds=10),
    kernlearn.QPBoostClassifier(rounds=10),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_an_example_of_weight_two_is_two_examples(model, class_weight):
    if class_weight:
        if "class_weight" not in model.get_params():
            pytest.skip("has no class weights")
        model = clone(model).set_params(class_weight=class_weight)
    weighted = clone(model).fit(X, Y, sample_weight=COUNTS)
    several = clone(model).fit(X[ROWS], Y[ROWS])
    tol = max(getattr(model, "tol", 1e-9), 1e-9)
    assert weighted.objective_ == pytest.approx(several.objective_, rel=3.0 * tol)
    assert weighted.dual_objective_ <= several.objective_ + 1e-9 * abs(several.objective_)
    size = np.abs(several.decision_function(X)).max()
    agree = np.abs(weighted.decision_function(X) - several.decision_function(X)) < 1e-2 * size
    assert agree.mean() > 0.9 and weighted.gap_ <= max(tol, several.gap_)
    if hasattr(weighted, "support_"):
        assert not np.isin(weighted.support_, np.flatnonzero(COUNTS == 0)).any()


@pytest.mark.parametrize("model", [MODELS[1], MODELS[3], MODELS[5]], ids=repr)
def test_a_factor_of_all_weights_changes_no_mean(model):
    if isinstance(model, kernlearn.VKRClassifier):
        model = clone(model).set_params(lambda_=0.0)  # complexities are of as many examples as there are
    one, two = (clone(model).fit(X, THREE, sample_weight=factor * np.ones(50)) for factor in (1.0, 7.0))
    assert one.objective_ == pytest.approx(two.objective_, rel=1e-8)


@pytest.mark.parametrize("name", COMPLEXITIES)
def test_complexities_count_examples(name):
    family = make_family("polynomial", degrees=[1, 2, 5], coef0=1.0)
    counts = np.maximum(COUNTS, 1)
    weighted = COMPLEXITIES[name](GramStack.train(family, X), counts=counts.astype(float))
    several = COMPLEXITIES[name](GramStack.train(family, np.repeat(X, counts, axis=0)))
    np.testing.assert_allclose(weighted, several, rtol=1e-10)


def test_a_universum_has_no_weights():
    universum = np.random.default_rng(1).normal(size=(10, 2))
    model = clone(MODELS[12])
    weighted = clone(model).fit(X, Y, universum, sample_weight=COUNTS)
    several = clone(model).fit(X[ROWS], Y[ROWS], universum)
    assert weighted.objective_ == pytest.approx(several.objective_, rel=1e-7)


def test_where_the_problem_counts_examples_alike_weights_are_refused():
    with pytest.raises(UserError, match="sample_weight: is not for nu"):
        kernlearn.RMMClassifier(D=1.0, nu=2.0).fit(X, Y, sample_weight=COUNTS)
    without = [one for one in PLAIN if "sample_weight" not in signature(one.fit).parameters]
    for Estimator in (one for one in without if is_classifier(one()) and "kernel" in one().get_params()):
        with pytest.raises(TypeError, match="sample_weight"):
            Estimator().fit(X, Y, sample_weight=COUNTS)


def test_weights_do_not_separate_what_is_not_separable():
    y = np.where(np.arange(50) < 2, "a", "b")
    with pytest.warns(ConvergenceWarning):
        kernlearn.HardSVMClassifier(kernel="linear").fit(np.zeros((50, 2)) + X[:1], y, sample_weight=COUNTS + 1)


@pytest.mark.sampled(6)
@pytest.mark.filterwarnings("ignore:.*are predicted as class")
@pytest.mark.parametrize("normalise", ["mean_diagonal", "frobenius"])
@pytest.mark.parametrize("centre", [True, False])
@pytest.mark.parametrize(
    "model",
    [
        kernlearn.MKLClassifier(tol=1e-9),
        kernlearn.MKLClassifier(norm=2.0, tol=1e-9),
        kernlearn.TwoStageClassifier(weighting="align", tol=1e-9),
        kernlearn.TwoStageClassifier(tol=1e-9),
        kernlearn.TwoStageClassifier(machine="ridge"),
    ],
    ids=repr,
)
def test_weights_of_kernels_in_classifiers_are_those_of_repeated_rows(model, centre, normalise):
    for kernel, y in (("gaussian", THREE), ("features", Y)):
        model = clone(model).set_params(kernel=kernel, gammas=[0.2, 1.0], centre=centre, normalise=normalise)
        weighted = clone(model).fit(X, y, sample_weight=COUNTS)
        several = clone(model).fit(X[ROWS], y[ROWS])
        assert weighted.objective_ == pytest.approx(several.objective_, rel=1e-8) and weighted.gap_ <= 1e-8
        if kernel == "gaussian":  # of few features the best weights are not the only ones
            np.testing.assert_allclose(weighted.weights_, several.weights_, atol=1e-4 * several.weights_.max())
            np.testing.assert_allclose(weighted.decision_function(X), several.decision_function(X), atol=1e-3)
        parts = np.random.default_rng(1).random(50) * COUNTS
        proof = kernlearn.certify(clone(model).fit(X, y, sample_weight=parts), X, y, parts)
        assert -1e-12 <= proof.relative_gap <= 1e-8 and proof.n_examples == np.count_nonzero(COUNTS)
        two = clone(model).fit(X, y, sample_weight=np.ones(50))
        assert two.objective_ == pytest.approx(clone(model).fit(X, y).objective_, rel=1e-8)
    with pytest.raises(UserError, match="is not for fits with sample_weight"):
        kernlearn.MKLClassifier(class_weight="balanced").fit(X, Y, sample_weight=COUNTS)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("normalise", ["mean_diagonal", "trace", "frobenius", "none"])
@pytest.mark.parametrize("centre", [True, False])
@pytest.mark.parametrize(
    "model",
    [
        kernlearn.LKRRRegressor(norm=1, tol=1e-9),
        kernlearn.LKRRRegressor(mu0=0.1, tol=1e-9),
        kernlearn.TwoStageRegressor(weighting="unif"),
        kernlearn.TwoStageRegressor(weighting="align"),
        kernlearn.TwoStageRegressor(),
    ],
    ids=repr,
)
def test_weights_of_kernels_in_regressions_are_those_of_repeated_rows(model, centre, normalise):
    target = np.sin(2.0 * X[:, 0]) + X[:, 1] + 3.0
    every = np.abs(X - X[:, None]).sum(axis=2)[None] * np.array([0.1, 1.0])[:, None, None]
    matrices = np.moveaxis(np.exp(-every), 0, -1)
    some = np.flatnonzero(COUNTS)
    for kernel in ("gaussian", "features", "precomputed"):
        model = clone(model).set_params(kernel=kernel, gammas=[0.2, 1.0], centre=centre, normalise=normalise)
        given, repeated = X, X[ROWS]
        if kernel == "precomputed":
            given, repeated = matrices, matrices[np.ix_(ROWS, ROWS)]
        weighted = clone(model).fit(given, target, sample_weight=COUNTS)
        several = clone(model).fit(repeated, target[ROWS])
        assert weighted.objective_ == pytest.approx(several.objective_, rel=1e-9) and weighted.gap_ <= 1e-9
        np.testing.assert_allclose(weighted.weights_, several.weights_, atol=1e-9 * several.weights_.max())
        new = matrices[:, ROWS] if kernel == "precomputed" else X
        np.testing.assert_allclose(weighted.predict(given), several.predict(new), atol=1e-7)
        without = clone(model).fit(given[np.ix_(some, some)] if kernel == "precomputed" else X[some], target[some])
        ones = clone(model).fit(given, target, sample_weight=(COUNTS > 0).astype(float))
        np.testing.assert_allclose(
            ones.predict(given), without.predict(given[:, some] if kernel == "precomputed" else X), atol=1e-7
        )
        if kernel == "precomputed":
            continue
        parts = np.random.default_rng(1).random(50) * COUNTS
        proof = kernlearn.certify(clone(model).fit(X, target, sample_weight=parts), X, target, parts)
        assert -1e-12 <= proof.relative_gap <= 1e-8 and proof.n_examples == len(some)


@pytest.mark.parametrize("normalise", ["mean_diagonal", "trace", "frobenius", "none"])
@pytest.mark.parametrize("centre", [True, False])
def test_ridge_regressions_with_weights_are_those_of_repeated_rows(normalise, centre):
    target = np.sin(2.0 * X[:, 0]) + X[:, 1]
    for model in (
        kernlearn.KRRRegressor(**GAUSSIAN, lambda_=0.3, centre=centre, normalise=normalise),
        kernlearn.KRRMeanRegressor(**GAUSSIAN, lambda_=0.01, centre=centre),
    ):
        weighted = clone(model).fit(X, target, sample_weight=COUNTS)
        several = clone(model).fit(X[ROWS], target[ROWS])
        assert weighted.objective_ == pytest.approx(several.objective_, rel=1e-10) and weighted.gap_ <= 1e-10
        np.testing.assert_allclose(weighted.predict(X), several.predict(X), atol=1e-9)
        assert not np.isin(weighted.support_, np.flatnonzero(COUNTS == 0)).any()
        assert kernlearn.certify(weighted, X, target, COUNTS).relative_gap == pytest.approx(weighted.gap_, abs=1e-12)
        two = clone(model).fit(X, target, sample_weight=np.ones(50))
        np.testing.assert_allclose(two.predict(X), clone(model).fit(X, target).predict(X), atol=1e-10)
