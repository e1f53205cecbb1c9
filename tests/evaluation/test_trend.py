"""Whether a score still improves at an end of a grid, by more than its noise."""

from math import inf, nan, sqrt

import numpy as np
import pytest

from kernlearn.evaluation.metrics import METRICS
from kernlearn.evaluation.trend import trend_at


def rows_of(scores, metric="rmse", n_train=80, n_validation=20):
    """Return the rows of scores, an array with a row for each grid point and a column for each split."""
    column = METRICS[metric].column_of("validation")
    return [
        {"point": i, "split": j, column: score, "n_train": n_train, "n_validation": n_validation}
        for i, line in enumerate(scores)
        for j, score in enumerate(line)
    ]


def trend(scores, metric="rmse", largest=True, grid=None):
    grid = grid or [{"C": 10.0**i} for i in range(len(scores))]
    return trend_at(rows_of(scores, metric), grid, metric, "C", largest)


def test_gain_and_noise_are_those_of_means_over_the_splits():
    found = trend([[9.0, 9.0, 9.0], [5.0, 6.0, 7.0], [3.0, 4.0, 6.0]])
    assert found.gain == pytest.approx(6.0 - 13 / 3)
    assert found.noise == pytest.approx(np.std([3, 4, 6], ddof=1) * sqrt(1 / 3 + 20 / 80))
    assert found.improves and "still improves there by 1.7 (noise 1.2)" in found.words
    assert trend([[3.0, 4.0, 6.0], [5.0, 6.0, 7.0], [9.0, 9.0, 9.0]], largest=False) == found._replace(largest=False)
    assert trend([[5.0, 6.0], [5.0, 6.0]], largest=False).is_flat


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([[5.0, 6.0], [5.0, 6.0]], "is the same at the value before, so that better values may lie beyond either end"),
        ([[5.0, 6.0], [7.0, 8.0]], "no sign that larger values do better: the validation RMSE does not improve there"),
        ([[5.0, 6.0], [4.9, 5.9]], "no sign that larger values do better: the validation RMSE improves by only 0.1"),
        ([[5.0, 5.0], [0.0, 0.0]], "larger values are pointless, since the validation RMSE cannot be better"),
        ([[5.0], [4.9]], "improves by only 0.1 there"),
    ],
)
def test_a_flat_noisy_or_perfect_score_is_no_reason_for_a_wider_grid(scores, words):
    found = trend(scores)
    assert not found.improves and words in found.words


def test_scores_that_are_to_be_large_improve_upwards():
    found = trend([[0.5, 0.6], [0.9, 0.95]], "r2")
    assert found.gain == pytest.approx(0.375) and found.improves
    assert trend([[80.0, 81.0], [100.0, 100.0]], "auc").is_best
    assert trend([[60.0], [90.0]], "auc").noise == pytest.approx(sqrt(90 * 10 / 20))


def test_other_hyper_parameters_are_the_best_at_each_value():
    grid = [{"C": c, "gamma": g} for c in (1.0, 10.0) for g in (0.1, 1.0)]
    found = trend([[9.0, 9.0], [4.0, 5.0], [8.0, 8.0], [2.0, 3.0]], grid=grid)
    assert found.gain == pytest.approx(2.0)
    without = trend([[9.0, 9.0], [4.0, 5.0], [1.0, 1.0]], grid=[{"C": 1.0}, {"C": 10.0}, {"gamma": 1.0}])
    assert without.gain == pytest.approx(4.5)


@pytest.mark.parametrize(
    "scores", [[], [[5.0, 6.0]], [[nan, nan], [5.0, 6.0]], [[nan, 5.0], [5.0, nan]], [[inf, inf], [5.0, 6.0]]]
)
def test_nothing_is_known_of_one_value_or_of_scores_that_no_split_shares(scores):
    assert trend(scores) is None


def test_a_cell_that_failed_and_a_run_without_validation_parts_say_nothing():
    assert trend_at([{"split": 0, "status": "failed"}], [{"C": 1.0}, {"C": 2.0}], "rmse", "C", True) is None
    rows = [{"point": i, "split": 0, "test_rmse": 1.0} for i in range(2)]
    assert trend_at(rows, [{"C": 1.0}, {"C": 2.0}], "rmse", "C", True) is None


@pytest.mark.parametrize("change", [{"n_train": 0}, {"n_validation": 0}, {"n_train": None}, {"n_validation": None}])
def test_without_numbers_of_examples_the_noise_is_not_known_and_nothing_is_advised(change):
    rows = rows_of([[9.0, 9.0], [4.0, 5.0]])
    for row in rows:
        for key, value in change.items():
            row.pop(key) if value is None else row.update({key: value})
    found = trend_at(rows, [{"C": 1.0}, {"C": 2.0}], "rmse", "C", True)
    assert found.noise == inf and not found.improves


def test_the_advice_ends_for_a_score_that_converges():
    """On splits that converge at different speeds, a wider grid is no longer advised after a few steps."""
    rng = np.random.default_rng(0)
    levels, slopes = rng.uniform(5, 6, size=5), rng.uniform(5, 50, size=5)
    advised = [trend([levels + slopes / 10.0**i for i in range(n)]).improves for n in range(2, 12)]
    assert advised[0] and not any(advised[4:])


def test_the_advice_ends_where_errors_are_a_millionth_of_the_targets():
    """The error of a target without noise falls for ever; an R2 that is printed as 1.000 is no reason to stop."""
    rows = rows_of([[0.1, 0.11], [0.01, 0.011], [1e-7, 1.1e-7]])
    for row, r2 in zip(rows, [0.99, 0.98, 0.9999, 0.9998, 1 - 1e-14, 1 - 1e-14], strict=True):
        row["validation_r2"] = r2
    grid = [{"C": 10.0**i} for i in range(3)]
    assert trend_at(rows[:4], grid[:2], "rmse", "C", True).improves
    found = trend_at(rows, grid, "rmse", "C", True)
    assert found.is_exact and not found.improves and not found.is_flat
    assert (
        found.words == "larger values are pointless, since errors are below a millionth of the deviation of the targets"
    )


def test_the_advice_ends_where_solutions_are_no_longer_proved():
    rows, grid = rows_of([[9.0, 9.0], [5.0, 6.0], [1.0, 2.0]]), [{"C": 10.0**i} for i in range(3)]
    for row in rows:
        row["status"] = "inaccurate" if row["point"] == 2 and row["split"] == 1 else "optimal"
    found = trend_at(rows, grid, "rmse", "C", True)
    assert found.gain > found.noise and not found.improves
    assert "no remedy: the validation RMSE improves there, but solutions are no longer proved optimal" in found.words
    assert trend_at(rows[:4], grid[:2], "rmse", "C", True).improves
    for row in rows:  # of a method that proves nothing anywhere
        row["status"] = "inaccurate"
    assert trend_at(rows, grid, "rmse", "C", True).improves
