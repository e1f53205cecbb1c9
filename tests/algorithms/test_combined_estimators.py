"""The estimators that learn a combination of kernels."""

import pickle
from inspect import signature

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    parametrize_with_checks,
)

import kernlearn
from kernlearn.estimators.common.combined import CombinedKernelEstimator
from kernlearn.kernels import GramStack, make_family
from tests.algorithms.public import PLAIN
from tests.conftest import moons

ESTIMATORS = [one for one in PLAIN if issubclass(one, CombinedKernelEstimator)]
VARIANTS = [
    *(kernlearn.TwoStageClassifier(weighting=name) for name in ("unif", "align", "alignf")),
    kernlearn.TwoStageClassifier(machine="ridge"),
    kernlearn.TwoStageRegressor(),
    kernlearn.TwoStageRegressor(weighting="align", centre=False),
    kernlearn.MKLClassifier(normalise="trace", C=300.0),
    kernlearn.MKLClassifier(method="silp", centre=False),
    kernlearn.MKLClassifier(norm=1.5),
    kernlearn.LocalRademacherClassifier(C=300.0),
    kernlearn.LocalRademacherClassifier(method="dc", norm=2.0, C=300.0),
    kernlearn.MulticlassMKLClassifier(norm=2.0, C=10.0),
    kernlearn.MulticlassMKLClassifier(theta=2, C=10.0),
    kernlearn.UFOMKLClassifier(alpha=0.05, C=10.0),
    kernlearn.UFOMKLClassifier(finish="exact", tol=1e-4, C=10.0),
    kernlearn.LKRRRegressor(lambda_=0.1),
    kernlearn.LKRRRegressor(norm=1, lambda_=0.1),
]
X, Y = moons(100)
GAMMAS = [0.1, 1.0, 10.0]
FAMILY = make_family("gaussian", gammas=GAMMAS)
GRAM = GramStack.train(FAMILY, X[:70])
K = np.stack([GRAM.matrix(k) for k in range(3)])
NEW = np.stack([GramStack(FAMILY, X[70:], X[:70]).matrix(k) for k in range(3)])


def values(model, examples):
    return model.decision_function(examples) if is_classifier(model) else model.predict(examples)


def expected_failures(estimator):
    """Return the checks that cannot hold: outputs of mean 0 make no class of nearly all examples.

    Those of weights are for widths that are given: a width by the variance counts all examples alike.
    """
    if isinstance(estimator, (kernlearn.MulticlassMKLClassifier, kernlearn.UFOMKLClassifier)):
        return {"check_class_weight_classifiers": "has no bias"}
    by_variance = type(estimator) in ESTIMATORS and "sample_weight" in signature(estimator.fit).parameters
    return {"check_sample_weight_equivalence_on_dense_data": "gammas='scale'"} if by_variance else {}


@pytest.mark.sampled(8)
@parametrize_with_checks([estimator() for estimator in ESTIMATORS], expected_failed_checks=expected_failures)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks use one class per example
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("Estimator", [one for one in ESTIMATORS if "sample_weight" in signature(one.fit).parameters])
def test_weights_are_repeated_rows_for_widths_that_are_given(Estimator):
    check_sample_weight_equivalence_on_dense_data(Estimator.__name__, Estimator(gammas=[0.1, 0.5]))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("model", VARIANTS, ids=repr)
def test_matrices_of_the_family_give_the_same_predictions(model):
    direct = clone(model).set_params(gammas=GAMMAS).fit(X[:70], Y[:70])
    given = clone(model).set_params(kernel="precomputed").fit(K, Y[:70])
    np.testing.assert_allclose(values(given, NEW), values(direct, X[70:]), atol=1e-9)
    assert (direct.weights_ >= 0).all() and direct.gap_ <= 2 * direct.tol
    f = sum(w * matrix for w, matrix in zip(given.weights_[0], NEW, strict=True))[:, given.support_]
    assert f.shape == (30, given.n_support_)
    assert (direct.score(X, Y) > 0.9) if is_classifier(model) else direct.score(X, Y) > 0.5


@pytest.mark.sampled(4)
@pytest.mark.parametrize("model", VARIANTS, ids=repr)
def test_features_are_rank_one_kernels_sparse_or_not(model):
    rng = np.random.default_rng(0)
    V = np.where(rng.random((60, 25)) < 0.4, rng.normal(size=(60, 25)), 0.0)
    y = np.sign(V[:, :3].sum(axis=1) + 0.1)
    model = clone(model).set_params(kernel="features", **({"theta": 0} if "theta" in model.get_params() else {}))
    fits = [clone(model).fit(features, y) for features in (V, sp.csr_matrix(V))]
    f = values(fits[0], V)
    matrices = np.einsum("ik,jk->kij", V, V)
    dense = clone(model).set_params(kernel="precomputed").fit(matrices, y)
    for g in (values(fits[1], sp.csr_array(V)), values(dense, matrices)):  # each within its gap
        np.testing.assert_allclose(g, f, atol=0.02 * np.abs(f).max())
    np.testing.assert_allclose(V @ fits[0].coef_[0] + fits[0].intercept_[0], f)


@pytest.mark.parametrize("model", VARIANTS[::4], ids=repr)
def test_a_fitted_model_pickles(model):
    model = clone(model).fit(X, Y)
    np.testing.assert_array_equal(values(pickle.loads(pickle.dumps(model)), X), values(model, X))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("model", [model for model in VARIANTS if is_classifier(model)], ids=repr)
def test_three_classes(model):
    labels = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))
    model = clone(model).set_params(C=300.0).fit(X, labels)
    assert model.decision_function(X).shape == (100, 3) and model.score(X, labels) > 0.85
    assert model.weights_.shape == (3, 3)


def test_centred_regressors_do_not_mind_a_constant():
    for model in (kernlearn.TwoStageRegressor(), kernlearn.LKRRRegressor(), kernlearn.LKRRRegressor(norm=1)):
        shifted = clone(model).fit(X, Y + 100.0).predict(X)
        np.testing.assert_allclose(shifted, model.fit(X, Y).predict(X) + 100.0, atol=1e-6)


def test_works_in_grid_search():
    search = GridSearchCV(kernlearn.MKLClassifier(), {"C": [0.1, 10.0], "norm": [1.0, 2.0]}, cv=3).fit(X, Y)
    assert search.best_score_ > 0.8
    labels = np.sin(3 * X[:, 0])
    search = GridSearchCV(kernlearn.LKRRRegressor(), {"lambda_": [0.01, 10.0]}, cv=3).fit(X, labels)
    assert search.best_params_ == {"lambda_": 0.01} and r2_score(labels, search.predict(X)) > 0.9


@pytest.mark.parametrize("model", VARIANTS[::2], ids=repr)
def test_matrices_with_the_kernels_last_are_the_same(model):
    first = clone(model).set_params(kernel="precomputed").fit(K, Y[:70])
    last = clone(first).fit(np.moveaxis(K, 0, -1), Y[:70])
    np.testing.assert_array_equal(values(last, np.moveaxis(NEW, 0, -1)), values(first, NEW))
    with pytest.raises(ValueError, match=r"must have the shape \(m, 70, 3\), these have \(3, 30, 70\)"):
        last.predict(NEW)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("model", VARIANTS[::2], ids=repr)
def test_one_matrix_is_one_kernel(model):
    one = clone(model).set_params(kernel="precomputed").fit(K[1], Y[:70])
    several = clone(one).fit(K[1:2], Y[:70])
    np.testing.assert_array_equal(values(one, NEW[1]), values(several, NEW[1:2]))
    scores = [cross_val_score(clone(one), matrices, Y[:70], cv=3) for matrices in (K[1], K[1][:, :, None])]
    np.testing.assert_array_equal(*scores)
    with pytest.raises(ValueError, match="shape"):
        clone(one).fit(K[1][:, :5], Y[:70])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_matrices_are_sliced_by_cross_validation(Estimator):
    name, values_of = ("lambda_", [0.1, 1.0]) if "lambda_" in Estimator().get_params() else ("C", [1.0, 30.0])
    stack = GramStack.train(FAMILY, X)
    matrices = np.stack([stack.matrix(k) for k in range(len(stack))], axis=-1)
    given, direct = Estimator(kernel="precomputed"), Estimator(gammas=GAMMAS)
    scores = [cross_val_score(model, data, Y, cv=4) for model, data in ((given, matrices), (direct, X))]
    np.testing.assert_allclose(*scores, rtol=1e-9)
    searches = [
        GridSearchCV(model, {name: values_of}, cv=3).fit(data, Y) for model, data in ((given, matrices), (direct, X))
    ]
    assert searches[0].best_params_ == searches[1].best_params_
    np.testing.assert_allclose(*(search.cv_results_["mean_test_score"] for search in searches), rtol=1e-9)


def test_as_many_kernels_as_examples():
    X3 = X[[0, 1, 60, 61, 62]]
    stack = GramStack.train(make_family("gaussian", gammas=[0.1, 0.3, 1.0, 3.0, 9.0]), X3)
    first = np.stack([stack.matrix(k) for k in range(5)])
    y = np.array([0, 1, 0, 1, 1])
    models = [kernlearn.MKLClassifier(kernel="precomputed").fit(k, y) for k in (first, np.moveaxis(first, 0, -1))]
    np.testing.assert_array_equal(models[0].weights_, models[1].weights_)
    np.testing.assert_array_equal(models[0].decision_function(first), models[1].decision_function(first.T))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (kernlearn.TwoStageClassifier(weighting="best"), "weighting=best: must be one of unif, align, alignf"),
        (kernlearn.TwoStageClassifier(kernel="quadratic"), "kernel=quadratic: must be one of"),
        (kernlearn.TwoStageClassifier(C=0), "C=0: must be a number > 0"),
        (kernlearn.MKLClassifier(norm=0.5), "norm=0.5: must be a number >= 1"),
        (kernlearn.MKLClassifier(norm=2.0, method="silp"), "norm 1 only"),
        (kernlearn.MKLClassifier(normalise="yes"), "normalise=yes"),
        (kernlearn.LocalRademacherClassifier(theta=-1), "theta=-1: must be an integer >= 0"),
        (kernlearn.LKRRRegressor(mu0=[1.0, -2.0, 0.0]), "mu0 has the weight -2: every weight must be a number >= 0"),
        (kernlearn.LKRRRegressor(norm=3), "norm=3"),
        (kernlearn.MulticlassMKLClassifier(tol=-1.0), "tol=-1"),
    ],
    ids=repr,
)
def test_wrong_parameters_are_told_in_one_line(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_wrong_matrices_are_told_in_one_line(Estimator):
    model, y = Estimator(kernel="precomputed"), Y[:70]
    broken = K.copy()
    broken[1, 2, 3] += 1.0
    for wrong, message in [
        (broken, "kernel matrix 1 is not symmetric"),
        (np.where(broken == broken[1, 2, 3], np.nan, K), "kernel matrix 1 has values that are NaN"),
        ([K[0], K[1][:5, :5]], "differ in size"),
        (K[:, :5, :5], "5 examples do not fit 70 labels"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.fit(wrong, y)
    model.fit(K, y)
    with pytest.raises(ValueError, match=r"must have the shape \(3, m, 70\)"):
        model.predict(NEW[:2])


def test_a_stopped_fit_warns_and_shows_its_gap():
    with pytest.warns(ConvergenceWarning, match="stopped at a gap of"):
        model = kernlearn.LocalRademacherClassifier(method="dc", step="alternate", max_iter=1).fit(X, Y)
    assert model.gap_ > 1e-6
