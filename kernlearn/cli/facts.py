"""Facts that the JSON documents of several verbs have: about data, grid points, scores and proofs."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:  # what the types are of is imported by the verbs that have such facts
    from kernlearn.datasets import Dataset
    from kernlearn.evaluation import Selection
    from kernlearn.runner.plan.plan import Plan

#: A row of a table that is written as CSV, by column; null where the table has nothing.
TableRow = dict[str, str | int | float | bool | None]


class Class(TypedDict):
    """A class of the targets, or a label of the places of sequences."""

    name: str
    #: Of sequences, the number of places.
    examples: int


class Range(TypedDict):
    """The range of the targets of a regression."""

    min: float
    max: float


class Data(TypedDict):
    """A data set."""

    name: str
    #: "bundled", "generated", "scikit-learn", or the files that were read.
    source: str
    #: Of all values as they were loaded.
    sha256: str
    #: Rows or sequences.
    examples: int
    #: Of all sequences together; null for single examples.
    places: int | None
    features: int
    #: Empty for a regression.
    classes: list[Class]
    #: Null for classes.
    target: Range | None


class GridEnd(TypedDict):
    """A selected value that is the smallest or the largest of its grid, so that values beyond it may do better."""

    key: str
    value: float
    end: Literal["smallest", "largest"]
    #: The key of the configuration that lists the values; null if there is none.
    parameter: str | None
    #: The number of choices with this value, and of all choices.
    n_chosen: int
    n_choices: int


class Selected(TypedDict):
    """The selected grid point, or what the splits have in common if they select different ones."""

    #: The number of the grid point, from 0; null if the splits select different ones.
    point: int | None
    #: The hyper-parameters on which all splits agree.
    values: dict[str, float]
    #: The metric that selects, and its mean over the validation parts; null if nothing was selected by a metric.
    select_by: str | None
    validation_score: float | None
    #: The number of grid points with the same score.
    n_ties: int | None
    at_grid_end: list[GridEnd]


class Certificate(TypedDict):
    """What is proved of the solution of a trained model."""

    #: "optimal", or why it is not proved within its tolerance; null if nothing is proved.
    status: str | None
    objective: float | None
    #: No predictor has a smaller objective.
    lower_bound: float | None
    #: Their difference as a part of the objective.
    gap: float | None
    #: Why nothing is proved of such models, in words; null if there is a proof.
    unproved: str | None


def selected_facts(plan: "Plan", selection: "Selection") -> Selected:
    """Return what was selected."""
    from kernlearn.report.choice import ends

    return {
        "point": selection.point,
        "values": {key: float(value) for key, value in selection.values.items()},
        "select_by": selection.metric,
        "validation_score": selection.validation_score,
        "n_ties": selection.n_ties,
        "at_grid_end": [
            {
                "key": end.key,
                "value": end.value,
                "end": "largest" if end.largest else "smallest",
                "parameter": end.parameter or None,
                "n_chosen": end.n_chosen,
                "n_choices": end.n_choices,
            }
            for end in ends(plan, selection)
        ],
    }


def given_point(point: int, values: dict[str, float]) -> Selected:
    """Return a grid point that was not selected by a score, because it is the only one or that of a run."""
    return {
        "point": point,
        "values": values,
        "select_by": None,
        "validation_score": None,
        "n_ties": None,
        "at_grid_end": [],
    }


def data_facts(data: "Dataset", is_regression: bool) -> Data:
    """Return the size and the targets of a data set."""
    target: Range | None = None
    classes: list[Class] = []
    if is_regression:
        values = data.real_target()
        target = {"min": float(values.min()), "max": float(values.max())}
    else:
        counts = Counter(data.labels.tolist())
        classes = [{"name": name, "examples": counts[i]} for i, name in enumerate(data.classes)]
    return {
        "name": data.name,
        "source": data.source,
        "sha256": data.digest,
        "examples": int(data.X.shape[0]),
        "places": len(data.labels) if data.is_sequential else None,
        "features": int(data.X.shape[1]),
        "classes": classes,
        "target": target,
    }


def table_row(row: Mapping[str, Any]) -> TableRow:
    """Return a row of a CSV table for JSON: cells without a value are null."""
    return {key: None if value == "" else value for key, value in row.items()}
