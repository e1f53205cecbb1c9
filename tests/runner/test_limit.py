"""``limit=SECONDS``: programs end with their best certified point, and the cells say that they are others."""

import csv

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.papers.core.compare import printed_values
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.identity import identity
from tests.runner.experiments import plan_of

WORDS = ("algo=l1_mkl", "kernel=gaussian", "dataset=sonar", "algo.Cs=[10]")


def test_rows_are_capped_with_their_gap_and_without_a_limit_nothing_is_another():
    limited, plan = plan_of(*WORDS, "limit=0"), plan_of(*WORDS)
    assert set(limited.keys).isdisjoint(plan.keys) and plan.cells[0].limit is None
    assert identity(limited)["parameters"] == f"limit=0 {identity(plan)['parameters']}".strip()
    (row,), (whole,) = (run_cell(one.cells[0])["rows"] for one in (limited, plan))
    assert row["status"] == "capped" and whole["status"] == "optimal"
    assert whole["gap"] < 1e-5 < row["gap"] < 1.0 and row["rounds"] < whole["rounds"]
    assert row["dual_objective"] <= whole["objective"] * (1 + 1e-9) and whole["dual_objective"] <= row["objective"]


@pytest.mark.parametrize("name", ["l1_krr", "l2_krr"])
def test_ridge_regressions_that_learn_weights_are_capped_too(name):
    grid = ("algo.lambdas=[0.1]", "algo.Lambdas=[10]", "kernel=gaussian", "scaling=none", "dataset=ionosphere")
    (row,) = run_cell(plan_of(f"algo={name}", *grid, "task=regression", "limit=0").cells[0])["rows"]
    assert row["status"] == "capped" and row["rounds"] <= 1


def test_a_limit_that_is_not_reached_changes_no_number():
    (row,), (whole,) = (run_cell(plan_of(*WORDS, *more).cells[0])["rows"] for more in (["limit=1e6"], []))
    assert row == whole


def test_the_summary_says_so(tmp_path, capsys):
    assert main(["run", *WORDS, "limit=0", "engine.jobs=1", f"results_dir={tmp_path}"]) == 0
    out = capsys.readouterr().out
    assert "limit      0 s for each of them" in out and "capped" in out
    (directory,) = (tmp_path / "runs").iterdir()
    with open(directory / "summary.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["n_selected_not_optimal"] for row in rows} == {"5"}
    assert {row["parameters"] for row in rows} == {"limit=0 algo.Cs=[10.0]"}


@pytest.mark.parametrize("value", ["-1", "soon", "nan"])
def test_a_limit_is_a_number(value):
    with pytest.raises(UserError, match=f"limit={value}"):
        plan_of(*WORDS, f"limit={value}")


def test_printed_values_are_of_whole_solutions():
    words = ("algo=vkr", "dataset=ionosphere")
    assert printed_values(plan_of(*words).experiment, "vkr_lemma3")
    assert not printed_values(plan_of(*words, "limit=600").experiment, "vkr_lemma3")
