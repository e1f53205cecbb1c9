"""The area under the ROC curve and the balanced error are in the rows of every classifier."""

from math import isnan

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.cell.targets import Targets, scores_of
from kernlearn.runner.plan.config import check_chosen_by, check_experiment
from kernlearn.runner.plan.plan import plan
from tests.runner.experiments import rows_of

CLASSIFIERS = sorted(
    name
    for name, method in ALGORITHMS.items()
    if "classification" in method.tasks and method.takes(sequential=False) and not method.universum
)


def grid_of(name):
    """Words for a grid of one point: of every list the value in its middle, and few rounds."""
    parameters = ALGORITHMS[name].parameters
    middles = {key: [p.default[len(p.default) // 2]] for key, p in parameters.items() if p.single and p.default}
    return [f"algo.{key}={value}" for key, value in {**middles, "rounds": 3}.items() if key in parameters]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_is_measured_by_them_and_can_be_chosen_by_them(name):
    inputs = ALGORITHMS[name].inputs
    words = [
        f"algo={name}",
        "dataset=gaussians",
        "dataset.n=60",
        *(["kernel=gaussian", "kernel.gammas=[1]"] if inputs == KERNELS else [f"kernel={inputs}"]),
        "scaling=standard",
    ]
    config = compose_config([*words, *grid_of(name)])
    result = run_cell(plan(check_experiment(config)).cells[0])
    rows = [{"split": 0, **row} for row in result["rows"]]
    assert result["status"] == "ok"
    for row in rows:
        assert row["test_auc"] > 80 and 0 <= row["test_balanced_error_pct"] <= 50
        assert abs(row["validation_balanced_error_pct"] - row["validation_error_pct"]) < 25
    for metric in ("auc", "balanced_error_pct"):
        chosen = plan(check_experiment(config), chosen_by=check_chosen_by({**config, "select_by": metric}))
        assert chosen.select(rows).values_of(metric) == [rows[0][f"test_{metric}"]]


def test_a_part_of_one_class_has_an_error_and_no_other_score():
    scores = scores_of(np.array([[1.0, -1.0, 2.0]]), Targets(None, np.array([1, 1, 1])))
    assert scores["errors"] == 1 and isnan(scores["balanced_error_pct"]) and isnan(scores["auc"])


def test_three_classes_have_a_balanced_error():
    (row, *_) = rows_of("algo=unif", "dataset=waveform", "dataset.n=90", "kernel=gaussian", "algo.Cs=[1]")
    assert 0 < row["test_balanced_error_pct"] < 70 and "test_auc" not in row
