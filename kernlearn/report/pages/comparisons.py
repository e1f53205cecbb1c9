"""The part of a page that shows a comparison: its ranking with tests, what was selected, and what was left out."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kernlearn.evaluation import METRICS
from kernlearn.evaluation.metrics import digits_of
from kernlearn.report.comparison.scores import Comparison
from kernlearn.report.comparison.stored import StoredComparison, read_comparison
from kernlearn.report.comparison.tables import (
    INEXACT,
    LEGEND,
    OF_INEXACT,
    as_sentence,
    at_ends,
    ends_in_words,
    is_open,
    listed,
    no_better,
    nothing_learnt,
    optimism,
    protocol_words,
    rank_table,
    rank_words,
    selection_table,
    table_of,
    to_distinguish,
    untested,
    words_of,
)
from kernlearn.report.pages.marks import Reason
from kernlearn.report.pages.page import Head, Part, Sheet
from kernlearn.report.pages.provenance import environments, in_words
from kernlearn.report.pages.steps import steps_of_comparison, where_it_ran
from kernlearn.report.plots.kinds import pictures_of
from kernlearn.report.plots.svg import figure
from kernlearn.report.summary import largest_gap, nothing_proved, reports_own_gap, why_unproved
from kernlearn.report.targets import Target
from kernlearn.report.terminal import capitalised, mean_std
from kernlearn.runner.provenance.record import uncommitted

#: So many methods that were left out are named at the top.
NAMED = 5
#: Columns of the ranked table with words.
WORDS = ("method", "95 % interval", "against the best")


class OnData(NamedTuple):
    """The comparison on one data set."""

    name: str
    data: str
    protocol: str
    ranking: Sheet
    words: list[str]
    notes: list[str]
    selected: Sheet | None
    #: Which selected values are at an end of their grid.
    ends: list[str]


def comparison_part(target: Target) -> Part:
    """Return the part of a page that shows a comparison.

    Raises `UserError` if its files are damaged.
    """
    from markupsafe import Markup

    stored = read_comparison(target.path)
    names = ", ".join(one.data["name"] for one in stored.comparisons)
    ranks = rank_table(*stored.ranked) if stored.ranked else None
    return Part(
        f"Comparison of methods on {names}",
        f"comparison-{target.name}",
        "comparison.html",
        " ".join(map(_result, stored.comparisons)),
        _trust(stored),
        steps_of_comparison(stored, target.path),
        {
            "name": target.name,
            "command": where_it_ran(stored.command, target.path.resolve().parents[1]),
            "on_data": [_on_data(one) for one in stored.comparisons],
            "ranks": _sheet("Mean ranks over all data sets", *ranks) if ranks else None,
            "rank_words": [_sentence(words) for words in rank_words(len(stored.comparisons), stored.ranked[1])]
            if stored.ranked
            else [],
            "legend": [f"{words}." for words in LEGEND],
            "pictures": [Markup(figure(one)) for one in pictures_of(target)],
            "left_out": list(stored.left_out.items()),
            "environments": environments(stored.record),
        },
        starts=str(Path.cwd()),
    )


def _sentence(words: str) -> str:
    return f"{capitalised(words)}."


def _sheet(caption: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> Sheet:
    return Sheet(caption, [Head(title, title not in (*WORDS, "groups")) for title in headers], rows)


def _result(comparison: Comparison) -> str:
    """Return the best method, its score, which methods cannot be distinguished from it, and how honest the score is."""
    if not comparison.standings:
        return f"No method has finished on {comparison.data['name']}."
    best, metric = comparison.standings[0], METRICS[comparison.metric]
    unit = f" {metric.unit}" if metric.unit else ""
    score = mean_std(best.mean, None, digits_of(metric.name, best.mean, best.std))
    equal = [place.name for place in comparison.standings if place.rank == 1]
    who = f"{best.name} is best" if len(equal) == 1 else f"{listed(equal)} are equally good and best"
    words = f"On {comparison.data['name']}, {who}, with a test {metric.title} of {score}{unit}"
    if len(comparison.standings) == 1:
        return f"{words}; no other method has finished."
    others = [place for place in comparison.standings if place.rank > 1]
    left = [place.name for place in others if is_open(place)]
    if left:
        if len(left) == len(others):
            names = "no other method can"
        else:
            names = f"{len(left)} others cannot" if len(left) > 2 else f"{' and '.join(left)} cannot"
        words += f", but {names} be distinguished from {best.name if len(equal) > 1 else 'it'}"
    elif not any(place.agrees for place in others):
        rest = "better than all others" if others else "all that have finished"
        words += f"; {'it is' if len(equal) == 1 else 'they are'} {rest}"
    more = no_better(comparison), nothing_learnt(comparison), untested(comparison), optimism(comparison)
    return " ".join([f"{words}.", *map(_sentence, filter(None, more))])


def _trust(stored: StoredComparison) -> list[Reason]:
    """Return the reasons to trust the ranking, and those not to."""
    reasons = [
        Reason(True, "No test row took part in the choice of hyper-parameters, and all methods have the same splits.")
    ]
    for one in stored.comparisons:
        ranking = one.ranking()
        proving = [row for row in ranking if not why_unproved(str(row["method"]))]
        inexact = [str(row["method"]) for row in proving if row["n_selected_not_optimal"]]
        if inexact:
            reasons.append(Reason(False, f"Some selected solutions of {', '.join(inexact)} are not proved optimal."))
        solved = [row for row in proving if row["largest_selected_gap"] != ""]
        if solved and not inexact:
            largest = f"{abs(largest_gap(solved, 'largest_selected_gap')):.1e}"
            names = ", ".join(str(row["method"]) for row in solved)
            words = f"The selected solutions of {names} are proved optimal on their training rows"
            own = [str(row["method"]) for row in solved if reports_own_gap(str(row["method"]))]
            reported = f", as reported by the method itself of {', '.join(own)}" if own else ""
            reasons.append(Reason(True, f"{words}, up to a relative {largest}{reported}."))
        unproved = nothing_proved({str(row["method"]): str(row["method"]) for row in ranking})
        reasons += [Reason(False, f"{capitalised(words)}.") for words in unproved]
        if words := to_distinguish(one):
            where = f"{one.data['name']}: " if len(stored.comparisons) > 1 else ""
            reasons.append(Reason(False, f"{where}{as_sentence(words, one)}"))
        reasons += [Reason(settled, f"{capitalised(words)}, see below.") for words, settled in at_ends(one)]
        reasons += [Reason(False, _sentence(note)) for note in one.notes]
    if stored.left_out:
        absent = [name for names in stored.left_out for name in names.split(", ")]
        some = f": {', '.join(absent)}" if len(absent) <= NAMED else f" ({len(absent)})"
        reasons.append(Reason(False, f"Methods were left out, see below{some}."))
    try:
        words = uncommitted(stored.record)
    except (LookupError, TypeError, AttributeError):
        words = "The record of what computed these numbers is of another format"
    return [*reasons, *([Reason(False, f"{words}.")] if words else [])]


def _on_data(comparison: Comparison) -> OnData:
    headers, rows = table_of(comparison)
    inexact = any(INEXACT in row[1] for row in rows)
    ranking = Sheet(
        f"Ranking on {comparison.data['name']}",
        [Head(title, title not in WORDS) for title in headers[1:2] + headers[:1] + headers[2:]],
        [[row[1], row[0], *row[2:]] for row in rows],
        note=f"{OF_INEXACT}." if inexact else "",
    )
    has_choices = any(one.selected for one in comparison.measured)
    return OnData(
        comparison.data["name"],
        in_words(comparison.data),
        protocol_words(comparison),
        ranking,
        [as_sentence(words, comparison) for words in words_of(comparison)[:1]],  # the rest is at the top
        [_sentence(note) for note in comparison.notes],
        _selected(comparison) if has_choices else None,
        [f"{words}." for words in ends_in_words(comparison)],
    )


def _selected(comparison: Comparison) -> Sheet:
    headers, rows = selection_table(comparison)
    heads = [Head(title, number=False) for title in headers]
    return Sheet(f"What was selected on {comparison.data['name']}", heads, rows)
