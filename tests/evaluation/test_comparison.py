"""Places on one data set, mean ranks over several, and groups of methods that are alike."""

from itertools import combinations
from math import isnan, nan, sqrt

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from kernlearn.evaluation.comparison import LEVEL, against_baseline, cliques, ranks_over, standings
from kernlearn.evaluation.metrics import log_loss
from kernlearn.evaluation.significance import corrected_interval, corrected_resampled_t

#: The areas under the ROC curve of four variants of C4.5 on 14 data sets: Demsar (2006), table 6. On voting the printed
#: ranks of two areas that are equal as printed, 0.975, are 2 and 3.
DEMSAR = """
0.763 0.768 0.771 0.798
0.599 0.591 0.590 0.569
0.954 0.971 0.968 0.967
0.628 0.661 0.654 0.657
0.882 0.888 0.886 0.898
0.936 0.931 0.916 0.931
0.661 0.668 0.609 0.685
0.583 0.583 0.563 0.625
0.775 0.838 0.866 0.875
1.000 1.000 1.000 1.000
0.940 0.962 0.965 0.962
0.619 0.666 0.614 0.669
0.972 0.981 0.97501 0.975
0.957 0.978 0.946 0.970
"""
AREAS = np.array([line.split() for line in DEMSAR.split("\n") if line], dtype=float)


def test_mean_ranks_and_the_critical_difference_are_those_of_demsar():
    ranks = ranks_over(-AREAS)
    assert ranks.mean == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert ranks.critical_difference == pytest.approx(1.25, abs=5e-3)
    assert ranks_over(-AREAS, level=0.1).critical_difference == pytest.approx(1.12, abs=5e-3)


def test_friedmans_statistic_is_that_of_demsar_without_his_neglect_of_ties():
    # 9.28 is printed. Equal areas, groups of 4, 2, 2 and 2 of them, enlarge it by 1 / (1 - 78 / 840).
    n, k, chi2 = *AREAS.shape, 9.28 / (1 - 78 / 840)
    F = (n - 1) * chi2 / (n * (k - 1) - chi2)
    assert ranks_over(-AREAS).p_value == pytest.approx(stats.f.sf(F, k - 1, (k - 1) * (n - 1)), rel=1e-2)


def test_ranks_and_tests_do_not_depend_on_units_or_on_the_order_of_methods():
    ranks, order = ranks_over(-AREAS), [2, 0, 3, 1]
    other = ranks_over(1000.0 - 7.0 * AREAS[:, order])
    assert other.mean == pytest.approx(ranks.mean[order]) and other.p_value == pytest.approx(ranks.p_value)


def test_of_equal_methods_nothing_is_told_apart():
    ranks = ranks_over(np.ones((5, 4)))
    assert ranks.p_value == 1.0 and ranks.mean.tolist() == [2.5] * 4
    assert cliques(ranks.mean, ranks.critical_difference) == [[0, 1, 2, 3]]


def test_a_constant_order_is_significant():
    ranks = ranks_over(np.tile([1.0, 2.0, 3.0], (10, 1)))
    assert ranks.p_value == 0.0 and ranks.mean.tolist() == [1.0, 2.0, 3.0]


def test_demsars_groups():
    ranks = ranks_over(-AREAS)  # the best and the worst differ by 1.18, less than 1.25
    assert cliques(ranks.mean, ranks.critical_difference) == [[3, 1, 2, 0]]
    narrow = ranks_over(-AREAS, level=0.1)  # now C4.5 differs from C4.5+m+cf and C4.5+m
    assert cliques(narrow.mean, narrow.critical_difference) == [[3, 1, 2], [2, 0]]


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_the_largest_cliques(seed):
    """Of all subsets of methods whose ranks are pairwise close, those that are in no other one."""
    rng = np.random.default_rng(seed)
    mean = np.round(rng.uniform(1, 7, 7), 1)  # some are equal
    close = [
        set(some)
        for size in range(2, 8)
        for some in combinations(range(7), size)
        if all(abs(mean[i] - mean[j]) < 1.5 for i, j in combinations(some, 2))
    ]
    largest = [group for group in close if not any(group < other for other in close)]
    found = cliques(mean, 1.5)
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))
    assert all(mean[group].tolist() == sorted(mean[group]) for group in found)


def test_nemenyi_agrees_with_scikit_posthocs():
    posthocs = pytest.importorskip("scikit_posthocs")
    ranks, p = ranks_over(-AREAS), posthocs.posthoc_nemenyi_friedman(AREAS).to_numpy()
    for i, j in combinations(range(4), 2):
        assert (abs(ranks.mean[i] - ranks.mean[j]) < ranks.critical_difference) == (p[i, j] > LEVEL)


VALUES = {"a": [10.0, 11.0, 9.0, 10.5], "b": [20.0, 22.0, 19.0, 21.0], "c": [10.5, 10.0, 9.5, 12.0]}


def test_places_have_p_values_against_the_best_by_holm():
    first, second, third = standings(VALUES, "error_pct", 0.25)
    assert [first.name, second.name, third.name] == ["a", "c", "b"] and (first.rank, third.rank) == (1, 3)
    raw = {name: corrected_resampled_t(np.subtract(VALUES[name], VALUES["a"]), 0.25) for name in "bc"}
    assert raw["b"] < raw["c"]
    assert third.p_value == pytest.approx(2 * raw["b"]) and second.p_value == pytest.approx(raw["c"])
    assert isnan(first.p_value) and first.tied and second.tied and not third.tied


def test_a_larger_value_is_better_of_some_metrics():
    assert [place.name for place in standings(VALUES, "auc", 0.25)] == ["b", "c", "a"]


def test_equal_means_share_a_rank_and_splits_without_a_value_are_left_out():
    places = standings({"a": [1.0, 3.0], "b": [3.0, 1.0], "c": [nan, nan]}, "rmse", 0.25)
    assert [place.rank for place in places] == [1, 1, 3] and isnan(places[2].mean) and places[2].tied


def test_means_that_differ_by_rounding_share_a_rank():
    places = standings({"a": [0.1 + 0.2, 0.3], "b": [0.3, 0.3], "c": [0.4, 0.4]}, "rmse", 0.25)
    assert [place.rank for place in places] == [1, 1, 3]
    assert ranks_over(np.array([[0.1 + 0.2, 0.3, 1.0], [0.5, 0.5, 0.6]])).mean.tolist() == [1.5, 1.5, 3.0]


def test_methods_that_share_the_first_rank_are_ties():
    best, other = [1.0, 2.0, 3.0, 4.0, 5.0], [value + 1e-14 for value in (1.0, 2.0, 3.0, 4.0, 5.0)]
    found = standings({"a": best, "b": other}, "rmse", 0.25)
    assert [(one.rank, one.tied) for one in found] == [(1, True), (1, True)] and found[1].p_value == 1.0


def test_the_interval_belongs_to_the_test():
    values, ratio = [3.0, 5.0, 4.0, 6.0, 2.0], 0.25
    low, high = corrected_interval(values, ratio)
    assert (low + high) / 2 == pytest.approx(4.0)
    assert high - low == pytest.approx(2 * stats.t.ppf(0.975, 4) * sqrt((1 / 5 + ratio) * 2.5))
    for end in (low, high):  # a mean at an end is just significantly different
        assert corrected_resampled_t([value - end for value in values], ratio) == pytest.approx(0.05)


def test_log_loss_is_that_of_the_true_class():
    probabilities = np.array([[0.5, 0.9], [0.25, 0.05], [0.25, 0.05]])  # of three classes
    assert log_loss(np.array([0, 1]), probabilities) == pytest.approx(-(np.log(0.5) + np.log(0.05)) / 2)
    certain = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert log_loss(np.array([1, 1]), certain) == pytest.approx(metrics.log_loss([1, 1], certain.T, labels=[0, 1]))


@pytest.mark.parametrize(
    ("metric", "scores", "ends"),
    [
        ("error_pct", [0.0, 0.0, 0.0, 9.0, 1.0], (0.0, None)),
        ("accuracy_pct", [100.0, 100.0, 100.0, 91.0, 99.0], (None, 100.0)),
        ("rmse", [0.0, 0.0, 0.0, 9.0, 1.0], (0.0, None)),
        ("r2", [1.0, 1.0, 1.0, -9.0, 0.9], (None, 1.0)),
        ("r2", [-5.0, -5.1, -5.3, -4.9, -5.2], (None, None)),
    ],
)
def test_an_interval_ends_where_the_range_of_the_metric_ends(metric, scores, ends):
    (place,) = standings({"a": scores}, metric, 0.25)
    t_interval = corrected_interval(scores, 0.25)
    assert (t_interval[0] < 0.0 or ends[0] is None) and (ends[1] is None or t_interval[1] > ends[1])
    expected = [other if end is None else end for end, other in zip(ends, t_interval, strict=True)]
    assert (place.low, place.high) == tuple(expected)


def test_a_method_with_one_split_has_no_interval():
    (place,) = standings({"a": [5.0]}, "error_pct", 0.25)
    assert isnan(place.low) and isnan(place.high)


def test_a_method_is_better_than_a_baseline_only_if_a_test_says_so():
    baseline = [50.0] * 5
    clear, noisy = [10.0, 11.0, 12.0, 10.0, 11.0], [30.0, 52.0, 20.0, 49.0, 25.0]
    found = against_baseline(clear, baseline, "error_pct", 0.25)
    assert found.is_distinguished and found.doubt == ""
    assert found.p_value == pytest.approx(corrected_resampled_t([x - 50 for x in clear], 0.25))
    found = against_baseline(noisy, baseline, "error_pct", 0.25)
    assert (
        found.better and not found.is_distinguished and "does not distinguish the method from a baseline" in found.doubt
    )
    assert "no better than a baseline" in against_baseline(baseline, baseline, "error_pct", 0.25).doubt
    assert "no better than a baseline" in against_baseline(clear, baseline, "auc", 0.25).doubt
    one = against_baseline([10.0], [50.0], "error_pct", 0.25)
    assert one.better and np.isnan(one.p_value) and not one.is_distinguished and one.doubt == ""


def test_scores_that_selected_a_grid_point_are_tested_more_strictly():
    values, baseline = [30.0, 38.0, 28.0, 36.0, 31.0], [50.0] * 5
    one, many = (against_baseline(values, baseline, "error_pct", 0.25, n) for n in (1, 35))
    assert one.is_distinguished and not many.is_distinguished and many.p_value == pytest.approx(35 * one.p_value)


def test_a_method_that_is_worse_by_the_same_amount_everywhere_is_not_tested():
    """0.00 (0.00) against 41.67 (0.00): the t-test would divide by a deviation of 0."""
    best, constant, other = [0.0] * 5, [100 / 2.4] * 5, [4.0, 0.0, 8.0, 4.0, 0.0]
    places = {one.name: one for one in standings({"a": best, "b": constant, "c": other}, "error_pct", 0.25)}
    assert isnan(places["b"].p_value) and places["b"].agrees and places["b"].tied and places["b"].rank == 3
    raw = corrected_resampled_t(other, 0.25)
    assert places["c"].p_value == pytest.approx(raw) and not places["c"].agrees  # the only test, so Holm leaves it
    found = against_baseline(best, constant, "error_pct", 0.25)
    assert found.better and isnan(found.p_value) and not found.is_distinguished and found.doubt == ""
    shifted = standings({"a": VALUES["a"], "b": [value + 8.1 for value in VALUES["a"]]}, "error_pct", 0.25)[1]
    assert shifted.agrees  # but for rounding


def test_one_split_or_equal_scores_do_not_count_as_agreement():
    one, same = (
        standings({"a": [1.0], "b": [2.0]}, "rmse", 0.25),
        standings({"a": [1.0] * 3, "b": [1.0] * 3}, "rmse", 0),
    )
    assert not one[1].agrees and not same[1].agrees and same[1].equal and same[1].p_value == 1.0
