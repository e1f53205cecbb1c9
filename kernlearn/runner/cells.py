"""A cell: one data set, one algorithm with its kernel family, one split, the whole grid."""

import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernlearn.algorithms import ALGORITHMS, Algorithm, PathPoint, one_vs_rest
from kernlearn.algorithms.path import predict
from kernlearn.datasets import Dataset, load
from kernlearn.evaluation import PROTOCOLS, Split
from kernlearn.kernels import SCALINGS, GramStack, KernelFamily, make_family
from kernlearn.runner.partial import Partial
from kernlearn.runner.store import content_key

Cell = Mapping[str, Any]

#: Raised when the rows of a shard change their meaning.
ROWS_VERSION = 1
#: The weights of at most so many kernels are written into the rows.
SHOWN_WEIGHTS = 100


@dataclass(frozen=True)
class Plan:
    """The cells of an experiment and what can be said before they run."""

    experiment: dict[str, Any]
    dataset: Dataset
    label: str
    grid: list[dict[str, float]]
    cells: Sequence[Cell]

    @cached_property
    def keys(self) -> list[str]:
        """The names of the cells in the store."""
        return [cell_key(cell) for cell in self.cells]


def plan(experiment: Mapping[str, Any], dataset: Dataset | None = None, *, like: Plan | None = None) -> Plan:
    """Lay out the cells of a checked experiment (`kernlearn.runner.config.check_experiment`).

    `dataset` saves loading it, where many experiments are planned on the same data; `like`, the plan of an experiment
    that differs in nothing but the seed, saves the checks of data and kernels. The content of the data, not its
    name or place, and the version of the algorithm are part of every cell.

    Raises
    ------
    UserError
        If the data cannot be had, the protocol cannot split them or the kernels cannot be computed on them.
    """
    experiment = dict(experiment)
    dataset = dataset or load(**experiment["dataset"])
    protocol, algorithm = PROTOCOLS[experiment["protocol"]["name"]], ALGORITHMS[experiment["algo"]["name"]]
    if like is None:
        splits = protocol.make(dataset.y, dataset.classes, experiment["seed"])
        family = _family(experiment)
        values = _without_name(experiment["algo"])
        X, *_ = SCALINGS[experiment["scaling"]](dataset.X[splits[0].train])
        GramStack(family, X[:1], X)  # overflow is seen on one row
        label, grid = algorithm.label(**values), algorithm.grid(family, **values)
    else:
        label, grid = like.label, like.grid
    versions = {"algo": algorithm.version, "rows": ROWS_VERSION}
    cells = [
        {**experiment, "data": dataset.digest, "versions": versions, "split": split}
        for split in range(protocol.n_splits)
    ]
    return Plan(experiment, dataset, label, grid, cells)


def cell_key(cell: Cell) -> str:
    """Return the name of a cell in the store; where a file of one's own lies is no part of it, its content is."""
    dataset = {key: value for key, value in cell["dataset"].items() if key != "path"}
    return content_key({**cell, "dataset": dataset})


def run_cell(cell: Cell, partial: Partial | None = None) -> dict[str, Any]:
    """Solve the grid of a cell and measure every point.

    Parameters
    ----------
    cell : mapping
    partial : Partial, optional
        Where the finished blocks of the cell are kept, and found again if it was interrupted.

    Returns
    -------
    dict
        ``status`` ("ok" or "failed"), ``rows``, ``seconds``, ``cell`` and, after a failure, ``error`` (one line) and
        ``traceback``; a failure is a result, not an exception.
    """
    start = perf_counter()
    result: dict[str, Any] = {"status": "ok", "cell": dict(cell), "rows": []}
    try:
        with threadpool_limits(1):  # the same arithmetic whatever runs beside it
            result["rows"] = _measure(cell, partial)
    except Exception as error:
        result = failure(cell, _one_line(error), traceback.format_exc())
    return {**result, "seconds": perf_counter() - start}


def failure(cell: Cell, error: str, trace: str) -> dict[str, Any]:
    """Return the payload of a cell that has failed."""
    return {"status": "failed", "cell": dict(cell), "rows": [], "error": error, "traceback": trace, "seconds": 0.0}


def training_part(cell: Cell) -> tuple[GramStack, np.ndarray]:
    """Return the training stack and the labels +-1 of a cell with two classes."""
    dataset, split = _data(cell)
    (train,) = SCALINGS[cell["scaling"]](dataset.X[split.train])
    return GramStack.train(_family(cell), train), np.where(dataset.y[split.train] == 1, 1.0, -1.0)


def _data(cell: Cell) -> tuple[Dataset, Split]:
    dataset = _load(tuple(cell["dataset"].items()), cell["data"])
    splits = PROTOCOLS[cell["protocol"]["name"]].make(dataset.y, dataset.classes, cell["seed"])
    return dataset, splits[cell["split"]]


def _measure(cell: Cell, partial: Partial | None = None) -> list[dict[str, Any]]:
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
    sizes = {f"n_{part}": len(getattr(split, part)) for part in ("train", "validation", "test")}
    done, rows = partial.load() if partial else (0, [])
    for k in list(blocks(algorithm, family, values))[done:]:
        block, against = stack, evaluation
        if k is not None:
            block = stack.select(k)
            against = {part: (other.select(k), y) for part, (other, y) in evaluation.items()}
        points = _points(algorithm, block, values, dataset.y[split.train], len(dataset.classes))
        for point in points:
            rows.append({"point": len(rows), **point.values, **sizes, **_scores(point, against), **_facts(point)})
        done += 1
        if partial:
            partial.save(done, rows)
    return rows


def blocks(algorithm: Algorithm, family: KernelFamily, values: Mapping[str, Any]) -> Sequence[int | None]:
    """Return the numbers of the kernels whose paths, one after the other, are the path of the family.

    That is so for methods that use one kernel at a time: their grid is that of the kernels one by one, and nothing is
    carried over from kernel to kernel. Otherwise the only block is None, the whole: with a warm start every point
    depends on all before it, and a cell that is interrupted starts from its beginning.
    """
    single = [replace(family, members=(member,)) for member in family.members]
    if [point for one in single for point in algorithm.grid(one, **values)] == algorithm.grid(family, **values):
        return range(len(family))
    return [None]


def _points(
    algorithm: Algorithm, stack: GramStack, values: Mapping[str, Any], y: np.ndarray, n_classes: int
) -> Iterator[PathPoint]:
    return one_vs_rest(lambda signs: algorithm.path(stack, signs, **values), y, n_classes)


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
        **_combination(point),
    }


def _combination(point: PathPoint) -> dict[str, Any]:
    """Return what is known of a combination of kernels, nothing for methods that make none."""
    facts: dict[str, Any] = {}
    if point.alignment is not None:
        facts["alignment"] = float(point.alignment.mean())
    if point.weights is not None:
        facts["n_kernels"] = int(np.count_nonzero(point.weights.any(axis=0)))
        if point.weights.shape[1] <= SHOWN_WEIGHTS:
            facts["weights"] = "; ".join(" ".join(map(repr, row.tolist())) for row in point.weights)
    return facts


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
