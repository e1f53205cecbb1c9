"""Theorems 1 and 2 of Cortes et al. (2015) on the models that table 1 selects."""

from kernlearn.evaluation import Selection
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.cell.bounds import bounds_of_cell
from kernlearn.runner.plan.plan import Plan


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the margin bounds of the selected model, which is solved again for them."""
    bounds = [bounds_of_cell(cell, selection.values) for cell in plan.cells]
    return {key: [one[key] for one in bounds] for key in bounds[0]}
