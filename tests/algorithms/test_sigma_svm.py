"""The SVM on whitened examples against explicit whitening, and against the printed kernel."""

import numpy as np
import pytest
from sklearn.svm import SVC

from kernlearn import L2SVMClassifier, SigmaSVMClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.sigma_svm import Whitened
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers import SVMSolver
from tests.conftest import moons

X, Y = moons(50)
X = np.column_stack([X, X[:, :1] * 3.0 + X[:, 1:] ** 2, np.ones(50)])
NEW = X[::3] + 0.1


def whiten(X, D):
    """The map x -> ((1 - D) I + D Sigma / t)^(-1/2) (x - mu), as a function of new examples."""
    mu, Sigma = X.mean(axis=0), np.cov(X.T, bias=True) / (X**2).sum(axis=1).mean()
    values, vectors = np.linalg.eigh((1 - D) * np.eye(X.shape[1]) + D * Sigma)
    return lambda Z: (Z - mu) @ (vectors / np.sqrt(values)) @ vectors.T


@pytest.mark.parametrize("D", [0.0, 0.5, 0.99])
def test_with_a_linear_kernel_it_is_the_svm_on_whitened_examples(D):
    stack = GramStack.train(make_family("linear"), X)
    U = whiten(X, D)
    for point in ALGORITHMS["sigma_svm"].path(Problem(stack, Signs(Y)), Cs=[0.1, 10.0], shares=[D], tol=1e-9):
        f, C = point.predictor.outputs(stack.at(NEW))[0], point.values["C"]
        exact = L2SVMClassifier(kernel="linear", C=C, tol=1e-9).fit(U(X), Y).decision_function(U(NEW))
        np.testing.assert_allclose(f, exact, atol=1e-6)
        libsvm = SVC(C=C, kernel="linear", tol=1e-9).fit(U(X), Y).decision_function(U(NEW))
        np.testing.assert_allclose(f, libsvm, atol=1e-3)


def printed(K, Kz, D):
    """(2.5) by the formula of the thesis, for training examples and others."""
    n = len(K)
    mean, whole = K.mean(axis=1), K.mean()
    J = np.eye(n) / n - np.ones((n, n)) / n**2
    A, B = Kz - mean, K - mean[:, None]
    centred = Kz - Kz.mean(axis=1)[:, None] - mean[None] + whole
    return (centred - A @ J @ np.linalg.solve((1 - D) / D * np.eye(n) + K @ J, B)) / (1 - D)


def test_it_is_the_printed_kernel():
    family, D = make_family("gaussian", gammas=[0.7]), 0.8
    stack = GramStack.train(family, X)
    K, Kz = stack.matrix(0), stack.at(NEW).matrix(0)
    whitened = Whitened(stack, D)
    np.testing.assert_allclose(whitened.matrix, printed(K, K, D), atol=1e-10)
    beta = np.random.default_rng(0).normal(size=len(X))
    beta -= beta.mean()
    coef, constant = whitened.expansion(beta)
    np.testing.assert_allclose(Kz @ coef + constant, printed(K, Kz, D) @ beta, atol=1e-9)


def test_at_a_share_of_one_it_would_be_the_same_for_every_affine_map():
    stretched = X * [1.0, 40.0, 0.5, 2.0] + [3.0, 0.0, -1.0, 5.0]
    differences = []
    for D in (0.0, 1 - 1e-9):
        models = [
            (SigmaSVMClassifier(kernel="linear", C=1 / (Z**2).sum(axis=1).mean(), D=D), Z) for Z in (X, stretched)
        ]
        f, g = (model.fit(Z, Y).decision_function(Z) for model, Z in models)
        differences.append(np.abs(f - g).max())
    assert differences[0] > 0.1 and differences[1] < 1e-4


@pytest.mark.parametrize(("far", "C", "D"), [(1e3, 1e4, 0.999), (1e4, 100.0, 0.9), (1e6, 10.0, 0.0)])
def test_far_from_the_origin_the_certificate_is_that_of_the_outputs(far, C, D):
    r = np.random.default_rng(0)
    A = np.round(r.standard_normal((30, 3)) * 64) / 64
    y = np.where(A[:, 0] + 0.8 * r.standard_normal(30) > 0, 1, -1)
    machine = SigmaSVMClassifier(kernel="linear", C=C, D=D).fit(A + far, y)
    covariance, t = np.cov(A.T, bias=True), ((A + far) ** 2).sum() / len(A)
    M = (1 - D) * np.eye(3) + D * covariance / t
    Z = A @ np.linalg.inv(np.linalg.cholesky(M)).T
    svm = SVMSolver(Z @ Z.T, y.astype(float), 1e-10).solve(C)
    assert machine.objective_ == pytest.approx(svm.objective, rel=1e-7) and abs(machine.gap_) <= 1e-6
    np.testing.assert_allclose(machine.decision_function(A + far), Z @ Z.T @ svm.x + svm.intercept, atol=1e-4)
