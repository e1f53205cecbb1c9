"""Gaps to the exact problem, against optima of that problem by scikit-learn's exact solvers and by numpy."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.kernel_approximation import Nystroem, RBFSampler, SkewedChi2Sampler
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from kernlearn import L1SVMClassifier, L2SVMClassifier, certify
from kernlearn.certificates.foreign.approximations import WITH_MULTIPLIERS
from kernlearn.errors import UserError

GAMMA = 1.0 / 30.0


@pytest.fixture(scope="module")
def data():
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.arange(0, len(y), 2)
    return StandardScaler().fit_transform(X)[rows], np.where(y[rows] == 1, 1.0, -1.0)


@pytest.fixture(scope="module")
def kernel(data):
    return rbf_kernel(data[0], gamma=GAMMA)


def ridge_optimum(K, y, alpha):
    """The least value of ``alpha |f|^2 + sum_i (y_i - f(x_i))^2`` without an intercept: in closed form."""
    return alpha * y @ np.linalg.solve(K + alpha * np.eye(len(y)), y)


def svm_optimum(K, y, C):
    """The least value of the soft-margin SVM by LibSVM, recomputed from its multipliers."""
    machine = SVC(C=C, kernel="precomputed", tol=1e-10).fit(K, y)
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    return np.abs(beta).sum() - 0.5 * beta @ K @ beta


def nystroem(m, **options):
    return Nystroem(gamma=GAMMA, n_components=m, random_state=0, **options)


@pytest.mark.parametrize("m", [20, 80, 285])
@pytest.mark.parametrize("alpha", [0.1, 10.0])
def test_a_ridge_regression_on_landmarks_is_bounded_by_the_exact_one(data, kernel, m, alpha):
    X, y = data
    model = make_pipeline(nystroem(m), Ridge(alpha=alpha, fit_intercept=False)).fit(X, y)
    proof, optimum = certify(model, X, y, exact=True), ridge_optimum(kernel, y, alpha)
    w, residual = model[-1].coef_, y - model.predict(X)
    assert proof.objective == pytest.approx(alpha * w @ w + residual @ residual, rel=1e-8)
    assert proof.lower_bound <= optimum * (1.0 + 1e-9) and optimum <= proof.objective * (1.0 + 1e-9)
    true = (proof.objective - optimum) / proof.objective
    assert true - 1e-9 <= proof.relative_gap <= (1e-9 if m == 285 else 3.0 * true if alpha > 1 else 1.0)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_a_machine_of_ours_on_landmarks_is_bounded_by_the_exact_one(data, kernel, C):
    X, y = data
    optimum = svm_optimum(kernel, y, C)
    gaps = []
    for m in (30, 120, 285):
        model = make_pipeline(nystroem(m), L2SVMClassifier(C=C, kernel="linear")).fit(X, y)
        proof = certify(model, X, y, exact=True)
        true = (proof.objective - optimum) / proof.objective
        assert proof.lower_bound <= optimum * (1.0 + 1e-6) and true <= proof.relative_gap + 1e-6
        gaps.append((true, proof.relative_gap))
    assert gaps[0][1] > gaps[1][1] > gaps[2][1] and gaps[2][1] < 1e-6
    assert gaps[0][1] <= 3.0 * gaps[0][0]


def test_a_bound_in_parts_is_smaller_and_holds(data, kernel):
    X, y = data
    model = make_pipeline(nystroem(60), Ridge(alpha=10.0, fit_intercept=False)).fit(X, y)
    whole = certify(model, X, y, exact=True)
    parts = [certify(model, X, y, exact=True, most_kernel_values=len(y) ** 2 / k) for k in (2, 5)]
    assert [one.n_parts for one in (whole, *parts)] == [1, 2, 5]
    bounds = [one.lower_bound for one in (whole, *parts)]
    assert ridge_optimum(kernel, y, 10.0) >= bounds[0] > bounds[1] > bounds[2] > 0.0
    assert all(one.objective == whole.objective for one in parts)
    assert "in 5 parts, so the true gap may be smaller" in str(parts[1]) and "parts" not in str(whole)


def test_an_intercept_that_is_penalised_is_a_constant_of_the_kernel(data, kernel):
    X, y = data
    model = make_pipeline(nystroem(80), LinearSVC(loss="hinge", C=0.1, intercept_scaling=3.0, max_iter=10**6, tol=1e-9))
    proof = certify(model.fit(X, y), X, y, exact=True)
    machine = SVC(C=0.1, kernel="precomputed", tol=1e-10).fit(kernel + 9.0, y)
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    upper = (
        0.5 * beta @ (kernel + 9.0) @ beta
        + 0.1 * np.maximum(0.0, 1.0 - y * machine.decision_function(kernel + 9.0)).sum()
    )
    assert proof.lower_bound <= upper and "0.0555556 b^2" in proof.problem
    w, b = model[-1].coef_[0], model[-1].intercept_[0]
    losses = np.maximum(0.0, 1.0 - y * model.decision_function(X))
    assert proof.objective == pytest.approx(0.5 * w @ w + 0.5 * b * b / 9.0 + 0.1 * losses.sum(), rel=1e-9)
    assert proof.relative_gap < 0.2


@pytest.mark.parametrize("last", [LinearSVC(), SGDClassifier(alpha=0.01, random_state=0), LogisticRegression(C=0.1)])
def test_the_objective_on_landmarks_is_that_of_the_features(data, last):
    X, y = data
    model = make_pipeline(nystroem(50), last).fit(X, y)
    exact, approximate = certify(model, X, y, exact=True), certify(model, X, y)
    assert exact.objective == pytest.approx(approximate.objective, rel=1e-8)
    assert exact.lower_bound < approximate.lower_bound
    assert "exact=True) is about the kernel" in str(approximate) and not exact.only


def test_sparse_examples_weights_and_several_classes(data):
    X, y = data
    model = make_pipeline(Nystroem(gamma=0.1, n_components=40, random_state=0), LinearSVC())
    thirds, weights = np.digitize(X[:, 0], [-0.5, 0.5]), np.linspace(0.5, 2.0, len(y))
    few = np.where(np.abs(X) > 1.0, X, 0.0)
    dense = certify(model.fit(few, thirds, linearsvc__sample_weight=weights), few, thirds, weights, exact=True)
    rows = sparse.csr_array(few)
    same = certify(model.fit(rows, thirds, linearsvc__sample_weight=weights), rows, thirds, weights, exact=True)
    assert len(dense.parts) == 3 and 0.0 < dense.relative_gap < 1.0
    assert same.objective == pytest.approx(dense.objective, rel=1e-6)
    assert same.lower_bound == pytest.approx(dense.lower_bound, rel=1e-3)


@pytest.mark.parametrize("m", [50, 3000])
def test_random_features_are_certified_by_their_multipliers(data, kernel, m):
    X, y = data
    model = make_pipeline(RBFSampler(gamma=GAMMA, n_components=m, random_state=0), Ridge(10.0, fit_intercept=False))
    proof = certify(model.fit(X, y), X, y, exact=True)
    beta = (y - model.predict(X)) / 10.0
    objective = 10.0 * beta @ kernel @ beta + ((y - kernel @ beta) ** 2).sum()
    assert proof.only == WITH_MULTIPLIERS and proof.objective == pytest.approx(objective, rel=1e-9)
    optimum = ridge_optimum(kernel, y, 10.0)
    assert proof.lower_bound <= optimum <= objective
    assert proof.relative_gap < (0.02 if m == 3000 else 1.0)
    with pytest.raises(UserError, match="most_kernel_values=8e"):
        certify(model, X, y, exact=True, most_kernel_values=1000)


@pytest.mark.parametrize("kernel", ["polynomial", "laplacian", "cosine", "linear"])
def test_other_kernels_of_landmarks_are_those_of_scikit_learn(data, kernel):
    X, y = data
    features = Nystroem(kernel, gamma=None if kernel in ("cosine", "linear") else 0.02, n_components=40, random_state=0)
    proof = certify(make_pipeline(features, Ridge(1.0, fit_intercept=False)).fit(X, y), X, y, exact=True)
    given = {"gamma": 0.02} if kernel in ("polynomial", "laplacian") else {}
    optimum = ridge_optimum(pairwise_kernels(X, metric=kernel, **given), y, 1.0)
    assert proof.lower_bound <= optimum * (1 + 1e-9) and optimum <= proof.objective * (1 + 1e-9)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (LinearSVC(), "ends with Nystroem or RBFSampler"),
        (make_pipeline(StandardScaler(), LinearSVC()), "ends with Nystroem or RBFSampler"),
        (make_pipeline(SkewedChi2Sampler(skewedness=50), LinearSVC()), "ends with Nystroem or RBFSampler"),
        (make_pipeline(nystroem(9), SVC()), "must be a linear model"),
        (make_pipeline(nystroem(9), LinearSVC(penalty="l1")), "must be a linear model, with a squared penalty"),
        (make_pipeline(nystroem(9), L1SVMClassifier()), 'kernel="linear"'),
        (make_pipeline(nystroem(9), L1SVMClassifier(kernel="linear")), "l1_svm is none of l2_svm"),
        (make_pipeline(RBFSampler(), L2SVMClassifier(kernel="linear")), "use a linear model of scikit-learn"),
        (make_pipeline(Nystroem(lambda x, z: x @ z, n_components=9), LinearSVC()), "is none of which"),
    ],
)
def test_what_has_no_exact_problem_is_refused_in_one_line(data, model, said):
    X, y = data
    with pytest.raises(UserError, match=said) as error:
        certify(model.fit(X, y), X, y, exact=True)
    assert "\n" not in str(error.value)
