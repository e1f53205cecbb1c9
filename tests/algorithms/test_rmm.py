"""Relative margin machines against the SVM, each other, and LibSVM's regression on every example twice."""

import numpy as np
import pytest
from sklearn.svm import SVC, SVR

from kernlearn import L2SVMClassifier, RMMClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.common.relative_margin import FAR, bound
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers import broken_conditions
from tests.conftest import moons
from tests.solvers.conditions import kkt_violation

X, Y = moons(60)
NEW = moons(100, seed=1)[0]
STACK = GramStack.train(make_family("gaussian", gammas=[1.0]), X)
PROBLEM = Problem(STACK, Signs(Y))


def path(name, **values):
    return list(ALGORITHMS[name].path(PROBLEM, **values))


def test_a_fraction_of_one_is_the_svm():
    for point in path("rmm", Cs=[0.1, 10.0], fractions=[1.0], tol=1e-9):
        oracle = SVC(C=point.values["C"], gamma=1.0, tol=1e-9).fit(X, Y)
        f = point.predictor.outputs(STACK.at(NEW))[0]
        np.testing.assert_allclose(f, oracle.decision_function(NEW), atol=1e-4)


def test_outputs_keep_to_a_band_that_narrows_and_the_conditions_hold():
    points = path("rmm", Cs=[1.0, 50.0], fractions=[1.0, 0.5, 0.1, 0.01], tol=1e-9)
    assert [(p.values["C"], p.values["fraction"]) for p in points][:3] == [(1.0, 1.0), (1.0, 0.5), (1.0, 0.1)]
    for point in points:
        (B,), (solution,) = point.facts["B"], point.solutions
        outputs = point.predictor.outputs(STACK)[0]
        assert np.abs(outputs).max() <= B * (1 + 1e-9) and solution.gap <= 1e-9
        multipliers, intercept = solution.dual, point.predictor.intercept[0]
        assert kkt_violation(STACK.matrix(0), Y, point.values["C"], B, multipliers, intercept) <= 1e-6
    objectives = [point.solutions[0].objective for point in points[:4]]
    assert objectives == sorted(objectives) and objectives[0] < objectives[-1]


def test_it_is_a_support_vector_regression_on_every_example_twice():
    """Of (x, y (B + 1)) with weight C and (x, 0) that may not be missed, and epsilon = B: the same conditions."""
    (point,) = path("rmm", Cs=[2.0], fractions=[0.3], tol=1e-9)
    (B,) = point.facts["B"]
    twice, labels = np.vstack([X, X]), np.concatenate([Y * (B + 1.0), np.zeros(len(Y))])
    weights = np.repeat([2.0, 1e7], len(Y))
    oracle = SVR(gamma=1.0, C=1.0, epsilon=B, tol=1e-8).fit(twice, labels, sample_weight=weights)
    np.testing.assert_allclose(point.predictor.outputs(STACK.at(NEW))[0], oracle.predict(NEW), atol=1e-4)


def broken(f, y, C, B, alpha, above, below, cost, at):
    """The table of conditions of the source, corrected, line by line; the largest violation."""
    worst = 0.0
    for f_i, y_i, a, up, down in zip(f, y, alpha, above, below, strict=True):
        if a < C * (1 - at):
            worst = max(worst, 1 - y_i * f_i)
        if a > C * at:
            worst = max(worst, y_i * f_i - 1)
        for side, multiplier in ((f_i, up), (-f_i, down)):
            if multiplier < cost * (1 - at):
                worst = max(worst, side - B)
            if multiplier > min(C, cost) * at:
                worst = max(worst, B - side)
    return worst


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rmm", {"fractions": [0.5, 0.1]}),
        ("rmm", {"fractions": [0.5, 0.1], "solver": "smo"}),
        ("rmm", {"fractions": [0.5], "solver": "osqp"}),
        ("rmm_d", {"Ds": [1.0]}),
        ("rmm_d", {"Ds": [1.0], "nus": [2.0, 20.0]}),
        ("rmm_c_eq_d", {"nus": [5.0]}),
    ],
)
def test_every_point_says_by_how_much_the_conditions_of_the_source_are_broken(name, values):
    for point in path(name, Cs=[1.0, 30.0], tol=1e-9, **values):
        (solution,), C = point.solutions, point.values["C"]
        cost = point.values.get("D", C) * point.values.get("nu", np.inf) / len(Y)
        f, (B,), (kkt,) = point.predictor.outputs(STACK)[0], point.facts["B"], point.facts["kkt"]
        assert kkt <= 1e-6
        assert kkt == pytest.approx(
            broken(f, Y, C, B, *solution.dual, cost, 1e-9 if name == "rmm" else 1e-6), abs=1e-11
        )


def test_conditions_that_are_broken_are_seen():
    f, zero = np.array([0.5, -1.5, 1.0]), np.zeros((3, 3))
    y, bound = np.array([1.0, -1.0, 1.0]), np.ones(3)
    assert broken_conditions(f, y, bound, 2.0, zero) == 0.5  # alpha = 0 asks for a margin of 1
    at = zero.copy()
    at[0, 0] = 1.0
    assert broken_conditions(f, y, bound, 2.0, at) == 0.0
    assert broken_conditions(f, y, bound, 1.25, at) == 0.25  # beyond B, without l*
    at[2, 1] = 0.5
    assert broken_conditions(f, y, bound, 1.25, at) == 0.25 and broken_conditions(f, y, bound, 1.25, at, 0.5) == 0.0
    assert broken_conditions(f, y, bound, 1.75, at, 0.5) == 0.25  # l* > 0, and not at -B
    at[0, 1] = 1.0
    assert broken_conditions(f, y, bound, 1.5, at, 0.5) == 0.5  # alpha > 0 with a margin above 1


def test_a_price_of_the_bound_gives_a_machine_with_that_bound():
    for point in path("rmm_d", Cs=[1.0, 30.0], Ds=[0.3, 3.0], tol=1e-9):
        (B,), C = point.facts["B"], point.values["C"]
        theta = path("rmm", Cs=[C], fractions=[1.0])[0].facts["theta"][0]
        f = point.predictor.outputs(STACK)[0]
        assert 1.0 <= B <= theta * (1 + 1e-9)
        if B > 1.0 + 1e-6:
            model = RMMClassifier(kernel="gaussian", gamma=1.0, C=C, B=B, tol=1e-9).fit(X, Y)
            np.testing.assert_allclose(f, model.decision_function(X), atol=1e-4)


def test_at_most_n_over_nu_outputs_are_beyond_a_bound_that_some_may_leave():
    for point in path("rmm_d", Cs=[10.0], Ds=[1.0, 10.0], nus=[2.0, 5.0, 20.0], tol=1e-9):
        (B,) = point.facts["B"]
        beyond = (np.abs(point.predictor.outputs(STACK)[0]) > B * (1 + 1e-6)).sum()
        assert beyond <= len(Y) / point.values["nu"]
    same = path("rmm_c_eq_d", Cs=[10.0], nus=[5.0], tol=1e-9), path("rmm_d", Cs=[10.0], Ds=[10.0], nus=[5.0], tol=1e-9)
    np.testing.assert_array_equal(*(points[0].predictor.coef for points in same))


@pytest.mark.parametrize("given", [{"fraction": 0.2}, {"B": 1.3}, {"D": 2.0}, {"D": 2.0, "nu": 3.0}])
def test_the_two_solvers_agree(given):
    ours, osqp = (
        RMMClassifier(kernel="gaussian", gamma=1.0, C=3.0, solver=solver, **given).fit(X, Y)
        for solver in ("homotopy", "osqp")
    )
    assert ours.objective_ == pytest.approx(osqp.objective_, rel=2e-6) and max(ours.gap_, osqp.gap_) <= 1e-6
    np.testing.assert_allclose(ours.decision_function(NEW), osqp.decision_function(NEW), atol=2e-3)


@pytest.mark.parametrize("given", [{"fraction": 1.0}, {"fraction": 0.2}, {"B": 1.3}])
def test_pairs_and_active_sets_are_a_third_way(given):
    ours, smo = (
        RMMClassifier(kernel="gaussian", gamma=1.0, C=3.0, solver=solver, tol=1e-9, **given).fit(X, Y)
        for solver in ("homotopy", "smo")
    )
    assert smo.objective_ == pytest.approx(ours.objective_, rel=1e-9) and (smo.support_ == ours.support_).all()
    np.testing.assert_allclose(smo.decision_function(NEW), ours.decision_function(NEW), atol=1e-8)


def test_outputs_that_never_leave_the_margin_are_those_of_the_svm():
    some = np.concatenate([np.flatnonzero(Y > 0)[:20], np.flatnonzero(Y < 0)[:20]])
    options = {"kernel": "gaussian", "C": 0.01}
    weak, svm = RMMClassifier(fraction=0.1, **options), L2SVMClassifier(**options)
    f, g = (model.fit(X[some], Y[some]).decision_function(NEW) for model in (weak, svm))
    np.testing.assert_allclose(f, g, atol=1e-9)
    assert np.abs(f).max() < 1.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"B": 1.0}, "leave no margin"),
        ({"B": 2.0, "D": 1.0}, "give one of the two"),
        ({"nu": 2.0}, "needs D"),
        ({"D": 2.0, "solver": "smo"}, "solver=smo: needs a given bound"),
    ],
)
def test_what_contradicts_itself_is_told(given, words):
    with pytest.raises(UserError, match=words):
        RMMClassifier(**given).fit(X, Y)


def test_a_largest_output_that_is_one_but_for_rounding_leaves_a_bound_that_changes_nothing():
    """Of next to no margin the fraction would be a bound of 1, which is refused where somebody asks for it."""
    assert bound(np.nextafter(1.0, 2.0), 0.05) == bound(0.9, 0.05) == FAR
    assert bound(3.0, 0.05) == 1.1
