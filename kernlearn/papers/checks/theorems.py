"""The numbered statements of the works: where each is computed, or why it is not."""

from pathlib import Path
from typing import NamedTuple

from kernlearn.papers.core.compare import read_rows
from kernlearn.papers.core.contents import WORKS


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


def theorems() -> dict[str, list[Theorem]]:
    """Return the numbered statements of every work, in the order of its pages."""
    found: dict[str, list[Theorem]] = {work: [] for work in WORKS}
    for row in read_rows(Path(__file__).with_suffix(".csv")):
        found[row["paper"]].append(Theorem(row["name"], row["says"], row["where"], row["note"]))
    return found
