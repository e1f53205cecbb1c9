"""Weights by alignment, against closed forms and every other weighting."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import SVC

from kernlearn import LKRRRegressor, MulticlassMKLClassifier, TwoStageClassifier, TwoStageRegressor
from kernlearn.algorithms import Problem, Signs
from kernlearn.algorithms.common.inner import SVMInner
from kernlearn.algorithms.kernel_learning import align, alignf, two_stage, unif
from kernlearn.algorithms.kernel_learning.alignf import solve_alignf, solve_alignf_linear
from kernlearn.algorithms.kernel_learning.lp_mkl import solve_mkl
from kernlearn.errors import UserError
from kernlearn.kernels import DenseStack, FeatureStack, sizes
from kernlearn.kernels.matrices.centring import alignment
from tests.algorithms.combinations import GRAM, REAL, STACK, N, P, T, Y


def mkl(stack, t, C=3.0, y=Y, tol=1e-8, **options):
    return solve_mkl(SVMInner(stack, y, C, t, tol), tol=tol, **options)


@pytest.mark.parametrize("y", [Y, REAL], ids=["classes", "real"])
def test_alignf_beats_every_other_non_negative_combination(y):
    K_Y, rng = np.outer(y, y), np.random.default_rng(0)
    solution = solve_alignf(STACK, y)
    best = alignment(STACK.combine(solution.x), K_Y)
    assert -solution.objective == pytest.approx(best, rel=1e-9) and 0 <= solution.gap + 1e-14 <= 1e-9
    assert np.linalg.norm(solution.x) == pytest.approx(1.0) and (solution.x >= 0).all()
    others = [*np.eye(P), *rng.exponential(size=(100, P)), unif.weigh(STACK), align.weigh(STACK, y, np.ones(P))]
    assert max(alignment(STACK.combine(mu), K_Y) for mu in others) <= best + 1e-12
    linear = solve_alignf_linear(STACK, y)
    assert alignment(STACK.combine(linear), K_Y) >= best - 1e-9 and np.linalg.norm(linear) == pytest.approx(1.0)


def test_alignf_without_an_active_bound_is_the_closed_form():
    """Kernels of orthogonal features: M is diagonal and M^-1 a has no negative entry."""
    Q, _ = np.linalg.qr(np.column_stack([np.ones(20), np.random.default_rng(0).normal(size=(20, 4))]))
    stack, y = FeatureStack(Q[:, 1:] * [1.0, 2.0, 3.0, 4.0]), np.random.default_rng(1).normal(size=20)
    np.testing.assert_allclose(solve_alignf(stack, y).x, solve_alignf_linear(stack, y), atol=1e-8)


def test_alignf_with_duplicate_and_zero_kernels():
    K = STACK.K[[0, 2, 2, 4]]
    K = np.concatenate([K, np.zeros((1, N, N))])
    once, twice = solve_alignf(DenseStack(STACK.K[[0, 2, 4]]), Y), solve_alignf(DenseStack(K), Y)
    assert twice.status == "optimal" and twice.x[4] == 0.0
    assert twice.objective == pytest.approx(once.objective, rel=1e-9)
    linear = solve_alignf_linear(DenseStack(K), Y)  # M is singular
    assert np.isfinite(linear).all() and linear[1] == pytest.approx(linear[2])


def test_align_weights_are_the_alignments():
    rho = np.array([alignment(K, np.outer(Y, Y)) for K in STACK.K])
    np.testing.assert_allclose(align.weigh(STACK, Y, T, Lambda=2.0), 2.0 * rho / np.linalg.norm(rho))


def test_weights_of_normalised_kernels_make_the_same_kernel():
    plain, scaled = alignf.weigh(STACK, Y, np.ones(P)), alignf.weigh(STACK, Y, T)
    K, L = STACK.combine(plain), STACK.combine(scaled / T)
    np.testing.assert_allclose(K / np.trace(K), L / np.trace(L), atol=1e-10)


def test_more_rank_one_kernels_than_examples():
    V = sp.random_array((40, 300), density=0.1, random_state=0, format="csr")
    y = np.where(V.sum(axis=1) > np.median(V.sum(axis=1)), 1.0, -1.0)
    dense = DenseStack(np.einsum("ik,jk->kij", V.toarray(), V.toarray()))
    for stack in (FeatureStack(V), dense):
        assert solve_alignf(stack, y).objective == pytest.approx(solve_alignf(dense, y).objective, rel=1e-9)
    t = sizes(dense.centred(), "trace")
    assert mkl(FeatureStack(V).centred(), t, y=y, tol=1e-6).objective == pytest.approx(
        mkl(dense.centred(), t, y=y, tol=1e-6).objective, rel=2e-6
    )


@pytest.mark.parametrize("centre", [True, False])
@pytest.mark.parametrize("weighting", sorted(two_stage.WEIGHTINGS))
def test_the_second_stage_is_an_svm_with_the_combined_kernel(weighting, centre):
    (point,) = two_stage.path(Problem(GRAM, Signs(Y)), weighting=weighting, Cs=[2.0], centre=centre, tol=1e-9)
    stack = STACK if centre else DenseStack.of(GRAM)
    t = sizes(stack, "mean_diagonal")
    K = DenseStack.of(GRAM).combine(two_stage.WEIGHTINGS[weighting](stack, Y, t) / t)
    svc = SVC(kernel="precomputed", C=2.0, tol=1e-8).fit(K, Y)
    f = point.predictor.outputs(GRAM)[0]
    np.testing.assert_allclose(f, svc.decision_function(K), atol=1e-5)  # centring changes sizes, not the SVM


@pytest.mark.parametrize("size", [1e-100, 1e-80, 1e78])
def test_kernels_whose_products_are_no_numbers_are_refused(size):
    """It was the function 0, called optimal."""
    X = np.random.default_rng(3).integers(-3, 4, (16, 2)).astype(float)
    y = (X.sum(axis=1) > 0).astype(int)
    words = "^the values of kernel 1 are so large or so small that their squares are no numbers: scale the examples"
    for model in (TwoStageClassifier(), TwoStageRegressor()):
        with pytest.raises(UserError, match=words), np.errstate(over="ignore"):
            model.set_params(kernel="features").fit(X * size, y)
    K = np.stack([X @ X.T, (X @ X.T + 1.0) ** 2], axis=2) * 1e-200
    for model in (MulticlassMKLClassifier(), LKRRRegressor()):
        with pytest.raises(UserError, match=words):
            model.set_params(kernel="precomputed", normalise="frobenius").fit(K, y)
