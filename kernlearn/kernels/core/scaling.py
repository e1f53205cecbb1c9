"""Scaling of examples before a kernel is applied; what has to be fitted is fitted on the training part only.

Examples may be rows of a sparse matrix, as long as the scaling leaves its zeros alone. Of sequences every place is
scaled as an example is.
"""

from collections.abc import Callable, Mapping
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.core.chains import entries, with_entries
from kernlearn.datasets.core.raw import RawFeatures, encoded
from kernlearn.errors import UserError
from kernlearn.kernels.core.units import UNITS
from kernlearn.scalings import DESCRIPTIONS
from kernlearn.types import Array

#: Of numbers between 2^-400 and 2^400 the squares are numbers, and those of differences in their last digit.
REACH = 400


def _unit(X: Any) -> Any:
    if isinstance(X, sparse.csr_array):
        shifts = _shifts(abs(X).max(axis=1).toarray().ravel())
        X = sparse.csr_array((_shifted(X.data, np.repeat(shifts, np.diff(X.indptr))), X.indices, X.indptr), X.shape)
        return sparse.diags_array(1 / _or_one(np.sqrt((X * X).sum(axis=1)))) @ X
    X = _shifted(X, _shifts(_largest(X, axis=1))[:, None])
    return X / _or_one(np.linalg.norm(X, axis=1, keepdims=True))


def _range(train: Array) -> dict[str, Any]:
    shifts, train = _within_reach(train)
    return {"shifts": shifts, "centre": train.min(axis=0), "size": _or_one(np.ptp(train, axis=0))}


def _affine_symmetric(X: Array, shifts: NDArray[np.intc], centre: Array, size: Array) -> Array:
    return 2 * _affine(X, shifts, centre, size) - 1


def _moments(train: Array) -> dict[str, Any]:
    shifts, train = _within_reach(train)
    constant = np.ptp(train, axis=0) == 0
    deviation = _or_one(np.where(constant, 0.0, train.std(axis=0)))
    return {"shifts": shifts, "centre": train.mean(axis=0), "size": deviation}


def _affine(X: Array, shifts: NDArray[np.intc], centre: Array, size: Array) -> Array:
    return (_shifted(X, shifts) - centre) / size


def _smooth_weights(train: Any) -> dict[str, Array]:
    return {"weights": 1.0 + np.log((1.0 + train.shape[0]) / (1.0 + _texts_with(train)))}


def _weights(train: Any) -> dict[str, Array]:
    return {"weights": np.log(train.shape[0] / np.maximum(_texts_with(train), 1))}


def _damped_weights(train: Any) -> dict[str, Array]:
    return _smooth_weights(_damped(train))


def _damped_weighted(X: Any, weights: Array) -> Any:
    return _weighted(_damped(X), weights)


def _damped(X: Any) -> Any:
    """Return ln(1 + c) of every count c. Raises `UserError` if one is negative."""
    if X.size and X.min() < 0:
        raise UserError("scaling=tfidf_damped: is for counts, which are not negative; use scaling=tfidf")
    return np.log1p(X)


def _texts_with(X: Any) -> NDArray[np.intp]:
    """Return for every word how many texts have it."""
    return np.asarray((X != 0).sum(axis=0)).ravel()


def _weighted(X: Any, weights: Array) -> Any:
    """Return examples, sparse or not, with their columns multiplied by weights."""
    return X @ sparse.diags_array(weights) if isinstance(X, sparse.csr_array) else X * weights


def _within_reach(train: Array) -> tuple[NDArray[np.intc], Array]:
    """Return the powers of two by which features are scaled, and these features.

    No square of a difference over- or underflows then.
    """
    shifts = _shifts(_largest(train, axis=0))
    return shifts, _shifted(train, shifts)


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


def _nothing(train: Any) -> dict[str, Array]:
    return {}


def _as_it_is(X: Any) -> Any:
    return X


#: What every scaling learns from training examples, and how examples are scaled by it: ``transform(X, **learned)``.
_STEPS: dict[str, tuple[Callable[[Any], dict[str, Array]], Callable[..., Any]]] = {
    "unit": (_nothing, _unit),
    "none": (_nothing, _as_it_is),
    "minmax": (_range, _affine),
    "standard": (_moments, _affine),
    "symmetric": (_range, _affine_symmetric),
    "tfidf": (_smooth_weights, _weighted),
    "tfidf_salton": (_weights, _weighted),
    "tfidf_damped": (_damped_weights, _damped_weighted),
}


def fit_scaling(name: str, train: Any, unit: str | None = None) -> tuple[dict[str, Array], float | None]:
    """Return what a scaling and a unit of kernel parameters learn from training examples, for `apply_scaling`.

    Returns
    -------
    learned : dict of arrays
    factor : float or None
        By which the scaled examples are multiplied, see `kernlearn.kernels.core.units`; None without a unit.
    """
    fit, transform = _STEPS[name]
    if transform in (_affine, _affine_symmetric):
        _refuse_sparse(name, entries(train))
    learned = fit(entries(train))
    return learned, None if unit is None else sqrt(UNITS[unit](apply_scaling(name, learned, None, train)))


def apply_scaling(name: str, learned: Mapping[str, Array], factor: float | None, X: Any) -> Any:
    """Return examples as the kernels take them, by what `fit_scaling` returned."""
    X = with_entries(X, _STEPS[name][1](entries(X), **learned))
    return X if factor is None else X * factor


def scaled(name: str, train: Any, *others: Any, unit: str | None = None) -> tuple[Any, ...]:
    """Return all parts scaled by one of `SCALINGS`: arrays, sparse matrices or `kernlearn.datasets.Chains`.

    `RawFeatures` are encoded before, and become arrays. With a unit of kernel parameters the parts are in this unit.
    """
    parts = encoded(train, *others) if isinstance(train, RawFeatures) else (train, *others)
    learned = fit_scaling(name, parts[0], unit)
    return tuple(apply_scaling(name, *learned, X) for X in parts)


#: Scalings by name: ``scale(train, *others)`` returns all parts scaled alike, as the `DESCRIPTIONS` say.
SCALINGS: dict[str, Callable[..., tuple[Array, ...]]] = {name: partial(scaled, name) for name in DESCRIPTIONS}
