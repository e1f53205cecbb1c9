"""What the papers say in words, as checks that can fail."""

from collections.abc import Callable

from kernlearn.papers import vkr2015
from kernlearn.papers.measured import Claim, Measured, Rows
from kernlearn.papers.tables import Table


def check_claims(table: Table, partitions: Rows) -> list[Claim]:
    """Return the claims of a table with what the measured partitions say; none while columns are missing.

    Parameters
    ----------
    table : Table
    partitions : sequence of mappings
        Rows with ``dataset``, ``algorithm``, ``seed``, ``metric`` and ``values`` (one number a split).
    """
    if table.name not in CLAIMS or not partitions:
        return []
    measured = Measured(partitions)
    return CLAIMS[table.name](measured) if set(measured.algorithms) >= NEEDED[table.name] else []


CLAIMS: dict[str, Callable[[Measured], list[Claim]]] = {
    "vkr2015/table1": vkr2015.claims_table1,
    "vkr2015/gaussian": vkr2015.claims_gaussian,
}
#: The columns that the claims are about.
NEEDED: dict[str, set[str]] = {
    "vkr2015/table1": {*vkr2015.VKR, "l1_svm", "l2_svm", "l2_svm_libsvm_default"},
    "vkr2015/gaussian": {"vkr_lemma3", "l1_svm", "l2_svm"},
}
