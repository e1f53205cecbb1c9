"""AdaBoost against its definition, round by round, and on data made to break it."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem, Signs
from kernlearn.certificates.votes import SEPARABLE
from kernlearn.kernels import make_family
from kernlearn.solvers.stumps_networks.stumps import LARGEST
from tests.conftest import first_of, moons

X, Y = moons(80)


def points(X, y, rounds=20, number=0, **options):
    stumps = make_family("stumps", number=number).fit(X, 0)
    values = {"rounds": rounds, "every": 1, **options}
    algorithm = ALGORITHMS["ebboost" if "lambdas" in options else "adaboost"]
    return stumps, list(algorithm.path(Problem(stumps, Signs(y)), **values))


def by_definition(votes, y, chosen):
    """Algorithm 6.1: the scores of every round, of stumps that have to be best, for of equal ones any may be taken."""
    f, weights, found = np.zeros(len(y)), np.full(len(y), 1 / len(y)), []
    for s in chosen:
        wrong = (np.where(votes != y, 1.0, 0.0) * weights).sum(axis=1)
        assert abs(wrong[s] - 0.5) == pytest.approx(np.abs(wrong - 0.5).max(), abs=1e-12)
        alpha = 0.5 * np.log((1 - wrong[s]) / wrong[s])
        f = f + alpha * votes[s]
        weights = weights * np.exp(-y * alpha * votes[s])
        weights /= weights.sum()
        found.append(f)
    return found


@pytest.mark.parametrize("number", first_of([0, 30]))
def test_every_round_is_that_of_the_definition(number):
    stumps, path = points(X, Y, number=number)
    oracle = by_definition(stumps.votes(np.arange(len(stumps))), Y, path[-1].predictor.rounds.stumps)
    product = 1.0
    for r, (point, f) in enumerate(zip(path, oracle, strict=True)):
        np.testing.assert_allclose(point.predictor.outputs(stumps)[0], f, atol=1e-9)
        (solution,) = point.solutions
        before = np.zeros(len(Y)) if r == 0 else oracle[r - 1]
        weights = np.exp(-Y * before) / np.exp(-Y * before).sum()
        product *= np.sum(weights * np.exp(-Y * (f - before)))  # Z of the round
        assert solution.objective == pytest.approx(product**2, rel=1e-9) == pytest.approx(np.exp(-Y * f).mean() ** 2)
        assert point.status == "optimal" and abs(solution.gap) < 1e-9
        normalised = Y * f / np.abs(solution.x).sum()
        assert point.facts["margin_mean"][0] == pytest.approx(normalised.mean())
        assert point.facts["margin_std"][0] == pytest.approx(normalised.std())
        assert point.predictor.counts() == {
            "n_support": 0,
            "n_nonzero": len(set(point.predictor.rounds.stumps[: r + 1])),
        }


def test_scikit_learn_grows_the_same_votes_where_its_trees_have_no_choice():
    """Binary features, on which the tree of least impurity is in fact the stump of least error: compared by votes."""
    rng = np.random.default_rng(3)
    Z = rng.integers(0, 2, (200, 6)).astype(float)
    y = np.where(Z[:, 0] + Z[:, 1] + Z[:, 2] + 0.8 * rng.normal(size=200) > 1.5, 1.0, -1.0)
    stumps, path = points(Z, y, rounds=3)
    oracle = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=3).fit(Z, y)
    for point, f in zip(path, oracle.staged_decision_function(Z), strict=True):
        ours = point.predictor.outputs(stumps)[0]
        np.testing.assert_allclose(2 * ours / np.abs(point.solutions[0].x).sum(), f, atol=1e-9)


def test_scores_do_not_depend_on_the_order_in_which_points_are_asked():
    stumps, path = points(X, Y, rounds=12)
    Z = stumps.at(X[::-1] + 0.1)
    forward = [point.predictor.outputs(Z) for point in path]
    for point, f in reversed(list(zip(path, forward, strict=True))):
        np.testing.assert_array_equal(point.predictor.outputs(Z), f)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_perfect_stump_is_alone(sign):
    Z = np.arange(10.0)[:, None]
    y = sign * np.where(Z[:, 0] > 3.5, 1.0, -1.0)
    stumps, path = points(Z, y, rounds=4)
    for point in path:
        np.testing.assert_array_equal(point.predictor.outputs(stumps)[0], y)
        (solution,) = point.solutions
        assert solution.objective == pytest.approx(np.exp(-2.0)) and solution.dual_objective == 0.0
        assert point.status == SEPARABLE and solution.gap == 1.0
        assert point.facts["margin_mean"] == [1.0] and point.predictor.counts()["n_nonzero"] == 1


def test_no_stump_better_than_chance_is_no_vote():
    """Exclusive or: every stump is wrong on half of the examples."""
    Z = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array([1.0, -1.0, -1.0, 1.0])
    stumps, path = points(Z, y, rounds=3)
    for point in path:
        assert not point.predictor.outputs(stumps).any() and point.solutions[0].objective == 1.0
        assert point.facts["margin_mean"] == [0.0] and point.status == "optimal"


def test_constant_features_give_the_larger_class():
    stumps, path = points(np.ones((5, 3)), np.array([1.0, 1.0, -1.0, 1.0, -1.0]), rounds=6)
    assert (path[-1].predictor.outputs(stumps) > 0).all() and len(path) == 6
    assert len(path[-1].solutions[0].x) == 1  # and then it is as good as chance


@pytest.mark.parametrize("number", [0, 5])
def test_one_example_is_learned(number):
    stumps, path = points(np.array([[1.0, 2.0]]), np.array([-1.0]), rounds=2, number=number)
    assert (path[-1].predictor.outputs(stumps) < 0).all()


def test_equal_examples_of_either_class_stay_equal():
    Z = np.vstack([X, X])
    stumps, path = points(Z, np.append(Y, -Y), rounds=3)
    assert not path[-1].predictor.outputs(stumps).any()


def test_weights_of_stumps_are_bounded_where_all_weight_is_on_one_example():
    """A separable problem for thousands of rounds: margins grow to hundreds, and weights below all numbers."""
    stumps, path = points(X[:, :2], np.where(X[:, 0] + X[:, 1] > 0.4, 1.0, -1.0), rounds=3000, every=1000)
    for point in path:
        alphas = point.solutions[0].x
        assert np.isfinite(alphas).all() and np.abs(alphas).max() <= LARGEST and point.status == "optimal"
    assert path[-1].facts["margin_mean"][0] > 0


def test_three_classes_are_three_votes():
    labels = np.digitize(X[:, 0], [0.0, 1.0])
    stumps = make_family("stumps", number=0).fit(X, 0)
    (point,) = REDUCTIONS["one_vs_rest"](
        lambda problem: ALGORITHMS["adaboost"].path(problem, rounds=10, every=10), Problem(stumps, Classes(labels, 3))
    )
    outputs = point.predictor.outputs(stumps)
    for c in range(3):
        _, path = points(X, np.where(labels == c, 1.0, -1.0), rounds=10)
        np.testing.assert_array_equal(outputs[c], path[-1].predictor.outputs(stumps)[0])
    assert point.facts["margin_mean"].shape == (3,)


def test_the_last_round_is_always_a_grid_point():
    assert [point["rounds"] for point in ALGORITHMS["adaboost"].grid(None, rounds=10, every=4)] == [4, 8, 10]
    assert [point["rounds"] for point in ALGORITHMS["adaboost"].grid(None, rounds=8, every=4)] == [4, 8]
