"""Table 3.1 of Rostamizadeh (2010): Gaussian kernels, learned in one stage and in two."""

from statistics import correlation

from kernlearn.papers.core.measured import Claim, Measured, everywhere
from kernlearn.papers.mkl2010.alignment import rows_with, test_alignment

NEEDS = {"unif", "align", "alignf"}
#: The one-stage method of a row is the one that it has.
ONE_STAGE = ("l2_krr", "l1_mkl")
measure = test_alignment


def claims(measured: Measured) -> list[Claim]:
    """Section 3.3.2, general kernel combinations."""
    rows = rows_with(measured, "unif", "align", "alignf")
    columns = {row: [c for c in measured.algorithms if row in measured.rows("alignment", c)] for row, _ in rows}
    best = {row: max(columns[row], key=lambda c: measured.mean(row, c, "alignment")) == "alignf" for row, _ in rows}
    claims = [everywhere("alignf gives the best alignment, on the training part", best)]
    for column in ("align", "alignf"):
        for others, name in ((("unif",), "the uniform combination"), (ONE_STAGE, "the one-stage method")):
            better = {}
            for row, metric in rows:
                rivals = [measured.mean(row, c, metric) for c in others if c in columns[row]]
                better[row] = measured.mean(row, column, metric) < min(rivals)
            claims.append(everywhere(f"{column} has a smaller error than {name}", better))
    related = {
        row: correlation(*([measured.mean(row, c, m) for c in columns[row]] for m in ("alignment", metric))) < 0
        for row, metric in rows
    }
    return [*claims, everywhere("performance and alignment go together over the methods", related)]
