"""Estimators that choose parameters by cross-validation, against scikit-learn's grid search over the same estimator."""

import pickle
from inspect import signature

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer, log_loss, make_scorer, zero_one_loss
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernlearn
from kernlearn.algorithms import ALGORITHMS
from kernlearn.errors import UserError
from kernlearn.estimators.common.scoring import names_of_values
from kernlearn.kernels import GramStack, make_family
from tests.algorithms.public import SEARCHES
from tests.algorithms.test_combined_estimators import expected_failures as failures_of
from tests.conftest import first_of, moons

X, Y = moons(60)
THREE = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))
GROUPS = np.arange(60) // 4
SHORT = {"Cs": [0.1, 1.0, 10.0], "lambdas": [1.0, 0.1, 0.01], "betas": [0.1, 0.01], "fractions": [1.0, 0.5]}
SHORT |= {"mus": [1.0, 0.1], "nus": [0.5, 0.2], "Es": [0.1], "Ds": [0.5, 0.9], "thetas": [1, 2], "units": [3, 5]}
SHORT |= {"epochs": [10, 20], "Lambdas": [1.0]}
#: Those that take a second and more.
LONG = ("MulticlassMKLClassifierCV", "StructRMMClassifierCV", "StructSVMClassifierCV", "LocalRademacherClassifierCV")
SVM = kernlearn.L2SVMClassifierCV(kernel="gaussian", gammas=[0.5, "scale"], Cs=[0.1, 1.0, 10.0], cv=3)


def search_of(Estimator, **given):
    """Return a search over few values."""
    known = Estimator().get_params()
    short = {key: values for key, values in SHORT.items() if key in known} | (
        {"rounds": 15} if "rounds" in known else {}
    )
    return Estimator(**short, cv=3, **given)


def grid_search(search, **given):
    """Return scikit-learn's search over the same points, in the same order."""
    points = [{name: [value] for name, value in point.items()} for point in search.cv_results_["params"]]
    return GridSearchCV(search._estimator({}), points, **{"cv": search.cv, "scoring": search.scoring, **given})


def assert_same(search, other, atol=1e-9):
    for number in range(search.n_splits_):
        key = f"split{number}_test_score"
        np.testing.assert_allclose(search.cv_results_[key], other.cv_results_[key], atol=atol)
    for key in ("mean_test_score", "std_test_score"):
        np.testing.assert_allclose(search.cv_results_[key], other.cv_results_[key], atol=atol)
    assert search.best_score_ == pytest.approx(other.best_score_, abs=atol)


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # steps that were few
@pytest.mark.parametrize(
    "Estimator",
    [pytest.param(one, marks=pytest.mark.slow) if one.__name__ in LONG else one for one in SEARCHES],
)
def test_scores_and_choices_are_those_of_grid_search(Estimator):
    search = search_of(Estimator)
    y = np.where(Y > 0, "b", "a") if is_classifier(search) else Y
    search.fit(X, y)
    other = grid_search(search).fit(X, y)
    assert_same(search, other, 1e-9 if is_classifier(search) else 1e-3)
    np.testing.assert_array_equal(search.cv_results_["rank_test_score"], other.cv_results_["rank_test_score"])
    assert search.best_params_ == other.best_params_ and search.best_index_ == other.best_index_
    assert {key for key in other.cv_results_ if "time" not in key} == search.cv_results_.keys() - {"max_gap"}
    np.testing.assert_array_equal(search.predict(X), other.predict(X))
    assert search.gap_ == other.best_estimator_.gap_ and search.score(X, y) == other.score(X, y)


def test_every_method_with_a_grid_names_its_values():
    family = make_family("gaussian", gammas=[1.0])
    for method in ALGORITHMS.values():
        if method.sequential:
            continue
        defaults = {key: parameter.default for key, parameter in method.parameters.items()}
        grid = method.points(family, method.tasks[0], defaults)
        assert grid[0].keys() - {"gamma", "rounds"} <= names_of_values(method).keys()


@pytest.mark.parametrize(
    "scoring", first_of([make_scorer(zero_one_loss, greater_is_better=False), "roc_auc", "balanced_accuracy"])
)
def test_scores_of_any_kind(scoring):
    search = clone(SVM).set_params(scoring=scoring).fit(X, Y)
    assert_same(search, grid_search(search).fit(X, Y))
    assert search.best_params_.keys() == {"gamma", "C"}


def own_log_loss(estimator, X, y):
    return -log_loss(y, estimator.predict_proba(X), labels=estimator.classes_)


PROBABILITIES = [
    ("neg_log_loss", THREE, True),
    (own_log_loss, Y, False),
    ("neg_log_loss", Y, False),
    ("neg_brier_score", Y, True),
]


@pytest.mark.parametrize(("scoring", "y", "weighted"), first_of(PROBABILITIES, count=2))
def test_scores_of_probabilities(scoring, y, weighted):
    """Sigmoids are learned on every training part, for every point, as the estimator itself learns them."""
    weights = np.arange(60) % 3 if weighted else None
    search = clone(SVM).set_params(scoring=scoring, probability=True).fit(X, y, sample_weight=weights)
    options = {} if weights is None else {"sample_weight": weights}
    if weighted:  # scikit-learn's search scores without weights
        train, test = next(StratifiedKFold(3).split(X, y))
        model = search._estimator(search.cv_results_["params"][1]).fit(X[train], y[train], sample_weight=weights[train])
        score = get_scorer(scoring)(model, X[test], y[test], sample_weight=weights[test])
        assert search.cv_results_["split0_test_score"][1] == pytest.approx(score, abs=1e-6)
    else:
        other = grid_search(search).fit(X, y)
        assert_same(search, other, 1e-6)
        assert search.best_params_ == other.best_params_
    alone = search._estimator(search.best_params_).fit(X, y, **options)
    np.testing.assert_array_equal(search.predict_proba(X), alone.predict_proba(X))


def test_a_list_of_one_value_is_chosen_too():
    search = kernlearn.L2SVMClassifierCV(kernel="rbf", gammas=[0.3], Cs=[1.0, 10.0]).fit(X, Y)
    plain = kernlearn.L2SVMClassifier(kernel="rbf").set_params(**search.best_params_).fit(X, Y)
    assert search.best_params_["gamma"] == 0.3 and set(search.cv_results_["param_gamma"]) == {0.3}
    np.testing.assert_array_equal(plain.decision_function(X), search.decision_function(X))


def test_three_classes_by_name():
    search = clone(SVM).fit(X, THREE)
    assert_same(search, grid_search(search).fit(X, THREE))
    assert search.decision_function(X).shape == (60, 3) and set(search.predict(X)) == set(THREE)


def test_groups_are_kept_together():
    search = clone(SVM).set_params(cv=GroupKFold(3)).fit(X, Y, groups=GROUPS)
    assert_same(search, grid_search(search).fit(X, Y, groups=GROUPS))
    with pytest.raises(ValueError, match="groups"):
        clone(search).fit(X, Y)


def test_of_equal_scores_the_strongest_penalty_is_chosen():
    search = clone(SVM).set_params(scoring=lambda estimator, X, y: 0.5, Cs=[10.0, 0.1]).fit(X, Y)
    assert search.best_params_["C"] == 0.1 and search.best_index_ == 0
    assert (search.cv_results_["rank_test_score"] == 1).all()


def test_a_point_without_a_score_is_not_chosen():
    def score(estimator, X, y):
        return np.nan if np.abs(estimator.decision_function(X)).max() < 1.0 else 1.0

    search = clone(SVM).set_params(scoring=score, Cs=[1e-3, 10.0]).fit(X, Y)
    assert search.best_params_["C"] == 10.0 and search.cv_results_["rank_test_score"][0] > 1
    with pytest.raises(UserError, match="is NaN for every point"):
        clone(SVM).set_params(scoring=lambda *_: np.nan).fit(X, Y)


@pytest.mark.parametrize("kernels_last", [True, False])
def test_kernel_matrices_are_sliced(kernels_last):
    stack = GramStack.train(make_family("gaussian", gammas=[0.5, 2.0]), X)
    K = np.stack([stack.matrix(0), stack.matrix(1)], axis=-1 if kernels_last else 0)
    given = kernlearn.MKLClassifierCV(kernel="precomputed", Cs=[0.1, 10.0], cv=3).fit(K, Y)
    direct = kernlearn.MKLClassifierCV(kernel="gaussian", gammas=[0.5, 2.0], Cs=[0.1, 10.0], cv=3).fit(X, Y)
    assert_same(given, direct.set_params(cv=3))
    np.testing.assert_allclose(given.decision_function(K), direct.decision_function(X), atol=1e-6)


def test_one_kernel_matrix_is_sliced():
    K = GramStack.train(make_family("gaussian", gammas=[0.5]), X).matrix(0)
    given = clone(SVM).set_params(kernel="precomputed").fit(K, Y)
    direct = clone(SVM).set_params(gammas=[0.5]).fit(X, Y)
    means = [one.cv_results_["mean_test_score"][:3] for one in (given, direct)]
    np.testing.assert_array_equal(*means)


def test_weights_of_examples_are_repeated_rows():
    counts = np.random.default_rng(0).integers(0, 4, 60)
    several = np.repeat(np.arange(60), counts)
    splits = list(LeaveOneGroupOut().split(X, Y, GROUPS % 3))
    places = [(np.flatnonzero(np.isin(several, a)), np.flatnonzero(np.isin(several, b))) for a, b in splits]
    model = clone(SVM).set_params(gammas=[0.7], tol=1e-9)
    weighted = clone(model).set_params(cv=splits).fit(X, Y, sample_weight=counts)
    repeated = clone(model).set_params(cv=places).fit(X[several], Y[several])
    assert_same(weighted, repeated)
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-5)
    unweighted = clone(model).set_params(cv=splits, scoring=lambda one, X, y: (one.predict(X) == y).mean())
    assert unweighted.fit(X, Y, sample_weight=counts).best_score_ <= 1.0


def test_names_of_columns_and_other_uses_of_scikit_learn():
    frame = pd.DataFrame(X, columns=["width", "height"])
    model = make_pipeline(StandardScaler().set_output(transform="pandas"), clone(SVM)).fit(frame, Y)
    assert list(model[-1].feature_names_in_) == ["width", "height"] and model[-1].n_features_in_ == 2
    assert len(cross_val_score(model, frame, Y, cv=2)) == 2
    search = pickle.loads(pickle.dumps(clone(SVM).fit(X, Y)))
    np.testing.assert_array_equal(search.predict(X), clone(SVM).fit(X, Y).predict(X))
    assert not hasattr(search, "feature_names_in_") and repr(SVM).startswith("L2SVMClassifierCV(Cs=[0.1, 1.0, 10.0]")


def test_groups_and_weights_are_routed():
    with config_context(enable_metadata_routing=True):
        search = clone(SVM).set_params(cv=GroupKFold(2)).set_fit_request(groups=True, sample_weight=True)
        search.set_score_request(sample_weight=True)
        model = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), search)
        scores = cross_validate(
            model, X, Y, cv=GroupKFold(3), params={"groups": GROUPS, "sample_weight": np.ones(60)}, error_score="raise"
        )["test_score"]
    assert len(scores) == 3 and min(scores) > 0.6


def test_tags_are_those_of_the_estimator():
    for Estimator in SEARCHES:
        search = Estimator()
        assert search.__sklearn_tags__() == search._estimator({}).__sklearn_tags__()


def test_the_estimator_is_that_of_the_best_parameters():
    search = clone(SVM).fit(X, Y)
    alone = kernlearn.L2SVMClassifier(kernel="gaussian").set_params(**search.best_params_).fit(X, Y)
    np.testing.assert_array_equal(search.decision_function(X), alone.decision_function(X))
    assert search.objective_ == alone.objective_ and search.best_estimator_.n_support_ == alone.n_support_


def test_the_score_is_that_of_scoring():
    search = clone(SVM).set_params(scoring="roc_auc", Cs=[1e-3]).fit(X, Y)
    other = grid_search(search).fit(X, Y)
    assert search.score(X, Y) == other.score(X, Y) != np.mean(search.predict(X) == Y)
    usual = clone(search).set_params(scoring=None).fit(X, Y)
    assert usual.score(X, Y) == np.mean(usual.predict(X) == Y)


def test_signatures_and_docstrings_name_every_parameter():
    for Estimator in SEARCHES:
        names = Estimator().get_params().keys()
        assert {"cv", "scoring", "n_jobs"} < names and all(name in Estimator.__doc__ for name in names)
        assert len(str(signature(Estimator))) < 800 and "_array_like" not in str(signature(Estimator))
    with pytest.raises(TypeError, match="unexpected keyword argument 'C'"):
        kernlearn.L2SVMClassifierCV(C=1.0)
    assert kernlearn.VKRClassifierCV("gaussian").kernel == "gaussian"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"Cs": []}, "Cs"),
        ({"Cs": 1.0}, "Cs=1.0: must be a list"),
        ({"Cs": [1.0, -1.0]}, r"Cs\[1\]=-1.0: must be a number > 0"),
        ({"gammas": "scale"}, "gammas=scale: must be a list"),
        ({"gammas": ["scale", -1.0]}, "gamma=-1.0"),
        ({"scoring": ["accuracy", "roc_auc"]}, "must be the name of one score"),
        ({"scoring": "neg_log_loss"}, "needs probabilities; give probability=True"),
        ({"scoring": lambda e, X, y: e.predict_proba(X).sum()}, r"\(the estimator has no attribute 'predict_proba'"),
        ({"scoring": "acuracy"}, "scoring=acuracy: .*did you mean accuracy"),
        ({"cv": 1}, "n_splits=1"),
        ({"cv": []}, r"cv=\[\]: has no split"),
        ({"cv": [1, 2]}, "cannot unpack"),
        ({"cv": [([0.5], [1])]}, r"cv=\[\(\[0.5\]"),
        ({"n_jobs": "two"}, "n_jobs=two: must be an integer"),
        ({"kernel": "none"}, "must be one of"),
    ],
)
def test_wrong_parameters_are_told(given, message):
    with pytest.raises(ValueError, match=message):
        clone(SVM).set_params(**given).fit(X, Y)


def test_fits_that_stop_early_are_counted():
    model = kernlearn.L2SVMClassifierCV(solver="libsvm", max_iter=3, Cs=[1e5], cv=2)
    with pytest.warns(ConvergenceWarning, match="2 of 2 fits of the folds stopped"):
        model.fit(X, Y)
    assert model.cv_results_["max_gap"][0] > 1e-3


@pytest.mark.slow
def test_folds_in_several_processes_are_the_same():
    one, two = (clone(SVM).set_params(n_jobs=jobs).fit(X, Y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


def test_regressors_take_any_splitter():
    cv = ShuffleSplit(4, random_state=0)
    search = kernlearn.TwoStageRegressorCV(cv=cv, scoring="neg_mean_absolute_error").fit(X[:, :1], X[:, 1])
    assert_same(search, grid_search(search).fit(X[:, :1], X[:, 1]), 1e-4)


def expected_failures(search):
    """Return the checks that the estimator itself does not pass, or whose choice rounding decides."""
    weights = "check_sample_weight_equivalence_on_dense_data"
    of_weights = {
        kernlearn.QPBoostClassifierCV: {weights: "rounding decides between votes of equal scores"},
        kernlearn.RBFNetworkClassifierCV: {weights: "k-means counts all examples alike"},
        kernlearn.KRRRegressorCV: {weights: "gamma='scale'"},
        kernlearn.KRRMeanRegressorCV: {weights: "gamma='scale'"},
    }
    return failures_of(search._estimator({})) | of_weights.get(type(search), {})


@pytest.mark.sampled(60)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks use features of size 1e4
@parametrize_with_checks([search_of(Estimator) for Estimator in SEARCHES], expected_failed_checks=expected_failures)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)
