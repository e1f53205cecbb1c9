"""Intervals of what is measured on one test part: exact ones of shares, and by resampling of all other scores."""

from collections.abc import Callable, Mapping

import numpy as np

from kernlearn.types import Index

#: Number of resamples, and of all their rows together for large test parts.
RESAMPLES, MOST_ROWS = 1000, 2e7
#: The fewest resamples.
FEWEST = 100


def exact_interval(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a probability of which `count` of n independent outcomes were observed.

    References
    ----------
    Clopper and Pearson (1934), The use of confidence or fiducial limits illustrated in the case of the binomial,
    Biometrika 26.
    """
    from scipy.stats import binomtest

    interval = binomtest(count, n).proportion_ci(level, method="exact")
    return float(interval.low), float(interval.high)


def bootstrap_intervals(
    scores_of: Callable[[Index], Mapping[str, float]], n: int, seed: int = 0, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """Return percentile intervals of scores by resampling n rows with replacement.

    Parameters
    ----------
    scores_of : callable
        ``scores_of(rows)`` returns the scores of some rows by name, NaN where one is not defined.
    n : int
    seed : int
    level : float

    Returns
    -------
    dict
        NaN if no resample has the score, or all have the same one.
    """
    random = np.random.default_rng(seed)
    count = int(np.clip(MOST_ROWS / n, FEWEST, RESAMPLES))
    drawn = [scores_of(random.integers(n, size=n)) for _ in range(count)]
    ends = [50 * (1 - level), 50 * (1 + level)]
    found = dict.fromkeys(drawn[0], (np.nan, np.nan))
    for name in found:
        values = np.array([scores[name] for scores in drawn])
        if len(known := values[~np.isnan(values)]):
            low, high = np.percentile(known, ends)
            found[name] = (float(low), float(high)) if np.ptp(known) > 0.0 else found[name]
    return found
