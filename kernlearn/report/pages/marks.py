"""Verdicts, judgements and distances as a page shows them: a sign and words, so that nothing depends on colours."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

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
