"""A model on the rows of a file that also has the target: what it says of them, and what is true."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from kernlearn.datasets import Chains
from kernlearn.datasets.core.cells import NA_WORDS, Numerals, show, spelling
from kernlearn.datasets.rows import LABEL, NewRows, is_libsvm
from kernlearn.errors import UserError
from kernlearn.models.predictions import known_ranges, named, ordinal_of, predicting, schema_of, takes_sentences
from kernlearn.models.proof import machine_of
from kernlearn.runner.cell.targets import Targets
from kernlearn.types import Array, Index

#: Labels that a message names.
NAMED = 3
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Labelled:
    """Rows, or sentences, with their targets."""

    #: The loaded estimator.
    model: Any
    #: Shape (n, n_columns), or Chains. What the model takes, see `kernlearn.datasets.rows.Rows`; of sentences the
    #: features of their words.
    codes: Any
    #: Class numbers, in the order of `classes`, or real targets.
    targets: Targets
    #: Empty for a regression.
    classes: list[str]
    #: The names of the columns.
    columns: list[str]
    #: How the file was read.
    notes: list[str]
    #: Shape (n,). The rows of the file that they are, from 0; of tables only.
    numbers: Index | None = None

    @property
    def is_sequential(self) -> bool:
        """Whether the rows are sentences, with a label for every word."""
        return isinstance(self.codes, Chains)

    @property
    def is_regression(self) -> bool:
        """Whether the targets are real numbers."""
        return self.targets.real is not None

    def decision(self, codes: Any = None) -> tuple[Array, bool]:
        """Return decision values, shape (n_outputs, n), and whether they are more than the predicted class alone."""
        rows = named(self.model, self.codes if codes is None else codes)
        if self.is_regression:
            return np.atleast_2d(np.asarray(self.model.predict(rows), dtype=np.float64)), True
        if hasattr(self.model, "decision_function") and not self.is_sequential:
            return np.atleast_2d(np.asarray(self.model.decision_function(rows)).T), True
        numbers = {name: i for i, name in enumerate(self.classes)}
        model = self.model[-1] if self.is_sequential else self.model  # sentences are features of words already
        predicted = np.array([numbers[str(name)] for name in model.predict(rows)])
        one_hot = (predicted == np.arange(len(self.classes))[:, None]).astype(np.float64)
        return (2.0 * one_hot[1:] - 1.0 if len(self.classes) == 2 else one_hot), False

    def places(self, part: Index) -> Index:
        """Return where the decision values of some rows stand: of sentences, those of their words."""
        if not self.is_sequential:
            return part
        found: Index = self.codes.with_values(np.arange(self.codes.starts[-1]))[part].values
        return found

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
    path: str, file: str, target: str | None, said: Mapping[str, Any] = NOTHING, model: Any = None
) -> Labelled:
    """Load a model, and read the columns that it takes and the target.

    Raises `UserError` if the model takes no table, the file has no target, or a target is unknown.

    Parameters
    ----------
    path : str
        The model.
    file : str
        CSV or libsvm text, gzipped or not, ARFF or Parquet.
    target : str, optional
        The name of the target column; by default that of the training data.
    said : mapping
        How a person says that the file is read, see `kernlearn.datasets.rows.NewRows`; and ``target``.
    model : estimator, optional
        The model, where it is loaded already.
    """
    from kernlearn.models.file import load

    model, target = load(path) if model is None else model, target or said.get("target")
    if takes_sentences(model):
        raise UserError(f"{path}: is a model of sentences, which kernlearn predict and evaluate take")
    with predicting(path):
        schema, fills = schema_of(model)
    if is_libsvm(Path(file), said.get("encoding")):
        if target not in (None, LABEL):
            raise UserError(f"--target {target}: of a file in libsvm's format the target is first in every line")
        target = LABEL
    target = target or schema.target
    if not target:
        raise UserError(f"{path}: does not say which column is the target; give it with --target NAME")
    ranges = known_ranges(path, len(schema.columns))
    rows = NewRows(Path(file), schema, [target], fills, said, ordinal_of(model), ranges)
    try:
        parts = [(part.codes, part.complete, part.kept[0]) for part in rows.parts()]
    except UserError as error:
        words = str(error)
        if f"--keep {target}" in words:
            raise UserError(f"{file}: has no target column {show(target)}; --target NAME names another") from None
        raise
    machine = machine_of(model)
    classes = [] if getattr(machine, "classes_", None) is None else [str(name) for name in machine.classes_.tolist()]
    codes, complete = (np.concatenate([part[i] for part in parts]) for i in range(2))
    texts = [text for part in parts for text in part[2]]
    if not len(codes):
        raise UserError(f"{file}: has no rows")
    bare_words = {""} if classes else {"", *NA_WORDS}
    has_target = np.array([text.lower() not in bare_words for text in texts])
    numbers = np.flatnonzero(complete & has_target)
    if not len(numbers):
        raise UserError(f"{file}: no row has a target and a value in every column")
    codes, texts = codes[numbers], [texts[i] for i in numbers]
    if classes:
        targets = Targets(None, _numbers(file, texts, classes, rows.numerals, numbers))
    else:
        targets = Targets(_reals(file, texts, rows.numerals, numbers), None)
    n_bare = int((~has_target).sum())
    bare = [f"{n_bare} rows have no target and are left out"] if n_bare else []
    notes = [*rows.notes, *rows.lacking_notes("they are left out"), *bare, *rows.unseen_notes]
    return Labelled(model, codes, targets, classes, [column.name for column in schema.columns], notes, numbers)


def _numbers(file: str, texts: Sequence[str], classes: Sequence[str], numerals: Numerals, rows: Index) -> Any:
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
        names = ", ".join(map(show, unknown[:NAMED]))
        more = ", ..." if len(unknown) > NAMED else ""
        raise UserError(
            f"{file}: the label of {len(wrong)} rows is none of the model's classes ({names}{more}; the first is row "
            f"{rows[wrong[0]] + 1}): leave these rows out"
        )
    return np.array([found[text] for text in texts], dtype=np.int64)


def _reals(file: str, texts: Sequence[str], numerals: Numerals, rows: Index) -> Array:
    values = [numerals.value(text) for text in texts]
    wrong = next((i for i, value in enumerate(values) if value is None or not np.isfinite(value)), None)
    if wrong is not None:
        raise UserError(
            f"{file}: the target of row {rows[wrong] + 1} ({show(texts[wrong])}) is no number; leave it out"
        )
    return np.array(values, dtype=np.float64)
