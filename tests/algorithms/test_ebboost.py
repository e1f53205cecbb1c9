"""Empirical Bernstein boosting against brute force on (6.8) and (6.9), and against AdaBoost."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from tests.algorithms.test_adaboost import X, Y, points

LAMBDAS = [3.0, 0.1, 0.01]


def loss(e, lambda_):
    """(6.8) as it is written, over n^2."""
    n = len(e)
    pairs = np.tril((e[:, None] - e) ** 2).sum()
    return (e.sum() ** 2 + lambda_ * pairs) / n**2


def test_without_a_penalty_it_is_adaboost_step_by_step():
    for number in (0, 30):
        stumps, plain = points(X, Y, number=number)
        _, path = points(X, Y, number=number, lambdas=[0.0])
        for one, other in zip(plain, path, strict=True):
            np.testing.assert_array_equal(one.predictor.outputs(stumps), other.predictor.outputs(stumps))
            assert one.solutions[0].objective == other.solutions[0].objective


def test_the_path_goes_to_adaboost_as_the_penalty_goes_to_nothing():
    """By the search that weighs squares, too."""
    stumps, plain = points(X, Y, rounds=10)
    _, path = points(X, Y, rounds=10, lambdas=[1e-13])
    for one, other in zip(plain, path, strict=True):
        np.testing.assert_allclose(one.predictor.outputs(stumps), other.predictor.outputs(stumps), atol=1e-9)


@pytest.mark.parametrize("lambda_", LAMBDAS)
def test_every_round_is_the_best_of_all_stumps_and_all_weights(lambda_):
    """Brute force: (6.8) minimised over a for every stump, from the scores before the round."""
    stumps, path = points(X[:30], Y[:30], rounds=6, number=25, lambdas=[lambda_])
    y, votes, f = Y[:30], stumps.votes(np.arange(25)), np.zeros(30)
    for point in path:
        along = [lambda a, g=g, f=f: loss(np.exp(-y * (f + a * g)), lambda_) for g in votes]
        least = min(
            minimize_scalar(value, bounds=(-9, 9), method="bounded", options={"xatol": 1e-10}).fun for value in along
        )
        (solution,) = point.solutions
        f = point.predictor.outputs(stumps)[0]
        assert solution.objective == pytest.approx(least, rel=1e-9)
        assert solution.objective == pytest.approx(loss(np.exp(-y * f), lambda_), rel=1e-9)
        assert point.status == "optimal" and abs(solution.gap) < 1e-9


@pytest.mark.parametrize("lambdas", [[0.0], [0.1]])
def test_of_equal_stumps_the_first_is_taken(lambdas):
    stumps, plain = points(X, Y, lambdas=lambdas)
    twice, path = points(np.hstack([X, X]), Y, lambdas=lambdas)
    assert (twice.owners[path[-1].predictor.rounds.stumps] < 2).all()
    for one, other in zip(plain, path, strict=True):
        np.testing.assert_allclose(other.predictor.outputs(twice), one.predictor.outputs(stumps), atol=1e-12)


def test_the_grid_has_the_strongest_penalty_first():
    from kernlearn.algorithms import ALGORITHMS

    found = ALGORITHMS["ebboost"].grid(None, lambdas=[0.1, 1.0], rounds=2, every=1)
    assert found == [{"lambda": x, "rounds": r} for x in (1.0, 0.1) for r in (1, 2)]
