"""Boosted RBF networks against the definitions: scikit-learn's ridge regression, the programs written out, AdaBoost."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize_scalar
from sklearn.linear_model import Ridge

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem, Signs
from kernlearn.algorithms.boosting.rbf_networks import boost, learners
from kernlearn.certificates.votes import SEPARABLE
from kernlearn.kernels import make_family, make_inputs
from kernlearn.solvers.stumps_networks.rbf import start
from kernlearn.solvers.stumps_networks.stumps import LARGEST
from tests.algorithms.test_lpboost import by_linprog
from tests.algorithms.test_qpboost import by_clarabel
from tests.conftest import moons
from tests.runner.experiments import rows_of

X, Y = moons(60)
KIND = {"units": [3], "lambdas": [1e-3], "iterations": 0, "rounds": 12}
MORE = {
    "rbf_adaboost": {"every": 1},
    "rbf_adaboost_reg": {"every": 1, "Cs": [30.0, 1.0]},
    "rbf_lpboost": {"nus": [0.5, 0.1], "tol": 1e-9},
    "rbf_qpboost": {"Cs": [1e-2, 1.0], "tol": 1e-9},
}


def points(name, X=X, y=Y, seed=0, make=np.asarray, **options):
    inputs = make_inputs(make_family("features"), make(X))
    return inputs, list(ALGORITHMS[name].path(Problem(inputs, Signs(y), None, seed), **KIND | MORE[name] | options))


def votes_of(point, inputs):
    return point.predictor.rounds.networks.votes(inputs)


@pytest.mark.parametrize(("number", "there"), [(8, 12), (3, 2)])
def test_every_round_of_adaboost_is_that_of_the_definition(number, there):
    """Ridge regressions on the outputs of the units, by scikit-learn, whose signs Algorithm 6.1 adds up."""
    Z = np.random.default_rng(0).normal(size=(30, 2))
    inputs, path = points("rbf_adaboost", units=[number])
    units = start(X, number, 0)
    w, f, g, product = np.full(60, 1 / 60), np.zeros(60), np.zeros(30), 1.0
    for r, point in enumerate(path):
        model = Ridge(alpha=1e-3, fit_intercept=False, solver="cholesky").fit(units.outputs(X), Y, sample_weight=w)
        votes = np.where(model.predict(units.outputs(X)) > 0, 1.0, -1.0)
        error = w[votes != Y].sum()
        if error >= 0.5:  # all other points are as that before
            assert r == there
            break
        alpha = 0.5 * np.log((1 - error) / error)
        f, g = f + alpha * votes, g + alpha * np.where(model.predict(units.outputs(Z)) > 0, 1.0, -1.0)
        product *= 2 * np.sqrt(error * (1 - error))
        w = w * np.exp(-alpha * Y * votes)
        w /= w.sum()
        np.testing.assert_allclose(point.predictor.outputs(inputs)[0], f, atol=1e-8)
        np.testing.assert_allclose(point.predictor.outputs(inputs.at(Z))[0], g, atol=1e-8)
        (solution,) = point.solutions
        assert solution.objective == pytest.approx(product, rel=1e-9) == pytest.approx(np.exp(-Y * f).mean())
        assert point.status == "optimal" and abs(solution.gap) < 1e-9
        assert point.facts["margin_mean"][0] == pytest.approx((Y * f).mean() / np.abs(solution.x).sum())
    assert len(path) == 12
    for point in path[there - 1 :]:
        np.testing.assert_allclose(point.predictor.outputs(inputs)[0], f, atol=1e-8)
        assert point.predictor.counts() == {"n_support": 0, "n_nonzero": there} and point.status == "optimal"


def test_a_later_network_that_is_right_everywhere_ends_the_rounds_and_those_before_it_vote():
    fit = next(learners(Problem(make_inputs(make_family("features"), X), Signs(Y)), [8], [1e-3], 10))[1]
    right = []

    def watched(w):
        network = fit(w)
        right.append((network.hidden.outputs(X) @ network.weights * Y > 0).all())
        return network

    found = boost(watched, X, Y, 0.0, 30)
    assert right[-1] and not any(right[:-1]) and len(right) > 2
    assert len(found.alphas) == len(found.networks) == len(right) - 1


def test_without_influence_it_is_adaboost():
    inputs, plain = points("rbf_adaboost", iterations=3)
    _, path = points("rbf_adaboost_reg", iterations=3, Cs=[0.0])
    for one, other in zip(plain, path, strict=True):
        np.testing.assert_array_equal(one.predictor.outputs(inputs), other.predictor.outputs(inputs))
        assert other.values == one.values | {"C": 0.0}


def test_soft_margins_are_those_of_the_definition():
    """As they are printed, normalised, with the factor 1/2 and twice our weights; every step the best of its line."""
    C = 30.0
    inputs, path = points("rbf_adaboost_reg", iterations=2, Cs=[C])
    G, b, W = votes_of(path[-1], inputs), [], []

    def loss(b, W):
        mg = Y * sum(x * g for x, g in zip(b, G, strict=False)) / sum(b)
        mu = sum(x * w for x, w in zip(b, W, strict=True)) / sum(b)
        return np.exp(-0.5 * sum(b) * (mg + C * mu))

    for r, point in enumerate(path):
        w = loss(b, W) if b else np.ones(60)
        W.append(w / w.sum())
        line = minimize_scalar(
            lambda x: loss([*b, x], W).sum(), bounds=(1e-9, 2 * LARGEST), method="bounded", options={"xatol": 1e-12}
        )
        (solution,) = point.solutions
        assert line.fun * (1 - 1e-6) <= 60 * solution.objective <= line.fun * (1 + 1e-9)
        assert solution.dual_objective <= solution.objective * (1 + 1e-12) and point.status == "optimal"
        b.append(2 * solution.x[r])


def test_votes_are_weighed_anew_by_the_programs_written_out():
    inputs, plain = points("rbf_adaboost", iterations=3)
    signed = votes_of(plain[-1], inputs) * Y
    _, lp = points("rbf_lpboost", iterations=3)
    for point in lp:
        f, solution = Y * point.predictor.outputs(inputs)[0], point.solutions[0]
        assert solution.objective == pytest.approx(by_linprog(signed, point.values["nu"]), abs=1e-8)
        rho = max(rho - np.maximum(0, rho - f).sum() / (point.values["nu"] * 60) for rho in f)
        assert solution.objective == pytest.approx(1 - rho, abs=1e-12) and solution.x.sum() == pytest.approx(1)
        assert point.status == "optimal" and abs(solution.gap) <= 1e-9
    _, qp = points("rbf_qpboost", iterations=3)
    for point in qp:
        f, solution = Y * point.predictor.outputs(inputs)[0], point.solutions[0]
        assert solution.objective == pytest.approx(by_clarabel(signed, point.values["C"]), rel=1e-6)
        loss = solution.x @ solution.x + point.values["C"] * np.maximum(0, 1 - f).sum()
        assert solution.objective == pytest.approx(loss, rel=1e-9)
        assert point.status == "optimal" and abs(solution.gap) <= 1e-9


@pytest.mark.parametrize("name", MORE)
def test_corners(name):
    """A network that is right everywhere, alone; copies with both labels; equal examples; one example."""
    inputs, path = points(name, y=np.where(X[:, 1] > X[:, 1].mean(), 1.0, -1.0), units=[30], lambdas=[1e-9])
    for point in path:
        f = point.predictor.outputs(inputs)[0]
        assert (f * np.where(X[:, 1] > X[:, 1].mean(), 1.0, -1.0) > 0).all() and point.predictor.counts()[
            "n_nonzero"
        ] == 1
        assert point.facts["margin_mean"] == pytest.approx(1.0)
    few, largest = np.array([1.0, 1.0, 1.0, -1.0]), 1.0 if name == "rbf_lpboost" else 0.0  # its weights add up to 1
    for Z, y, outputs in [
        (np.vstack([X, X]), np.append(Y, -Y), lambda f: np.abs(f) < largest + 1e-9),
        (np.ones((4, 2)), few, lambda f: f > 0),
        (np.ones((1, 2)), -np.ones(1), lambda f: f < 0),
    ]:
        inputs, path = points(name, Z, y)
        for point in path:
            f = point.predictor.outputs(inputs)[0]
            alone = name in ("rbf_adaboost", "rbf_adaboost_reg") and len(y) == 1
            assert np.isfinite(f).all() and point.status == (SEPARABLE if alone else "optimal")
            assert outputs(f).all()


@pytest.mark.parametrize("name", MORE)
def test_points_are_those_of_the_grid_and_sparse_features_are_the_same(name):
    kinds = {"units": [4, 2], "lambdas": [1e-4, 1e-2], "iterations": 1, "rounds": 5}
    inputs, path = points(name, **kinds)
    values = KIND | MORE[name] | kinds
    assert [point.values for point in path] == ALGORITHMS[name].points(None, "classification", values)
    same, other = points(name, make=sparse.csr_array, **kinds)
    Z = inputs.at(X[:9] + 0.1)
    forward = [point.predictor.outputs(Z) for point in path]
    for point, f, one in reversed(list(zip(path, forward, other, strict=True))):
        np.testing.assert_array_equal(point.predictor.outputs(Z), f)
        np.testing.assert_array_equal(one.predictor.outputs(same.at(sparse.csr_array(X[:9] + 0.1))), f)


def test_three_classes_are_three_votes():
    labels = np.digitize(X[:, 0], [0.0, 1.0])
    inputs = make_inputs(make_family("features"), X)
    options = KIND | {"rounds": 4, "every": 4}
    (point,) = REDUCTIONS["one_vs_rest"](
        lambda problem: ALGORITHMS["rbf_adaboost"].path(problem, **options), Problem(inputs, Classes(labels, 3))
    )
    for c in range(3):
        _, path = points("rbf_adaboost", y=np.where(labels == c, 1.0, -1.0), **options)
        np.testing.assert_array_equal(point.predictor.outputs(inputs)[c], path[-1].predictor.outputs(inputs)[0])


def test_it_is_told_by_the_seed():
    inputs, one = points("rbf_adaboost", units=[5], seed=1)
    _, same = points("rbf_adaboost", units=[5], seed=1)
    _, other = points("rbf_adaboost", units=[5], seed=2)
    f, g, h = (path[-1].predictor.outputs(inputs) for path in (one, same, other))
    np.testing.assert_array_equal(f, g)
    assert (f != h).any()


def test_a_run_has_its_rows():
    words = ["algo=rbf_adaboost_reg", "kernel=features", "scaling=standard", "dataset=gaussians", "dataset.n=60"]
    words += ["algo.units=[2]", "algo.lambdas=[1e-3]", "algo.rounds=5", "algo.Cs=[10]"]
    rows = rows_of(*words)
    assert rows and all(row["test_error_pct"] < 20 and row["status"] == "optimal" for row in rows)
