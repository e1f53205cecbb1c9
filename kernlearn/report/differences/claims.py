"""Claims of papers that hold on one side and not on the other."""

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from kernlearn.errors import UserError, one_line
from kernlearn.papers import figure_names, load_figure, load_table, table_names
from kernlearn.papers.core.claims import check_claims, claims_of_figure
from kernlearn.papers.core.measured import JUDGEMENTS_OF, Claim
from kernlearn.report.differences.changes import Change, Kind, Part, Status, flip, status_of
from kernlearn.report.figures import read_points
from kernlearn.report.reproduction import read_partitions

#: The ending of the measurements of a table.
PARTITIONS = "_partitions.csv"


def is_claimed(name: str) -> bool:
    """Return whether a file has what the claims of a table or figure are checked with."""
    stem = name.removesuffix(PARTITIONS) if name.endswith(PARTITIONS) else name.removesuffix(".csv")
    return stem in (table_names() if name.endswith(PARTITIONS) else figure_names())


def compare_claims(name: str, before: bytes, after: bytes) -> Part | None:
    """Return the claims of a table or figure whose judgement changed; None if there is none.

    This kernlearn checks both sides, so differences come from the numbers alone.
    """
    part = Part(f"{name}: claims", Status.CHANGED)
    try:
        first, second = (_claims(name, content) for content in (before, after))
    except Exception as error:  # of a paper's module, on numbers that lack something
        part.status = Status.UNREADABLE if isinstance(error, UserError) else Status.CHANGED
        part.notes.append(f"cannot be checked on both sides: {one_line(error)}")
        return part
    changes = []
    for claim in first.keys() & second.keys():
        (was, before_word), (now, after_word) = first[claim], second[claim]
        if before_word != after_word:
            kind = _kind(before_word, after_word)
            changes.append(Change(kind, claim, f"{before_word}: {was}", f"{after_word}: {now}"))
    changes.sort(key=lambda change: change.place)
    part.changes, part.counts = changes, Counter(change.kind for change in changes)
    part.status = status_of(part.counts)
    return part if changes else None


def _kind(before: str, after: str) -> Kind:
    for holds, fails in JUDGEMENTS_OF.values():
        if {before, after} == {holds, fails}:
            return flip(before == holds, after == holds)
    return Kind.TEXT


def _claims(name: str, content: bytes) -> Mapping[str, tuple[str, str]]:
    """Return what was found of each claim, and its judgement."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "results.csv")
        path.write_bytes(content)
        try:
            if name.endswith(PARTITIONS):
                table = load_table(name.removesuffix(PARTITIONS))
                claims: list[Claim] = check_claims(table, read_partitions(path, table))
            else:
                claims = claims_of_figure(load_figure(name.removesuffix(".csv")), read_points(path))
        except UserError as error:  # names a copy that is gone by then
            raise UserError(str(error).replace(str(path), name)) from error
    return {claim: (found, judgement) for claim, found, judgement in claims}
