"""All scores of a model on labelled rows, with intervals, and what they rest on."""

from hashlib import file_digest
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.algorithms.core.predictor import predict
from kernlearn.cli.facts.model import Evaluation, OfClass, Rows, Score
from kernlearn.cli.model.labelled import Labelled
from kernlearn.datasets import load_own
from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, tallies
from kernlearn.evaluation.intervals import bootstrap_intervals, exact_interval
from kernlearn.models.file import load_header
from kernlearn.models.predictions import examples_of
from kernlearn.models.proof import machine_of
from kernlearn.runner.cell.targets import scores_of
from kernlearn.types import Index

#: How an interval was computed, or why there is none.
EXACT, RESAMPLED, NONE = "Clopper-Pearson", "bootstrap", "none: all resamples agree"


def measured(rows: Labelled, model: str, file: str, seed: int) -> Evaluation:
    """Return the evaluation of a model: scores, classes and confusion matrix.

    Parameters
    ----------
    rows : Labelled
    model, file : str
        The paths.
    seed : int
        Of the bootstrap.
    """
    decision, graded = rows.decision()
    probabilities, n = rows.probabilities(), len(rows.codes)

    def scores(part: Index) -> dict[str, float]:
        truth = rows.targets.at(part)
        found = scores_of(decision[:, rows.places(part)], truth, n_classes=len(rows.classes))
        if not graded:
            found.pop("auc", None)
        if probabilities is not None and (score := METRICS["log_loss"].score):
            found["log_loss"] = score(truth.labels, probabilities[:, part])
        return {name: float(found[name]) for name in METRICS if name in found}

    value, intervals = scores(np.arange(n)), bootstrap_intervals(scores, n, seed)
    by = {name: _way(value[name], intervals[name][0]) for name in value}
    classes, confusion = list[OfClass](), list[list[int]]()
    if not rows.is_regression:
        predicted, true = predict(decision), rows.targets.labels
        # Words of a sentence are not independent, but sentences are.
        share = "sequence_error_pct" if rows.is_sequential else "error_pct"
        low, high = exact_interval(round(n * value[share] / 100.0), n)
        intervals[share], by[share] = (100.0 * low, 100.0 * high), EXACT
        classes, confusion = _of_classes(rows, predicted, true)
    data: Rows = {"file": file, "sha256": _digest(file), "rows": n}
    if rows.is_sequential:
        data["words"] = rows.targets.size

    def score(name: str) -> Score:
        low, high = intervals[name]
        return {"value": _number(value[name]), "low": _number(low), "high": _number(high), "interval": by[name]}

    return {
        "model": {"file": model, "sha256": _digest(model), "class": _named(load_header(model))},
        "data": data,
        "scores": {name: score(name) for name in value},
        "classes": classes,
        "confusion": confusion,
    }


def _way(value: float, low: float) -> str:
    """Return how the interval of a score was computed; nothing if the score itself is undefined."""
    if not isfinite(value):
        return ""
    return RESAMPLED if isfinite(low) else NONE


def _of_classes(rows: Labelled, predicted: Index, true: Index) -> tuple[list[OfClass], list[list[int]]]:
    """Return precision, recall and F1 of every class, and the confusion matrix, true classes in its rows."""
    k = len(rows.classes)
    counts = np.zeros((k, k), dtype=np.int64)
    np.add.at(counts, (true, predicted), 1)
    tally, classes = tallies.tallied(true, predicted, k), list[OfClass]()
    for number, name in enumerate(rows.classes):
        precision, recall, f1 = map(_number, tally.scores(number))
        row: OfClass = {
            "name": name,
            "rows": int(tally.true[number]),
            "precision_pct": precision,
            "recall_pct": recall,
            "f1_pct": f1,
        }
        classes.append(row)
    return classes, counts.tolist()


def trained_on(rows: Labelled, header: dict[str, Any], file: str, what: str) -> list[str]:
    """Return warnings if the model was trained on the rows of the file, or on some of them: `what` is optimistic."""
    optimistic = f"{what} are optimistic"
    about = header["about"]
    try:
        options = {**about["experiment"]["dataset"], "path": file}
        if load_own(options.pop("name"), options).digest == about["data"]["sha256"]:
            return [f"WARNING: the model was trained on exactly these rows: {optimistic}"]
    except (LookupError, TypeError, UserError):  # it was trained in Python, or on a table with other columns
        pass
    equal, n = _equal_to_support(rows), len(rows.codes)
    if not equal:
        return []
    return [f"WARNING: at least {equal} of {n} rows are equal to training rows of the model: {optimistic}"]


def _equal_to_support(rows: Labelled) -> int:
    """Return how many rows are equal to examples that the model keeps of its training data, up to rounding."""
    if rows.is_sequential:
        return 0
    machine = machine_of(rows.model)
    kept = getattr(machine, "support_vectors_", None)
    if not isinstance(kept, np.ndarray) or kept.ndim != 2:
        return 0
    examples = examples_of(rows.model, rows.codes)
    known = {row.tobytes() for row in np.round(kept, 10) + 0.0}
    return sum(row.tobytes() in known for row in np.round(np.asarray(examples, dtype=kept.dtype), 10) + 0.0)


def _named(header: dict[str, Any]) -> str:
    about = header["about"]
    return str(about.get("algorithm", about.get("class", "")))


def _digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _number(value: float) -> float | None:
    """Return a number for JSON, None where it is not defined."""
    return float(value) if isfinite(value) else None
