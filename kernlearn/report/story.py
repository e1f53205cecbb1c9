"""Does the story of a printed table hold? This complements the verdicts on single numbers.

A verdict says whether a printed number could be one of ours. The story of a paper is about other questions: how large
the numbers are, and which method is better. These are computed for each metric of a table, over its printed cells:

- **deviations**: ``|ours - printed|``, in printed standard deviations and in per cent of the printed number.

- **contrasts**: pairs of printed columns whose means differ by more than two standard errors, ``|m - m'| > 2
  sqrt((s^2 + s'^2) / n)`` with n the printed splits. A contrast is kept if ours differ in the same direction. A paired
  t-test over our repetitions decides whether they differ clearly (`kernlearn.papers.core.units`).

- **tau**: Kendall's rank correlation (tau-b) of the printed columns with ours, averaged over the rows of the table.

- **winners**: rows whose best column of ours is also a best printed column.

Stand-in data and further readings of a printed column do not count. If several columns correspond to the same printed
column, the first one counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isfinite, isnan
from statistics import fmean, median
from typing import Any

from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.papers import Table
from kernlearn.papers.core.compare import FEWEST
from kernlearn.report.reproduction import printed_cell

Row = Mapping[str, Any]
#: Minimum difference of two printed means that are a contrast, in standard errors.
CLEAR = 2
#: Significance level of the test of our contrasts.
LEVEL = 0.05


@dataclass(frozen=True)
class Story:
    """The comparison of one metric with a printed table."""

    #: Number of printed numbers for which we have our own.
    cells: int
    #: Deviations in printed standard deviations, of the cells where these are not 0.
    deviations: tuple[float, ...]
    #: Deviations in per cent, of the cells whose printed number is not 0.
    percents: tuple[float, ...]
    #: `contrasts`, `kept`: number of printed contrasts, and of those with the same direction in our results.
    contrasts: int
    kept: int
    #: `tested`, `clearly`, `reversed`: number of contrasts with enough repetitions for a test, and of those that it
    #: finds different from 0 in the same and in the other direction.
    tested: int
    clearly: int
    reversed: int
    #: Rank correlations of the rows with at least two different printed columns.
    taus: tuple[float, ...]
    #: `rows`, `winners`: number of rows with a best printed column, and of those where it is also our best. Both are 0
    #: for a metric without a better direction.
    rows: int
    winners: int

    @property
    def deviation(self) -> float | None:
        """The median deviation in printed standard deviations."""
        return median(self.deviations) if self.deviations else None

    @property
    def percent(self) -> float | None:
        """The median deviation in per cent."""
        return median(self.percents) if self.percents else None

    @property
    def tau(self) -> float | None:
        """The mean rank correlation."""
        return fmean(self.taus) if self.taus else None

    def within(self, limit: float) -> float | None:
        """Return the share of cells within `limit` printed standard deviations, in per cent."""
        if not self.deviations:
            return None
        return 100.0 * sum(one <= limit for one in self.deviations) / len(self.deviations)


def stories(table: Table, rows: Iterable[Row]) -> dict[str, Story]:
    """Return the story of each printed metric of a table.

    Parameters
    ----------
    rows : iterable
        From `kernlearn.report.reproduction.table_rows`.
    """
    lines: dict[str, dict[tuple[str, ...], dict[str, Row]]] = {}
    for row in rows:
        if "paper_mean" not in row or not isfinite(row["mean"]) or row["dataset"] in table.stand_ins:
            continue
        (dataset, setting, printed, _), reading = printed_cell(table, row)
        if not reading:
            lines.setdefault(row["metric"], {}).setdefault((dataset, setting), {}).setdefault(printed, row)
    return {
        metric: _story(table, metric, [list(line.values()) for line in lines_of_metric.values()])
        for metric, lines_of_metric in lines.items()
    }


def silent_metrics(table: Table) -> frozenset[str]:
    """Return the metrics without a verdict, such as those chosen after the printed numbers had been seen."""
    return frozenset(metric for metric, shown in table.metrics.items() if shown.no_verdict)


def evidence(table: Table, by_metric: Mapping[str, Story]) -> dict[str, Story]:
    """Return the stories of metrics that have verdicts: only these count for or against a table."""
    silent = silent_metrics(table)
    return {metric: story for metric, story in by_metric.items() if metric not in silent}


def main_metric(table: Table, by_metric: Mapping[str, Story]) -> str | None:
    """Return the first metric of a table with verdicts and a story, which the scorecard shows; None if none has."""
    return next((metric for metric in table.metrics if metric in evidence(table, by_metric)), None)


def _story(table: Table, metric: str, lines: Sequence[Sequence[Row]]) -> Story:
    cells = [row for line in lines for row in line]
    clear = [pair for line in lines for pair in combinations(line, 2) if is_clear(table, *pair)]
    best = _best(table, metric)
    tests = [_tested(*pair) for pair in clear]
    ranked = [line for line in lines if len({row["paper_mean"] for row in line}) > 1]
    return Story(
        len(cells),
        tuple(abs(row["delta"]) / row["paper_std"] for row in cells if row["paper_std"]),
        tuple(100.0 * abs(row["delta"] / row["paper_mean"]) for row in cells if row["paper_mean"]),
        len(clear),
        sum(_agreement(*pair) > 0 for pair in clear),
        *(sum(test is not None for test in tests), tests.count(1), tests.count(-1)),
        tuple(_tau(line) for line in ranked),
        len(ranked) if best else 0,
        sum(_same_winner(line, best) for line in ranked) if best else 0,
    )


def is_clear(table: Table, first: Row, second: Row) -> bool:
    """Return whether two columns of a row are a contrast, by their printed numbers."""
    if not (first["paper_std"] is not None and second["paper_std"] is not None):
        return False
    line = next(line for line in table.rows if line.name == first["dataset"])
    splits = table.splits_printed(line) or first["n_splits"] // first["n_partitions"]  # of one partition, like ours
    # Printed numbers are short, so that many differences are exactly two standard errors: rounding must not decide.
    one, other, s, t = (
        Fraction(repr(float(row[key]))) for key in ("paper_mean", "paper_std") for row in (first, second)
    )
    return bool((one - other) ** 2 * splits > CLEAR**2 * (s**2 + t**2))


def _agreement(first: Row, second: Row) -> int:
    """Return 1 if our two columns differ in the same direction as the printed ones, -1 if in the other, else 0."""
    return _direction(first, second, first["mean"] - second["mean"])


def _direction(first: Row, second: Row, ours: float) -> int:
    """Return 1 if our difference has the sign of the printed one, -1 if the opposite sign, else 0."""
    product = (first["paper_mean"] - second["paper_mean"]) * ours
    return (product > 0) - (product < 0)


def _tested(first: Row, second: Row) -> int | None:
    """Return the agreement if a paired t-test finds our columns different, else 0; None without a test."""
    ours, others = first["repetitions"], second["repetitions"]
    differences = [ours[key] - others[key] for key in sorted(ours.keys() & others.keys())]
    if len(differences) < FEWEST:
        return None
    p = corrected_resampled_t(differences, 0.0)
    return None if isnan(p) else _direction(first, second, fmean(differences)) * (p < LEVEL)


def _tau(line: Sequence[Row]) -> float:
    """Return Kendall's tau-b of the printed columns with ours; 0 if all of ours are equal."""
    from scipy.stats import kendalltau

    tau = float(kendalltau([row["paper_mean"] for row in line], [row["mean"] for row in line]).statistic)
    return 0.0 if isnan(tau) else tau


def _best(table: Table, metric: str) -> Any:
    """Return the function that gives the best of several numbers, `min` or `max`; None if neither is better."""
    known = table.metric_of(metric)
    return None if known is None else max if known.larger_is_better else min


def _same_winner(line: Sequence[Row], best: Any) -> bool:
    ours, printed = (best(row[key] for row in line) for key in ("mean", "paper_mean"))
    return any(row["mean"] == ours and row["paper_mean"] == printed for row in line)
