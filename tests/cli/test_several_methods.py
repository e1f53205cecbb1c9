"""Several methods, rules or scores on one command line."""

import csv

import pytest

from kernlearn.cli.main import main

QUICK = ["dataset=sonar", "engine.jobs=1"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("verb", [["run", "-m"], ["sweep"]])
def test_every_method_brings_its_own_inputs(verb, capsys):
    words = ["algo=l2_svm,adaboost", "kernel=linear,gaussian", *QUICK, "--dry-run"]
    assert main([*verb, *words]) == 0
    out = capsys.readouterr().out
    assert (
        out.count("note       algo=adaboost learns from stumps: kernel=gaussian kernel=linear only for the others") == 1
    )
    if verb == ["sweep"]:
        assert "3 experiments" in out
    else:
        assert [out.count(f"\n{what}") for what in ("kernels ", "stumps ")] == [2, 1]


def test_parameters_of_kernels_go_with_them(capsys):
    assert main(["run", "-m", "algo=adaboost,l2_svm", "kernel=gaussian", "kernel.gammas=[2]", *QUICK, "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "stumps number=500" in out and "gaussian gammas=[2.0]" in out
    assert main(["run", "-m", "algo=adaboost,l2_svm", "kernel.number=9", *QUICK, "--dry-run"]) == 0
    assert "stumps number=9" in capsys.readouterr().out


def test_a_parameter_that_some_lack_is_said_to_be_whose(capsys):
    assert main(["run", "-m", "algo=vkr,l1_svm,l2_svm", "algo.betas=[1]", *QUICK]) == 2
    error = "kernlearn: error: algo.betas: is a parameter of vkr and l1_svm, but not of l2_svm; run them separately\n"
    assert capsys.readouterr().err == error


def test_all_are_checked_before_anything_is_computed_and_each_error_is_a_line(capsys, tmp_path):
    words = ["algo=nearest_mean,krr,l2_krr", "kernel=linear", "seed=0,1,2", *QUICK]
    assert main(["run", "-m", *words]) == 2
    out, err = capsys.readouterr()
    told = err.splitlines()
    assert [line.partition(": is not")[0] for line in told] == [
        f"kernlearn: error: algo={name}" for name in ("krr", "l2_krr")
    ]
    assert "cells" not in out and not list(tmp_path.glob("results/runs/*"))


@pytest.mark.slow
@pytest.mark.parametrize("verb", [["run", "-m"], ["sweep"]])
def test_choices_by_two_rules_are_two_experiments(verb, tmp_path):
    words = ["algo=nearest_mean", "kernel=linear,gaussian", *QUICK, "rule=overall,per_split", "select_by=null,auc"]
    assert main([*verb, *words]) == 0
    (path,) = tmp_path.glob("results/sweeps/*/summary.csv" if verb == ["sweep"] else "results/summary.csv")
    assert len({row["run"] for row in rows(path)}) == 8
    if verb != ["sweep"]:
        assert len(list(tmp_path.glob("results/runs/*"))) == 8


def test_sweeps_by_two_rules_are_two_directories(tmp_path):
    words = ["sweep", "algo=nearest_mean", "kernel=gaussian", *QUICK]
    for rule in ([], ["rule=per_split"], ["select_by=auc"], ["rule=overall"]):
        assert main([*words, *rule]) == 0
    paths = list(tmp_path.glob("results/sweeps/*/summary.csv"))
    assert len(paths) == 4 and len({row["run"] for path in paths for row in rows(path)}) == 3
