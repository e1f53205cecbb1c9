"""AdaBoost_REG against its definition, and against AdaBoost."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.kernels import make_family
from kernlearn.solvers.stumps_networks.stumps import LARGEST, least_along
from tests.algorithms.test_adaboost import X, Y, points


def soft_points(X, y, Cs, rounds=15, number=0):
    stumps = make_family("stumps", number=number).fit(X, 0)
    path = ALGORITHMS["adaboost_reg"].path(Problem(stumps, Signs(y)), Cs=Cs, rounds=rounds, every=1)
    return stumps, list(path)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 30])
def test_without_influence_it_is_adaboost(number):
    stumps, plain = points(X, Y, number=number)
    _, path = soft_points(X, Y, [0.0], 20, number)
    for one, other in zip(plain, path, strict=True):
        np.testing.assert_allclose(one.predictor.outputs(stumps), other.predictor.outputs(stumps), atol=1e-7)
        assert other.solutions[0].objective == pytest.approx(np.sqrt(one.solutions[0].objective), rel=1e-9)


@pytest.mark.parametrize("C", [0.3, 10.0, 100.0])
def test_every_round_is_that_of_the_definition(C):
    """Soft margins as they are printed, normalised, with the factor 1/2 and twice our weights."""
    stumps, path = soft_points(X, Y, [C])
    votes, chosen = stumps.votes(np.arange(len(stumps))), path[-1].predictor.rounds.stumps
    b, G, W = [], [], []  # weights and oriented votes of the rounds, and weights of the examples

    def loss(b, W):
        mg = Y * sum(x * g for x, g in zip(b, G, strict=True)) / sum(b)
        mu = sum(x * w for x, w in zip(b, W, strict=True)) / sum(b)
        return np.exp(-0.5 * sum(b) * (mg + C * mu))

    for r, point in enumerate(path):
        w = loss(b, W) if b else np.ones(len(Y))
        w = w / w.sum()
        edges = votes @ (w * Y)
        s = chosen[r]
        assert abs(edges[s]) == pytest.approx(np.abs(edges).max(), abs=1e-12)
        G.append(np.sign(edges[s]) * votes[s])
        W.append(w)
        line = minimize_scalar(
            lambda x: loss([*b, x], W).sum(), bounds=(1e-9, 2 * LARGEST), method="bounded", options={"xatol": 1e-12}
        )
        (solution,) = point.solutions
        assert line.fun * (1 - 1e-6) <= len(Y) * solution.objective <= line.fun * (1 + 1e-9)  # it may stop at LARGEST
        assert solution.dual_objective <= solution.objective * (1 + 1e-12)
        assert point.status == "optimal"
        b.append(2 * abs(solution.x[r]))
        f = sum(x * g for x, g in zip(b, G, strict=True)) / 2
        np.testing.assert_allclose(point.predictor.outputs(stumps)[0], f, atol=1e-9)


def test_much_influence_gives_up_more_examples():
    _, path = soft_points(X, Y, [0.0, 30.0], 100)
    least = {point.values["C"]: np.min(point.facts["margin_std"]) for point in path if point.values["rounds"] == 100}
    assert least[30.0] > least[0.0]


def test_a_perfect_stump_is_alone_and_weights_are_bounded():
    Z = np.arange(10.0)[:, None]
    y = np.where(Z[:, 0] > 3.5, -1.0, 1.0)
    stumps, path = soft_points(Z, y, [5.0], 3)
    np.testing.assert_array_equal(path[-1].predictor.outputs(stumps)[0], y)
    y[0] = -1.0  # C w > 1 on what is wrong: the loss falls for ever
    stumps, path = soft_points(Z, y, [1e6], 3)
    assert np.abs(path[0].solutions[0].x[0]) == LARGEST and path[0].status == "optimal"
    assert all(np.isfinite(point.predictor.outputs(stumps)).all() for point in path)


def test_the_weight_of_a_round_is_found_where_newton_crawls():
    """``e^{-101 a} + q e^a`` falls by steps of 1/101 of Newton's to its least, ``log(101 / q) / 102``."""
    a, value, slope, _ = least_along(np.array([1.0, 1e-250]), np.array([101.0, -1.0]))
    assert a == pytest.approx(np.log(101 / 1e-250) / 102, rel=1e-13)
    assert abs(slope) <= 1e-12 * value
