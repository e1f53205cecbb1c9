"""Compare several methods: with the best one on one data set, and by their ranks over several data sets."""

from collections.abc import Mapping, Sequence
from math import inf, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from kernlearn.evaluation.metrics import METRICS, mean_and_deviation
from kernlearn.evaluation.significance import corrected_interval, corrected_resampled_t, expected_corrected_t, holm
from kernlearn.types import Array

#: The level of all tests: methods with a larger p-value are not distinguished.
LEVEL = 0.05
#: Why there is no p-value where one method is better by the same amount in all parts, such as test parts.
NO_TEST = "all {parts} parts agree, so a test has nothing to go by"
#: More seeds than these hardly tell more methods apart, since all partitions share the rows.
MANY_SEEDS = 10
#: What is said of a method that is not better than always predicting the same.
NO_BETTER = "the method does no better than a baseline that learns nothing from the columns"
#: Means that agree in so many digits are equal but for rounding, and share a rank.
DIGITS = 10


class Standing(NamedTuple):
    """The place of a method on one data set.

    Attributes
    ----------
    name : str
    rank : int
        1 for the best mean; equal means share a rank.
    mean : float
    std : float or None
    n_splits : int
        The splits that have a score.
    low, high : float
        The 95 % interval of the mean by `kernlearn.evaluation.significance.corrected_interval`, cut at the ends of the
        range of the metric: an error is not below 0 %.
    p_value : float
        Of the corrected resampled t-test against the best method, enlarged by Holm's rule over all these tests. It is
        NaN for the best method itself, where there are fewer than two splits to compare, and where a test has nothing
        to go by (`agrees`).
    tied : bool
        Whether no test distinguishes it from the best method.
    p_limit : float
        The expected `p_value` with `MANY_SEEDS` seeds, if mean and variance of the differences stay as they are; see
        `kernlearn.evaluation.significance.expected_corrected_t`.
    equal : bool
        Whether it has the same score as the best method in every split.
    agrees : bool
        Whether it is worse than the best method by the same amount in every split.
    """

    name: str
    rank: int
    mean: float
    std: float | None
    n_splits: int
    low: float
    high: float
    p_value: float
    tied: bool
    p_limit: float
    equal: bool
    agrees: bool


def standings(
    values: Mapping[str, Sequence[float]], metric: str, test_to_train: float, n_seeds: int = 1
) -> list[Standing]:
    """Return the place of every method, the best first.

    Parameters
    ----------
    values : mapping
        The scores of every method on the same splits in the same order, NaN where a split has none.
    metric : str
        One of `kernlearn.evaluation.METRICS`.
    test_to_train : float
        Number of test examples divided by the number of training examples.
    n_seeds : int
        The number of seeds that these splits are of.
    """
    sign = -1.0 if METRICS[metric].larger_is_better else 1.0
    summaries = {name: mean_and_deviation(scores) for name, scores in values.items()}
    losses = {
        name: inf if isnan(mean) else float(f"{sign * mean:.{DIGITS}g}") for name, (mean, _, _) in summaries.items()
    }
    best, *others = sorted(losses, key=losses.__getitem__)
    pairs = {name: _differences(values[name], values[best]) for name in others}
    tested = {name: found for name, found in pairs.items() if len(found) > 1}
    p_values, limits = (
        dict.fromkeys(values, nan)
        | _adjusted(
            {
                k: 1.0 if losses[k] == losses[best] else expected_corrected_t(v, test_to_train, round(times * len(v)))
                for k, v in tested.items()
            }
        )
        for times in (1.0, MANY_SEEDS / n_seeds)
    )
    found = []
    for name in (best, *others):
        summary = summaries[name]
        rank = 1 + sum(loss < losses[name] for loss in losses.values())
        low, high = corrected_interval([value for value in values[name] if not isnan(value)], test_to_train)
        interval = METRICS[metric].within(low), METRICS[metric].within(high)
        tied = name == best or not p_values[name] <= LEVEL
        equal = bool(pairs.get(name)) and not any(pairs[name])
        agrees = name in tested and isnan(p_values[name])
        found.append(Standing(name, rank, *summary, *interval, p_values[name], tied, limits[name], equal, agrees))
    return found


class Against(NamedTuple):
    """A method against a baseline that learns nothing from the columns.

    Attributes
    ----------
    better : bool
        Whether its mean is better.
    p_value : float
        Of the corrected resampled t-test on the splits, times the number of grid points that the same scores selected
        from (Bonferroni's correction), at most 1. NaN where there are fewer than two splits.
    """

    better: bool
    p_value: float

    @property
    def is_distinguished(self) -> bool:
        """Whether the test says that it is better."""
        return self.better and self.p_value <= LEVEL

    @property
    def doubt(self) -> str:
        """Words against the method; empty if it is better, and no test says otherwise."""
        if not self.better:
            return NO_BETTER
        if self.p_value > LEVEL:
            what = "a test does not distinguish the method from a baseline that learns nothing from the columns"
            return f"{what} (p {self.p_value:.2f})"
        return ""


def against_baseline(
    values: Sequence[float], baseline: Sequence[float], metric: str, test_to_train: float, n_points: int = 1
) -> Against:
    """Return how the scores of a method compare with those of a baseline on the same splits.

    Parameters
    ----------
    values, baseline : sequence of float
        NaN where a split has none. If their numbers differ, because splits are missing, there is no p-value.
    metric : str
        One of `kernlearn.evaluation.METRICS`.
    test_to_train : float
        Number of rows that are scored divided by the number of training rows.
    n_points : int
        The number of grid points from which these scores selected one; 1 if other rows did.
    """
    sign = -1.0 if METRICS[metric].larger_is_better else 1.0
    ours, other = (sign * mean_and_deviation(scores)[0] for scores in (values, baseline))
    p_value = _against(values, baseline, test_to_train) if len(values) == len(baseline) else nan
    return Against(ours < other, min(1.0, n_points * p_value) if not isnan(p_value) else nan)


def _differences(values: Sequence[float], best: Sequence[float]) -> list[float]:
    return [x - z for x, z in zip(values, best, strict=True) if not isnan(x) and not isnan(z)]


def _adjusted(p_values: Mapping[str, float]) -> dict[str, float]:
    return dict(zip(p_values, holm(list(p_values.values())), strict=True))


def _against(values: Sequence[float], best: Sequence[float], test_to_train: float) -> float:
    differences = _differences(values, best)
    return corrected_resampled_t(differences, test_to_train) if len(differences) > 1 else nan


class Ranks(NamedTuple):
    """The ranks of k methods over N data sets.

    Attributes
    ----------
    mean : array of shape (k,)
        The mean rank of every method; equal losses share the mean of their ranks.
    p_value : float
        Of Friedman's test, corrected for ties, in the form of Iman and Davenport: the probability of such ranks if all
        methods were equally good.
    critical_difference : float
        Two mean ranks that differ by less are not distinguished by Nemenyi's test.
    """

    mean: Array
    p_value: float
    critical_difference: float


def ranks_over(losses: Array, level: float = LEVEL) -> Ranks:
    """Return the ranks of methods, and the tests on them.

    Parameters
    ----------
    losses : array of shape (N, k)
        Of k >= 3 methods on N >= 2 data sets.
    level : float

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7.
    """
    from scipy.stats import f, friedmanchisquare, rankdata, studentized_range

    n, k = losses.shape
    losses = np.array([[float(f"{loss:.{DIGITS}g}") for loss in row] for row in losses])
    mean: Array = rankdata(losses, axis=1).mean(axis=0)
    p_value = 1.0
    if np.ptp(losses, axis=1).any():
        chi2 = float(friedmanchisquare(*losses.T).statistic)
        rest = n * (k - 1) - chi2
        p_value = float(f.sf((n - 1) * chi2 / rest, k - 1, (k - 1) * (n - 1))) if rest > 1e-9 * chi2 else 0.0
    difference = float(studentized_range.ppf(1.0 - level, k, inf)) * sqrt(k * (k + 1) / (12.0 * n))
    return Ranks(mean, p_value, difference)


def cliques(mean: Array, critical_difference: float) -> list[list[int]]:
    """Return the largest groups of at least two methods whose mean ranks differ by less than the critical difference.

    Groups overlap, and none is part of another. Each is a run of neighbours in the order of mean ranks, so its first
    and last member decide.

    Returns
    -------
    list of list of int
        The numbers of the methods of every group, the best rank first.
    """
    order = np.argsort(mean, kind="stable")
    ranks, end, found = mean[order], 0, list[list[int]]()
    for start in range(len(order)):
        last = int(np.searchsorted(ranks - ranks[start], critical_difference, side="left"))
        if last > end and last - start > 1:
            found.append(order[start:last].tolist())
        end = max(end, last)
    return found
