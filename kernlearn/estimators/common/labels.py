"""Labels and weights of training examples, and seeds, as estimators check them."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from kernlearn.algorithms.core.problem import Classes
from kernlearn.certificates.own.weights import balanced_factors
from kernlearn.datasets.core.dataset import LARGEST, SMALLEST
from kernlearn.errors import UserError
from kernlearn.estimators.common.advice import warn_of_rounded
from kernlearn.parameters import Number
from kernlearn.types import Array, Index


def example_weights(
    class_weight: Any, classes: NDArray[Any], index: NDArray[np.intp], sample_weight: Array | None = None
) -> Array | None:
    """Return the factors of the losses of examples, those of their classes times their own; None if all are 1.

    Parameters
    ----------
    class_weight : "balanced", dict or None
        "balanced" gives all classes the same total, which leaves the total of all as it is; a dictionary has the
        factors of some classes, those of the others are 1.
    classes, index : arrays
        The classes, and which one an example has.
    sample_weight : array of shape (n,), optional
        All > 0.

    Raises
    ------
    UserError
        If `class_weight` is something else, or has a factor that is no number > 0.

    Warns
    -----
    UserWarning
        If it has a class that no example is of, as one fold of few may lack it.
    """
    if class_weight is None:
        return sample_weight
    weights = np.ones(len(index)) if sample_weight is None else sample_weight
    if isinstance(class_weight, str) and class_weight == "balanced":
        factors = balanced_factors(index, len(classes), weights)
    elif isinstance(class_weight, Mapping):
        if absent := [name for name in class_weight if name not in classes.tolist()]:
            warnings.warn(
                f"class_weight: no example is of class {', '.join(map(repr, absent))}, whose weight has no effect; "
                f"the classes are {', '.join(map(repr, classes.tolist()))}",
                UserWarning,
                stacklevel=4,
            )
        number = Number(positive=True)
        factors = np.array([number.check(f"class_weight[{c!r}]", class_weight.get(c, 1.0)) for c in classes.tolist()])
    else:
        raise UserError(f"class_weight={class_weight}: must be 'balanced', a dictionary or None")
    return weights * factors[index]


def seed_of(random_state: Any) -> int:
    """Return the seed that a ``random_state`` is, or one that it, or numpy's global state for None, draws.

    Raises
    ------
    UserError
        If it is neither a whole number from 0 to 2^32 - 1, nor a ``RandomState``, nor None.
    """
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(2**31))
    return int(Number(low=0, high=2**32 - 1, integer=True).check("random_state", random_state))


def positive_weights(sample_weight: Any, y: NDArray[Any]) -> tuple[Array | None, Index]:
    """Return the weights > 0 of examples, and which examples have one: those of weight 0 are none.

    Without weights these are None, and all examples. Raises `ValueError` if weights are no numbers >= 0, or all are 0.
    """
    if sample_weight is None:
        return None, np.arange(len(y))
    weights = _check_sample_weight(sample_weight, y, dtype=np.float64, ensure_non_negative=True)
    used = np.flatnonzero(weights)
    if not len(used):  # which scikit-learn allows before 1.8
        raise UserError("sample_weight: all weights are 0")
    return weights[used], used


def weighted_classes(estimator: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Array, Index, Classes, Array | None]:
    """Check training examples, set ``classes_`` of an estimator, and return what it learns from.

    Returns
    -------
    X : array of shape (n, d)
        All examples.
    used : integer array
        Those of a weight > 0.
    target : Classes
        Of these.
    weights : array, optional
        Theirs, if there are weights.
    """
    warn_of_rounded(estimator, X)
    X, y = validate_data(estimator, X, y, dtype=np.float64)
    check_classification_targets(y)
    weights, used = positive_weights(sample_weight, y)
    estimator.classes_, index = several_classes(y[used])
    return X, used, Classes(index, len(estimator.classes_)), weights


def several_classes(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes, sorted, and which one an example has, or raise `UserError` if there is one only."""
    classes, index = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        known = ", ".join(map(repr, classes.tolist()))
        raise UserError(f"the labels have one class only ({known}); a classifier needs two or more")
    return classes, index


def real_labels(y: NDArray[Any]) -> Array:
    """Return the labels of a regression as numbers, or raise `UserError` if they are none or have no squares."""
    try:
        y = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise UserError(f"the labels of a regression must be numbers: {error}") from None
    if not np.isfinite(y).all():
        raise UserError("the labels have values that are NaN or infinite")
    if np.abs(y).max(initial=0.0) > LARGEST:
        raise UserError(f"labels beyond {LARGEST:g} have squares that overflow: use another unit")
    if 0.0 < np.abs(y).max(initial=0.0) < SMALLEST:
        raise UserError(f"labels below {SMALLEST:g} have squares that underflow: use another unit")
    return y
