"""A cell: one data set, one algorithm with its kernel family, one split, the whole grid."""

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernlearn.algorithms import ALGORITHMS, PathPoint, one_vs_rest
from kernlearn.algorithms.path import predict
from kernlearn.datasets import Dataset, load
from kernlearn.evaluation import PROTOCOLS, Split
from kernlearn.kernels import SCALINGS, GramStack, KernelFamily, make_family
from kernlearn.runner.store import content_key

Cell = Mapping[str, Any]

#: Raised when the rows of a shard change their meaning.
ROWS_VERSION = 1


@dataclass(frozen=True)
class Plan:
    """The cells of an experiment and what can be said before they run."""

    experiment: dict[str, Any]
    dataset: Dataset
    label: str
    grid: list[dict[str, float]]
    cells: Sequence[Cell]

    @property
    def keys(self) -> list[str]:
        """The names of the cells in the store."""
        return [cell_key(cell) for cell in self.cells]


def plan(experiment: Mapping[str, Any], dataset: Dataset | None = None) -> Plan:
    """Lay out the cells of a checked experiment (`kernlearn.runner.config.check_experiment`).

    `dataset` saves loading it, where many experiments are planned on the same data. The content of the data, not its
    name or place, and the version of the algorithm are part of every cell.

    Raises
    ------
    UserError
        If the data cannot be had, the protocol cannot split them or the kernels cannot be computed on them.
    """
    experiment = dict(experiment)
    dataset = dataset or load(**experiment["dataset"])
    protocol, algorithm = PROTOCOLS[experiment["protocol"]["name"]], ALGORITHMS[experiment["algo"]["name"]]
    splits = protocol.make(dataset.y, dataset.classes, experiment["seed"])
    family = _family(experiment)
    values = _without_name(experiment["algo"])
    X, *_ = SCALINGS[experiment["scaling"]](dataset.X[splits[0].train])
    GramStack(family, X[:1], X)  # overflow is seen on one row
    versions = {"algo": algorithm.version, "rows": ROWS_VERSION}
    cells = [
        {**experiment, "data": dataset.digest, "versions": versions, "split": split}
        for split in range(protocol.n_splits)
    ]
    return Plan(experiment, dataset, algorithm.label(**values), algorithm.grid(family, **values), cells)


def cell_key(cell: Cell) -> str:
    """Return the name of a cell in the store; where a file of one's own lies is no part of it, its content is."""
    dataset = {key: value for key, value in cell["dataset"].items() if key != "path"}
    return content_key({**cell, "dataset": dataset})


def run_cell(cell: Cell) -> dict[str, Any]:
    """Solve the grid of a cell and measure every point.

    Returns
    -------
    dict
        ``status`` ("ok" or "failed"), ``rows``, ``seconds``, ``cell`` and, after a failure, ``error`` (one line) and
        ``traceback``; a failure is a result, not an exception.
    """
    start = perf_counter()
    result: dict[str, Any] = {"cell": dict(cell), "status": "ok", "rows": []}
    try:
        with threadpool_limits(1):  # the same arithmetic whatever runs beside it
            result["rows"] = _measure(cell)
    except Exception as error:
        result |= {"status": "failed", "error": _one_line(error), "traceback": traceback.format_exc()}
    return {**result, "seconds": perf_counter() - start}


def training_part(cell: Cell) -> tuple[GramStack, np.ndarray]:
    """Return the training stack and the labels +-1 of a cell with two classes."""
    dataset, split = _data(cell)
    (train,) = SCALINGS[cell["scaling"]](dataset.X[split.train])
    return GramStack.train(_family(cell), train), np.where(dataset.y[split.train] == 1, 1.0, -1.0)


def _data(cell: Cell) -> tuple[Dataset, Split]:
    dataset = _load(tuple(cell["dataset"].items()), cell["data"])
    splits = PROTOCOLS[cell["protocol"]["name"]].make(dataset.y, dataset.classes, cell["seed"])
    return dataset, splits[cell["split"]]


def _measure(cell: Cell) -> list[dict[str, Any]]:
    dataset, split = _data(cell)
    parts = [split.train, split.validation, split.test]
    train, validation, test = SCALINGS[cell["scaling"]](*(dataset.X[part] for part in parts))
    family = _family(cell)
    stack = GramStack.train(family, train)
    evaluation = {
        "validation": (GramStack(family, validation, train), dataset.y[split.validation]),
        "test": (GramStack(family, test, train), dataset.y[split.test]),
    }
    algorithm, values = ALGORITHMS[cell["algo"]["name"]], _without_name(cell["algo"])
    points = one_vs_rest(lambda y: algorithm.path(stack, y, **values), dataset.y[split.train], len(dataset.classes))
    sizes = {f"n_{part}": len(getattr(split, part)) for part in ("train", "validation", "test")}
    return [
        {"point": number, **point.values, **sizes, **_scores(point, evaluation), **_facts(point)}
        for number, point in enumerate(points)
    ]


def _scores(point: PathPoint, evaluation: Mapping[str, tuple[GramStack, np.ndarray]]) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    for part, (stack, y) in evaluation.items():
        decision = np.stack([stack.expand(c) + b for c, b in zip(point.coef, point.intercept, strict=True)])
        errors = int((predict(decision) != y).sum())
        scores |= {f"{part}_errors": errors, f"{part}_error_pct": 100.0 * errors / len(y)}
    return scores


def _facts(point: PathPoint) -> dict[str, Any]:
    return {
        "n_support": len(point.support),
        "n_nonzero": int(np.count_nonzero(point.coef)),
        "objective": sum(s.objective for s in point.solutions),
        "dual_objective": sum(s.dual_objective for s in point.solutions),
        "gap": max(s.gap for s in point.solutions),
        "iterations": sum(s.iterations for s in point.solutions),
        "rounds": sum(s.rounds for s in point.solutions),
        "status": point.status,
    }


@lru_cache(maxsize=2)  # the cells of one data set follow each other
def _load(options: tuple[tuple[str, Any], ...], digest: str) -> Dataset:
    dataset = load(**dict(options))
    if dataset.digest != digest:
        raise RuntimeError(f"the data of {dataset.name} changed since the experiment was planned")
    return dataset


def _family(experiment: Mapping[str, Any]) -> KernelFamily:
    return make_family(**experiment["kernel"])


def _without_name(group: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in group.items() if key != "name"}


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
