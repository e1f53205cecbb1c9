"""What is exported of a result: its numbers, and the grids in which a page shows them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan, nan
from typing import Any, Literal

from kernlearn.evaluation import METRICS
from kernlearn.evaluation.comparison import LEVEL

#: Larger numbers are shown with an exponent.
LONGEST = 1e12


@dataclass(frozen=True)
class Number:
    """A measured number with what is known of it.

    Attributes
    ----------
    dataset, algorithm, metric : str
        Together they are its name.
    mean : float
        NaN if it is undefined.
    std : float or None
        The standard deviation over the splits.
    digits : int
        After the decimal point, where it is shown.
    n_splits : int
    printed_mean, printed_std : float or None
        The value in the paper.
    interval_low, interval_high : float or None
        The interval that decides on the verdict or, in a comparison, contains the mean.
    verdict : str
        Empty if there is none.
    best : bool
        Whether no number that it is compared with is better.
    p_value : float or None
        Of the test against the best, adjusted by Holm's rule; None if there is no test.
    n_not_optimal : int or None
        The number of selected solutions that are not proved optimal.
    """

    dataset: str
    algorithm: str
    metric: str
    mean: float
    std: float | None
    digits: int
    n_splits: int
    printed_mean: float | None = None
    printed_std: float | None = None
    interval_low: float | None = None
    interval_high: float | None = None
    verdict: str = ""
    best: bool = False
    p_value: float | None = None
    n_not_optimal: int | None = None

    @property
    def delta(self) -> float | None:
        """Our mean minus the printed one."""
        return None if self.printed_mean is None else self.mean - self.printed_mean

    @property
    def worse(self) -> bool:
        """Whether a test finds it worse than the best."""
        return self.p_value is not None and self.p_value <= LEVEL


@dataclass(frozen=True)
class Grid:
    """A table of a page.

    Attributes
    ----------
    name : str
        A short name that no other grid of the document has.
    title : str
    corner : str
        The heading of the names of the rows.
    rows, columns : sequence of str
        Their headings.
    cells : mapping
        The number at the place (row, column); some may be missing.
    """

    name: str
    title: str
    corner: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[int, int], Number]

    @property
    def has_printed(self) -> bool:
        """Whether a paper prints one of the numbers."""
        return any(number.printed_mean is not None for number in self.cells.values())


@dataclass(frozen=True)
class Document:
    """The exported result.

    Attributes
    ----------
    kind : str
    name : str
        The name of the table, run or comparison.
    title : str
    numbers : sequence of Number
    titles : mapping
        The titles of the metrics.
    layout : str
        ``"metrics"``: a grid for each metric, with data sets as rows and algorithms as columns, as papers have it;
        ``"datasets"``: a grid for each data set, with algorithms as rows and metrics as columns.
    notes : sequence of str
        Sentences on what the numbers are.
    test : str
        The test behind `Number.p_value` in words; empty if there is none.
    row_names : mapping
        The headings of data sets whose heading is not their name.
    """

    kind: str
    name: str
    title: str
    numbers: Sequence[Number]
    titles: Mapping[str, str]
    layout: Literal["metrics", "datasets"]
    notes: Sequence[str] = ()
    test: str = ""
    headings: Mapping[str, str] | None = None

    def grids(self) -> list[Grid]:
        """Return the tables of its page."""
        if self.layout == "metrics":
            return [self._of_metric(metric) for metric in _in_order(one.metric for one in self.numbers)]
        return [self._of_dataset(dataset) for dataset in _in_order(one.dataset for one in self.numbers)]

    def _of_metric(self, metric: str) -> Grid:
        mine = [one for one in self.numbers if one.metric == metric]
        rows, columns = _in_order(one.dataset for one in mine), _in_order(one.algorithm for one in mine)
        cells = {(rows.index(one.dataset), columns.index(one.algorithm)): one for one in mine}
        headings = self.headings or {}
        shown = [headings.get(row, row) for row in rows]
        return Grid(metric, self.titles.get(metric, metric), "", shown, columns, cells)

    def _of_dataset(self, dataset: str) -> Grid:
        mine = [one for one in self.numbers if one.dataset == dataset]
        rows, columns = _in_order(one.algorithm for one in mine), _in_order(one.metric for one in mine)
        cells = {(rows.index(one.algorithm), columns.index(one.metric)): one for one in mine}
        return Grid(dataset, dataset, "", rows, [self.titles.get(one, one) for one in columns], cells)


def _in_order(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def loss_of(metric: str) -> Callable[[float], float] | None:
    """Return the function that is small for good values of a metric; None if neither direction is better."""
    if metric not in METRICS:
        return None
    return float.__neg__ if METRICS[metric].larger_is_better else float


def with_best(
    numbers: Sequence[Number], p_values: Callable[[Number, Number], float | None] | None = None
) -> list[Number]:
    """Return numbers that are compared with each other, such as those of one row, with the best ones marked.

    Numbers that look like the best one are marked, too.

    Parameters
    ----------
    numbers : sequence of Number
        Of one metric.
    p_values : function, optional
        Returns the p-value of a number against the best, without Holm's adjustment, or None if there is no test.
    """
    from kernlearn.evaluation.significance import holm

    loss = loss_of(numbers[0].metric) if numbers else None
    known = [one for one in numbers if not isnan(one.mean)]
    if loss is None or len(known) < 2:
        return list(numbers)
    best = min(known, key=lambda one: loss(one.mean))
    tested = {}
    for one in known if p_values else ():
        if p_values and one is not best and (p := p_values(one, best)) is not None:
            tested[id(one)] = p
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    same = shown(best.mean, best.digits)
    return [
        replace(one, best=one is best or shown(one.mean, one.digits) == same, p_value=adjusted.get(id(one)))
        for one in numbers
    ]


def shown(value: float | None, digits: int | None) -> str:
    """Return a number as text, with all its digits if `digits` is None; empty if it is undefined."""
    if value is None or isnan(value):
        return ""
    if digits is None or not isfinite(value):
        return repr(float(value))
    if abs(value) >= LONGEST:
        return f"{value:.3e}"
    text = f"{value:.{digits}f}"
    return text if float(text) or not text.startswith("-") else text[1:]  # no -0.00


def with_digits(document: Document, digits: int | None) -> Document:
    """Return a document whose numbers are all shown with so many digits after the decimal point."""
    return (
        document
        if digits is None
        else replace(document, numbers=[replace(one, digits=digits) for one in document.numbers])
    )


def number_or_none(text: str) -> float | None:
    """Return the number in a cell of a CSV file, or None if it is empty or undefined."""
    value = float(text) if text else nan
    return None if isnan(value) else value


def record(name: str, number: Number) -> dict[str, Any]:
    """Return a number as a row of a tidy table."""
    return {
        "result": name,
        "dataset": number.dataset,
        "algorithm": number.algorithm,
        "metric": number.metric,
        "mean": None if isnan(number.mean) else number.mean,
        "std": number.std,
        "n_splits": number.n_splits,
        "printed_mean": number.printed_mean,
        "printed_std": number.printed_std,
        "delta": number.delta,
        "interval_low": number.interval_low,
        "interval_high": number.interval_high,
        "verdict": number.verdict,
        "best": number.best,
        "p_value": number.p_value,
        "n_not_optimal": number.n_not_optimal,
        "digits": number.digits,
    }
