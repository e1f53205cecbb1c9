"""Baselines: the most frequent class or the mean target of the training part, and the plans of scikit-learn's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, cast

import numpy as np

from kernlearn.datasets import Dataset
from kernlearn.evaluation import Row, protocol_of
from kernlearn.evaluation.rules import swapped
from kernlearn.runner.cell.baseline import BASELINES
from kernlearn.runner.cell.cell import BaselineCell, Experiment, Group
from kernlearn.runner.cell.data import splits_of
from kernlearn.runner.cell.targets import Array, Targets, scores_of, targets_of
from kernlearn.runner.plan.cells import Planned
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.provenance.sources import source_of_baselines
from kernlearn.runner.store.records import Shard, Source
from kernlearn.types import Index

MAJORITY, MEAN = "majority class", "mean target"
#: The version of the rows of `kernlearn.runner.cell.baseline`. Raise it if the meaning changes.
BASELINE_ROWS_VERSION = 1


@dataclass(frozen=True)
class BaselinePlan(Planned):
    """The cells of a baseline of scikit-learn, one a split of an experiment."""

    label: str
    dataset: Dataset
    cells: Sequence[BaselineCell]

    @property
    def source(self) -> Source:
        """The source that computes the cells now."""
        return source_of_baselines()

    @property
    def about(self) -> str:
        """What computes them."""
        return f"baseline {self.label}"

    def _label_of(self, cell: BaselineCell) -> str:
        return f"{self.dataset.name} {self.label} seed {cell.seed} split {cell.split}"

    def _has_rows_of(self, cell: BaselineCell, shard: Shard) -> bool:
        rows = shard["rows"]
        return (
            len(rows) == (shard["status"] == "ok")
            and all({"n_train", "n_test"} <= row.keys() for row in rows)
            and all(type(value) in (int, float) for row in rows for value in row.values())
        )


def plan_baselines(experiment: Experiment, dataset: Dataset) -> list[BaselinePlan]:
    """Return the plans of scikit-learn's baselines on the data, splits and scaling of a checked experiment."""
    versions = Group({"scikit-learn": version("scikit-learn"), "rows": BASELINE_ROWS_VERSION})
    shared = {name: getattr(experiment, name) for name in ("task", "dataset", "scaling", "protocol", "seed")}
    n_splits = protocol_of(experiment.protocol).n_splits
    return [
        BaselinePlan(
            name,
            dataset,
            [
                BaselineCell(baseline=name, **shared, data=dataset.digest, versions=versions, split=split)
                for split in range(n_splits)
            ],
        )
        for name in BASELINES[experiment.task]
    ]


def baseline_rows(plan: Plan) -> list[Row]:
    """Return the scores of the baseline for each split of an experiment, named as in the rows of a cell.

    If the rule swaps validation and test parts, they are swapped here, too.
    """
    rows: list[Row] = []
    for number, split in enumerate(splits_of(plan.experiment, plan.dataset)):
        train, parts = split.fits[-1]
        rows.append(cast(Row, {"split": number, **baseline_scores(plan, train, parts)}))
    return rows + swapped(rows) if plan.rule == "swap" else rows


def baseline_scores(plan: Plan, train: Index, parts: Mapping[str, Index]) -> dict[str, Any]:
    """Return the scores of the baseline of some training rows on other parts, named as in the rows of a cell."""
    targets, n_classes = targets_of(plan.dataset, plan.experiment.is_regression), len(plan.dataset.classes)
    constant, row = _constant(targets.at(train), n_classes), dict[str, Any]()
    for part, index in parts.items():
        truth = targets.at(index)
        scores = scores_of(np.repeat(constant, truth.size, axis=1), truth, n_classes=n_classes)
        row |= {f"{part}_{name}": value for name, value in scores.items()}
    return row


def baseline_name(plan: Plan) -> str:
    """Return the name of the baseline's prediction."""
    return MEAN if plan.experiment.is_regression else MAJORITY


def _constant(train: Targets, n_classes: int) -> Array:
    """Return the decision value of each output for any example. Among equally frequent classes, the first counts."""
    if train.real is not None:
        return np.array([[train.real.mean()]])
    most = np.arange(n_classes) == np.bincount(train.labels, minlength=n_classes).argmax()
    return np.where(most[1:] if n_classes == 2 else most, 1.0, -1.0)[:, None]
