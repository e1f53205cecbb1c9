"""Table 6.2 of Shivaswamy (2010): normalised margins of the training examples of the models of table 6.1."""

from kernlearn.evaluation import Selection, number
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.plan.plan import Plan


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return mean and deviation of ``y_i f(x_i) / sum_r |alpha_r|`` over the training examples of every split."""
    return {
        "margin": [number(row, "margin_mean") for row in selection.rows],
        "margin_std": [number(row, "margin_std") for row in selection.rows],
    }
