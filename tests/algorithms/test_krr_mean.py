"""Ridge regression of the textbook against its definition, its closed form and scikit-learn's."""

from fractions import Fraction

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


def exact_value(X, y, lambda_):
    """Return the value of (16.8) for w, in rational numbers: ``(|y|^2 - b.w) / 2m`` with ``(A + 2m lambda) w = b``."""
    F, m, d = [[Fraction(v) for v in row] for row in X], len(y), X.shape[1]
    Y = [Fraction(v) for v in y]
    A = [
        [sum(r[i] * r[j] for r in F) + (2 * m * Fraction(lambda_) if i == j else 0) for j in range(d)] for i in range(d)
    ]
    b = [sum(r[i] * v for r, v in zip(F, Y, strict=True)) for i in range(d)]
    A, w = [[*row, v] for row, v in zip(A, b, strict=True)], [Fraction(0)] * d
    for i in range(d):
        for j in range(i + 1, d):
            factor = A[j][i] / A[i][i]
            A[j] = [a - factor * c for a, c in zip(A[j], A[i], strict=True)]
    for i in reversed(range(d)):
        w[i] = (A[i][d] - sum(A[i][j] * w[j] for j in range(i + 1, d))) / A[i][i]
    return float((sum(v * v for v in Y) - sum(u * v for u, v in zip(b, w, strict=True))) / (2 * m))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("far", [0.0, 100.0, 1e4])
def test_its_gap_holds_for_the_exact_kernel_of_far_examples_too(far, seed):
    """Of examples at an offset the kernel values have lost digits, and a small lambda makes much of those."""
    rng = np.random.default_rng(seed)
    A, y = rng.normal(size=(30, 3)) + far, rng.normal(size=30)
    stack = GramStack.train(make_family("linear"), A)
    for point in ALGORITHMS["krr_mean"].path(Problem(stack, Reals(y)), lambdas=[1e-4, 1e-8]):
        (solution,), truth = point.solutions, exact_value(A, y, point.values["lambda"])
        assert abs(1.0 - truth / solution.objective) <= solution.gap + 1e-9
        assert solution.status == "optimal" or far > 0.0
    assert far < 100.0 or solution.status.startswith("inaccurate")
