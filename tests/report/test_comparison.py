"""What a comparison says of methods that a test does not distinguish."""

import pytest

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


def test_seeds_are_offered_only_where_infinitely_many_would_distinguish():
    """The same rows in many partitions: the test has a floor, the ratio of test to training rows."""
    noisy, clear = comparison(NOISY, SIMPLE), comparison([30.0, 20.0, 24.0, 35.0, 10.0], [44.0, 25.0, 30.0, 36.0, 31.0])
    for one, helps in ((noisy, True), (clear, True), (comparison(NOISY, [26.0] * 5), False)):
        place, many = one.standings[1], comparison(*(m.values("rmse")[:5] for m in one.measured), 2000).standings[1]
        assert place.tied and separable(place) == helps == (not many.tied)
        assert many.p_limit == pytest.approx(many.p_value, rel=0.03)
        assert ("seed=0,1,2" in to_distinguish(one)) == helps == ("only more rows" not in to_distinguish(one))


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


@pytest.mark.parametrize(("n_seeds", "seeds"), [(1, "0,1,2"), (3, "range(0,10)"), (10, "")])
def test_more_seeds_are_advised_until_they_hardly_help(n_seeds, seeds):
    assert further_seeds(comparison(NOISY, SIMPLE, n_seeds)) == seeds
