"""Stochastic gradient descent against its textbook form, line by line, and against the optimum."""

import numpy as np
import pytest
from scipy import sparse

from kernlearn import SGDSVMClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.sgd_svm import KernelSGD, draw, solve_sgd_svm
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.kernels import GramStack, make_family
from tests.conftest import moons

X, Y = moons(50)


def linear_as_printed(X, y, lambda_, indices):
    theta, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t, i in enumerate(indices, start=1):
        w = theta / (lambda_ * t)
        total += w
        if y[i] * (w @ X[i]) < 1:
            theta = theta + y[i] * X[i]
    return total / len(indices)


def kernel_as_printed(K, y, lambda_, indices):
    beta, total = np.zeros(len(y)), np.zeros(len(y))
    for t, i in enumerate(indices, start=1):
        alpha = beta / (lambda_ * t)
        total += alpha
        if y[i] * (alpha @ K[i]) < 1:
            beta[i] += y[i]
    return total / len(indices)


def on_kernels(K, lambda_, indices):
    """The coefficients after the steps of some indices."""
    run = KernelSGD(K, Y, lambda_)
    for some in indices:
        run.step(some)
    return run.coef


@pytest.mark.parametrize("lambda_", [1.0, 1e-2])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_on_features_it_is_the_printed_method(lambda_, form):
    indices = list(draw(50, 20, seed=3))
    w = linear_as_printed(X, Y, lambda_, np.concatenate(indices))
    np.testing.assert_allclose(solve_sgd_svm(form(X), Y, lambda_, indices), w, rtol=1e-9)


@pytest.mark.parametrize("lambda_", [1.0, 1e-2])
def test_on_kernels_it_is_the_printed_method(lambda_):
    K, indices = GramStack.train(make_family("gaussian", gammas=[1.0]), X).matrix(0), list(draw(50, 20, seed=4))
    alpha = kernel_as_printed(K, Y, lambda_, np.concatenate(indices))
    np.testing.assert_allclose(on_kernels(K, lambda_, indices), alpha, rtol=1e-9, atol=1e-12)


def test_the_same_indices_give_the_same_predictor():
    """Lemma 16.3."""
    for lambda_ in (1.0, 1e-2, 1e-4):
        w = solve_sgd_svm(X, Y, lambda_, draw(50, 30, seed=1))
        alpha = on_kernels(X @ X.T, lambda_, draw(50, 30, seed=1))
        np.testing.assert_allclose(X.T @ alpha, w, rtol=1e-9)


def test_certificates_hold_the_optimum_and_the_error_falls():
    """The certified optimum of (16.5) is that of the homogenous soft-margin SVM at half of lambda."""
    stack, constant = GramStack.train(make_family("gaussian", gammas=[1.0]), X), 1.0
    optimum = solve_soft_svm(stack.matrix(0) + constant, Y, 0.5e-2, homogenous=True).objective
    points = list(ALGORITHMS["sgd_svm"].path(Problem(stack, Signs(Y)), lambdas=[1e-2], epochs=[1, 10, 1000]))
    solutions = [point.solutions[0] for point in points]
    assert all(s.dual_objective <= optimum <= s.objective for s in solutions)
    above = [s.objective - optimum for s in solutions]
    for suboptimality, T in zip(above, [50, 500, 50_000], strict=True):  # theorem 14.11, |v_t| <= 2 rho, rho^2 = 2
        assert suboptimality <= 8 / (2 * 1e-2 * T) * (1 + np.log(T))
    assert above[0] > above[1] > 10 * above[2] and above[2] < 1e-2 * optimum
    assert [s.status for s in solutions] == ["capped", "capped", "optimal"] and solutions[2].gap < 1e-2
    assert [(p.values["epochs"], s.iterations) for p, s in zip(points, solutions, strict=True)] == [
        (1, 50),
        (10, 500),
        (1000, 50_000),
    ]
    for point, s in zip(points, solutions, strict=True):
        f = point.predictor.outputs(stack)[0]
        norm2 = s.x @ (stack.matrix(0) + constant) @ s.x
        assert s.objective == pytest.approx(0.5e-2 * norm2 + np.maximum(0, 1 - Y * f).mean(), rel=1e-9)


def test_a_path_is_the_same_as_its_points_one_by_one():
    stack = GramStack.train(make_family("linear"), X)

    def run(epochs):
        return ALGORITHMS["sgd_svm"].path(Problem(stack, Signs(Y), seed=7), lambdas=[0.1], epochs=epochs)

    *_, last = run([1, 2, 5])
    (alone,) = run([5])
    np.testing.assert_array_equal(last.predictor.coef, alone.predictor.coef)


def test_the_seed_decides():
    models = [SGDSVMClassifier(n_epochs=5, random_state=s, tol=1.0).fit(X, Y) for s in (0, 0, 1)]
    np.testing.assert_array_equal(models[0].dual_coef_, models[1].dual_coef_)
    assert not np.array_equal(models[0].decision_function(X), models[2].decision_function(X))


def test_indices_are_uniform():
    counts = np.bincount(np.concatenate(list(draw(20, 5000, seed=0))), minlength=20)
    assert abs(counts - 5000).max() < 5 * 5000**0.5
