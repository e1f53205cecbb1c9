"""A model of sentences on sentences whose words have labels."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.cli.model.labelled import NAMED, Labelled
from kernlearn.datasets.core.cells import show
from kernlearn.datasets.core.chains import chains_of
from kernlearn.errors import UserError
from kernlearn.models.predictions import predicting
from kernlearn.models.sentences import sentences_of
from kernlearn.runner.cell.targets import Targets


def read_tagged(path: str, model: Any, file: str, said: Mapping[str, Any]) -> Labelled:
    """Read sentences with the label of every word, as those of the training data.

    A label that the training data did not have is one more class, which the model never predicts.

    Raises `UserError` if another key is said, there is no sentence, or a word has no label.

    Parameters
    ----------
    path : str
        Where the model is, for messages.
    model : Pipeline
        Its first step is a `kernlearn.models.sentences.SentenceFeatures`.
    file : str
    said : mapping
        How a person says that the file is read: ``encoding`` alone.
    """
    if others := [key for key, value in said.items() if key != "encoding" and value is not None]:
        raise UserError(f"{others[0]}: is for tables; sentences are read as those of the training data")
    features, machine = model[0], model[-1]
    sentences = [sentence for some in sentences_of(Path(file), features, said.get("encoding")) for sentence in some]
    if not sentences:
        raise UserError(f"{file}: has no sentence")
    words = [fields for sentence in sentences for fields in sentence]
    with predicting(path):
        at, width = features.schema["target_number"], features.schema["width"]
        known = [str(name) for name in machine.classes_.tolist()]
    if (bare := next((fields for fields in words if len(fields) < width), None)) is not None:
        raise UserError(f"{file}: the word {show(features.word_of(bare))} has no label, which is to be in column {at}")
    new = sorted({fields[at] for fields in words} - set(known))
    number = {label: i for i, label in enumerate([*known, *new])}
    with predicting(path):
        codes = features.transform(sentences)
    numbers = np.array([number[fields[at]] for fields in words], dtype=np.int64)
    labels = chains_of([len(sentence) for sentence in sentences], numbers)
    notes = []
    if new:
        some = " and ".join(map(show, new[:NAMED])) + (" and others" if len(new) > NAMED else "")
        count = sum(fields[at] in new for fields in words)
        notes.append(f"label {some}: of no training word, so {count} words are counted as errors")
    return Labelled(model, codes, Targets(None, labels), list(number), [], notes)
