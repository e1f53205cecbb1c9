"""A misspelled word is answered with the name that was meant, whatever kind of name it is."""

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import closest


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["rnu"], "run"),
        (["reproduse", "vkr2015/table1"], "reproduce"),
        (["reproduce", "vkr2015/tabel1"], "vkr2015/table1"),
        (["reproduce", "mkl2010/fig2-1"], "mkl2010/fig2_1"),
        (["reproduce", "vkr2015/table1", "--datasets", "ionospere"], "ionosphere"),
        (["reproduce", "vkr2015/table1", "--algos", "l1-svm"], "l1_svm"),
        (["reproduce", "vkr2015/table1", "--job", "2", "--sedes", "3"], "--seeds"),
        (["list", "algorithm"], "algorithms"),
        (["data", "info", "Ionosphere"], "ionosphere"),
        (["data", "inof"], "info"),
        (["status", "--result-dri", "x"], "--results-dir"),
        (["run", "task=regresion"], "regression"),
        (["run", "scaling=Unit"], "unit"),
        (["run", "algo=vrk"], "vkr"),
        (["run", "dataset=ionospere"], "ionosphere"),
        (["run", "dataste=ionosphere"], "dataset"),
        (["run", "algo.lamdas=[1]"], "algo.lambdas"),
        (["run", "algo=l1_svm", "algo.batas=[1]"], "algo.betas"),
        (["run", "sede=1"], "seed"),
        (["run", "--dryrun"], "--dry-run"),
        (["sweep", "algo=vkr,l1_smv"], "l1_svm"),
        (["sweep", "algo=vkr", "--dryrun"], "--dry-run"),
        (["sweep", "kernel=gausian"], "gaussian"),
    ],
    ids=" ".join,
)
def test_the_name_that_was_meant(words, meant, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.endswith(f"; did you mean {meant}?\n") and error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["algo=ridge", "C=1"], "; algo=krr has algo.lambdas, algo.centre, algo.normalise\n"),
        (
            ["kernel=polynomial_libsvm", "kernel.gammas=[1]"],
            "; kernel=polynomial_libsvm has kernel.degrees, kernel.coef0, ",
        ),
    ],
    ids=" ".join,
)
def test_a_key_that_is_like_none_of_its_group_is_answered_with_those_there_are(words, told, capsys):
    assert main(["run", *words]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


def test_words_that_are_like_nothing_are_given_no_guess():
    assert closest("xyz", ["run", "sweep"]) == ""
    assert closest("RUN", ["run", "sweep"]) == "; did you mean run?"


@pytest.mark.parametrize("name", ["vkr", "gaussian", "pima", "rotation5"])
def test_the_name_of_a_choice_is_no_model_and_its_description_is_elsewhere(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["info", name]) == 2
    assert f"kernlearn list {name} describes" in capsys.readouterr().err
    assert main(["list", name]) == 0
