"""What tables 4.1 and 4.2 of Shivaswamy (2010) have in common: the relative margin against the margin, draw by draw."""

from collections.abc import Callable
from statistics import fmean

from kernlearn.evaluation import Selection, number
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.measured import NOT_MEASURED, Claim, Measured, judgement
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.plan.plan import Plan

SVM, RMM = "struct_svm", "struct_rmm"
#: What the thesis calls significant; its printed p-values at it have one reading.
LEVEL = 0.05
#: Draws; the protocols give all results with the parts in their first roles before those in the other.
DRAWS = 10
#: Of Theorem 21: by how much a margin may be missed; usual in the literature, not stated in the thesis.
EPSILON = 0.1


def count_cuts(n: int) -> Callable[[Plan, Rows, Selection], Measures]:
    """Return what counts labellings of n examples, where there are such: in the program, ever added, and allowed."""

    def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
        if "cuts" not in rows[0]:
            return {}
        counts = {f"n_{name}": [number(row, name) for row in selection.rows] for name in ("cuts", "added")}
        allowed = [theorem_21(n, number(row, "C"), number(row, "radius")) for row in selection.rows]
        return {**counts, "n_allowed": allowed}

    return measure


def theorem_21(n: int, C: float, R: float) -> float:
    """Return the most labellings of n examples that Algorithm 4.1 adds, with ``eps_B = eps`` and norms of R or less."""
    return max(2.0 * n / EPSILON, 8.0 * C * R**2 / EPSILON**2)  # that of bounds, 2 C R^2 / eps_B^2, is less


def within_theorem_21(measured: Measured) -> Claim:
    """Return whether no more labellings, and means of them, were ever added than Theorem 21 allows, in each result."""
    text = f"no more labellings and means of some are ever added than Theorem 21 allows labellings, eps = {EPSILON:g}"
    parts = {
        f"{row} {name}": max(
            added / allowed
            for added, allowed in zip(
                measured.values(row, name, "n_added"), measured.values(row, name, "n_allowed"), strict=True
            )
        )
        for name in (SVM, RMM)
        for row in measured.rows("n_added", name)
    }
    if not parts:
        return text, "nothing", NOT_MEASURED
    evidence = ", ".join(f"{name} {part:.2g} of them" for name, part in parts.items())
    return text, evidence, judgement(max(parts.values()) <= 1.0)


def better(measured: Measured, table: str, row: str, printed: str, ratio: float) -> list[Claim]:
    """Return whether the RMM errs significantly less than the SVM, or not so, as its printed p-value says.

    Tested over all results, as the thesis does, and over the means of both roles of every draw, with the correction
    for examples that draws share.

    Parameters
    ----------
    table : str
        Of the printed p-value.
    printed : str
        The data set or the setting that the printed p-value is of.
    ratio : float
        Test examples divided by training examples.
    """
    theirs = float(
        next(
            cell["mean"]
            for cell in printed_rows(table)
            if cell["metric"] == "p_value" and printed in (cell["dataset"], cell["setting"])
        )
    )
    words = "" if theirs < LEVEL else "not "
    text = f"{row}: {words}significantly fewer errors by the RMM than by the SVM (5 %)"
    if row not in measured.rows("error_pct", SVM, RMM):
        return [(text, "nothing", NOT_MEASURED)]
    gains = measured.differences(row, SVM, RMM)
    claims = []
    for how, p in (
        ("paired t-test", corrected_resampled_t(gains, 0.0)),
        ("corrected for shared examples", corrected_resampled_t(by_draw(gains), ratio)),
    ):
        is_better = p < LEVEL and fmean(gains) > 0
        evidence = f"{fmean(gains):+.3f} of a percent, p={p:.2g} (printed {theirs:.2f})"
        claims.append((f"{text}, {how}", evidence, judgement(is_better == (theirs < LEVEL))))
    return claims


def by_draw(values: list[float]) -> list[float]:
    """Return the mean of both roles of every draw, of one partition or of several."""
    batches = [values[i : i + 2 * DRAWS] for i in range(0, len(values), 2 * DRAWS)]
    return [fmean(pair) for batch in batches for pair in zip(batch[:DRAWS], batch[DRAWS:], strict=True)]
