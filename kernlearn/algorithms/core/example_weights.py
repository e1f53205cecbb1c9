"""Factors of the losses of single examples: those that balance classes, and their mean."""

import numpy as np
from numpy.typing import NDArray

from kernlearn.types import Array


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


def mean_and_parts(weights: Array | None) -> tuple[float, Array | None]:
    """Return the mean of weights and the weights divided by it; 1 and None for weights that are all 1."""
    if weights is None:
        return 1.0, None
    mean = float(weights.mean())
    return mean, weights / mean
