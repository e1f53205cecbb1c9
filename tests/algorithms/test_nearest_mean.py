"""The nearest class mean against explicit means: of the examples, and of their images under a polynomial map."""

import numpy as np
import pytest
from sklearn.neighbors import NearestCentroid

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.kernels import GramStack, make_family
from tests.conftest import moons

X, Y = moons(40)
NEW = moons(200, seed=1)[0]


def images(X):
    """The map of (x.z)^2 in the plane."""
    return np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1]])


@pytest.mark.parametrize(("degree", "psi"), [(1, np.asarray), (2, images)])
def test_it_is_the_class_of_the_nearest_centroid(degree, psi):
    stack = GramStack.train(make_family("polynomial", degrees=[degree], coef0=0.0), X)
    (point,) = ALGORITHMS["nearest_mean"].path(Problem(stack, Signs(Y)))
    f = point.predictor.outputs(stack.at(NEW))[0]
    oracle = NearestCentroid().fit(psi(X), Y)
    assert (np.sign(f) == oracle.predict(psi(NEW))).all()
    ends = psi(X)[Y > 0].mean(axis=0), psi(X)[Y < 0].mean(axis=0)
    distances = [((psi(NEW) - c) ** 2).sum(axis=1) for c in ends]
    np.testing.assert_allclose(f, (distances[1] - distances[0]) / ((ends[0] - ends[1]) ** 2).sum(), atol=1e-9)
    scatter = sum(((psi(X)[y == Y] - c) ** 2).sum() for y, c in zip((1, -1), ends, strict=True))
    assert point.solutions[0].objective == pytest.approx(scatter)


def test_one_mean_for_both_classes_is_no_preference():
    X = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    stack = GramStack.train(make_family("linear"), X)
    (point,) = ALGORITHMS["nearest_mean"].path(Problem(stack, Signs(np.array([1.0, 1.0, -1.0, -1.0]))))
    assert not point.predictor.outputs(stack).any()


@pytest.mark.parametrize("far", [1e5, 2.0**23])
def test_it_is_the_same_wherever_the_origin_is_or_says_so(far):
    rng = np.random.default_rng(0)
    A, y = np.round(rng.standard_normal((30, 3)) * 64) / 64, np.where(np.arange(30) < 11, 1.0, -1.0)
    c = A[:11].mean(axis=0), A[11:].mean(axis=0)
    f = (((A - c[1]) ** 2).sum(axis=1) - ((A - c[0]) ** 2).sum(axis=1)) / ((c[0] - c[1]) ** 2).sum()
    for family in (
        make_family("linear"),
        make_family("gaussian", gammas=[0.5]),
        make_family("polynomial", degrees=[1]),
    ):
        here, there = GramStack.train(family, A), GramStack.train(family, A + far)
        one, other = (next(ALGORITHMS["nearest_mean"].path(Problem(stack, Signs(y)))) for stack in (here, there))
        told = other.status == "inaccurate far from the origin"
        assert told == (family.name == "polynomial") and one.status == "optimal"
        if not told:
            expected = f if family.name == "linear" else one.predictor.outputs(here)[0]
            np.testing.assert_allclose(other.predictor.outputs(there)[0], expected, atol=1e-6)
            assert other.solutions[0].objective == pytest.approx(one.solutions[0].objective, rel=1e-9)
