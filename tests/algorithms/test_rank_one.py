"""Kernels of rank 1 with weights of bounded l1 norm: the exact solution in the features against general methods."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import linprog

from kernlearn import MKLClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.common.inner import equal_examples
from kernlearn.algorithms.common.rank_one import RankOneMKL, is_rank_one
from kernlearn.algorithms.kernel_learning import lp_mkl
from kernlearn.algorithms.ridge.l1_krr import solve_l1_krr
from kernlearn.datasets import load
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import DenseStack, FeatureStack, sizes
from kernlearn.kernels.matrices.columns import FeatureColumns
from kernlearn.solvers import SquaredL1Solver, solve_squared_l1_ridge
from tests.algorithms.combinations import svm_value
from tests.conftest import first_of

N, D = 60, 90
RNG = np.random.default_rng(1)
COUNTS = sp.csr_array(RNG.poisson(0.3, (N, D)).astype(float) * np.where(np.arange(D) % 7, 1.0, 3.0))
Y = np.where(COUNTS[:, :12].sum(axis=1) - COUNTS[:, 12:24].sum(axis=1) + RNG.normal(size=N) > 0, 1.0, -1.0)
REAL = Y * RNG.random(N)
REAL -= REAL.mean()
STACK = FeatureStack(COUNTS).centred()
T = sizes(STACK, "mean_diagonal")
PLAIN = DenseStack(np.stack([np.outer(v, v) for v in STACK.columns(np.arange(D)).T]))
CS = [1e-3, 0.1, 1.0, 30.0, 1e4]


def mkl_objective(point, C):
    """The value of MKL at the predictor of a path point, from its weights alone."""
    w, mu = point.predictor.coef[0], point.facts["weights"][0]
    f = COUNTS @ w + point.predictor.intercept[0]
    used = mu > 0
    assert not w[~used].any()
    return 0.5 * (w[used] ** 2 / mu[used]).sum() + C * np.maximum(0.0, 1.0 - Y * f).sum()


def test_only_features_one_a_kernel_are_of_rank_one():
    assert is_rank_one(STACK) and not is_rank_one(PLAIN)
    assert not is_rank_one(FeatureStack(COUNTS, groups=np.arange(D) // 2))


def test_mkl_in_the_features_is_certified_and_its_predictor_has_the_value_it_says():
    for C, point in zip(
        CS, lp_mkl.path(Problem(FeatureStack(COUNTS), Signs(Y)), norm=1.0, Cs=CS, tol=1e-9), strict=True
    ):
        (solution,) = point.solutions
        assert solution.status == "optimal" and solution.gap <= 1e-9 and solution.x.sum() == pytest.approx(1.0)
        assert mkl_objective(point, C) == pytest.approx(solution.objective, rel=1e-9)
        alpha = solution.dual  # feasible, so that it bounds every MKL with these kernels
        assert alpha.min() >= 0 and alpha.max() <= C * (1 + 1e-12) and abs(alpha @ Y) <= 1e-10 * C * N
        bound = alpha.sum() - 0.5 * (STACK.quadratic(alpha * Y) / T).max()
        assert bound == pytest.approx(solution.dual_objective, rel=1e-9)


@pytest.mark.parametrize("C", first_of([1.0, 0.1, 30.0]))
def test_mkl_in_the_features_is_that_of_the_matrices(C):
    solution = RankOneMKL(STACK, Y, T, 1e-9).solve(C)
    _, general = next(lp_mkl.solve_path(PLAIN, Y, [C], T, norm=1.0, tol=1e-5))
    assert general.dual_objective <= solution.objective * (1 + 1e-9)
    assert solution.dual_objective <= general.objective * (1 + 1e-9)
    primal, dual = svm_value(STACK.combine(solution.x / T), Y, C)  # LibSVM with the weights found
    assert dual * (1 - 1e-5) <= solution.objective <= primal * (1 + 1e-5)
    assert solution.extras["response"].objective == solution.objective


def test_the_order_of_values_does_not_matter():
    solver = RankOneMKL(STACK, Y, T, 1e-9)
    for C in (30.0, 0.1, 1.0, 0.1):
        assert solver.solve(C).objective == pytest.approx(RankOneMKL(STACK, Y, T, 1e-9).solve(C).objective, rel=1e-9)


def test_features_without_anything_to_say():
    """All kernels zero, and one class far more frequent: the majority is all that can be learned."""
    nothing = FeatureStack(np.zeros((10, 3))).centred()
    y = np.array([1.0] * 7 + [-1.0] * 3)
    solution = RankOneMKL(nothing, y, np.ones(3), 1e-9).solve(2.0)
    assert solution.objective == pytest.approx(2.0 * 6.0) and solution.gap <= 1e-9
    assert solution.extras["response"].intercept == pytest.approx(1.0) and solution.x == pytest.approx(1 / 3)


def test_equal_features_and_equal_examples():
    V = np.vstack([np.hstack([COUNTS.toarray(), COUNTS.toarray()])] * 2)
    doubled, y = FeatureStack(V).centred(), np.tile(Y, 2)
    t = sizes(doubled, "mean_diagonal")
    solution = RankOneMKL(doubled, y, t, 1e-9).solve(1.0)
    single = RankOneMKL(STACK, Y, T, 1e-9).solve(2.0)
    assert solution.status == "optimal" and solution.objective == pytest.approx(single.objective, rel=1e-9)


@pytest.mark.parametrize("weights", [np.ones(D), np.linspace(0.2, 2.0, D)])
def test_the_line_above_every_lambda_is_the_linear_program(weights):
    """At the solution lambda is the norm, and the linear program for that lambda has the value it should have."""
    C, columns = 1.0, FeatureColumns(STACK, Y, np.ones(D), bias=True)
    cost = np.append(weights, 0.0)[None]
    solution = SquaredL1Solver(columns, cost).solve(C)
    norm = float((cost * np.abs(solution.x)).sum())
    A = (columns.take(np.zeros(D + 1, dtype=int), np.arange(D + 1))).T
    program = linprog(
        np.concatenate([norm * cost[0], norm * cost[0], np.full(N, C)]),
        A_ub=-np.hstack([A, -A, np.eye(N)]),
        b_ub=-np.ones(N),
    )
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(program.fun - 0.5 * norm**2, rel=1e-8)


def test_columns_of_features_are_their_matrix():
    scale, k = np.linspace(0.5, 2.0, D), np.zeros(D + 1, dtype=int)
    for stack in (STACK, FeatureStack(COUNTS.toarray()), FeatureStack(COUNTS)):
        columns = FeatureColumns(stack, Y, scale, bias=True)
        A = columns.take(k, np.arange(D + 1)).T
        np.testing.assert_allclose(A, Y[:, None] * np.column_stack([stack.columns(np.arange(D)) / scale, np.ones(N)]))
        coef, v = RNG.normal(size=(1, D + 1)), RNG.normal(size=N)
        np.testing.assert_allclose(columns.apply(coef), A @ coef[0])
        np.testing.assert_allclose(columns.price(v), (A.T @ v)[None])
        np.testing.assert_allclose(columns.scales(), np.abs(A).max(axis=0)[None])
        without = FeatureColumns(stack, Y, scale, bias=False)
        np.testing.assert_allclose(without.apply(coef[:, :-1]), A[:, :-1] @ coef[0, :-1])
        assert without.shape == (1, N, D) and without.price(v).shape == (1, D)


def test_a_sum_of_rounding_errors_is_no_violation():
    columns = FeatureColumns(STACK, Y, np.ones(D), bias=True)
    v = np.where(Y > 0, 1.0 / 3.0 / (Y > 0).sum(), 1.0 / 3.0 / (Y < 0).sum())
    assert columns.price(v)[0, -1] == 0.0 and columns.price(v * (1 + 1e-9 * (Y > 0)))[0, -1] != 0.0


def test_multipliers_that_were_clipped_are_feasible():
    """The vertex of this problem is outside its bounds by 2e-13; clipped, its multipliers do not sum to 0."""
    data = load("digits")
    train = PROTOCOLS["rotation5"].make(data.y, data.classes, 0)[2].train
    stack, y = FeatureStack(data.X[train]).centred(), np.where(data.y[train] == 5, 1.0, -1.0)
    mkl = RankOneMKL(stack, y, sizes(stack, "mean_diagonal"), 1e-9)
    assert [mkl.solve(C).status for C in (0.1, 1.0)] == ["optimal"] * 2


@pytest.mark.sampled(2)
@pytest.mark.parametrize("lambda_", [1e-3, 0.1, 10.0, 1e4])
@pytest.mark.parametrize("Lambda", [1.0, 5.0])
def test_ridge_regression_in_the_features_is_that_of_the_matrices(lambda_, Lambda):
    solution = solve_l1_krr(STACK, REAL, lambda_, Lambda=Lambda, sizes=T, tol=1e-9)
    general = solve_l1_krr(PLAIN, REAL, lambda_, Lambda=Lambda, sizes=T, tol=1e-6)
    assert solution.status == "optimal" and solution.gap <= 1e-9
    assert general.dual_objective <= solution.objective * (1 + 1e-9)
    assert solution.dual_objective <= general.objective * (1 + 1e-9)
    u = solution.x * STACK.project(solution.extras["response"].alpha) / np.sqrt(T)  # the weights of the features
    value = ((REAL - STACK.columns(np.arange(D)) @ (u / np.sqrt(T))) ** 2).sum() / lambda_
    assert value + np.abs(u).sum() ** 2 / Lambda == pytest.approx(solution.objective, rel=1e-7)


def test_squared_l1_ridge_whatever_it_starts_from():
    columns = FeatureColumns(STACK, np.ones(N), np.ones(D), bias=False)
    solution = solve_squared_l1_ridge(columns, REAL, 0.1, 1.0)
    signs = np.sign(solution.x)
    correlation = columns.price(solution.dual)[0]
    assert solution.status == "optimal"
    np.testing.assert_allclose(correlation[signs != 0] * signs[signs != 0], np.abs(solution.x).sum(), rtol=1e-6)
    likely = RNG.permutation(D)[:40]
    again = solve_squared_l1_ridge(columns, REAL, 0.1, 1.0, likely=likely)
    assert again.objective == pytest.approx(solution.objective, rel=1e-9)


def test_squared_l1_ridge_of_labels_that_are_zero():
    columns = FeatureColumns(STACK, np.ones(N), np.ones(D), bias=False)
    solution = solve_squared_l1_ridge(columns, np.zeros(N), 1.0, 1.0)
    assert not solution.x.any() and solution.status == "optimal"


def test_conv_without_a_head_is_mkl_in_the_features_too():
    stack = FeatureStack(COUNTS)
    conv = next(ALGORITHMS["conv"].path(Problem(stack, Signs(Y)), thetas=[0], Cs=[N * 1.0], norm=1.0))
    mkl = next(ALGORITHMS["l1_mkl"].path(Problem(stack, Signs(Y)), Cs=[1.0]))
    np.testing.assert_allclose(conv.predictor.coef, mkl.predictor.coef, atol=1e-6)


def test_no_matrix_of_all_examples_is_made_and_equal_examples_are_found(monkeypatch):
    doubled = FeatureStack(sp.vstack([COUNTS, COUNTS[:5]])).centred()
    y, t = np.append(Y, -Y[:5]), sizes(doubled, "mean_diagonal")
    expected = equal_examples(DenseStack(np.stack([np.outer(v, v) for v in doubled.columns(np.arange(D)).T])), 1 / t, y)
    monkeypatch.delattr(FeatureStack, "combine")
    found = equal_examples(doubled, 1 / t, y)
    assert np.array_equal(found, expected) and np.array_equal(found[N:], found[:5])
    assert RankOneMKL(doubled, y, t, 1e-9).solve(1.0).status == "optimal"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_multipliers_in_extended_precision_are_handed_on_as_double():
    """Of so weak a penalty the linear program certifies its vertex in extended precision."""
    rng = np.random.default_rng(11)
    X, y = rng.integers(-3, 4, (51, 4)).astype(float), rng.integers(2, size=51)
    model = MKLClassifier(C=1e5, kernel="features", tol=1e-9).fit(X, y)
    general = MKLClassifier(C=1e5, kernel="features", tol=1e-9, class_weight={0: 1.0}).fit(X, y)  # of any rank
    assert model.dual_objective_ <= general.objective_ * (1 + 1e-9)
    assert general.dual_objective_ <= model.objective_ == pytest.approx(general.objective_, rel=2e-3)


@pytest.mark.parametrize("C", [1e3, 1e5])
def test_where_a_constant_is_the_optimum_it_is_found(C):
    """The values of the smaller class lie within those of the larger one: no line is better than a constant."""
    X = np.array([2, 1, 0, -2, -1, -3, -3, -3, -2, 2, 1, 3, 0, 1.0])[:, None]
    y = np.r_[np.ones(5), -np.ones(9)]
    with pytest.warns(UserWarning, match="all 14 training examples are predicted as class -1.0"):
        model = MKLClassifier(C=C, kernel="features").fit(X, y)
    assert model.objective_ == 10 * C and model.gap_ <= 1e-6 and (model.decision_function(X) == -1.0).all()
