"""Theorems 26, 28 and 29 of Shivaswamy (2010) on the errors of the models that table 6.1 selects."""

from collections.abc import Callable
from statistics import fmean

from kernlearn.evaluation import Selection, number
from kernlearn.evaluation.risk_bounds.bernstein import bernstein_of_errors, empirical_bernstein, hoeffding
from kernlearn.kernels import make_family
from kernlearn.papers.core.measured import Claim, Measured, everywhere
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.plan.plan import Plan

DELTA = 0.05
NEEDS = {"adaboost", "ebboost"}


def _empirical(z: float, n: int, delta: float) -> float:
    return empirical_bernstein(z, n / (n - 1) * z * (1 - z), n, delta)  # the variance of errors is that of (6.3)


BOUNDS: dict[str, Callable[[float, int, float], float]] = {
    "hoeffding": hoeffding,
    "bernstein": bernstein_of_errors,
    "empirical": _empirical,
}


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the bounds by the test part, and by the validation part for all points of the grid at once."""
    method, options = plan.cells[0].method, plan.cells[0].values
    size = len(method.points(make_family(**plan.cells[0].kernel), plan.cells[0].task, options))
    measures: Measures = {}
    for part, delta in (("test", DELTA), ("validation", DELTA / size)):
        for name, bound in BOUNDS.items():
            measures[f"{part}_{name}_pct"] = [
                100.0 * bound(number(row, f"{part}_error_pct") / 100.0, int(number(row, f"n_{part}")), delta)
                for row in selection.rows
            ]
    return measures


def claims(measured: Measured) -> list[Claim]:
    """Check the chapter's motive: bounds with the variance are better, and better for EBBoost than for AdaBoost."""
    rows = measured.rows("test_empirical_pct", *NEEDS)
    small = [row for row in rows if max(measured.mean(row, name) for name in NEEDS) < 5.0]
    below = {
        row: all(
            measured.mean(row, name, "test_empirical_pct") < measured.mean(row, name, "test_hoeffding_pct")
            for name in NEEDS
        )
        for row in rows
    }
    kept = {row: all(_above(measured, row, name) <= DELTA for name in NEEDS) for row in rows}
    better = {
        row: measured.mean(row, "ebboost", "test_empirical_pct") < measured.mean(row, "adaboost", "test_empirical_pct")
        for row in rows
    }
    return [
        everywhere("The empirical Bernstein bound is below Hoeffding's", below),
        everywhere("It is where the error is below 5 %", {row: below[row] for row in small}),
        everywhere("EBBoost has a smaller empirical Bernstein bound than AdaBoost", better),
        everywhere("In at most 5 % of the splits the test error is above the bound by the validation part", kept),
    ]


def _above(measured: Measured, row: str, name: str) -> float:
    """Return the share of splits whose test error is above the smallest of the bounds by the validation part."""
    bounds = zip(*(measured.values(row, name, f"validation_{key}_pct") for key in BOUNDS), strict=True)
    return fmean(e > min(bound) for e, bound in zip(measured.values(row, name), bounds, strict=True))
