"""The size of the problems of a cell, read from its data before it runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.algorithms import Method
from kernlearn.datasets import Dataset
from kernlearn.datasets.core.chains import entries
from kernlearn.evaluation import NestedSplit, Split
from kernlearn.kernels import Family, GramStack, KernelFamily, NystromFamily, Stack
from kernlearn.kernels.families.chains import FLOAT, kind_of_products
from kernlearn.kernels.fused.sums import is_dense_and_small
from kernlearn.kernels.matrices.blocks import MOST_BYTES
from kernlearn.kernels.matrices.streamed import is_matrix_free
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.cell.data import matrix_limit
from kernlearn.types import Index

#: Maximum memory for reading a text, in multiples of the resulting examples, for a user's file and for all other data.
READING_OWN, READING = 20.0, 7.0
#: Smallest penalty that counts, in the unit of `Size.penalty`. Smaller penalties admit hardly any more columns.
WEAKEST = 1e-6


@dataclass(frozen=True)
class Size:
    """The quantities that determine the cost of a cell."""

    #: Number of examples of the largest training part, including a Universum. For sequences, the number of all their
    #: positions.
    n: int
    #: Number of examples, or positions, on which the cell is measured.
    measured: int
    #: Number of nonzero values of an example, or a position.
    d: float
    #: `data`, `reading`: bytes of all examples, and of the memory used while they are read.
    data: float
    reading: float
    #: `p`, `width`: number of kernels, and of values of their base for a pair of examples. For sequences, p is the
    #: number of window features of the training part, and width the bytes of a product of two windows, 0 for features
    #: without kernel.
    p: int
    width: int
    #: The share of the training examples in each binary problem, or in each class of a joint problem. It is 1, or for a
    #: pair of classes their share.
    problems: tuple[float, ...]
    #: Whether there is one problem for all classes.
    joint: bool
    #: Whether products with all kernels need their matrices.
    matrices: bool
    #: Whether the kernels are the features.
    features: bool
    #: Size of one matrix, in bytes, above which the method computes its rows on demand.
    max_matrix_bytes: float = inf
    #: Whether it stores the matrices of all kernels otherwise.
    all_matrices: bool = False
    #: Bytes up to which it stores one n x n matrix in matrix-free mode or with blocks.
    matrix_up_to: float = 0.0
    #: Number of labels of sequences; 0 for single examples.
    labels: int = 0
    #: The penalty of a coefficient divided by the largest kernel value, as geometric mean over the grid; 1 without
    #: penalties.
    penalty: float = 1.0

    @property
    def one_matrix(self) -> bool:
        """Whether it stores one n x n matrix in matrix-free mode or with blocks."""
        return 8.0 * self.n**2 <= self.matrix_up_to

    @property
    def streamed(self) -> bool:
        """Whether the method runs without a matrix of all training examples."""
        kernels = self.p if self.all_matrices else 1
        return not self.features and is_matrix_free(self.n, self.n, kernels, self.max_matrix_bytes)

    def with_examples(self, n: int) -> "Size":
        """Return the size with n training examples, or positions, and all other examples scaled in proportion."""
        factor = n / self.n
        sizes = {name: factor * getattr(self, name) for name in ("data", "reading")}
        return replace(self, n=n, measured=round(factor * self.measured), **sizes)


def size_of(
    experiment: Experiment,
    algorithm: Method,
    dataset: Dataset,
    splits: Sequence[Split | NestedSplit],
    family: KernelFamily | Family,
    row: Stack | None,
    grid: Sequence[Mapping[str, float]],
) -> Size:
    """Return the size of a cell.

    Parameters
    ----------
    splits : sequence
        The splits of the experiment.
    row : Stack, optional
        The exact kernels between one example and others. None for inputs that are not kernels, which count as features.
    grid : sequence of mappings
        The grid points.
    """
    count = _counting(dataset)
    more = dataset.universum.shape[0] if algorithm.universum and dataset.universum is not None else 0
    train, parts = max((fit for split in splits for fit in split.fits), key=lambda fit: count(fit[0]))
    X: Any = entries(dataset.X)
    features = not isinstance(row, GramStack)
    stored: list[Any] = [X.data, X.indices] if isinstance(X, sparse.csr_array) else [X]
    data = float(sum(array.nbytes for array in stored))
    size = Size(
        n=count(train) + more,
        measured=sum(count(part) for part in parts.values()),
        d=stored[0].size / X.shape[0],
        data=data,
        reading=data * (READING_OWN if experiment.dataset["name"] == "csv" else READING),
        p=X.shape[1] if features else len(family),
        width=int(row.base[0, 0].size) if isinstance(row, GramStack) else 0,
        problems=_problems(experiment, algorithm, dataset, train),
        joint=algorithm.joint,
        matrices=isinstance(family, KernelFamily) and family.price is None and len(family) > 1,
        features=features,
        max_matrix_bytes=matrix_limit(experiment, algorithm)
        if isinstance(family, KernelFamily) and family.streams
        else inf,
        all_matrices=algorithm.weighs,
        matrix_up_to=_matrix_up_to(experiment, algorithm, family, X),
        penalty=_penalty(grid, row, count(train)) if isinstance(row, GramStack) else 1.0,
    )
    if isinstance(family, NystromFamily):
        d = len(family) * min(family.rank, size.n)
        size = replace(size, data=data + 8.0 * d * X.shape[0], width=len(family))
    return _of_windows(size, dataset, train, family, experiment.scaling) if dataset.is_sequential else size


def _matrix_up_to(experiment: Experiment, algorithm: Method, family: KernelFamily | Family, X: Any) -> float:
    """Return up to how many bytes of a matrix a method without all matrices holds one, see `Size`."""
    is_fused = isinstance(family, KernelFamily) and family.fused is not None and is_dense_and_small(X)
    return 0.0 if algorithm.rows_only or (experiment.is_regression and is_fused) else MOST_BYTES


def _penalty(grid: Sequence[Mapping[str, float]], row: GramStack, n: int) -> float:
    """Return the typical penalty of a coefficient, see `Size`.

    In Voted Kernel Regularization it is about ``lambda / sqrt(n) + beta / s`` for a kernel with values up to s.
    """
    scales, members = row.scales().max(axis=1), row.family.members

    def of(point: Mapping[str, float]) -> float:
        own = [all(point.get(key, value) == value for key, value in member.items()) for member in members]
        return point.get("lambda", 0.0) / n**0.5 + point["beta"] / float(scales[own].max())

    penalties = [max(of(point), WEAKEST) for point in grid if "beta" in point]
    return float(np.exp(np.mean(np.log(penalties)))) if penalties else 1.0


def _counting(dataset: Dataset) -> Callable[[Index], int]:
    """Return a function that counts the examples of a part, or the positions of its sequences."""
    if not dataset.is_sequential:
        return len
    lengths = dataset.X.lengths
    return lambda rows: int(lengths[rows].sum())


def _of_windows(size: Size, dataset: Dataset, train: Index, family: Any, scaling: str) -> Size:
    """Return the size with the values that depend on the windows around positions of sequences."""
    learned = dataset.X[train].values
    width = 0
    if family.degree > 1:  # unscaled counts take a byte or two
        width = (kind_of_products(learned, learned, family.window) if scaling == "none" else FLOAT).itemsize
    used = len(np.unique(learned.indices))
    one = replace(size, problems=(1.0,))  # one problem for all labels
    return replace(one, d=family.window * size.d, p=family.window * used, width=width, labels=len(dataset.classes))


def _problems(experiment: Experiment, algorithm: Method, dataset: Dataset, train: Index) -> tuple[float, ...]:
    """Return the share of the training examples in each problem of a path; see `Size`."""
    classes = len(dataset.classes)
    if classes <= 2 or experiment.is_regression:
        return (1.0,) * (1 + algorithm.joint)
    if algorithm.joint or experiment.multiclass != "one_vs_one":
        return (1.0,) * classes
    shares = np.unique(dataset.y[train], return_counts=True)[1] / len(train)
    return tuple(float(first + second) for first, second in combinations(shares, 2))
