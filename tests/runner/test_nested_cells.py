"""Cross-validation inside a cell, against the same loops written out with scikit-learn."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem
from kernlearn.algorithms.core.predictor import predict
from kernlearn.datasets import load
from kernlearn.evaluation import PROTOCOLS, select
from kernlearn.kernels import GramStack, make_family
from kernlearn.runner.cell import folds, measure
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.store import Store
from tests.runner.experiments import plan_of, rows_of

WORDS = ["dataset=sonar", "protocol=holdout10_cv5", "kernel=gaussian", "kernel.gammas=[1.0]", "algo.Cs=[0.1,1,30]"]


def train_and_decide(X, y, train, part, C):
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    K = np.exp(-squares)
    H = np.eye(len(train)) - 1 / len(train)
    size = np.trace(H @ K[np.ix_(train, train)] @ H) / len(train)  # normalise: mean_diagonal
    svc = SVC(kernel="precomputed", C=C, tol=1e-8).fit(K[np.ix_(train, train)] / size, y[train])
    return svc.decision_function(K[np.ix_(part, train)] / size)


def test_rows_are_those_of_the_loops_written_out():
    data = load("sonar")
    X = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    for number in (0, 3):
        split = PROTOCOLS["holdout10_cv5"].make(data.y, data.classes, 0)[number]
        rows = rows_of("algo=unif", *WORDS, split=number)
        assert [row["point"] for row in rows] == [0, 1, 2]
        for row in rows:
            folds = [
                (fold.validation, train_and_decide(X, data.y, fold.train, fold.validation, row["C"]))
                for fold in split.folds
            ]
            errors = sum(int(((f > 0) != (data.y[part] == 1)).sum()) for part, f in folds)
            assert row["validation_errors"] == errors and row["n_validation"] == row["n_train"] == len(split.train)
            assert row["validation_error_pct"] == pytest.approx(100 * errors / len(split.train))
            aucs = [100 * roc_auc_score(data.y[part], f) for part, f in folds]
            sizes = [len(part) for part, _ in folds]
            assert row["validation_auc"] == pytest.approx(np.average(aucs, weights=sizes))
            f = train_and_decide(X, data.y, split.train, split.test, row["C"])
            assert row["test_errors"] == ((f > 0) != (data.y[split.test] == 1)).sum()
            assert row["n_test"] == len(split.test) and row["status"] == "optimal" and row["gap"] <= 1e-6


def test_every_split_selects_its_own_point():
    rows = [
        {"split": split, "point": point, "validation_errors": errors, "n_validation": 10, "n_support": 1,
         "n_nonzero": 1, "test_error_pct": 10.0 * split + point}
        for split, counts in enumerate([[3, 1, 2], [1, 2, 3]])
        for point, errors in enumerate(counts)
    ]  # fmt: skip
    grid = [{"C": 1.0, "theta": 2}, {"C": 2.0, "theta": 2}, {"C": 3.0, "theta": 2}]
    chosen = select(rows, grid, rule="per_split")
    assert chosen.point is None and chosen.values == {"theta": 2} and chosen.validation_score == pytest.approx(10.0)
    assert chosen.values_of("error_pct") == [1.0, 10.0]
    assert select(rows, grid).point in (0, 1) and select(rows, grid).validation_score == pytest.approx(15.0)


def test_the_plan_selects_as_its_protocol_says():
    plan = plan_of("algo=unif", *WORDS)
    assert len(plan.cells) == 10 and PROTOCOLS["holdout10_cv5"].rule == "per_split"
    rows = [{"split": i, **row} for i in (0, 1) for row in rows_of("algo=unif", *WORDS, split=i)]
    chosen = plan.select(rows)
    for row in chosen.rows:
        mine = [other for other in rows if other["split"] == row["split"]]
        assert row["validation_errors"] == min(other["validation_errors"] for other in mine)


class Killed(BaseException):
    pass


@pytest.mark.parametrize("algorithm", ["l2_svm", "unif"])
def test_a_cell_killed_between_two_folds_goes_on_there(algorithm, tmp_path, monkeypatch):
    words = ["dataset=sonar", "protocol=holdout10_cv5", "kernel.degrees=[1,2]", "algo.Cs=[0.1,1]"]
    cell = plan_of(f"algo={algorithm}", *words).cells[0]
    whole = run_cell(cell)["rows"]
    facts, count = measure._facts, 0

    def dies_once(point):
        nonlocal count
        count += 1
        if count == 6:
            raise Killed
        return facts(point)

    monkeypatch.setattr(measure, "_facts", dies_once)
    partial = Partial(Store(tmp_path), cell.key, seconds=0.0)
    with pytest.raises(Killed):
        run_cell(cell, partial)
    assert partial.load()[0] == 2  # blocks: both kernels of the first fold, or two folds
    assert run_cell(cell, partial)["rows"] == whole


def test_a_class_that_a_fold_lacks_is_not_predicted_there():
    y = np.array([0, 1, 2, 0, 1, 2, 0, 1] * 5)
    X = np.random.default_rng(0).normal(size=(40, 2)) + y[:, None]
    stack = GramStack.train(make_family("gaussian", gammas=[0.5, 2.0]), X)
    few = np.where(y == 2, 1, y)  # three classes are known, two are there
    (point,) = REDUCTIONS["one_vs_rest"](partial(ALGORITHMS["unif"].path, Cs=[1.0]), Problem(stack, Classes(few, 3)))
    decision = point.predictor.outputs(stack)
    assert point.predictor.coef.shape == (3, 2, 40) and set(predict(decision)) == {0, 1} and len(point.solutions) == 2


def test_a_fold_of_one_class_is_in_no_mean_of_the_area_under_the_roc_curve():
    def fold(auc, rmse, n):
        return {"validation_auc": auc, "validation_rmse": rmse, "n_validation": n, "gap": 0.0, "status": "optimal"}

    whole = {"gap": 0.0, "status": "optimal"}
    row = folds._over_folds(fold(np.nan, 1.0, 7), fold(80.0, 2.0, 10), fold(50.0, np.nan, 20), whole)
    assert row["validation_auc"] == pytest.approx(60.0) and np.isnan(row["validation_rmse"])
    assert np.isnan(folds._over_folds(fold(np.nan, 1.0, 7), whole)["validation_auc"])
