from math import nan

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from kernlearn.evaluation.significance import corrected_resampled_t, holm, sign_test


def test_without_overlap_it_is_the_paired_t_test():
    differences = np.random.default_rng(0).normal(0.3, 1.0, 12)
    assert corrected_resampled_t(list(differences), 0.0) == pytest.approx(ttest_1samp(differences, 0.0).pvalue)


def test_overlap_makes_it_less_sure():
    differences = list(np.random.default_rng(0).normal(0.6, 1.0, 50))
    values = [corrected_resampled_t(differences, ratio) for ratio in (0.0, 1 / 3, 1.0)]
    assert values[0] < values[1] < values[2]


def test_it_keeps_its_level_where_the_plain_test_does_not():
    """Two equal methods measured by repeated 5-fold rotation: all partitions reuse the same 60 outcomes."""
    rng = np.random.default_rng(1)
    plain, corrected = 0, 0
    for _ in range(300):
        difference = rng.normal(size=60)  # of the losses of two methods, one an example: no effect
        folds = [np.array_split(rng.permutation(60), 5) for _ in range(10)]
        differences = [difference[fold].mean() for partition in folds for fold in partition]
        plain += ttest_1samp(differences, 0.0).pvalue < 0.05
        corrected += corrected_resampled_t(differences, 1 / 3) < 0.05
    assert plain / 300 > 0.15 and corrected / 300 < 0.08


@pytest.mark.parametrize(
    ("differences", "p"), [([0.0, 0.0, 0.0], 1.0), ([1.0, 1.0], nan), ([0.1 + 0.2, 0.3], nan), ([0.4], 1.0), ([], 1.0)]
)
def test_without_a_deviation_there_is_no_p_value(differences, p):
    assert corrected_resampled_t(differences, 0.3) == pytest.approx(p, nan_ok=True)


def test_holms_p_values_of_several_tests():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])  # R: p.adjust(p, "holm")
    assert holm([0.6, 0.7]) == [1.0, 1.0] and holm([]) == []
    assert holm([nan, 0.04, nan, 0.01]) == pytest.approx([nan, 0.04, nan, 0.02], nan_ok=True)  # two tests


def test_the_sign_test_counts_outcomes_at_least_as_uneven():
    from math import comb

    tail = 2 * sum(comb(10, k) for k in range(2)) / 2**10
    assert sign_test(9, 1) == pytest.approx(tail) and sign_test(1, 9) == sign_test(9, 1)
    assert sign_test(4, 4) == sign_test(0, 0) == 1.0
