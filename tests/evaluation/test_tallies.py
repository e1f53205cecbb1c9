"""Precision, recall and F1 of labels, against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_recall_fscore_support

from kernlearn.datasets.core.chains import chains_of
from kernlearn.evaluation.metrics import label_f1_pct, sequence_error_pct
from kernlearn.evaluation.tallies import added, macro_f1_pct, read, tallied, to_text


def labels(seed, n=40, k=5):
    rng = np.random.default_rng(seed)
    return rng.integers(0, k - 1, n), rng.integers(1, k, n)  # one label is never predicted, another never true


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_scikit_learn(seed):
    y, predicted = labels(seed)
    kept = read(to_text(tallied(y, predicted, 5)))
    columns = precision_recall_fscore_support(y, predicted, labels=range(5), zero_division=np.nan)[:3]
    for label in range(5):
        np.testing.assert_allclose(kept.scores(label), [100 * column[label] for column in columns])
    there = np.unique(y)
    chains = chains_of([10, 30], y)
    assert label_f1_pct(chains, predicted) == pytest.approx(100 * f1_score(y, predicted, labels=there, average="macro"))
    assert macro_f1_pct(y, predicted) == pytest.approx(100 * f1_score(y, predicted, average="macro"))


def test_tallies_of_parts_add_up():
    y, predicted = labels(0)
    parts = [tallied(y[rows], predicted[rows], 5) for rows in (slice(0, 13), slice(13, None))]
    for one, other in zip(added(parts), tallied(y, predicted, 5), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_sequence_is_wrong_where_one_label_is():
    y = chains_of([1, 2, 3], np.array([0, 1, 1, 2, 0, 1]))
    assert sequence_error_pct(y, y.values) == 0
    assert sequence_error_pct(y, np.array([0, 1, 0, 2, 0, 1])) == pytest.approx(100 / 3)
    assert sequence_error_pct(y, y.values + 1) == 100
