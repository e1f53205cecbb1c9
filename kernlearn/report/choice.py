"""Notes on a choice of hyper-parameters: values at an end of their grid, and test examples that took part in it."""

from collections.abc import Sequence
from typing import NamedTuple

from kernlearn.algorithms import ALGORITHMS
from kernlearn.evaluation import Row, Selection
from kernlearn.evaluation.rows import Grid
from kernlearn.evaluation.splits.leakage import share_in_choice
from kernlearn.evaluation.trend import Trend, trend_at
from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
from kernlearn.parameters import Number, Numbers
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
    #: How the validation score changes at this end; None if it is not known.
    trend: Trend | None = None

    @property
    def improves(self) -> bool:
        """Whether values beyond the end may be better."""
        return self.trend is not None and self.trend.improves

    @property
    def words(self) -> str:
        """The text for a column of the summary, such as ``C=1000 (largest of its grid, in 3 of 5 choices)``."""
        often = f", in {self.n_chosen} of {self.n_choices} choices" if self.n_chosen < self.n_choices else ""
        return f"{self.key}={self.value:g} ({'largest' if self.largest else 'smallest'} of its grid{often})"


def ends(plan: Plan, selection: Selection, rows: Sequence[Row] = ()) -> list[End]:
    """Return the selected values at an end of their grid, except where no value is possible beyond it.

    Parameters
    ----------
    plan : Plan
    selection : Selection
    rows : sequence of mappings
        Every grid point of every split, for `End.trend`.
    """
    return ends_of(plan.experiment.algo["name"], plan.experiment.kernel["name"], plan.grid, selection, rows)


def ends_of(algorithm: str, kernel: str, grid: Grid, selection: Selection, rows: Sequence[Row]) -> list[End]:
    """Return what `ends` does, by the names of a method and a kernel."""
    chosen, limits = [grid[int(row["point"])] for row in selection.rows], []
    for key in chosen[0]:
        values = {point[key] for point in grid if key in point}
        parameter, number = list_of(algorithm, kernel, key)
        for largest, end in ((False, min(values)), (True, max(values))):
            count = sum(point[key] == end for point in chosen)
            if len(values) > 1 and count and (number is None or end not in (number.low, number.high)):
                trend = trend_at(rows, grid, selection.metric, key, largest)
                limits.append(End(key, parameter, end, largest, count, len(chosen), trend))
    return limits


def list_of(algorithm: str, kernel: str, key: str) -> tuple[str, Number | None]:
    """Return the parameter that lists the values of a key of the grid, and what its values are.

    The parameter is empty if there is none, or the method is not installed.
    """
    known = ALGORITHMS[algorithm].parameters if algorithm in ALGORITHMS else {}
    groups = {"algo": known, "kernel": KERNEL_PARAMETERS.get(kernel, {})}
    for group, parameters in groups.items():
        kind = parameters[f"{key}s"].kind if f"{key}s" in parameters else None
        if isinstance(kind, Numbers):
            return f"{group}.{key}s", kind.each
    return "", None


def leaked_share(plan: Plan) -> float:
    """Return the percentage of test examples that took part in the choice of hyper-parameters; 0 without a choice."""
    if len(plan.grid) < 2:
        return 0.0
    return 100.0 * share_in_choice(splits_of(plan.experiment, plan.dataset), plan.rule)
