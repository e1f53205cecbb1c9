"""A model on the rows of a file that also has the target: what it says of them, and what is true."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.datasets.core.cells import Numerals, show, spelling
from kernlearn.datasets.rows import LABEL, NewRows, is_libsvm
from kernlearn.errors import UserError
from kernlearn.models.predictions import damaged, named, schema_of
from kernlearn.models.proof import machine_of
from kernlearn.runner.cell.targets import Targets
from kernlearn.types import Array

#: Labels that a message names.
NAMED = 3


@dataclass(frozen=True)
class Labelled:
    """Rows with their targets.

    Attributes
    ----------
    model : object
        The loaded estimator.
    codes : array of shape (n, n_columns)
        What the model takes, see `kernlearn.datasets.rows.Rows`.
    targets : Targets
        Class numbers, in the order of `classes`, or real targets.
    classes : list of str
        Empty for a regression.
    columns : list of str
        The names of the columns.
    notes : list of str
        How the file was read.
    """

    model: Any
    codes: Array
    targets: Targets
    classes: list[str]
    columns: list[str]
    notes: list[str]

    @property
    def is_regression(self) -> bool:
        """Whether the targets are real numbers."""
        return self.targets.real is not None

    def decision(self, codes: Array | None = None) -> tuple[Array, bool]:
        """Return decision values, shape (n_outputs, n), and whether they are more than the predicted class alone."""
        rows = named(self.model, self.codes if codes is None else codes)
        if self.is_regression:
            return np.atleast_2d(np.asarray(self.model.predict(rows), dtype=np.float64)), True
        if hasattr(self.model, "decision_function"):
            return np.atleast_2d(np.asarray(self.model.decision_function(rows)).T), True
        numbers = {name: i for i, name in enumerate(self.classes)}
        predicted = np.array([numbers[str(name)] for name in self.model.predict(rows)])
        one_hot = (predicted == np.arange(len(self.classes))[:, None]).astype(np.float64)
        return (2.0 * one_hot[1:] - 1.0 if len(self.classes) == 2 else one_hot), False

    def probabilities(self) -> Array | None:
        """Return the probabilities of classes, shape (n_classes, n), if the model has some."""
        machine = machine_of(self.model)
        able = hasattr(machine, "predict_proba") and (
            not hasattr(machine, "calibrate") or hasattr(machine, "_sigmoids")
        )
        if not able or self.is_regression:
            return None
        return np.asarray(self.model.predict_proba(named(self.model, self.codes))).T


def read_labelled(
    path: str, file: str, target: str | None, encoding: str | None = None, delimiter: str | None = None
) -> Labelled:
    """Load a model, and read the columns that it takes and the target.

    Parameters
    ----------
    path : str
        The model.
    file : str
        CSV or libsvm text, gzipped or not, ARFF or Parquet.
    target : str, optional
        The name of the target column; by default that of the training data.
    encoding, delimiter : str, optional
        As ``dataset.encoding`` and ``dataset.delimiter``.

    Raises
    ------
    UserError
        If the model takes no table, the file has no target, or a target is missing or unknown.
    """
    from kernlearn.models.file import load

    model = load(path)
    with damaged(path):
        schema, fills = schema_of(model)
    if is_libsvm(Path(file)):
        if target not in (None, LABEL):
            raise UserError(f"--target {target}: of a file in libsvm's format the target is first in every line")
        target = LABEL
    target = target or schema.target
    if not target:
        raise UserError(f"{path}: does not say which column is the target; give it with --target NAME")
    rows = NewRows(Path(file), schema, [target], fills, encoding, delimiter)
    try:
        parts = [(part.codes, part.kept[0]) for part in rows.parts()]
    except UserError as error:
        words = str(error)
        if f"--keep {target}" in words:
            raise UserError(f"{file}: has no target column {show(target)}; --target NAME names another") from None
        raise
    codes, texts = np.concatenate([part for part, _ in parts]), [text for _, part in parts for text in part]
    if not len(codes):
        raise UserError(f"{file}: has no rows")
    machine = machine_of(model)
    classes = [] if getattr(machine, "classes_", None) is None else [str(name) for name in machine.classes_.tolist()]
    numerals = Numerals(schema.decimal, schema.thousands)
    if classes:
        targets = Targets(None, _numbers(file, texts, classes, numerals))
    else:
        targets = Targets(_reals(file, texts, numerals), None)
    notes = [*rows.notes, *rows.unseen_notes]
    return Labelled(model, codes, targets, classes, [column.name for column in schema.columns], notes)


def _numbers(file: str, texts: Sequence[str], classes: Sequence[str], numerals: Numerals) -> Any:
    """Return the class numbers of labels; other spellings of a number or a word are the same class."""
    by_name = {name: i for i, name in enumerate(classes)}
    by_spelling = {spelling(name): i for i, name in enumerate(classes)}
    by_value = {value: i for i, name in enumerate(classes) if (value := Numerals().value(name)) is not None}
    found: dict[str, int] = {}
    for text in dict.fromkeys(texts):
        known = by_name.get(text, by_spelling.get(spelling(text)))
        if known is None and (value := numerals.value(text)) is not None:
            known = by_value.get(value)
        if known is not None:
            found[text] = known
    wrong = [i for i, text in enumerate(texts) if text not in found]
    if wrong:
        unknown = list(dict.fromkeys(texts[i] for i in wrong))
        names = ", ".join(show(text) if text else "no label" for text in unknown[:NAMED])
        more = ", ..." if len(unknown) > NAMED else ""
        raise UserError(
            f"{file}: the label of {len(wrong)} rows is none of the model's classes ({names}{more}; the first is row "
            f"{wrong[0] + 1}): leave these rows out"
        )
    return np.array([found[text] for text in texts], dtype=np.int64)


def _reals(file: str, texts: Sequence[str], numerals: Numerals) -> Array:
    values = [numerals.value(text) for text in texts]
    wrong = next((i for i, value in enumerate(values) if value is None or not np.isfinite(value)), None)
    if wrong is not None:
        raise UserError(f"{file}: the target of row {wrong + 1} ({show(texts[wrong])}) is no number; leave the row out")
    return np.array(values, dtype=np.float64)
