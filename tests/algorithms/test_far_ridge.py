"""Centred ridge regressions of examples far from the origin, against the value of the exact kernel in rational numbers.

Centred, a linear kernel is the same wherever the origin is, and so is a polynomial of degree 1.
"""

from fractions import Fraction

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Reals
from kernlearn.kernels import DenseStack, FeatureStack, GramStack, make_family

RNG = np.random.default_rng(0)
X = np.round(RNG.standard_normal((30, 2)) * 64) / 64  # so that a million more is no rounding
Y = X @ [1.0, 2.0] + 0.1 * RNG.standard_normal(30)
KERNELS = {"linear": {}, "polynomial": {"degrees": [1]}}
WEIGHED = {"l1_krr": {"Lambdas": [1.0]}, "l2_krr": {"Lambdas": [1.0]}, "unif": {}, "krr": {}}


def exact_value(lambda_):
    """Return the value of (2.8) with centred X and Y, ``(|y|^2 - b.w) / lambda``, ``(A + lambda I) w = b``."""
    F, y = [[Fraction(v) for v in column] for column in X.T], [Fraction(v) for v in Y]
    F, y = [[v - sum(c) / len(c) for v in c] for c in F], [v - sum(y) / len(y) for v in y]
    ridge = Fraction(lambda_)
    (p, q), r = ([sum(u * v for u, v in zip(F[0], c, strict=True)) for c in F]), sum(v * v for v in F[1])
    p, r = p + ridge, r + ridge
    b = [sum(u * v for u, v in zip(c, y, strict=True)) for c in F]
    w = [(r * b[0] - q * b[1]) / (p * r - q * q), (p * b[1] - q * b[0]) / (p * r - q * q)]
    return float((sum(v * v for v in y) - b[0] * w[0] - b[1] * w[1]) / ridge)


def points(algorithm, kernel, far, lambdas):
    stack = GramStack.train(make_family(kernel, **KERNELS[kernel]), X + far)
    run = ALGORITHMS[algorithm].path
    return stack, list(run(Problem(stack, Reals(Y)), lambdas=lambdas, normalise="none", **WEIGHED[algorithm]))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("algorithm", WEIGHED)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("far", [1e4, 2.0**20])
def test_the_gap_holds_for_the_exact_kernel(algorithm, kernel, far):
    for point in points(algorithm, kernel, far, [1.0, 1e-4, 1e-8])[1]:
        (solution,), truth = point.solutions, exact_value(point.values["lambda"])
        assert solution.status != "optimal" or abs(1.0 - truth / solution.objective) <= solution.gap + 1e-9
    assert kernel == "linear" or solution.status.startswith("inaccurate")


@pytest.mark.parametrize("algorithm", WEIGHED)
@pytest.mark.parametrize("far", [1e4, 2.0**20])
def test_a_linear_kernel_is_moved_and_loses_nothing(algorithm, far):
    (stack, there), (near, here) = (
        points(algorithm, "linear", far, [1.0, 1e-6]),
        points(algorithm, "linear", 0, [1.0, 1e-6]),
    )
    for one, other in zip(there, here, strict=True):
        assert one.status == "optimal"
        assert one.solutions[0].objective == pytest.approx(exact_value(one.values["lambda"]), rel=1e-9)
        outputs = one.predictor.outputs(stack.at(X[:7] + far + 0.5))
        np.testing.assert_allclose(outputs, other.predictor.outputs(near.at(X[:7] + 0.5)), atol=1e-3)


@pytest.mark.parametrize("algorithm", ["krr", "unif"])
def test_what_rounding_has_made_of_a_kernel_is_not_fitted(algorithm):
    for point in points(algorithm, "polynomial", 2.0**20, [1e-4, 1e-8])[1]:
        (solution,), truth = point.solutions, exact_value(point.values["lambda"])
        assert solution.status == "inaccurate far from the origin"
        assert truth * 0.9 < solution.objective < 1.2 * truth < 0.01 * solution.zero


@pytest.mark.parametrize("algorithm", WEIGHED)
def test_a_tiny_ridge_at_the_origin_is_not_far_from_it(algorithm):
    (point,) = points(algorithm, "linear", 0.0, [1e-13])[1]
    assert point.status == "inaccurate"


def test_the_largest_value_is_that_before_centring():
    V, mu = X + 100.0, np.array([0.5, 2.0])
    rank_one = DenseStack(np.stack([np.outer(v, v) for v in V.T]))
    largest = np.abs(rank_one.combine(mu)).max()
    assert rank_one.centred().largest_given(mu) == pytest.approx(largest, rel=0.05)
    assert rank_one.largest_given(mu) == pytest.approx(largest, rel=0.05)
    features = FeatureStack(V)
    assert features.largest_given(mu) == pytest.approx(largest, rel=0.05)
    assert features.centred().largest_given(mu) < 1e-2 * largest  # dense features were centred themselves
