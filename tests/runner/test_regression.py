"""Regression by the runner, against ridge regression of scikit-learn with the weights of the rows."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.main import main
from kernlearn.datasets import load
from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.cell.run import run_cell
from tests.conftest import needs_originals
from tests.runner.experiments import plan_of, rows_of

GAMMAS = [0.5, 2.0, 8.0]
WORDS = ["kernel=gaussian", f"kernel.gammas={GAMMAS}", "algo.lambdas=[0.01,1]", "task=regression"]
#: Those of kernels that are centred and normalised by default.
ABLE = [
    name
    for name, algorithm in ALGORITHMS.items()
    if "regression" in algorithm.tasks and "normalise" in algorithm.parameters
]


def kernels(X, Z, weights):
    squares = ((X[:, None] - Z[None]) ** 2).sum(axis=2)
    return sum(w * np.exp(-gamma * squares) for w, gamma in zip(weights, GAMMAS, strict=True))


def parts_of(name, protocol, y):
    data = load(name)
    split = PROTOCOLS[protocol].splits(len(y), 0)[0]
    X = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    return split, X


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ABLE)
def test_scores_are_those_of_ridge_regression_with_the_weights_of_the_row(name):
    data = load("ionosphere")
    y = np.where(data.y == 1, 1.0, -1.0)
    split, X = parts_of("ionosphere", "rotation5", y)
    H = np.eye(len(split.train)) - 1 / len(split.train)
    rows = rows_of(f"algo={name}", "dataset=ionosphere", *WORDS)
    assert len(rows) == (6 if name == "krr" else 2)
    for row in rows:
        assert row["status"] == "optimal" and abs(row["gap"]) <= 1e-6
        if name == "krr":
            weights = [float(gamma == row["gamma"]) for gamma in GAMMAS]
            K = H @ kernels(X[split.train], X[split.train], weights) @ H
            weights = np.array(weights) * len(K) / np.trace(K)  # normalise: mean_diagonal
        else:
            weights = [float(word) for word in row["weights"].split()]
        K = H @ kernels(X[split.train], X[split.train], weights) @ H
        mean = y[split.train].mean()
        ridge = KernelRidge(alpha=row["lambda"], kernel="precomputed").fit(K, y[split.train] - mean)
        for part in ("validation", "test"):
            index = getattr(split, part)
            raw = kernels(X[index], X[split.train], weights)
            column = kernels(X[split.train], X[split.train], weights).mean(axis=0)
            f = mean + (raw - column) @ H @ ridge.dual_coef_
            assert row[f"{part}_rmse"] == pytest.approx(np.sqrt(np.mean((f - y[index]) ** 2)), rel=1e-6)
            assert row[f"{part}_errors"] == np.sum(np.sign(f) != y[index])


@needs_originals
@pytest.mark.data
def test_real_targets_have_no_errors():
    (row, *_) = rows_of("algo=align", "dataset=kin8nm", "protocol=rotation5_1000", "scaling=none", *WORDS)
    assert row["n_train"] == 600 and 0 < row["test_rmse"] < 0.3 and not any("error" in name for name in row)


@pytest.mark.slow
def test_warm_starts_end_where_cold_ones_do():
    words = ["dataset=ionosphere", "kernel=gaussian", "task=regression", "algo.Lambdas=[0.1,1,10]"]
    for name, more in (("l1_krr", []), ("l2_krr", []), ("l2_krr", ["algo.mu0=uniform"])):
        cell = plan_of(f"algo={name}", *words, *more).cells[0]
        for row in run_cell(cell)["rows"]:
            point = {"lambdas": [row["lambda"]], "Lambdas": [row["Lambda"]]}
            (alone,) = run_cell(replace(cell, algo=Group({**cell.algo, **point})))["rows"]
            assert row["status"] == alone["status"] == "optimal"
            assert row["objective"] == pytest.approx(alone["objective"], rel=2e-6)
            assert row["test_rmse"] == pytest.approx(alone["test_rmse"], rel=1e-3)


def test_the_key_task_is_in_the_names_of_regressions_only():
    plain, said = (plan_of("algo=unif", "dataset=sonar", *more) for more in ([], ["task=classification"]))
    assert "task" not in plain.cells[0].to_json() and plain.keys == said.keys
    assert plan_of("algo=unif", "dataset=sonar", "task=regression").cells[0].task == "regression"


#: Keys change with the versions, which are raised when numbers change, and with nothing else.
KEYS = {
    "vkr": "8b7750560e78",
    "l1_svm": "b5155f3038e3",
    "l2_svm": "857fce39d88a",
}


@pytest.mark.parametrize("name", sorted(KEYS))
def test_keys_change_with_the_versions_only(name):
    cell = plan_of(f"algo={name}", "dataset=ionosphere").cells[0]
    assert set(cell.versions) == {"algo", "rows"}
    assert replace(cell, versions=Group({"algo": 3, "rows": 1})).key.startswith(KEYS[name])


def test_what_is_not_possible_is_said():
    with pytest.raises(UserError, match="algo=vkr: is not for task=regression; use one of unif, align"):
        plan_of("algo=vkr", "task=regression")
    with pytest.raises(UserError, match="algo=l2_krr: is not for task=classification; it needs task=regression"):
        plan_of("algo=l2_krr")
    with pytest.raises(UserError, match="task=ranking: must be one of classification, regression"):
        plan_of("task=ranking")
    with pytest.raises(UserError, match="digits: has 10 classes and no real target"):
        plan_of("algo=krr", "dataset=digits", "task=regression")


def test_a_run_tells_of_targets_and_selects_by_the_error_of_the_task(capsys):
    words = ["dataset=sonar", *WORDS, "engine.jobs=1"]
    assert main(["run", "algo=align", *words]) == 0
    out = capsys.readouterr().out
    assert "targets from -1 to 1" in out and "(validation RMSE 0." in out and "test RMSE" in out
    for metric, text in (("auc", "validation AUC "), ("accuracy_pct", "validation accuracy ")):
        assert main(["run", "algo=align", *words, f"select_by={metric}"]) == 0
        out = capsys.readouterr().out
        assert "nothing to run" in out and text in out
    assert main(["run", "algo=krr", *words, "select_by=auc"]) == 0  # of labels -1 and +1
    capsys.readouterr()
    assert main(["run", "algo=unif", "dataset=sonar", "kernel.degrees=[1]", "engine.jobs=1", "select_by=rmse"]) == 2
    assert "select_by=rmse: is a score of real targets" in capsys.readouterr().err
    assert main(["sweep", "algo=align,krr", *words]) == 0
    assert "RMSE" in capsys.readouterr().out


OWN = {
    "csv": "a,price,b\n" + "".join(f"{i % 5},{i * 0.5 - 3},{i % 3}\n" for i in range(30)),
    "arff": "@relation x\n@attribute a real\n@attribute price real\n@attribute b real\n@data\n"
    + "".join(f"{i % 5},{i * 0.5 - 3},{i % 3}\n" for i in range(30)),
    "libsvm": "".join(f"{i * 0.5 - 3} 1:{i % 5} 2:{i % 3}\n" for i in range(30)),
}


@pytest.mark.parametrize("kind", OWN)
def test_own_files_have_real_targets(tmp_path, kind):
    path = tmp_path / f"mine.{kind}"
    path.write_text(OWN[kind])
    target = {} if kind == "libsvm" else {"target": "price"}  # a libsvm file has no columns to name
    words = [f"dataset.{key}={name}" for key, name in target.items()]
    rows = rows_of("algo=krr", "dataset=csv", f"dataset.path={path}", *words, *WORDS)
    data = load("csv", path=path, **target, task="regression")
    assert data.target.tolist() == [i * 0.5 - 3 for i in range(30)] and data.classes == () and data.X.shape == (30, 2)
    assert len(rows) == 6 and all(row["test_rmse"] > 0 for row in rows) and "test_errors" not in rows[0]


def test_own_file_from_the_command_to_the_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "houses.csv").write_text(OWN["csv"])
    words = ["dataset=csv", "dataset.path=houses.csv", "dataset.target=price", "kernel=gaussian", "engine.jobs=1"]
    assert main(["run", "algo=l2_krr", "task=regression", *words]) == 0
    printed = capsys.readouterr().out
    assert "targets from -3 to 11.5" in printed and "test RMSE" in printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,low\n2,high\n3,low\n", "the target 'low' is no number, which task=regression needs"),
        ("a,b\n1,2.5\n2,inf\n", "the target 'inf' is not finite"),
        ("a,b\n1,2.5\n2,2.5\n", "all 2 targets are 2.5; there is nothing to learn"),
        ("a,b\n1,2.5\n2,\n", "line 3, column 'b': the target is missing"),
    ],
)
def test_targets_that_cannot_be_learned(tmp_path, text, message):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        load("csv", path=path, task="regression")


def test_many_different_numbers_are_suspected_to_be_targets(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,b\n1,2.5\n2,3.5\n3,4.5\n")
    with pytest.raises(UserError, match="differ in their class; are these real targets"):
        load("csv", path=path)
