"""The types of differences, for programs."""

from typing import TypedDict


class ChangeFacts(TypedDict):
    """A changed cell."""

    #: "verdict worse", "verdict better", "verdict" (neither), "certificate worse", "certificate better", "number" or
    #: "text".
    kind: str
    #: The row and the column.
    place: str
    #: As they are written.
    before: str
    after: str
    #: After minus before, of numbers that are finite.
    difference: float | None


class PartFacts(TypedDict):
    """A file that both sides or one of them have, or claims of a paper."""

    name: str
    #: "same bytes", "within tolerance", "only here", "changed", "certificate worse", "verdict flipped" or "unreadable".
    status: str
    notes: list[str]
    n_changes: int
    #: The largest changes.
    changes: list[ChangeFacts]


class DifferenceFacts(TypedDict):
    """How one side differs from the first."""

    before: str
    after: str
    #: The worst status of a part.
    status: str
    #: The numbers of parts by status.
    counts: dict[str, int]
    #: The numbers of flipped verdicts that are "worse", "better" or "neither".
    verdicts: dict[str, int]
    parts: list[PartFacts]
    #: Pages and pictures whose bytes differ.
    derived: list[str]
    notes: list[str]
