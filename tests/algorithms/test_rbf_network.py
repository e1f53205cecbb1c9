"""RBF networks: the output weights against scikit-learn's ridge regression, the gradient against differences."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernlearn
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.errors import UserError
from kernlearn.kernels import make_family, make_inputs
from kernlearn.solvers.stumps_networks.rbf import Units, refine, slope, solve_weights, start
from tests.conftest import moons
from tests.runner.experiments import plan_of, rows_of

ESTIMATORS = [kernlearn.RBFNetworkClassifier]
X, Y = moons(80)
COUNTS = np.random.default_rng(0).random(80)
COUNTS /= COUNTS.sum()


@pytest.mark.sampled(3)
@parametrize_with_checks([estimator() for estimator in ESTIMATORS])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("lambda_", [1e-6, 1e-2, 10.0])
def test_the_weights_are_those_of_ridge_regression_and_certified(lambda_):
    G = start(X, 12, 0).outputs(X)
    solution = solve_weights(G, Y, lambda_, COUNTS)
    oracle = Ridge(alpha=lambda_, fit_intercept=False, solver="cholesky").fit(G, Y, sample_weight=COUNTS)
    np.testing.assert_allclose(solution.x, oracle.coef_, rtol=1e-5, atol=1e-7 * np.abs(oracle.coef_).max())
    assert solution.status == "optimal" and abs(solution.gap) <= 1e-9
    worse = 0.5 * COUNTS @ (G @ (1.01 * solution.x) - Y) ** 2 + 0.5 * lambda_ * (1.01**2) * solution.x @ solution.x
    assert solution.dual_objective <= solution.objective + 1e-12 < worse


def test_the_gradient_is_that_of_the_error_at_the_best_weights():
    units = start(X, 5, 0)

    def at(z):
        return Units(units.centres + 0.7 * z[:, :2], units.widths * np.exp(z[:, 2]))

    for z in np.random.default_rng(1).normal(scale=0.2, size=(3, 5, 3)):
        value, gradient = slope(at(z), X, Y, 1e-3, COUNTS, 0.7)
        assert value == pytest.approx(solve_weights(at(z).outputs(X), Y, 1e-3, COUNTS).objective, rel=1e-9)
        numeric = [
            (slope(at(z + h), X, Y, 1e-3, COUNTS)[0] - slope(at(z - h), X, Y, 1e-3, COUNTS)[0]) / 2e-6
            for h in 1e-6 * np.eye(15).reshape(15, 5, 3)
        ]
        # the gradient at z is in the logarithm of the widths there
        np.testing.assert_allclose(gradient.ravel(), numeric, atol=1e-7)


def test_steps_lead_downhill_and_to_a_point_without_slope():
    first = start(X, 4, 0)
    values = [slope(refine(first, X, Y, 1e-3, COUNTS, steps), X, Y, 1e-3, COUNTS) for steps in (0, 1, 5, 20, 2000)]
    errors = [value for value, _ in values]
    assert all(a > b for a, b in zip(errors, errors[1:], strict=False)) and errors[-1] < 0.7 * errors[0]
    assert np.abs(values[-1][1]).max() < 1e-3 * np.abs(values[0][1]).max()


def test_the_unit_of_the_features_does_not_matter_nor_an_example_that_stands_twice_for_its_weight():
    model = kernlearn.RBFNetworkClassifier(random_state=0).fit(X, Y)
    scaled = kernlearn.RBFNetworkClassifier(random_state=0).fit(1024.0 * X, Y)
    np.testing.assert_allclose(scaled.decision_function(1024.0 * X), model.decision_function(X), rtol=1e-6, atol=1e-8)
    heavy = np.r_[np.full(10, 2.0), np.ones(70)]
    units = start(X, 6, 0)
    twice = np.r_[0:80, 0:10]
    once = slope(units, X, Y, 1e-3, heavy / heavy.sum())
    same = slope(units, X[twice], Y[twice], 1e-3, np.full(90, 1 / 90))
    assert once[0] == pytest.approx(same[0], rel=1e-9)
    np.testing.assert_allclose(once[1], same[1], atol=1e-12)


def test_units_start_at_clusters_as_wide_as_these_are_apart():
    corners = np.array([[0.0, 0.0], [0.0, 3.0], [4.0, 0.0]])
    Z = np.repeat(corners, 20, axis=0) + 1e-6 * np.random.default_rng(0).normal(size=(60, 2))
    units = start(Z, 3, 0)
    order = np.lexsort(units.centres.T[::-1].round(3))
    np.testing.assert_allclose(units.centres[order], corners, atol=1e-5)
    np.testing.assert_allclose(units.widths[order], [3.0, 3.0, 4.0], atol=1e-5)
    assert start(corners[[0, 0, 1]], 10, 0).centres.tolist() == corners[:2].tolist()
    (width,) = start(corners, 1, 0).widths
    assert width == pytest.approx(np.sqrt(((corners - corners.mean(axis=0)) ** 2).sum(axis=1).mean()))
    assert start(np.zeros((4, 2)), 3, 0).widths.tolist() == [1.0]


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_the_path_is_that_of_the_estimator(make):
    method = ALGORITHMS["rbf_network"]
    values = {"units": [8, 3], "lambdas": [1e-4, 1e-2], "iterations": 4}
    inputs = make_inputs(make_family("features"), make(X))
    points = list(method.path(Problem(inputs, Signs(Y), None, 5), **values))
    assert [point.values for point in points] == method.points(make_family("features"), "classification", values)
    point = points[3]
    assert point.values == {"units": 8, "lambda": 1e-4} and point.predictor.counts() == {"n_support": 0, "n_nonzero": 8}
    units = start(X, 8, 5)
    f = refine(units, X, Y, 1e-4, np.full(80, 1 / 80), 4).outputs(X[:9] + 0.1) @ point.solutions[0].x
    np.testing.assert_allclose(point.predictor.outputs(inputs.at(make(X[:9] + 0.1)))[0], f, rtol=1e-9)


def test_it_learns_what_no_line_tells_apart():
    rng = np.random.default_rng(0)
    Z = rng.uniform(-1.0, 1.0, size=(200, 2))
    labels = np.where(Z.prod(axis=1) > 0.0, "same", "other")
    model = kernlearn.RBFNetworkClassifier(n_units=6, random_state=0).fit(Z, labels)
    assert model.score(Z, labels) > 0.9 and model.centers_.shape == (6, 2) and abs(model.gap_) <= 1e-6
    three = np.where(Z[:, 0] > 0.5, "red", labels)
    model = kernlearn.RBFNetworkClassifier(n_units=8, random_state=0).fit(Z, three)
    assert model.score(Z, three) > 0.85 and len(model.centers_) == 3


def test_a_run_has_its_rows():
    words = ["algo=rbf_network", "kernel=features", "scaling=standard", "dataset=gaussians", "dataset.n=60"]
    rows = rows_of(*words, "algo.units=[2]", "algo.lambdas=[1e-3]")
    assert all(row["test_error_pct"] < 20 and row["n_nonzero"] == 2 and row["status"] == "optimal" for row in rows)
    assert plan_of(*words).cells


def test_features_whose_distances_overflow_are_refused():
    with pytest.raises(UserError, match="squared distances of the examples overflow: scale the features"):
        start(X * 1e160, 3, 0)
    assert np.isfinite(start(X * 1e100, 3, 0).outputs(X * 1e100)).all()
