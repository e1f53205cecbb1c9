import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    mean_absolute_error,
    mean_squared_error,
    r2_score,
    roc_auc_score,
)

from kernlearn.datasets.core.chains import chains_of
from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, SCORES
from kernlearn.evaluation.metrics import (
    auc,
    balanced_error_pct,
    correlation,
    digits_of,
    error_pct,
    mae,
    r2,
    rmse,
    rounded,
)
from kernlearn.evaluation.selection import best_point

RNG = np.random.default_rng(0)
#: Values of perfect predictions that are no percentages.
PERFECT = {"r2": 1}
Y = RNG.choice([0, 1], 50)
F = np.round(2 * Y - 1 + RNG.normal(scale=2, size=50))  # with ties, also at 0
SEQUENCES = chains_of([20, 1, 29], Y)


def test_scores_agree_with_scikit_learn():
    predicted = (F > 0).astype(int)
    assert error_pct(Y, predicted) == pytest.approx(100 * (1 - accuracy_score(Y, predicted)))
    assert balanced_error_pct(Y, predicted) == pytest.approx(100 * (1 - balanced_accuracy_score(Y, predicted)))
    assert auc(Y, F) == pytest.approx(100 * roc_auc_score(Y, F))
    assert rmse(Y, F) == pytest.approx(mean_squared_error(Y, F) ** 0.5)
    assert mae(Y, F) == pytest.approx(mean_absolute_error(Y, F))
    for unit in (1.0, 1e-200, 1e200):
        assert r2(unit * Y, unit * F) == pytest.approx(r2_score(Y, F))
    assert np.isnan(r2(np.ones(3), np.arange(3.0)))


@pytest.mark.parametrize(
    ("metric", "mean", "std", "digits"),
    [
        ("rmse", 48123.2, 1201.5, 0),
        ("rmse", 54.06, 2.95, 1),
        ("mae", 1.2e-7, 3.4e-9, 10),
        ("rmse", 0.25, 0.0, 4),
        ("rmse", 1234.5, None, 0),
        ("rmse", 0.0, None, 2),
        ("error_pct", 4.26, 3.29, 2),
    ],
)
def test_what_has_the_unit_of_the_targets_has_digits_by_its_deviation(metric, mean, std, digits):
    assert digits_of(metric, mean, std) == digits


def test_the_balanced_error_of_many_classes_is_that_of_scikit_learn():
    y = RNG.choice(4, 60, p=[0.7, 0.1, 0.1, 0.1])
    predicted = np.where(RNG.random(60) < 0.5, y, RNG.choice(5, 60))  # 4 is in no label
    with pytest.warns(UserWarning, match="not in y_true"):
        there = 100 * (1 - balanced_accuracy_score(np.r_[y, 0], np.r_[predicted, 0]))
    assert balanced_error_pct(np.r_[y, 0], np.r_[predicted, 0]) == pytest.approx(there)
    assert balanced_error_pct(y, 0 * y) == pytest.approx(75)  # the largest class always
    assert np.isnan(balanced_error_pct(y[y == 2], 0 * y[y == 2]))


def test_auc_counts_pairs():
    pairs = [(p > q) + 0.5 * (p == q) for p in F[Y > 0] for q in F[Y == 0]]
    assert len(np.unique(F)) < len(F) and auc(Y, F) == pytest.approx(100 * np.mean(pairs))
    assert auc(Y, -F) == pytest.approx(100 - auc(Y, F)) and auc(Y, 0 * F) == 50


def test_values_that_differ_by_rounding_are_equal_in_any_units():
    rng = np.random.default_rng(0)
    y, noise = np.tile([-1.0, 1.0], 20), 1e-14 * rng.standard_normal(40)
    f = np.repeat(rng.standard_normal(20), 2)
    for units in (1.0, 1e-12, 1e9):
        assert auc(y, units * (f + noise)) == auc(y, units * f) == 50
    assert auc(y, 1.0 + 1e-2 * noise) == 50  # a constant
    assert auc(y, f + 1e-6 * y) > 50


@pytest.mark.parametrize("outlier", [1e10, -1e12])
def test_one_value_far_away_makes_no_others_equal(outlier):
    y, f = np.tile([-1.0, 1.0], 20), np.append(np.linspace(0.0, 1.0, 39), outlier)
    assert auc(y, f) == pytest.approx(100 * roc_auc_score(y, f))


def test_one_class_alone_has_nothing_to_balance():
    assert np.isnan(balanced_error_pct(np.ones(3), np.ones(3))) and np.isnan(
        balanced_error_pct(np.ones(3), np.zeros(3))
    )
    assert balanced_error_pct(np.array([0, 1, 1]), np.array([1, 1, 1])) == 50  # of three classes, one of them missing


@pytest.mark.parametrize("name", sorted(SCORES))
def test_the_best_score_is_on_the_side_that_is_said(name):
    metric = SCORES[name]
    cast = np.stack([1 - Y, Y])
    goods = {
        "classes": (Y, 1 - Y),
        "examples": (Y, 1 - Y),
        "votes": (cast, 1 - cast),
        "signs": (F, -F),
        "sequences": (Y, 1 - Y),
        "reals": (Y.astype(float), F),
    }
    good = goods[metric.target]
    truth = {"signs": (F > 0).astype(int), "sequences": SEQUENCES}.get(metric.target, Y)
    if metric.derived_from:  # is in no row
        rows = [{f"test_{metric.derived_from}": SCORES[metric.derived_from].score(truth, g)} for g in good]
    else:
        rows = [{metric.column_of("test"): metric.score(truth, g)} for g in good]
    best, worst = (metric.value(row) for row in rows)
    assert (best > worst) == metric.larger_is_better and best == (
        PERFECT.get(name, 100) if metric.larger_is_better else 0
    )


@pytest.mark.parametrize("name", sorted(METRICS))
def test_what_needs_classes_has_no_value_on_one_and_says_so(name):
    metric = METRICS[name]
    if metric.score and metric.target not in ("reals", "sequences"):
        one = np.ones(3, dtype=int)
        others = {"votes": np.ones((2, 3)), "probabilities": np.full((2, 3), 0.5), "examples": np.arange(3)}
        given = others.get(metric.target, np.arange(3.0))
        assert np.isnan(metric.score(one, given)) == metric.needs_classes
    assert metric.words and metric.words.startswith("test ") == bool(metric.target)


def test_correlation():
    a, b = RNG.normal(size=(2, 8))
    np.testing.assert_allclose(correlation(a, b), np.corrcoef(a, b)[0, 1])
    assert correlation(a, 3 - 2 * a) == pytest.approx(-1)
    with pytest.raises(UserError, match="constant series"):
        correlation(a, np.full(8, 0.1))


def test_a_squared_error_is_that_of_every_split_and_its_mean_that_of_the_squares():
    of_all = {"point": 0, "n_support": 1}
    rows = [{**of_all, "split": i, "validation_rmse": v, "test_rmse": v} for i, v in enumerate((1, 3))]
    chosen = best_point(rows, [{}], "mse")
    assert chosen.validation_score == 5.0 and chosen.values_of("mse") == [1.0, 9.0]
    assert chosen.metrics[:2] == ["mse", "rmse"] and chosen.summary()["mse"][0] == 5.0  # the mean RMSE is 2
    assert METRICS["mse"].to_column(9.0) == 3.0 and METRICS["accuracy_pct"].to_column(97.0) == 3.0


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1.63e-11, 12, "1.6e-11"),
        (1.5e-11, 12, "1.5e-11"),
        (9.96e-11, 12, "1e-10"),
        (-2.04e-10, 12, "-2.04e-10"),
        (3.35, 12, "3.35"),
        (4e-13, 12, "0"),
        (0.0, 12, "0"),
        (0.000012, 7, "0.0000120"),
        (13.444, 2, "13.44"),
        (float("inf"), 12, "inf"),
    ],
)
def test_tiny_numbers_have_an_exponent(value, digits, text):
    assert rounded(value, digits) == text
