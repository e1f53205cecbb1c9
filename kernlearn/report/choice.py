"""Notes on a choice of hyper-parameters: values at an end of their grid, and test examples that took part in it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kernlearn.algorithms import ALGORITHMS
from kernlearn.evaluation import Row, Selection
from kernlearn.evaluation.rows import Grid
from kernlearn.evaluation.splits.leakage import share_in_choice
from kernlearn.evaluation.trend import IMPROVING, SAME, WORDS, Trend, trend_at
from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
from kernlearn.parameters import Number, Numbers
from kernlearn.runner.cell.data import splits_of
from kernlearn.runner.plan.plan import Plan

#: The columns of a partition that say what its splits chose: all values, and those at an end of their grid.
OF_CHOICE = ("chosen", "at_grid_end")
#: The word of the latter for an end where it is not known what the validation score does.
UNKNOWN = "unknown"


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
    def is_settled(self) -> bool:
        """Whether nothing says that values outside of the grid may be better."""
        return self.trend is None or not (self.trend.improves or self.trend.is_flat)

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


def choice_columns(plan: Plan, selection: Selection, rows: Sequence[Row]) -> dict[str, str]:
    """Return the columns `OF_CHOICE` of a partition.

    They are such as ``C=0.1 x3|1 x7`` and ``C=1 largest 7 of 10 improving algo.Cs``, which says what the validation
    score does at this end (`kernlearn.evaluation.trend.Trend.state`). `rows` has every grid point of every split.
    """
    points = [plan.grid[int(row["point"])] for row in selection.rows]
    counts = {key: Counter(point[key] for point in points if key in point) for key in points[0]}
    chosen = {key: "|".join(f"{value:g} x{n}" for value, n in sorted(values.items())) for key, values in counts.items()}
    return {
        "chosen": ";".join(f"{key}={values}" for key, values in chosen.items()),
        "at_grid_end": ";".join(
            f"{end.key}={end.value:g} {'largest' if end.largest else 'smallest'} {end.n_chosen} of {end.n_choices} "
            f"{end.trend.state if end.trend else UNKNOWN} {end.parameter}".rstrip()
            for end in ends(plan, selection, [row for row in rows if "point" in row])
        ),
    }


def chosen_values(partitions: Iterable[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Return how often each value of each hyper-parameter was chosen in partitions with `OF_CHOICE`."""
    counts: dict[str, Counter[str]] = {}
    for row in partitions:
        for part in filter(None, str(row.get("chosen", "")).split(";")):
            key, _, values = part.partition("=")
            for value in values.split("|"):
                word, _, n = value.partition(" x")
                counts.setdefault(key, Counter())[word] += int(n)
    return counts


def ends_of_partitions(partitions: Iterable[Mapping[str, Any]]) -> list[tuple[End, Counter[str]]]:
    """Return the chosen values at an end of their grid, over partitions with `OF_CHOICE` that share the grid.

    Each has the numbers of choices by what the validation score does at this end, in a word.
    """
    partitions = list(partitions)
    states: dict[tuple[str, float, bool, str], Counter[str]] = {}
    for row in partitions:
        for part in filter(None, str(row.get("at_grid_end", "")).split(";")):
            word, place, n, _, _, state, *parameter = part.split(" ")
            key, _, value = word.partition("=")
            end = (key, float(value), place == "largest", "".join(parameter))
            states.setdefault(end, Counter())[state] += int(n)
    totals = chosen_values(partitions)
    return [
        (End(key, parameter, value, largest, counts.total(), totals[key].total()), counts)
        for (key, value, largest, parameter), counts in states.items()
    ]


def is_settled(states: Counter[str]) -> bool:
    """Return whether nothing says that values beyond an end of `ends_of_partitions` may be better."""
    return not states[IMPROVING] and states.most_common(1)[0][0] != SAME


def end_in_words(end: End, states: Counter[str]) -> str:
    """Return the note on a value of `ends_of_partitions`, with advice if a wider grid may be better."""
    which, other = ("largest", "larger") if end.largest else ("smallest", "smaller")
    often = "" if end.n_chosen == end.n_choices else f" in {end.n_chosen} of {end.n_choices} choices"
    words = f"the selected {end.key}={end.value:g} is the {which} of its grid{often}"
    if not states[IMPROVING]:
        state = states.most_common(1)[0][0]
        meaning = WORDS.get(state, "").format(beyond=f"{other} values", score="the validation score")
        return f"{words}; {meaning}" if meaning else words
    some = "" if states[IMPROVING] == end.n_chosen else f" in {states[IMPROVING]} of them"
    remedy = f", so {end.parameter}=[...] with {other} values may do better" if end.parameter else ""
    return f"{words}; validation scores still improve there{some}{remedy}"
