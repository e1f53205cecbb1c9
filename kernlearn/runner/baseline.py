"""What is reached without the features: the most frequent class, or the mean target, of the training part."""

from typing import Any

import numpy as np

from kernlearn.runner.cells import Plan
from kernlearn.runner.measure import Array, Targets, scores_of, splits_of, targets_of

MAJORITY, MEAN = "majority class", "mean target"


def baseline_rows(plan: Plan) -> list[dict[str, Any]]:
    """Return the test scores of the baseline for every split of an experiment, named as in the rows of a cell."""
    targets, n_classes = targets_of(plan.experiment, plan.dataset), len(plan.dataset.classes)
    rows = []
    for number, split in enumerate(splits_of(plan.experiment, plan.dataset)):
        train, parts = split.fits[-1]
        test = parts["test"]
        decision = np.repeat(_constant(targets.at(train), n_classes), len(test), axis=1)
        scores = scores_of(decision, targets.at(test))
        rows.append({"split": number, **{f"test_{name}": value for name, value in scores.items()}})
    return rows


def baseline_name(plan: Plan) -> str:
    """Return what the baseline of an experiment predicts."""
    return MEAN if targets_of(plan.experiment, plan.dataset).real is not None else MAJORITY


def _constant(train: Targets, n_classes: int) -> Array:
    """Return the decision value of every output for any example; of classes that are as frequent the first counts."""
    if train.real is not None:
        return np.array([[train.real.mean()]])
    assert train.classes is not None
    most = np.arange(n_classes) == np.bincount(train.classes, minlength=n_classes).argmax()
    return np.where(most[1:] if n_classes == 2 else most, 1.0, -1.0)[:, None]
