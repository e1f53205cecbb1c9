"""Predictions on labelled examples: of a run on its test parts, or of a model on a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.algorithms.core.method import CHAINS
from kernlearn.errors import UserError
from kernlearn.report.plots.stored import Lacking, StoredRun, read_run, stamp
from kernlearn.report.targets import Target
from kernlearn.runner.cell.cell import REGRESSION
from kernlearn.runner.store.tables import read_csv
from kernlearn.types import Array, Index


class NotComputed(Lacking):
    """The outputs of a run on test rows are not stored, but can be computed."""


#: The file of a run's predictions, beside its tables.
FILE = "predictions.csv"
#: Its columns, which those of the outputs follow.
COLUMNS = ("run", "split", "part", "row", "truth", "prediction")
#: The beginning of the columns with outputs, which are followed by the name of a class.
DECISION, VOTES = "decision_", "votes_"


@dataclass(frozen=True)
class Outputs:
    """Predictions on n labelled examples.

    Attributes
    ----------
    title : str
        The method, and the data set or file.
    examples : str
        What the examples are, such as "test rows of 5 splits".
    classes : list of str
        In the order of the data set; empty for a regression.
    truth, predicted : array of shape (n,)
        Class numbers, or real values.
    decision : array of shape (n_outputs, n)
        Decision values: one row for two classes, positive for the second one; otherwise a row for each class. No row
        if there are none, or only votes.
    parts : array of shape (n,)
        The number of the split or half that an example belongs to: each one has another model.
    probabilities : array of shape (n_classes, n), optional
    """

    title: str
    examples: str
    classes: Sequence[str]
    truth: Array
    predicted: Array
    decision: Array
    parts: Index
    probabilities: Array | None = None

    @property
    def is_regression(self) -> bool:
        """Whether the targets are real numbers."""
        return not self.classes

    def each_part(self) -> Iterator[Index]:
        """Yield the examples of each split, which have the outputs of one model."""
        for part in np.unique(self.parts):
            yield np.flatnonzero(self.parts == part)

    def scores_of_class(self, number: int) -> Array:
        """Return outputs that are large for examples of a class, shape (n,)."""
        if len(self.decision) == 1:
            values: Array = self.decision[0] if number else -self.decision[0]
            return values
        of_class: Array = self.decision[number]
        return of_class


def outputs_of_run(target: Target) -> Outputs:
    """Return the stored predictions of a run.

    Raises `NotComputed` if they are not stored, or not of the splits that the tables have. Raises `UserError` if they
    are damaged.
    """
    run, path = read_run(target), target.path / FILE
    if not path.is_file():
        raise NotComputed("it needs outputs on test rows, which are not stored; kernlearn plot --kind computes them")
    found = _read(path.resolve(), stamp(path))
    if not is_complete(run, found):
        raise NotComputed(f"{FILE} has other splits than paths.csv; kernlearn plot --kind computes it again")
    return _outputs(run, found, path)


@lru_cache(maxsize=2)
def _read(path: Path, _: object) -> Sequence[Mapping[str, str]]:
    return read_csv(path, COLUMNS)


def kept_outputs(target: Target) -> tuple[int, bool]:
    """Return the number of classes of a run, 0 for a regression, and whether pairs of classes vote.

    Raises `Lacking` if its examples are sequences, of which outputs are not kept.
    """
    run = read_run(target)
    experiment, n_classes = run.provenance["experiment"], 0 if _is_of_reals(run) else len(_classes(run))
    if _name(experiment.get("kernel")) == CHAINS:
        raise Lacking("its examples are sequences; outputs are only kept for single examples")
    return n_classes, n_classes > 2 and experiment.get("multiclass") == "one_vs_one"


def _name(group: Any) -> Any:
    return group.get("name") if isinstance(group, Mapping) else None


def _classes(run: StoredRun) -> list[str]:
    """Return the names of the classes of a run.

    Raises `UserError` if the record of its data is damaged.
    """
    try:
        return [str(name) for name in run.provenance["data"][0].get("classes", [])]
    except (LookupError, TypeError) as error:
        raise UserError(f"{run.path}: provenance.json is damaged ({error}); repeat the command of the run") from error


def _is_of_reals(run: StoredRun) -> bool:
    return bool(run.provenance["experiment"].get("task") == REGRESSION)


def has_predictions(target: Target) -> bool:
    """Return whether the predictions of a run are stored, for all splits that its tables have."""
    path = target.path / FILE
    return path.is_file() and is_complete(read_run(target), _read(path.resolve(), stamp(path)))


def is_complete(run: StoredRun, rows: Sequence[Mapping[str, str]]) -> bool:
    """Return whether predictions are those of all selected models of a run."""
    wanted = {(row["run"], str(row["split"]), part_of(row)) for row in run.selection.rows}
    return wanted == {(row["run"], row["split"], row["part"]) for row in rows}


def part_of(row: Mapping[str, Any]) -> str:
    """Return the part that tests the model of a row of a selection."""
    return "validation" if "swapped" in row else "test"


def _outputs(run: StoredRun, rows: Sequence[Mapping[str, str]], path: Path) -> Outputs:
    try:
        classes = [] if _is_of_reals(run) else _classes(run)
        numbers = {name: i for i, name in enumerate(classes)}
        truth, predicted = (
            np.array([numbers[row[key]] for row in rows] if classes else [float(row[key]) for row in rows])
            for key in ("truth", "prediction")
        )
        names = [name for name in rows[0] if name.startswith(DECISION)]
        decision = np.array([[float(row[name]) for row in rows] for name in names]).reshape(len(names), len(rows))
        if classes and len(names) not in (0, 1 if len(classes) == 2 else len(classes)):
            raise ValueError(f"{len(names)} columns of decision values for {len(classes)} classes")
        _, parts = np.unique([f"{row['split']} {row['part']}" for row in rows], return_inverse=True)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: damaged ({error}); remove it, and plot again") from error
    n = len(set(parts.tolist()))
    return Outputs(run.title, f"test rows of {n} splits", classes, truth, predicted, decision, parts)
