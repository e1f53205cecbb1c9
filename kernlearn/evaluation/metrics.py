"""What a predictor is measured by on a test part: scores of decision values, and how two measurements correlate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, inf, isfinite, isnan, log10, nan, sqrt
from statistics import fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.chains import Chains
from kernlearn.errors import UserError
from kernlearn.evaluation.rows import Row, number
from kernlearn.evaluation.tallies import Tallies, balanced_error, f1_pct, macro_f1, macro_f1_pct, tallied
from kernlearn.types import Array

#: Parts of the range of decision values, and of the largest, below which a difference is rounding.
SAME, ROUNDING = 1e-9, 1e-14
#: Above so many median distances from the median, a decision value does not count for the range.
FAR = 100.0


def error_pct(y: NDArray[Any], predicted: NDArray[Any]) -> float:
    """Return the percentage of examples that are not of the predicted class."""
    return 100.0 * int((predicted != y).sum()) / len(y)


def balanced_error_pct(y: NDArray[Any], predicted: NDArray[Any]) -> float:
    """Return the balanced error: the percentage of wrong predictions of each class, averaged over the classes in y.

    Classes are numbers from 0 on.

    Where a class is rare, predicting the others always gives a small error, but never a balanced one below
    ``100 (1 - 1/c)`` for the c classes that y has. Of one class alone there is nothing to balance: NaN.
    """
    return balanced_error(tallied(y.astype(np.intp), predicted.astype(np.intp)))


def sequence_error_pct(y: Chains, predicted: NDArray[Any]) -> float:
    """Return the percentage of sequences with a wrong label at one place at least."""
    return 100.0 * float(np.mean(np.logical_or.reduceat(predicted != y.values, y.starts[:-1])))


def label_f1_pct(y: Chains, predicted: NDArray[Any]) -> float:
    """Return the mean F1 of the labels that there are, in percent."""
    return f1_pct(y.values, predicted)


def log_loss(y: NDArray[Any], probabilities: Array) -> float:
    """Return the mean of minus the logarithm of the probability of the true class.

    As in scikit-learn's ``log_loss``, a probability of 0 counts as the smallest distance of two numbers near 1.

    Parameters
    ----------
    y : array of shape (n,)
        Class numbers.
    probabilities : array of shape (n_classes, n)
    """
    of_true = probabilities[y, np.arange(len(y))]
    return -float(np.mean(np.log(np.clip(of_true, np.finfo(np.float64).eps, 1.0))))


def expected_error_pct(y: NDArray[Any], votes: Array) -> float:
    """Return the percentage of errors to be expected with ties in votes, shape (n_classes, n), broken at random."""
    most = votes == votes.max(axis=0)
    return 100.0 * float(np.mean(1.0 - most[y, np.arange(len(y))] / most.sum(axis=0)))


def auc(y: Array, f: Array) -> float:
    """Return the area under the ROC curve in percent: how often a positive example has the larger value of a pair.

    Of equal values half a pair counts (Mann and Whitney): with midranks r, ``(sum_{y=1} r - n(n+1)/2) / (n m)``. Values
    that differ by rounding, `SAME` of their range, are equal. Where few values are far from all others, the range is
    that of the others (`_usual_range`). Of one class alone there are no pairs: NaN.
    """
    positive = y > 0
    n, m = int(positive.sum()), int((~positive).sum())
    if n == 0 or m == 0:
        return nan
    order = np.argsort(f)  # of equal values in any order: they have one place
    ordered, before = f[order], np.zeros(n + m + 1, dtype=np.intp)
    np.cumsum(positive[order], out=before[1:])  # positive ones before each
    apart = max(SAME * _usual_range(ordered), ROUNDING * max(-float(ordered[0]), float(ordered[-1])))
    starts = np.concatenate([[0], np.flatnonzero(ordered[1:] - ordered[:-1] > apart) + 1, [n + m]])
    midranks = 0.5 * (starts[:-1] + starts[1:] + 1)  # of values that are equal
    return 100.0 * float((midranks @ np.diff(before[starts]) - n * (n + 1) / 2) / (n * m))


def _usual_range(ordered: Array) -> float:
    """Return the range of sorted values, but at most `FAR` times their median distance from the median if it is not 0.

    Fewer than half of the values are nearer to the median than both quartiles are. So the median distance, which costs
    more than the rest, is needed only where a quartile is near.
    """
    n, size = len(ordered), float(ordered[-1] - ordered[0])
    middle = float(ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    if FAR * min(middle - float(ordered[n // 4]), float(ordered[n - 1 - n // 4]) - middle) >= size:
        return size
    distance = float(np.median(np.abs(ordered - middle)))
    return min(size, FAR * distance or np.inf)


def rmse(y: Array, f: Array) -> float:
    """Return the root mean squared error."""
    return float(np.sqrt(np.mean((y - f) ** 2)))


def mae(y: Array, f: Array) -> float:
    """Return the mean absolute error."""
    return float(np.mean(np.abs(y - f)))


def r2(y: Array, f: Array) -> float:
    """Return the coefficient of determination ``1 - sum (y - f)^2 / sum (y - mean y)^2``; NaN where all y are the same.

    The mean is that of y itself, as in scikit-learn's ``r2_score``.
    """
    if np.ptp(y) == 0:
        return nan
    unit = np.abs(y - y.mean()).max()  # squares of targets of any size
    return 1.0 - float(np.mean(((y - f) / unit) ** 2) / np.mean(((y - y.mean()) / unit) ** 2))


def correlation(a: Array, b: Array) -> float:
    """Return Pearson's correlation coefficient of two series, such as alignment and error over kernels.

    Raises `UserError` if one of the series is constant.

    References
    ----------
    Rostamizadeh (2010), table 2.1.
    """
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        raise UserError("a constant series has no correlation: use kernels that differ in alignment and error")
    x, z = np.asarray(a) - np.mean(a), np.asarray(b) - np.mean(b)
    return float(x @ z / (np.linalg.norm(x) * np.linalg.norm(z)))


@dataclass(frozen=True)
class Metric:
    """What is measured of a selected model on every split."""

    #: In tables, and of scores in ``select_by=``.
    name: str
    title: str
    #: One of "classes", "examples", "votes", "signs", "probabilities", "reals", "sequences", "": what it is a score of:
    #: predicted classes, those of single examples, votes for the classes, decision values for two classes,
    #: probabilities of classes, predicted values, or predicted labels of sequences; nothing for what is known of the
    #: solution itself.
    target: str = ""
    #: ``score(truth, predicted)`` of a part of the data, for scores that the rows have.
    score: Callable[[Any, NDArray[Any]], float] | None = None
    #: The same from the tallies of a part, for scores that follow from these.
    of_tallies: Callable[[Tallies], float] | None = None
    unit: str = ""
    #: After the point, on the terminal.
    digits: int = 2
    #: Whether the digits follow from the standard deviation instead, as of what has the unit of the targets.
    by_deviation: bool = False
    larger_is_better: bool = False
    #: Of the rows, where it is not the name; those of scores have the name of the part before it.
    column: str = ""
    #: The score that it is 100 minus, or the square of; empty if none. No row has such a metric itself.
    complement_of: str = ""
    square_of: str = ""
    #: Whether it counts something.
    whole: bool = False
    #: Whether it is a share of examples that are wrong, or right: compared as an exact fraction.
    share: bool = False
    #: Whether it has no value, NaN, on a part of one class, or of one target.
    needs_classes: bool = False
    #: The smallest and the largest value that it can have, if it is not a percentage.
    limits: tuple[float, float] = (0.0, inf)

    def within(self, value: float) -> float:
        """Return the value that it can have and that is nearest to another one; NaN stays NaN."""
        least, most = (0.0, 100.0) if self.unit == "%" else self.limits
        return min(max(value, least), most)

    @property
    def words(self) -> str:
        """Its title and unit as a table has them."""
        return f"test {self.title} {self.unit}".strip() if self.target else self.title

    def column_of(self, part: str) -> str:
        """Return the column of the rows that has it of a part."""
        name = self.derived_from or self.column or self.name
        return f"{part}_{name}" if self.target else name

    @property
    def derived_from(self) -> str:
        """The score that it follows from; empty if rows have it themselves."""
        return self.complement_of or self.square_of

    def of_column(self, value: float) -> float:
        """Return it from the value of its column of the rows."""
        if self.complement_of:
            return 100.0 - value
        return value**2 if self.square_of else value

    def to_column(self, value: float) -> float:
        """Return the value of its column of the rows, from its own."""
        if self.complement_of:
            return 100.0 - value
        return sqrt(value) if self.square_of else value

    def value(self, row: Row, part: str = "test") -> float:
        """Return it from a row."""
        return self.of_column(number(row, self.column_of(part)))


#: Digits of a deviation that are shown, and of a value without one.
OF_DEVIATION, OF_VALUE = 2, 4
#: More digits after the point are hard to count.
MOST_DIGITS = 8
#: Smaller numbers with more digits are shown with an exponent.
SMALL = 1e-4


def digits_of(metric: str, mean: float, std: float | None) -> int:
    """Return how many digits after the point a mean is shown with: of a metric with the unit of targets by their size.

    Then the deviation has `OF_DEVIATION` digits, or the mean, of which there is no deviation, `OF_VALUE`.
    """
    if not METRICS[metric].by_deviation:
        return METRICS[metric].digits
    size, shown = (std, OF_DEVIATION) if std else (abs(mean), OF_VALUE)
    return max(0, shown - 1 - floor(log10(size))) if size and isfinite(size) else METRICS[metric].digits


def rounded(value: float, digits: int) -> str:
    """Return a number with so many digits after the point, or with an exponent if these are more than `MOST_DIGITS`.

    A larger number beside such a small one, with the same `digits`, has only the first of them.
    """
    if digits <= MOST_DIGITS or not isfinite(value):
        return f"{value:.{digits}f}"
    significant = digits + 1 + floor(log10(abs(value))) if value else 0
    if significant < 1:
        return "0"
    return f"{value:.{significant if abs(value) < SMALL else OF_VALUE}g}"


#: All metrics by name, scores first; the order is that of summaries.
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("error_pct", "error", "classes", error_pct, unit="%", share=True),
        Metric(
            *("balanced_error_pct", "balanced error", "classes", balanced_error_pct, balanced_error),
            unit="%",
            needs_classes=True,
        ),
        Metric(
            *("accuracy_pct", "accuracy", "classes"),
            unit="%",
            larger_is_better=True,
            complement_of="error_pct",
            share=True,
        ),
        Metric("sequence_error_pct", "sequences with an error", "sequences", sequence_error_pct, unit="%"),
        Metric("f1_pct", "mean F1 of labels", "sequences", label_f1_pct, unit="%", larger_is_better=True),
        Metric("macro_f1_pct", "macro F1", "examples", macro_f1_pct, macro_f1, unit="%", larger_is_better=True),
        Metric("expected_error_pct", "error, ties at random", "votes", expected_error_pct, unit="%"),
        Metric("auc", "AUC", "signs", auc, unit="%", larger_is_better=True, needs_classes=True),
        Metric("log_loss", "log loss", "probabilities", log_loss, digits=3),
        Metric("rmse", "RMSE", "reals", rmse, by_deviation=True),
        Metric("mse", "mean squared error", "reals", by_deviation=True, square_of="rmse"),
        Metric("mae", "MAE", "reals", mae, by_deviation=True),
        Metric(
            *("r2", "R2", "reals", r2),
            digits=3,
            larger_is_better=True,
            needs_classes=True,
            limits=(-inf, 1.0),
        ),
        Metric("n_support_vectors", "support vectors", column="n_support", whole=True),
        Metric("n_nonzero", "non-zero coefficients", whole=True),
        Metric(
            *("alignment", "alignment with the labels"),
            digits=4,
            larger_is_better=True,
            needs_classes=True,
            limits=(-1.0, 1.0),
        ),
        Metric("n_kernels", "kernels used", whole=True),
    )
}
#: The metrics that a grid point can be chosen by. No method with a grid has probabilities.
SCORES = {name: metric for name, metric in METRICS.items() if metric.target not in ("", "probabilities")}


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None, int]:
    """Return mean and standard deviation (divisor n - 1) of a metric over splits, and over how many they are.

    A split where the metric is NaN has no value of it, such as the area under the ROC curve of examples of one class,
    and is left out. Without any value the mean is NaN; of a single one, or where one is infinite, the deviation is
    None.
    """
    finite = [value for value in values if not isnan(value)]
    deviation = stdev(finite) if len(finite) > 1 and all(map(isfinite, finite)) else None
    return fmean(finite) if finite else nan, deviation, len(finite)
