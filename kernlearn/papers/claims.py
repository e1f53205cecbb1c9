"""What the papers say in words, as checks that can fail."""

from collections.abc import Callable

from kernlearn.papers import localrad2013, mkl2010_tables, vkr2015
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
    "localrad2013/fig2": localrad2013.claims_fig2,
    "localrad2013/table1": localrad2013.claims_table1,
    "mkl2010/fig3_1": mkl2010_tables.claims_fig3_1,
    "mkl2010/sec3_2_2": mkl2010_tables.claims_sec3_2_2,
    "mkl2010/table2_1": mkl2010_tables.claims_table2_1,
    "mkl2010/table3_1": mkl2010_tables.claims_table3_1,
    "mkl2010/table3_2": mkl2010_tables.claims_table3_2,
    "vkr2015/table1": vkr2015.claims_table1,
    "vkr2015/gaussian": vkr2015.claims_gaussian,
}
#: The columns that the claims are about.
NEEDED: dict[str, set[str]] = {
    "localrad2013/fig2": {*localrad2013.BASELINES, *localrad2013.CONV, *localrad2013.DC},
    "localrad2013/table1": {"unif", "mkl_l1", "mkl_l2", *localrad2013.CONV},
    "mkl2010/fig3_1": {"unif", "l1_krr", "l2_krr"},
    "mkl2010/sec3_2_2": {"best_single", "unif", "l1_krr", "l2_krr"},
    "mkl2010/table2_1": set(),
    "mkl2010/table3_1": {"unif", "align", "alignf"},
    "mkl2010/table3_2": {"unif", "align"},
    "vkr2015/table1": {*vkr2015.VKR, "l1_svm", "l2_svm", "l2_svm_libsvm_default"},
    "vkr2015/gaussian": {"vkr_lemma3", "l1_svm", "l2_svm"},
}
