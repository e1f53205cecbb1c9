"""Ridge regression of the textbook against its definition, its closed form and scikit-learn's."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from kernlearn.algorithms import ALGORITHMS, Problem, Reals
from kernlearn.kernels import GramStack, make_family

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(40, 3)), RNG.normal(size=40)
STACK = GramStack.train(make_family("gaussian", gammas=[0.1, 1.0]), X)
LAMBDAS = [1e-4, 1e-2, 1.0]


def g(alpha, G, lambda_):
    """(16.9), term by term."""
    m = len(alpha)
    return lambda_ * alpha @ G @ alpha + sum((alpha @ G[:, i] - Y[i]) ** 2 for i in range(m)) / (2 * m)


def test_it_minimises_its_objective():
    points = list(ALGORITHMS["krr_mean"].path(Problem(STACK, Reals(Y)), lambdas=LAMBDAS))
    assert [(p.values["gamma"], p.values["lambda"]) for p in points] == [
        (gamma, lambda_) for gamma in (0.1, 1.0) for lambda_ in sorted(LAMBDAS, reverse=True)
    ]
    for point in points:
        G, lambda_ = STACK.matrix([0.1, 1.0].index(point.values["gamma"])), point.values["lambda"]
        (solution,) = point.solutions
        alpha = solution.x
        np.testing.assert_allclose(alpha, np.linalg.solve(G + 2 * lambda_ * 40 * np.eye(40), Y), rtol=1e-6, atol=1e-9)
        assert solution.objective == pytest.approx(g(alpha, G, lambda_), rel=1e-9) and abs(solution.gap) < 1e-9
        for _ in range(20):
            assert g(alpha + 1e-3 * RNG.normal(size=40), G, lambda_) > solution.objective
        oracle = KernelRidge(alpha=2 * lambda_ * 40, kernel="precomputed").fit(G, Y)
        np.testing.assert_allclose(point.predictor.outputs(STACK)[0], oracle.predict(G), rtol=1e-6, atol=1e-9)


def test_centred_it_does_not_see_a_constant_added_to_the_labels():
    run = ALGORITHMS["krr_mean"].path
    one, other = (list(run(Problem(STACK, Reals(y)), lambdas=LAMBDAS, centre=True)) for y in (Y, Y + 100.0))
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a.predictor.outputs(STACK) + 100.0, b.predictor.outputs(STACK), rtol=1e-9)
