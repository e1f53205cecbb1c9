"""What in a model file differs: what predicts, what is proved, what is shown, and what is learned before a machine."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernlearn.algorithms import ALGORITHMS
from kernlearn.datasets.core.chains import entries
from kernlearn.kernels import fit_scaling, make_family
from kernlearn.models.features import TableFeatures, plain, table_features
from kernlearn.models.file import Parts
from kernlearn.models.proof import described
from kernlearn.models.sentences import SentenceFeatures

#: Learned numbers may differ by this part of the largest: another processor rounds their sums in its way.
ROUNDED = 1e-9
#: What a step has learned that depends on how the data came, and on no value of them.
NAMES = {"feature_names_in_", "_feature_names_in"}


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
    if (
        isinstance(predictor, Mapping)
        and "_coef" in state
        and not (
            _same(predictor.get("coef"), state.get("_coef"))
            and _same(predictor.get("intercept"), state.get("intercept_"))
        )
    ):
        found.append("predictor")
    if "scaling" in params:  # of kernlearn fit
        found += [key for key in ("method", "options") if not _same(params.get(key), state["_proof"][key])]
    elif params.get("method") in ALGORITHMS:  # of others it is the way to solve
        found += [] if params["method"] == state["_proof"]["method"] else ["method"]
    if state.get("_inputs") is not None and state["_inputs"].get("name") not in ("Stumps", "Windows", "Spectrum"):
        found.append("inputs")
    if "labels" in params and list(params["labels"]) != np.asarray(state.get("classes_", [])).tolist():
        found.append("labels")
    values = {**state["_proof"]["options"], **state["_proof"]["values"]}
    family, names = state.get("_family"), {"lambda": "lambda_"}
    if isinstance(family, Mapping) and len(family["members"]) == 1:
        found += [f"kernel's {key}" for key, value in family["members"][0].items() if values.get(key, value) != value]
    if "scaling" in params:  # the options are compared above, and the parameters are others
        point = _point_of(parts.estimator)
        found += [f"grid point's {key}" for key, value in point.items() if values.get(key, value) != value]
        params = {}
    for key, value in values.items():
        shown = params.get(names.get(key, key), value)
        if _are_plain(value, shown) and shown != value:
            found.append(f"parameter {key}")
    given = {key for key in ("B", "D", "nu") if params.get(key) is not None}
    found += [f"parameter {key}" for key in sorted(given - values.keys())]
    if "B" in params and params["B"] is None and values.get("B") is not None:
        found.append("parameter B")
    found += _misdescribed(parts)
    return [f"the parts of the file differ in {', '.join(found)}"] if found else []


def _misdescribed(parts: Parts) -> list[str]:
    """Return the keys of the header, which ``kernlearn info`` shows, that do not describe the estimator."""
    about = parts.header["about"]
    found = [] if len(about.get("steps", [])) == (len(parts.steps) + 1 if parts.steps else 0) else ["steps"]
    true = described(parts.estimator)
    found += [key for key in ("class", "classes", "n_features_in", "n_support") if about.get(key) != true.get(key)]
    shown, values = about.get("parameters"), true["parameters"]
    is_so = isinstance(shown, dict) and all(values.get(key, value) == value for key, value in shown.items())
    return found if is_so else [*found, "parameters"]


def _shown(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes that an estimator shows of what it predicts by, as they have to be."""
    coef, support, family = state.get("_coef"), state.get("support_"), state.get("_family")
    shown: dict[str, Any] = {}
    if coef is not None:
        shown["dual_coef_"] = coef[0] if len(coef) == 1 else coef
        shown["coef_"] = coef
    shown["values_"] = state["_proof"]["values"]
    if isinstance(decoder := state.get("_decoder"), Mapping):
        shown["transitions_"] = decoder["transitions"]
        shown["dual_coef_"] = decoder["weights"].T
        shown["coef_"] = np.zeros((len(decoder["transitions"]), state["n_features_in_"]))
        if decoder["name"] == "Decoder":
            shown["coef_"][:, state["_inputs"]["used"][0]] = decoder["weights"].T
    for names, values in _of_votes(state).items():
        shown[names] = values if len(values) > 1 else values[0]
    if "_alphas" in state:
        shown["n_iter_"] = max(1, *(len(alphas) for alphas in state["_alphas"]))
    if support is not None:
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


def _point_of(estimator: Any) -> Mapping[str, Any]:
    """Return the point of the grid whose number a model of ``kernlearn fit`` has."""
    task = "classification" if len(estimator.labels) else "regression"
    points = ALGORITHMS[estimator.method].points(make_family(**estimator.kernel), task, estimator.options)
    found: Mapping[str, Any] = points[estimator.point]
    return found


def _are_plain(one: Any, other: Any) -> bool:
    return any(isinstance(one, kind) and isinstance(other, kind) for kind in (int | float, str))


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


def table_differs(features: TableFeatures | SentenceFeatures, data: Any, machine: Mapping[str, Any]) -> list[str]:
    """Return in words what of a model of ``kernlearn fit`` a data set would have made otherwise.

    Parameters
    ----------
    features : TableFeatures or SentenceFeatures
        The first step of the model.
    data : Dataset
    machine : mapping
        Its estimator in plain values.
    """
    differs = []
    if isinstance(features, SentenceFeatures):
        if list(features.names) != list(data.columns):
            return ["the words of the file have other features than those of the model"]
        if data.schema is None or not alike(features.schema, plain(data.schema)):
            differs.append("the columns of the file are not those of the model")
    else:
        other = table_features(data.schema, data.X, data.columns)
        names = ("schema", "feature_names_in_", "target_", "n_features_in_")
        if not all(alike(getattr(features, name, None), getattr(other, name, None)) for name in names):
            differs.append("the columns of the file are not those of the model")
        elif not alike(features._encoding, other._encoding):
            differs.append("the file has other fill values or codes of texts than the model")
    if not differs:
        params, X = machine["params"], entries(features.of_examples(data.X))
        scaling, factor = fit_scaling(params["scaling"], X, params["kernel"].get("unit"))
        if not (alike(machine["state"]["_scaled"], scaling) and alike(machine["state"]["_factor"], factor)):
            differs.append("the file has another scaling than the model")
    return differs


def prepared(steps: Sequence[Any], X: Any, y: Any) -> tuple[Any, list[str]]:
    """Return examples after the steps of a pipeline, and in words which of these would have learned something else.

    Parameters
    ----------
    steps : sequence of transformers, None or "passthrough"
    X : DataFrame or array of shape (n, d)
    y : array of shape (n,)
    """
    from sklearn.base import clone

    differs = []
    for step in steps:
        if isinstance(step, str) or step is None:
            continue
        if not alike(step, clone(step).fit(X, y)):
            differs.append(f"{type(step).__name__} has learned something else than it learns from the file")
        X = step.transform(X)
    return X, differs


def alike(one: Any, other: Any) -> bool:
    """Return whether two values are the same, numbers up to rounding, and what estimators have learned."""
    if hasattr(one, "get_params") and hasattr(other, "get_params"):
        state = {key: value for key, value in vars(one).items() if key not in NAMES}
        missing = state.keys() - vars(other).keys()
        return type(one) is type(other) and not missing and all(alike(state[k], vars(other)[k]) for k in state)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if hasattr(one, "toarray") and hasattr(other, "toarray"):
        return alike(one.toarray(), other.toarray())
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        if one.shape != other.shape or one.dtype.kind != other.dtype.kind:
            return False
        if one.dtype.kind != "f":
            return all(map(alike, one.tolist(), other.tolist()))
        size = float(np.abs(other[np.isfinite(other)]).max(initial=0.0))
        return bool(np.allclose(one, other, rtol=0.0, atol=ROUNDED * size, equal_nan=True))
    if isinstance(one, float) and isinstance(other, float):
        return bool(np.isclose(one, other, rtol=ROUNDED, atol=0.0, equal_nan=True))
    return type(one) is type(other) and bool(one == other)
