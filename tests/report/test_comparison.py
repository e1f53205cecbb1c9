"""What a comparison says of methods that a test does not distinguish."""

import numpy as np
import pytest
from scipy import stats

from kernlearn.report.comparison.page import page_of
from kernlearn.report.comparison.scores import BASELINE, METHOD, Comparison, Measured
from kernlearn.report.comparison.tables import (
    further_seeds,
    no_better,
    nothing_learnt,
    separable,
    table_of,
    to_distinguish,
    words_of,
)
from kernlearn.report.terminal import capitalised
from kernlearn.runner.plan.baseline import MEAN

#: Errors of five test parts: far better than the baseline on average, and too noisy for a test.
NOISY, SIMPLE = [4.0, 40.0, 8.0, 36.0, 16.0], [46.0, 47.0, 46.0, 48.0, 46.0]


def comparison(method, baseline, n_seeds=1):
    """Return a comparison of a method with the majority class on five test parts of each seed."""

    def measured(name, values, kind):
        rows = [
            {"seed": seed, "split": i, "n_train": 96, "n_test": 24, "gap": 0.0, "status": "optimal"}
            | {"test_rmse": value}
            for seed in range(n_seeds)
            for i, value in enumerate(values)
        ]
        return Measured(name, kind, rows)

    data = {"name": "small", "sha256": "0" * 64, "examples": 120, "features": 2}
    all_measured = [measured("krr", method, METHOD), measured(MEAN, baseline, BASELINE)]
    return Comparison(data, "regression", "nested5x5", "standard", "rmse", all_measured)


def test_a_large_difference_that_is_not_significant_is_no_tie_but_not_distinguished():
    one = comparison(NOISY, SIMPLE)
    headers, rows = table_of(one)
    assert rows[1][headers.index("against the best")].startswith("not distinguished, p ")
    said = nothing_learnt(one)
    assert said.startswith(f"not even the {MEAN} (46.6") and "krr (21)" in said
    assert words_of(one)[1:3] == [to_distinguish(one), said] and "(1 of them baselines)" in words_of(one)[3]


@pytest.mark.parametrize(
    ("method", "baseline", "helps"),
    [
        ([26.0, 24.0, 27.0, 36.0, 23.0], [34.0, 30.0, 35.0, 36.0, 31.0], True),
        ([26.0, 24.0, 27.0, 44.0, 23.0], [34.0, 30.0, 35.0, 36.0, 31.0], False),
        (NOISY, [26.0] * 5, False),
    ],
)
def test_seeds_are_offered_only_where_the_measured_differences_would_be_significant(method, baseline, helps):
    """The t-test of scipy for 50 test parts with the measured mean and variance."""
    one = comparison(method, baseline)
    place, differences = one.standings[1], np.subtract(method, baseline)
    t = differences.mean() / np.sqrt((1 / 50 + 24 / 96) * differences.var(ddof=1))
    assert place.p_limit == pytest.approx(2 * stats.t.sf(abs(t), 49)) and place.p_limit < place.p_value
    assert place.tied and separable(place) == helps == (place.p_limit <= 0.05)
    assert ("seed=range(0,10)" in to_distinguish(one)) == helps == ("only more rows" not in to_distinguish(one))


def test_methods_that_agree_in_every_part_are_not_offered_seeds():
    one = comparison(SIMPLE, SIMPLE)
    assert one.standings[1].equal and not separable(one.standings[1])
    assert to_distinguish(one) == f"{one.standings[1].name} has the same scores as krr in every test part"


def test_nothing_is_said_of_a_baseline_that_is_distinguished_or_best():
    assert nothing_learnt(comparison([4.0, 4.5, 4.2, 4.1, 4.4], SIMPLE)) == ""
    assert nothing_learnt(comparison(SIMPLE, NOISY)) == ""


@pytest.mark.parametrize("method", [[47.0, 48.0, 46.5, 48.0, 49.0], SIMPLE])
def test_a_comparison_says_that_no_method_does_better_than_learning_nothing(method):
    one = comparison(method, SIMPLE)
    said = no_better(one)
    assert said.startswith(f"no method does better than the {MEAN} (46.60), which learns nothing from the columns: the")
    assert "krr, has 4" in said and said in words_of(one)
    assert f"{capitalised(said)}." in page_of("kernlearn compare", [one], {}, None, "")
    assert no_better(comparison(NOISY, SIMPLE)) == ""


def test_scores_that_all_agree_have_no_interval():
    one = comparison(NOISY, [46.0] * 5)
    headers, rows = table_of(one)
    intervals = {row[1]: row[headers.index("95 % interval")] for row in rows}
    assert intervals[MEAN] == "" and " to " in intervals["krr"]
    assert "there is none where all test parts agree" in page_of("kernlearn compare", [one], {}, None, "")


def test_a_method_that_is_worse_by_the_same_amount_in_every_part_has_no_test():
    """0.00 (0.00) against 41.67 (0.00): neither a p-value, nor words that a test distinguishes them or does not."""
    one = comparison([0.0] * 5, [41.67] * 5)
    headers, rows = table_of(one)
    assert rows[1][headers.index("against the best")] == "no test"
    said = f"no test compares {MEAN} with krr: all test parts agree, so a test has nothing to go by"
    assert words_of(one)[:2] == ["krr is best", said] and "optimistic" in words_of(one)[2]
    assert to_distinguish(one) == nothing_learnt(one) == no_better(one) == ""
    assert f"{capitalised(said)}." in page_of("kernlearn compare", [one], {}, None, "")
    row = one.ranking()[1]
    assert row["p_holm"] == "" and row["not_distinguished_from_best"] is True


def test_equally_good_methods_are_the_best_together():
    one = comparison(SIMPLE, SIMPLE)
    headers, rows = table_of(one)
    assert [row[headers.index("against the best")] for row in rows] == ["best", "same scores"]
    assert words_of(one) == [
        f"krr and {MEAN} are equally good and best",
        f"no method does better than the {MEAN} (46.60), which learns nothing from the columns: the best of them, krr, "
        "has 46.60",
        f"{MEAN} has the same scores as krr in every test part",
    ]


def test_the_test_rows_picked_all_that_are_best():
    rows = [list(one.rows) for one in comparison(SIMPLE, SIMPLE).measured]
    measured = [Measured(name, METHOD, rows[0]) for name in ("krr", "vkr")] + [Measured(MEAN, BASELINE, rows[1])]
    worse = Measured("ridge", METHOD, comparison(NOISY, [50.0, 47.0, 50.0, 48.5, 46.0]).measured[1].rows)
    data = comparison(SIMPLE, SIMPLE).data
    said = words_of(Comparison(data, "regression", "nested5x5", "standard", "rmse", [*measured, worse]))
    best = f"krr, vkr and {MEAN}"
    assert said[0] == f"{best} are equally good and best; no other method can be distinguished from krr"
    assert (
        said[-1]
        == f"the test rows picked {best} as the best of 4 (1 of them baselines), so their scores here are optimistic"
    )


@pytest.mark.parametrize(("n_seeds", "seeds"), [(1, "range(0,10)"), (3, "range(0,10)"), (10, "")])
def test_more_seeds_are_advised_until_they_hardly_help(n_seeds, seeds):
    assert further_seeds(comparison(NOISY, SIMPLE, n_seeds)) == seeds
