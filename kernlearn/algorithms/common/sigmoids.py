"""Probabilities from decision values: sigmoids that are fitted out of fold.

There is one sigmoid for every class against the rest, and shares add up to 1, as in scikit-learn's
`CalibratedClassifierCV`. Source: Platt (1999), Probabilistic outputs for support vector machines, with his targets that
are not quite 0 and 1.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from kernlearn.types import Array


def fit_sigmoids(outputs: Array, labels: Iterable[Array], weights: Array | None = None) -> Array:
    """Return slope and offset of every output, shape (n_outputs, 2).

    Parameters
    ----------
    outputs : array of shape (n_outputs, n)
        One for two classes, positive for class 1; otherwise one for every class.
    labels : n_outputs arrays of shape (n,)
        The labels +-1 of every output, see `kernlearn.algorithms.common.reductions.signs`.
    weights : array of shape (n,), optional
        How much every example counts.
    """
    from sklearn.linear_model import LogisticRegression

    weights = np.ones(outputs.shape[1]) if weights is None else weights
    sigmoids = []
    for values, s in zip(outputs, labels, strict=True):
        positive = s > 0
        n_positive, n_negative = weights[positive].sum(), weights[~positive].sum()
        scale = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
        targets = np.where(positive, (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0))
        finite = np.where(np.isfinite(values), values, -scale)[:, None] / scale
        both = np.vstack([finite, finite]), np.repeat([1, 0], len(s))
        machine: Any = LogisticRegression(C=np.inf, tol=1e-8, max_iter=10_000)
        machine.fit(*both, sample_weight=np.concatenate([weights * targets, weights * (1.0 - targets)]))
        sigmoids.append([machine.coef_[0, 0] / scale, machine.intercept_[0]])
    return np.array(sigmoids)


def probabilities(sigmoids: Array, outputs: Array) -> Array:
    """Return the probability of every class, shape (n, n_classes); see `fit_sigmoids`."""
    from scipy.special import expit

    values: Array = expit(sigmoids[:, :1] * outputs + sigmoids[:, 1:])
    if len(values) == 1:
        return np.column_stack([1.0 - values[0], values[0]])
    totals = values.sum(axis=0)
    shares = np.where(totals > 0, values / np.where(totals > 0, totals, 1.0), 1.0 / len(values))
    return shares.T
