"""Scaling of examples before a kernel is applied; what has to be fitted is fitted on the training part only."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def none(train: Array, *others: Array) -> tuple[Array, ...]:
    """Leave every example as it is."""
    return (train, *others)


def unit(train: Array, *others: Array) -> tuple[Array, ...]:
    """Scale every example to Euclidean norm 1; an example of zeros stays one."""
    return tuple(X / _or_one(np.linalg.norm(X, axis=1, keepdims=True)) for X in (train, *others))


def minmax(train: Array, *others: Array) -> tuple[Array, ...]:
    """Map every feature's training range to [0, 1]; a constant feature becomes 0 on the training part."""
    low, span = train.min(axis=0), _or_one(np.ptp(train, axis=0))
    return tuple((X - low) / span for X in (train, *others))


def standard(train: Array, *others: Array) -> tuple[Array, ...]:
    """Give every feature mean 0 and standard deviation 1 on the training part; a constant feature becomes 0 there."""
    mean = train.mean(axis=0)
    constant = np.ptp(train, axis=0) == 0
    deviation = _or_one(np.where(constant, 0.0, train.std(axis=0)))
    return tuple((X - mean) / deviation for X in (train, *others))


def _or_one(scale: Array) -> Array:
    return np.where(scale > 0, scale, 1.0)


#: Scalings by name: ``scale(train, *others)`` returns all parts scaled alike.
SCALINGS: dict[str, Callable[..., tuple[Array, ...]]] = {
    "unit": unit,
    "none": none,
    "minmax": minmax,
    "standard": standard,
}
