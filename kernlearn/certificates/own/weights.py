"""Factors of the losses of single examples: those that follow from classes and weights of examples."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.own.stored import Stored, rows_of
from kernlearn.certificates.proofs.examples import Examples, OtherData
from kernlearn.types import Array

#: Factors may differ from those that follow by this part of them: their sums are rounded.
ROUNDED = 1e-9


def balanced_factors(y: NDArray[np.integer], n_classes: int, weights: Array | None = None) -> Array:
    """Return the factor of every class that gives all classes the same total weight and keeps the total of all.

    Parameters
    ----------
    y : integer array of shape (n,)
        Classes 0, 1, ..., n_classes - 1. A class without an example has the factor 1.
    weights : array of shape (n,), optional
        Weights > 0 that the examples have already, by default 1.

    Returns
    -------
    array of shape (n_classes,)
    """
    totals = np.bincount(y, weights, minlength=n_classes)
    present = totals > 0
    factors: Array = np.ones(n_classes)
    factors[present] = totals.sum() / (present.sum() * totals[present])
    return factors


def weights_follow(stored: Stored, data: Examples, class_weight: Any, mean_loss: bool = False) -> bool:
    """Return whether the factors of a solution follow from the weights of the data and from those of the classes.

    Parameters
    ----------
    stored : Stored
    data : Examples
        All rows of the training data, with their weights.
    class_weight : "balanced", mapping or None
    mean_loss : bool
        Whether the loss is a mean, so that the weights of examples are divided by theirs.

    Raises
    ------
    UserError
        If a factor is not a number above 0, or there are not as many as examples.
    """
    rows = rows_of(replace(stored, duals=[]), data.X.shape[0])  # those of pairs of classes are of fewer examples
    kept = np.ones(len(rows)) if stored.weights is None else np.asarray(stored.weights, dtype=np.float64)
    if kept.shape != (len(rows),) or not (np.isfinite(kept).all() and (kept > 0.0).all()):
        raise OtherData(f"the weights of the solution must be {len(rows)} numbers above 0")
    used = np.flatnonzero(data.weights)
    if not np.array_equal(rows, used):
        return False
    weights = data.weights[used]
    if mean_loss:
        weights = weights / weights.mean()
    if stored.classes is not None and class_weight is not None:
        index = data.indices(stored.classes)[used]
        if isinstance(class_weight, Mapping):
            factors = np.array([float(class_weight.get(name, 1.0)) for name in stored.classes.tolist()])
        else:
            factors = balanced_factors(index, len(stored.classes), weights)
        weights = weights * factors[index]
    return bool((np.abs(kept - weights) <= ROUNDED * weights).all())
