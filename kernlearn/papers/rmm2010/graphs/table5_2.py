"""Table 5.2 of Shivaswamy (2010): transduction of digits; what it has in common with table 5.1 is here, too."""

from kernlearn.evaluation import Selection, select
from kernlearn.evaluation.rows import Grid
from kernlearn.evaluation.splits.transduction import CHOOSING, HONEST
from kernlearn.papers.core.measured import NO_CLAIM, Claim, Measured, counted, everywhere, judgement
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.plan.plan import Plan

NEEDS = {"mkl_s", "mkl_r", "sgt", "kta_s", "kta_r", "stoam", "storm"}
#: The thesis tests by paired t-tests at this level, as if its random choices were independent.
LEVEL, UNCORRECTED = 0.05, 0.0


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the errors where every split chooses by cross-validation in its labelled examples, without the others."""
    honest = [row for row in rows if "point" in row and CHOOSING <= row["split"] < CHOOSING + HONEST]
    grid: Grid = plan.grid
    chosen = select(honest, grid, "error_pct", "per_split") if honest else None
    return {"honest_pct": chosen.values_of("error_pct")} if chosen else {}


def claims(measured: Measured) -> list[Claim]:
    """Section 5.5: the order of the spectrum and the relative margin help."""
    rows = measured.rows("error_pct", *NEEDS)
    best = {row: measured.best(row, sorted(NEEDS)) for row in rows}
    good = {
        name: [
            row
            for row in rows
            if best[row] == name or measured.p_value(row, name, best[row], ratio=UNCORRECTED) >= LEVEL
        ]
        for name in sorted(NEEDS)
    }
    most = max(len(methods) for methods in good.values())
    few = [row for row in rows if row.endswith("_l30")]
    mkl = sorted({row.rpartition("_")[0] for name in ("mkl_s", "mkl_r") for row in good[name]})
    narrower = [row for row in rows if measured.mean(row, "storm") < measured.mean(row, "stoam")]
    wider = [row for row in rows if measured.mean(row, "storm") > measured.mean(row, "stoam")]
    flattered = [
        row
        for row in measured.rows("honest_pct", "storm")
        if row in rows and measured.mean(row, "storm", "honest_pct") > measured.mean(row, "storm")
    ]
    return [
        counted(
            "STORM is the best or not significantly worse more often than any other",
            good["storm"],
            len(good["storm"]) == most,
        ),
        everywhere(
            "STORM has no larger error than multiple kernel learning with the same margin, without the order",
            {row: measured.mean(row, "storm") <= measured.mean(row, "mkl_r") for row in rows},
        ),
        everywhere(
            "with 30 labels STORM has no larger error than either KTA",
            {
                row: measured.mean(row, "storm") <= min(measured.mean(row, "kta_s"), measured.mean(row, "kta_r"))
                for row in few
            },
        ),
        everywhere(
            "with 30 labels STORM is the best of all seven or not significantly worse",
            {row: row in good["storm"] for row in few},
        ),
        counted(
            "multiple kernel learning is the best or not significantly worse on no problem but digits 1 and 2",
            mkl,
            set(mkl) <= {"d1_2"},
        ),
        (
            "the relative margin helps: STORM has a smaller mean error than STOAM in more rows than a larger one",
            f"smaller in {len(narrower)}, larger in {len(wider)} of {len(rows)}",
            judgement(len(narrower) > len(wider)),
        ),
        (
            "not in the thesis: STORM has a larger error where parameters are chosen without the unlabelled",
            counted("", flattered, True)[1],
            NO_CLAIM,
        ),
    ]
