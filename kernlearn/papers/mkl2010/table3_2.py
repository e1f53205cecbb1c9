"""Table 3.2 of Rostamizadeh (2010): thousands of rank-1 kernels on reviews."""

from collections.abc import Sequence

from kernlearn.papers.core.measured import Claim, Measured, counted, everywhere
from kernlearn.papers.mkl2010.alignment import rows_with, test_alignment

NEEDS = {"unif", "align"}
measure = test_alignment


def claims(measured: Measured) -> list[Claim]:
    """Section 3.3.2, rank-1 kernel combinations."""
    rows = rows_with(measured, "unif", "align")
    smaller = {row: measured.mean(row, "align", metric) < measured.mean(row, "unif", metric) for row, metric in rows}
    clearly = [row for row, metric in rows if smaller[row] and measured.p_value(row, "align", "unif", metric) < 0.05]
    claims = [
        everywhere("align has a better alignment than unif", _larger(measured, rows, "align", "unif")),
        everywhere("align has a smaller error than unif", smaller),
        counted("significantly so (5 %, corrected resampled t-test) everywhere", clearly, len(clearly) == len(rows)),
    ]
    if krr := rows_with(measured, "l2_krr", "align"):
        better = {row: measured.mean(row, "align", "rmse") < measured.mean(row, "l2_krr", "rmse") for row, _ in krr}
        claims.append(everywhere("align has a smaller error than l2_krr", better))
    if svm := rows_with(measured, "l1_mkl", "unif"):
        worse = {row: measured.mean(row, "l1_mkl") >= measured.mean(row, "unif") for row, _ in svm}
        claims.append(everywhere("l1_mkl does not improve the error of unif", worse))
        some = [row for row, larger in _larger(measured, svm, "l1_mkl", "unif").items() if larger]
        claims.append(counted("l1_mkl improves the alignment of unif in certain cases", some, bool(some)))
    return claims


def _larger(measured: Measured, rows: Sequence[tuple[str, str]], first: str, second: str) -> dict[str, bool]:
    return {r: measured.mean(r, first, "alignment") > measured.mean(r, second, "alignment") for r, _ in rows}
