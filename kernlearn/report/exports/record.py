"""The types of exported numbers, for programs."""

from typing import TypedDict


class Record(TypedDict):
    """A number."""

    #: The table, run or comparison.
    result: str
    #: A row of a table.
    dataset: str
    #: The method, or a column of a table.
    algorithm: str
    metric: str
    #: Over the splits of all partitions; null if it is undefined.
    mean: float | None
    #: The standard deviation over the splits.
    std: float | None
    n_splits: int
    #: The value that the paper prints.
    printed_mean: float | None
    printed_std: float | None
    #: Our mean minus the printed one.
    delta: float | None
    #: The interval that decides on the verdict or, in a comparison, the interval of the mean.
    interval_low: float | None
    interval_high: float | None
    #: Empty if there is none.
    verdict: str
    #: Whether no number that it is compared with is better. Columns of further readings are compared with none,
    #: nor are those that the paper does not have, beside others that it has.
    best: bool
    #: Of the test against the best number, adjusted by Holm's rule; null if there is no test.
    p_value: float | None
    #: The number of selected solutions that are not proved optimal; null if there are none, or nothing is proved.
    n_not_optimal: int | None
    #: The digits after the decimal point with which tables show it.
    digits: int
    #: Whether it is a further reading of the paper's text.
    reading: bool
    #: Why there is no verdict on a printed number; else empty.
    no_verdict: str


class Exported(TypedDict):
    """A table, a run or a comparison."""

    kind: str
    name: str
    title: str
    #: Sentences on what the numbers are.
    about: list[str]
    #: The test behind the p-values, in words; empty if there is none.
    test: str
    #: Counts over the whole table, by name.
    facts: dict[str, int]
    #: The titles of the metrics.
    titles: dict[str, str]
    numbers: list[Record]
