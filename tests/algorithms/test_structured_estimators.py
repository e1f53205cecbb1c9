"""Estimators of labels of sequences, and of structured machines on classes, and what they refuse."""

import pickle
from math import inf

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC

from kernlearn import LinearChainCRF, StructRMM, StructRMMClassifier, StructSVM, StructSVMClassifier
from kernlearn.algorithms import ALGORITHMS, Classes, Problem, Sequences
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from tests.algorithms.test_crf import CHAINS, LABELS, as_lists
from tests.algorithms.test_struct_svm import path
from tests.conftest import first_of, moons

MACHINES = [StructSVM, StructRMM]
ESTIMATORS = [LinearChainCRF, *MACHINES]
WITH_DEGREES = [(StructSVM, 1), (StructSVM, 2), (StructRMM, 1), (StructRMM, 2)]
X, Y = as_lists()


@pytest.mark.parametrize(("Estimator", "degree"), first_of(WITH_DEGREES, 3))
def test_a_tagger_is_the_method(Estimator, degree):
    family = make_family("chains", window=1, degree=degree)
    problem = Problem(family.fit(CHAINS), Sequences(LABELS, 3))
    name, grid = ("struct_svm", {}) if Estimator is StructSVM else ("struct_rmm", {"fractions": [0.25]})
    (point,) = path(ALGORITHMS[name], problem, Cs=[30.0], **grid)
    model = Estimator(degree=degree, C=30.0, **({"fraction": 0.25} if grid else {})).fit(X, Y)
    assert (model.objective_, model.gap_) == (point.solutions[0].objective, point.solutions[0].gap)
    assert model.gap_ <= 1e-3 and model.theta_ == point.facts["theta"] and getattr(model, "B_", inf) >= model.theta_
    assert getattr(model, "B_", None) == (point.facts["B"] if grid else None)
    labels = point.predictor.labels(problem.inputs)
    assert model.predict(X) == [[f"tag{label}" for label in one] for one in CHAINS.split(labels)]
    if degree == 1:
        scores = CHAINS.values @ model.coef_.T
    else:
        scores = ((CHAINS.values @ CHAINS.values.T).toarray() + 1.0) ** 2 @ model.dual_coef_.T
    np.testing.assert_allclose(scores, point.predictor.emissions(problem.inputs), atol=1e-9)
    np.testing.assert_array_equal(model.transitions_, point.predictor.transitions)


@pytest.mark.parametrize("Estimator", first_of(MACHINES))
def test_the_forms_of_features_give_the_same_machine(Estimator):
    forms = {
        "arrays": X,
        "sparse": [sparse.csr_matrix(one) for one in X],
        "dictionaries": [[{f"f{j:02}": bool(v) for j, v in enumerate(place)} for place in one] for one in X],
        "names": [[[f"f{j:02}" for j, v in enumerate(place) if v] for place in one] for one in X],
    }
    models = {name: Estimator(degree=2, C=30.0).fit(form, Y) for name, form in forms.items()}
    for name, form in forms.items():
        assert models[name].predict(form) == models["arrays"].predict(X)
        assert models[name].objective_ == pytest.approx(models["arrays"].objective_, rel=2e-3)
    assert models["names"].feature_names_[0] == "f00"


@pytest.mark.parametrize("Estimator", first_of(ESTIMATORS, 2))
def test_the_order_of_sequences_does_not_matter_to_tolerance(Estimator):
    order = np.random.default_rng(0).permutation(len(X))
    one = Estimator(tol=1e-6).fit(X, Y)
    other = Estimator(tol=1e-6).fit([X[i] for i in order], [Y[i] for i in order])
    assert other.objective_ == pytest.approx(one.objective_, rel=2e-6)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_sequences_of_one_place_are_learned_and_labelled(Estimator):
    single = [one[:1] for one in X], [one[:1] for one in Y]
    model = Estimator(C=30.0).fit(*single)
    assert not model.transitions_.any() and model.score(*single) == model.sequence_score(*single) > 0.5
    assert Estimator(C=30.0).fit(X, Y).predict([X[0][:1]])[0][0] in model.classes_


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_a_label_that_was_not_learned_counts_as_an_error(Estimator):
    model = Estimator(C=30.0).fit(X[:20], Y[:20])
    true = [["never seen", *one[1:]] for one in Y[20:]]
    predicted = model.predict(X[20:])
    wrong = sum(a != b for one, two in zip(true, predicted, strict=True) for a, b in zip(one, two, strict=True))
    places = sum(map(len, true))
    assert model.score(X[20:], true) == pytest.approx(1 - wrong / places) and model.sequence_score(X[20:], true) == 0
    report = model.report(X[20:], true)["never seen"]
    assert (report["places"], report["recall"], report["f1"]) == (len(true), 0, 0) and np.isnan(report["precision"])
    with pytest.raises(ValueError, match="y: has labels such as .*7.*, the training sequences such as .*tag0"):
        model.score(X[20:], [[7] * len(one) for one in true])


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_what_is_no_sequence_with_labels_is_refused_and_named(Estimator):
    for empty in (np.ones((0, 12)), []):
        with pytest.raises(ValueError, match="sequence 3 .from 0. is empty: leave it out"):
            Estimator().fit([*X[:3], empty], [*Y[:3], []])
    model = Estimator().fit(X, Y)
    with pytest.raises(ValueError, match="sequence 1 .from 0. is empty: leave it out"):
        model.predict([X[0], np.ones((0, 12))])
    for no_labels in (None, 3, [0] * len(Y), (one for one in Y)):
        with pytest.raises(ValueError, match="y: must be a list of sequences of labels"):
            Estimator().fit(X, no_labels)
    with pytest.raises(ValueError, match="dictionaries of features or lists of their names"):
        Estimator().fit([["a", "b"], ["c"]], [[0, 1], [1]])
    for label in (None, float("nan")):
        with pytest.raises(ValueError, match=f"y: {label} is no label"):
            Estimator().fit(X, [[label] * len(one) for one in Y])
    with pytest.raises(ValueError, match="they are complex"):
        Estimator().fit([np.asarray(one) * 1j for one in X], Y)
    with pytest.raises(ValueError, match="some labels are texts, and some are not"):
        Estimator().fit(X, [[1] * len(Y[0]), *Y[1:]])
    with pytest.raises(ValueError, match="C=0"):
        Estimator(C=0).fit(X, Y)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "sequence 1 .from 0. has a value that is not finite"),
        (np.inf, "sequence 1 .from 0. has a value that is not finite"),
        (None, "sequence 1, place 1 .both from 0.: 'a' is None"),
        ([1, 2], r"'a' is \[1, 2\]; it must be a number, a text, or several texts"),
    ],
)
def test_features_that_are_no_features_are_refused_in_training_and_prediction(Estimator, value, message):
    given = [[{"a": 1.0}], [{"b": "x"}, {"a": value}]]
    with pytest.raises(UserError, match=message):
        Estimator().fit(given, [["u"], ["v", "u"]])
    model = Estimator().fit([[{"a": 1.0}], [{"b": "x"}, {"a": ["y", "z"]}]], [["u"], ["v", "u"]])
    with pytest.raises(UserError, match=message):
        model.predict(given)


def test_nothing_to_label_is_said_to_be_nothing():
    model = LinearChainCRF().fit([[{"a": 1.0}], [{"b": 1.0}]], [["u"], ["v"]])
    for nothing, message in (([], "has no sequence"), ([[]], "sequence 0 .from 0. is empty"), (3, "list of sequences")):
        with pytest.raises(UserError, match=message):
            model.predict(nothing)


@pytest.mark.parametrize("Estimator", first_of(MACHINES))
def test_it_is_used_as_scikit_learns_estimators_are(Estimator):
    with pytest.raises(ValueError, match="degree=0"):
        Estimator(degree=0).fit(X, Y)
    search = GridSearchCV(Estimator(), {"degree": [1, 2], "C": [0.1, 30.0]}, cv=3).fit(X, Y)
    model = search.best_estimator_
    assert pickle.loads(pickle.dumps(model)).predict(X) == clone(model).fit(X, Y).predict(X)
    model.set_params(degree=2).fit(X, Y)
    assert model.dual_coef_.shape == (3, len(LABELS)) and not hasattr(model, "coef_")
    model.set_params(degree=1).fit(X, Y)
    assert model.coef_.shape == (3, 12) and not hasattr(model, "dual_coef_")
    with pytest.warns(ConvergenceWarning, match="capped; scale the features, or raise max_rounds"):
        assert Estimator(C=30.0, max_rounds=1).fit(X, Y).gap_ > 1e-3


@pytest.mark.slow
def test_bounds_are_kept():
    free = StructSVM(degree=2, C=30.0).fit(X, Y)
    assert StructRMM(degree=2, C=30.0, fraction=1.0).fit(X, Y).objective_ == pytest.approx(free.objective_, rel=2e-3)
    bounded = StructRMM(degree=2, C=30.0, B=2.0).fit(X, Y)
    assert bounded.B_ == 2.0 and bounded.theta_ <= 2.0 * (1 + 1e-9) < free.theta_
    assert bounded.dual_objective_ > free.objective_
    some = [np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])]  # which is learned with outputs of at most 1
    assert StructRMM(C=1e-3).fit(some, [["a"], ["b"]]).theta_ <= 1.0


def test_a_classifier_keeps_its_bound():
    points, signs = moons(60)
    free = StructSVMClassifier(C=30.0).fit(points, signs)
    bounded = StructRMMClassifier(C=30.0).fit(points, signs)
    assert bounded.B_ == pytest.approx(1.0 + 0.5 * (free.theta_ - 1.0), rel=1e-2)
    assert bounded.theta_ <= bounded.B_ * (1 + 1e-9) < free.theta_
    assert not hasattr(free, "B_") and clone(bounded).set_params(B=2.0).fit(points, signs).B_ == 2.0


@pytest.mark.parametrize("k", [2, 3])
def test_a_classifier_is_the_method_and_the_machine_of_crammer_and_singer(k):
    points, signs = moons(60)
    y = (signs > 0).astype(int) + (points[:, 0] > 0.8) * (k - 2)
    C, n = 30.0, len(y)
    stack = GramStack.train(make_family("linear"), points)
    for name, Estimator, grid, more in (
        ("struct_svm", StructSVMClassifier, {}, {}),
        ("struct_rmm", StructRMMClassifier, {"fractions": [0.5]}, {"fraction": 0.5}),
    ):
        (point,) = path(ALGORITHMS[name], Problem(stack, Classes(y, k)), Cs=[C], tol=1e-7, **grid)
        model = Estimator(kernel="linear", C=C, tol=1e-7, **more).fit(points, y)
        assert (model.objective_, model.gap_) == (point.solutions[0].objective, point.solutions[0].gap)
        outputs = point.predictor.outputs(stack)
        f = model.decision_function(points)
        np.testing.assert_allclose(f, outputs[0] if k == 2 else outputs.T, atol=1e-9)
        assert model.n_support_ == point.predictor.counts()["n_support"] < n and not model.intercept_.any()
        if k == 3:
            np.testing.assert_allclose(f.sum(axis=1), 0.0, atol=1e-9)  # what all classes share costs and gains nothing
    theirs = LinearSVC(multi_class="crammer_singer", fit_intercept=False, C=C / n, tol=1e-9, max_iter=10**6)
    W = theirs.fit(points, y).coef_
    W = np.vstack([-W, W]) / 2 if k == 2 and len(W) == 1 else W
    scores = points @ W.T
    margins = scores[np.arange(n), y][:, None] - scores
    margins[np.arange(n), y] = inf
    objective = 0.5 * (W**2).sum() + C / n * np.maximum(0.0, 1.0 - margins.min(axis=1)).sum()
    model = StructSVMClassifier(kernel="linear", C=C, tol=1e-7).fit(points, y)
    assert objective >= model.dual_objective_ * (1 - 1e-12)
    if k == 3:
        assert objective == pytest.approx(model.objective_, rel=1e-5)


def test_a_label_that_never_occurs_is_not_predicted():
    """Of a label set that is larger than that of the training part, as runs on parts of data have it."""
    for name in ("crf", "struct_svm", "struct_rmm"):
        inputs = make_family("chains", window=1).fit(CHAINS)
        problem = Problem(inputs, Sequences(LABELS + (LABELS > 0), 4))  # the second of the labels
        for point in path(ALGORITHMS[name], problem, Cs=[30.0], **({"fractions": [0.5]} if "rmm" in name else {})):
            found = point.predictor.labels(inputs)
            assert point.status == "optimal" and set(found.tolist()) <= {0, 2, 3}


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_what_can_be_read_only_once_is_refused(Estimator):
    with pytest.raises(UserError, match="X: can be read only once; give a list of sequences"):
        Estimator().fit((one for one in X), Y)
    with pytest.raises(UserError, match="can be read only once"):
        Estimator().fit(X, Y).predict(iter(X))


@pytest.mark.parametrize("Estimator", MACHINES)
@pytest.mark.parametrize("size", [1e160, 1e200])
def test_features_whose_products_overflow_are_refused(Estimator, size):
    with pytest.raises(UserError, match="kernel=chains: overflows on these features"):
        Estimator().fit([size * np.asarray(one) for one in as_lists()[0]], Y)


def test_a_warning_about_classes_says_what_may_help():
    rng = np.random.default_rng(0)
    with pytest.warns(ConvergenceWarning, match="scale the features, or raise max_rounds"):
        StructSVMClassifier(solver="osqp", max_rounds=1).fit(rng.normal(size=(40, 3)), rng.integers(3, size=40))
