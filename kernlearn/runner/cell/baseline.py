"""Baselines: estimators of scikit-learn with their default parameters, on the same splits and preprocessed examples.

Nothing is selected, so there is one row a split. It has no certificate, since none of these estimators gives one.
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from scipy import sparse

from kernlearn.evaluation import METRICS, Row
from kernlearn.kernels import scaled
from kernlearn.runner.cell.cell import CLASSIFICATION, REGRESSION, BaselineCell
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.targets import scores_of, targets_of
from kernlearn.types import Array

#: The classes of scikit-learn by task, with the module of each.
BASELINES: Mapping[str, Mapping[str, str]] = {
    CLASSIFICATION: {
        "LogisticRegression": "sklearn.linear_model",
        "RandomForestClassifier": "sklearn.ensemble",
        "HistGradientBoostingClassifier": "sklearn.ensemble",
    },
    REGRESSION: {
        "Ridge": "sklearn.linear_model",
        "RandomForestRegressor": "sklearn.ensemble",
        "HistGradientBoostingRegressor": "sklearn.ensemble",
    },
}
#: Those that take no sparse matrices.
DENSE = ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor")


def measure_baseline(cell: BaselineCell) -> list[Row]:
    """Return the row of a baseline on one split."""
    dataset, split = data_of(cell)
    train, parts = split.fits[-1]
    X, Z = scaled(cell.scaling, dataset.X[train], dataset.X[parts["test"]])  # arrays, or sparse matrices
    if cell.baseline in DENSE and isinstance(X, sparse.csr_array):
        X, Z = X.toarray(), Z.toarray()
    targets = targets_of(dataset, cell.is_regression)
    learned, truth = targets.at(train), targets.at(parts["test"])
    model = _estimator(cell)
    with warnings.catch_warnings():  # the limit of iterations is a default, too
        warnings.simplefilter("ignore")
        model.fit(X, learned.labels if learned.real is None else learned.real)
    scores = scores_of(_decision(model, Z), truth)
    if truth.real is None:
        metric = METRICS["log_loss"].score
        assert metric is not None
        scores["log_loss"] = metric(truth.labels, model.predict_proba(Z).T)
    sizes = {"n_train": len(train), "n_test": truth.size}
    return [cast(Row, {"point": 0, **sizes, **{f"test_{name}": value for name, value in scores.items()}})]


def _estimator(cell: BaselineCell) -> Any:
    """Return the estimator of a cell. The seed is that of the partition, for those that draw at random."""
    from importlib import import_module

    make: Callable[..., Any] = getattr(import_module(BASELINES[cell.task][cell.baseline]), cell.baseline)
    return make(random_state=cell.seed)


def _decision(model: Any, X: Any) -> Array:
    """Return decision values of shape (n_outputs, n), from which `scores_of` has the predictions of the estimator."""
    if hasattr(model, "decision_function"):
        values = model.decision_function(X)
        return np.atleast_2d(values.T)
    if not hasattr(model, "predict_proba"):
        return np.atleast_2d(model.predict(X))
    probabilities: Array = model.predict_proba(X).T
    return probabilities if len(probabilities) > 2 else probabilities[1:] - probabilities[:1]
