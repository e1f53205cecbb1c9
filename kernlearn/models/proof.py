"""What a model says of itself in plain words, and the primal and dual points that prove it."""

from typing import Any

import numpy as np

from kernlearn.certificates.own.problems import UNPROVED

#: Most classes and columns that are listed in a header.
LISTED = 10_000


def machine_of(estimator: Any) -> Any:
    """Return the last step of a pipeline, any other estimator as it is."""
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator


def chosen(estimator: Any) -> Any:
    """Return an estimator, or a pipeline, with what a search by cross-validation chose in the place of the search."""
    from sklearn.pipeline import Pipeline

    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return estimator if chosen(last) is last else Pipeline([*estimator.steps[:-1], (name, chosen(last))])
    return getattr(estimator, "best_estimator_", estimator)


def choice_of(estimator: Any) -> dict[str, Any]:
    """Return what a header says of the choice of a search by cross-validation, nothing of other estimators."""
    search = estimator if hasattr(estimator, "best_params_") else machine_of(estimator)
    if not hasattr(search, "best_params_") or not hasattr(search, "best_score_"):
        return {}
    values = {str(key): _shown(value) for key, value in search.best_params_.items()}
    words = ", ".join(f"{key}={value}" for key, value in values.items()) or "nothing to choose"
    score = f"mean score {search.best_score_:.4g} in cross-validation"
    return {"selection": {"values": values, "score": _number(search.best_score_), "words": f"{words} ({score})"}}


def described(estimator: Any) -> dict[str, Any]:
    """Return what the header says of an estimator: class, parameters as texts, classes, certificate."""
    machine = machine_of(estimator)
    found: dict[str, Any] = {
        "class": type(machine).__name__,
        "steps": [name for name, _ in getattr(estimator, "steps", [])],
        "parameters": {key: _shown(value) for key, value in sorted(machine.get_params(deep=False).items())},
    }
    if getattr(machine, "classes_", None) is not None:
        found["classes"] = [str(name) for name in machine.classes_[:LISTED].tolist()]
    for name in ("n_features_in_", "n_support_"):
        if getattr(machine, name, 0):
            found[name.removesuffix("_")] = int(getattr(machine, name))
    method = getattr(getattr(machine, "_proof", None), "method", "")
    if method in UNPROVED:
        found["unproved"] = UNPROVED[method]
    elif hasattr(machine, "gap_"):
        names = ("objective", "dual_objective", "gap")
        found["certificate"] = {name: _number(getattr(machine, f"{name}_")) for name in names}
        if (exact := getattr(machine, "exact_gap_", None)) is not None:
            found["certificate"]["exact_gap"] = _number(exact)
    return found


def points_of(estimator: Any) -> dict[str, Any] | None:
    """Return the points that prove a machine, as values of which a file is made; None without any.

    See docs/models.md for what they are.
    """
    machine = machine_of(estimator)
    proof = getattr(machine, "_proof", None)
    if proof is None:
        return None
    found = {
        "method": proof.method,
        "options": dict(proof.options),
        "values": dict(proof.values),
        "solutions": [
            {
                name: getattr(solution, name)
                for name in ("x", "intercept", "dual", "objective", "dual_objective", "zero", "status")
            }
            for solution in proof.solutions
        ],
        "rows": proof.rows,
        "weights": proof.weights,
    }
    for key, name in (
        *(("kernel", "_family"), ("coefficients", "_coef"), ("intercept", "intercept_"), ("support", "support_")),
        *(("points", "support_vectors_"), ("kernel_weights", "weights_"), ("classes", "classes_"), ("coef", "coef_")),
        ("universum", "_universum"),
    ):
        if hasattr(machine, name):
            found[key] = getattr(machine, name)
    return found


def _number(value: float) -> float | str:
    return float(value) if np.isfinite(value) else str(float(value))


def _shown(value: Any) -> Any:
    """Return a parameter as JSON holds it: numbers and texts as they are, all else as a text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _number(value)
    return " ".join(repr(value).split())[:200]
