"""The numbered statements of the works: where each is computed, or why it is not, and whether it holds as printed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from kernlearn.papers.core.compare import read_rows
from kernlearn.papers.core.contents import WORKS
from kernlearn.papers.core.measured import CORRECTION_FAILS, CORRECTION_HOLDS, FAILS, HOLDS, Claim


class Theorem(NamedTuple):
    """A theorem, lemma, proposition, corollary, claim or numbered bound of a work."""

    #: As in "theorem 2.5". The checks of it have this name, or begin with it.
    name: str
    #: What it says, in a few words.
    says: str
    #: The table or figure that computes it, empty if none does.
    where: str
    #: What is to be known of it; why there is no number, if none is computed.
    note: str
    #: The name of its checks, if it is another: the same may be an exercise.
    check: str = ""


def theorems() -> dict[str, list[Theorem]]:
    """Return the numbered statements of every work, in the order of its pages."""
    found: dict[str, list[Theorem]] = {work: [] for work in WORKS}
    for row in read_rows(Path(__file__).with_suffix(".csv")):
        found[row["paper"]].append(Theorem(*(row[key] for key in Theorem._fields)))
    return found


def is_of(claim: str, statement: str) -> bool:
    """Return whether a claim is a check of a statement: its name, perhaps with a letter, begins the claim."""
    name = claim.partition(":")[0]
    return name == statement or name.startswith(f"{statement} ")


def judgements_of(statement: Theorem, claims: Iterable[Claim]) -> Counter[str]:
    """Return how often the checks of a statement have each judgement."""
    name = statement.check or statement.name
    return Counter(judgement for claim, _, judgement in claims if is_of(claim, name))


class Standing(NamedTuple):
    """The names of the statements of a work that hold as printed, of those that do not, and of these the corrected."""

    hold: list[str]
    fail: list[str]
    #: Those of `fail` beside which a correction holds.
    corrected: list[str]

    def in_words(self, place: str = "") -> str:
        """Return how many there are of each, as a sentence without its full stop; empty if no statement was checked.

        `place` says where they were checked, if it is only a part of what checks the work.
        """
        hold, fail, corrected = map(len, self)
        if not hold + fail:
            return ""
        several = "s" * (hold + fail > 1)
        words = f"Of {hold + fail} statement{several} of the paper that {'were' if several else 'was'} checked{place}"
        words += f", {hold} hold{'s' * (hold == 1)} as printed"
        if not fail:
            return words
        of_these = f"{corrected} hold{'s' * (corrected == 1)}" if corrected else "none holds"
        return f"{words} and {fail} do{'es' * (fail == 1)} not; of these, {of_these} as corrected here"


def standing(judged: Sequence[tuple[Theorem, Counter[str]]]) -> Standing:
    """Return which statements hold, by the judgements of their checks (`judgements_of`).

    One that fails in one check fails. One that has only checks of its correction is in none of the lists.
    """
    fail = [one.name for one, found in judged if found[FAILS]]
    hold = [one.name for one, found in judged if found[HOLDS] and not found[FAILS]]
    corrected = [
        one.name for one, found in judged if found[FAILS] and found[CORRECTION_HOLDS] and not found[CORRECTION_FAILS]
    ]
    return Standing(hold, fail, corrected)


def standing_of_figure(name: str, claims: Iterable[Claim]) -> Standing:
    """Return which statements that a figure computes hold, by its claims; none if it claims anything else."""
    known = list(claims)
    stated = [one for one in theorems().get(name.partition("/")[0], []) if one.where == name]
    if not all(any(is_of(claim, one.name) for one in stated) for claim, _, _ in known):
        return Standing([], [], [])
    return standing([(one, judgements_of(one, known)) for one in stated])
