"""Files and models of them."""

import shutil

import pandas as pd
import pytest

import kernlearn
from kernlearn.cli.main import main
from tests.forty import NAMES, X
from tests.models.tables import FIT, frame, run


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """Return a directory with a file and a model of it."""
    directory = tmp_path_factory.mktemp("fitted")
    frame().to_csv(directory / "mine.csv", index=False)
    words = [f"dataset={directory / word}" if word == "mine.csv" else word for word in FIT]
    assert run(*words, "drop=[id]", "-o", str(directory / "m.kl")) == 0
    return directory


@pytest.fixture
def model(fitted):
    """Copy the file and the model to where the test runs, and return the model."""
    for name in ("mine.csv", "m.kl"):
        shutil.copy(fitted / name, name)
    return kernlearn.load("m.kl")


@pytest.fixture
def moons_csv(tmp_path):
    """Return a table of moons whose classes have names."""
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["label"] = NAMES
    path = tmp_path / "moons.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def moons_model(tmp_path, moons_csv, capsys):
    """Return a model of that table."""
    path = tmp_path / "model.kl"
    words = ["algo=l2_svm", str(moons_csv), "target=label", "algo.Cs=[1]", "kernel.gammas=[1]"]
    assert main(["fit", *words, "-o", str(path)]) == 0
    capsys.readouterr()
    return path
