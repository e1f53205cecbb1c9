"""The scores of compared methods, and their places on each data set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from statistics import fmean
from typing import Any

import numpy as np

from kernlearn.evaluation import METRICS, Row
from kernlearn.evaluation.comparison import Ranks, Standing, ranks_over, standings
from kernlearn.evaluation.metrics import mean_and_deviation
from kernlearn.report.summary import largest_gap, not_optimal
from kernlearn.runner.store.records import Described

#: Fewest data sets and methods whose ranks are compared.
FEWEST = 3
#: The metrics of a comparison by task, beside the one that ranks.
SHOWN: Mapping[str, Sequence[str]] = {
    "classification": ("error_pct", "balanced_error_pct", "auc", "macro_f1_pct", "log_loss"),
    "regression": ("rmse", "mae", "r2"),
}
METHOD, BASELINE = "method", "baseline"
#: Columns of ``ranking.csv`` by the names that earlier versions gave them.
RENAMED = {"tied_with_best": "not_distinguished_from_best"}


@dataclass
class Measured:
    """A method or baseline on one data set."""

    name: str
    #: "method" or "baseline".
    kind: str = METHOD
    #: The row of the selected grid point for every test part.
    rows: list[Row] = field(default_factory=list)
    #: The names of its runs, one for each seed; none for baselines.
    runs: list[str] = field(default_factory=list)
    #: The selected hyper-parameters of every test part.
    selected: list[str] = field(default_factory=list)
    #: Of all its cells; NaN if it has none.
    cpu_seconds: float = nan
    #: Its kernels or other inputs, in words; empty for baselines.
    inputs: str = ""
    #: Notes on selected values at an end of their grid, and whether nothing says that values beyond may be better.
    ends: Sequence[tuple[str, bool]] = ()

    def values(self, metric: str) -> list[float]:
        """Return a metric of every test part; NaN where it has none."""
        column = METRICS[metric].column_of("test")
        return [METRICS[metric].value(row) if column in row else nan for row in self.rows]


@dataclass(frozen=True)
class Comparison:
    """Methods and baselines on the same splits of one data set."""

    data: Described
    task: str
    protocol: str
    scaling: str
    #: The score that selects grid points and ranks methods.
    metric: str
    #: Those that have finished all splits.
    measured: list[Measured]
    #: What is to be known of the data when the scores are read.
    notes: Sequence[str] = ()

    @property
    def metrics(self) -> list[str]:
        """The metric that ranks, then the others that at least one method has."""
        names = dict.fromkeys([self.metric, *SHOWN[self.task]])
        return [name for name in names if any(not isnan(v) for one in self.measured for v in one.values(name))]

    @property
    def standings(self) -> list[Standing]:
        """The places, the best first."""
        ratios = [row["n_test"] / row["n_train"] for one in self.measured for row in one.rows if "n_train" in row]
        values = {one.name: one.values(self.metric) for one in self.measured}
        n_seeds = max(1, len(self.seeds))
        return standings(values, self.metric, fmean(ratios or [nan]), n_seeds)  # without ratios there is no interval

    @property
    def seeds(self) -> list[int]:
        """The seeds of the splits."""
        return list(dict.fromkeys(row["seed"] for one in self.measured for row in one.rows if "seed" in row))

    def losses(self) -> dict[str, float]:
        """Return the mean of the ranking metric of every method, with the sign that makes a small value good."""
        sign = -1.0 if METRICS[self.metric].larger_is_better else 1.0
        return {one.name: sign * mean_and_deviation(one.values(self.metric))[0] for one in self.measured}

    def rows_of_splits(self) -> list[dict[str, Any]]:
        """Return one row for each method and test part, with all metrics."""
        return [
            {
                **self._head(one),
                "run": one.runs[0] if len(one.runs) == 1 else "",
                "seed": row.get("seed", ""),
                "split": row["split"],
                "n_train": row.get("n_train", ""),
                "n_test": row.get("n_test", ""),
                **{name: _cell(one.values(name)[i]) for name in self.metrics},
                "gap": row.get("gap", ""),
                "status": row.get("status", ""),
                "selected": one.selected[i] if one.selected else "",
            }
            for one in self.measured
            for i, row in enumerate(one.rows)
        ]

    def ranking(self) -> list[dict[str, Any]]:
        """Return one row for each method, the best first."""
        by_name = {one.name: one for one in self.measured}
        return [self._ranked(by_name[place.name], place) for place in self.standings]

    def _ranked(self, one: Measured, place: Standing) -> dict[str, Any]:
        row = {"rank": place.rank, **self._head(one), "select_by": self.metric}
        for name in self.metrics:
            mean, std, _ = mean_and_deviation(one.values(name))
            row |= {f"{name}_mean": _cell(mean), f"{name}_std": "" if std is None or isnan(mean) else std}
        solved = [row for row in one.rows if "gap" in row]
        return {
            **row,
            "interval_low": _cell(place.low),
            "interval_high": _cell(place.high),
            "p_holm": _cell(place.p_value),
            "not_distinguished_from_best": place.tied,
            "n_splits": len(one.rows),
            "n_selected_not_optimal": len(not_optimal(solved)) if solved else "",
            "largest_selected_gap": largest_gap(solved) if solved else "",
            "cpu_seconds": _cell(round(one.cpu_seconds, 3)),
            "selected": " | ".join(dict.fromkeys(one.selected)),
            "runs": " ".join(one.runs),
        }

    def _head(self, one: Measured) -> dict[str, Any]:
        return {
            "dataset": self.data["name"],
            "sha256": self.data["sha256"][:12],
            "task": self.task,
            "protocol": self.protocol,
            "scaling": self.scaling,
            "method": one.name,
            "kind": one.kind,
        }


def _cell(value: float) -> float | str:
    """Return a number for a table, and nothing for one that is not defined."""
    return "" if isnan(value) else value


def over_all(comparisons: Sequence[Comparison]) -> tuple[list[str], Ranks] | None:
    """Return the ranks of the methods that all data sets have, if there are `FEWEST` of both."""
    losses = [comparison.losses() for comparison in comparisons]
    names = [name for name in losses[0] if all(name in other for other in losses)]
    if len(comparisons) < FEWEST or len(names) < FEWEST:
        return None
    return names, ranks_over(np.array([[one[name] for name in names] for one in losses]))
