"""Table 4.1 of Shivaswamy (2010): labels of sequences by random fields, by margins and by relative margins."""

from kernlearn.papers.core.measured import Claim, Measured, everywhere
from kernlearn.papers.rmm2010.sequences.machines import RMM, SVM, better, count_cuts, within_theorem_21

CRF = "crf"
NEEDS = {CRF, SVM, RMM}
#: Training sentences, and test sentences divided by these.
N = 240
RATIO = 1000 / N
measure = count_cuts(N)


def claims(measured: Measured) -> list[Claim]:
    """Section 4.4.1: the relative margin is better on parts of speech, and helps as much as the margin does."""
    rows = measured.rows("error_pct", *NEEDS)
    error = {row: {name: measured.mean(row, name) for name in NEEDS} for row in rows}
    result = [claim for row in ("ner", "pos") for claim in better(measured, "rmm2010/table4_1", row, row, RATIO)]
    return [
        *result,
        everywhere("StructRMM errs least", {row: error[row][RMM] == min(error[row].values()) for row in rows}),
        everywhere("StructSVM errs less than the CRF", {row: error[row][SVM] < error[row][CRF] for row in rows}),
        everywhere(
            "StructRMM improves on StructSVM at least as much as that on the CRF",
            {row: error[row][SVM] - error[row][RMM] >= error[row][CRF] - error[row][SVM] for row in rows},
        ),
        within_theorem_21(measured),
    ]
