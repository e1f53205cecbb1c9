"""What the papers say in words, as checks that can fail."""

from kernlearn.papers.measured import Claim, Measured, Rows
from kernlearn.papers.tables import Table


def check_claims(table: Table, partitions: Rows) -> list[Claim]:
    """Return the claims of a table with what was found; none while columns that they need are missing.

    Parameters
    ----------
    table : Table
    partitions : sequence of mappings
        Rows with ``dataset``, ``algorithm``, ``seed``, ``metric`` and ``values`` (one number a split).
    """
    if table.claims is None or not partitions:
        return []
    measured = Measured(partitions)
    return table.claims(measured) if table.needs <= set(measured.algorithms) else []
