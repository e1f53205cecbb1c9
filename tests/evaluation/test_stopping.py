"""Early stopping on stored rows."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlearn.evaluation import PROTOCOLS, patience, select
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
    assert PROTOCOLS["boosting20"].select == "per split" and len(plan.cells) == 20
    rows = [{"split": 3, **row} for row in rows_of(*words, "algo.rounds=120", split=3)]
    assert (rows[0]["n_train"], rows[0]["n_validation"], rows[0]["n_test"]) == (175, 88, 88)
    errors = np.array([Fraction(row["validation_errors"], 1) for row in rows])
    stop = next(i for i in range(120) if i + 1 - (errors[: i + 1].argmin() + 1) >= 50 or i == 119)
    assert plan.select(rows).point == errors[: stop + 1].argmin()
    assert plan.select(rows).metrics[0] == "error_pct" and plan.select(rows).validation_score == pytest.approx(
        100 * errors[: stop + 1].min() / 88
    )
