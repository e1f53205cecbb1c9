"""The kernel Fisher discriminant against the definition of its matrices, and against linear discriminant analysis."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.kernels import GramStack, make_family
from tests.conftest import moons

X, Y = moons(40)
PATH = ALGORITHMS["klda"].path


def test_it_is_the_solution_of_its_definition():
    stack = GramStack.train(make_family("gaussian", gammas=[0.5, 2.0]), X)
    for point in PATH(Problem(stack, Signs(Y)), mus=[1e-4, 1e-1]):
        K = stack.matrix([0.5, 2.0].index(point.values["gamma"]))
        N, means = np.zeros_like(K), {}
        for sign in (1, -1):
            columns = K[:, sign == Y]
            n = columns.shape[1]
            N += columns @ (np.eye(n) - np.ones((n, n)) / n) @ columns.T
            means[sign] = columns.mean(axis=1)
        mu = point.values["mu"] * np.trace(K @ K) / len(Y)
        alpha = np.linalg.solve(N + mu * np.eye(len(Y)), means[1] - means[-1])
        b = -alpha @ (means[1] + means[-1]) / 2
        np.testing.assert_allclose(point.predictor.outputs(stack)[0], K @ alpha + b, rtol=1e-6, atol=1e-8)
        (solution,) = point.solutions
        assert solution.objective == pytest.approx(-alpha @ (means[1] - means[-1]), rel=1e-9)
        assert solution.dual_objective <= solution.objective and solution.gap <= 1e-9


def test_with_a_linear_kernel_and_next_to_no_ridge_it_is_linear_discriminant_analysis():
    centred = X - X.mean(axis=0)
    stack = GramStack.train(make_family("linear"), centred)
    (point,) = PATH(Problem(stack, Signs(Y)), mus=[1e-9])
    oracle = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(centred, Y)
    w, v = centred.T @ point.predictor.coef[0, 0], oracle.coef_[0]
    np.testing.assert_allclose(w / np.linalg.norm(w), v / np.linalg.norm(v), atol=1e-6)
    assert point.predictor.intercept[0] / np.linalg.norm(w) == pytest.approx(
        oracle.intercept_[0] / np.linalg.norm(v), abs=1e-6
    )
