"""Notes on a choice of hyper-parameters: values at an end of their grid, and test examples that took part in it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kernlearn.algorithms import ALGORITHMS
from kernlearn.evaluation import Selection
from kernlearn.evaluation.splits.leakage import share_in_choice
from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
from kernlearn.parameters import Numbers, Parameter
from kernlearn.runner.cell.data import splits_of
from kernlearn.runner.plan.plan import Plan


class End(NamedTuple):
    """A selected value that is the smallest or the largest of its grid."""

    #: The key of the grid, such as ``C``.
    key: str
    #: The list that has the value, such as ``algo.Cs``; empty if there is none.
    parameter: str
    value: float
    largest: bool
    #: `n_chosen`, `n_choices`: the number of choices with this value, and of all choices.
    n_chosen: int
    n_choices: int

    @property
    def words(self) -> str:
        """The text for a column of the summary, such as ``C=1000 (largest, 3 of 5)``."""
        often = f", {self.n_chosen} of {self.n_choices}" if self.n_chosen < self.n_choices else ""
        return f"{self.key}={self.value:g} ({'largest' if self.largest else 'smallest'}{often})"


def ends(plan: Plan, selection: Selection) -> list[End]:
    """Return the selected values at an end of their grid, except where no value is possible beyond it."""
    chosen = [plan.grid[int(row["point"])] for row in selection.rows]
    limits = []
    for key in chosen[0]:
        values = {point[key] for point in plan.grid if key in point}
        parameter, bounds = _list_of(plan, key)
        for largest, end in ((False, min(values)), (True, max(values))):
            count = sum(point[key] == end for point in chosen)
            if len(values) > 1 and count and end not in bounds:
                limits.append(End(key, parameter, end, largest, count, len(chosen)))
    return limits


def _list_of(plan: Plan, key: str) -> tuple[str, tuple[float, ...]]:
    """Return the parameter that lists the values of a key of the grid, and its bounds."""
    for group, parameters in _parameters(plan):
        kind = parameters[f"{key}s"].kind if f"{key}s" in parameters else None
        if isinstance(kind, Numbers):
            return f"{group}.{key}s", (kind.each.low, kind.each.high)
    return "", ()


def _parameters(plan: Plan) -> Iterator[tuple[str, Mapping[str, Parameter]]]:
    yield "algo", ALGORITHMS[plan.experiment.algo["name"]].parameters
    yield "kernel", KERNEL_PARAMETERS.get(plan.experiment.kernel["name"], {})


def leaked_share(plan: Plan) -> float:
    """Return the percentage of test examples that took part in the choice of hyper-parameters; 0 without a choice."""
    if len(plan.grid) < 2:
        return 0.0
    return 100.0 * share_in_choice(splits_of(plan.experiment, plan.dataset), plan.rule)
