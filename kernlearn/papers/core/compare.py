"""Printed values beside ours, and the verdict.

**The rule.** A paper prints a mean over splits of the data. If the authors did everything once more they would get
another mean: other examples test, and other parameters are chosen. We do it P times, and so have P repetitions with
mean M and standard deviation s. What is one repetition is said by the table (`kernlearn.papers.core.units`): all splits
that share something which is drawn or chosen once. If the printed mean is over q repetitions from the same
distribution, it lies with probability L in the predictive interval ::

    M +- ( max( t_{P-1}((1 + L) / 2) * s * sqrt(1/q + 1/P),  u )  +  h )

with Student's t on P - 1 degrees of freedom.

- ``inside``: within the interval of L = 95 %, as 19 of 20 cells are that reproduce;
- ``near``: within that of L = 99.9 %, beyond which fewer than 1 in 20 tables of fifty cells that reproduce has a cell;
- ``outside, lower`` and ``outside, higher``: beyond; ours is the lower or the higher one. Which of them is welcome is
  not for this rule to say.

q is 1 where all splits of the paper belong to one partition or share one sample, and 30 where the paper averages over
30 splits that each draw and choose by themselves. h is half a unit of the last printed digit, because the printed value
is rounded. u is the smallest step of the printed mean, one example of a count or an error rate: where all our
repetitions agree, s is 0, and yet a single example may differ.

The printed standard deviation is one over the splits of the paper. It does not say how far its mean moves where these
share something, and the rule does not use it: that it is 0, or not printed, changes nothing. There is no verdict from
fewer than five repetitions (``too few``), where the data are a stand-in, and on a further reading that alters what is
printed or was chosen after the printed numbers had been seen.

Student's interval is for normal numbers. What jumps with the chosen grid point, as counts of support vectors, is not:
of our own such counts, each judged by the other partitions, one in a hundred is beyond the interval of 99.9 %.
"""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite, nan, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from kernlearn.papers.core.index import DIRECTORIES, papers, places, roots
from kernlearn.papers.own.files import read_printed
from kernlearn.runner.cell.cell import Experiment

#: Probabilities of the predictive intervals.
INSIDE, NEAR = 0.95, 0.999
#: Fewer repetitions say too little of their spread.
FEWEST = 5
TOO_FEW = "too few"


@dataclass(frozen=True)
class PrintedValue:
    """One cell of a printed table."""

    paper: str
    table: str
    setting: str
    mean: float
    #: As printed, over the splits of the paper.
    std: float | None
    #: After the point of the printed mean.
    digits: int


class Verdict(NamedTuple):
    """A verdict, and the predictive interval of 95 % it comes from (nan where there is none)."""

    word: str
    low: float = nan
    high: float = nan


def printed_values(experiment: Experiment, label: str, selected_by: str = "error_pct") -> dict[str, PrintedValue]:
    """Return the printed value of every metric of an experiment, empty if no paper has it.

    Which experiments are cells of a table is said by ``printed_dataset`` in the module of the table.

    Parameters
    ----------
    label : str
        The algorithm's name in tables.
    selected_by : str
        The validation score by which its grid point is chosen; the papers choose by the error.
    """
    # Points, losses or kernels of no paper.
    changed = experiment.limit is not None or experiment.class_weight is not None
    other = changed or "approximate" in experiment.kernel
    if selected_by != "error_pct" or other:
        return {}
    for name, dataset_of in _dataset_functions(tuple(roots())):
        dataset = dataset_of(experiment)
        if dataset and (cells := table_values(name, dataset, label)):
            return cells
    return {}


@cache
def _dataset_functions(of: tuple[tuple[str, Path], ...]) -> list[tuple[str, Callable[[Experiment], str]]]:
    """Return the tables of some packages with printed values, and the ``printed_dataset`` of each."""
    modules = ((name, place.module()) for name, place in places().items() if place.printed)
    functions = ((name, getattr(module, "printed_dataset", None)) for name, module in modules)
    return [(name, function) for name, function in functions if function]


def table_values(table: str, dataset: str, algorithm: str, setting: str = "") -> dict[str, PrintedValue]:
    """Return the printed value of every metric of one cell of a table; empty if the table has no such cell.

    `setting` is how the setting of the cell begins, where a table has several, as regression and classification.
    """
    return cell_values(printed_rows(table), dataset, algorithm, setting)


def cell_values(
    rows: Sequence[Mapping[str, str]], dataset: str, algorithm: str, setting: str = ""
) -> dict[str, PrintedValue]:
    """Return the same from the rows of a table (`printed_rows`)."""
    return {
        row["metric"]: PrintedValue(
            row["paper"],
            row["table"],
            row["setting"],
            float(row["mean"]),
            float(row["std"]) if row["std"] else None,
            len(row["mean"].partition(".")[2]),
        )
        for row in rows
        if (row["dataset"], row["algorithm"]) == (dataset, algorithm)
        and row["setting"].startswith(setting)
        and row["mean"]  # some are lost in the source
    }


def judge(ours: Sequence[float], printed: PrintedValue, n_printed: int = 1, step: float = 0.0) -> Verdict:
    """Judge a printed mean by our distribution of such means: the rule at the head of this module.

    Parameters
    ----------
    ours : sequence of float, shape (P,)
        Our value of every repetition.
    printed : PrintedValue
    n_printed : int
        The number of repetitions whose mean is printed (q).
    step : float
        The smallest step of the printed mean (u), 0 for a measure that is continuous.

    Returns
    -------
    Verdict
        ``inside``, ``near``, ``outside, lower``, ``outside, higher`` or ``too few``; without a word where
        ours is not a number.
    """
    if not all(map(isfinite, ours)):
        return Verdict("")
    if len(ours) < FEWEST:
        return Verdict(TOO_FEW)
    mean = fmean(ours)
    inside, near = (_half_width(ours, level, n_printed, step) + _rounding(printed) for level in (INSIDE, NEAR))
    distance = abs(mean - printed.mean)
    outside = "outside, lower" if mean < printed.mean else "outside, higher"
    word = "inside" if distance <= inside else "near" if distance <= near else outside
    return Verdict(word, mean - inside, mean + inside)


def _half_width(ours: Sequence[float], level: float, n_printed: int, step: float) -> float:
    from scipy.special import stdtrit  # takes a while to import

    t = float(stdtrit(len(ours) - 1, (1 + level) / 2))
    return max(t * stdev(ours) * sqrt(1 / n_printed + 1 / len(ours)), step)


def _rounding(printed: PrintedValue) -> float:
    """Return half a unit of the last printed digit, and what a mean in binary floating point may be off."""
    return 0.5 * 10.0**-printed.digits + 1e-9 * max(1.0, abs(printed.mean))


def printed_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of the printed values ``<paper>/<table>``, or of another CSV file of a paper."""
    paper, _, table = name.partition("/")
    if directory := DIRECTORIES.get(paper):
        return read_printed(directory / f"{table}.csv")
    return read_rows(next(path for _, directory in papers()[paper] for path in directory.rglob(f"{table}.csv")))


#: What every row of printed values has.
COLUMNS = ("paper", "table", "dataset", "setting", "algorithm", "metric", "mean", "std", "marker", "note")


@cache
def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file that comes with a paper."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
