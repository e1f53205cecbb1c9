"""Table 6.2 of Shivaswamy (2010): normalised margins of the training examples of the models of table 6.1."""

from kernlearn.evaluation import Selection, number
from kernlearn.papers.core.measured import Claim, Measured, everywhere
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.plan.plan import Plan

NEEDS = {"adaboost", "ebboost", "adaboost_reg"}


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return mean and deviation of ``y_i f(x_i) / sum_r |alpha_r|`` over the training examples of every split."""
    return {
        "margin": [number(row, "margin_mean") for row in selection.rows],
        "margin_std": [number(row, "margin_std") for row in selection.rows],
    }


def claims(measured: Measured) -> list[Claim]:
    """Section 6.4.1: the margins of EBBoost vary less than those of AdaBoost; AdaBoost_REG has larger ones."""
    rows = measured.rows("margin", *NEEDS)
    deviation = {row: {name: measured.mean(row, name, "margin_std") for name in NEEDS} for row in rows}
    margin = {row: {name: measured.mean(row, name, "margin") for name in NEEDS} for row in rows}
    return [
        everywhere(
            "The margins of EBBoost vary less than those of AdaBoost",
            {row: by_method["ebboost"] < by_method["adaboost"] for row, by_method in deviation.items()},
        ),
        everywhere(
            "AdaBoost_REG has a larger mean margin than EBBoost",
            {row: by_method["adaboost_reg"] > by_method["ebboost"] for row, by_method in margin.items()},
        ),
        everywhere(
            "and its margins vary more",
            {row: by_method["adaboost_reg"] > by_method["ebboost"] for row, by_method in deviation.items()},
        ),
    ]
