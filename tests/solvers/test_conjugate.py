"""Conjugate gradients for ridge regression: the solution of the factor, and steps that do not grow with n."""

import numpy as np
import pytest

from kernlearn.algorithms.common.ridge import by_gradients, certify_krr, ridge
from kernlearn.kernels import make_family
from kernlearn.kernels.core.combined import CombinedKernel
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.solvers.core.clock import program_limit
from kernlearn.solvers.kernel_weights.conjugate import RidgeSystem


def problem(n, d=4, gamma=0.3):
    random = np.random.default_rng(0)
    X = random.standard_normal((n, d))
    K = np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    return K, np.sin(X[:, 0]) + 0.1 * random.standard_normal(n)


@pytest.mark.parametrize("lambda_", [1e-4, 1e-2, 1.0, 100.0])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_solution_is_that_of_the_factor_and_certified(lambda_, scale):
    K, y = problem(300)
    K, lambda_ = scale * K, scale * lambda_
    alpha, inverse = by_gradients(K, y, lambda_)
    expected, other = ridge(K, y, lambda_)
    assert np.linalg.norm(alpha - expected) <= 1e-5 * np.linalg.norm(expected)
    assert abs(certify_krr(K, y, lambda_, alpha).gap) < 1e-10
    B = np.random.default_rng(1).standard_normal((300, 2))
    np.testing.assert_allclose(inverse(B), other(B), atol=1e-5 * np.abs(other(B)).max())


def test_the_preconditioner_keeps_the_steps_few():
    few = []
    for n in (200, 400, 800):
        K, y = problem(n)
        system = RidgeSystem(K, landmarks=150)
        alpha = system.solve(y, 0.01)
        few.append(system.steps)
        assert np.linalg.norm(K @ alpha + 0.01 * alpha - y) <= 1e-6 * np.linalg.norm(y)
        before = system.steps
        again = system.solve(y, 0.01, start=alpha)
        assert system.steps <= before + 2 and np.allclose(again, alpha)
    bare = RidgeSystem(K, landmarks=1)
    bare.solve(y, 0.01)
    assert max(few) < 0.5 * bare.steps


def test_degenerate_matrices_are_solved_too():
    y, K = np.arange(5.0), np.ones((5, 5))
    np.testing.assert_allclose(RidgeSystem(np.zeros((5, 5))).solve(y, 2.0), y / 2.0)
    np.testing.assert_allclose(RidgeSystem(K).solve(0.0 * y, 2.0), 0.0 * y)
    np.testing.assert_allclose((K + 2.0 * np.eye(5)) @ RidgeSystem(K).solve(y, 2.0), y, atol=1e-6)


def test_a_lambda_that_rounding_swallows_is_no_error():
    K, y = problem(200)
    alpha, _ = by_gradients(1e9 * K, y, 1e-9)
    found = certify_krr(1e9 * K, y, 1e-9, alpha)
    assert np.isfinite(found.objective) and found.dual_objective <= found.objective < found.zero


@pytest.mark.parametrize("gammas", [[0.3], [0.05, 0.4]])
@pytest.mark.parametrize("centre", [False, True])
def test_a_kernel_that_is_no_matrix_has_the_solution_of_one_that_is(gammas, centre):
    random = np.random.default_rng(3)
    X, mu = random.standard_normal((700, 4)), np.linspace(1.0, 0.4, len(gammas))
    y = np.sin(X[:, 0]) + 0.1 * random.standard_normal(700)
    stack = BlockStack(make_family("gaussian", gammas=gammas), X)
    stack = stack.centred() if centre else stack
    K, system = stack.combine(mu), RidgeSystem(CombinedKernel(stack, mu), landmarks=100)
    for lambda_ in (10.0, 0.1, 1e-3):
        alpha = system.solve(y, lambda_)
        gap = np.sum((y - K @ alpha - lambda_ * alpha) ** 2) / (lambda_ * abs(y @ alpha))
        assert gap <= 1.01e-7
    double = system.solve(y, 1e-3, gap=1e-14)  # beyond what single precision can tell
    assert abs(certify_krr(K, y, 1e-3, double).gap) <= 1e-12


def test_the_time_of_a_program_is_the_limit():
    K, y = problem(400)
    system = RidgeSystem(K, landmarks=1)
    with program_limit(0.0):
        alpha = system.solve(y, 1e-6)
    assert system.otherwise == "capped" and not alpha.any()
