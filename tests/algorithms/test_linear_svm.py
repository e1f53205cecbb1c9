"""The linear SVM on sparse features against the kernel SVM, scikit-learn's LinearSVC, and its own certificate."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from kernlearn import LinearSVMClassifier
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.solvers.svm.linear_svm import BLOCK, solve_linear_svm
from tests.conftest import moons

ESTIMATORS = [LinearSVMClassifier]
X, Y = moons(3 * BLOCK + 5)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks use features of size 1e4
@parametrize_with_checks([LinearSVMClassifier()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def objective(w, X, y, lambda_):
    return 0.5 * lambda_ * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()


@pytest.mark.parametrize("lambda_", [10.0, 1e-1, 1e-3])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_it_is_the_certified_optimum_of_the_kernel_form(lambda_, form):
    solution = solve_linear_svm(form(X), Y, lambda_, 1e-7, max_sweeps=10**6)
    best = solve_soft_svm(X @ X.T, Y, lambda_ / 2, homogenous=True).objective
    assert solution.status == "optimal" and solution.gap <= 1e-7
    assert solution.objective == pytest.approx(objective(solution.x, X, Y, lambda_), rel=1e-12)
    assert solution.dual_objective <= best * (1 + 1e-9) and solution.objective >= best * (1 - 1e-9)
    a = solution.dual
    assert (a >= 0).all() and a.max() <= 1 / len(Y) + 1e-16
    v = X.T @ (a * Y) / lambda_
    assert solution.dual_objective == pytest.approx(a.sum() - 0.5 * lambda_ * v @ v, rel=1e-12)


def test_what_the_certificate_says_is_true_whatever_the_budget():
    best = solve_soft_svm(X @ X.T, Y, 0.5e-3, homogenous=True).objective
    solutions = [solve_linear_svm(X, Y, 1e-3, 1e-9, max_sweeps=n) for n in (1, 2, 5, 30)]
    assert [s.iterations for s in solutions] == [1, 2, 5, 30] and {s.status for s in solutions} == {"capped"}
    assert all(s.dual_objective <= best * (1 + 1e-12) and s.objective >= best * (1 - 1e-12) for s in solutions)


def test_examples_that_are_zero_or_contradict_each_other_are_certified_too():
    Z = np.concatenate([X, np.zeros((7, 2)), X[:9]])
    y = np.concatenate([Y, np.ones(7), -Y[:9]])
    solution = solve_linear_svm(Z, y, 1e-2, 1e-6, max_sweeps=10**5)
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(solve_soft_svm(Z @ Z.T, y, 0.5e-2, homogenous=True).objective, rel=1e-6)
    nothing = solve_linear_svm(np.zeros((4, 3)), np.array([1.0, -1, 1, 1]), 1.0)
    assert nothing.gap == 0 and not nothing.x.any() and nothing.objective == 1.0


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_examples_in_other_units_have_the_same_answer(factor):
    one, other = (solve_linear_svm(s * X, Y, 1e-2 * s * s, 1e-6, max_sweeps=10**5) for s in (1.0, factor))
    np.testing.assert_allclose(other.x * factor, one.x, rtol=1e-9)
    assert other.objective == pytest.approx(one.objective, rel=1e-9)


def test_the_estimator_is_linear_svc_with_a_certificate():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(300, 40)) * (rng.random((300, 40)) < 0.5)
    y = np.array(["red", "green", "blue"])[np.argmax(Z[:, :3] + 0.3 * rng.normal(size=(300, 3)), axis=1)]
    model = LinearSVMClassifier(lambda_=1e-2, tol=1e-6, max_sweeps=10**5).fit(sparse.csr_array(Z), y)
    peer = LinearSVC(loss="hinge", C=1 / (1e-2 * 300), tol=1e-10, max_iter=10**6).fit(Z, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=2e-3)
    np.testing.assert_allclose(model.intercept_, peer.intercept_, atol=2e-3)
    np.testing.assert_allclose(model.decision_function(Z), Z @ model.coef_.T + model.intercept_, atol=1e-12)
    assert model.gap_ <= 1e-6 and model.coef_.shape == (3, 40)
    assert (model.predict(Z) == y).mean() > 0.8
    homogenous = LinearSVMClassifier(lambda_=0.1, constant=0.0).fit(Z, y)
    assert not homogenous.intercept_.any()


def test_a_budget_that_is_used_up_is_told():
    with pytest.warns(match="capped; standardise the features, or raise max_sweeps"):
        LinearSVMClassifier(lambda_=1e-6, max_sweeps=1).fit(X, Y)
    with pytest.raises(ValueError, match="max_sweeps=0"):
        LinearSVMClassifier(max_sweeps=0).fit(X, Y)


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_few_standardised_examples_are_solved_at_the_defaults(load):
    Z, y = load(return_X_y=True)
    model = LinearSVMClassifier().fit(StandardScaler().fit_transform(Z), y)
    assert model.gap_ <= model.tol


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("lambda_", [1e-4, 1e-2])
def test_few_examples_with_features_of_unlike_size_are_solved_too(load, lambda_):
    """Coordinate ascent alone is not half way after 100,000 sweeps."""
    Z, y = load(return_X_y=True)
    Z, y = np.column_stack([Z, np.ones(len(y))]), np.where(y == 1, 1.0, -1.0)
    solution = solve_linear_svm(Z, y, lambda_, 1e-6, max_sweeps=10_000)
    w, a = solution.x, solution.dual / lambda_
    primal = 0.5 * lambda_ * w @ w + np.maximum(0, 1 - y * (Z @ w)).mean()
    v = Z.T @ (a * y)
    assert (a >= 0).all() and (a <= 1 / (lambda_ * len(y)) * (1 + 1e-12)).all()
    dual = lambda_ * (a.sum() - 0.5 * v @ v)
    assert solution.status == "optimal" and -1e-9 <= (primal - dual) / primal <= 1e-6
