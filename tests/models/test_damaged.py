"""Damaged and hostile files are refused in one line; the attack of `scripts/attack` has the files."""

import re
from pathlib import Path

import numpy as np
import pytest

import kernlearn
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.models.archive import read_array, read_header, reading, write_archive
from tests.models.cases import TWO, X

SCRIPTS = Path(__file__).parents[2] / "scripts" / "attack"


@pytest.fixture
def models(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from attacks import models

    models.prepare()
    return models


@pytest.mark.parametrize("count", [60, pytest.param(2000, marks=pytest.mark.slow)])
def test_hostile_files_do_nothing(models, count):
    found = [(number, *models.attack(count, number)) for number in range(count)]
    assert not [one for one in found if one[2]]
    assert len({words.split()[1] for _, words, _ in found}) == len(models.WAYS)


def rewritten(path, change):
    """Write a model again with another header, in a zip that is as it should be."""
    with reading(path) as archive:
        header = read_header(archive)
        arrays = [read_array(archive, number) for number in range(len(archive.members) - 1)]
    change(header)
    write_archive(path, header, arrays)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("schema", 2, "written by a newer kernlearn .*schema 2; this one reads 1.*pip install -U kernlearn"),
        ("format", "other", "is no model file of kernlearn"),
        ("schema", "1", "is no model file of kernlearn"),
        ("more", 1, "its header is damaged"),
    ],
)
def test_other_headers_are_refused(key, value, words, tmp_path):
    path = tmp_path / "a.kl"
    kernlearn.save(kernlearn.L2SVMClassifier().fit(X, TWO), path)
    rewritten(path, lambda header: header.update({key: value}))
    with pytest.raises(UserError, match=words):
        kernlearn.load(path)


@pytest.mark.parametrize(
    "name", ["sklearn.LogisticRegression", "kernlearn.NoSuch", "os.system", "kernlearn.models.file"]
)
def test_unknown_classes_are_refused(name, tmp_path):
    path = tmp_path / "a.kl"
    kernlearn.save(kernlearn.L2SVMClassifier().fit(X, TWO), path)
    rewritten(path, lambda header: header["model"]["estimator"].update({"name": name}))
    with pytest.raises(UserError, match=f"{name!r}, which this version of kernlearn does not load"):
        kernlearn.load(path)


def test_what_is_damaged_is_named_in_words_of_ours(tmp_path):
    path = tmp_path / "a.kl"
    kernlearn.save(kernlearn.L2SVMClassifier().fit(X, TWO), path)
    rewritten(path, lambda header: header["model"]["estimator"]["state"]["_family"]["family"].update({"members": 1}))
    with pytest.raises(UserError, match=r"is damaged \(_family: polynomial is no family of kernels\)$"):
        kernlearn.load(path)


def test_values_of_a_model_that_contradict_each_other_are_no_words_of_numpy(tmp_path, capsys):
    path, data = tmp_path / "a.kl", tmp_path / "a.csv"
    data.write_text("\n".join(["u,v,y", *(f"{a},{b},{c}" for (a, b, *_), c in zip(X.tolist(), TWO, strict=True))]))
    assert main(["fit", str(data), "target=y", "algo=l2_svm", "algo.Cs=[1]", "-o", str(path)]) == 0
    capsys.readouterr()
    with reading(path) as archive:
        header = read_header(archive)
        arrays = [read_array(archive, number)[..., :1] for number in range(len(archive.members) - 1)]
    write_archive(path, header, arrays)
    for verb in (["predict", str(path), str(data)], ["verify", str(path), str(data)]):
        assert main(verb) == 2
        assert re.search(r"do not fit together \(\w+; --debug shows where\)$", capsys.readouterr().err)


def test_attributes_of_a_class_cannot_be_replaced(tmp_path):
    path = tmp_path / "a.kl"
    kernlearn.save(kernlearn.L2SVMClassifier().fit(X, TWO), path)
    rewritten(path, lambda header: header["model"]["estimator"]["state"].update({"predict": 1}))
    with pytest.raises(UserError, match="has no attribute predict of its own"):
        kernlearn.load(path)


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "empty.kl").write_bytes(b"")
    (tmp_path / "text.kl").write_text("a,b\n1,2\n" * 10)
    for path in (tmp_path, tmp_path / "none.kl", tmp_path / "empty.kl", tmp_path / "text.kl"):
        with pytest.raises(UserError) as error:
            kernlearn.load(path)
        assert str(path) in str(error.value)


def test_values_that_are_nan_are_not_written(tmp_path):
    model = kernlearn.L2SVMClassifier().fit(X, TWO)
    model.intercept_ = np.array([np.nan])
    with pytest.raises(UserError, match="intercept_: has values that are NaN"):
        kernlearn.save(model, tmp_path / "a.kl")
    assert not list(tmp_path.iterdir())
