"""What a run says of itself is true of it."""

import csv

import numpy as np
import pytest

from kernlearn.cli.list import GROUPS
from kernlearn.cli.main import main
from kernlearn.plugins import described
from kernlearn.report.run import _unproved


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["kernel=linear"], "kernels    linear; scaling"),
        (["kernel=features", "algo=align"], "kernels    features (34 of rank 1); scaling"),
        (["kernel=gaussian", "kernel.gammas=[1]", "algo=unif"], "kernels    gaussian gammas=[1.0]; scaling"),
        (["algo=align", "algo.Cs=[1,2]"], "2 x 5 (grid points, splits) = 10 quadratic programs\n"),
        (["algo=align", "algo.lambdas=[1]", "task=regression"], "1 x 5 (grid points, splits) = 5 ridge regressions\n"),
        (["algo=krr", "algo.lambdas=[1]", "kernel=linear", "task=regression"], "= 5 ridge regressions\n"),
        (
            ["algo=unif", "algo.Cs=[1]", "protocol=halves10_cv5"],
            "1 x 10 x 6 (grid points, splits, folds and the whole training part) = 60 quadratic programs\n",
        ),
    ],
)
def test_what_is_going_to_be_solved(words, expected, capsys):
    assert main(["run", "dataset=ionosphere", *words, "--dry-run"]) == 0
    assert expected in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["run", "sweep"])
def test_features_are_no_support_vectors(verb, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["dataset=ionosphere", "kernel=features", "algo=unif", "algo.Cs=[1]", "engine.jobs=1"]
    assert main([verb, *words]) == 0
    (summary,) = tmp_path.glob("results/*/*/summary.csv")
    assert "n_kernels" in summary.read_text() and "n_support_vectors" not in summary.read_text()
    assert verb == "sweep" or "support vectors" not in capsys.readouterr().out


def test_a_selected_point_that_is_no_solution_is_told_of(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(60, 3))
    (tmp_path / "my.csv").write_text("a,b,y\n" + "".join(f"{a},{b},{int(a + c > 0)}\n" for a, b, c in X))
    words = ["dataset=csv", "dataset.path=my.csv", "kernel=polynomial", "kernel.degrees=[1,2]", "scaling=none"]
    assert main(["run", *words, "algo=perceptron", "algo.max_updates=99", "engine.jobs=1", "protocol=rotation5"]) == 0
    said = capsys.readouterr().out
    paths, summary = (next(tmp_path.glob(f"results/runs/*/{name}.csv")) for name in ("paths", "summary"))
    found, told = (list(csv.DictReader(path.open(newline=""))) for path in (paths, summary))
    chosen = [row for row in found if {f"degree={row['degree']}"} == {line["selected"] for line in told}]
    failed, n_selected = (sum(row["status"] != "optimal" for row in some) for some in (found, chosen))
    assert failed and n_selected and "are not proved optimal" not in said and "below the objective" not in said
    assert (
        "note       nothing is proved of the solutions of perceptron: the perceptron stops at the first hyperplane"
        in said
    )
    assert {row["n_selected_not_optimal"] for row in told} == {str(n_selected)}
    largest = max((float(row["gap"]) for row in chosen), key=abs)
    assert {float(row["largest_selected_gap"]) for row in told} == {largest}
    assert f"the status of {n_selected} selected solutions is capped; kernlearn list perceptron explains it" in said


def test_a_selected_point_with_a_large_gap_is_told_of(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(60, 3))
    (tmp_path / "my.csv").write_text("a,b,y\n" + "".join(f"{a},{b},{int(a + c > 0)}\n" for a, b, c in X))
    words = ["dataset=csv", "dataset.path=my.csv", "kernel=linear", "scaling=none", "protocol=rotation5"]
    assert main(["run", *words, "algo=sgd_svm", "algo.epochs=[1]", "algo.lambdas=[0.001]", "engine.jobs=1"]) == 0
    said = capsys.readouterr().out
    rows = list(csv.DictReader(next(tmp_path.glob("results/runs/*/paths.csv")).open(newline="")))
    failed, largest = [row for row in rows if row["status"] != "optimal"], max(float(row["gap"]) for row in rows)
    assert failed and f"{len(failed)} of 5 solutions are not proved optimal, {len(failed)} of the 5 selected" in said
    assert f"may be {100 * largest:.3g} % below the objective" in said and "nothing is proved" not in said
    assert "largest relative gap as reported by the method" in said


@pytest.mark.parametrize(
    ("words", "by_size"),
    [
        (["algo=l1_svm", "algo.betas=[1]"], "algo.solver=simplex algo.tol=1e-09"),
        (["algo=l1_svm", "algo.betas=[1]", "algo.tol=1e-6"], "algo.solver=simplex"),
        (["algo=vkr", "algo.lambdas=[1]", "algo.betas=[1]", "algo.method=cd"], "algo.tol=1e-09"),
        (["algo=l2_svm", "algo.Cs=[1]"], ""),
    ],
)
def test_what_is_left_to_the_number_of_examples_is_told(words, by_size, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "dataset=sonar", "kernel.degrees=[1,2]", "engine.jobs=1", *words]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("by size")]
    assert told == ([f"by size    {by_size} (chosen for 126 training examples)"] if by_size else [])
    (summary,) = tmp_path.glob("results/runs/*/summary.csv")
    assert {row["by_size"] for row in csv.DictReader(summary.open(newline=""))} == {by_size}


def test_a_method_without_parameters_leaves_nothing_to_choose(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "dataset=sonar", "kernel=linear", "algo=nearest_mean", "engine.jobs=1"]) == 0
    out = capsys.readouterr().out
    assert "selected   nothing to choose (validation error" in out


def test_what_there_is_to_choose_from_is_said_in_whole_lines():
    cut = [line for group in GROUPS.values() for line in described(group) if line[1].endswith((";", ",", ":"))]
    assert cut == []


@pytest.mark.parametrize(
    ("gap", "known"),
    [(0.25, "25 % below"), (-0.5, "bound of a selected one proves"), (float("nan"), "proves nothing")],
)
def test_a_gap_is_said_as_what_it_proves(gap, known):
    assert known in _unproved([{"gap": gap, "status": "inaccurate"}], "vkr")
