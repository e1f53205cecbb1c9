"""Early stopping as a rule on rows that are stored: what training would have seen before patience ran out."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from kernlearn.evaluation.selection import loss_of

Row = Mapping[str, Any]
#: The hyper-parameter along which training goes.
ALONG = "rounds"


def patience(rows: Sequence[Row], grid: Sequence[Mapping[str, Any]], wait: int, metric: str = "error_pct") -> list[Row]:
    """Return the rows up to where training stops: `wait` rounds after the first with the best validation score.

    Of every split and all other hyper-parameters by themselves. Where not every round has a row, training stops at the
    first row that is as late. Rows of a grid that has no rounds all stay.

    Parameters
    ----------
    rows : sequence of mappings
        As for `kernlearn.evaluation.select`, of any number of splits.
    grid : sequence of mappings
        The hyper-parameters of every point.
    wait : int >= 1
    metric : str
        One of `kernlearn.evaluation.SCORES`. A row without a value of it is no better than those before.

    References
    ----------
    Shivaswamy (2010), section 6.4, with 50 rounds without a lower validation error.
    """
    trainings: dict[Any, list[Row]] = {}
    for row in rows:
        others = {key: value for key, value in grid[int(row["point"])].items() if key != ALONG}
        trainings.setdefault((row.get("split"), *sorted(others.items())), []).append(row)
    kept: set[int] = set()
    for training in trainings.values():
        best, since = inf, 0.0
        for row in sorted(training, key=lambda row: _rounds(row, grid)):
            rounds, loss = _rounds(row, grid), loss_of(row, metric)
            kept.add(id(row))
            if loss < best:
                best, since = loss, rounds
            elif rounds - since >= wait:
                break
    return [row for row in rows if id(row) in kept]


def _rounds(row: Row, grid: Sequence[Mapping[str, Any]]) -> float:
    return float(grid[int(row["point"])].get(ALONG, 0.0))
