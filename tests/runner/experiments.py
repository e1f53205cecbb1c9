"""Cells made from words, run in this process."""

from kernlearn.cli.configuration.compose import compose_config
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.config import check_chosen_by, check_experiment
from kernlearn.runner.plan.plan import plan


def plan_of(*words):
    """Return the plan of the experiment that words of a command line stand for."""
    config = compose_config(list(words))
    return plan(check_experiment(config), chosen_by=check_chosen_by(config))


def rows_of(*words, split=0):
    """Return the rows of one of its cells."""
    result = run_cell(plan_of(*words).cells[split])
    assert result["status"] == "ok", result.get("traceback")
    return result["rows"]
