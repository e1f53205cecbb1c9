"""The examples of a cell: load, split and scale them, and make the inputs of its method."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.algorithms import Method
from kernlearn.algorithms.core.approximated import ExactKernels, why_no_exact_gap
from kernlearn.datasets import Dataset, load
from kernlearn.evaluation import NestedSplit, Split, protocol_of
from kernlearn.evaluation.splits.protocols import Fit
from kernlearn.kernels import KernelFamily, NystromFamily, make_family, make_inputs, scaled
from kernlearn.kernels.matrices.gram import GramStack
from kernlearn.runner.cell.cell import BaselineCell, Experiment, Group, PathCell

Array = NDArray[Any]


def splits_of(experiment: Experiment | BaselineCell, dataset: Dataset) -> Sequence[Split | NestedSplit]:
    """Return the splits of an experiment.

    Raises `UserError` if the data cannot be split this way, or do not fit the task.
    """
    return _splits(dataset, experiment.protocol, experiment.seed, experiment.is_regression)


@lru_cache(maxsize=2)  # drawing all splits again for each cell would take longer than the cell
def _splits(dataset: Dataset, chosen: Group, seed: int, regression: bool) -> Sequence[Split | NestedSplit]:
    protocol, published = protocol_of(chosen), (dataset.n_train, dataset.n_drawn, dataset.partitions)
    if regression:
        return protocol.draw(len(dataset.real_target()), seed, *published)
    if dataset.is_sequential:  # a label missing in a training part is rare, and no reason to refuse the split
        return protocol.draw(len(dataset.X), seed, *published)
    return protocol.make(dataset.y, dataset.classes, seed, *published)


def data_of(cell: PathCell | BaselineCell) -> tuple[Dataset, Split | NestedSplit]:
    """Return the data and the split of a cell."""
    dataset = _load(cell.dataset, cell.data)
    return dataset, splits_of(cell, dataset)[cell.split]


def seen_of(split: Split | NestedSplit) -> Array:
    """Return the sorted indices of the examples in any part of a split."""
    return np.unique(np.concatenate([index for train, parts in split.fits for index in (train, *parts.values())]))


def examples_of(cell: PathCell, train: Any, *others: Any) -> tuple[KernelFamily, tuple[Any, ...]]:
    """Return the kernels of a cell, and the training and other examples in the form that the kernels take.

    Scalings and the landmarks of an approximation are fitted on the training examples.
    """
    family, parts = make_family(**cell.kernel), scaled(cell.scaling, train, *others, unit=cell.kernel.get("unit"))
    return family, family.features(cell.seed, *parts) if isinstance(family, NystromFamily) else parts


def exact_kernels(cell: PathCell, train: Any) -> ExactKernels | None:
    """Return the kernels that those of a cell approximate, if there is a gap to the problem with these."""
    family = make_family(**cell.kernel)
    if not isinstance(family, NystromFamily) or why_no_exact_gap(cell.algo["name"], family.exact_gap):
        return None
    (X,) = scaled(cell.scaling, train, unit=cell.kernel.get("unit"))
    return ExactKernels.of(family, cell.seed, X)


def inputs_of(cell: PathCell, dataset: Dataset, fit: Fit, seen: Array) -> tuple[Any, Array | None, list[Any]]:
    """Return the training inputs, the indices of labelled ones, and the inputs of the measured parts.

    A transductive method learns from all examples in any part of the split, and predicts them by their index. Scaling
    and inputs then do not depend on the labelled part, and are computed once for all splits. The Universum of a method
    follows the training part.
    """
    (train, parts), method = fit, cell.method
    if method.sees_all:
        rows = np.asarray(seen, dtype=np.int64).tobytes()
        inputs = _inputs_of_all(cell.dataset, cell.data, cell.scaling, cell.kernel, cell.seed, rows)
        labelled, *places = (np.searchsorted(seen, index) for index in (train, *parts.values()))
        return inputs, labelled, [inputs.take(rows) for rows in places]
    more = [*(dataset.X[part] for part in parts.values()), *([dataset.universum] if method.universum else [])]
    family, (X, *others) = examples_of(cell, dataset.X[train], *more)
    universum = others[len(parts) :]
    examples = _one_below_the_other(X, *universum)
    inputs = make_inputs(family, examples, cell.seed, matrix_limit(cell, method), together=method.weighs)
    return inputs, np.arange(len(train)) if universum else None, [inputs.at(Z) for Z in others[: len(parts)]]


@lru_cache(maxsize=2)  # the cells of one data set follow each other
def _inputs_of_all(options: Group, digest: str, scaling: str, kernel: Group, seed: int, rows: bytes) -> Any:
    (X,) = scaled(scaling, _load(options, digest).X[np.frombuffer(rows, dtype=np.int64)])
    return make_inputs(make_family(**kernel), X, seed)


def _one_below_the_other(X: Any, *others: Any) -> Any:
    """Return the examples of several parts, dense or sparse, stacked."""
    if not others:
        return X
    parts: Any = [X, *others]
    return sparse.vstack(parts, format="csr") if sparse.issparse(X) else np.concatenate(parts)


@lru_cache(maxsize=2)  # the cells of one data set follow each other
def _load(options: Group, digest: str) -> Dataset:
    dataset = load(**options)
    if dataset.digest != digest:
        raise RuntimeError(f"the data of {dataset.name} changed since the experiment was planned")
    return dataset


def matrix_limit(experiment: Experiment, algorithm: Method) -> float:
    """Return the size of one kernel matrix, in bytes, above which an experiment is computed without matrices."""
    return 0.0 if experiment.streamed else algorithm.max_matrix_bytes


def training_part(cell: PathCell) -> tuple[GramStack, np.ndarray]:
    """Return the training kernels and the labels +-1 of a cell with two classes."""
    dataset, split = data_of(cell)
    family, (train,) = examples_of(cell, dataset.X[split.train])
    return GramStack.train(family, train), np.where(dataset.y[split.train] == 1, 1.0, -1.0)
