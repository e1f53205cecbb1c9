"""Pages of models: of every kept file, of models that take no table, and of headers that somebody has changed."""

from pathlib import Path

import numpy as np
import pytest

import kernlearn
from kernlearn.errors import UserError
from kernlearn.report.pages.models import model_part
from kernlearn.report.pages.page import render
from kernlearn.report.targets import Target
from tests.models.cases import TWO, X
from tests.models.test_damaged import rewritten
from tests.report.pages.parsed import check

KEPT = sorted((Path(__file__).parents[2] / "models/kept").glob("*.kl"))
#: What somebody may have put in the place of a value of the header.
JUNK = [None, [], {}, 7, "x", [[1, 2], "x"], {"a": None}, 1e308, [["x"]], True, "<b>"]


def page(path):
    return check(render("title", [model_part(Target("model", path.name, path))]))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_page_of_every_kept_model(path):
    found = page(path)
    for words in ("kernlearn predict", "kernlearn verify", "What it takes", "Limits", "is proved to be within"):
        assert words in found.text


def test_a_model_of_kernel_values_takes_no_table(tmp_path):
    path = tmp_path / "a.kl"
    kernlearn.save(kernlearn.L2SVMClassifier(kernel="precomputed").fit(np.asarray(X) @ np.asarray(X).T, TWO), path)
    found = page(path)
    assert (
        "takes no table" in found.text and "What it takes" not in found.text and "kernlearn predict" not in found.text
    )
    assert "kernlearn verify" not in found.text and "the command below" not in found.text


def test_ranges_of_dates_are_dates(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"2024-01-{day:02},{day % 7},{'ab'[day % 2]}" for day in range(1, 31)]
    Path("a.csv").write_text("day,number,label\n" + "\n".join(lines) + "\n")
    from kernlearn.cli.main import main

    assert main("fit a.csv algo=nearest_mean kernel=linear target=label -o a.kl".split()) == 0
    found = page(tmp_path / "a.kl")
    assert "2024-01-01 to 2024-01-30" in found.text and "0 to 6" in found.text
    assert "trained on 30 rows of a; selected: nothing to choose" in found.text
    assert "The file has no score" in found.text and "Nothing is proved of its optimality" in found.text
    # ten weekdays of 30 days have 15 of each label; the first of equally frequent classes counts
    assert "always predicting the majority class gives a training error of 50.00 %" in found.text
    assert "Nothing in the file says whether it is better than this baseline" in found.text


def fitted(directory, monkeypatch, *words):
    """Return the page of a model of 40 rows: the label of 30 of them is a, that of the last 10 is b."""
    from kernlearn.cli.main import main

    monkeypatch.chdir(directory)
    labels = ["a"] * 30 + ["b"] * 10
    rows = [f"{i % 7},{i % 5},{'9' if labels[i] == 'b' else '1'},{labels[i]},{i // 10}.5" for i in range(40)]
    Path("a.csv").write_text("x,y,z,label,number\n" + "\n".join(rows) + "\n")
    assert main(["fit", "a.csv", "kernel=linear", *words, "-o", "a.kl"]) == 0
    return page(directory / "a.kl")


def test_a_model_is_compared_with_the_majority_class_on_the_same_folds(tmp_path, monkeypatch):
    found = fitted(tmp_path, monkeypatch, "target=label", "algo=l2_svm", "algo.Cs=[1,10]")
    # each stratified fold of 8 rows has two of class b
    assert "always predicting the majority class gives a validation error of 25.00 %" in found.text
    assert "Its validation score is better than that of the majority class" in found.text


def test_a_model_that_learns_nothing_is_said_to(tmp_path, monkeypatch):
    found = fitted(
        tmp_path, monkeypatch, "target=label", "dataset.drop=[z,number]", "algo=l2_svm", "algo.Cs=[1e-6,1e-5]"
    )
    assert "no better than that of the majority class" in found.text


def test_a_regression_is_compared_with_the_mean(tmp_path, monkeypatch):
    words = ("target=number", "task=regression", "dataset.drop=[label]", "algo=krr", "algo.lambdas=[1.0]")
    found = fitted(tmp_path, monkeypatch, *words)
    # targets are 0.5, 1.5, 2.5, 3.5, ten of each: their mean squared distance from the mean is 1.25
    assert "always predicting the mean target gives a training RMSE of 1.118" in found.text


def test_a_file_without_a_baseline_says_so():
    assert "nothing to compare it with" in page(KEPT[0]).text


@pytest.mark.parametrize("value", JUNK, ids=repr)
def test_a_changed_header_is_shown_as_text_or_refused(value, tmp_path):
    path, source = tmp_path / "a.kl", KEPT[0]
    keys = ("algorithm", "class", "classes", "data", "features", "ranges", "selection", "certificate", "target", "task")
    for key in (*keys, "experiment", "parameters", "steps", "n_support", "unproved", "probability", "baseline"):
        path.write_bytes(source.read_bytes())
        rewritten(path, lambda header, key=key: header["about"].update({key: value}))
        try:
            page(path)
        except UserError as error:
            assert "is damaged" in str(error) and "\n" not in str(error)
