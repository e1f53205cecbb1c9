"""Pictures of predictions: confusion matrix, ROC and precision-recall curves, calibration, and residuals."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import numpy as np

from kernlearn.evaluation.intervals import exact_interval
from kernlearn.evaluation.metrics import auc, mae, rmse
from kernlearn.report.plots.outputs import Outputs
from kernlearn.report.plots.picture import Axis, Curves, Grid, Picture, Series
from kernlearn.report.plots.stored import Lacking, mean_and_std
from kernlearn.runner.engines.timing import counted
from kernlearn.types import Array, Index

#: Classes with a curve of their own in one picture.
_MOST_CURVES = 6
#: Places at which the curves of splits are averaged, and bins of a calibration curve.
_PLACES, _BINS = 201, 10
_RATE = (0.0, 1.0)
#: Why a run or a model lacks pictures.
ONLY_VOTES = "it has no decision values, only votes or predicted classes"
TWO_CLASSES = "it is drawn for two classes, or for probabilities"


def confusion(outputs: Outputs) -> list[Picture]:
    """Return the confusion matrix: the rows of every true class by predicted class."""
    _require_classes(outputs)
    k, n = len(outputs.classes), len(outputs.truth)
    counts = np.zeros((k, k), dtype=np.int64)
    np.add.at(counts, (outputs.truth.astype(int), outputs.predicted.astype(int)), 1)
    sizes = counts.sum(axis=1, keepdims=True)
    shares = np.where(sizes > 0, 100.0 * counts / np.maximum(sizes, 1), np.nan)
    right = int(np.trace(counts))
    wrong = counts - np.diag(np.diag(counts))
    words = f"{right} of {n} {outputs.examples} are predicted correctly ({100.0 * right / max(n, 1):.1f} %)."
    if wrong.any():
        i, j = divmod(int(wrong.argmax()), k)
        count, true, other = int(wrong[i, j]), outputs.classes[i], outputs.classes[j]
        others = int((wrong == count).sum()) - 1
        error = f"class {other} is predicted for {counted(count, 'example')} of class {true}"
        if others:
            words += f" One of the {others + 1} most frequent errors: {error}."
        else:
            words += f" The most frequent error: {error}."
    names = list(outputs.classes)
    return [
        Grid(
            "confusion",
            f"Confusion matrix: {outputs.title}",
            Axis("predicted class", names=names),
            Axis("true class", names=names),
            shares.tolist(),
            [[str(count) for count in row] for row in counts.tolist()],
            "% of the true class",
            limits=(0.0, 100.0),
            words=words,
        )
    ]


def _require_classes(outputs: Outputs) -> None:
    if outputs.is_regression:
        raise Lacking("its targets are numbers, not classes")


def _require_decision(outputs: Outputs) -> None:
    _require_classes(outputs)
    if not len(outputs.decision):
        raise Lacking(ONLY_VOTES)


def _curves_of(outputs: Outputs) -> list[int]:
    """Return the classes that have a curve: of two classes the second, which is the positive one."""
    return [1] if len(outputs.classes) == 2 else list(range(len(outputs.classes)))


def roc(outputs: Outputs) -> list[Picture]:
    """Return the ROC curve of the second class, or of every class against the others."""
    _require_decision(outputs)
    areas, series = dict[int, list[float]](), dict[int, Series]()
    places = np.linspace(0.0, 1.0, _PLACES)
    for number in _curves_of(outputs):
        curves, values = [], []
        for truth, scores in _each(outputs, number):
            values.append(auc(truth, scores) / 100.0)
            curves.append(roc_points(truth, scores))
        if not curves:
            continue
        areas[number] = values
        name = f"{outputs.classes[number]}: area {_mean_std(values)}"
        if len(curves) == 1:
            series[number] = Series(name, *(part.tolist() for part in curves[0]))
        else:
            # The curves of splits are averaged at the same false positive rates.
            heights = np.array([_at(places, x, y) for x, y in curves])
            series[number] = _averaged(name, places, heights, outputs)
    shown = _shown(areas)
    words = _words_of_areas(outputs, areas, "area under the ROC curve", shown)
    chance = Series("chance", [0.0, 1.0], [0.0, 1.0], reference=True)
    x, y = Axis("false positive rate", limits=_RATE), Axis("true positive rate", limits=_RATE)
    title = f"ROC curve: {outputs.title}"
    return [Curves("roc", title, x, y, [*(series[number] for number in shown), chance], words=words)]


def _shown(areas: Mapping[int, Sequence[float]]) -> list[int]:
    """Return the classes that are shown: of many, those with the smallest areas.

    Raises `Lacking` if there is none.
    """
    if not areas:
        raise Lacking("no test part has examples of more than one class")
    return sorted(sorted(areas, key=lambda c: fmean(areas[c]))[:_MOST_CURVES])


def _each(outputs: Outputs, number: int) -> list[tuple[Array, Array]]:
    """Return 1 for the examples of a class, 0 for others, with their outputs, of each split that has both."""
    found = []
    for part in outputs.each_part():
        truth, scores = (outputs.truth[part] == number).astype(float), outputs.scores_of_class(number)[part]
        if 0 < truth.sum() < len(truth):
            found.append((truth, scores))
    return found


def _mean_std(values: Sequence[float]) -> str:
    mean, std = mean_and_std(values)
    return f"{mean:.3f}" + (f" ({std:.3f})" if len(values) > 1 else "")


def _averaged(name: str, places: Array, heights: Array, outputs: Outputs) -> Series:
    mean, std = heights.mean(axis=0), heights.std(axis=0, ddof=1)
    alone = len(_curves_of(outputs)) == 1
    low, high = (np.clip(mean + sign * std, 0.0, 1.0).tolist() if alone else () for sign in (-1, 1))
    return Series(name, places.tolist(), mean.tolist(), low, high)


def _words_of_areas(outputs: Outputs, areas: Mapping[int, Sequence[float]], what: str, shown: Sequence[int]) -> str:
    """Return the areas in words, and over how many splits they are: a split without the class has none."""
    n, counts = len(set(outputs.parts.tolist())), sorted({len(values) for values in areas.values()})
    over = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
    many = f"mean over {over}{f' of {n}' if counts != [n] else ''} splits"
    many = many if n > 1 else f"{len(outputs.truth)} {outputs.examples}"
    worst, best = (pick(areas, key=lambda c: fmean(areas[c])) for pick in (min, max))
    if len(areas) == 1:
        words = f"The {what} of class {outputs.classes[best]} is {fmean(areas[best]):.3f} ({many})."
    else:
        words = (
            f"Every class against all others. The {what} is largest for class {outputs.classes[best]} "
            f"({fmean(areas[best]):.3f}) and smallest for {outputs.classes[worst]} ({fmean(areas[worst]):.3f}; {many})."
        )
    if len(shown) < len(areas):
        words += f" The {len(shown)} classes with the smallest areas of {len(areas)} are shown."
    if counts[-1] > 1 and len(areas) == 1:
        words += " Shaded: plus and minus one standard deviation over the splits."
    return words


def roc_points(truth: Array, scores: Array) -> tuple[Array, Array]:
    """Return false and true positive rates at all thresholds, from (0, 0) to (1, 1).

    Parameters
    ----------
    truth : array of shape (n,)
        1 for positive examples, 0 for negative ones; both occur.
    scores : array of shape (n,)
        Large for positive examples. Examples with equal scores share a threshold.
    """
    positive, negative = _counted(truth, scores)
    zero = np.zeros(1)
    return (
        np.concatenate([zero, negative / negative[-1]]),
        np.concatenate([zero, positive / positive[-1]]),
    )


def _counted(truth: Array, scores: Array) -> tuple[Array, Array]:
    """Return how many positive and negative examples have at least the score of every threshold, the largest first."""
    order = np.argsort(-scores, kind="stable")
    truth, scores = truth[order], scores[order]
    last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    positive = np.cumsum(truth)[last]
    return positive, last + 1.0 - positive


def _at(places: Array, x: Array, y: Array) -> Array:
    """Return the height of a ROC curve at false positive rates: at a vertical part its upper end."""
    right = np.interp(places, x, y)
    last = np.searchsorted(x, places, side="right") - 1
    exact = x[last] == places
    return np.where(exact, y[last], right)


def precision_recall(outputs: Outputs) -> list[Picture]:
    """Return precision against recall of the second class, or of every class against the others."""
    _require_decision(outputs)
    areas, series, share = dict[int, list[float]](), dict[int, Series](), dict[int, float]()
    places = np.linspace(0.0, 1.0, _PLACES)[1:]
    for number in _curves_of(outputs):
        curves, values, shares = [], [], []
        for truth, scores in _each(outputs, number):
            shares.append(float(truth.mean()))
            recall, precision = precision_recall_points(truth, scores)
            curves.append((recall, precision))
            values.append(average_precision(recall, precision))
        if not curves:
            continue
        areas[number] = values
        share[number] = fmean(shares)  # of the splits whose mean is shown
        name = f"{outputs.classes[number]}: average precision {_mean_std(values)}"
        if len(curves) == 1:
            recall, precision = curves[0]
            series[number] = Series(name, recall.tolist(), precision.tolist())
        else:
            # Of each split, the precision at the first threshold that reaches the recall.
            heights = np.array([y[np.searchsorted(x, places - 1e-12)] for x, y in curves])
            series[number] = _averaged(name, places, heights, outputs)
    shown = _shown(areas)
    words = _words_of_areas(outputs, areas, "average precision", shown)
    lines = [series[number] for number in shown]
    if len(areas) == 1:
        level = share[shown[0]]
        lines.append(Series(f"chance: the share of the class, {level:.3f}", [0.0, 1.0], [level, level], reference=True))
    x, y = Axis("recall", limits=_RATE), Axis("precision", limits=_RATE)
    return [Curves("precision-recall", f"Precision and recall: {outputs.title}", x, y, lines, words=words)]


def precision_recall_points(truth: Array, scores: Array) -> tuple[Array, Array]:
    """Return recall and precision at all thresholds, the largest threshold first; see `roc_points`."""
    positive, negative = _counted(truth, scores)
    return positive / positive[-1], positive / (positive + negative)


def average_precision(recall: Array, precision: Array) -> float:
    """Return ``sum_k (recall_k - recall_{k-1}) precision_k``, as scikit-learn's ``average_precision_score``."""
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


def calibration(outputs: Outputs) -> list[Picture]:
    """Return how often a class occurs where its probability, or its decision value, has some size."""
    _require_classes(outputs)
    if outputs.probabilities is not None:
        return [_of_probabilities(outputs)]
    _require_decision(outputs)
    if len(outputs.classes) > 2:
        raise Lacking(TWO_CLASSES)
    name, scores = outputs.classes[1], outputs.scores_of_class(1)
    order = np.argsort(scores, kind="stable")
    bins = [part for part in np.array_split(order, min(_BINS, len(order))) if len(part)]
    series = _binned(f"{len(bins)} equal groups of rows", scores, outputs.truth == 1, bins)
    words = (
        f"Rows are grouped by their decision value. The share of class {name} in a group has its 95 % interval "
        f"(Clopper-Pearson). {_rising(series)}"
    )
    title = f"Calibration of decision values: {outputs.title}"
    x, y = Axis("decision value, mean of the group"), Axis(f"share of class {name}", limits=_RATE)
    half = Series("decision value 0", [0.0, 0.0], [0.0, 1.0], reference=True)
    return [Curves("calibration", title, x, y, [series, half], words=words)]


def _rising(series: Series) -> str:
    falls = sum(later < earlier for earlier, later in zip(series.y, series.y[1:], strict=False))
    if not falls:
        return "The share never falls with the decision value."
    return f"The share falls {'once' if falls == 1 else f'{falls} times'} from one group to the next."


def _of_probabilities(outputs: Outputs) -> Picture:
    assert outputs.probabilities is not None
    shown = _curves_of(outputs)[:_MOST_CURVES]
    lines, distance = [], 0.0
    edges = np.linspace(0.0, 1.0, _BINS + 1)
    for number in shown:
        p, truth = outputs.probabilities[number], outputs.truth == number
        of_bin = np.searchsorted(edges[1:-1], p)
        bins = [np.flatnonzero(of_bin == i) for i in range(_BINS)]
        bins = [part for part in bins if len(part)]
        lines.append(_binned(outputs.classes[number], p, truth, bins, style="line and points"))
        far = sum(len(part) * abs(float(p[part].mean() - truth[part].mean())) for part in bins) / len(p)
        distance = max(distance, far)
    words = (
        f"Rows are grouped by the predicted probability, in {_BINS} equal intervals. On the diagonal, probabilities "
        f"are right. Weighted by the number of rows, the mean distance from it is {distance:.3f}"
        f"{' or less' * (len(shown) > 1)}."
    )
    diagonal = Series("right probabilities", [0.0, 1.0], [0.0, 1.0], reference=True)
    x, y = Axis("predicted probability, mean of the group", limits=_RATE), Axis("share of the class", limits=_RATE)
    return Curves("calibration", f"Calibration: {outputs.title}", x, y, [*lines, diagonal], words=words)


def _binned(name: str, scores: Array, truth: Array, bins: Sequence[Index], style: str = "points") -> Series:
    ends = [exact_interval(int(truth[part].sum()), len(part)) for part in bins]
    x, y = [float(scores[part].mean()) for part in bins], [float(truth[part].mean()) for part in bins]
    if style == "points":
        return Series(name, x, y, [low for low, _ in ends], [high for _, high in ends], style="points")
    return Series(name, x, y, style="line and points")


def residuals(outputs: Outputs) -> list[Picture]:
    """Return predicted against true values, and the differences, of a regression."""
    if not outputs.is_regression:
        raise Lacking("its targets are classes, not numbers")
    truth, predicted = outputs.truth, outputs.predicted
    rest = truth - predicted
    low, high = float(min(truth.min(), predicted.min())), float(max(truth.max(), predicted.max()))
    room = 0.04 * (high - low) or 1.0
    limits = (low - room, high + room)
    n, worst = len(truth), int(np.abs(rest).argmax())
    together = "over all rows together (scores of a run are means over its test parts), "
    scores = f"RMSE {rmse(truth, predicted):.4g}, mean absolute error {mae(truth, predicted):.4g}"
    words = f"{n} {outputs.examples}: {together * bool(outputs.parts.any())}{scores}."
    points = Series("one row", predicted.tolist(), truth.tolist(), style="points")
    diagonal = Series("equal", [low, high], [low, high], reference=True)
    spread = Series("one row", predicted.tolist(), rest.tolist(), style="points")
    zero = Series("no difference", [float(predicted.min()), float(predicted.max())], [0.0, 0.0], reference=True)
    said = (
        f"The mean difference is {rest.mean():.3g}, the largest {rest[worst]:.4g} (true {truth[worst]:.4g}, predicted "
        f"{predicted[worst]:.4g})."
    )
    return [
        Curves(
            "residuals",
            f"True against predicted values: {outputs.title}",
            Axis("predicted value", limits=limits),
            Axis("true value", limits=limits),
            [points, diagonal],
            words=words,
        ),
        Curves(
            "residuals",
            f"Residuals: {outputs.title}",
            Axis("predicted value"),
            Axis("true minus predicted value"),
            [spread, zero],
            words=said,
        ),
    ]


#: What makes the pictures of predictions, by kind.
OF_OUTPUTS: dict[str, Callable[[Outputs], list[Picture]]] = {
    "confusion": confusion,
    "roc": roc,
    "precision-recall": precision_recall,
    "calibration": calibration,
    "residuals": residuals,
}
#: The one that is for a regression; the others are for classes.
OF_REALS = "residuals"
#: Those that need decision values.
OF_DECISIONS = ("roc", "precision-recall", "calibration")


def lacking(name: str, n_classes: int, *, votes: bool) -> str:
    """Return why there can be no picture of outputs that are not computed yet; empty if there can be one.

    Parameters
    ----------
    name : str
        A key of `OF_OUTPUTS`.
    n_classes : int
        0 for a regression.
    votes : bool
        Whether pairs of classes vote, so that there are no decision values.
    """
    if (name == OF_REALS) != (n_classes == 0):
        return f"its targets are {'classes, not numbers' if n_classes else 'numbers, not classes'}"
    if votes and name in OF_DECISIONS:
        return ONLY_VOTES
    return TWO_CLASSES if name == "calibration" and n_classes > 2 else ""
