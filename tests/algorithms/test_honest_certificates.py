"""What a certificate claims, on problems made to break it: each of these was once certified, and wrong."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernlearn
from kernlearn.algorithms.common.inner import SVMInner
from kernlearn.certificates import relative_gap, status_of
from kernlearn.kernels import DenseStack, GramStack, is_semidefinite, make_family, sizes
from kernlearn.solvers import SVM_SOLVERS, SVMSolver, definite_inverse, newton
from tests.conftest import moons

WINE, CULTIVAR = load_wine(return_X_y=True)
WINE = StandardScaler().fit_transform(WINE)


def test_a_gap_is_relative_to_the_objective_and_a_negative_one_is_refused():
    assert relative_gap(2e-9, 1e-9, 1.0) == 0.5
    assert relative_gap(0.0, 0.0, 0.0) == 0.0  # lambda = beta = 0 on separable data
    assert status_of(-1e-3, 1e-6) == status_of(float("nan"), 1e-6) == "inaccurate"
    assert status_of(-1e-7, 1e-6) == "inaccurate" and status_of(-1e-12, 1e-6) == "optimal"


@pytest.mark.parametrize("norm", [1.0001, 1.001, 1.01, 1.05])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_norms_near_one_have_lower_bounds_that_are_lower(norm, C):
    """||w||_q is a power of q = norm / (norm - 1), 10,001 for the first; of the l1 norm there are less weights."""
    model = kernlearn.MKLClassifier(norm=norm, C=C, gammas=[0.001, 0.01, 0.1, 1.0, 10.0]).fit(WINE, CULTIVAR == 1)
    assert 0 <= model.gap_ <= 1e-6 and model.dual_objective_ > 0
    sparse = kernlearn.MKLClassifier(norm=1.0, C=C, gammas=[0.001, 0.01, 0.1, 1.0, 10.0]).fit(WINE, CULTIVAR == 1)
    assert model.dual_objective_ <= sparse.objective_ * (1 + 1e-9)
    assert sparse.dual_objective_ <= model.objective_ * 5.0 ** (1 - 1 / norm) * (1 + 1e-9)


@pytest.mark.parametrize("scale", [1.0, 1e-4, 1e-7, 1e-10])
def test_a_kernel_that_is_almost_constant_loses_no_digits(scale):
    """Centring takes out the 1 of a Gaussian kernel; in the limit it is a linear kernel, whatever the scale."""
    model = kernlearn.MKLClassifier(gammas=[0.1, 1.0]).fit(1e-6 * scale * WINE, CULTIVAR)
    assert model.gap_ <= 1e-6 and model.score(1e-6 * scale * WINE, CULTIVAR) > 0.95
    assert model.objective_ == pytest.approx(54.25, rel=0.1)


def test_curvature_of_dependent_examples_has_a_fallback():
    """Free examples that depend on each other, in kernels whose rounding is indefinite."""
    X, y = moons(80)
    X = np.vstack([X, X[:40] + 1e-9])
    y = np.append(y, -y[:40])
    K = np.stack([np.outer(x, x) for x in X.T] + [np.exp(-1e-6 * ((X[:, None] - X) ** 2).sum(-1))])
    stack = DenseStack(K).centred()
    solution = newton(SVMInner(stack, y, 1.0, sizes(stack, "mean_diagonal"), 1e-6), np.ones(len(K)), norm=2.0)
    assert solution.status == "optimal"
    A = np.diag([1.0, 0.5, -1e-9])
    np.testing.assert_allclose(definite_inverse(A, 1e-6)(np.eye(3)), np.diag([1.0, 2.0, 1e6]))


@pytest.mark.parametrize("C", [1e2, 1e4, 1e6])
def test_contradictory_copies_at_a_large_C(C):
    """Every pair costs 2 C at least and adds nothing to f; its products with K used to leave 20 % of rounding."""
    X, y = moons(90)
    X = np.vstack([X, X[:20]])
    y = np.append(y, -y[:20])
    K = GramStack.train(make_family("polynomial", degrees=[6]), X).matrix(0)
    solver = SVMSolver(K, y)
    for value in sorted({1.0, 30.0, C}):
        solution = solver.solve(value)
    f = K.astype(np.longdouble) @ solution.x + solution.intercept
    primal = 0.5 * solution.x @ (f - solution.intercept) + C * np.maximum(0, 1 - y * f).sum()
    assert solution.objective == pytest.approx(float(primal), rel=1e-9)
    assert 40 * C <= solution.objective and solution.status == "optimal"


def test_the_svm_is_never_worse_than_what_is_at_hand():
    """Where rounding leaves no certificate: the zero solution, and the solution of the C before."""
    X, y = moons(60)
    K = GramStack.train(make_family("polynomial", degrees=[10]), 30 * X).matrix(0)
    solver, before = SVMSolver(K, y), None
    for C in 10.0 ** np.arange(-30, 8, 4):
        solution = solver.solve(C)
        assert solution.objective <= 2 * C * min((y > 0).sum(), (y < 0).sum()) * (1 + 1e-12)
        if before is not None:
            x, b = before
            f = K.astype(np.longdouble) @ x
            assert solution.objective <= 0.5 * x @ f + C * np.maximum(0, 1 - y * (f + b)).sum() * (1 + 1e-6)
        before = solution.x, solution.intercept


def test_coefficients_and_intercept_are_those_of_the_objective():
    """They are stretched together, or not at all."""
    X, y = moons(60)
    stack = DenseStack(np.stack([GramStack.train(make_family("polynomial", degrees=[d]), X).matrix(0) for d in (3, 9)]))
    inner = SVMInner(stack, y, 1e5, np.ones(2), 1e-6)
    response = inner.respond(np.array([0.3, 0.7]))
    K = stack.combine(np.array([0.3, 0.7]))
    f = K @ response.coef
    objective = 0.5 * response.coef @ f + 1e5 * np.maximum(0, 1 - y * (f + response.intercept)).sum()
    assert objective == pytest.approx(response.objective, rel=1e-7)


@pytest.mark.parametrize("C", [1e-4, 1e-3])
def test_a_bias_that_nothing_determines_is_the_middle(C):
    """Where C is small and classes are equal every multiplier is at its bound; the middle is what LibSVM takes."""
    X, y = np.vstack([WINE[CULTIVAR == 0][:40], WINE[CULTIVAR == 1][:40]]), np.repeat([-1, 1], 40)
    model = kernlearn.L2SVMClassifier(kernel="gaussian", gamma=0.01, C=C).fit(X, y)
    oracle = SVC(gamma=0.01, C=C, tol=1e-9).fit(X, y)
    assert model.intercept_[0] == pytest.approx(oracle.intercept_[0], abs=1e-6)
    np.testing.assert_array_equal(model.predict(X), oracle.predict(X))


@pytest.mark.parametrize("solver", ["homotopy", "libsvm"])
def test_the_objective_is_that_of_the_bias_returned(solver):
    X, y = np.vstack([WINE[CULTIVAR == 0][:40], WINE[CULTIVAR == 1][:40]]), np.repeat([-1.0, 1.0], 40)
    K, C = X @ X.T, 1e-3
    solution = SVM_SOLVERS[solver](K, y).solve(C)
    f = K @ solution.x
    loss = np.maximum(0, 1 - y * (f + solution.intercept)).sum()
    assert solution.objective == pytest.approx(0.5 * solution.x @ f + C * loss, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-3, 1e-5, 1e-7])
def test_polynomial_kernels_of_small_features_lose_no_digits(scale):
    """Centred and divided by its trace, (x.z + 1)^d is that of d x.z + O(|x|^2 |z|^2)."""
    X, y = moons(50)
    model = kernlearn.MKLClassifier(kernel="polynomial", degrees=(1, 2, 3), C=100.0).fit(scale * X, y)
    linear = kernlearn.MKLClassifier(kernel="linear", C=100.0).fit(X, y)
    assert model.gap_ <= 1e-6 and model.objective_ == pytest.approx(linear.objective_, rel=20 * scale + 2e-6)


def test_equal_eigenvalues_are_no_traceback():
    """Lanczos' method has nothing to iterate on the identity."""
    K = np.stack([np.eye(49), np.exp(-0.1 * np.subtract.outer(np.arange(49), np.arange(49)) ** 2)])
    model = kernlearn.LocalRademacherClassifier(theta=2, kernel="precomputed", C=1.0).fit(K, np.arange(49) % 2)
    assert model.gap_ <= 1e-6


def test_one_problem_of_all_classes_has_one_objective():
    model = kernlearn.MulticlassMKLClassifier(C=1.0).fit(WINE, CULTIVAR)
    assert model.objective_ <= len(WINE)  # the value of f = 0, with C = 1
    assert 0 <= model.objective_ - model.dual_objective_ <= 1e-4 * model.objective_


@pytest.mark.parametrize("weighting", ["unif", "align", "alignf"])
def test_centring_leaves_zeros_zero(weighting):
    """An example that is no support vector has no coefficient, not one of 1e-19."""
    X, y = moons(120)
    model = kernlearn.TwoStageClassifier(weighting=weighting, gammas=[0.1, 1.0, 10.0], C=10.0).fit(X, y)
    (mu,) = model.weights_
    stack = DenseStack.of(GramStack.train(make_family("gaussian", gammas=[0.1, 1.0, 10.0]), X), less_constant=True)
    oracle = SVC(kernel="precomputed", C=10.0, tol=1e-6).fit(stack.centred().combine(mu), y)
    assert model.n_support_ == len(oracle.support_) < 100


def test_an_indefinite_matrix_is_refused():
    A = np.random.default_rng(0).normal(size=(30, 30))
    K, y = A + A.T, np.where(np.arange(30) % 2, 1, -1)
    assert not is_semidefinite(K) and is_semidefinite(A @ A.T) and is_semidefinite(A[:, :3] @ A[:, :3].T)
    for model, X in (
        (kernlearn.L2SVMClassifier(kernel="precomputed"), K),
        (kernlearn.LKRRRegressor(kernel="precomputed"), K[None]),
        (kernlearn.TwoStageRegressor(kernel="precomputed"), K[None]),
        (kernlearn.MKLClassifier(kernel="precomputed"), K[None]),
    ):
        with pytest.raises(ValueError, match="not positive semidefinite: its least eigenvalue is -"):
            model.fit(X, y)
    kernlearn.VKRClassifier(kernel="precomputed", complexity="massart").fit(
        K, y
    )  # a linear program, whatever the kernel


@pytest.mark.parametrize("units", [1.0, 1e4, 1e8])
def test_the_gaussian_kernel_of_an_example_with_itself_is_one(units):
    X = units * np.random.default_rng(0).normal(size=(50, 5)) + 1e3 * units
    X = np.vstack([X, X[:5], X[:5] * (1 + 1e-12)])
    K = GramStack.train(make_family("gaussian", gammas=[1.0]), X).matrix(0)
    assert (np.diagonal(K) == 1.0).all() and (np.diagonal(K[:5, 50:55]) == 1.0).all()
    exact = np.exp(-((X[:5] - X[55:]) ** 2).sum(axis=1))
    np.testing.assert_allclose(np.diagonal(K[:5, 55:]), exact, rtol=1e-6)


def test_no_penalty_on_separable_data_has_no_gap():
    X, y = moons(30)
    model = kernlearn.VKRClassifier(degrees=[6, 8], lambda_=0.0, beta=0.0).fit(X, y)
    assert model.objective_ == model.dual_objective_ == model.gap_ == 0.0
