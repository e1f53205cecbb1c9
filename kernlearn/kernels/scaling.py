"""Scaling of examples before a kernel is applied; what has to be fitted is fitted on the training part only.

Examples may be rows of a sparse matrix, as long as the scaling leaves its zeros alone.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.errors import UserError

Array = NDArray[np.float64]


def none(train: Array, *others: Array) -> tuple[Array, ...]:
    """Leave every example as it is."""
    return (train, *others)


def unit(train: Array, *others: Array) -> tuple[Array, ...]:
    """Scale every example to Euclidean norm 1; an example of zeros stays one."""
    return tuple(_unit(X) for X in (train, *others))


def _unit(X: Any) -> Any:
    if isinstance(X, sparse.csr_array):
        return sparse.diags_array(1 / _or_one(np.sqrt((X * X).sum(axis=1)))) @ X
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(X, axis=1, keepdims=True)
    if not np.isfinite(norms).all():  # squares of features beyond 1e154 overflow
        return _unit(X / _or_one(np.abs(X).max(axis=1, keepdims=True)))
    return X / _or_one(norms)


def minmax(train: Array, *others: Array) -> tuple[Array, ...]:
    """Map every feature's training range to [0, 1]; a constant feature becomes 0 on the training part."""
    _refuse_sparse("minmax", train)
    low, span = train.min(axis=0), _or_one(np.ptp(train, axis=0))
    return tuple((X - low) / span for X in (train, *others))


def symmetric(train: Array, *others: Array) -> tuple[Array, ...]:
    """Map every feature's training range to [-1, 1]; a constant feature becomes -1 on the training part."""
    _refuse_sparse("symmetric", train)
    return tuple(2 * X - 1 for X in minmax(train, *others))


def standard(train: Array, *others: Array) -> tuple[Array, ...]:
    """Give every feature mean 0 and standard deviation 1 on the training part; a constant feature becomes 0 there."""
    _refuse_sparse("standard", train)
    mean = train.mean(axis=0)
    constant = np.ptp(train, axis=0) == 0
    deviation = _or_one(np.where(constant, 0.0, train.std(axis=0)))
    return tuple((X - mean) / deviation for X in (train, *others))


def _refuse_sparse(name: str, X: Array) -> None:
    if sparse.issparse(X):
        raise UserError(f"scaling={name}: would fill in the zeros of sparse data; use scaling=unit or scaling=none")


def _or_one(scale: Any) -> Array:
    return np.where(scale > 0, scale, 1.0)


#: Scalings by name: ``scale(train, *others)`` returns all parts scaled alike.
SCALINGS: dict[str, Callable[..., tuple[Array, ...]]] = {
    "unit": unit,
    "none": none,
    "minmax": minmax,
    "standard": standard,
    "symmetric": symmetric,
}
