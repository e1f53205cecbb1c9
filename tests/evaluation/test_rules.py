"""The rules by which a grid point is chosen: hand-checked, and blind to what tests the choice."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS, RULES, best_of, select
from kernlearn.evaluation.rules import first_splits, fresh_splits, patience, swapped
from tests.runner.experiments import plan_of, rows_of


def rows_and_grid(errors, every=1, values=(None,)):
    """Rows of trainings, one for every value of lambda, with the same validation errors."""
    grid, rows = [], []
    for value in values:
        for i, error in enumerate(errors):
            rows.append({"point": len(grid), "validation_errors": error, "n_validation": 50, "n_support": 0})
            grid.append({**({} if value is None else {"lambda": value}), "rounds": every * (i + 1)})
    return rows, grid


def kept(errors, wait, **options):
    rows, grid = rows_and_grid(errors, **options)
    return [row["point"] for row in patience(rows, grid, wait)]


def test_training_stops_so_many_rounds_after_the_first_best_and_sees_nothing_later():
    assert kept([5, 4, 4, 6, 3], 2) == [0, 1, 2, 3]  # the 3 would have been better
    assert kept([5, 4, 4, 6, 3], 3) == [0, 1, 2, 3, 4]
    assert kept([5, 5, 5], 1) == [0, 1]  # equal is not lower
    assert kept([5, 4, 3, 2], 1) == [0, 1, 2, 3]


def test_every_training_stops_by_itself_and_rounds_without_a_row_count():
    assert kept([5, 6, 7, 1], 1, values=(0.1, 0.2)) == [0, 1, 4, 5]
    assert kept([5, 6, 7, 1], 20, every=10) == [0, 1, 2]
    rows, grid = rows_and_grid([5, 6, 7])
    splits = [{**row, "split": split} for split in (0, 1) for row in rows]
    assert [(row["split"], row["point"]) for row in patience(splits, grid, 1)] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_the_order_of_rows_does_not_matter_and_a_grid_without_rounds_stays():
    rows, grid = rows_and_grid([5, 4, 6, 6, 1])
    assert [row["point"] for row in patience(rows[::-1], grid, 2)] == [3, 2, 1, 0]
    flat = [{"C": float(i)} for i in range(5)]
    assert patience(rows, flat, 1) == rows


def test_a_row_without_a_score_is_no_better():
    grid = [{"rounds": r} for r in (1, 2, 3)]
    rows = [{"point": i, "validation_auc": auc} for i, auc in enumerate([float("nan"), 60.0, 50.0])]
    assert patience(rows, grid, 2, "auc") == rows
    assert patience(rows, grid, 1, "auc") == rows[:1]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.integers(1, 8))
def test_it_is_a_loop_that_trains(errors, wait):
    best, since, seen = 10**9, 0, 0
    while seen < len(errors):
        seen += 1
        if errors[seen - 1] < best:
            best, since = errors[seen - 1], seen
        elif seen - since >= wait:
            break
    rows, grid = rows_and_grid(errors)
    assert kept(errors, wait) == list(range(seen))
    assert select(patience(rows, grid, wait), grid).values["rounds"] == since


def test_the_protocol_of_boosting_stops_so():
    """Its parts, and its choice against the rule applied by hand to the rows of one split."""
    words = ["algo=adaboost", "kernel=stumps", "dataset=ionosphere", "protocol=boosting20", "scaling=none"]
    plan = plan_of(*words, "algo.rounds=120")
    assert PROTOCOLS["boosting20"].rule == "patience50" and len(plan.cells) == 20
    rows = [{"split": 3, **row} for row in rows_of(*words, "algo.rounds=120", split=3)]
    assert (rows[0]["n_train"], rows[0]["n_validation"], rows[0]["n_test"]) == (175, 88, 88)
    errors = np.array([Fraction(row["validation_errors"], 1) for row in rows])
    stop = next(i for i in range(120) if i + 1 - (errors[: i + 1].argmin() + 1) >= 50 or i == 119)
    assert plan.select(rows).point == errors[: stop + 1].argmin()
    assert plan.select(rows).metrics[0] == "error_pct" and plan.select(rows).validation_score == pytest.approx(
        100 * errors[: stop + 1].min() / 88
    )


GRID = [{"C": 1.0, "rounds": 1}, {"C": 1.0, "rounds": 60}, {"C": 1.0, "rounds": 95}]


def stored(validation, test):
    """Rows for validation[split][point] and test[split][point] errors of ten and of twenty examples."""
    return [
        {
            "split": split,
            "point": point,
            "n_support": 9 - point,
            "n_validation": 10,
            "validation_errors": validation[split][point],
            "validation_error_pct": 10.0 * validation[split][point],
            "n_test": 20,
            "test_errors": test[split][point],
            "test_error_pct": 5.0 * test[split][point],
        }
        for split in range(len(validation))
        for point in range(len(validation[0]))
    ]


#: Six splits: 21, 19 and 18 errors in all; of the first five 16, 18 and 17.
VALIDATION = [[3, 4, 2], [3, 3, 4], [4, 4, 3], [3, 3, 4], [3, 4, 4], [5, 1, 1]]
TEST = [[7, 8, 9], [9, 8, 7], [7, 9, 8], [8, 7, 9], [9, 7, 8], [9, 9, 0]]
#: The rules for six splits: that of 20 splits chooses by two here.
HERE = {**RULES, "fresh20": partial(fresh_splits, k=2)}
#: (split, point) of what each rule chooses; patience ends at round 60 where that is not better than round 1.
CHOSEN = {
    "overall": [(split, 2) for split in range(6)],
    "first5": [(split, 0) for split in range(6)],
    "fresh20": [(split, 2) for split in range(2, 6)],
    "median5": [(split, 1) for split in range(6)],  # points 2, 1, 2, 1 and 0: rounds 95, 60, 95, 60 and 1
    "per_split": [(0, 2), (1, 1), (2, 2), (3, 1), (4, 0), (5, 2)],
    "patience50": [(0, 0), (1, 1), (2, 1), (3, 1), (4, 0), (5, 2)],
    "swap": [(0, 2), (1, 1), (2, 2), (3, 1), (4, 0), (5, 2), (0, 0), (1, 2), (2, 0), (3, 1), (4, 1), (5, 2)],
}


def places(selection):
    return [(row["split"], row["point"]) for row in selection.rows]


@pytest.mark.parametrize("name", HERE)
def test_every_rule_on_six_splits_by_hand(name):
    assert places(select(stored(VALIDATION, TEST), GRID, "error_pct", HERE[name])) == CHOSEN[name]


def test_what_the_choices_report_by_hand():
    rows = stored(VALIDATION, TEST)
    whole, first, swap = (select(rows, GRID, "error_pct", HERE[name]) for name in ("overall", "first5", "swap"))
    assert (whole.validation_score, whole.n_scored, whole.values_of("error_pct")[5]) == (30.0, 6, 0.0)
    assert (first.validation_score, first.n_scored, len(first.rows)) == (32.0, 5, 6)
    assert select(rows, GRID, rule=lambda *given: first_splits(*given, k=1)).point == 2
    assert [row["n_test"] for row in swap.rows] == [20] * 6 + [10] * 6
    assert swap.values_of("error_pct") == [45.0, 40.0, 40.0, 35.0, 45.0, 0.0, 30.0, 40.0, 40.0, 30.0, 40.0, 10.0]
    assert ["swapped" in row for row in swap.rows] == [False] * 6 + [True] * 6


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(RULES)), st.integers(1, 4), st.data())
def test_no_rule_looks_at_what_tests_its_choice(name, splits, data):
    """Whatever the test columns are, the same is chosen; of swapped parts whatever the validation columns are."""
    assume(splits > 2 or name != "fresh20")
    counts = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=splits, max_size=splits)
    validation, *tests = (data.draw(counts) for _ in range(3))
    chosen = [select(stored(validation, test), GRID, "error_pct", HERE[name]) for test in tests]
    fresh = splits - 2 if name == "fresh20" else splits
    kept = [[place for place, row in zip(places(one), one.rows, strict=True) if "swapped" not in row] for one in chosen]
    assert kept[0] == kept[1] and len(kept[0]) == fresh
    if name == "swap":
        other = select(stored(tests[1], validation), GRID, "error_pct", HERE[name])
        first = select(stored(tests[0], validation), GRID, "error_pct", HERE[name])
        assert places(other)[splits:] == places(first)[splits:]
    else:
        assert chosen[0].validation_score == chosen[1].validation_score


@pytest.mark.parametrize("name", HERE)
def test_rules_change_no_row_and_do_not_mind_another_order_of_splits(name):
    rows = stored(VALIDATION, TEST)
    before = [dict(row) for row in rows]
    chosen = select(rows, GRID, "error_pct", HERE[name])
    assert rows == before
    assert sorted(places(select(rows[::-1], GRID, "error_pct", HERE[name]))) == sorted(places(chosen))


def test_the_smallest_the_ties_and_the_first():
    assert best_of([3, 1, 1]) == 1 and best_of([3, 1, 1], range(3, 0, -1)) == 2
    assert best_of([1, 1, 1], [2, 1, 1], [0, 5, 4]) == 2


def test_parts_that_change_places_change_all_their_columns():
    (row,) = swapped([{"split": 0, "point": 0, "n_test": 3, "n_validation": 2, "test_auc": 1.0, "validation_auc": 2.0}])
    assert row == {
        "split": 0,
        "point": 0,
        "n_test": 2,
        "n_validation": 3,
        "test_auc": 2.0,
        "validation_auc": 1.0,
        "swapped": 1,
    }
    with pytest.raises(UserError, match="rule=swap: validation and test part cannot change places"):
        swapped([{"split": 0, "n_test": 3, "n_validation": 2, "test_votes": "x"}])


@pytest.mark.slow
def test_a_rule_is_a_word_of_the_command_line(capsys, tmp_path, monkeypatch):
    """It chooses anew from what is stored, and a ranking compares what was tested alike."""
    monkeypatch.chdir(tmp_path)
    words = ["dataset=sonar", "algo=l2_svm", "algo.Cs=[0.01,1,100]", "kernel.degrees=[1]", "engine.jobs=1"]
    assert main(["run", *words]) == 0 and "3 grid points" not in capsys.readouterr().out
    assert main(["run", *words, "rule=swap"]) == 0
    out = capsys.readouterr().out
    assert "nothing to run" in out and "left out" not in out
    two = ["dataset=sonar", "algo=l2_svm,nearest_mean", "kernel.degrees=[1]", "engine.jobs=1", "rule=swap"]
    assert main(["sweep", *two]) == 0
    ranked = [line.split()[:3] for line in capsys.readouterr().out.splitlines() if line.startswith("sonar  ")]
    assert {tuple(line[1:]) for line in ranked} >= {("3", "majority")}
    assert main(["run", *words, "rule=swap", "protocol=holdout10_cv5"]) == 2
    assert "rule=swap: protocol=holdout10_cv5 validates on folds" in capsys.readouterr().err
    assert main(["run", *words, "rule=median"]) == 2 and "rule=median: must be" in capsys.readouterr().err
