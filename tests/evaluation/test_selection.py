from statistics import stdev

import pytest

from kernlearn.evaluation import select

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
    assert chosen.summary()["n_support_vectors"] == (5.5, stdev([4, 7]))
    assert chosen.summary()["error_pct"] == (5.0, stdev([0.0, 10.0]))


def test_points_missing_in_a_split_are_not_considered():
    measured = [row for row in rows([[1, 0, 2], [1, 0, 2]], [[1] * 3] * 2) if (row["split"], row["point"]) != (1, 1)]
    assert select(measured, GRID).point == 0


def test_one_split_has_no_deviation_and_no_rows_no_selection():
    assert select(rows([[1, 0, 2]], [[1, 1, 1]]), GRID).summary()["error_pct"] == (1.0, None)
    assert select([], GRID) is None
