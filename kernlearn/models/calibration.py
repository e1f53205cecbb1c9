"""Probabilities from decision values: sigmoids that are fitted out of fold.

There is one sigmoid for every class against the rest, and shares add up to 1, as in scikit-learn's
`CalibratedClassifierCV`. Source: Platt (1999), Probabilistic outputs for support vector machines, with his targets that
are not quite 0 and 1.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.types import Array


def fit_sigmoids(outputs: Array, y: NDArray[np.integer]) -> Array:
    """Return slope and offset of every output, shape (n_outputs, 2).

    Parameters
    ----------
    outputs : array of shape (n_outputs, n)
        One for two classes, positive for class 1; otherwise one for every class.
    y : array of shape (n,)
        Numbers of classes.
    """
    from sklearn.linear_model import LogisticRegression

    found = np.zeros((len(outputs), 2))
    for number, values in enumerate(outputs):
        positive = y == (number if len(outputs) > 1 else 1)
        n_positive, n = int(positive.sum()), len(y)
        scale = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
        targets = np.where(positive, (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n - n_positive + 2.0))
        finite = np.where(np.isfinite(values), values, -scale)[:, None] / scale
        both = np.vstack([finite, finite]), np.repeat([1, 0], n)
        machine: Any = LogisticRegression(C=np.inf, tol=1e-8, max_iter=10_000)
        machine.fit(*both, sample_weight=np.concatenate([targets, 1.0 - targets]))
        found[number] = machine.coef_[0, 0] / scale, machine.intercept_[0]
    return found


def probabilities(sigmoids: Array, outputs: Array) -> Array:
    """Return the probability of every class, shape (n, n_classes); see `fit_sigmoids`."""
    from scipy.special import expit

    values: Array = expit(sigmoids[:, :1] * outputs + sigmoids[:, 1:])
    if len(values) == 1:
        return np.column_stack([1.0 - values[0], values[0]])
    totals = values.sum(axis=0)
    shares = np.where(totals > 0, values / np.where(totals > 0, totals, 1.0), 1.0 / len(values))
    return shares.T
