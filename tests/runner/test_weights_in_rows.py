"""What the rows say of a combination of kernels, against the kernels themselves."""

import numpy as np
import pytest

from kernlearn.datasets import load
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels.matrices.centring import alignment
from kernlearn.runner.cell.run import run_cell
from tests.runner.experiments import plan_of, rows_of

GAMMAS = [0.1, 1.0, 10.0]
COLUMNS = {"alignment", "n_kernels", "weights"}


def gaussian_rows(name, *words):
    return rows_of(f"algo={name}", "kernel=gaussian", f"kernel.gammas={GAMMAS}", *words)


@pytest.mark.parametrize("name", ["unif", "align", "l1_mkl", "conv"])
def test_alignment_and_weights_are_those_of_the_combined_kernel(name):
    data = load("sonar")
    train = PROTOCOLS["rotation5"].make(data.y, data.classes, 0)[0].train
    X = data.X[train] / np.linalg.norm(data.X[train], axis=1, keepdims=True)
    y = np.where(data.y[train] == 1, 1.0, -1.0)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    rows = gaussian_rows(name, "dataset=sonar", "algo.Cs=[0.1,10]")
    for row in rows:
        weights = [float(word) for word in row["weights"].split()]
        assert len(weights) == 3 and row["n_kernels"] == np.count_nonzero(weights)
        K = sum(w * np.exp(-gamma * squares) for w, gamma in zip(weights, GAMMAS, strict=True))
        assert row["alignment"] == pytest.approx(alignment(K, np.outer(y, y)), rel=1e-9)


@pytest.mark.parametrize("words", [("algo=align",), ("algo=l2_krr", "task=regression")])
def test_rows_of_features_have_the_alignment_on_the_test_part(words):
    data = load("sonar")
    split = PROTOCOLS["rotation5"].make(data.y, data.classes, 0)[0]
    X = data.X[split.test]
    y = np.where(data.y[split.test] == 1, 1.0, -1.0)
    for row in rows_of(*words, "dataset=sonar", "kernel=features", "scaling=none"):
        weights = np.array([float(word) for word in row["weights"].split()])
        assert row["test_alignment"] == pytest.approx(alignment((X * weights) @ X.T, np.outer(y, y)), rel=1e-9)
        assert row["test_alignment"] != pytest.approx(row["alignment"])


def test_a_part_that_is_too_large_has_no_alignment(monkeypatch):
    monkeypatch.setattr("kernlearn.runner.cell.measure.ALIGNED", 40)
    (row, *_) = rows_of("algo=align", "dataset=sonar", "kernel=features", "scaling=none")
    assert "test_alignment" not in row and "validation_alignment" not in row and row["alignment"] > 0


def test_several_classes_have_weights_each_and_the_mean_alignment():
    rows = gaussian_rows("align", "dataset=waveform", "dataset.n=90", "algo.Cs=[1]")
    parts = [part.split() for part in rows[0]["weights"].split("; ")]
    assert [len(part) for part in parts] == [3, 3, 3] and 0 < rows[0]["alignment"] < 1


@pytest.mark.parametrize("name", ["vkr", "l1_svm", "l2_svm"])
def test_methods_without_weights_have_the_columns_they_had(name):
    small = {"vkr": ["algo.lambdas=[0.1]", "algo.betas=[0.1]"], "l1_svm": ["algo.betas=[0.1]"], "l2_svm": []}[name]
    (row, *_) = gaussian_rows(name, "dataset=sonar", *small)
    assert not COLUMNS & row.keys() and list(row)[-1] == "status"


def test_linear_weights_are_at_least_as_well_aligned_or_refused():
    words = ["dataset=sonar", "task=regression", "algo.lambdas=[1]"]
    (free,), (plain,) = (gaussian_rows("alignf", *words, f"algo.weights={w}") for w in ("linear", "nonnegative"))
    weights = [float(word) for word in free["weights"].split()]
    assert min(weights) < 0 and free["status"] == "optimal"
    assert free["alignment"] > plain["alignment"]
    words = ["dataset=sonar", "algo=alignf", "algo.weights=linear", "algo.Cs=[1]"]
    result = run_cell(plan_of(*words, "kernel.degrees=[1,2,3,4,5]").cells[0])
    assert result["status"] == "failed" and "use algo.weights=nonnegative" in result["error"]


def test_dc_starts_from_equal_weights_of_normalised_kernels():
    words = ["dataset=sonar", "algo.Cs=[1]", "algo.thetas=[2]", "algo.tol=1e-5"]
    (plain,) = gaussian_rows("dc", *words)
    (scaled,) = gaussian_rows("dc", *words, "algo.normalise=mean_diagonal")
    assert plain["status"] == scaled["status"] == "optimal"
    assert scaled["objective"] == pytest.approx(plain["objective"], rel=0.05)  # local solutions
