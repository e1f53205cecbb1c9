"""Outputs of a cell that are computed once more belong to the rows of its shard, to the last bit."""

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.errors import UserError
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.outputs import outputs_of
from kernlearn.runner.cell.targets import scores_of, targets_of
from tests.conftest import one_of_each
from tests.runner.experiments import plan_of, rows_of

BLOCKS = ["algo=l2_svm", "dataset=sonar", "kernel=polynomial", "kernel.degrees=[1,2]", "algo.Cs=[0.1,1]"]
EXPERIMENTS = {
    "blocks": BLOCKS,
    "weights": ["algo=alignf", "dataset=sonar", "kernel=polynomial", "kernel.degrees=[1,2]", "algo.Cs=[1,10]"],
    "swap": [*BLOCKS, "protocol=rotation5", "rule=swap"],
    "folds": [*BLOCKS, "protocol=nested5x5"],
    "regression": ["algo=krr", "dataset=sonar", "task=regression", "kernel=polynomial", "kernel.degrees=[1,2]"],
    "graph": ["algo=label_spreading", "dataset=sonar", "kernel=graph"],
    "limit": [*BLOCKS, "limit=1000"],
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_outputs_have_the_scores_of_the_rows(name):
    words = EXPERIMENTS[name]
    cell, rows = plan_of(*words).cells[1], rows_of(*words, split=1)
    dataset, split = data_of(cell)
    parts = [part for part in ("validation", "test") if part in split.fits[-1][1]]
    wanted = [(point, part) for point in (len(rows) // 2, len(rows) - 1) for part in parts]
    found = outputs_of(cell, wanted)
    assert [(one.point, one.part) for one in found] == wanted
    for one in found:
        row = rows[one.point]
        prefix = f"{one.part}_"
        stored = {key.removeprefix(prefix): value for key, value in row.items() if key.startswith(prefix)}
        assert {key: stored[key] for key in one.scores} == one.scores
        np.testing.assert_array_equal(one.rows, getattr(split, one.part))
        targets = targets_of(dataset, cell.is_regression).at(one.rows)
        again = scores_of(one.values, targets, n_classes=len(dataset.classes))
        assert all(one.scores[key] == value for key, value in again.items())


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    one_of_each(
        sorted(n for n, method in ALGORITHMS.items() if method.takes(sequential=False) and not method.universum),
        lambda name: (ALGORITHMS[name].inputs, ALGORITHMS[name].problem),
    ),
)
def test_outputs_of_every_method_have_the_scores_of_the_rows(name):
    method = ALGORITHMS[name]
    inputs = ["kernel=polynomial", "kernel.degrees=[1,2]"] if method.inputs == "kernels" else []
    few = ["algo.rounds=8"] if "rounds" in method.parameters else []
    words = [f"algo={name}", "dataset=ringnorm", "dataset.n=120", f"task={method.tasks[0]}", *inputs, *few]
    cell, rows = plan_of(*words).cells[0], rows_of(*words)
    (one,) = outputs_of(cell, [(len(rows) - 1, "test")])
    assert {key: rows[-1][f"test_{key}"] for key in one.scores} == one.scores


def test_several_classes_that_vote_have_votes():
    words = ["algo=l2_svm", "dataset=waveform", "dataset.n=60", "kernel=linear", "algo.Cs=[1]", "multiclass=one_vs_one"]
    (one,) = outputs_of(plan_of(*words).cells[0], [(0, "test")])
    assert one.voted and one.values.shape == (3, len(one.rows)) and (one.values.sum(axis=0) == 3).all()


def test_a_part_that_a_split_does_not_have_is_refused():
    with pytest.raises(UserError, match="has no part validation of its own"):
        outputs_of(plan_of(*EXPERIMENTS["folds"]).cells[0], [(0, "validation")])
