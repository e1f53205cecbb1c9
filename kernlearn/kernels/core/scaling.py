"""Scaling of examples before a kernel is applied; what has to be fitted is fitted on the training part only.

Examples may be rows of a sparse matrix, as long as the scaling leaves its zeros alone. Of sequences every place is
scaled as an example is.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.core.chains import entries, with_entries
from kernlearn.datasets.core.raw import RawFeatures, encoded
from kernlearn.errors import UserError
from kernlearn.types import Array

#: Of numbers between 2^-400 and 2^400 the squares are numbers, and those of differences in their last digit.
REACH = 400


def none(train: Array, *others: Array) -> tuple[Array, ...]:
    """Leave every example as it is."""
    return (train, *others)


def unit(train: Array, *others: Array) -> tuple[Array, ...]:
    """Scale every example to Euclidean norm 1; an example with only zeros stays as it is."""
    return tuple(_unit(X) for X in (train, *others))


def _unit(X: Any) -> Any:
    if isinstance(X, sparse.csr_array):
        shifts = _shifts(abs(X).max(axis=1).toarray().ravel())
        X = sparse.csr_array((_shifted(X.data, np.repeat(shifts, np.diff(X.indptr))), X.indices, X.indptr), X.shape)
        return sparse.diags_array(1 / _or_one(np.sqrt((X * X).sum(axis=1)))) @ X
    X = _shifted(X, _shifts(_largest(X, axis=1))[:, None])
    return X / _or_one(np.linalg.norm(X, axis=1, keepdims=True))


def minmax(train: Array, *others: Array) -> tuple[Array, ...]:
    """Map every feature's training range to [0, 1]; a constant feature becomes 0 on the training part."""
    _refuse_sparse("minmax", train)
    parts = _within_reach(train, *others)
    low, span = parts[0].min(axis=0), _or_one(np.ptp(parts[0], axis=0))
    return tuple((X - low) / span for X in parts)


def symmetric(train: Array, *others: Array) -> tuple[Array, ...]:
    """Map every feature's training range to [-1, 1]; a constant feature becomes -1 on the training part."""
    _refuse_sparse("symmetric", train)
    return tuple(2 * X - 1 for X in minmax(train, *others))


def standard(train: Array, *others: Array) -> tuple[Array, ...]:
    """Give every feature mean 0 and standard deviation 1 on the training part; a constant feature becomes 0 there."""
    _refuse_sparse("standard", train)
    parts = _within_reach(train, *others)
    mean = parts[0].mean(axis=0)
    constant = np.ptp(parts[0], axis=0) == 0
    deviation = _or_one(np.where(constant, 0.0, parts[0].std(axis=0)))
    return tuple((X - mean) / deviation for X in parts)


def tfidf(train: Any, *others: Any) -> tuple[Any, ...]:
    """Multiply word counts by ``1 + ln((1 + n) / (1 + n_w))``; n_w of the n training texts contain the word w."""
    n, counts = train.shape[0], _texts_with(train)
    return _weighted(1.0 + np.log((1.0 + n) / (1.0 + counts)), train, *others)


def tfidf_salton(train: Any, *others: Any) -> tuple[Any, ...]:
    """Multiply word counts by ``ln(n / max(n_w, 1))``; n_w of the n training texts contain the word w."""
    return _weighted(np.log(train.shape[0] / np.maximum(_texts_with(train), 1)), train, *others)


def _texts_with(X: Any) -> NDArray[np.intp]:
    """Return for every word how many texts have it."""
    return np.asarray((X != 0).sum(axis=0)).ravel()


def _weighted(weights: Array, *parts: Any) -> tuple[Any, ...]:
    """Return the parts, sparse or not, with their columns multiplied by weights."""
    diagonal = sparse.diags_array(weights)
    return tuple(X @ diagonal if isinstance(X, sparse.csr_array) else X * weights for X in parts)


def _within_reach(train: Array, *others: Array) -> tuple[Array, ...]:
    """Return all parts with features so scaled by powers of two that no square of a difference over- or underflows."""
    shifts = _shifts(_largest(train, axis=0))
    return tuple(_shifted(X, shifts) for X in (train, *others))


def _largest(X: Array, axis: int) -> Array:
    return np.maximum(X.max(axis=axis), -X.min(axis=axis))


def _shifts(largest: Array) -> NDArray[np.intc]:
    """Return the powers of two that bring largest entries out of reach near 1, and 0 for all others."""
    exponents = np.frexp(largest)[1]
    return np.where(abs(exponents) > REACH, -exponents, 0)


def _shifted(X: Array, shifts: NDArray[np.intc]) -> Array:
    """Return X times two to the power of the shifts, which rounds nothing; X itself where they are all 0."""
    return np.ldexp(X, shifts) if shifts.any() else X


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
    "tfidf": tfidf,
    "tfidf_salton": tfidf_salton,
}


def scaled(name: str, train: Any, *others: Any) -> tuple[Any, ...]:
    """Return all parts scaled by one of `SCALINGS`: arrays, sparse matrices or `kernlearn.datasets.Chains`.

    `RawFeatures` are encoded before, and become arrays.
    """
    parts = encoded(train, *others) if isinstance(train, RawFeatures) else (train, *others)
    scaled_parts = SCALINGS[name](*map(entries, parts))
    return tuple(with_entries(part, values) for part, values in zip(parts, scaled_parts, strict=True))
