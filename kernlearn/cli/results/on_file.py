"""The predictions of a model on a file with known targets, for pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.algorithms.core.predictor import predict
from kernlearn.cli.model.labelled import read_labelled
from kernlearn.cli.model.measured import trained_on
from kernlearn.models.file import load_header
from kernlearn.models.predictions import predicting
from kernlearn.report.plots.outputs import Outputs
from kernlearn.report.terminal import say_note


def outputs_on_file(model: str, file: str, target: str | None, said: Mapping[str, Any]) -> Outputs:
    """Return the predictions of a model on the rows of a file, and print notes on the file.

    Parameters
    ----------
    model, file : str
        Paths.
    target : str, optional
        The column with the targets, if it has another name than in the training data.
    said : mapping
        How the file is read, see `kernlearn.cli.parser.csv_options`.

    Raises
    ------
    UserError
        If the model does not take the file, or it has no known targets.
    """
    rows = read_labelled(model, file, target, said)
    with predicting(model):
        seen = trained_on(rows, load_header(model), file, "the pictures")
        for note in [*seen, *rows.notes]:
            say_note(note)
        decision, graded = rows.decision()
        probabilities = rows.probabilities()
    names = f"{Path(model).name} on {Path(file).name}"
    n, examples = len(rows.codes), "rows, which the model was trained on, at least in part" if seen else "rows"
    parts = np.zeros(n, dtype=np.int64)
    if rows.is_regression:
        assert rows.targets.real is not None
        return Outputs(names, examples, [], rows.targets.real, decision[0], decision[:0], parts)
    kept = decision if graded else decision[:0]
    truth, predicted = rows.targets.labels, np.asarray(predict(decision), dtype=np.float64)
    return Outputs(names, examples, rows.classes, truth, predicted, kept, parts, probabilities)
