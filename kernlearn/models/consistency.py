"""What the parts of a model file say differently: what predicts, what is proved, and what is shown."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernlearn.models.file import Parts


def inconsistent(parts: Parts) -> list[str]:
    """Return a sentence with what the parts of a file say differently, or an empty list."""
    state, params, proof = parts.machine["state"], parts.machine["params"], parts.proof
    places = {
        "coefficients": state.get("_coef"),
        "intercept": state.get("intercept_"),
        "support": state.get("support_"),
        "points": state.get("support_vectors_"),
        "kernel": state.get("_family"),
        "kernel_weights": state.get("weights_"),
        "classes": state.get("classes_"),
        "coef": state.get("coef_"),
        **{key: state["_proof"][key] for key in ("method", "options", "values", "rows", "weights")},
    }
    found = [key for key, value in places.items() if not _same(value, proof.get(key))]
    found += [key for key, value in _shown(state).items() if not _same(value, state.get(key, value))]
    predictor = state.get("_predictor")
    if isinstance(predictor, Mapping) and not (
        _same(predictor.get("coef"), state.get("_coef")) and _same(predictor.get("intercept"), state.get("intercept_"))
    ):
        found.append("predictor")
    if "scaling" in params:  # of kernlearn fit
        found += [key for key in ("method", "options") if not _same(params.get(key), state["_proof"][key])]
    if state.get("_inputs") is not None and state["_inputs"].get("name") != "Stumps":
        found.append("inputs")
    if "labels" in params and list(params["labels"]) != np.asarray(state.get("classes_", [])).tolist():
        found.append("labels")
    values = {**state["_proof"]["options"], **state["_proof"]["values"]}
    names = {"lambda": "lambda_"}
    for key, value in values.items():
        shown = params.get(names.get(key, key), value)
        if isinstance(value, int | float) and isinstance(shown, int | float) and shown != value:
            found.append(f"parameter {key}")
    return [f"the parts of the file differ in {', '.join(found)}"] if found else []


def _shown(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes that an estimator shows of what it predicts by, as they have to be."""
    coef, support, family = state.get("_coef"), state.get("support_"), state.get("_family")
    shown: dict[str, Any] = {}
    if coef is not None:
        shown["dual_coef_"] = coef[0] if len(coef) == 1 else coef
    for names, values in _of_votes(state).items():
        shown[names] = values if len(values) > 1 else values[0]
    if "_alphas" in state:
        shown["n_iter_"] = max(1, *(len(alphas) for alphas in state["_alphas"]))
    if support is not None and "_predictor" not in state:
        shown["n_support_"] = len(support)
    if isinstance(family, Mapping) and len(family["members"]) == 1:
        shown |= {f"{key}_": value for key, value in family["members"][0].items()}
    return shown


def _of_votes(state: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return what an estimator shows of its votes or networks, for every output."""
    if "_alphas" in state:
        names = {"features_": "_features", "thresholds_": "_thresholds", "estimator_weights_": "_alphas"}
        return {name: list(state[own]) for name, own in names.items()}
    networks = state.get("_networks", [])
    if not networks:
        return {}
    return {
        "centers_": [one["hidden"]["centres"] for one in networks],
        "widths_": [one["hidden"]["widths"] for one in networks],
        "coef_": [one["weights"] for one in networks],
    }


def _same(one: Any, other: Any) -> bool:
    """Return whether two plain values are the same, arrays to the last bit."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if hasattr(one, "toarray") and hasattr(other, "toarray"):
        return one.shape == other.shape and not (one != other).sum()
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    return type(one) is type(other) and bool(one == other)
