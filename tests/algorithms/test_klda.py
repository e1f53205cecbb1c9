"""The kernel Fisher discriminant against the definition of its matrices, and against linear discriminant analysis."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.svm import SVC

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.core.predictor import predict
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


def test_a_threshold_by_an_svm_is_that_of_libsvm_on_the_projections():
    rows = np.concatenate([np.flatnonzero(Y > 0)[:6], np.flatnonzero(Y < 0), np.flatnonzero(Y < 0)[:14]])
    X_, y = X[rows] + np.where(np.arange(len(rows)) >= 26, 0.05, 0.0)[:, None], Y[rows]
    stack = GramStack.train(make_family("gaussian", gammas=[0.5]), X_)
    means, svm = (list(PATH(Problem(stack, Signs(y)), mus=[1e-3, 1e-1], threshold=t)) for t in ("means", "svm"))
    for one, other in zip(means, svm, strict=True):
        assert one.solutions[0].objective == other.solutions[0].objective and one.values == other.values
        f, g = (point.predictor.outputs(stack)[0] for point in (one, other))
        z = f - one.predictor.intercept[0]
        standard = ((z - z.mean()) / z.std())[:, None]
        oracle = SVC(kernel="linear", C=1.0, tol=1e-10).fit(standard, y).decision_function(standard)
        np.testing.assert_allclose(g, oracle, atol=1e-4)


def test_a_threshold_by_an_svm_does_not_depend_on_the_units_of_the_kernel():
    family = make_family("linear")
    one, other = (
        next(PATH(Problem(GramStack.train(family, s * X), Signs(Y)), mus=[1e-2], threshold="svm")) for s in (1.0, 1e-4)
    )
    f, g = (p.predictor.outputs(GramStack.train(family, s * X))[0] for p, s in ((one, 1.0), (other, 1e-4)))
    np.testing.assert_allclose(f, g, atol=1e-7)


def test_small_outputs_far_from_the_origin_are_no_ties():
    stack = GramStack.train(make_family("linear"), np.round(X * 64) / 64 + 2.0**22)
    (point,) = PATH(Problem(stack, Signs(Y)), mus=[1e-3])
    outputs = point.predictor.outputs(stack)
    assert np.abs(outputs).max() < 1e-9 and set(predict(outputs)) == {0, 1}
