"""Every method of configurations becomes a model: trained as in a cell, saved, loaded, the same to the last bit."""

import warnings

import numpy as np
import pytest

import kernlearn
from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.algorithms.core.predictor import predict
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.model.training import folds, train, trained_on
from kernlearn.datasets.core.chains import entries
from kernlearn.runner.cell.measure import rows_of_fit
from kernlearn.runner.plan.config import check_experiment
from kernlearn.runner.plan.plan import plan

SENTENCES = "\n\n".join(f"the D\ndog N\n{'runs' if i % 2 else 'sleeps'} V" for i in range(12)) + "\n"


def planned(name, *more):
    method = ALGORITHMS[name]
    words = [f"algo={name}", f"task={method.tasks[0]}", *(["algo.rounds=6"] if "rounds" in method.parameters else [])]
    if method.takes(sequential=False):
        kernel = (
            ["kernel=gaussian", "kernel.gammas=[0.1,1.0]"] if method.inputs == KERNELS else [f"kernel={method.inputs}"]
        )
        words += ["dataset=ringnorm", "dataset.n=50", "protocol=nested5x5", *kernel]
    else:
        with open("s.conll", "w") as file:
            file.write(SENTENCES)
        words += ["dataset=conll", "dataset.path=s.conll", "dataset.target=-1", "scaling=none", "kernel=chains"]
    return plan(check_experiment(compose_config([*words, *more])))


def assert_same_after_loading(model, todo, path):
    features = model[0].of_examples(todo.dataset.X)
    kernlearn.save(model, path)
    loaded = kernlearn.load(path)
    np.testing.assert_array_equal(loaded[-1].outputs(features), model[-1].outputs(features))
    content = path.read_bytes()
    kernlearn.save(loaded, path)
    assert path.read_bytes() == content


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.sampled(8)) for n, m in sorted(ALGORITHMS.items()) if not m.universum],
)
def test_every_method_is_trained_as_in_a_cell_and_kept(name, tmp_path):
    todo = planned(name)
    point = len(todo.grid) // 2
    assert_same_after_loading(train(todo, point), todo, tmp_path / "a.kl")
    if todo.experiment.method.sees_all:  # a cell sees the examples that it validates on, a model sees none of them
        return
    data, (rows, validation) = todo.dataset, folds(todo)[0]
    fit = rows, {"validation": validation}
    row = rows_of_fit(todo.cells[0], data, fit, np.arange(data.X.shape[0]))[point]
    features, machine = trained_on(todo, rows, point)
    outputs = machine.outputs(features.of_examples(data.X[validation]))
    assert todo.grid[point] == machine.values_
    if todo.experiment.is_regression:
        residuals = outputs[0] - data.real_target()[validation]
        assert np.sqrt(np.mean(residuals**2)) == pytest.approx(row["validation_rmse"], rel=1e-9)
    else:
        assert (predict(outputs) != entries(data.y[validation])).sum() == row["validation_errors"]


@pytest.mark.parametrize(
    "words",
    [
        ["kernel.approximate=nystrom", "kernel.rank=10"],
        ["kernel.unit=scale", "scaling=standard"],
        ["streamed=true", "scaling=minmax"],
        ["class_weight=balanced", "scaling=symmetric"],
    ],
    ids=lambda words: words[0],
)
def test_what_a_configuration_may_have_is_kept(words, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        todo = planned("l2_svm", *words)
        assert_same_after_loading(train(todo, 3), todo, tmp_path / "a.kl")
