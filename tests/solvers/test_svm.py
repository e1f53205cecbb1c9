"""The homotopy for the SVM against LibSVM, and against its own conditions recomputed; on instances made to be hard."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from kernlearn.certificates import relative_gap
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers import LibSVMSolver, SVMSolver
from kernlearn.solvers.core.cholesky import append, backward, delete, forward
from kernlearn.solvers.svm.osqp import OSQPSVMSolver
from tests.conftest import moons

CS = [10.0**e for e in range(-4, 8)]


def gram(X, degree):
    return GramStack.train(make_family("polynomial", degrees=[degree]), X).matrix(0)


def check(solution, K, y, C, tol=1e-6):
    """Objectives and conditions from the data alone."""
    alpha, f = solution.dual, K @ solution.x
    assert alpha.min() >= 0 and alpha.max() <= C and abs(alpha @ y) <= 1e-9 * max(1.0, alpha.sum())
    primal = 0.5 * solution.x @ f + C * np.maximum(0, 1 - y * (f + solution.intercept)).sum()
    first = np.unique(K.round(9), axis=0, return_inverse=True)[1]  # of contradictory examples only the sum is seen
    beta = np.array([(alpha * y)[first == g].sum() for g in range(first.max() + 1)])
    places = [int(np.argmax(first == g)) for g in range(first.max() + 1)]
    dual = alpha.sum() - 0.5 * beta @ K[np.ix_(places, places)] @ beta
    assert solution.objective == pytest.approx(primal, rel=1e-8, abs=1e-10)
    assert solution.dual_objective == pytest.approx(dual, rel=1e-8, abs=1e-9)
    assert abs(primal - dual) <= tol * max(primal, 1e-6) and solution.status == "optimal"


def degenerate(name):
    random = np.random.default_rng(5)
    X, y = moons(60)
    if name == "copies":
        X, y = np.repeat(X, 3, axis=0), np.repeat(y, 3)
    elif name == "contradictory":
        X, y = np.vstack([X, X[:20]]), np.concatenate([y, -y[:20]])
    elif name == "ties":
        X, y = random.integers(-1, 2, size=(150, 4)).astype(float), random.choice([-1.0, 1.0], size=150)
    elif name == "two points":
        X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])
    elif name == "unbalanced":
        y = np.where(np.arange(60) == 7, 1.0, -1.0)
    elif name == "more features than points":
        X = random.normal(size=(60, 300)) / np.sqrt(300)
    elif name == "tiny":
        X = 1e-3 * X
    return X, y


@pytest.mark.parametrize("degree", [1, 3, 8])
@pytest.mark.parametrize(
    "name",
    ["moons", "copies", "contradictory", "ties", "two points", "unbalanced", "more features than points", "tiny"],
)
def test_every_C_is_certified(name, degree):
    X, y = degenerate(name)
    K = gram(X, degree)
    solver = SVMSolver(K, y)
    for C in CS[:9]:
        solution = solver.solve(C)
        check(solution, K, y, C)
    assert solver.fallbacks == 0


@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "ties"])
def test_the_optimum_is_that_of_libsvm(name, C):
    X, y = degenerate(name)
    K = gram(X, 2)
    oracle = SVC(kernel="precomputed", C=C, tol=1e-9).fit(K, y)
    x = np.zeros(len(y))
    x[oracle.support_] = oracle.dual_coef_[0]
    solution = SVMSolver(K, y, 1e-10).solve(C)
    theirs = np.abs(x).sum() - 0.5 * x @ K @ x
    assert theirs <= solution.dual_objective + 1e-12 * theirs and solution.dual_objective <= theirs * (1 + 1e-7)
    np.testing.assert_allclose(K @ solution.x, K @ x, atol=2e-3)  # as near as LibSVM comes
    if ((solution.dual > 0) & (solution.dual < C)).any():  # otherwise b is not unique
        assert solution.intercept == pytest.approx(oracle.intercept_[0], abs=2e-3)


def test_the_order_of_C_and_the_start_do_not_matter():
    X, y = degenerate("ties")
    K = gram(X, 3)
    warm = SVMSolver(K, y)
    for C in [1.0, 1e3, 1e-2, 50.0, 50.0, 1e-4]:
        found = warm.solve(C)
        cold = SVMSolver(K, y).solve(C)
        assert found.objective == pytest.approx(cold.objective, rel=1e-9)
        np.testing.assert_allclose(K @ found.x, K @ cold.x, atol=1e-5)


def test_beyond_the_hard_margin_nothing_moves():
    X, y = moons(40)
    K = gram(X, 9)
    solver = SVMSolver(K, y)
    first = solver.solve(1e6)
    assert (first.dual < 1e6).all()
    later = solver.solve(1e7)
    assert later.iterations == 0 and later.objective == pytest.approx(first.objective, rel=1e-6)


def test_of_equal_examples_as_few_as_possible_are_support_vectors():
    X, y = moons(40)
    K = gram(np.repeat(X, 4, axis=0), 2)
    solution = SVMSolver(K, np.repeat(y, 4)).solve(10.0)
    between = (solution.dual > 0) & (solution.dual < 10.0)
    assert between.reshape(40, 4).sum(axis=1).max() <= 1


def test_a_zero_kernel_has_only_the_intercept():
    y = np.array([1.0, 1.0, 1.0, -1.0])
    solution = SVMSolver(np.zeros((4, 4)), y).solve(1.0)
    assert solution.objective == pytest.approx(2.0) and solution.intercept == pytest.approx(1.0)
    assert solution.status == "optimal"


def test_a_stalled_homotopy_starts_anew_and_is_certified(monkeypatch):
    X, y = moons(60)
    K = gram(X, 2)
    solver = SVMSolver(K, y)
    solver.solve(1e-4)
    monkeypatch.setattr(
        "kernlearn.solvers.svm.path.MAX_STEPS", 1
    )  # 60 steps do not reach C = 10, they do from LibSVM's
    check(solver.solve(10.0), K, y, 10.0)
    assert solver.fallbacks == 1


def test_an_indefinite_matrix_is_never_called_solved():
    random = np.random.default_rng(0)
    A = random.normal(size=(30, 30))
    K, y = A + A.T, np.where(random.random(30) < 0.5, 1.0, -1.0)
    solution = SVMSolver(K, y).solve(10.0)
    assert solution.status == "inaccurate" or abs(solution.gap) <= 1e-6


def test_libsvm_says_what_its_cap_costs():
    X, y = degenerate("ties")
    K = gram(X, 2)
    capped = LibSVMSolver(K, y, max_iter=50).solve(1e4)
    assert capped.status == "capped at 50 iterations" and capped.gap > 1e-2
    exact = SVMSolver(K, y).solve(1e4)
    assert capped.dual_objective < exact.dual_objective <= capped.objective


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(4, 60),
    d=st.integers(1, 8),
    degree=st.integers(1, 6),
    levels=st.integers(2, 9),
    scale=st.sampled_from([1e-2, 1.0, 10.0]),
    seed=st.integers(0, 10**6),
)
def test_random_programs_are_certified_for_all_C(n, d, degree, levels, scale, seed):
    random = np.random.default_rng(seed)
    X = random.integers(levels, size=(n, d)) / levels
    y = random.choice([-1.0, 1.0], size=n)
    y[:2] = [-1.0, 1.0]
    K = gram(scale * X, degree)
    K /= np.diagonal(K).max()
    solver = SVMSolver(K, y)
    for C in [1e-3, 1.0, 1e3, 10.0]:
        check(solver.solve(C), K, y, C)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 30), seed=st.integers(0, 10**6))
def test_the_factor_follows_rows_that_come_and_go(n, seed):
    random = np.random.default_rng(seed)
    A = random.normal(size=(n, n + 2))
    A = A @ A.T
    L, f, rows = np.full((n, n), np.nan), 0, []
    for step in range(3 * n):
        outside = [i for i in range(n) if i not in rows]
        if rows and (not outside or random.random() < 0.4):
            position = int(random.integers(len(rows)))
            f = delete(L, f, position)
            del rows[position]
        else:
            i = int(random.choice(outside))
            row = np.empty(n)
            row[:f] = A[i, rows]
            forward(L, f, row)
            f = append(L, f, row, A[i, i] - row[:f] @ row[:f])
            rows.append(i)
        assert f == len(rows), step
        if f:
            lower = np.tril(L[:f, :f])
            np.testing.assert_allclose(lower @ lower.T, A[np.ix_(rows, rows)], atol=1e-9 * n)
            x = random.normal(size=f)
            solved = x.copy()
            forward(L, f, solved)
            backward(L, f, solved)
            np.testing.assert_allclose(A[np.ix_(rows, rows)] @ solved, x, atol=1e-5)


def test_what_cancels_leaves_no_coefficient_and_rounding_no_multiplier():
    """Half of the examples twice, once of either class."""
    for seed in range(100):
        random = np.random.default_rng(seed)
        n = int(random.integers(8, 16))
        X = random.normal(size=(n, 2))
        y = np.where(X[:, 0] + 0.3 * random.normal(size=n) > 0, 1.0, -1.0)
        X, y = np.vstack([X, X[: n // 2]]), np.concatenate([y, -y[: n // 2]])
        C = float(random.choice([0.1, 1, 10, 100, 1000]))
        solution = SVMSolver(GramStack.train(make_family("gaussian", gammas=[1.0]), X).matrix(0), y).solve(C)
        used = np.concatenate([np.abs(solution.x), solution.dual])
        assert used[used > 0].min() > 1e-12 * C


def test_a_cold_start_at_a_large_C_reaches_what_the_warm_path_does():
    """Close copies and contradictory ones under a wide kernel: there LibSVM is no good start."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(20, 3)), random.choice([-1.0, 1.0], 20)
    X, y = np.vstack([X, X[:6], X[:3] + 1e-3]), np.concatenate([y, -y[:6], y[:3]])
    K = GramStack.train(make_family("gaussian", gammas=[1e-4]), X).matrix(0)
    warm = SVMSolver(K, y)
    for C in (1e5, 1e6, 1e7):
        solution = warm.solve(C)
        assert SVMSolver(K, y).solve(C).objective == pytest.approx(solution.objective, rel=1e-6)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "unbalanced", "two points", "tiny"])
def test_osqp_is_a_second_way_to_the_same_optimum(name):
    X, y = degenerate(name)
    K = gram(X, 3)
    w = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    for weights in (None, w):
        one, other = SVMSolver(K, y, weights=weights), OSQPSVMSolver(K, y, weights=weights)
        for C in (0.01, 1.0, 100.0):
            first, second = one.solve(C), other.solve(C)
            assert first.status == second.status == "optimal"
            assert second.objective == pytest.approx(first.objective, rel=2e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-300, 0.0, -1e-17])
def test_osqp_solves_for_kernels_that_are_nothing(size):
    solution = OSQPSVMSolver(size * np.eye(4), np.array([1.0, 1.0, -1.0, -1.0])).solve(1.0)
    assert solution.objective == pytest.approx(4.0) and solution.status == "optimal"


def test_the_gap_of_nothing_is_no_division_by_zero():
    assert relative_gap(0.0, 0.0, 0.0) == 0.0 and relative_gap(0.0, -1e-300, 0.0) == np.inf
