"""What a cell measures: every point of the grid, on every part that its split validates and tests on."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms import ALGORITHMS, Method, PathPoint, one_vs_rest
from kernlearn.algorithms.common.path import Resume, predict
from kernlearn.datasets import Dataset, load
from kernlearn.evaluation import METRICS, PROTOCOLS, SCORES, NestedSplit, Split
from kernlearn.evaluation.protocols import Fit
from kernlearn.kernels import (
    SCALINGS,
    DenseStack,
    FeatureStack,
    GramStack,
    KernelFamily,
    Stack,
    alignments,
    make_family,
    make_stack,
)
from kernlearn.runner.partial import Kept, Partial

Cell = Mapping[str, Any]
Rows = list[dict[str, Any]]
Array = NDArray[Any]

#: The weights of at most so many kernels are written into the rows.
SHOWN_WEIGHTS = 100
#: A part of more examples goes without an alignment, for which every grid point would take a matrix of all their pairs.
ALIGNED = 5000


def is_regression(experiment: Mapping[str, Any]) -> bool:
    """Return whether real targets are to be learned; without the key ``task`` it is classes."""
    return bool(experiment.get("task") == "regression")


def method_of(experiment: Mapping[str, Any]) -> tuple[Method, dict[str, Any]]:
    """Return the algorithm of an experiment and its options; one that can do several tasks is told which."""
    options = dict(experiment["algo"])
    algorithm = ALGORITHMS[options.pop("name")]
    if len(algorithm.tasks) > 1:
        options["task"] = experiment.get("task", "classification")
    return algorithm, options


def splits_of(experiment: Mapping[str, Any], dataset: Dataset) -> Sequence[Split | NestedSplit]:
    """Return the splits of an experiment.

    Raises
    ------
    UserError
        If the data cannot be split so, or are not for the task.
    """
    protocol, seed = PROTOCOLS[experiment["protocol"]["name"]], experiment["seed"]
    if is_regression(experiment):
        return protocol.splits(len(dataset.real_target()), seed)
    return protocol.make(dataset.y, dataset.classes, seed)


def data_of(cell: Cell) -> tuple[Dataset, Split | NestedSplit]:
    """Return the data and the split of a cell."""
    dataset = _load(json.dumps(cell["dataset"]), cell["data"])
    return dataset, splits_of(cell, dataset)[cell["split"]]


def measure(cell: Cell, kept: Partial | None = None) -> Rows:
    """Return a row for every point of the grid of a cell.

    The paths that its split asks for are solved one after the other, each block by block (see `blocks`); `kept`
    keeps what is finished: whole blocks, or also points, of a path that can go on from its middle.
    """
    dataset, split = data_of(cell)
    pieces = blocks(*method_of(cell), make_family(**cell["kernel"]))
    done, points, state, rows = kept.load() if kept else Kept(0, 0, None, [])
    resume = (points, state) if points else None
    for number, fit in enumerate(split.fits):
        left = pieces[max(0, done - number * len(pieces)) :]
        for row, state_of in _fit_rows(cell, dataset, fit, left, resume) if left else ():
            resume = None
            if row is None:
                done, points = done + 1, 0
            else:
                rows.append(row)
                points += 1
            if kept and kept.due() and (row is None or state_of):
                kept.save(Kept(done, points, state_of() if state_of else None, rows))
    return _joined(rows, len(split.fits))


def blocks(algorithm: Method, values: Mapping[str, Any], family: KernelFamily) -> Sequence[int | None]:
    """Return the numbers of the kernels whose paths, one after the other, are the path of the family.

    That is so for methods that use one kernel at a time: their grid is that of the kernels one by one, and nothing is
    carried over from kernel to kernel. Otherwise the only block is None, the whole: with a warm start every point
    depends on all before it, and a cell that is interrupted starts from its beginning, unless its points have a state.
    """
    single = [replace(family, members=(member,)) for member in family.members]
    if single and [p for one in single for p in algorithm.grid(one, **values)] == algorithm.grid(family, **values):
        return range(len(family))
    return [None]


class Targets(NamedTuple):
    """What is to be learned: real values, classes, or the signs of two classes, which are both."""

    real: Array | None
    classes: Array | None

    def at(self, index: Array) -> "Targets":
        """Return those of some examples."""
        return Targets(*(values if values is None else values[index] for values in self))


def targets_of(cell: Mapping[str, Any], dataset: Dataset) -> Targets:
    """Return what an experiment learns: real targets, and classes where they are those of the data set."""
    if not is_regression(cell):
        return Targets(None, dataset.y)
    return Targets(dataset.real_target(), dataset.y if dataset.target is None else None)


def _fit_rows(
    cell: Cell, dataset: Dataset, fit: Fit, pieces: Sequence[int | None], resume: Resume | None
) -> Iterator[tuple[dict[str, Any] | None, Callable[[], Any] | None]]:
    """Yield the rows of the path of one training part, with the state that the next ones start from.

    After the last row of every block comes None.
    """
    train, parts = fit
    X, *others = SCALINGS[cell["scaling"]](dataset.X[train], *(dataset.X[part] for part in parts.values()))
    family = make_family(**cell["kernel"])
    stack, against = make_stack(family, X, X), [make_stack(family, Z, X) for Z in others]
    targets, n_classes = targets_of(cell, dataset), len(dataset.classes)
    sizes = {f"n_{part}": len(index) for part, index in {"train": train, **parts}.items()}
    for k in pieces:
        measured = [(part, targets.at(parts[part]), _select(Z, k)) for part, Z in zip(parts, against, strict=True)]
        for point in _points(cell, _select(stack, k), targets.at(train), n_classes, resume):
            scores: dict[str, Any] = {}
            for part, truth, other in measured:
                found = {**scores_of(_decision(point, other), truth), **_alignment(point, other, truth)}
                scores |= {f"{part}_{name}": value for name, value in found.items()}
            yield {**point.values, **sizes, **scores, **_facts(point)}, point.state
        yield None, None
        resume = None


def _select(stack: Stack, k: int | None) -> Stack:
    if k is None:
        return stack
    assert isinstance(stack, GramStack)  # features have no blocks
    return stack.select(k)


def _points(cell: Cell, stack: Stack, y: Targets, n_classes: int, resume: Resume | None) -> Iterator[PathPoint]:
    algorithm, values = method_of(cell)
    if y.real is not None:
        return algorithm.path(stack, y.real, **values)
    assert y.classes is not None
    if algorithm.joint:
        return algorithm.path(stack, y.classes, **values)
    return one_vs_rest(partial(algorithm.path, stack, **values), y.classes, n_classes, resume)


def _decision(point: PathPoint, stack: Stack) -> Array:
    return np.stack([stack.expand(c) + b for c, b in zip(point.coef, point.intercept, strict=True)])


def scores_of(decision: Array, y: Targets) -> dict[str, Any]:
    """Return all scores that there are of decision values, NaN where one has no value, and the number of errors."""
    truths: dict[str, tuple[Any, Any]] = {}
    scores: dict[str, Any] = {}
    if y.real is not None:
        truths["reals"] = y.real, decision[0]
    if y.classes is not None:
        predicted = predict(decision)
        truths["classes"] = y.classes, predicted
        scores["errors"] = int((predicted != y.classes).sum())
        if len(decision) == 1:
            truths["signs"] = y.classes, decision[0]
    for name, metric in SCORES.items():
        if metric.score and metric.target in truths:
            scores[name] = metric.score(*truths[metric.target])
    return scores


def _alignment(point: PathPoint, stack: Stack, y: Targets) -> dict[str, float]:
    """Return the centred alignment of the learned kernel with the labels of a part, where kernels are features.

    The weights themselves are too many for the rows, from which `kernlearn.papers.measures` has it otherwise.
    """
    if not isinstance(stack, FeatureStack) or point.weights is None or len(point.weights) > 1:
        return {}
    if stack.shape[1] > ALIGNED:
        return {}
    labels = np.where(y.classes == 1, 1.0, -1.0) if y.real is None else y.real
    return {"alignment": float(alignments(DenseStack(stack.combine(point.weights[0])[None]), labels)[0])}


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


def _joined(rows: Rows, n_fits: int) -> Rows:
    """Return one row for every grid point from the rows of all fits of a split, fit by fit."""
    fits = [rows[i : i + len(rows) // n_fits] for i in range(0, len(rows), len(rows) // n_fits)]
    return [{"point": j, **_over_folds(*parts)} for j, parts in enumerate(zip(*fits, strict=True))]


def _over_folds(*parts: dict[str, Any]) -> dict[str, Any]:
    """Return the row of the last fit with the validation scores of those before, the folds, if there are any.

    Of the folds it has the number of errors in all, and the mean of every other score weighted by their sizes, of those
    folds that have it; of all fits the largest gap and the first status that is not optimal.
    """
    *folds, whole = parts
    if not folds:
        return whole
    sizes = [fold["n_validation"] for fold in folds]
    names = [name for name in folds[0] if name.startswith("validation_")]
    means = {name: _over_sizes(name, [fold[name] for fold in folds], sizes) for name in names}
    if "validation_errors" in names:
        means["validation_errors"] = sum(fold["validation_errors"] for fold in folds)
    gap = max(part["gap"] for part in parts)
    status = next((part["status"] for part in parts if part["status"] != "optimal"), "optimal")
    return {**folds[0], **means, **whole, "n_validation": sum(sizes), "gap": gap, "status": status}


def _over_sizes(name: str, values: Sequence[float], sizes: Sequence[int]) -> float:
    """Return the mean of a score over folds, weighted by their sizes; those of one class may have none."""
    metric = METRICS.get(name.removeprefix("validation_"))
    may_lack = metric is not None and metric.needs_classes
    there = [i for i, value in enumerate(values) if not (may_lack and isnan(value))]
    return float(np.average([values[i] for i in there], weights=[sizes[i] for i in there])) if there else nan


@lru_cache(maxsize=2)  # the cells of one data set follow each other
def _load(options: str, digest: str) -> Dataset:
    dataset = load(**json.loads(options))
    if dataset.digest != digest:
        raise RuntimeError(f"the data of {dataset.name} changed since the experiment was planned")
    return dataset
