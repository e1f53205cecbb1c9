from math import inf, isnan, nan
from statistics import stdev

import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation import select
from kernlearn.evaluation.metrics import mean_and_deviation

GRID = [{"beta": 1.0}, {"beta": 0.1}, {"beta": 0.01}]


def rows(errors, support, n_validation=(10, 10)):
    """Rows for errors[split][point] and support[split][point]."""
    return [
        {
            "point": point,
            "split": split,
            "validation_errors": errors[split][point],
            "n_validation": n_validation[split],
            "n_support": support[split][point],
            "n_nonzero": 2 * support[split][point],
            "test_error_pct": 10.0 * split + point,
        }
        for split in range(len(errors))
        for point in range(len(errors[0]))
    ]


def test_smallest_mean_error_wins():
    chosen = select(rows([[3, 1, 2], [3, 1, 1]], [[1, 9, 9], [1, 9, 9]]), GRID)
    assert chosen.point == 1 and chosen.values == {"beta": 0.1} and chosen.n_ties == 1
    assert chosen.validation_score == pytest.approx(10.0)


def test_ties_go_to_fewer_support_vectors_then_to_the_stronger_penalty():
    assert select(rows([[1, 2, 1], [2, 1, 2]], [[9, 9, 5], [9, 9, 5]]), GRID).point == 2
    tied = select(rows([[1, 2, 1], [2, 1, 2]], [[5, 5, 5], [5, 5, 5]]), GRID)
    assert tied.point == 0 and tied.n_ties == 3


def test_errors_are_averaged_as_rates_of_folds_of_different_size():
    """1/3 + 0/10 is more than 0/3 + 3/10, although it is fewer errors; exact where floats would round."""
    chosen = select(rows([[1, 0, 3], [0, 3, 3]], [[1, 1, 1]] * 2, n_validation=(3, 10)), GRID)
    assert chosen.point == 1


def test_summary_uses_the_divisor_n_minus_1():
    chosen = select(rows([[0, 1, 1], [0, 1, 1]], [[4, 1, 1], [7, 1, 1]]), GRID)
    assert chosen.summary()["n_support_vectors"] == (5.5, stdev([4, 7]), 2)
    assert chosen.summary()["error_pct"] == (5.0, stdev([0.0, 10.0]), 2)


def test_points_missing_in_a_split_are_not_considered():
    measured = [row for row in rows([[1, 0, 2], [1, 0, 2]], [[1] * 3] * 2) if (row["split"], row["point"]) != (1, 1)]
    assert select(measured, GRID).point == 0


def test_one_split_has_no_deviation_and_no_rows_no_selection():
    assert select(rows([[1, 0, 2]], [[1, 1, 1]]), GRID).summary()["error_pct"] == (1.0, None, 1)
    assert select([], GRID) is None


def scored(values):
    """Rows for values[split][point] of the validation AUC; NaN where the part has one class."""
    return [
        {**row, "validation_auc": values[row["split"]][row["point"]], "test_auc": values[row["split"]][row["point"]]}
        for row in rows([[0] * len(values[0])] * len(values), [[1] * len(values[0])] * len(values), [10] * len(values))
    ]


def test_a_split_where_no_point_has_the_score_is_in_no_mean():
    chosen = select(scored([[nan, nan], [60.0, 80.0], [90.0, 80.0], [65.0, 70.0]]), GRID, "auc")
    assert (chosen.point, chosen.n_scored, len(chosen.rows)) == (1, 3, 4)
    assert chosen.validation_score == pytest.approx(230 / 3)
    assert chosen.summary()["auc"] == (pytest.approx(230 / 3), pytest.approx(stdev([80, 80, 70])), 3)
    assert chosen.summary()["error_pct"][2] == 4


def test_a_point_that_alone_has_no_score_is_not_considered():
    assert select(scored([[99.0, 60.0], [nan, 60.0]]), GRID, "auc").point == 1


def test_a_split_without_a_score_has_no_choice_of_its_own():
    chosen = select(scored([[nan, nan], [60.0, 80.0], [90.0, 80.0]]), GRID, "auc", "per_split")
    assert [(row["split"], row["point"]) for row in chosen.rows] == [(1, 1), (2, 0)] and chosen.n_scored == 2


@pytest.mark.parametrize("rule", ["overall", "per_split", "first5"])
def test_a_score_that_nobody_has_chooses_nothing(rule):
    with pytest.raises(UserError, match="select_by=auc: no grid point has this score"):
        select(scored([[nan, nan]] * 2), GRID, "auc", rule)


def test_mean_and_deviation_are_of_the_values_that_there_are():
    assert mean_and_deviation([1.0, nan, 3.0]) == (2.0, stdev([1, 3]), 2)
    assert mean_and_deviation([nan, 3.0]) == (3.0, None, 1)
    assert mean_and_deviation([inf, 3.0]) == (inf, None, 2)
    mean, deviation, n = mean_and_deviation([nan])
    assert isnan(mean) and deviation is None and n == 0
