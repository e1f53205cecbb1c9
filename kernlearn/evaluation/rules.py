"""The rules by which grid points are chosen: pure functions of stored rows, so another rule needs no new solves.

A rule looks at validation scores alone, and at test scores only in choosing what is not tested by them (`swap`). It is
named by a protocol, or by ``rule=`` in a configuration or a table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from statistics import median_low
from typing import Any, NamedTuple, cast

from kernlearn.errors import UserError
from kernlearn.evaluation.rows import Grid, Row
from kernlearn.evaluation.selection import Selection, best_point, grouped, joined, loss_of

#: ``rule(rows, grid, metric)`` returns what it chooses, with the rows chosen: for all splits, or for each by itself.
Rule = Callable[[Sequence[Row], Grid, str], list[Selection]]
#: The hyper-parameter along which training goes.
ALONG = "rounds"


class ChosenBy(NamedTuple):
    """The score and the rule by which a grid point is chosen; None for that of the task, and that of the protocol."""

    metric: str | None = None
    rule: str | None = None


AS_USUAL = ChosenBy()


def overall(rows: Sequence[Row], grid: Grid, metric: str) -> list[Selection]:
    """Choose one point for all splits, by the mean of its validation scores."""
    choice = best_point(rows, grid, metric)
    return [choice] if choice else []


def per_split(rows: Sequence[Row], grid: Grid, metric: str) -> list[Selection]:
    """Choose for every split by itself; one without a validation score has no choice."""
    return [choice for group in grouped(rows, "split") if (choice := best_point(group, grid, metric))]


def first_splits(rows: Sequence[Row], grid: Grid, metric: str, k: int) -> list[Selection]:
    """Choose one point for all splits, by the mean of its validation scores on the first `k` of them."""
    choice = best_point([row for row in rows if row["split"] < k], grid, metric)
    if choice is None:
        return []
    return [replace(choice, rows=[row for row in rows if row["point"] == choice.point])]


def fresh_splits(rows: Sequence[Row], grid: Grid, metric: str, k: int) -> list[Selection]:
    """Choose one point by the mean of its validation scores on the first `k` splits, which then do not count.

    References
    ----------
    Shivaswamy (2010), section 5.5, with 20 of 120 splits.
    """
    chosen = first_splits(rows, grid, metric, k)
    fresh = [replace(one, rows=[row for row in one.rows if row["split"] >= k]) for one in chosen]
    return [one for one in fresh if one.rows]


def median_of_first(rows: Sequence[Row], grid: Grid, metric: str, k: int) -> list[Selection]:
    """Choose one point for all splits: the median of every hyper-parameter over the choices of the first `k`.

    Raises `UserError` if the medians are no point of the grid, as may be where it is not all combinations of values.

    References
    ----------
    Raetsch, Onoda and Mueller (2001), section 4: parameters are the medians of five estimates.
    """
    choices = per_split([row for row in rows if row["split"] < k], grid, metric)
    if not choices:
        return []
    values = {key: median_low(choice.values[key] for choice in choices) for key in choices[0].values}
    if values not in grid:
        words = ", ".join(f"{key}={value:g}" for key, value in values.items())
        raise UserError(f"the medians of the choices ({words}) are no point of the grid: use all combinations")
    point = [dict(one) for one in grid].index(values)
    chosen = first_splits([row for row in rows if row["point"] == point], grid, metric, k)
    return [replace(one, n_ties=max(choice.n_ties for choice in choices)) for one in chosen]


def swap(rows: Sequence[Row], grid: Grid, metric: str) -> list[Selection]:
    """Choose for every split by itself, and once more with validation and test part in each other's place.

    References
    ----------
    Shivaswamy (2010), figure 2.7 and tables 4.1 and 4.2.
    """
    return [choice for half in (rows, swapped(rows)) for choice in per_split(half, grid, metric)]


def swapped(rows: Sequence[Row]) -> list[Row]:
    """Return rows whose validation part is what was the test part, and the other way round.

    Raises `UserError` if what is validated on is no part of its own, but folds of the training part.
    """
    other = {"validation_": "test_", "test_": "validation_", "n_validation": "n_test", "n_test": "n_validation"}

    def name(key: str) -> str:
        part = key if key.startswith("n_") else f"{key.partition('_')[0]}_"
        return key.replace(part, other[part], 1) if part in other else key

    exchanged = [{name(key): value for key, value in row.items()} for row in rows]
    if any(row.keys() != back.keys() for row, back in zip(rows, exchanged, strict=True)):
        raise UserError("rule=swap: validation and test part cannot change places here; use another protocol")
    return [cast(Row, {**row, "swapped": 1}) for row in exchanged]


def stopped(rows: Sequence[Row], grid: Grid, metric: str, wait: int) -> list[Selection]:
    """Choose for every split by itself among the rounds up to where training stops: see `patience`."""
    return per_split(patience(rows, grid, wait, metric), grid, metric)


def patience(rows: Sequence[Row], grid: Grid, wait: int, metric: str = "error_pct") -> list[Row]:
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
        others = {key: value for key, value in grid[row["point"]].items() if key != ALONG}
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


def _rounds(row: Row, grid: Grid) -> float:
    return grid[row["point"]].get(ALONG, 0.0)


#: All rules by the name that protocols, configurations and tables have for them.
RULES: Mapping[str, Rule] = {
    "overall": overall,
    "per_split": per_split,
    "first5": partial(first_splits, k=5),
    "fresh20": partial(fresh_splits, k=20),
    "median5": partial(median_of_first, k=5),
    "patience50": partial(stopped, wait=50),
    "swap": swap,
}


#: Those for which it is enough that the first splits have something to validate on.
OF_THE_FIRST = ("first5", "fresh20", "median5")


def select(
    rows: Sequence[Row], grid: Grid, metric: str = "error_pct", rule: str | Rule = "overall"
) -> Selection | None:
    """Choose by a rule, one of `RULES` or a function like these; None if nothing was measured.

    Raises `UserError` if the rows do not have the metric, no point has it on the splits where others do, or the rule is
    none for them.
    """
    if not rows:
        return None
    choices = (RULES[rule] if isinstance(rule, str) else rule)(rows, grid, metric)
    if not choices:
        raise UserError(f"select_by={metric}: no grid point has this score on the validation parts; choose another")
    return joined(choices)
