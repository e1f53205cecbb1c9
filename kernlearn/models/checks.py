"""Sizes and indices that compiled code takes on trust: they are checked when a model is loaded."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernlearn.datasets.core.schema import RawColumn, TableSchema


def check_stumps(stumps: Any) -> bool:
    """Return whether the stumps are of features that are there."""
    if not (_are_numbers(stumps.thresholds, 1) and _are_numbers(stumps.columns, 2)):
        return False
    sizes = len(stumps.owners) == len(stumps.thresholds) and len(stumps.columns) == len(stumps.used)
    return sizes and _are_indices(stumps.owners, len(stumps.used)) and _are_indices(stumps.used, 2**31)


def check_rounds(rounds: Any) -> bool:
    """Return whether every stump that was found has one weight; whether it is there, numpy looks itself."""
    return (
        _are_numbers(rounds.alphas, 1)
        and len(rounds.stumps) == len(rounds.alphas)
        and _are_indices(rounds.stumps, 2**31)
    )


def check_decoder(decoder: Any) -> bool:
    """Return whether the weights are of as many labels as the transitions."""
    if not (_are_numbers(decoder.weights, 2) and _are_numbers(decoder.transitions, 2)):
        return False
    k = len(decoder.transitions)
    return bool(decoder.transitions.shape == (k, k) and decoder.weights.shape[1] == k)


def check_chains(chains: Any) -> bool:
    """Return whether the sequences are within their places, and none is empty."""
    starts, n = chains.starts, chains.values.shape[0]
    return bool(_are_indices(starts, n + 1) and len(starts) and starts[-1] == n and (np.diff(starts) > 0).all())


def check_votes(estimator: Any) -> bool:
    """Return whether the stumps of an estimator of boosting are of its features."""
    parts: Sequence[Any] = list(zip(estimator._features, estimator._thresholds, estimator._alphas, strict=True))
    for features, thresholds, alphas in parts:
        if not (_are_numbers(thresholds, 1) and _are_numbers(alphas, 1)):
            return False
        if not (len(features) == len(thresholds) == len(alphas) and _are_indices(features, estimator.n_features_in_)):
            return False
    return len(parts) >= 1


def check_schema(features: Any) -> bool:
    """Return whether the numbers of all columns are below the number of columns of the file."""
    if features.schema is None:
        return True
    schema = TableSchema(**{**features.schema, "columns": [RawColumn(**one) for one in features.schema["columns"]]})
    numbers = [schema.target_number, *(column.number for column in schema.columns)]
    return all(type(number) is int and 0 <= number < schema.width for number in numbers)


#: Checks of records, by name, and of estimators, by an attribute or a parameter that they have.
OF_RECORDS: dict[str, Callable[[Any], bool]] = {
    "Stumps": check_stumps,
    "Rounds": check_rounds,
    "Decoder": check_decoder,
    "KernelDecoder": check_decoder,
    "Chains": check_chains,
}
OF_ESTIMATORS: dict[str, Callable[[Any], bool]] = {"_alphas": check_votes, "schema": check_schema}


def _are_numbers(values: Any, ndim: int) -> bool:
    return isinstance(values, np.ndarray) and values.dtype == np.float64 and values.ndim == ndim


def _are_indices(values: Any, size: int) -> bool:
    if not isinstance(values, np.ndarray) or values.dtype.kind != "i" or values.ndim != 1:
        return False
    return not len(values) or bool(values.min() >= 0 and values.max() < size)
