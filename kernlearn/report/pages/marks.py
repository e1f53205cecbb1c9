"""Verdicts, judgements and distances as a page shows them: a sign and words, so that nothing depends on colours.

All of a table, a figure or a paper together are reasons to trust its numbers, or not to.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from kernlearn.evaluation.comparison import LEVEL
from kernlearn.papers.checks.theorems import Standing
from kernlearn.papers.core.compare import INSIDE
from kernlearn.papers.core.measured import (
    CORRECTION_FAILS,
    CORRECTION_HOLDS,
    FAILS,
    HOLDS,
    NO_CLAIM,
    NOT_MEASURED,
    NOT_TESTABLE,
    OURS_FAILS,
    OURS_HOLDS,
    Claim,
)
from kernlearn.report.scorecard import OUTCOMES
from kernlearn.report.story import Story
from kernlearn.runner.engines.timing import counted
from kernlearn.runner.provenance.record import warning

#: Where a printed number is, by its outcome in the scorecard.
PLACES = {
    "inside": "inside the range of ours",
    "near": "near it",
    "outside": "outside",
    "no verdict": "without a verdict",
}
#: Between what a claim says and how it was tested.
SEPARATOR = ", "


class Mark(NamedTuple):
    """A judgement: its kind, which decides the colour, its sign and its words."""

    kind: str
    sign: str
    words: str

    @property
    def in_short(self) -> "Mark":
        """The mark without the reason why there is no verdict."""
        return self._replace(words=self.words.partition(":")[0])


class Reason(NamedTuple):
    """A reason to trust a result, or not to."""

    good: bool
    words: str


#: By verdict.
VERDICTS = {
    "inside": Mark("good", "✓", "inside"),
    "near": Mark("near", "≈", "near"),
    "outside, lower": Mark("bad", "▼", "outside, lower"),
    "outside, higher": Mark("bad", "▲", "outside, higher"),
}
#: By judgement of a claim.
JUDGEMENTS = {
    HOLDS: Mark("good", "✓", HOLDS),
    FAILS: Mark("bad", "✗", FAILS),
    CORRECTION_HOLDS: Mark("near", "✓", CORRECTION_HOLDS),
    CORRECTION_FAILS: Mark("bad", "✗", CORRECTION_FAILS),
    OURS_HOLDS: Mark("none", "✓", OURS_HOLDS),
    OURS_FAILS: Mark("bad", "✗", OURS_FAILS),
    NOT_TESTABLE: Mark("none", "?", NOT_TESTABLE),
    NOT_MEASURED: Mark("none", "–", NOT_MEASURED),
    NO_CLAIM: Mark("none", "·", "beside the claims"),
}


class Judged(NamedTuple):
    """A claim, what was found, and its mark."""

    words: str
    measured: str
    mark: Mark


def mark_of(row: Mapping[str, Any]) -> Mark:
    """Return the mark of a row of `kernlearn.report.reproduction.table_rows`."""
    word = str(row.get("verdict", ""))
    return VERDICTS.get(word, Mark("none", "–", f"no verdict{f': {word}' if word else ''}"))


class Stated(NamedTuple):
    """A claim that is checked in one or several ways."""

    #: What all checks have in common; empty if there is one.
    words: str
    checks: list[Judged]


def judged(claims: Iterable[Claim]) -> list[Stated]:
    """Return claims with their marks; claims in a row that differ in their last words, as in their test, are one."""
    stated = []
    for _, group in groupby(claims, key=lambda claim: claim[0].partition(SEPARATOR)[0]):
        known = list(group)
        common = _common([claim for claim, _, _ in known]) if len(known) > 1 else ""
        checks = [
            Judged(claim.removeprefix(f"{common}{SEPARATOR}"), found, JUDGEMENTS.get(word, Mark("none", "–", word)))
            for claim, found, word in known
        ]
        stated.append(Stated(common, checks))
    return stated


def _common(texts: Sequence[str]) -> str:
    """Return the parts with which texts begin, without the last part of any of them."""
    parts = [text.split(SEPARATOR) for text in texts]
    short = min(map(len, parts)) - 1
    n = next((i for i in range(short) if len({one[i] for one in parts}) > 1), short)
    return SEPARATOR.join(parts[0][:n])


def effect(row: Mapping[str, Any]) -> str:
    """Return the distance of our number from the printed one.

    It is in printed standard deviations (std), or in per cent of the printed number if none is printed. Without a
    printed number it is empty.
    """
    if "paper_mean" not in row:
        return ""
    if row["paper_std"]:
        return f"{_rounded(row['delta'] / row['paper_std'])} std"
    return f"{_rounded(100.0 * row['delta'] / abs(row['paper_mean']))} %" if row["paper_mean"] else ""


def _rounded(distance: float) -> str:
    """Return a distance with its sign, and none if it is nearly 0."""
    text = f"{distance:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def readings_in_words(counts: Mapping[str, int]) -> str:
    """Return the verdicts on printed numbers that only a further reading has; `counts` as of `only_by_readings`."""
    n = sum(counts.values())
    return f"by another reading, of {n} of those without a verdict, {where(Counter(counts))}" if n else ""


def where(counts: Mapping[str, int]) -> str:
    """Return how many printed numbers are inside, near or outside of the range of ours, in words."""
    first, *others = [f"{counts[key]} {place}" for key, place in PLACES.items() if counts[key]]
    *others, last = [first.replace(" ", " are ", 1), *others]
    return f"{', '.join(others)} and {last}" if others else last


def verdict_reasons(counts: Mapping[str, int]) -> list[Reason]:
    """Return how many printed numbers are in the 95 % intervals of ours; `counts` as of `count_cells`.

    It is a reason for the numbers unless more are beyond these intervals than a binomial test at 5 % allows for methods
    that are those of the paper.
    """
    n = sum(counts[word] for word in OUTCOMES[:-1])
    if not n:
        return []
    from scipy.special import bdtrc  # scipy.stats takes half a second to import

    beyond = n - counts["inside"]
    if not beyond:
        return [
            Reason(True, f"All {n} printed numbers with a verdict are inside." if n > 1 else "The number is inside.")
        ]
    found = f"{counts['inside']} inside, {counts['near']} near and {counts['outside']} outside"
    words = f"The verdicts on {counted(n, 'printed number')} are {found}"
    share = f"the 95 % intervals exclude {beyond} of {n}, or {100 * beyond / n:.0f} %"
    allowed = float(bdtrc(beyond - 1, n, 1.0 - INSIDE)) > LEVEL
    return [Reason(allowed, f"{words}: {share}. Of methods that are those of the paper they exclude about 5 %.")]


def reading_reason(outside: int) -> Reason:
    """Return that printed numbers without a verdict are outside by another reading."""
    many = "numbers are" if outside > 1 else "number is"
    return Reason(False, f"By another reading, {outside} printed {many} outside that would have no verdict otherwise.")


def claims_in_words(counts: Mapping[str, int], kind: str = "testable claims") -> str:
    """Return how many claims of a paper hold, and how many statements of ours beside them; empty if there is none.

    `counts` is from `kernlearn.report.scorecard.count_claims`, and `kind` says what is counted.
    """
    words = []
    if tested := counts["claims hold"] + counts["fail"]:
        words.append(f"{counts['claims hold']} of {tested} {kind} hold")
    elif counts["not testable"]:
        words.append("none of the paper's claims is testable on these data")
    if own := counts["ours hold"] + counts["ours fail"]:
        words.append(f"{counts['ours hold']} of {own} checks of our own hold")
    return "; ".join(words)


def claim_reasons(counts: Mapping[str, int], kind: str = "testable claims") -> list[Reason]:
    """Return how many claims of a paper do not hold, and statements of ours; arguments as of `claims_in_words`."""
    holding, failing, wrong = counts["claims hold"], counts["fail"], counts["ours fail"]
    reasons = []
    if wrong:
        words = f"{wrong} check{'s' if wrong > 1 else ''} of our own {'do' if wrong > 1 else 'does'} not hold"
        reasons.append(Reason(False, f"{words}."))
    if failing:
        words = f"{failing} of {holding + failing} {kind} {'do' if failing > 1 else 'does'} not hold here"
        reasons.append(Reason(False, f"{words}."))
    elif holding:
        words = f"All {holding} {kind} hold here." if holding > 1 else "The claim holds here."
        reasons.append(Reason(True, words))
    return reasons


def statement_reasons(found: Standing) -> list[Reason]:
    """Return which numbered statements of a paper do not hold as printed."""
    if not found.fail:
        return [Reason(True, "No check refutes a statement as it is printed.")] if found.hold else []
    named = f"Checks refute {_listed(found.fail, 'and')} as printed"
    left = [name for name in found.fail if name not in found.corrected]
    rest = f"no correction of {_listed(left, 'or')} is known here" if left else "a correction of each holds"
    return [Reason(False, f"{named}; {rest}.")]


def _listed(names: Sequence[str], before_last: str) -> str:
    *first, last = names
    return f"{', '.join(first)} {before_last} {last}" if first else last


def story_reasons(stories: Sequence[Story], metrics: str) -> list[Reason]:
    """Return whether tests contradict what a paper says of its methods; `metrics` says by which scores, if need be."""
    tested, turned = sum(story.tested for story in stories), sum(story.reversed for story in stories)
    if not tested:
        return []
    n, of = sum(story.contrasts for story in stories), f" of {metrics}" if metrics else ""
    can = f" {tested} can be tested, and of these" if tested < n else ""
    words = f"Of the paper's {n} clear differences{of},{can} {turned or 'none'} {'is' if turned == 1 else 'are'}"
    return [Reason(not turned, f"{words} significantly reversed here.")]


def of_record(record: Mapping[str, Any]) -> list[Reason]:
    """Return whether numbers come from code that others can have."""
    if not record:
        return [Reason(False, "There is no record of what computed these numbers.")]
    try:
        words = warning(record)  # type: ignore[arg-type]
    except (LookupError, TypeError, AttributeError):
        words = "The record of what computed these numbers is of another format"
    return [Reason(not words, f"{words}." if words else "All numbers come from committed code.")]
