"""What a predictor is measured by on a test part: scores of decision values, and how two measurements correlate."""

from collections.abc import Callable, Sequence
from math import isfinite, isnan, nan
from statistics import fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError

Array = NDArray[np.float64]
#: Parts of the range of decision values, and of the largest, below which a difference is rounding.
SAME, ROUNDING = 1e-9, 1e-14


def error_pct(y: Array, f: Array) -> float:
    """Return the percentage of labels +-1 that differ from the sign of f; a value of 0 counts as negative."""
    return 100.0 * float(np.mean((f > 0) != (y > 0)))


def accuracy_pct(y: Array, f: Array) -> float:
    """Return the percentage of labels +-1 that agree with the sign of f."""
    return 100.0 - error_pct(y, f)


def balanced_error_pct(y: Array, f: Array) -> float:
    """Return the mean of the error percentages of the two classes; see `mean_class_error_pct`."""
    return mean_class_error_pct(y > 0, f > 0)


def mean_class_error_pct(y: NDArray[Any], predicted: NDArray[Any]) -> float:
    """Return the balanced error: the percentage of wrong predictions of each class, averaged over the classes in y.

    Where a class is rare, predicting the others always gives a small error, but never a balanced one below
    ``100 (1 - 1/c)`` for the c classes that y has. Of one class alone there is nothing to balance: NaN.
    """
    if len(np.unique(y)) < 2:
        return nan
    return 100.0 * float(np.mean([np.mean(predicted[y == c] != c) for c in np.unique(y)]))


def auc(y: Array, f: Array) -> float:
    """Return the area under the ROC curve in percent: how often a positive example has the larger value of a pair.

    Of equal values half a pair counts (Mann and Whitney): with midranks r, ``(sum_{y=1} r - n(n+1)/2) / (n m)``. Values
    that differ by rounding, `SAME` of their range, are equal.

    Raises
    ------
    UserError
        If all labels are equal.
    """
    positive = y > 0
    n, m = int(positive.sum()), int((~positive).sum())
    if n == 0 or m == 0:
        raise UserError("the area under the ROC curve needs examples of both classes: use a larger test part")
    order = np.argsort(f, kind="stable")
    apart = max(SAME * np.ptp(f), ROUNDING * np.abs(f).max())
    place = np.empty(len(f), dtype=np.intp)
    place[order] = np.concatenate([[0], np.cumsum(np.diff(f[order]) > apart)])
    counts = np.bincount(place)
    midrank = counts.cumsum() - (counts - 1) / 2
    return 100.0 * float((midrank[place[positive]].sum() - n * (n + 1) / 2) / (n * m))


def rmse(y: Array, f: Array) -> float:
    """Return the root mean squared error."""
    return float(np.sqrt(np.mean((y - f) ** 2)))


def normalised_rmse(y: Array, f: Array, baseline: Array) -> float:
    """Return the RMSE divided by that of other predictions of the same targets, such as those of the uniform kernel.

    References
    ----------
    Rostamizadeh (2010), figure 3.1, lower row.
    """
    return rmse(y, f) / rmse(y, baseline)


def correlation(a: Array, b: Array) -> float:
    """Return Pearson's correlation coefficient of two series, such as alignment and error over kernels.

    Raises
    ------
    UserError
        If one of the series is constant.

    References
    ----------
    Rostamizadeh (2010), table 2.1.
    """
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        raise UserError("a constant series has no correlation: use kernels that differ in alignment and error")
    x, z = np.asarray(a) - np.mean(a), np.asarray(b) - np.mean(b)
    return float(x @ z / (np.linalg.norm(x) * np.linalg.norm(z)))


#: Scores ``score(y, f)`` by the names that the printed tables have; y are labels +-1, or targets for "rmse".
SCORES: dict[str, Callable[[Array, Array], float]] = {
    "error_pct": error_pct,
    "balanced_error_pct": balanced_error_pct,
    "accuracy_pct": accuracy_pct,
    "auc": auc,
    "rmse": rmse,
}
#: Scores that have no value where all labels are equal: NaN there.
NEED_BOTH_CLASSES = frozenset({"auc", "balanced_error_pct", "alignment"})
#: The metrics of printed tables that are better when larger.
LARGER_IS_BETTER = frozenset({"accuracy_pct", "auc", "alignment"})


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None, int]:
    """Return mean and standard deviation (divisor n - 1) of a metric over splits, and over how many they are.

    A split where the metric is NaN has no value of it, such as the area under the ROC curve of examples of one class,
    and is left out. Without any value the mean is NaN; of a single one, or where one is infinite, the deviation is
    None.
    """
    there = [value for value in values if not isnan(value)]
    deviation = stdev(there) if len(there) > 1 and all(map(isfinite, there)) else None
    return fmean(there) if there else nan, deviation, len(there)
