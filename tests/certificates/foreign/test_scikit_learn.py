"""Certificates of scikit-learn's solutions, against the problems of its user guide, written again."""

import copy

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import (
    ElasticNet,
    Lasso,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    RidgeCV,
    SGDClassifier,
    SGDRegressor,
)
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR, NuSVC, NuSVR

from kernlearn import certify

RNG = np.random.default_rng(0)
N, D = 60, 4
X = RNG.normal(size=(N, D)) + [0.0, 1.0, -1.0, 0.5]
SCORE = X @ [1.0, -2.0, 0.5, 0.3] + RNG.normal(size=N)
Y = np.where(SCORE > SCORE.mean(), "yes", "no")
SIGNS = np.where(Y == "yes", 1.0, -1.0)
TARGET = np.sin(X[:, 0]) + 0.3 * RNG.normal(size=N)
CLASSES = np.digitize(SCORE, np.quantile(SCORE, [0.3, 0.6]))
WEIGHTS = RNG.integers(1, 4, N).astype(float)
TIGHT = {"tol": 1e-12, "max_iter": 10**6}


def hinge(f):
    return np.maximum(0.0, 1.0 - SIGNS * f)


def tube(f, epsilon):
    return np.maximum(0.0, np.abs(TARGET - f) - epsilon)


def square(values):
    return float(np.sum(np.square(values)))


def kernel_square(model, K):
    a = np.zeros(N)
    a[model.support_] = model.dual_coef_[0]
    return a @ K @ a


#: An estimator, its targets, its objective by the user guide, and the gap that a tight tolerance reaches. LibSVM keeps
#: kernel values in single precision.
CASES = {
    "SVC": (
        SVC(C=2.0, gamma=0.3, tol=1e-10),
        Y,
        lambda m, w: 0.5 * kernel_square(m, rbf_kernel(X, gamma=0.3)) + 2.0 * w @ hinge(m.decision_function(X)),
        1e-6,
    ),
    "SVC of other kernels": (
        SVC(kernel="poly", degree=2, coef0=1.0, gamma=0.5, tol=1e-10),
        Y,
        lambda m, w: (
            0.5 * kernel_square(m, polynomial_kernel(X, degree=2, gamma=0.5, coef0=1.0))
            + w @ hinge(m.decision_function(X))
        ),
        1e-5,
    ),
    "LinearSVC": (
        LinearSVC(C=0.5, intercept_scaling=3.0, random_state=0, **TIGHT),
        Y,
        lambda m, w: (
            0.5 * (square(m.coef_) + square(m.intercept_ / 3.0)) + 0.5 * w @ hinge(m.decision_function(X)) ** 2
        ),
        1e-9,
    ),
    "LinearSVC, hinge": (
        LinearSVC(loss="hinge", fit_intercept=False, random_state=0, tol=1e-8, max_iter=10**6),
        Y,
        lambda m, w: 0.5 * square(m.coef_) + w @ hinge(m.decision_function(X)),
        1e-9,
    ),
    "LinearSVC, l1": (
        LinearSVC(penalty="l1", dual=False, random_state=0, tol=1e-7),
        Y,
        lambda m, w: np.abs(np.append(m.coef_, m.intercept_)).sum() + w @ hinge(m.decision_function(X)) ** 2,
        1e-6,
    ),
    "SVR": (
        SVR(C=3.0, gamma=0.2, epsilon=0.1, tol=1e-10),
        TARGET,
        lambda m, w: 0.5 * kernel_square(m, rbf_kernel(X, gamma=0.2)) + 3.0 * w @ tube(m.predict(X), 0.1),
        1e-5,
    ),
    "LinearSVR": (
        LinearSVR(C=2.0, epsilon=0.2, random_state=0, **TIGHT),
        TARGET,
        lambda m, w: 0.5 * (square(m.coef_) + square(m.intercept_)) + 2.0 * w @ tube(m.predict(X), 0.2),
        1e-9,
    ),
    "LinearSVR, squared": (
        LinearSVR(loss="squared_epsilon_insensitive", epsilon=0.2, random_state=0, **TIGHT),
        TARGET,
        lambda m, w: 0.5 * (square(m.coef_) + square(m.intercept_)) + w @ tube(m.predict(X), 0.2) ** 2,
        1e-9,
    ),
    "KernelRidge": (
        KernelRidge(kernel="rbf", gamma=0.3, alpha=0.7),
        TARGET,
        lambda m, w: (
            0.7 * m.dual_coef_ @ rbf_kernel(X, gamma=0.3) @ m.dual_coef_ + w @ np.square(TARGET - m.predict(X))
        ),
        1e-12,
    ),
    "Ridge": (
        Ridge(alpha=2.0),
        TARGET,
        lambda m, w: 2.0 * square(m.coef_) + w @ np.square(TARGET - m.predict(X)),
        1e-10,
    ),
    "Lasso": (
        Lasso(alpha=0.05, tol=1e-12),
        TARGET,
        lambda m, w: 0.05 * np.abs(m.coef_).sum() + 0.5 * w @ np.square(TARGET - m.predict(X)) / w.sum(),
        1e-9,
    ),
    "ElasticNet": (
        ElasticNet(alpha=0.1, l1_ratio=0.3, tol=1e-12),
        TARGET,
        lambda m, w: (
            0.03 * np.abs(m.coef_).sum()
            + 0.035 * square(m.coef_)
            + 0.5 * w @ np.square(TARGET - m.predict(X)) / w.sum()
        ),
        1e-9,
    ),
    "LogisticRegression": (
        LogisticRegression(C=3.0, solver="newton-cholesky", tol=1e-10),
        Y,
        lambda m, w: 0.5 * square(m.coef_) + 3.0 * w @ np.logaddexp(0.0, -SIGNS * m.decision_function(X)),
        1e-9,
    ),
    "LogisticRegression, liblinear": (
        LogisticRegression(solver="liblinear", **TIGHT),
        Y,
        lambda m, w: (
            0.5 * (square(m.coef_) + square(m.intercept_))
            + w @ np.logaddexp(0.0, -SIGNS * m.decision_function(X))
        ),
        1e-9,
    ),
    "RidgeClassifier": (
        RidgeClassifier(alpha=2.0),
        Y,
        lambda m, w: 2.0 * square(m.coef_) + w @ np.square(SIGNS - m.decision_function(X)),
        1e-10,
    ),
    "SGDClassifier": (
        SGDClassifier("log_loss", alpha=0.1, max_iter=20_000, tol=1e-12, average=True, random_state=0),
        Y,
        lambda m, w: 0.05 * square(m.coef_) + w @ np.logaddexp(0.0, -SIGNS * m.decision_function(X)) / N,
        0.6,  # what stopped early, without multipliers
    ),
    "SGDRegressor": (
        SGDRegressor(alpha=0.1, max_iter=20_000, tol=1e-12, average=True, random_state=0),
        TARGET,
        lambda m, w: 0.05 * square(m.coef_) + 0.5 * w @ np.square(TARGET - m.predict(X)) / N,
        0.6,  # what stopped early, without multipliers
    ),
}  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_the_objective_is_that_of_the_user_guide_and_the_bound_is_tight(name, weighted):
    model, y, objective, tight = CASES[name]
    w = WEIGHTS if weighted else np.ones(N)
    model = copy.deepcopy(model).fit(X, y, sample_weight=w)
    proof = certify(model, X, y, w if weighted else None)
    assert proof.objective == pytest.approx(objective(model, w), rel=1e-9)
    assert -1e-12 <= proof.relative_gap <= tight
    assert proof.gap == proof.objective - proof.lower_bound


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("SGDClassifier", "SGDRegressor")])
def test_no_other_predictor_is_below_the_bound_and_its_own_gap_is_larger(name):
    model, y, objective, _ = CASES[name]
    model = copy.deepcopy(model).fit(X, y)
    proof, w = certify(model, X, y), np.ones(N)
    coef = "coef_" if "coef_" in vars(model) else "dual_coef_"
    for seed in range(3):
        other = copy.deepcopy(model)
        noise = np.random.default_rng(seed).normal(size=np.shape(getattr(model, coef)))
        setattr(other, coef, getattr(model, coef) + 0.05 * noise)
        if coef == "dual_coef_" and hasattr(other, "_dual_coef_"):  # what LibSVM predicts by
            other._dual_coef_ = (-1.0 if hasattr(model, "classes_") else 1.0) * other.dual_coef_
        value = certify(other, X, y)
        assert value.objective == pytest.approx(objective(other, w), rel=1e-9)
        assert value.objective >= proof.lower_bound and value.lower_bound <= proof.objective * (1.0 + 1e-12)
        assert value.relative_gap > proof.relative_gap + 1e-9


@pytest.mark.parametrize("name", ["SVC", "SVR", "KernelRidge", "LinearSVC", "LinearSVR", "Ridge", "LogisticRegression"])
def test_the_optimum_is_within_the_distance_that_is_stated(name):
    """A loose solution against a tight one, whose own distance is next to nothing."""
    model, y, *_ = CASES[name]
    tight = copy.deepcopy(model).fit(X, y)
    if name in ("SVC", "SVR"):
        model = copy.deepcopy(model).set_params(tol=0.3)
    loose = copy.deepcopy(model).fit(X, y)
    if name not in ("SVC", "SVR"):
        coef = "dual_coef_" if name == "KernelRidge" else "coef_"
        setattr(loose, coef, 1.1 * getattr(loose, coef))
    proof, exact = certify(loose, X, y), certify(tight, X, y)
    assert 0.0 < proof.distance and exact.distance < proof.distance
    if "coef_" in vars(tight):
        scale = getattr(tight, "intercept_scaling", None)
        parts = [loose.coef_ - tight.coef_]
        parts += [(loose.intercept_ - tight.intercept_) / scale] if scale and name.startswith("LinearSV") else []
        apart = np.sqrt(sum(square(part) for part in parts))
    elif name == "KernelRidge":
        a = loose.dual_coef_ - tight.dual_coef_
        apart = np.sqrt(a @ rbf_kernel(X, gamma=0.3) @ a)
    else:
        a = np.zeros(N)
        a[loose.support_] += loose.dual_coef_[0]
        a[tight.support_] -= tight.dual_coef_[0]
        apart = np.sqrt(a @ rbf_kernel(X, gamma=tight.gamma) @ a)
    assert apart <= proof.distance + exact.distance


@pytest.mark.parametrize("given", [{}, {"class_weight": "balanced"}, {"class_weight": {0: 3.0, 1: 0.5}}])
@pytest.mark.parametrize(
    ("model", "problems", "tight"),
    [
        (SVC(tol=1e-10), 3, 1e-6),
        (LinearSVC(random_state=0, **TIGHT), 3, 1e-9),
        (LogisticRegression(solver="newton-cholesky", tol=1e-10), 0, 1e-9),
        (LogisticRegression(solver="saga", l1_ratio=0.5, C=0.1, random_state=0, **TIGHT), 0, 1e-6),
        (RidgeClassifier(), 3, 1e-9),
    ],
    ids=["SVC", "LinearSVC", "LogisticRegression", "elasticnet", "RidgeClassifier"],
)
def test_several_classes_with_weights(model, problems, tight, given):
    model = copy.deepcopy(model).set_params(**given).fit(X, CLASSES, sample_weight=WEIGHTS)
    proof = certify(model, X, CLASSES, WEIGHTS)
    assert len(proof.parts) == problems and -1e-12 <= proof.relative_gap <= tight
    if problems:
        assert proof.relative_gap == max(part.relative_gap for part in proof.parts)
        assert {part.name for part in proof.parts} >= {proof.name} and all(part.name for part in proof.parts)


def test_machines_with_a_free_margin_or_tube():
    """Whose problems are those of SVC and SVR for the right C and epsilon."""
    for y in (Y, CLASSES):
        model = NuSVC(nu=0.4, tol=1e-10).fit(X, y, sample_weight=WEIGHTS)
        proof = certify(model, X, y, WEIGHTS)
        assert -1e-12 <= proof.relative_gap <= 1e-5 and proof.objective < 0.0
    model = NuSVR(nu=0.4, C=2.0, tol=1e-10).fit(X, TARGET)
    proof = certify(model, X, TARGET)
    assert -1e-12 <= proof.relative_gap <= 1e-5
    f = model.predict(X)
    epsilon = np.sort(np.abs(TARGET - f))[::-1][int(0.4 * N)]
    by_hand = 0.5 * kernel_square(model, rbf_kernel(X, gamma=1.0 / (D * X.var()))) + 2.0 * (
        0.4 * N * epsilon + tube(f, epsilon).sum()
    )
    assert proof.objective == pytest.approx(by_hand, rel=1e-9)


def test_a_weight_of_zero_is_no_example():
    weights = np.where(np.arange(N) % 3, WEIGHTS, 0.0)
    for model, y in ((SVC(gamma=0.3), Y), (SVC(gamma=0.3), CLASSES), (SVR(gamma=0.3), TARGET)):
        proof = certify(copy.deepcopy(model).fit(X, y, sample_weight=weights), X, y, weights)
        some = weights > 0.0
        without = certify(
            copy.deepcopy(model).fit(X[some], y[some], sample_weight=weights[some]), X[some], y[some], weights[some]
        )
        assert proof.objective == pytest.approx(without.objective, rel=1e-9)
        assert proof.n_examples == without.n_examples


def test_matrices_functions_and_sparse_data_are_the_same_problem():
    K = rbf_kernel(X, gamma=0.3)
    plain = certify(SVC(gamma=0.3).fit(X, Y), X, Y)
    others = [
        certify(SVC(kernel="precomputed").fit(K, Y), K, Y),
        certify(SVC(kernel=lambda A, B: rbf_kernel(A, B, gamma=0.3)).fit(X, Y), X, Y),
        certify(SVC(gamma=0.3).fit(sparse.csr_matrix(X), Y), sparse.csr_matrix(X), Y),
    ]
    for other in others:
        assert other.objective == pytest.approx(plain.objective, rel=1e-4) and other.relative_gap < 1e-2
    dense, other = (certify(LinearSVC().fit(A, Y), A, Y) for A in (X, sparse.csr_array(X)))
    assert other.lower_bound == pytest.approx(dense.lower_bound, rel=1e-4)


def test_pipelines_and_searches_are_their_last_and_best():
    pipeline = make_pipeline(StandardScaler(), SVC(C=2.0))
    search = GridSearchCV(pipeline, {"svc__C": [2.0]}, cv=2).fit(X, Y)
    scaled = StandardScaler().fit_transform(X)
    assert certify(search, X, Y) == certify(pipeline.fit(X, Y), X, Y) == certify(SVC(C=2.0).fit(scaled, Y), scaled, Y)


def test_single_precision_is_seen():
    """The exact problem of a KernelRidge in float32: what its digits cost is the gap."""
    single = KernelRidge(kernel="rbf", gamma=0.3, alpha=1e-4).fit(X.astype(np.float32), TARGET)
    double = KernelRidge(kernel="rbf", gamma=0.3, alpha=1e-4).fit(X, TARGET)
    gaps = [certify(single, X.astype(np.float32), TARGET).relative_gap, certify(double, X, TARGET).relative_gap]
    assert gaps[1] < 1e-11 < gaps[0] < 1e-2


def test_words():
    text = str(certify(SVC().fit(X, Y), X, Y))
    assert "minimise 1/2 |f|^2 + sum_i max(0, 1 - y_i (f(x_i) + b)), on 60 examples" in text
    assert "No predictor has an objective below" in text and "above the optimum" in text
    assert "made from the predictor, so" in str(certify(LinearSVC().fit(X, Y), X, Y))
    assert "2 against 2" not in text and "class 0 against 1" in str(
        certify(SVC(tol=1.0).fit(X, CLASSES), X, CLASSES).parts[0]
    )
    assert "differ from the training data" in str(certify(Ridge().fit(X, TARGET), X[::-1], TARGET + 10.0))


@pytest.mark.parametrize("name", ["SVC", "LinearSVC", "LogisticRegression"])
def test_an_independent_solver_is_between_the_bounds(name):
    cp = pytest.importorskip("cvxpy")
    model, y, *_ = CASES[name]
    w, b, a = cp.Variable(D), cp.Variable(), cp.Variable(N)
    if name == "SVC":
        root = np.linalg.cholesky(rbf_kernel(X, gamma=0.3) + 1e-12 * np.eye(N))
        f = root @ a + b
        value = 0.5 * cp.sum_squares(a) + 2.0 * cp.sum(cp.pos(1 - cp.multiply(SIGNS, f)))
    elif name == "LinearSVC":
        f = X @ w + b
        value = 0.5 * cp.sum_squares(w) + cp.square(b) / 18 + 0.5 * cp.sum_squares(cp.pos(1 - cp.multiply(SIGNS, f)))
    else:
        value = 0.5 * cp.sum_squares(w) + 3.0 * cp.sum(cp.logistic(-cp.multiply(SIGNS, X @ w + b)))
    optimum = cp.Problem(cp.Minimize(value)).solve(solver="CLARABEL")
    proof = certify(copy.deepcopy(model).fit(X, y), X, y)
    assert proof.lower_bound * (1 - 1e-7) <= optimum <= proof.objective * (1 + 1e-7)


def test_ridge_regression_with_a_chosen_penalty_is_that_with_this_penalty():
    chosen = RidgeCV(alphas=[0.1, 1.0]).fit(X, TARGET)
    same = Ridge(alpha=chosen.alpha_).fit(X, TARGET)
    found, wanted = certify(chosen, X, TARGET), certify(same, X, TARGET)
    assert found.objective == pytest.approx(wanted.objective, rel=1e-9) and found.relative_gap < 1e-9


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("y", [Y, CLASSES], ids=["two classes", "three"])
def test_a_classifier_with_a_chosen_penalty_is_that_with_this_penalty(y):
    chosen = LogisticRegressionCV(Cs=[0.1, 1.0], cv=3, solver="newton-cholesky", tol=1e-8).fit(X, y)
    same = LogisticRegression(C=np.ravel(chosen.C_)[0], solver="newton-cholesky", tol=1e-8).fit(X, y)
    pairs = [(chosen, same)]
    chosen = RidgeClassifierCV(alphas=[0.1, 1.0]).fit(X, y)
    pairs.append((chosen, RidgeClassifier(alpha=chosen.alpha_).fit(X, y)))
    for one, other in pairs:
        proof = certify(one, X, y)
        assert proof.objective == pytest.approx(certify(other, X, y).objective, rel=1e-6)
        assert -1e-12 <= proof.relative_gap < 1e-6


def test_no_bound_of_several_classes_is_below_zero():
    units = X * [1e-6, 1.0, 1e6, 1.0]
    with pytest.warns(ConvergenceWarning):
        model = LogisticRegression(max_iter=20).fit(units, CLASSES)
    proof = certify(model, units, CLASSES)
    assert 0.0 <= proof.lower_bound <= proof.objective
