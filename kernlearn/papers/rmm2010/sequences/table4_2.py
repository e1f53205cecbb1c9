"""Table 4.2 of Shivaswamy (2010): optical digits by margins and by relative margins of all classes at once."""

from collections.abc import Iterator
from statistics import fmean

from kernlearn.papers.core.measured import NOT_MEASURED, Claim, Measured, judgement
from kernlearn.papers.rmm2010.sequences.machines import RMM, SVM, better, count_cuts, within_theorem_21

NEEDS = {SVM, RMM}
#: Training digits, and test digits divided by these.
N = 1911
RATIO = 956 / N
measure = count_cuts(N)
ROWS = ("d1", "d2", "d3", "d4")


def claims(measured: Measured) -> list[Claim]:
    """Section 4.4.2: the relative margin is significantly better but with the linear kernel, and by how much."""
    tests = [better(measured, "rmm2010/table4_2", row, f"poly_{row}", RATIO) for row in ROWS]
    tested = (claim for both in tests for claim in both)
    return [*tested, *_improvements(measured), within_theorem_21(measured)]


def _improvements(measured: Measured) -> Iterator[Claim]:
    """Say by which part of the errors of the SVM those of the RMM are fewer, in the mean over kernels."""
    measured_rows = measured.rows("error_pct", SVM, RMM)
    for rows, printed, words in ((ROWS, 20, "all four kernels"), (ROWS[1:], 28, "degrees 2 to 4")):
        text = f"the RMM has {printed} % fewer errors than the SVM, or more, in the mean over {words}"
        if set(rows) <= set(measured_rows):
            part = 100.0 * fmean(1 - measured.mean(row, RMM) / measured.mean(row, SVM) for row in rows)
            yield text, f"{part:.1f} %", judgement(round(part) >= printed)
        else:
            yield text, f"{len(set(rows) & set(measured_rows))} of {len(rows)} kernels", NOT_MEASURED
