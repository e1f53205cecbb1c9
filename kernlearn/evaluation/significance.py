"""Whether a difference between two methods is more than the noise of the splits."""

from collections.abc import Sequence
from math import isnan, nan, sqrt
from statistics import fmean, variance

#: Numbers that differ by so little, relative to the largest of them, are the same but for rounding.
ROUNDING = 1e-10


def all_agree(values: Sequence[float]) -> bool:
    """Return whether values are all the same but for rounding: their deviation says nothing of the noise."""
    return max(values) - min(values) <= ROUNDING * max(map(abs, values))


def corrected_resampled_t(differences: Sequence[float], test_to_train: float) -> float:
    """Return the two-sided p-value of the corrected resampled t-test.

    The splits of one data set share examples, so their differences are correlated and the usual t-test finds
    significance far too often; the variance is enlarged by the ratio of test to training examples.

    Parameters
    ----------
    differences : sequence of float
        Difference of the errors of two methods, one a split, over all partitions.
    test_to_train : float
        Number of test examples divided by the number of training examples, of every split.

    Returns
    -------
    float
        1.0 if all differences are zero, or there is only one. NaN if all are the same, but not zero: with a deviation
        of 0 the test has nothing to go by.

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52, eq. for the corrected
    resampled t-test.
    """
    return expected_corrected_t(differences, test_to_train, len(differences))


def expected_corrected_t(differences: Sequence[float], test_to_train: float, n_more: int) -> float:
    """Return the p-value of `corrected_resampled_t` if `n_more` partitions had the mean and variance of the measured.

    Partitions of the same rows share examples. More of them reduce the term 1 / n of the variance, not the ratio of
    test to training examples. So a p-value above the level may say that only more rows can distinguish the methods.
    See `corrected_resampled_t` for the other arguments and the value.
    """
    from scipy.special import stdtr  # Student's t; scipy.stats takes half a second to import

    n = len(differences)
    if n < 2:
        return 1.0
    if all_agree(differences):
        return nan if any(differences) else 1.0
    n = max(n, n_more)
    scale = sqrt((1.0 / n + test_to_train) * variance(differences))
    return float(2.0 * stdtr(n - 1, -abs(fmean(differences)) / scale))


def corrected_interval(values: Sequence[float], test_to_train: float, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of the mean over splits that belongs to `corrected_resampled_t`.

    Parameters
    ----------
    values : sequence of float
        A score, one a split.
    test_to_train : float
        Number of test examples divided by the number of training examples, of every split.
    level : float

    Returns
    -------
    low, high : float
        NaN where there are fewer than two values, or all are the same: a deviation of 0 says nothing of the noise.
    """
    from scipy.special import stdtrit

    n = len(values)
    if n < 2 or all_agree(values):
        return nan, nan
    half = float(stdtrit(n - 1, 0.5 + level / 2)) * sqrt((1.0 / n + test_to_train) * variance(values))
    return fmean(values) - half, fmean(values) + half


def sign_test(first: int, second: int) -> float:
    """Return the two-sided p-value of so many outcomes of two kinds that are equally probable.

    Of two classifiers on one test part these are the examples that only the first, and only the second, has wrong.

    References
    ----------
    McNemar (1947), Note on the sampling error of the difference between correlated proportions, Psychometrika 12.
    """
    from scipy.stats import binomtest

    return float(binomtest(first, first + second).pvalue) if first + second else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values of several tests, each enlarged so that any false one of all has the probability of the level.

    The k-th smallest of m is multiplied by m - k + 1, and is at least the one before. Those that are NaN stay NaN, and
    are no tests.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6.
    """
    adjusted, smallest = [nan] * len(p_values), 0.0
    known = [k for k, p in enumerate(p_values) if not isnan(p)]
    for rank, k in enumerate(sorted(known, key=lambda k: p_values[k])):
        smallest = max(smallest, min(1.0, (len(known) - rank) * p_values[k]))
        adjusted[k] = smallest
    return adjusted
