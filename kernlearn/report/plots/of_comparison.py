"""Pictures of a comparison from its tables: the ranking, the scores of every split, and mean ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite, nan

import numpy as np

from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, Metric
from kernlearn.evaluation.comparison import LEVEL, Ranks, ranks_over
from kernlearn.report.plots.of_run import strips
from kernlearn.report.plots.picture import Axis, Bars, Picture
from kernlearn.report.plots.stored import Lacking, mean_std
from kernlearn.report.targets import Target
from kernlearn.runner.store.tables import read_csv

#: A value is drawn as an arrow if it is so many times the range of the others away from them, of at least so many.
_FAR, _FEWEST = 1.0, 4
#: Fewest data sets and methods whose ranks are compared.
FEWEST = 3
_COLUMNS = ("dataset", "method", "kind", "select_by", "interval_low", "interval_high", "tied_with_best")

Row = Mapping[str, str]


def _ranking_of(target: Target) -> tuple[Metric, dict[str, list[Row]]]:
    """Return the metric that ranks, and the rows of every data set, the best method first."""
    path = target.path / "ranking.csv"
    datasets: dict[str, list[Row]] = {}
    for row in read_csv(path, _COLUMNS):
        datasets.setdefault(row["dataset"], []).append(row)
    if not datasets:
        raise UserError(f"{path}: has no rows, so there is nothing to show")
    name = next(iter(datasets.values()))[0]["select_by"]
    if name not in METRICS:
        raise UserError(f"{path}: damaged (no metric {name})")
    return METRICS[name], datasets


def _number(text: str) -> float:
    try:
        return float(text) if text else nan
    except ValueError:
        return nan


def _label(metric: Metric) -> str:
    return f"test {metric.title} {metric.unit}".strip()


def _baselines(rows: Sequence[Row]) -> str:
    names = [row["method"] for row in rows if row["kind"] == "baseline"]
    return f" Baselines: {', '.join(names)}." if names else ""


def _far(values: Sequence[float], ends: Sequence[float]) -> bool:
    """Return whether the last value is so far from all others that these could not be told apart beside it."""
    others = [value for value in (*values[:-1], *ends) if isfinite(value)]
    if len(values) < _FEWEST or not isfinite(values[-1]) or not others:
        return False
    low, high = min(others), max(others)
    return max(values[-1] - high, low - values[-1]) > _FAR * (high - low)


def ranking(target: Target) -> list[Picture]:
    """Return the means of all methods with their intervals, a picture for each data set."""
    metric, datasets = _ranking_of(target)
    top = 100.0 if metric.unit == "%" else np.inf
    pictures = list[Picture]()
    for name, rows in datasets.items():
        means = [_number(row.get(f"{metric.name}_mean", "")) for row in rows]
        low = [max(_number(row["interval_low"]), 0.0 if isfinite(top) else -np.inf) for row in rows]
        high = [min(_number(row["interval_high"]), top) for row in rows]
        tied = [row["method"] for row in rows[1:] if row["tied_with_best"] == "True"]
        best = rows[0]["method"]
        if len(tied) == len(rows) - 1:
            said = f"No method can be distinguished from {best}, which has the best mean."
        elif tied:
            said = f"{best} has the best mean; {', '.join(tied)} cannot be distinguished from it."
        else:
            said = f"{best} is better than all others."
        words = (
            f"{said} Lines are 95 % intervals of the mean, from the corrected resampled t-test; differences are tested "
            f"with Holm's rule.{_baselines(rows)}"
        )
        title = f"{_label(metric)[:1].upper()}{_label(metric)[1:]} of {len(rows)} methods on {name}"
        ends = {"low": low, "high": high} if any(map(isfinite, low)) else {}
        known = [value for value in (*low[:-1], *high[:-1], *means[:-1]) if isfinite(value)]
        limits = None
        if _far(means, [*low[:-1], *high[:-1]]):
            room = 0.05 * (max(known) - min(known))
            limits = (min(known) - room, max(known) + room)
            words += f" {rows[-1]['method']} is beyond the axis."
        x, names = Axis(_label(metric), limits=limits), [row["method"] for row in rows]
        pictures.append(Bars("ranking", title, x, names, means, **ends, dots=True, reference=means[0], words=words))
    return pictures


def splits(target: Target) -> list[Picture]:
    """Return the scores of all methods on every split, the best method first, a picture for each data set."""
    metric, datasets = _ranking_of(target)
    scores: dict[tuple[str, str], list[float]] = {}
    for row in read_csv(target.path / "splits.csv", ("dataset", "method", "split", metric.name)):
        scores.setdefault((row["dataset"], row["method"]), []).append(_number(row[metric.name]))
    pictures = list[Picture]()
    for name, rows in datasets.items():
        values = {row["method"]: scores.get((name, row["method"]), []) for row in rows}
        means = [mean_std([value for value in row if isfinite(value)])[0] for row in values.values()]
        left_out = ""
        if _far(means, [value for row in list(values.values())[:-1] for value in row]):
            last, _ = values.popitem()
            left_out = f" {last} has a mean of {means[-1]:.4g} and is left out."
        title = f"{_label(metric)[:1].upper()}{_label(metric)[1:]} of every split: {name}"
        n = max(map(len, values.values()))
        found = strips("splits", title, _label(metric), values, n)
        pictures.append(replace(found, words=f"{found.words}{left_out}{_baselines(rows)}"))
    return pictures


def ranks(target: Target) -> list[Picture]:
    """Return the mean ranks over several data sets, with intervals that tell which methods differ."""
    metric, datasets = _ranking_of(target)
    means = [{row["method"]: _number(row.get(f"{metric.name}_mean", "")) for row in rows} for rows in datasets.values()]
    names = [name for name in means[0] if all(isfinite(one.get(name, nan)) for one in means)]
    if len(means) < FEWEST or len(names) < FEWEST:
        raise Lacking(f"it needs at least {FEWEST} data sets and {FEWEST} methods that all of them have")
    sign = -1.0 if metric.larger_is_better else 1.0
    found = ranks_over(np.array([[sign * one[name] for name in names] for one in means]))
    return [ranks_picture(names, found, len(means))]


def ranks_picture(names: Sequence[str], ranks: Ranks, n_datasets: int) -> Bars:
    """Return mean ranks, each with an interval as long as the critical difference.

    The intervals of two methods do not overlap where their mean ranks differ by at least the critical difference, so
    that Nemenyi's test distinguishes them.

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.2.2.
    """
    order = sorted(range(len(names)), key=lambda i: float(ranks.mean[i]))
    half = ranks.critical_difference / 2
    mean = [float(ranks.mean[i]) for i in order]
    if ranks.p_value > LEVEL:
        said = "Friedman's test does not distinguish the methods as a whole, so differences of pairs mean nothing."
    else:
        said = "Methods whose lines do not overlap are distinguished by Nemenyi's test at 5 %."
    words = (
        f"{said} Friedman's test (Iman and Davenport): p {ranks.p_value:.3g}. Each line is as long as the critical "
        f"difference, {ranks.critical_difference:.2f}. Rank 1 is the best."
    )
    return Bars(
        "ranks",
        f"Mean ranks of {len(names)} methods on {n_datasets} data sets",
        Axis("mean rank"),
        [names[i] for i in order],
        mean,
        [rank - half for rank in mean],
        [rank + half for rank in mean],
        dots=True,
        words=words,
    )
