"""Stored solutions of our estimators: the problems rebuilt from the data have the values that the fit reported."""

import copy

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from kernlearn import (
    HardSVMClassifier,
    KernelPerceptronClassifier,
    KLDAClassifier,
    KRRMeanRegressor,
    L1SVMClassifier,
    L2SVMClassifier,
    LinearSVMClassifier,
    LKRRRegressor,
    LocalRademacherClassifier,
    LPBoostClassifier,
    MKLClassifier,
    MulticlassMKLClassifier,
    QPBoostClassifier,
    RBFNetworkClassifier,
    RMMClassifier,
    SGDSVMClassifier,
    SigmaSVMClassifier,
    SoftSVMClassifier,
    TwoStageClassifier,
    TwoStageRegressor,
    UFOMKLClassifier,
    VKRClassifier,
    certify,
)
from kernlearn.errors import UserError
from tests.forty import NAMES, X, Y, named

CLASSES = np.digitize(X[:, 0] + 0.2 * X[:, 1], [-0.3, 0.8])
TARGET = np.sin(2.0 * X[:, 0]) + X[:, 1]

CLASSIFIERS = [
    L2SVMClassifier(kernel="rbf", C=3.0),
    L2SVMClassifier(kernel="laplacian", class_weight="balanced"),
    SoftSVMClassifier(kernel="rbf", lambda_=0.01),
    SGDSVMClassifier(kernel="rbf", n_epochs=20),
    RMMClassifier(kernel="rbf", fraction=0.7),
    RMMClassifier(kernel="rbf", D=1.0),
    L1SVMClassifier(kernel="rbf", beta=0.01),
    VKRClassifier(degrees=[1, 2, 3], class_weight={"yes": 2.0, 0: 3.0}),
    MKLClassifier(),
    MKLClassifier(norm=2.0, C=3.0),
    TwoStageClassifier(),
    LinearSVMClassifier(lambda_=0.01),
    SigmaSVMClassifier(class_weight="balanced"),
    KLDAClassifier(kernel="rbf"),
    LocalRademacherClassifier(norm=2.0, class_weight="balanced"),
    LocalRademacherClassifier(method="dc", theta=3),
    LPBoostClassifier(over="all"),
    QPBoostClassifier(),
    RBFNetworkClassifier(),
]
JOINT = [
    MulticlassMKLClassifier(),
    MulticlassMKLClassifier(theta=1, norm=1.5, centre=False, class_weight="balanced"),
    UFOMKLClassifier(n_epochs=10, tol=1.0),
    UFOMKLClassifier(alpha=0.1, finish="exact", centre=False, normalise="none", class_weight="balanced"),
]
REGRESSORS = [
    KRRMeanRegressor(kernel="rbf"),
    KRRMeanRegressor(kernel="rbf", centre=True),
    TwoStageRegressor(weighting="align"),
    LKRRRegressor(mu0="uniform"),
    LKRRRegressor(norm=1),
]


def assert_reported(model, proof, tol=1e-9):
    parts = proof.parts or (proof,)
    assert sum(part.objective for part in parts) == pytest.approx(model.objective_, rel=tol)
    assert sum(part.lower_bound for part in parts) == pytest.approx(model.dual_objective_, rel=tol)
    assert proof.relative_gap == pytest.approx(model.gap_, rel=1e-3, abs=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("y", [NAMES, CLASSES], ids=["two", "three"])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=named)
def test_the_problem_rebuilt_from_the_data_has_the_reported_values(model, y):
    model = copy.deepcopy(model).fit(X, y)
    proof = certify(model, X, y)
    assert_reported(model, proof)
    assert len(proof.parts) == (3 if y is CLASSES else 0)


@pytest.mark.parametrize("y", [NAMES, CLASSES], ids=["two", "three"])
@pytest.mark.parametrize("model", JOINT, ids=named)
def test_the_problem_of_all_classes_at_once(model, y):
    model = copy.deepcopy(model).fit(X, y)
    assert_reported(model, certify(model, X, y))


def test_votes_are_compared_with_all_stumps_only_if_these_are_known():
    every, found = (QPBoostClassifier(over=over).fit(X, NAMES) for over in ("all", "adaboost"))
    assert certify(every, X, NAMES).only == ""
    assert "others are not compared" in certify(found, X, NAMES).only


@pytest.mark.parametrize("model", REGRESSORS, ids=named)
def test_the_same_of_regressions(model):
    model = copy.deepcopy(model).fit(X, TARGET)
    assert_reported(model, certify(model, X, TARGET))


def test_hard_margins():
    y = np.where(X[:, 0] > np.median(X[:, 0]), 1, 0)
    model = HardSVMClassifier(kernel="rbf", gamma=20.0).fit(X, y)
    assert_reported(model, certify(model, X, y))


def test_examples_that_no_hyperplane_separates():
    points, y = np.array([[0.0], [0.0], [1.0], [2.0]]), [0, 1, 1, 0]
    with pytest.warns(ConvergenceWarning):
        model = HardSVMClassifier(kernel="rbf", gamma=50.0).fit(points, y)
    words = str(certify(model, points, y))
    assert "it does not separate the examples" in words and "nan" not in words and "inf" not in words


def test_examples_of_weight_zero_are_not_learned_from():
    weights = np.arange(len(Y)) % 3
    model = L2SVMClassifier(kernel="rbf").fit(X, NAMES, sample_weight=weights)
    proof = certify(model, X, NAMES, weights)
    assert proof.n_examples == np.count_nonzero(weights)
    assert_reported(model, proof)


@pytest.mark.parametrize("complexity", ["lemma3", "massart"])
def test_weights_count_in_complexities_too(complexity):
    weights = 1.0 + np.arange(len(Y)) % 3
    model = VKRClassifier(degrees=[1, 2], complexity=complexity, class_weight="balanced")
    assert_reported(model.fit(X, NAMES, weights), certify(model, X, NAMES, weights))


@pytest.mark.parametrize("class_weight", [None, "balanced", {"yes": 3.0}])
def test_the_weights_must_be_those_of_the_fit(class_weight):
    weights = 1.0 + np.arange(len(Y)) % 3
    for kind in (L2SVMClassifier, SoftSVMClassifier, RMMClassifier):
        model = kind(kernel="rbf", class_weight=class_weight)
        for given, others in ((weights, (None, weights[::-1], 2.0 * weights - 1.0)), (None, (weights,))):
            model.fit(X, NAMES, sample_weight=given)
            assert_reported(model, certify(model, X, NAMES, given))
            for other in others:
                with pytest.raises(UserError, match="sample_weight: the weights are not those of the fit"):
                    certify(model, X, NAMES, other)
    with pytest.raises(UserError, match="sample_weight"):
        certify(MKLClassifier().fit(X, NAMES), X, NAMES, weights)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=named)
def test_other_numbers_of_rows_are_other_data(model):
    y = TARGET if any(model is one for one in REGRESSORS) else NAMES
    model = copy.deepcopy(model).fit(X, y)
    for rows in (np.append(np.arange(len(X)), 0), np.tile(np.arange(len(X)), 2), np.arange(len(X) - 1)):
        with pytest.raises(UserError):
            certify(model, X[rows], y[rows])


def test_a_kernel_matrix():
    K = (X @ X.T + 1.0) ** 2
    model = L2SVMClassifier(kernel="precomputed").fit(K, NAMES)
    assert_reported(model, certify(model, K, NAMES))


def test_another_predictor_has_a_larger_gap():
    model = L2SVMClassifier(kernel="rbf").fit(X, NAMES)
    proof = certify(model, X, NAMES)
    model._coef = 1.01 * model._coef
    other = certify(model, X, NAMES)
    assert other.objective > proof.objective and other.lower_bound == proof.lower_bound
    assert other.relative_gap > 1e-6 > proof.relative_gap


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("nothing is proved of perceptron", lambda: certify(KernelPerceptronClassifier().fit(X, Y), X, Y)),
        ("not those rows", lambda: certify(L2SVMClassifier().fit(X, Y), X[::-1], Y[::-1])),
        ("of other data", lambda: certify(L2SVMClassifier().fit(X, Y), X[1:], Y[1:])),
        ("which is no class", lambda: certify(L2SVMClassifier().fit(X, Y), X, Y + 7)),
    ],
)
def test_what_does_not_fit_is_refused(words, call):
    with pytest.raises(UserError, match=words):
        call()
