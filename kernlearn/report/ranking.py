"""Rank several methods and a baseline on each data set, and test whether differences exceed noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from statistics import fmean
from typing import Any

from kernlearn.evaluation import METRICS, Row, Selection
from kernlearn.evaluation.comparison import NO_TEST, standings
from kernlearn.evaluation.selection import values_of
from kernlearn.report.run import shown
from kernlearn.report.summary import not_optimal, nothing_proved, why_unproved
from kernlearn.report.terminal import say, say_note, show_table, shown_path
from kernlearn.runner.plan.baseline import baseline_name, baseline_rows
from kernlearn.runner.plan.identity import changed_parameters, changed_rule, identity, settings
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.store.tables import write_csv

#: Columns that identify a problem, and columns that identify a method; seeds are repetitions of the same method.
PROBLEM = ("dataset", "data", "of_data", "sha256", "task", "protocol", "select_by")
METHOD = ("algorithm", "kernel", "scaling", "parameters", "versions")
#: The groups of parameters that belong to the problem (`of_data`), and those that belong to the method.
DATA_GROUPS, METHOD_GROUPS = ("dataset", "protocol"), ("kernel", "algo")
#: Maximum number of lines on the terminal.
SHOWN = 60
#: Marks a method if some of its selected solutions are not proved optimal.
INEXACT = "*"


#: A test part: seed, split, and whether validation and test part are swapped.
Part = tuple[int, int, bool]


@dataclass
class Method:
    """The results of a method by test part: its values, the parts with solutions that are not optimal, and the sizes.

    The size is the number of test examples divided by the number of training examples.
    """

    head: Mapping[str, str]
    values: dict[Part, float]
    ratios: list[float]
    inexact: dict[Part, bool]


class Ranking:
    """The results of several experiments, ranked for each problem."""

    def __init__(self) -> None:
        self._methods: dict[tuple[str, ...], dict[tuple[str, ...], Method]] = {}

    def add(self, plan: Plan, selection: Selection) -> None:
        """Add the selected model of an experiment, and the baseline of its problem."""
        of_data, parameters = (changed_parameters(plan.experiment, groups) for groups in (DATA_GROUPS, METHOD_GROUPS))
        of_data = " ".join(filter(None, (changed_rule(plan), of_data)))
        row = {**identity(plan), "of_data": of_data, "parameters": parameters}
        seed = row["seed"]
        methods = self._methods.setdefault(tuple(row[key] for key in PROBLEM), {})
        method = methods.setdefault(tuple(row[key] for key in METHOD), Method({k: row[k] for k in METHOD}, {}, [], {}))
        parts = _parts(seed, selection.rows)
        method.values |= dict(zip(parts, selection.values_of(selection.metric), strict=True))
        method.inexact |= {part: bool(not_optimal([one])) for part, one in zip(parts, selection.rows, strict=True)}
        method.ratios += [one["n_test"] / one["n_train"] for one in selection.rows]
        name = baseline_name(plan)
        nothing = {key: name if key == "algorithm" else "" for key in METHOD}
        baseline = methods.setdefault(tuple(nothing.values()), Method(nothing, {}, [], {}))
        if parts[0] not in baseline.values:
            rows = baseline_rows(plan)
            baseline.values |= dict(zip(_parts(seed, rows), values_of(rows, selection.metric), strict=True))

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each method and problem, the best first.

        ``p_value`` is that of `kernlearn.evaluation.comparison.Standing`, over the splits that both methods have.
        """
        return [
            {**dict(zip(PROBLEM, problem, strict=True)), **row}
            for problem, methods in self._methods.items()
            for row in _ranked(list(methods.values()), problem[PROBLEM.index("select_by")])
        ]


def _parts(seed: int, rows: Sequence[Row]) -> list[Part]:
    return [(seed, row["split"], "swapped" in row) for row in rows]


def _ranked(methods: list[Method], metric: str) -> list[dict[str, Any]]:
    parts = list(dict.fromkeys(part for method in methods for part in method.values))
    values = {str(i): [method.values.get(part, nan) for part in parts] for i, method in enumerate(methods)}
    rows = []
    for place in standings(values, metric, fmean(ratio for method in methods for ratio in method.ratios)):
        method = methods[int(place.name)]
        facts = {"rank": place.rank, **method.head, "mean": place.mean, "std": place.std}
        facts |= {"n_splits": place.n_splits, "n_selected_not_optimal": sum(method.inexact.values())}
        rows.append({**facts, "p_value": "" if isnan(place.p_value) else place.p_value})
    return rows


def _rounded(p: float | str) -> str:
    return p if isinstance(p, str) else f"{p:.3f}" if p >= 0.001 else "<0.001"


def _is_inexact(row: Mapping[str, Any]) -> bool:
    return row["n_selected_not_optimal"] > 0 and not why_unproved(row["algorithm"])


def show_ranking(ranking: Ranking, path: Path) -> list[dict[str, Any]]:
    """Print the ranking and write it; return its rows."""
    rows = ranking.rows()
    if not rows:
        return []
    write_csv(path, rows)
    say(
        "ranking    mean (std) over the test parts; p: corrected resampled t-test of the difference from the best, "
        "enlarged by Holm's rule"
    )
    if len(rows) <= SHOWN:
        lines = []
        what = settings([{**row, "seed": ""} for row in rows])
        for row, setting in zip(rows, what, strict=True):
            metric, p = row["select_by"], row["p_value"]
            mark = INEXACT if _is_inexact(row) else ""
            head = [row["dataset"], str(row["rank"]), row["algorithm"] + mark, setting, METRICS[metric].words]
            lines.append([*head, shown(metric, row["mean"], row["std"]), _rounded(p)])
        show_table(("data set", "rank", "method", "setting", "by", "mean (std)", "p"), lines, left=5)
    if any(row["rank"] > 1 and row["p_value"] == "" and row["n_splits"] > 1 for row in rows):
        say_note(f"without p: {NO_TEST.format(parts='test')}")
    if marked := sum(map(_is_inexact, rows)):
        say_note(f"{marked} marked {INEXACT}: some of the selected solutions are not proved optimal")
    for words in nothing_proved({row["algorithm"]: row["algorithm"] for row in rows}):
        say_note(words)
    say(f"ranking: {shown_path(path)}")
    return rows
