"""What a loaded model says of new rows, as columns of a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kernlearn.datasets.core.schema import RawColumn, TableSchema
from kernlearn.errors import UserError, misfit
from kernlearn.models.file import load_header
from kernlearn.models.proof import machine_of
from kernlearn.types import Array


def schema_of(model: Any) -> tuple[TableSchema, bool]:
    """Return the columns that a model takes, and whether it fills in what is missing.

    Raises
    ------
    UserError
        If it takes no table.
    """
    first = model.steps[0][1] if hasattr(model, "steps") else model
    if hasattr(first, "schema") and first.schema is not None:
        columns = tuple(first.columns)
        return TableSchema(**{**first.schema, "columns": columns}), first.fills
    machine = machine_of(model)
    n = getattr(first, "n_features_in_", None)
    if n is None or hasattr(machine, "sequence_score") or getattr(machine, "kernel", None) == "precomputed":
        raise UserError("the model takes no table of features: predict with it in Python (kernlearn.load)")
    names = getattr(first, "feature_names_in_", None)
    known = [f"column {i}" for i in range(n)] if names is None else names.tolist()
    columns = tuple(RawColumn(name, i, "number") for i, name in enumerate(known))
    return TableSchema(columns, "", n, n, names is not None), False


def ordinal_of(model: Any) -> set[str]:
    """Return the names of the columns of texts that a model takes as numbers in alphabetical order."""
    first = model.steps[0][1] if hasattr(model, "steps") else model
    found: set[str] = getattr(first, "ordinal_columns", set())
    return found


def known_ranges(path: Any, n: int) -> list[tuple[float, float] | None]:
    """Return the ranges of n columns that the header of a model states; None for those without."""
    said = load_header(path)["about"].get("ranges")
    pairs = said if isinstance(said, list) and len(said) == n else [None] * n
    are = [isinstance(one, list) and len(one) == 2 and all(isinstance(end, float) for end in one) for one in pairs]
    return [(one[0], one[1]) if is_pair else None for one, is_pair in zip(pairs, are, strict=True)]


def takes_sentences(model: Any) -> bool:
    """Return whether a model labels the words of sentences."""
    return hasattr(model, "steps") and hasattr(model[0], "word_of")


def named(model: Any, rows: Any) -> Any:
    """Return rows as a DataFrame if a model was fitted to one in Python; it warns of columns without names."""
    first = model.steps[0][1] if hasattr(model, "steps") else model
    names = getattr(first, "feature_names_in_", None)
    if names is None or hasattr(first, "schema") or hasattr(rows, "columns"):
        return rows
    import pandas as pd

    return pd.DataFrame(rows, columns=names)


def examples_of(model: Any, rows: Any) -> Any:
    """Return rows as the kernels of a model take them: after the steps of its pipeline, and scaled."""
    rows = named(model, rows)
    for _, step in getattr(model, "steps", [])[:-1]:
        rows = step.transform(rows)
    machine = machine_of(model)
    return machine._features(rows) if hasattr(machine, "_features") else np.asarray(rows, dtype=np.float64)


def header_of(model: Any, scores: bool, proba: bool) -> list[str]:
    """Return the names of the columns of `table_of` after that of the predictions.

    Raises
    ------
    UserError
        If the model has no decision values or no probabilities, and some are asked for.
    """
    machine = machine_of(model)
    classes = [] if getattr(machine, "classes_", None) is None else [str(name) for name in machine.classes_.tolist()]
    found = []
    if scores:
        if not classes or not hasattr(machine, "decision_function"):
            raise UserError("--scores: the model has no decision values beside its predictions")
        found += ["decision"] if len(classes) == 2 else [f"decision {name}" for name in classes]
    if proba:
        if not hasattr(machine, "predict_proba") or (
            hasattr(machine, "calibrate") and not hasattr(machine, "_sigmoids")
        ):
            raise UserError("--proba: the model has no probabilities: fit it with probability=true")
        found += [f"probability {name}" for name in classes]
    return found


def table_of(model: Any, rows: Array, scores: bool, proba: bool) -> list[list[Any]]:
    """Return predictions, and decision values and probabilities if asked for, one list for each column.

    Parameters
    ----------
    rows : array of shape (n, n_columns)
        As `kernlearn.datasets.rows.Rows.codes`.
    """
    rows = named(model, rows)
    found = [model.predict(rows)]
    if scores:
        values = model.decision_function(rows)
        found += [values] if values.ndim == 1 else list(values.T)
    if proba:
        found += list(model.predict_proba(rows).T)
    return [np.asarray(column).tolist() for column in found]


@contextmanager
def predicting(path: Any) -> Iterator[None]:
    """Turn what predictions by the values of a file may raise into one line, which says what is the matter."""
    try:
        yield
    except BrokenPipeError:  # the reader of the output is gone
        raise
    except UserError as error:
        words = str(error)
        raise UserError(words if str(path) in words else f"{path}: {words}") from None
    except Exception as error:  # compiled code, BLAS and scikit-learn raise almost anything
        raise UserError(f"{path}: cannot predict: {misfit(error)}") from error
