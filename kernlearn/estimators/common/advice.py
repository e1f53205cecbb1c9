"""What estimators say of data that they learn little from, and what to do about it."""

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse

from kernlearn.algorithms.core.predictor import predict
from kernlearn.types import Array

#: The largest standard deviation of a column over the smallest one that is not 0, from which on columns are unlike.
UNLIKE = 100.0
#: From here on double precision rounds whole numbers.
EXACT = 2**53


def warn_of_unlike_columns(estimator: Any, X: Any) -> None:
    """Warn where columns, shape (n, d), have standard deviations that are a hundredfold of others.

    Sparse examples are counts or indicators as a rule, whose zeros are to stay: of them nothing is said.
    """
    if issparse(X) or len(X) < 2:
        return
    with np.errstate(over="ignore", invalid="ignore"):
        deviations = np.asarray(X).std(axis=0)
    there = np.flatnonzero(deviations > 1e-12 * np.abs(X).max(axis=0, initial=0.0))  # of the others rounding is left
    if not len(there):
        return
    small, large = (int(there[place(deviations[there])]) for place in (np.argmin, np.argmax))
    if not deviations[large] <= UNLIKE * deviations[small]:
        names = [str(name) for name in getattr(estimator, "feature_names_in_", range(len(deviations)))]
        _warn(
            estimator,
            f"column {names[large]} has a standard deviation of {deviations[large]:.2g}, column {names[small]} of "
            f"{deviations[small]:.2g}: the largest columns dominate. Standardise them: "
            f"make_pipeline(StandardScaler(), {type(estimator).__name__}(...))",
        )


def warn_of_rounded(estimator: Any, X: Any) -> None:
    """Warn where the integers of an array or a DataFrame, not yet converted, are so large that digits are lost."""
    parts: list[Any] = [X[name] for name in X.columns] if hasattr(X, "columns") else [X]
    for part in parts:
        values: Any = part
        if issparse(part):
            values = values.tocsr().data
        kind = getattr(values, "dtype", None)
        if not isinstance(kind, np.dtype) or kind.kind not in "iu" or not values.size:
            continue
        if values.max() > EXACT or values.min() < -EXACT:
            name = f" of column {part.name}" if hasattr(part, "name") else ""
            _warn(estimator, f"whole numbers{name} beyond 2^53 lose their last digits; leave out columns of ids")


def warn_of_one_class(estimator: Any, values: Array) -> None:
    """Warn where a classifier gives all of its training examples, of outputs (n_outputs, n), the same class."""
    chosen = np.unique(predict(values))
    if len(chosen) == 1:
        name = estimator.classes_.tolist()[chosen[0]]
        _warn(
            estimator,
            f"all {values.shape[1]} training examples are predicted as class {name!r}: standardise the features, "
            "weaken the penalty, or weigh the classes where one is rare",
        )


def _warn(estimator: Any, words: str) -> None:
    warnings.warn(f"{type(estimator).__name__}: {words}", UserWarning, stacklevel=4)
