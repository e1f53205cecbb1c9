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


class ClaimFacts(TypedDict):
    """A claim of a paper."""

    claim: str
    #: What was found, in words.
    found: str
    #: "holds", "does not hold", "not measured", "not testable" or "no claim".
    verdict: str


class ReproductionFacts(TypedDict):
    """A table or figure of a paper, or several."""

    #: The table or figure that is reproduced; null for --list, --scorecard, and --judge without a table.
    name: str | None
    #: All tables and figures, with --list.
    tables: list[TableState]
    #: The rows of the CSV file of a table: ours, the printed value, their difference and the verdict. None of a figure.
    rows: list[TableRow]
    claims: list[ClaimFacts]
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
