"""What is left to the number of examples: the same as if it had been said, and told."""

from dataclasses import replace

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.runner.plan.by_size import at_size, central, words
from kernlearn.runner.plan.identity import run_id
from tests.runner.experiments import plan_of


@pytest.mark.parametrize(
    ("values", "most", "some"),
    [
        ([0.1, 0.01], 3, [0.1, 0.01]),
        ([2, 3, 4, 5], 3, [2, 3, 4]),
        ([1.0, 1e-1, 1e-2, 1e-3, 1e-4], 3, [1e-1, 1e-2, 1e-3]),
        ([0.03, 0.1, 0.3, 1.0, 3.0], 1, [1.0]),
        ([0.03, 0.1, 0.3, 1.0, 3.0], 3, [0.3, 1.0, 3.0]),
        ([100.0, 10.0, 1.0, 0.1, 0.01, 0.001], 3, [10.0, 1.0, 0.1]),
    ],
)
def test_the_centre_of_a_list(values, most, some):
    assert central(values, most) == some


@pytest.fixture
def own(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 3))
    lines = [f"{a},{b},{c},{'yes' if a + b > 0 else 'no'}" for a, b, c in X]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,c,y", *lines]) + "\n")
    return ["dataset=csv", f"dataset.path={tmp_path}/my.csv"]


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (900, "algo.Cs=[0.001,0.01,0.1,1.0,10.0,100.0,1000.0]"),
        (4000, "algo.Cs=[0.01,0.1,1.0,10.0,100.0] kernel.gammas=[0.3,1.0,3.0]"),
        (16000, "algo.Cs=[0.1,1.0,10.0] kernel.gammas=[1.0] streamed=true"),
    ],
)
def test_larger_data_have_shorter_lists_and_no_matrices(n, said, own):
    before = replace(plan_of("algo=l2_svm", *own, "grid=full").experiment, grid="by_size", streamed=None)
    after = at_size(before, ALGORITHMS["l2_svm"], n)
    assert words(before, after) == said and after.grid == "full"


def test_values_that_are_given_stay_whatever_the_size(own):
    given = ["algo=l2_svm", *own, "algo.Cs=[1,2,3,4]", "kernel.gammas=[0.5,2]", "streamed=false", "grid=full"]
    before = replace(plan_of(*given).experiment, grid="by_size")
    assert words(before, at_size(before, ALGORITHMS["l2_svm"], 10**6)) == ""


def test_methods_that_weigh_kernels_keep_several(own):
    before = replace(plan_of("algo=l1_mkl", *own, "grid=full").experiment, grid="by_size")
    assert at_size(before, ALGORITHMS["l1_mkl"], 10**5).kernel["gammas"] == [0.3, 1.0, 3.0]


def test_what_is_decided_by_size_is_the_experiment_that_says_it(own):
    left = plan_of("algo=l2_svm", *own)
    said = plan_of("algo=l2_svm", *own, *left.by_size.split(), "grid=full")
    assert (
        left.by_size
        and not said.by_size
        and run_id(left) == run_id(said) != run_id(plan_of("algo=l2_svm", *own, "grid=full"))
    )
