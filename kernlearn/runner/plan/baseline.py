"""The baseline, which ignores the features: the most frequent class, or the mean target, of the training part."""

from typing import cast

import numpy as np

from kernlearn.evaluation import Row
from kernlearn.evaluation.rules import swapped
from kernlearn.runner.cell.data import splits_of
from kernlearn.runner.cell.targets import Array, Targets, scores_of, targets_of
from kernlearn.runner.plan.plan import Plan

MAJORITY, MEAN = "majority class", "mean target"


def baseline_rows(plan: Plan) -> list[Row]:
    """Return the scores of the baseline for each split of an experiment, named as in the rows of a cell.

    If the rule swaps validation and test parts, they are swapped here, too.
    """
    targets, n_classes = targets_of(plan.dataset, plan.experiment.is_regression), len(plan.dataset.classes)
    rows: list[Row] = []
    for number, split in enumerate(splits_of(plan.experiment, plan.dataset)):
        train, parts = split.fits[-1]
        constant, row = _constant(targets.at(train), n_classes), {"split": number}
        for part, index in parts.items():
            truth = targets.at(index)
            scores = scores_of(np.repeat(constant, truth.size, axis=1), truth, n_classes=n_classes)
            row |= {f"{part}_{name}": value for name, value in scores.items()}
        rows.append(cast(Row, row))
    return rows + swapped(rows) if plan.rule == "swap" else rows


def baseline_name(plan: Plan) -> str:
    """Return the name of the baseline's prediction."""
    return MEAN if plan.experiment.is_regression else MAJORITY


def _constant(train: Targets, n_classes: int) -> Array:
    """Return the decision value of each output for any example. Among equally frequent classes, the first counts."""
    if train.real is not None:
        return np.array([[train.real.mean()]])
    most = np.arange(n_classes) == np.bincount(train.labels, minlength=n_classes).argmax()
    return np.where(most[1:] if n_classes == 2 else most, 1.0, -1.0)[:, None]
