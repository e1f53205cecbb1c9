"""Pictures of predictions, against scikit-learn."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    mean_absolute_error,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
    root_mean_squared_error,
)

from kernlearn.report.plots.of_outputs import (
    average_precision,
    calibration,
    confusion,
    precision_recall,
    precision_recall_points,
    residuals,
    roc,
    roc_points,
)
from kernlearn.report.plots.outputs import Outputs
from kernlearn.report.plots.stored import Lacking


def outputs(n=200, k=2, parts=1, seed=0, ties=False, **more):
    """Return noisy predictions of k classes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    decision = rng.normal(size=(k, n)) + 1.5 * (np.arange(k)[:, None] == truth)
    decision = decision[1:] - decision[:1] if k == 2 else decision
    decision = np.round(decision) if ties else decision
    predicted = (decision[0] > 0).astype(int) if k == 2 else decision.argmax(axis=0)
    names = [f"class {i}" for i in range(k)]
    return Outputs("m on d", "test rows", names, truth, predicted, decision, np.arange(n) % parts, **more)


def regression(n=100, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    return Outputs("m on d", "rows", [], truth, truth + 0.1 * rng.normal(size=n), np.zeros((0, n)), np.zeros(n, int))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_curves_are_those_of_scikit_learn(ties, seed):
    found = outputs(ties=ties, seed=seed)
    truth, scores = found.truth.astype(float), found.decision[0]
    x, y, _ = roc_curve(truth, scores, drop_intermediate=False)
    np.testing.assert_allclose(roc_points(truth, scores), [x, y], atol=1e-15)
    precision, recall, _ = precision_recall_curve(truth, scores)
    mine = precision_recall_points(truth, scores)
    np.testing.assert_allclose(mine, [recall[-2::-1], precision[-2::-1]], atol=1e-15)
    assert average_precision(*mine) == pytest.approx(average_precision_score(truth, scores), abs=1e-14)


def test_the_picture_of_one_model_has_the_whole_curve():
    found = outputs()
    (picture,) = roc(found)
    curve, chance = picture.series
    x, y, _ = roc_curve(found.truth, found.decision[0], drop_intermediate=False)
    np.testing.assert_allclose([curve.x, curve.y], [x, y], atol=1e-15)
    area = roc_auc_score(found.truth, found.decision[0])
    assert curve.name == f"class 1: area {area:.3f}" and f"{area:.3f}" in picture.words and chance.reference
    (picture,) = precision_recall(found)
    assert f"{average_precision_score(found.truth, found.decision[0]):.3f}" in picture.series[0].name
    assert picture.series[1].y == [found.truth.mean()] * 2


@pytest.mark.parametrize("ties", [False, True])
def test_curves_of_splits_are_averaged_at_the_same_rates(ties):
    found = outputs(parts=4, ties=ties)
    (picture,) = roc(found)
    curve = picture.series[0]
    each = [(found.truth[part], found.decision[0][part]) for part in found.each_part()]
    for x in (0.0, 0.1, 0.5, 1.0):
        heights = []
        for truth, scores in each:
            a, b, _ = roc_curve(truth, scores, drop_intermediate=False)
            heights.append(b[a == x].max() if (a == x).any() else np.interp(x, a, b))
        i = int(np.argmin(np.abs(np.array(curve.x) - x)))
        assert curve.y[i] == pytest.approx(np.mean(heights), abs=1e-12)
        assert curve.high[i] == pytest.approx(min(1.0, np.mean(heights) + np.std(heights, ddof=1)), abs=1e-12)
    areas = [roc_auc_score(*one) for one in each]
    assert curve.name == f"class 1: area {np.mean(areas):.3f} ({np.std(areas, ddof=1):.3f})"
    (picture,) = precision_recall(found)
    curve = picture.series[0]
    for recall in (0.1, 0.55, 1.0):
        precisions = []
        for truth, scores in each:
            p, r, _ = precision_recall_curve(truth, scores)
            precisions.append(p[:-1][r[:-1] >= recall - 1e-12][-1])  # at the largest threshold that reaches it
        i = int(np.argmin(np.abs(np.array(curve.x) - recall)))
        assert curve.y[i] == pytest.approx(np.mean(precisions), abs=1e-12)


def test_each_of_several_classes_has_a_curve_against_all_others():
    found = outputs(k=3)
    (picture,) = roc(found)
    for number, curve in enumerate(picture.series[:3]):
        area = roc_auc_score(found.truth == number, found.decision[number])
        assert curve.name == f"class {number}: area {area:.3f}"
    (picture,) = roc(outputs(n=2000, k=20))
    assert len(picture.series) == 7 and "The 6 classes with the smallest areas of 20 are shown." in picture.words


@pytest.mark.parametrize("k", [2, 3, 50])
def test_the_confusion_matrix_is_that_of_scikit_learn(k):
    found = outputs(n=500, k=k)
    (picture,) = confusion(found)
    counts = confusion_matrix(found.truth, found.predicted, labels=np.arange(k))
    assert [[int(text) for text in row] for row in picture.shown] == counts.tolist()
    shares = 100 * confusion_matrix(found.truth, found.predicted, labels=np.arange(k), normalize="true")
    np.testing.assert_allclose(picture.values, shares, atol=1e-12)
    assert picture.words.startswith(f"{np.trace(counts)} of 500 test rows are predicted correctly")


def test_a_class_without_examples_has_no_shares():
    found = outputs(k=3)
    bare = Outputs(**{**vars(found), "truth": np.where(found.truth == 2, 1, found.truth)})
    (picture,) = confusion(bare)
    assert np.isnan(picture.values[2]).all() and picture.shown[2] == ["0", "0", "0"]
    (picture,) = roc(bare)
    assert [curve.name.split(":")[0] for curve in picture.series] == ["class 0", "class 1", "chance"]


def test_calibration_of_probabilities_is_that_of_scikit_learn():
    found = outputs(n=1000)
    p = 1 / (1 + np.exp(-found.decision[0]))
    (picture,) = calibration(outputs(n=1000, probabilities=np.array([1 - p, p])))
    curve, diagonal = picture.series
    share, mean = calibration_curve(found.truth, p, n_bins=10)
    np.testing.assert_allclose([curve.y, curve.x], [share, mean], atol=1e-12)
    assert diagonal.reference and diagonal.x == diagonal.y


def test_calibration_of_decision_values_is_by_equal_groups():
    found = outputs(n=203)
    (picture,) = calibration(found)
    curve = picture.series[0]
    groups = np.array_split(np.argsort(found.decision[0]), 10)
    np.testing.assert_allclose(curve.y, [found.truth[group].mean() for group in groups])
    np.testing.assert_allclose(curve.x, [found.decision[0][group].mean() for group in groups])
    interval = binomtest(int(found.truth[groups[3]].sum()), len(groups[3])).proportion_ci(0.95, method="exact")
    assert (curve.low[3], curve.high[3]) == pytest.approx((interval.low, interval.high))


def test_residuals_are_true_minus_predicted():
    found = regression()
    fitted, rest = residuals(found)
    np.testing.assert_array_equal(fitted.series[0].y, found.truth)
    np.testing.assert_array_equal(rest.series[0].y, found.truth - found.predicted)
    rmse, mae = (score(found.truth, found.predicted) for score in (root_mean_squared_error, mean_absolute_error))
    assert f"RMSE {rmse:.4g}, mean absolute error {mae:.4g}" in fitted.words
    assert fitted.x.limits == fitted.y.limits and "together" not in fitted.words
    of_run = Outputs(**{**vars(found), "parts": np.arange(len(found.truth)) % 2})
    assert "over all rows together (scores of a run are means over its test parts), RMSE" in residuals(of_run)[0].words


@pytest.mark.parametrize(
    ("picture", "found", "reason"),
    [
        (confusion, regression(), "targets are numbers"),
        (roc, regression(), "targets are numbers"),
        (residuals, outputs(), "targets are classes"),
        (roc, Outputs(**{**vars(outputs()), "decision": np.zeros((0, 200))}), "no decision values"),
        (roc, Outputs(**{**vars(outputs()), "truth": np.zeros(200, int)}), "more than one class"),
        (calibration, outputs(k=3), "two classes"),
    ],
)
def test_what_cannot_be_drawn_has_a_reason(picture, found, reason):
    with pytest.raises(Lacking, match=reason):
        picture(found)


def rare(parts_with=(0, 1, 2), n=60, parts=5):
    """Return predictions whose second class has one example in each of some of five parts."""
    rng = np.random.default_rng(3)
    truth, at = np.zeros(n, dtype=int), np.arange(n) % parts
    for part in parts_with:
        truth[np.flatnonzero(at == part)[part]] = 1
    decision = rng.normal(size=(1, n)) + truth
    return Outputs("m on d", "test rows", ["usual", "rare"], truth, (decision[0] > 0).astype(int), decision, at)


def test_areas_are_over_the_splits_that_have_both_classes_and_say_so():
    found = rare()
    each = [(found.truth[part], found.decision[0][part]) for part in found.each_part() if found.truth[part].any()]
    assert len(each) == 3
    (picture,) = roc(found)
    area = np.mean([roc_auc_score(*one) for one in each])
    assert f"is {area:.3f} (mean over 3 of 5 splits)" in picture.words
    (picture,) = precision_recall(found)
    precision = np.mean([average_precision_score(*one) for one in each])
    assert f"is {precision:.3f} (mean over 3 of 5 splits)" in picture.words
    # A classifier that guesses has the share of the class on each of these splits: 1 of 12.
    assert picture.series[-1].y == pytest.approx([1 / 12] * 2) and "0.083" in picture.series[-1].name
    (picture,) = roc(rare(parts_with=(1,)))
    assert "(mean over 1 of 5 splits)" in picture.words and "Shaded" not in picture.words
    (picture,) = roc(rare(parts_with=range(5)))
    assert "(mean over 5 splits)" in picture.words


def test_equally_frequent_errors_are_not_called_the_most_frequent_one():
    truth, predicted = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 0, 0, 1, 2, 2])
    found = Outputs("m", "rows", list("abc"), truth, predicted, np.zeros((0, 6)), np.zeros(6, int))
    assert (
        "One of the 2 most frequent errors: class b is predicted for 1 example of class a." in confusion(found)[0].words
    )
    predicted[4] = 0
    predicted[5] = 0
    assert "The most frequent error: class a is predicted for 2 examples of class c." in confusion(found)[0].words
