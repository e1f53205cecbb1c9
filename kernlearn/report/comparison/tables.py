"""The ranked table of a comparison and what is said about it, for the terminal and for the page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from kernlearn.evaluation import METRICS
from kernlearn.evaluation.comparison import LEVEL, MANY_SEEDS, NO_TEST, Ranks, Standing, cliques
from kernlearn.evaluation.metrics import digits_of, rounded
from kernlearn.report.comparison.scores import BASELINE, METHOD, Comparison
from kernlearn.report.summary import nothing_proved, why_unproved
from kernlearn.report.terminal import capitalised, mean_std
from kernlearn.runner.plan.baseline import MAJORITY, MEAN

#: Marks a method if some of its selected solutions are not proved optimal.
INEXACT = "*"
OF_INEXACT = f"{INEXACT}: some selected solutions are not proved optimal"
#: So many different selections of a method are listed.
LISTED = 3
#: The baselines that predict the same for every row.
CONSTANTS = (MAJORITY, MEAN)
#: What the columns mean.
LEGEND = (
    "mean (std) over the test parts where the score is defined; the interval of the mean is that of the corrected "
    "resampled t-test, and there is none where all test parts agree",
    f"p: that test against the best method, adjusted by Holm for all these comparisons; "
    f"methods with p > {LEVEL:g} are not distinguished",
)


def table_of(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return headers and lines of the ranked table."""
    first, *others = comparison.metrics
    titles = [f"{METRICS[name].title} {METRICS[name].unit}".strip() for name in (first, *others)]
    headers = ["rank", "method", titles[0], "95 % interval", *titles[1:], "against the best", "CPU s"]
    lines = []
    for place, row in zip(comparison.standings, comparison.ranking(), strict=True):
        mark = INEXACT if row["n_selected_not_optimal"] and not why_unproved(place.name) else ""
        digits = digits_of(first, place.mean, place.std)
        lines.append(
            [
                str(place.rank),
                place.name + mark,
                mean_std(place.mean, place.std, digits),
                "" if isnan(place.low) else f"{rounded(place.low, digits)} to {rounded(place.high, digits)}",
                *(_mean(row, name) for name in others),
                _against(place),
                "" if row["cpu_seconds"] == "" else f"{row['cpu_seconds']:.1f}",
            ]
        )
    return headers, lines


def unproved_words(comparison: Comparison, lines: Sequence[Sequence[str]]) -> list[str]:
    """Return what is not proved of the selected solutions, in words; `lines` are those of `table_of`."""
    starred = [OF_INEXACT] if any(INEXACT in line[1] for line in lines) else []
    return [*starred, *nothing_proved({place.name: place.name for place in comparison.standings})]


def selection_table(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return headers and lines of the inputs and the selected values of the methods, the best first."""
    measured, lines = {one.name: one for one in comparison.measured}, []
    for place in comparison.standings:
        one = measured[place.name]
        if one.selected:
            counts = Counter(one.selected)
            words = [f"{values or 'nothing to choose'} ({count})" for values, count in counts.most_common(LISTED)]
            left = len(counts) - LISTED
            more = f", and {left} other{'s' * (left > 1)}" if left > 0 else ""
            lines.append([one.name, one.inputs, ", ".join(words).replace(";", " ") + more])
    return ["method", "inputs", "selected values (test parts)"], lines


def ends_in_words(comparison: Comparison) -> list[str]:
    """Return which methods have selected values at an end of their grid, the best first."""
    measured = {one.name: one for one in comparison.measured}
    return [f"{place.name}: {note}" for place in comparison.standings for note, _ in measured[place.name].ends]


def at_ends(comparison: Comparison) -> list[tuple[str, bool]]:
    """Return which methods have selected values at an end of their grid, in words, and whether nothing is open.

    First come those where values beyond the grid may be better.
    """
    open_, settled = list[str](), list[str]()
    for one in comparison.measured:
        if one.ends:
            (settled if all(is_settled for _, is_settled in one.ends) else open_).append(one.name)
    words = []
    if open_:
        words.append((f"values beyond the grid of {', '.join(open_)} may be better", False))
    if settled:
        what = f"selected values of {', '.join(settled)} are at an end of their grid"
        words.append((f"{what}, and nothing says that values beyond are better", True))
    return words


def protocol_words(comparison: Comparison) -> str:
    """Return how the methods were compared."""
    if comparison.scaling in ("none", "unit"):
        scaled = f"Scaling {comparison.scaling} depends on no other row"
    else:
        scaled = (
            f"Scaling {comparison.scaling} is learned from the rows that a model is trained on, "
            "and then applied to the rows that it predicts"
        )
    return (
        f"Protocol {comparison.protocol}, seed {', '.join(map(str, comparison.seeds))}. {scaled}. Hyper-parameters are "
        f"selected by {comparison.metric} on validation parts of the training rows. No test row takes part in either."
    )


def _mean(row: Mapping[str, Any], name: str) -> str:
    mean, std = row[f"{name}_mean"], row[f"{name}_std"]
    return "" if mean == "" else rounded(mean, digits_of(name, mean, std or None))


def _against(place: Standing) -> str:
    if place.agrees:
        return "no test"
    if place.equal:
        return "same scores"
    if isnan(place.p_value):
        return "best" if place.rank == 1 else ""
    p = f"{place.p_value:.3f}" if place.p_value >= 0.001 else "<0.001"
    return f"{'not distinguished' if place.tied else 'worse'}, p {p}"


def optimism(comparison: Comparison) -> str:
    """Return that the score of the best method is optimistic, in words; empty if there was nothing to pick from."""
    places = comparison.standings
    best = [place.name for place in places if place.rank == 1]
    if len(best) == len(places):
        return ""
    n_baselines = sum(one.kind == BASELINE for one in comparison.measured)
    whose = "its score here is" if len(best) == 1 else "their scores here are"
    return (
        f"the test rows picked {listed(best)} as the best of {len(places)} ({n_baselines} of them baselines), so "
        f"{whose} optimistic"
    )


def further_seeds(comparison: Comparison) -> str:
    """Return `MANY_SEEDS` seeds, as ``seed=`` takes them; empty if there are so many that further ones hardly help."""
    seeds = comparison.seeds
    return f"range({min(seeds)},{min(seeds) + MANY_SEEDS})" if 0 < len(seeds) < MANY_SEEDS else ""


def separable(place: Standing) -> bool:
    """Return whether `further_seeds` can tell a method from the best one, if the measured differences stay.

    If its `p_limit` is above the level, they cannot: all partitions share the rows.
    """
    return is_open(place) and not place.p_limit > LEVEL


def is_open(place: Standing) -> bool:
    """Return whether a test was made that does not distinguish a method from the best one, and they are not equal."""
    return place.tied and place.rank > 1 and not place.equal and not place.agrees


def untested(comparison: Comparison) -> str:
    """Return which methods no test compares with the best one, and why, in words; empty if there are none."""
    best, *others = comparison.standings
    names = [place.name for place in others if place.agrees]
    return f"no test compares {listed(names)} with {best.name}: {NO_TEST.format(parts='test')}" if names else ""


def to_distinguish(comparison: Comparison) -> str:
    """Return what can tell those methods from the best one that are not distinguished, in words; empty if all are."""
    best, *others = comparison.standings
    left = [place for place in others if is_open(place)]
    equal = [place.name for place in others if place.equal]
    open_ones, seeds = [place.name for place in left if separable(place)], further_seeds(comparison)
    said = []
    if open_ones and seeds:
        which = "the methods" if len(open_ones) == len(left) else ", ".join(open_ones)
        said.append(f"more seeds may distinguish {which}: 'seed={seeds}' has more test parts")
        if len(open_ones) < len(left):
            said.append("only more rows can distinguish the others")
    elif open_ones:
        said.append("more rows can distinguish more methods; further seeds hardly help, since all share the rows")
    elif left:
        why = f"{MANY_SEEDS} seeds are not enough for the measured differences, since all share the rows"
        said.append(f"only more rows can distinguish more methods: {why}")
    if equal:
        have = "have the same scores as" if len(equal) > 1 else "has the same scores as"
        said.append(f"{', '.join(equal)} {have} {best.name} in every test part")
    return "; ".join(said)


def listed(names: Sequence[str]) -> str:
    """Return names as ``a, b and c``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def nothing_learnt(comparison: Comparison) -> str:
    """Return that the best method is not distinguished from a baseline that learns nothing, in words.

    It is empty if it is, or is this baseline itself.
    """
    best, *others = comparison.standings
    place = next((one for one in others if one.name in CONSTANTS and is_open(one)), None)
    if place is None:
        return ""
    means = (mean_std(one.mean, None, digits_of(comparison.metric, one.mean, one.std)) for one in (best, place))
    unit = f" {METRICS[comparison.metric].unit}".rstrip()
    ours, other = (f"{mean}{unit}" for mean in means)
    return (
        f"not even the {place.name} ({other}), which learns nothing from the columns, is distinguished from "
        f"{best.name} ({ours})"
    )


def no_better(comparison: Comparison) -> str:
    """Return that no method is better than a baseline that learns nothing, in words; empty if one is, or none is known.

    Baselines that learn something may be better.
    """
    methods = {one.name for one in comparison.measured if one.kind == METHOD}
    best = next((place for place in comparison.standings if place.name in methods), None)
    constant = next((place for place in comparison.standings if place.name in CONSTANTS), None)
    if best is None or constant is None or best.rank < constant.rank:
        return ""
    unit = f" {METRICS[comparison.metric].unit}".rstrip()
    ours, other = (
        f"{mean_std(one.mean, None, digits_of(comparison.metric, one.mean, one.std))}{unit}" for one in (best, constant)
    )
    return (
        f"no method does better than the {constant.name} ({other}), which learns nothing from the columns: the best of "
        f"them, {best.name}, has {ours}"
    )


def words_of(comparison: Comparison) -> list[str]:
    """Return the result of a ranked table in words."""
    if len(comparison.standings) < 2:
        return []
    more = (
        *(no_better(comparison), to_distinguish(comparison), nothing_learnt(comparison)),
        *(untested(comparison), optimism(comparison)),
    )
    return list(filter(None, (who_is_best(comparison), *more)))


def who_is_best(comparison: Comparison) -> str:
    """Return which methods are best, and which others a test does not distinguish from them, in words."""
    places = comparison.standings
    best, others = [place.name for place in places if place.rank == 1], [place for place in places if place.rank > 1]
    left = [place.name for place in others if is_open(place)]
    if len(best) > 1:
        words = f"{listed(best)} are equally good and best"
    else:
        words = f"{best[0]} is best"
    if not others:
        return words
    if not left:
        if any(place.agrees for place in others):
            return words
        return f"{words}: better than all others" if len(best) > 1 else f"{best[0]} is better than all others"
    from_best = f"{best[0]}, the best here" if len(best) == 1 else best[0]
    if len(left) == len(others):
        which = f"no {'method' if len(best) == 1 else 'other method'} can be distinguished from {from_best}"
    else:
        which = f"{', '.join(left)} cannot be distinguished from {from_best}"
    return which if len(best) == 1 else f"{words}; {which}"


def as_sentence(words: str, comparison: Comparison) -> str:
    """Return words as a sentence; the name of a method at its beginning keeps its letters."""
    names = tuple(one.name for one in comparison.measured if one.kind == METHOD)
    return f"{words if words.startswith(names) else capitalised(words)}."


def rank_table(names: Sequence[str], ranks: Ranks) -> tuple[list[str], list[list[str]]]:
    """Return headers and lines of the mean ranks over several data sets, the best first."""
    groups = cliques(ranks.mean, ranks.critical_difference)
    lines = []
    for i in sorted(range(len(names)), key=lambda i: ranks.mean[i]):
        of = [str(number) for number, group in enumerate(groups, 1) if i in group]
        lines.append([names[i], f"{ranks.mean[i]:.2f}", ", ".join(of)])
    return ["method", "mean rank", "groups"], lines


def rank_words(n: int, ranks: Ranks) -> list[str]:
    """Return the tests on mean ranks in words."""
    difference, k = ranks.critical_difference, len(ranks.mean)
    words = [
        f"Friedman's test (Iman and Davenport) of {k} methods on {n} data sets: p {ranks.p_value:.3g}",
        f"methods share a group if their mean ranks differ by less than {difference:.2f} "
        f"(Nemenyi's test, {100 * LEVEL:g} %)",
    ]
    if difference > k - 1:
        words.append(f"no two mean ranks can differ by {difference:.2f}: more data sets would be needed")
    elif ranks.p_value > LEVEL:
        words.append("the methods as a whole are not distinguished, so differences of single pairs mean nothing")
    return words
