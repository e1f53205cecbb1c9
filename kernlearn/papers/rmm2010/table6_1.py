"""Table 6.1 of Shivaswamy (2010): five boosting methods over random stumps."""

from kernlearn.papers.measured import Claim, Measured, counted, everywhere

NEEDS = {"adaboost", "ebboost"}
#: The thesis tests by paired t-tests at this level, as if splits were independent: no correction for their overlap.
LEVEL, UNCORRECTED = 0.05, 0.0


def claims(measured: Measured) -> list[Claim]:
    """Section 6.4: empirical Bernstein boosting is better than AdaBoost on every set, on most significantly."""
    rows = measured.rows("error_pct", *NEEDS)
    below = {row: measured.mean(row, "ebboost") < measured.mean(row, "adaboost") for row in rows}
    p = {row: measured.p_value(row, "ebboost", "adaboost", ratio=UNCORRECTED) for row in rows}
    clearly = [row for row in rows if below[row] and p[row] < LEVEL]
    worse = [row for row in rows if not below[row] and p[row] < LEVEL]
    smaller = "EBBoost has a smaller error than AdaBoost"
    return [
        everywhere(f"{smaller} on every set", below),
        counted(f"{smaller} on most sets, significantly (5 %)", clearly, 2 * len(clearly) > len(rows)),
        counted("It has a significantly larger one on none", worse, not worse),
    ]
