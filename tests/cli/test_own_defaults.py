"""Experiments on a file of one's own begin with other values than those on data of papers, and say so."""

import csv
import json

import numpy as np
import pytest

from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.main import main
from kernlearn.runner.plan.defaults import defaults

OWN = ["dataset=csv", "dataset.path=my.csv"]
QUICK = ["algo=l2_svm", "algo.Cs=[0.1,1,10]", "kernel.gammas=[0.3,1]", "engine.jobs=1"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(autouse=True)
def my_csv(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(60, 3))
    lines = [f"{a},{b},{c},{'yes' if a * b > 0 else 'no'}" for a, b, c in X]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,c,y", *lines]) + "\n")


def chosen(config):
    return config["protocol"]["name"], config["kernel"]["name"], config["scaling"], config["grid"]


def test_a_configuration_shows_them_and_words_and_files_come_first(tmp_path):
    assert chosen(compose_config(["dataset=ionosphere"])) == ("rotation5", "polynomial", "unit", "full")
    own = compose_config(OWN)
    assert chosen(own) == ("nested5x5", "gaussian", "standard", "by_size")
    assert own["kernel"]["unit"] == "scale" and own["streamed"] is None
    words = ["protocol=rotation5", "kernel=linear", "scaling=unit", "grid=full"]
    assert chosen(compose_config([*OWN, *words])) == ("rotation5", "linear", "unit", "full")
    assert compose_config([*OWN, "algo=adaboost"])["kernel"]["name"] == "stumps"
    for name, content in {"dataset/mine": "path: my.csv\ntarget: null", "dataset/again": "defaults: [csv]"}.items():
        (tmp_path / "dataset").mkdir(exist_ok=True)
        (tmp_path / f"{name}.yaml").write_text(f"{content}\nname: mine\n")
        words = [f"dataset={name.partition('/')[2]}", "dataset.path=my.csv"]
        assert chosen(compose_config(words, str(tmp_path))) == chosen(own)
    (tmp_path / "experiment").mkdir()
    (tmp_path / "experiment" / "ours.yaml").write_text(
        "# @package _global_\ndefaults: [override /dataset: mine, override /protocol: halves10]\nscaling: none\n"
    )
    ours = compose_config(["+experiment=ours"], str(tmp_path))
    assert chosen(ours) == ("halves10", "gaussian", "none", "by_size")


@pytest.mark.parametrize("words", [["kernel.gammas=[1]"], ["kernel.unit=null"], ["algo=l2_svm", "kernel.gammas=[1]"]])
def test_words_are_those_of_the_choices_that_own_files_have(words):
    assert compose_config([*OWN, *words])["kernel"]["name"] == "gaussian"


def test_a_run_of_a_regression_does_not_say_that_classes_are_stratified(tmp_path, capsys):
    (tmp_path / "reg.csv").write_text("a,y\n" + "".join(f"{i % 7},{i}.5\n" for i in range(20)))
    assert main(["run", f"dataset={tmp_path / 'reg.csv'}", "algo=krr", "task=regression", "--dry-run"]) == 0
    assert "folds are drawn at random (KFold), not stratified" in (out := capsys.readouterr().out)
    assert "classes are stratified" not in out


def test_a_run_says_what_its_protocol_is_and_that_no_test_row_chooses(tmp_path, capsys):
    assert main(["run", *OWN, *QUICK]) == 0
    out = capsys.readouterr().out
    assert "protocol   nested5x5, seed 0: nested cross-validation: each of 5 folds is the test part once; 5-fold" in out
    assert "classes are stratified (the default for your own file)" in out
    assert "rule=per_split, select_by=error_pct: no test row" in out
    assert "gaussian gammas=[0.3, 1.0] times 1/(d var)" in out and "[1]" not in out
    (path,) = tmp_path.glob("results/runs/*/summary.csv")
    assert {row["test_rows_in_choice_pct"] for row in rows(path)} == {"0.0"}
    assert {row["protocol"] for row in rows(path)} == {"nested5x5"}


def test_values_that_saw_test_rows_are_marked(tmp_path, capsys):
    assert main(["run", "dataset=sonar", "algo=l2_svm", "kernel=linear", "algo.Cs=[1,10]", "engine.jobs=1"]) == 0
    out = capsys.readouterr().out
    assert (
        "rule=overall, select_by=error_pct: 100 % of the test rows influence it, as validation rows of other splits"
        in out
    )
    assert "of other splits; rule=per_split avoids this\n" in out
    marked = [line for line in out.splitlines() if "[1] " in line]
    assert [line.startswith("test ") for line in marked] == [True, True, True, True, False]
    assert "[1]        optimistic: hyper-parameters were chosen with 100 % of these test rows (rule=overall)" in out
    (path,) = tmp_path.glob("results/runs/*/summary.csv")
    assert {row["test_rows_in_choice_pct"] for row in rows(path)} == {"100.0"}
    assert main(["run", "dataset=sonar", "algo=l2_svm", "kernel=linear", "algo.Cs=[1]", "engine.jobs=1"]) == 0
    assert "[1]" not in capsys.readouterr().out  # nothing to choose


def test_a_selected_value_at_an_end_of_its_grid_is_told_with_which(tmp_path, capsys):
    words = ["kernel=polynomial", "kernel.degrees=[1,2]", "kernel.coef0=1", "algo=l2_svm", "algo.Cs=[1e-6,1e-5]"]
    assert main(["run", *OWN, *words, "protocol=rotation5", "engine.jobs=1"]) == 0
    out = capsys.readouterr().out
    (path,) = tmp_path.glob("results/runs/*/summary.csv")
    (told,) = {row["at_grid_end"] for row in rows(path)}
    (selected,) = {row["selected"] for row in rows(path)}
    C = selected.partition("C=")[2]
    end = {"1e-06": "smallest", "1e-05": "largest"}[C]
    assert f"C={C} ({end} of its grid)" in told and "degree=1" not in told  # there is no degree below 1
    assert f"the selected C={C} is the {end} of its grid; the validation error is the same at the value before" in out
    assert "algo.Cs=[...]" not in out  # the score is the same at all values
    assert main(["run", *OWN, *words, "protocol=rotation5", "engine.jobs=1", "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert [one["improves"] for one in run["selected"]["at_grid_end"] if one["key"] == "C"] == [False]


def test_classes_with_fewer_examples_than_folds_are_told_in_one_line(tmp_path, capsys):
    lines = (tmp_path / "my.csv").read_text().splitlines()
    rare = [line.rpartition(",")[0] + f",{name}" for line, name in zip(lines[1:6], "ppqqq", strict=True)]
    (tmp_path / "my.csv").write_text("\n".join([lines[0], *rare, *lines[6:]]) + "\n")
    assert main(["run", *OWN, "algo=l2_svm", "--dry-run"]) == 0
    line = "classes with fewer examples than the 5 folds: 'p' (2), 'q' (3); some folds do not test them"
    assert capsys.readouterr().out.count(line) == 1


def test_a_regression_has_r2_and_mae_beside_rmse(tmp_path, capsys):
    X = np.random.default_rng(0).normal(size=(60, 2))
    lines = [f"{a},{b},{1e6 * a + 1e5 * b * b}" for a, b in X]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    assert main(["run", *OWN, "algo=krr", "task=regression", "algo.lambdas=[0.01,0.1]", "engine.jobs=1"]) == 0
    out = capsys.readouterr().out
    table = {line.rpartition("  ")[0].strip(): line.rpartition("  ")[2] for line in out.splitlines()}
    assert {"test RMSE", "test MAE", "test R2"} <= table.keys()
    assert "." not in table["test RMSE"] + table["test MAE"]  # the deviation is thousands
    (path,) = tmp_path.glob("results/runs/*/summary.csv")
    means = {row["metric"]: float(row["mean"]) for row in rows(path)}
    assert 0 < means["mae"] <= means["rmse"] and 0.5 < means["r2"] < 1


def test_sparse_sentences_keep_their_zeros():
    own = compose_config(["algo=crf", "dataset=conll", "dataset.path=my.txt"])
    assert chosen(own) == ("nested5x5", "chains", "unit", "by_size")
    assert compose_config(["algo=crf", "dataset=conll", "dataset.path=my.txt", "scaling=none"])["scaling"] == "none"
    assert (
        {**own["dataset"], "path": "???"} == defaults("dataset", "conll") == defaults("own/dataset", "conll")["dataset"]
    )
