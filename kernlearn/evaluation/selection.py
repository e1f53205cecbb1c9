"""Selection of one grid point from measured rows, and what it does on the test parts.

Nothing is solved here: the rows hold every grid point of every split, so another rule needs no new solves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, stdev
from typing import Any

#: What is summarised over splits: the name in tables and the column of the rows.
METRICS = {
    "error_pct": "test_error_pct",
    "n_support_vectors": "n_support",
    "n_nonzero": "n_nonzero",
}


@dataclass(frozen=True)
class Selection:
    """The chosen grid point.

    Attributes
    ----------
    point : int
        Its number in the grid.
    values : dict
        The hyper-parameters.
    validation_error_pct : float
        Mean over the splits.
    n_ties : int
        How many grid points have the same validation error, itself included.
    rows : list of dict
        Its rows, one a split.
    """

    point: int
    values: dict[str, Any]
    validation_error_pct: float
    n_ties: int
    rows: list[Mapping[str, Any]]

    def values_of(self, metric: str) -> list[float]:
        """Return a metric of every split."""
        return [float(row[METRICS[metric]]) for row in self.rows]

    def summary(self) -> dict[str, tuple[float, float | None]]:
        """Return mean and standard deviation (divisor n - 1; None for one split) of every metric."""
        result = {}
        for metric in METRICS:
            values = self.values_of(metric)
            result[metric] = (fmean(values), stdev(values) if len(values) > 1 else None)
        return result


def select(rows: Sequence[Mapping[str, Any]], grid: Sequence[Mapping[str, Any]]) -> Selection | None:
    """Choose the grid point with the smallest validation error averaged over the splits.

    Ties go to the smallest total number of support vectors, then to the first in the grid, which lists the strongest
    penalty first. Errors are compared as exact fractions. Only grid points measured on as many splits as any are
    considered; None if nothing was measured.

    Parameters
    ----------
    rows : sequence of mappings
        With the keys ``point``, ``validation_errors``, ``n_validation`` and ``n_support``.
    grid : sequence of mappings
        The hyper-parameters of every point.

    References
    ----------
    Cortes, Goyal, Kuznetsov and Mohri (2015), section 6; the rule for ties is ours, the paper states none.
    """
    points: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        points.setdefault(int(row["point"]), []).append(row)
    if not points:
        return None
    complete = max(len(group) for group in points.values())
    candidates = []
    for point, group in points.items():
        if len(group) == complete:
            error = sum(Fraction(int(row["validation_errors"]), int(row["n_validation"])) for row in group) / complete
            candidates.append((error, sum(int(row["n_support"]) for row in group), point))
    error, _, point = min(candidates)
    ties = sum(1 for candidate in candidates if candidate[0] == error)
    return Selection(point, dict(grid[point]), 100.0 * float(error), ties, points[point])
