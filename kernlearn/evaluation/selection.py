"""Selection of one grid point from measured rows, and what it does on the test parts.

Nothing is solved here: the rows hold every grid point of every split, so another rule needs no new solves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, isnan
from statistics import fmean
from typing import Any, Literal

from kernlearn.errors import UserError
from kernlearn.evaluation.metrics import METRICS, mean_and_deviation
from kernlearn.evaluation.rows import Grid, Row


@dataclass(frozen=True)
class Selection:
    """The chosen grid point, or one for every split."""

    #: Its number in the grid; None where the splits choose different ones.
    point: int | None
    #: The hyper-parameters, those on which all splits agree.
    values: Mapping[str, float]
    #: By which it was chosen.
    metric: str
    #: Of that metric, mean over the splits that have it.
    validation_score: float
    #: How many splits these are: a validation part of one class has no area under the ROC curve.
    n_scored: int
    #: How many grid points have the same validation score, itself included; the most of any split.
    n_ties: int
    #: Its rows, one a split; two where validation and test part change places.
    rows: list[Row]

    @property
    def metrics(self) -> list[str]:
        """What the rows can be summarised by, the metric of the choice first."""
        columns = set.intersection(*(set(row) for row in self.rows))  # rows of older shards may lack one
        names = [m.name for m in METRICS.values() if m.column_of("test") in columns and not m.derived_from]
        return list(dict.fromkeys([self.metric, *names]))

    @property
    def derived_metrics(self) -> list[str]:
        """The metrics that follow from those that the rows have, such as the accuracy from the error."""
        return [m.name for m in METRICS.values() if m.derived_from in self.metrics]

    def values_of(self, metric: str) -> list[float]:
        """Return a metric of every split."""
        return values_of(self.rows, metric)

    def summary(self) -> dict[str, tuple[float, float | None, int]]:
        """Return every metric's mean, deviation and number of splits (`kernlearn.evaluation.metrics`)."""
        return {metric: mean_and_deviation(self.values_of(metric)) for metric in self.metrics}


def values_of(rows: Iterable[Row], metric: str) -> list[float]:
    """Return a metric of every row."""
    return [METRICS[metric].value(row) for row in rows]


def best_of(losses: Sequence[Any], *ties: Sequence[Any]) -> int:
    """Return the place of the smallest loss; of equal ones that of the smallest in `ties`, then the first.

    This is the one place where anything is chosen; every rule and table chooses by it.
    """
    return min(range(len(losses)), key=lambda i: (losses[i], *(tie[i] for tie in ties)))


def best_point(rows: Sequence[Row], grid: Grid, metric: str) -> Selection | None:
    """Choose the grid point with the best validation score, averaged over the splits of the rows.

    Ties go to the smallest total number of support vectors, then to the first in the grid, which lists the strongest
    penalty first. Errors are compared as exact fractions. Only grid points measured on as many splits as any are
    considered. A split on which no grid point has the score, as the area under the ROC curve of a validation part of
    one class, is in no mean; a grid point that alone has none is not considered. None if none is left.

    Raises `UserError` if the rows do not have the metric.

    Parameters
    ----------
    rows : sequence of mappings
        With the keys ``point``, ``split``, ``n_support`` and ``validation_<metric>``; for errors and accuracies
        ``validation_errors`` and ``n_validation``.
    grid : sequence of mappings
        The hyper-parameters of every point.
    metric : str
        One of `kernlearn.evaluation.SCORES`.

    References
    ----------
    Cortes, Goyal, Kuznetsov and Mohri (2015), section 6; the rule for ties is ours, the paper states none.
    """
    if not rows:
        return None
    _require(rows[0], metric)
    groups = grouped(rows, "point")
    most = max(len(group) for group in groups)
    scored = {row.get("split") for row in rows if not isnan(loss_of(row, metric))}
    candidates: list[list[Row]] = []
    losses: list[Any] = []
    for group in groups if scored else ():
        loss = sum(loss_of(row, metric) for row in group if row.get("split") in scored) / len(scored)
        if len(group) == most and isfinite(loss):
            candidates.append(group)
            losses.append(loss)
    if not candidates:
        return None
    support = [sum(row["n_support"] for row in group) for group in candidates]
    best = best_of(losses, support, [group[0]["point"] for group in candidates])
    point, score = candidates[best][0]["point"], _score(losses[best], metric)
    return Selection(point, dict(grid[point]), metric, score, len(scored), losses.count(losses[best]), candidates[best])


def joined(choices: Sequence[Selection]) -> Selection:
    """Return several choices, at least one, as one."""
    if len(choices) == 1:
        return choices[0]
    points = {choice.point for choice in choices}
    agreed = set.intersection(*(set(choice.values.items()) for choice in choices))
    return Selection(
        points.pop() if len(points) == 1 else None,
        {key: value for key, value in choices[0].values.items() if (key, value) in agreed},
        choices[0].metric,
        fmean(choice.validation_score for choice in choices),
        len(choices),
        max(choice.n_ties for choice in choices),
        [row for choice in choices for row in choice.rows],
    )


def grouped(rows: Iterable[Row], key: Literal["point", "split"]) -> list[list[Row]]:
    """Return the rows of every grid point, or of every split, in the order in which these come up."""
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return list(groups.values())


def loss_of(row: Row, metric: str) -> Any:
    """Return what is to be small: the share of errors, exactly, or a score with its sign."""
    if METRICS[metric].share:
        return Fraction(row["validation_errors"], row["n_validation"])
    score = METRICS[metric].value(row, "validation")
    return -score if METRICS[metric].larger_is_better else score


def _score(loss: Any, metric: str) -> float:
    """Undo `loss_of`."""
    if METRICS[metric].share:
        return 100.0 * float(1 - loss if METRICS[metric].complement_of else loss)
    return -loss if METRICS[metric].larger_is_better else loss


def _require(row: Row, metric: str) -> None:
    column = "validation_errors" if METRICS[metric].share else METRICS[metric].column_of("validation")
    if column not in row:
        available = [key.removeprefix("validation_") for key in row if key.startswith("validation_")]
        raise UserError(f"select_by={metric}: was not measured here, there are: {', '.join(available)}")
