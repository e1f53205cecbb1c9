"""What tables measure beside the scores of a selected model: functions of a plan, its rows and what was selected."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernlearn.evaluation import Selection
from kernlearn.runner.bounds import bounds_of_cell
from kernlearn.runner.cells import Plan

#: Metrics by name, one value a split.
Measures = dict[str, list[float]]


def bounds(plan: Plan, rows: Sequence[Mapping[str, Any]], selection: Selection) -> Measures:
    """Return the margin bounds of the selected model, which is solved again for them."""
    found = [bounds_of_cell(cell, selection.values) for cell in plan.cells]
    return {key: [one[key] for one in found] for key in found[0]}


#: Measures by the name that a table's description gives.
MEASURES: dict[str, Callable[[Plan, Sequence[Mapping[str, Any]], Selection], Measures]] = {
    "bounds": bounds,
}
