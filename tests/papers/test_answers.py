"""What a table of one's own asks for is measured, or refused before anything is solved; its choices are told."""

import re
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.papers import load_table
from kernlearn.papers.core.directories import open_paper
from kernlearn.report.choice import end_in_words, ends_of_partitions, is_settled
from kernlearn.report.layout import grid_ends
from kernlearn.report.pages.provenance import provenance_of
from kernlearn.report.pages.tables import table_part
from kernlearn.report.reproduction import reproduced
from kernlearn.runner.store.tables import read_csv

#: Two classes, or two numbers, that two columns tell apart but for noise.
DATA = "a,b,y\n" + "".join(f"{i % 7},{i * i % 5},{int((i % 7) + (i * i % 5) % 3 > 4)}\n" for i in range(40))
NUMBERS = "dataset,algorithm,metric,mean\nours,one,{metric},{mean}\n"


def written(columns, metrics, claims="", top="unit: split\nprinted_splits: 3", numbers=""):
    """Write a paper of one table into the working directory, and return its file."""
    shown = "".join(f"  {metric}: {{title: {metric}, digits: 2}}\n" for metric in metrics)
    Path("mine").mkdir()
    Path("mine/ours.csv").write_text(DATA)
    Path("mine/table1.csv").write_text(numbers or NUMBERS.format(metric=metrics[0], mean="0.50"))
    file = Path("mine/table1.yaml")
    file.write_text(
        f"title: A table\n{top}\n"
        "overrides: [protocol=holdout, protocol.splits=3, protocol.folds=2, kernel=linear]\n"
        "rows: {ours: {dataset: {path: ours.csv, target: y}}}\n"
        f"columns:\n{columns}metrics:\n{shown}{f'claims: [{claims}]' if claims else ''}\nreadings: {{}}\n"
    )
    return file


SVM = "  one: {printed: one, overrides: [algo=l2_svm, 'algo.Cs=[0.1,1,10]']}\n"
RIDGE = "  one: {printed: one, overrides: [algo=krr, task=regression, 'algo.lambdas=[1.0]'%s]}\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("column", "metric", "of", "follows"),
    [
        (SVM, "accuracy_pct", "error_pct", lambda error: 100 - error),
        (RIDGE % "", "mse", "rmse", lambda rmse: rmse**2),
        (RIDGE % ", select_by=error_pct", "accuracy_pct", "error_pct", lambda error: 100 - error),
    ],
    ids=["accuracy", "squared error", "accuracy of ridge regression on labels"],
)
def test_a_metric_that_follows_from_another_is_compared_with_the_printed_one(column, metric, of, follows, capsys):
    written(column, [metric, of])
    assert main(["reproduce", "mine", "--jobs", "1", "--seeds", "2"]) == 0
    assert metric in capsys.readouterr().out
    values = {row["metric"]: row["values"].split() for row in read_csv(Path("results/mine/table1_partitions.csv"))}
    assert [float(one) for one in values[metric]] == pytest.approx([follows(float(one)) for one in values[of]])
    row = next(row for row in read_csv(Path("results/mine/table1.csv")) if row["metric"] == metric)
    assert row["paper_mean"] and row["verdict"]


@pytest.mark.parametrize(
    ("column", "metric"),
    [(SVM, "log_loss"), (SVM, "rmse"), (SVM, "mse"), (SVM, "alignment"), (SVM, "f1_pct"), (RIDGE % "", "f1_pct")],
)
@pytest.mark.parametrize("option", ["--list", "--seeds"])
def test_a_metric_that_no_cell_has_is_refused_before_anything_is_solved(column, metric, option, capsys):
    written(column, ["error_pct", metric])
    assert main(["reproduce", "mine", option, *(["1"] if option == "--seeds" else [])]) == 2
    error = capsys.readouterr().err
    assert f"mine/table1: metrics.{metric}: no cell of the table will have it" in error and error.count("\n") == 1
    assert not Path("results").exists()


@pytest.mark.parametrize(
    "condition", ["mean(one, rmse) < 1", "1 / 0 < one", "one / (one - one) > 1", "printed(one, auc) < 90"]
)
def test_a_claim_that_can_never_be_judged_is_refused(condition, capsys):
    written(SVM, ["error_pct"], claims=f'{{claim: never, holds: "{condition}"}}')
    assert main(["reproduce", "mine", "--dry-run"]) == 2
    assert "the claim 'never' can never be judged" in capsys.readouterr().err


@pytest.mark.parametrize("condition", ["one < 1 / (2 - 1)", "std(one) < printed(one)", "p_value(one, one) < 0.05"])
def test_a_claim_that_numbers_can_decide_is_none_of_these(condition, capsys):
    written(SVM, ["error_pct"], claims=f'{{claim: some, holds: "{condition}"}}')
    assert main(["reproduce", "mine", "--dry-run"]) == 0


def test_what_the_splits_chose_is_shown_and_so_are_ends_of_the_grid(capsys):
    column = "  one: {printed: one, overrides: [algo=l2_svm, 'algo.Cs=[0.001,0.002]']}\n"
    other = "  two: {overrides: [algo=l2_svm, 'algo.Cs=[0.0001,1,10000]']}\n"
    written(column + other, ["error_pct"])
    assert main(["reproduce", "mine", "--jobs", "1", "--seeds", "2"]) == 0
    out = capsys.readouterr().out
    table = reproduced("mine/table1", Path("results"))
    ends = grid_ends(table.table, table.partitions)
    assert ends and all(end.startswith(("one: the selected C=", "two: the selected C=")) for end in ends)
    known = re.compile("; (validation scores still improve|there is no sign|the validation score is the same)")
    assert all(known.search(end) and f"note       {end}\n" in out for end in ends)
    assert all(f"- {end}." in Path("results/mine/table1.md").read_text() for end in ends)
    improving = grid_ends(table.table, table.partitions, improving=True)
    assert all("so algo.Cs=[...] with" in end for end in improving)
    assert any("Values beyond the grids" in one.words for one in table_part(table, {}).trust) == bool(improving)
    (row,) = provenance_of(table, {}, "x")
    chosen = [line[4] for line in row.runs.rows]
    assert all(words.startswith("C=") for words in chosen) and not any("nothing" in words for words in chosen)


def test_older_partitions_say_that_there_was_a_choice(capsys):
    written(SVM, ["error_pct"])
    assert main(["reproduce", "mine", "--jobs", "1"]) == 0
    open_paper("mine")
    table = reproduced("mine/table1", Path("results"))
    old = [
        {key: "" if key == "selected" else value for key, value in row.items() if key not in ("chosen", "at_grid_end")}
        for row in table.partitions
    ]
    (row,) = provenance_of(table._replace(partitions=old), {}, "x")
    assert row.runs.rows[0][4] == "other values in each split"
    assert grid_ends(load_table("mine/table1"), old) == []


def test_ends_of_several_partitions_are_counted_together():
    rows = [
        {"chosen": "C=1 x3|10 x2", "at_grid_end": "C=10 largest 2 of 5 improving algo.Cs"},
        {"chosen": "C=1 x1|10 x4", "at_grid_end": "C=10 largest 4 of 5 flat algo.Cs"},
        {"chosen": "C=1 x5", "at_grid_end": ""},
        {"selected": "C=1"},
    ]
    ((end, states),) = ends_of_partitions(rows)
    words = "the selected C=10 is the largest of its grid in 6 of 15 choices"
    assert not is_settled(states) and end_in_words(end, states) == (
        f"{words}; validation scores still improve there in 2 of them, "
        "so algo.Cs=[...] with larger values may do better"
    )
    ((end, states),) = ends_of_partitions(rows[1:])
    words = end_in_words(end, states)
    assert is_settled(states) and words.endswith("in 4 of 10 choices; there is no sign that larger values do better")


@pytest.mark.parametrize(
    ("state", "words", "settled"),
    [
        ("same", "; the validation score is the same at the value before, so that better values may lie", False),
        ("unproved", "; larger values are no remedy: the validation score improves there, but solutions are", True),
        ("perfect", "; larger values are pointless, since the validation score cannot be better", True),
        ("unknown", "is the largest of its grid", True),
    ],
)
def test_an_end_says_why_nothing_is_advised(state, words, settled):
    ((end, states),) = ends_of_partitions(
        [{"chosen": "C=10 x5", "at_grid_end": f"C=10 largest 5 of 5 {state} algo.Cs"}]
    )
    said = end_in_words(end, states)
    assert words in said and is_settled(states) is settled and "no sign" not in said
