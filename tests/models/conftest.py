"""A file and a model of it, where a test runs."""

import shutil

import pytest

import kernlearn
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
