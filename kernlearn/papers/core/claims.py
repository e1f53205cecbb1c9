"""What the papers say in words, as checks that can fail."""

from collections.abc import Sequence
from typing import Any

from kernlearn.papers.core.figures import Figure
from kernlearn.papers.core.measured import FAILS, HOLDS, NOT_TESTABLE, Claim, Measured, Rows
from kernlearn.papers.core.tables import Table


def check_claims(table: Table, partitions: Rows) -> list[Claim]:
    """Return the claims of a table with what was found; none while columns that they need are missing.

    Other data and a smaller run than the paper's can neither confirm nor refute what it says. A claim that some rows
    with the data of the paper have is judged by these; one that needs a stand-in is "not testable".

    Parameters
    ----------
    partitions : sequence of mappings
        Rows with ``dataset``, ``algorithm``, ``seed``, ``metric`` and ``values`` (one number a split).
    """
    if table.stand_in or table.reduced:
        return not_testable(_claims(table, partitions))
    claims, stand_ins = _claims(table, partitions), table.stand_ins
    if not stand_ins & {row["dataset"] for row in partitions}:
        return claims
    exact = [row for row in partitions if row["dataset"] not in stand_ins]
    judged = {claim[0]: claim for claim in _claims(table, exact) if claim[2] in (HOLDS, FAILS)}
    return [judged[claim[0]] if claim[0] in judged else not_testable([claim])[0] for claim in claims]


def claims_of_figure(figure: Figure, rows: list[dict[str, Any]]) -> list[Claim]:
    """Return the claims of a figure with what was found."""
    claims = figure.claims(rows)
    return not_testable(claims) if figure.reduced else claims


def not_testable(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims with what was found, and no judgement."""
    return [
        (claim, value, NOT_TESTABLE if judgement in (HOLDS, FAILS) else judgement) for claim, value, judgement in claims
    ]


def _claims(table: Table, partitions: Rows) -> list[Claim]:
    if table.claims is None or not partitions:
        return []
    measured = Measured(partitions)
    return table.claims(measured) if table.needs <= set(measured.algorithms) else []
