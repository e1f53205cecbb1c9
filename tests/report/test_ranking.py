"""The ranking at the end of many experiments, against scikit-learn and against the rows that it is made of."""

import csv

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor

from kernlearn.cli.main import main
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.report.run import UNLIKE
from kernlearn.runner.cell.data import splits_of
from kernlearn.runner.plan.baseline import baseline_name, baseline_rows
from tests.runner.experiments import plan_of

WORDS = ["dataset=sonar", "kernel=linear,gaussian", "algo=l1_svm", "algo.betas=[0.1,0.01]", "seed=0,1", "engine.jobs=1"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "words", [["dataset=sonar"], ["dataset=pima"], ["dataset=waveform", "dataset.n=90"], ["protocol=holdout10_cv5"]]
)
def test_the_baseline_of_classes_is_that_of_scikit_learn(words):
    plan = plan_of("algo=unif", *words)
    X, y = plan.dataset.X, plan.dataset.y
    found = baseline_rows(plan)
    assert baseline_name(plan) == "majority class" and len(found) == len(plan.cells)
    for row, split in zip(found, splits_of(plan.experiment, plan.dataset), strict=True):
        train, test = split.train, split.test
        score = DummyClassifier(strategy="most_frequent").fit(X[train], y[train]).score(X[test], y[test])
        assert row["test_error_pct"] == pytest.approx(100 * (1 - score))
        assert row["test_balanced_error_pct"] == pytest.approx(100 * (1 - 1 / len(plan.dataset.classes)))
        assert row.get("test_auc", 50) == 50


def test_the_baseline_of_a_regression_is_the_mean_of_the_training_part():
    plan = plan_of("algo=unif", "dataset=pima", "task=regression")
    X, y = plan.dataset.X, plan.dataset.real_target()
    for row, split in zip(baseline_rows(plan), splits_of(plan.experiment, plan.dataset), strict=True):
        f = DummyRegressor().fit(X[split.train], y[split.train]).predict(X[split.test])
        assert row["test_rmse"] == pytest.approx(np.sqrt(np.mean((f - y[split.test]) ** 2)))
    assert baseline_name(plan) == "mean target"


@pytest.mark.slow
def test_a_sweep_and_the_same_runs_end_in_the_same_ranking(tmp_path, capsys):
    assert main(["sweep", *WORDS]) == 0
    out = capsys.readouterr().out
    assert "majority class" in out and "ranking: results/sweeps/" in out
    (path,) = tmp_path.glob("results/sweeps/*/ranking.csv")
    table = rows(path)
    assert [row["rank"] for row in table] == ["1", "2", "3"] and table[2]["algorithm"] == "majority class"
    assert {row["n_splits"] for row in table} == {"10"} and [row["p_value"] == "" for row in table] == [
        True,
        False,
        False,
    ]
    chosen = {(row["kernel"], row["seed"]): row["selected"] for row in rows(path.parent / "summary.csv")}
    measured, kernel_of = {}, {row["run"]: row["kernel"] for row in rows(path.parent / "summary.csv")}
    for row in rows(path.parent / "paths.csv"):
        kernel = kernel_of[row["run"]]
        words = dict(word.split("=") for word in chosen[kernel, row["seed"]].split(";"))
        if all(float(row[key]) == float(value) for key, value in words.items()):
            measured.setdefault(kernel, {})[row["seed"], row["split"]] = float(row["test_error_pct"])
            ratio = int(row["n_test"]) / int(row["n_train"])
    first, second = (np.array(list(measured[row["kernel"]].values())) for row in table[:2])
    assert float(table[0]["mean"]) == pytest.approx(first.mean()) and first.mean() <= second.mean()
    p = corrected_resampled_t(list(second - first), ratio)
    assert float(table[1]["p_value"]) == pytest.approx(p, rel=0.02)  # parts differ by one example
    assert main(["run", "-m", *WORDS]) == 0
    assert "ranking: results/rankings/" in capsys.readouterr().out
    (again,) = tmp_path.glob("results/rankings/*.csv")
    assert rows(again) == table


def test_what_is_better_when_larger_is_ranked_so(tmp_path):
    assert main(["sweep", *WORDS, "select_by=auc"]) == 0
    (path,) = tmp_path.glob("results/sweeps/*/ranking.csv")
    means = [float(row["mean"]) for row in rows(path)]
    assert means == sorted(means, reverse=True) and means[-1] == 50


def test_rankings_of_two_targets_of_one_file_can_be_told_apart(tmp_path, capsys):
    rng = np.random.default_rng(0)
    lines = [f"{a},{b},{i % 2},{i % 3 % 2}" for i, (a, b) in enumerate(rng.normal(size=(40, 2)))]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,one,two", *lines]) + "\n")
    words = ["dataset=csv", "dataset.path=my.csv", "kernel=linear", "algo=l1_svm", "algo.betas=[0.1]"]
    assert main(["run", "-m", *words, "engine.jobs=1", "dataset.target=one,two"]) == 0
    out = capsys.readouterr().out
    (path,) = tmp_path.glob("results/rankings/*.csv")
    assert {row["of_data"] for row in rows(path)} == {"dataset.target=one", "dataset.target=two"}
    assert out.partition("ranking ")[2].count("dataset.target=one") == 2


def test_two_reductions_to_two_classes_are_two_methods_on_one_problem(tmp_path, capsys):
    words = ["dataset=waveform", "dataset.n=60", "kernel=linear", "algo=nearest_mean", "engine.jobs=1"]
    assert main(["run", "-m", *words, "multiclass=one_vs_rest,one_vs_one"]) == 0
    (path,) = tmp_path.glob("results/rankings/*.csv")
    methods = {row["parameters"] for row in rows(path) if row["algorithm"] == "nearest_mean"}
    assert {word.partition(" ")[0] for word in methods} == {"", "multiclass=one_vs_one"}
    assert {row["of_data"] for row in rows(path)} == {"dataset.n=60"}
    assert capsys.readouterr().out.partition("ranking ")[2].count("multiclass=one_vs_one") == 1


def test_a_method_whose_selected_solutions_are_not_optimal_is_marked(tmp_path, capsys):
    """Of a perceptron and of class means nothing is proved, which is said; a star is for gaps above the tolerance."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    (tmp_path / "my.csv").write_text("a,b,y\n" + "".join(f"{a},{b},{int(a + c > 0)}\n" for a, b, c in X))
    words = ["dataset=csv", "dataset.path=my.csv", "kernel=linear", "scaling=none", "engine.jobs=1"]
    assert main(["sweep", *words, "algo=perceptron,nearest_mean,sgd_svm,l2_svm"]) == 0
    (path,) = tmp_path.glob("results/sweeps/*/ranking.csv")
    found = {row["algorithm"]: row["n_selected_not_optimal"] for row in rows(path)}
    assert int(found.pop("sgd_svm")) > 0
    assert found == {"perceptron": "5", "nearest_mean": "0", "l2_svm": "0", "majority class": "0"}
    said = capsys.readouterr().out.partition("ranking    ")[2]
    assert "sgd_svm* " in said and not any(f"{name}*" in said for name in ("perceptron", "nearest_mean", "l2_svm"))
    assert "note       1 marked *: some of the selected solutions are not proved optimal" in said
    assert "note       nothing is proved of perceptron: the perceptron stops at the first hyperplane" in said
    assert "note       nothing is proved of nearest_mean: the rule is a closed form" in said


def test_one_run_alone_has_no_ranking(tmp_path, capsys):
    assert main(["run", "algo=l1_svm", "dataset=sonar", "kernel=linear", "algo.betas=[0.1]", "engine.jobs=1"]) == 0
    assert "ranking" not in capsys.readouterr().out and not (tmp_path / "results/rankings").exists()


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("factor", "offset", "scaling", "warned"),
    [
        (300, 0, "unit", 1),
        (1, 2000, "unit", 1),  # such as a year: little that it says, and the largest in every example
        (1, 2000, "none", 0),  # distances do not see it
        (300, 0, "none", 1),
        (300, 0, "standard", 0),
        (20, 0, "unit", 0),
        (300, 0, "none kernel=stumps algo=adaboost", 0),  # look at one column at a time
        (300, 0, "none kernel=graph kernel.standardise=true algo=label_spreading", 0),
        (300, 0, "none kernel=graph algo=label_spreading", 1),
        (300, 0, "unit kernel=stumps algo=adaboost", 1),  # the small ones are divided by the large
    ],
)
def test_columns_of_unlike_size_are_told_of(tmp_path, capsys, factor, offset, scaling, warned):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(40, 3)) * [1, factor, 0] + [0, offset, 0]
    lines = [f"{a},{b},{c},{i % 2}" for i, (a, b, c) in enumerate(X)]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,c,y", *lines]) + "\n")
    words = ["dataset=csv", "dataset.path=my.csv", *f"scaling={scaling}".split(), "--dry-run"]
    for verb, data in (("run", ""), ("sweep", "my: ")):  # a sweep may be of several files
        assert main([verb, *words]) == 0
        out = capsys.readouterr().out
        assert out.count("differ in size") == warned == out.count("in column 'b'")
        assert f"note       {data}target 'y', the last column (if not: dataset.target=NAME)\n" in out
        assert f"note       {data}the first line has the names (if not: dataset.header=false)\n" in out
    assert 20 < UNLIKE < 190
