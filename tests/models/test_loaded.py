"""A model of `kernlearn fit` in Python: certified, scored and fitted again as any pipeline of scikit-learn."""

import numpy as np
import pandas as pd
import pytest

import kernlearn
from kernlearn.cli.main import main


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40, 2))
    days = pd.date_range("2020-01-31", periods=40).strftime("%Y-%m-%d")
    kind = np.where(X[:, 0] ** 2 + X[:, 1] > 0.5, "out", "in")
    return pd.DataFrame({"u": X[:, 0], "day": days, "letter": list("abba") * 10, "v": X[:, 1], "kind": kind})


@pytest.fixture(scope="module")
def path(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("loaded")
    table.to_csv(folder / "t.csv", index=False)
    words = ["algo=l2_svm", "kernel.gammas=[0.3]", "algo.Cs=[1.0,10.0]", "text=onehot", "class_weight=balanced"]
    assert main(["fit", str(folder / "t.csv"), *words, "-o", str(folder / "t.kl")]) == 0
    return folder / "t.kl"


def test_the_training_data_prove_a_loaded_model(path, table):
    model = kernlearn.load(path)
    for X in (table, table.drop(columns="kind"), table[table.columns[::-1]]):
        assert kernlearn.certify(model, X, table.kind).relative_gap < 1e-9
    with pytest.raises(ValueError, match="give the training data"):
        kernlearn.certify(model, table[::-1], table.kind[::-1])
