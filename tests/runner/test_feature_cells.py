"""Features as rank-1 kernels in the runner, against the same kernels as matrices."""

import resource

import numpy as np
import pytest
import scipy.sparse as sp

from kernlearn import memory
from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.kernels import FeatureStack
from tests.conftest import first_of, needs_originals
from tests.runner.experiments import plan_of, rows_of

WEIGHING = sorted(name for name, algorithm in ALGORITHMS.items() if algorithm.weighs)
SMALL = {"thetas": "[0]", "Cs": "[0.1,1]", "lambdas": "[0.1,10]", "tol": "1e-4", "finish": "exact"}


#: Local solutions, or optima of which a gap of 1e-4 allows many.
UNIQUE_ONLY_IN_VALUE = ("dc", "conv", "l1_mkl", "multiclass_mkl", "multiclass_conv")


def words_of(name):
    given = [f"algo.{key}={value}" for key, value in SMALL.items() if key in ALGORITHMS[name].parameters]
    return [f"algo={name}", "dataset=ionosphere", f"task={ALGORITHMS[name].tasks[0]}", *given]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", first_of(WEIGHING, 5))
def test_features_are_kernels_of_one_column_each(name):
    features = rows_of(*words_of(name), "kernel=features")
    matrices = rows_of(*words_of(name), "kernel=views", "kernel.n_views=34")
    for ours, theirs in zip(features, matrices, strict=True):
        assert ours["status"] == theirs["status"] == "optimal"
        assert ours["objective"] == pytest.approx(theirs["objective"], rel=3e-4)
        if name not in UNIQUE_ONLY_IN_VALUE:
            weights, others = ([float(w) for w in row["weights"].split()] for row in (ours, theirs))
            np.testing.assert_allclose(weights, others, atol=0.02 * max(others))
            assert ours["alignment"] == pytest.approx(theirs["alignment"], rel=0.01)
        score = "test_rmse" if "regression" == ALGORITHMS[name].tasks[0] else "test_auc"
        assert ours[score] == pytest.approx(theirs[score], rel=0.03)


def test_only_methods_that_weigh_kernels_take_features():
    with pytest.raises(UserError, match="algo=krr: neither weighs kernels nor learns from features"):
        plan_of("algo=krr", "task=regression", "kernel=features")
    assert main(["run", "algo=vkr", "kernel=features"]) == 2


def test_the_predictor_is_made_of_weights_of_features():
    V = sp.random_array((30, 12), density=0.4, rng=np.random.default_rng(0), format="csr")
    stack = FeatureStack(V).centred()
    mu, beta = np.arange(12.0), np.random.default_rng(1).normal(size=30)
    w, constant = stack.expansion(mu, beta)
    np.testing.assert_allclose(FeatureStack(V).expand(w) + constant, stack.combine(mu) @ beta, atol=1e-12)
    np.testing.assert_array_equal(FeatureStack(V).expansions(np.stack([w, -w])), np.stack([V @ w, -(V @ w)]))


def test_too_many_features_for_their_products_are_refused(monkeypatch):
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "available", lambda: 8 * 11**2)
    stack = FeatureStack(np.ones((3, 12)))
    with pytest.raises(UserError, match="12 features"):
        stack.products()
    assert stack.traces().shape == (12,)


@needs_originals
@pytest.mark.data
@pytest.mark.slow
def test_thousands_of_bigrams_take_little_memory():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    words = ["algo=l2_krr", "dataset=kitchen", "kernel=features", "scaling=none", "task=regression"]
    rows = rows_of(*words, "algo.normalise=trace", "algo.lambdas=[0.1]")
    assert rows[0]["n_kernels"] > 3900 and rows[0]["status"] == "optimal" and 1.2 < rows[0]["test_rmse"] < 1.5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500 * 1024  # kB
