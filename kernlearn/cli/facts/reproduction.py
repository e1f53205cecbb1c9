"""Facts about reproduced tables and figures."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from kernlearn.cli.facts.cells import CellFailure, ComputationFacts, Trouble
from kernlearn.cli.facts.data import TableRow

if TYPE_CHECKING:  # verbs that have such facts import these
    from kernlearn.papers.core.measured import Claim


class TableState(TypedDict):
    """A table or figure of a paper."""

    name: str
    title: str
    #: "not run", "damaged", or how much of it is finished.
    state: str
    #: How many cells, and optimisation problems in them, it is; null if these were not counted.
    cells: int | None
    problems: int | None


class TheoremFacts(TypedDict):
    """A numbered statement of a paper."""

    paper: str
    name: str
    says: str
    #: The table or figure that computes it, empty if none does.
    where: str
    #: What is to be known of it; why there is no number, if none is computed.
    note: str


class ClaimFacts(TypedDict):
    """A claim of a paper."""

    claim: str
    #: What was found, in words.
    found: str
    #: "holds", "does not hold", "not measured", "not testable" or "no claim"; of a statement of ours, "correction
    #: holds", "correction does not hold", "ours holds" or "ours does not hold".
    verdict: str


class ReadingFacts(TypedDict):
    """A reading of a table that a search has tried, in one stage of the search."""

    #: "one decision", "two decisions" or "whole table".
    stage: str
    #: The decisions that differ from those of the table, as "decision=alternative, ..."; "as in the table" for none.
    reading: str
    #: "stated", "unstated" or "altered": the worst of its alternatives.
    status: str
    cells: int
    draws: int
    #: The mean of |log(ours / printed)|, over all data sets and over each half of them; null if there are no cells.
    distance: float | None
    distance_choosing: float | None
    distance_testing: float | None
    #: The difference from the nearest reading of the stage, its standard error, and the p-value of no difference.
    farther: float | None
    farther_error: float | None
    p: float
    #: Whether the draws cannot tell it from the nearest one.
    alike: bool


class ReproductionFacts(TypedDict):
    """A table or figure of a paper, or several."""

    #: The table or figure that is reproduced; null for --list, --scorecard, and --judge without a table.
    name: str | None
    #: All tables and figures, with --list; of a directory of tables, these.
    tables: list[TableState]
    #: The numbered statements of the papers, with --list.
    theorems: list[TheoremFacts]
    #: The rows of the CSV file of a table: ours, the printed value, their difference and the verdict. None of a figure.
    rows: list[TableRow]
    claims: list[ClaimFacts]
    #: What a search of readings has tried.
    readings: list[ReadingFacts]
    #: Data sets that are not available, and why, in words.
    absent: list[str]
    #: Null if no cells are involved.
    computation: ComputationFacts | None
    #: The reports that were written.
    reports: list[str]
    failures: list[CellFailure]
    troubles: list[Trouble]


def claim_facts(claims: "Sequence[Claim]") -> list[ClaimFacts]:
    """Return the claims of a paper with what was found."""
    return [{"claim": claim, "found": found, "verdict": verdict} for claim, found, verdict in claims]
