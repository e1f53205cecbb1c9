"""Section 3.2.2 of Rostamizadeh (2010), UCI data: ridge regression with three kernels."""

from kernlearn.papers.core.compare import table_values
from kernlearn.papers.core.measured import Claim, Measured, everywhere

NEEDS = {"best_single", "unif", "l1_krr", "l2_krr"}


def claims(measured: Measured) -> list[Claim]:
    """Section 3.2.2, UCI data: nothing to tell the methods apart."""
    columns = ("best_single", "unif", "l1_krr", "l2_krr")
    alike, not_worse, as_printed = {}, {}, {}
    for row in measured.rows("error_pct", *columns):
        errors = {column: measured.mean(row, column) for column in columns}
        deviation = measured.deviation(row, "best_single")
        alike[row] = max(errors.values()) - min(errors.values()) <= deviation
        learned = [errors[column] - errors["best_single"] for column in ("l1_krr", "l2_krr")]
        not_worse[row] = max(learned) <= deviation
        printed = table_values("mkl2010/sec3_2_2", row, "all_methods")["error_pct"].mean
        as_printed[row] = all(abs(error - printed) <= deviation for error in errors.values())
    return [
        everywhere("all differences of the error are within one standard deviation", alike),
        everywhere("learned weights are not worse than the best kernel by more than that", not_worse),
        everywhere("the error is the printed one within one standard deviation", as_printed),
    ]
