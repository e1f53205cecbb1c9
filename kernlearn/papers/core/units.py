"""The unit of repetition of a table: what is drawn once, however many splits come of it.

A printed mean is over some splits. How far it would move if the authors did everything once more does not follow from
how far the splits differ where these share something that would be drawn anew: a sample of the data, a choice of
parameters, a set of stumps. All splits that share it are one repetition, and a table says which these are:

- ``split``: every split draws and chooses by itself. Our repetitions are the splits of all partitions together, and the
  printed mean is over ``printed_splits`` of them.
- ``draw``: two splits are one draw in both roles: what validates in one of them tests in the other. The rule ``swap``
  lists first all draws, then all of them exchanged. A repetition is the mean of the two.
- ``partition``: the splits are the folds of one partition, and the parameters are chosen once for all of them.
- ``sample``: the splits are random, and yet share something that is drawn or chosen once.

Of the last two a repetition is the mean over all splits of a seed, and the printed mean is one such mean.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isnan
from statistics import fmean
from typing import Any

from kernlearn.errors import UserError

SPLIT, DRAW, PARTITION, SAMPLE = UNITS = ("split", "draw", "partition", "sample")
#: Seed, and number within it.
Key = tuple[int, int]


@lru_cache(maxsize=2**15)
def values_of(text: str) -> tuple[float, ...]:
    """Return the values of the splits of a partition, one number a split, from the text that its row has of them.

    Checks, verdicts and claims of a table all need them. To read the numbers of the largest table takes a second.

    Raises `ValueError` if the text has other words.
    """
    return tuple(map(float, text.split()))


def repetitions(unit: str, partitions: Sequence[Mapping[str, Any]]) -> dict[Key, float]:
    """Return our repetitions of one metric of one cell; one that lacks the value of a split is left out.

    Raises `UserError` if a draw has one role only.

    Parameters
    ----------
    unit : str
        One of `UNITS`.
    partitions : sequence of mappings
        Rows of `kernlearn.report.reproduction.partition_rows`: ``seed`` and ``values``, one number a split.

    Returns
    -------
    dict
        The number of every repetition, by seed and number in it, so that those of two columns can be paired.
    """
    means: dict[Key, float] = {}
    for row in partitions:
        values = values_of(row["values"])
        for number, group in enumerate(_grouped(unit, values)):
            if not any(map(isnan, group)):
                means[int(row["seed"]), number] = fmean(group)
    return means


def _grouped(unit: str, values: Sequence[float]) -> Sequence[Sequence[float]]:
    """Return the values of the splits of a seed by repetition."""
    if unit == SPLIT:
        return [[value] for value in values]
    if unit == DRAW:
        half = len(values) // 2
        if 2 * half != len(values):
            raise UserError(f"unit=draw: {len(values)} values of one seed; every draw has two, one for each role")
        return list(zip(values[:half], values[half:], strict=True))
    return [values]


def printed_repetitions(unit: str, printed_splits: int) -> int:
    """Return how many repetitions are behind a printed mean over so many splits (q)."""
    return {SPLIT: printed_splits, DRAW: printed_splits // 2}.get(unit, 1)
