"""Multiple kernel learning: certificates, oracles and the identities of the papers."""

from functools import partial

import numpy as np
import pytest

from kernlearn.algorithms import Problem, Signs
from kernlearn.algorithms.common.inner import RidgeInner, SVMInner
from kernlearn.algorithms.core import grams
from kernlearn.algorithms.kernel_learning import lp_mkl
from kernlearn.algorithms.kernel_learning.lp_mkl import solve_mkl
from kernlearn.algorithms.kernel_learning.multiclass_mkl import MulticlassInner
from kernlearn.certificates.kernel_weights import tail_sizes
from kernlearn.errors import UserError
from kernlearn.kernels import DenseStack, GramStack, make_family, tail_sums
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.solvers import SMOSolver, solve_multiclass_svm
from kernlearn.solvers.bands import working_set
from kernlearn.solvers.core.refined_factor import LARGE, RefinedFactor
from tests.algorithms.combinations import GRAM, REAL, STACK, N, P, T, X, Y, solve_multiclass_mkl, svm_value


def mkl(stack, t, C=3.0, y=Y, tol=1e-8, **options):
    return solve_mkl(SVMInner(stack, y, C, t, tol), tol=tol, **options)


@pytest.mark.parametrize("norm", [1, 2])
def test_many_examples_have_the_same_optimum_by_pairs(norm, monkeypatch):
    known = mkl(STACK, T, norm=norm)
    monkeypatch.setattr(grams, "WHOLE_SET_UP_TO", N - 1)
    assert isinstance(grams.combined_svm(STACK, 1.0 / T, Y, 1e-9), SMOSolver)
    solution = mkl(STACK, T, norm=norm)
    assert solution.status == "optimal" and solution.objective == pytest.approx(known.objective, rel=1e-8)
    assert np.allclose(solution.x, known.x, atol=1e-4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("C", [0.1, 3.0, 100.0])
@pytest.mark.parametrize(("norm", "method"), [(1, "newton"), (1, "silp"), (1.3, "newton"), (2, "newton")])
def test_mkl_is_certified_and_libsvm_agrees(norm, method, C):
    tol = 1e-6
    solution = mkl(STACK, T, C, norm=norm, method=method, tol=tol)
    mu, alpha = solution.x, solution.dual
    assert solution.status == "optimal" and np.linalg.norm(mu, norm) == pytest.approx(1.0)
    primal, dual = svm_value(STACK.combine(mu / T), Y, C)
    assert dual - 1e-6 * dual <= solution.objective <= primal * (1 + 1e-6)
    q = np.inf if norm == 1 else norm / (norm - 1)
    v = np.array([(alpha * Y) @ K @ (alpha * Y) for K in STACK.K]) / T
    bound = alpha.sum() - 0.5 * np.linalg.norm(v, q)
    assert abs(alpha @ Y) <= 1e-9 * C * N and alpha.min() >= 0 and alpha.max() <= C
    assert bound == pytest.approx(solution.dual_objective, rel=1e-12)
    assert -1e-12 <= (solution.objective - bound) / solution.objective <= tol
    random = np.random.default_rng(0).random((20, P))
    for weights in random / np.linalg.norm(random, norm, axis=1)[:, None]:
        assert svm_value(STACK.combine(weights / T), Y, C)[0] >= bound * (1 - 1e-9)


def test_the_curvature_is_the_derivative_of_the_gradient():
    for inner in (SVMInner(STACK, Y, 3.0, T, 1e-10), RidgeInner(STACK, REAL, 0.2, T)):
        mu, step, some = np.full(P, 0.2), 1e-6 * np.arange(P), np.array([0, 1, 3])
        response = inner.respond(mu)
        H = inner.curvature(mu, response, np.arange(P))
        moved = (inner.respond(mu + step).w - inner.respond(mu - step).w) / 2
        np.testing.assert_allclose(-moved, H @ step, atol=1e-3 * np.abs(moved).max())
        np.testing.assert_allclose(
            inner.curvature(mu, inner.respond(mu), some), H[np.ix_(some, some)], atol=1e-6 * H.max()
        )


def test_the_curvature_by_blocks_is_that_of_the_matrices(monkeypatch):
    """From the factor that the SVM ended with, also of single precision, and with equal examples of either class."""
    random, family = np.random.default_rng(0), make_family("gaussian", gammas=[0.01, 0.1, 1.0])
    X = random.standard_normal((150, 3))
    X[3], X[8] = X[0], X[5]
    y = np.where(X[:, 0] * X[:, 1] + 0.5 * random.standard_normal(150) > 0, 1.0, -1.0)
    y[8] = -y[5]
    dense, blocked = DenseStack.of(GramStack.train(family, X), less_constant=True).centred(), BlockStack(family, X)
    mu, t = np.array([0.2, 0.5, 0.3]), np.ones(3)
    expected = SVMInner(dense, y, 3.0, t, 1e-10)
    H = expected.curvature(mu, expected.respond(mu), np.arange(3))
    for large in (LARGE, 0):
        monkeypatch.setattr(working_set, "RefinedFactor", partial(RefinedFactor, large=large))
        inner = SVMInner(blocked.centred(), y, 3.0, t, 1e-10)
        response = inner.respond(mu)
        np.testing.assert_allclose(inner.curvature(mu, response, np.arange(3)), H, atol=1e-4 * np.abs(H).max())


@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 1.5, 400)])
def test_weights_start_from_those_of_a_part_of_many_examples(monkeypatch, weights):
    random = np.random.default_rng(0)
    X = random.standard_normal((400, 4))
    y = np.where(X[:, 0] * X[:, 1] + 0.5 * random.standard_normal(400) > 0, 1.0, -1.0)
    stack, t = BlockStack(make_family("gaussian", gammas=[0.01, 0.1, 1.0]), X).centred(), np.ones(3)
    options = {"norm": 1.0, "tol": 1e-8, "weights": weights}
    _, cold = next(lp_mkl.solve_path(stack, y, [1.0], t, **options))
    monkeypatch.setattr(lp_mkl, "LARGE", 400)
    start = lp_mkl.weights_of_a_part(stack, y, 1.0, t, norm=1.0, method="newton", weights=weights)
    assert np.abs(start - cold.x).max() < np.abs(1.0 / 3.0 - cold.x).max()  # nearer than equal weights are
    _, warm = next(lp_mkl.solve_path(stack, y, [1.0], t, **options))
    assert warm.status == "optimal" and warm.objective == pytest.approx(cold.objective, rel=1e-7)
    assert (
        lp_mkl.weights_of_a_part(
            DenseStack(stack.combine(t)[None]), y, 1.0, t[:1], norm=1.0, method="newton", weights=weights
        )
        is None
    )


def test_mkl_with_one_kernel_is_the_svm():
    one, t = DenseStack(STACK.K[1:2]), T[1:2]
    for norm in (1.0, 2.0):
        solution = mkl(one, t, norm=norm)
        primal, dual = svm_value(one.K[0] / t, Y, 3.0)
        assert solution.x == pytest.approx(1.0) and dual - 1e-6 <= solution.objective <= primal + 1e-6


def test_mkl_with_duplicate_and_zero_kernels():
    plain = mkl(STACK, T).objective
    K = np.concatenate([STACK.K, STACK.K[2:3], np.zeros((1, N, N))])
    more, t = DenseStack(K), np.concatenate([T, T[2:3], [1.0]])
    for method in ("newton", "silp"):
        solution = mkl(more, t, method=method, tol=1e-7)
        assert solution.status == "optimal" and solution.objective == pytest.approx(plain, rel=1e-6)
    two = mkl(more, t, norm=2.0)
    assert two.status == "optimal" and two.x[5] == pytest.approx(two.x[2], rel=1e-3)


def test_only_zero_kernels():
    solution = mkl(DenseStack(np.zeros((2, N, N))), np.ones(2))
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(2 * 3.0 * min((Y > 0).sum(), (Y < 0).sum()))


def test_a_path_is_the_same_as_its_points_alone():
    points = list(lp_mkl.path(Problem(GRAM, Signs(Y)), norm=1.0, Cs=[10.0, 0.1, 1.0], tol=1e-7))
    assert [point.values["C"] for point in points] == [0.1, 1.0, 10.0]
    for point in points:
        (alone,) = lp_mkl.path(Problem(GRAM, Signs(Y)), norm=1.0, Cs=[point.values["C"]], tol=1e-7)
        assert alone.solutions[0].objective == pytest.approx(point.solutions[0].objective, rel=1e-6)


def test_many_kernels_are_weighed_in_turns_and_a_weight_of_0_comes_back(monkeypatch):
    plain = mkl(STACK, T, norm=2.0).objective
    monkeypatch.setattr(lp_mkl, "MAX_NEWTON_KERNELS", 1)
    for start in (None, np.eye(P)[0]):
        solution = mkl(STACK, T, norm=2.0, start=start, tol=1e-6)
        assert solution.status == "optimal" and solution.objective == pytest.approx(plain, rel=2e-6)
    path = list(lp_mkl.path(Problem(GRAM, Signs(Y)), norm=2.0, Cs=[1e-3, 1.0, 100.0]))
    assert [point.status for point in path] == ["optimal"] * 3


def test_silp_is_for_the_norm_1():
    with pytest.raises(UserError, match="method=silp solves the norm 1 only"):
        mkl(STACK, T, norm=2.0, method="silp")


def test_conv_with_theta_0_is_trace_normalised_mkl():
    np.testing.assert_allclose(tail_sizes(STACK, tail_sums(STACK, 0)), np.trace(STACK.K, axis1=1, axis2=2))


LABELS = (X[:, 0] > 0.5).astype(int) + (X[:, 1] > 0.3)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("C", [2.0, 1e4])
@pytest.mark.parametrize("norm", [1.0, 1.5, 2.0, 1000.0])
def test_multi_class_mkl_is_certified(norm, C):
    solution = solve_multiclass_mkl(STACK, LABELS, C, norm=norm, sizes=T, tol=1e-4)
    assert solution.status == "optimal" and np.linalg.norm(solution.x, norm) == pytest.approx(1.0)
    A, q = solution.dual, np.inf if norm == 1 else norm / (norm - 1)
    v = np.array([np.einsum("ic,ij,jc->", A, K, A) for K in STACK.K]) / T
    assert A[np.arange(N), LABELS].sum() - 0.5 * np.linalg.norm(v, q) == pytest.approx(solution.dual_objective)
    again = solve_multiclass_svm(STACK.combine(solution.x / T), LABELS, 3, C, tol=1e-7)
    assert solution.objective == pytest.approx(again.objective, rel=1e-4)
    assert 0 <= solution.gap <= 1e-4 and solution.rounds < 30
    random = np.random.default_rng(0).random((5, P))
    for weights in random / np.linalg.norm(random, norm, axis=1)[:, None]:
        other = solve_multiclass_svm(STACK.combine(weights / T), LABELS, 3, C, tol=1e-6)
        assert other.objective >= solution.dual_objective


def test_two_classes_at_once_are_those_of_the_svm_without_bias():
    """f_1 - f_0 has the regularisation 1/4 |f_1 - f_0|^2: the weights are those of two classes, C is twice as large."""
    y = (Y > 0).astype(int)
    solution = solve_multiclass_mkl(STACK, y, 3.0, sizes=T, tol=1e-6)
    A = solution.dual
    np.testing.assert_allclose(A[:, 1], -A[:, 0], atol=1e-9)
    beta = 2 * A[:, 1] * Y  # 0 <= beta <= 2 C, max sum beta - 1/2 beta' yKy beta, of twice the objective
    assert beta.min() >= -1e-9 and beta.max() <= 6.0 + 1e-9
    v = np.array([(beta * Y) @ K @ (beta * Y) for K in STACK.K]) / T
    assert 2 * solution.dual_objective == pytest.approx(beta.sum() - 0.5 * v.max(), rel=1e-9)


def test_the_curvature_for_many_classes_is_the_derivative_of_the_gradient():
    inner = MulticlassInner(STACK, LABELS, 3.0, T, 1e-11)
    mu, step, some = np.full(P, 0.2), 1e-5 * np.arange(P), np.array([0, 1, 3])
    response = inner.respond(mu)
    H = inner.curvature(mu, response, np.arange(P))
    moved = (inner.respond(mu + step).w - inner.respond(mu - step).w) / 2
    np.testing.assert_allclose(-moved, H @ step, atol=2e-2 * np.abs(moved).max())
    np.testing.assert_allclose(inner.curvature(mu, response, some), H[np.ix_(some, some)], atol=1e-6 * H.max())


@pytest.mark.parametrize("norm", [1.0, 2.0])
def test_many_classes_with_duplicate_and_zero_kernels(norm):
    more = DenseStack(np.concatenate([STACK.K, STACK.K[2:3], np.zeros((1, N, N))]))
    t = np.concatenate([T, T[2:3], [1.0]])
    solution = solve_multiclass_mkl(more, LABELS, 20.0, norm=norm, sizes=t, tol=1e-5)
    assert solution.status == "optimal"
    if norm == 1:
        plain = solve_multiclass_mkl(STACK, LABELS, 20.0, sizes=T, tol=1e-5)
        assert solution.objective == pytest.approx(plain.objective, rel=2e-5)
    nothing = solve_multiclass_mkl(DenseStack(np.zeros((2, N, N))), LABELS, 3.0, norm=norm)
    assert nothing.status == "optimal"
