"""Pictures of a comparison from its tables: the ranking, the scores of every split, and mean ranks."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from kernlearn.evaluation import METRICS
from kernlearn.evaluation.comparison import LEVEL, Ranks
from kernlearn.evaluation.metrics import mean_and_deviation
from kernlearn.report.comparison.scores import BASELINE, FEWEST, Comparison
from kernlearn.report.comparison.stored import read_comparison
from kernlearn.report.comparison.tables import as_sentence, words_of
from kernlearn.report.plots.of_run import in_digits, strips
from kernlearn.report.plots.picture import Axis, Bars, Picture
from kernlearn.report.plots.stored import Lacking
from kernlearn.report.targets import Target
from kernlearn.report.terminal import capitalised

#: A value is far if it is so many times the range of the others away from them, of at least so many values.
_FAR, _FEWEST_VALUES = 1.0, 4


def ranking(target: Target) -> list[Picture]:
    """Return the means of all methods with their intervals, a picture for each data set."""
    return [_ranking(one) for one in read_comparison(target.path).comparisons if one.standings]


def _ranking(comparison: Comparison) -> Bars:
    places = comparison.standings
    means = [place.mean for place in places]
    low, high = [place.low for place in places], [place.high for place in places]
    said = " ".join(as_sentence(words, comparison) for words in words_of(comparison))
    words = (
        f"{said} Lines are 95 % intervals of the mean, from the corrected resampled t-test; differences are tested "
        f"with Holm's rule.{_baselines(comparison)}"
    )
    limits, ends = None, [*low[:-1], *high[:-1]]
    if _is_far(means, ends):
        known = [value for value in (*means[:-1], *ends) if isfinite(value)]
        room = 0.05 * (max(known) - min(known))
        limits = (min(known) - room, max(known) + room)
        words += f" Beyond the axis: {places[-1].name}."
    label = METRICS[comparison.metric].words
    title = f"{capitalised(label)} of {len(places)} methods on {comparison.data['name']}"
    axis, names = Axis(label, limits=limits), [place.name for place in places]
    has = any(isfinite(place.low) for place in places)
    low, high = (low, high) if has else ([], [])
    return Bars("ranking", title, axis, names, means, low, high, dots=True, reference=means[0], words=words)


def _baselines(comparison: Comparison) -> str:
    names = [one.name for one in comparison.measured if one.kind == BASELINE]
    return f" Baselines: {', '.join(names)}." if names else ""


def _is_far(means: Sequence[float], others: Sequence[float]) -> bool:
    """Return whether the last mean is so far from all others that these could not be told apart beside it."""
    known = [value for value in (*means[:-1], *others) if isfinite(value)]
    if len(means) < _FEWEST_VALUES or not isfinite(means[-1]) or not known:
        return False
    low, high = min(known), max(known)
    return max(means[-1] - high, low - means[-1]) > _FAR * (high - low)


def splits(target: Target) -> list[Picture]:
    """Return the scores of all methods on every split, the best method first, a picture for each data set."""
    return [_splits(one) for one in read_comparison(target.path).comparisons if one.standings]


def _splits(comparison: Comparison) -> Picture:
    metric, label = METRICS[comparison.metric], METRICS[comparison.metric].words
    by_name = {one.name: one.values(comparison.metric) for one in comparison.measured}
    values = {place.name: by_name[place.name] for place in comparison.standings}
    means = [mean_and_deviation(scores)[0] for scores in values.values()]
    left_out = ""
    if _is_far(means, [value for scores in list(values.values())[:-1] for value in scores]):
        name, _ = values.popitem()
        left_out = f" Left out: {name}, with a mean of {in_digits(metric, means[-1])}."
    title = f"{capitalised(label)} of every split: {comparison.data['name']}"
    found = strips(metric, title, label, values, max(map(len, values.values())))
    return replace(found, words=f"{found.words}{left_out}{_baselines(comparison)}")


def ranks(target: Target) -> list[Picture]:
    """Return the mean ranks over several data sets, with intervals that tell which methods differ."""
    stored = read_comparison(target.path)
    if stored.ranked is None:
        raise Lacking(f"it needs at least {FEWEST} data sets and {FEWEST} methods that all of them have")
    return [ranks_picture(*stored.ranked, len(stored.comparisons))]


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
