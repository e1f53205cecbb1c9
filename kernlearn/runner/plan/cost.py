"""Estimate the cost of a cell before it runs: the peak memory of the process that computes it.

The estimate counts the arrays that exist at the same time: the data, the base of the kernels on the training and on the
measured examples, and the arrays of the method. ``memory.csv`` has the number of n x n arrays of each method, from the
peaks of processes at several sizes, as measured by ``scripts/bench/growth.py``.

The peak is right within a factor of two. Times are not predicted but measured (`kernlearn.runner.engines.timing`).
"""

import csv
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import isfinite

from kernlearn.algorithms import Method
from kernlearn.algorithms.core.method import KERNELS as KERNEL_INPUTS
from kernlearn.kernels import Family, KernelFamily
from kernlearn.kernels.matrices.gram import KEEP_BYTES
from kernlearn.memory import MB
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.plan.sizes import Size
from kernlearn.solvers.bands.working_set import SIZES

#: Copies of the examples: as loaded, in parts, scaled, and one temporary copy.
COPIES = 4.0
#: Matrices between training and measured examples in addition to the base: kernel values, and one temporary matrix.
MEASURED = 2.0
#: In matrix-free mode: bytes of cached rows, numbers for each example, and the unit of `features`.
ROWS_BYTES, NUMBERS, NUMBERS_A_FEATURE = 2.0**28, 100.0, 1000.0
#: The kinds of kernels whose matrices are stored, and those with too many values to store.
MATRICES, STREAMED = "matrices", "streamed"
#: Bytes of a number in a sparse matrix, with its column index.
SPARSE = 12.0
#: The penalty to which `Constants.features` refers in matrix-free mode.
PENALTY = 1e-3


@dataclass(frozen=True)
class Constants:
    """The memory constants of a method, a row of ``memory.csv``."""

    #: Megabytes of a process that has imported and compiled what the method needs.
    base_mb: float
    #: `square`, `stack`: number of arrays of n x n and of p x n x n numbers for each output. The latter is 2 while
    #: kernels are centred, then 1.
    square: float
    stack: float
    #: Whether it stores the matrices of all kernels, as `kernlearn.kernels.GramStack` does, unless it needs none. In
    #: matrix-free mode, the size of cached rows in multiples of `ROWS_BYTES`.
    kept: float
    #: `features`, `products`: number of arrays of n x D and of D x D numbers, if kernels are the D features. For
    #: sequences with k labels, n positions and D window features, arrays of (n + D) x k numbers. In matrix-free mode,
    #: thousands of numbers for each example.
    features: float
    products: float
    #: The exponent with which `features` falls as penalties grow: weaker penalties admit more columns.
    columns: float = 0.0


@dataclass(frozen=True)
class Cost:
    """The memory of a cell of some size, by the constants of its method, or of all methods if it was not measured.

    Of several methods, the one that needs most counts. `assumed` tells whether the method was not measured. `streamed`
    has its constants for matrix-free mode, if they differ.
    """

    size: Size
    methods: Mapping[str, Constants]
    assumed: bool = False
    streamed: Mapping[str, Constants] | None = None

    @property
    def _known(self) -> Mapping[str, Constants]:
        return self.streamed if self.streamed and self.size.streamed else self.methods

    @property
    def peak(self) -> float:
        """Peak memory of a process that computes the cell, in bytes."""
        return _peak(self._known[self.heaviest], self.size)

    @property
    def heaviest(self) -> str:
        """The method that needs the most memory."""
        return max(self._known, key=lambda name: _peak(self._known[name], self.size))

    @property
    def base(self) -> float:
        """Memory of the process before the cell, in bytes."""
        return max(MB * method.base_mb for method in self._known.values())

    @property
    def without_matrices(self) -> "Cost":
        """The cost with ``streamed=true``, for methods with a matrix-free mode."""
        if not isfinite(self.size.max_matrix_bytes):
            return self
        return replace(self, size=replace(self.size, max_matrix_bytes=0.0))

    def largest(self, limit: float) -> int:
        """Return the number of training examples that fit into `limit` bytes."""

        def at(n: int) -> "Cost":
            return replace(self, size=self.size.with_examples(n))

        sizes = range(1, self.size.n + 1)
        without = bisect_left(sizes, True, key=lambda n: at(n).size.streamed)
        for part in (sizes[without:], sizes[:without]):  # the peak grows with n, but drops where matrices end
            if fit := bisect_left(part, True, key=lambda n: at(n).peak > limit):
                return part[fit - 1]
        return 0


def cost_of(experiment: Experiment, family: KernelFamily | Family, size: Size) -> Cost:
    """Return the cost of a cell of a size."""
    task = experiment.task
    kind = family.name if not isinstance(family, KernelFamily) else "features" if size.features else MATRICES
    name = experiment.algo["name"]
    if experiment.algo.get("over") == "all":  # a larger program: not only the stumps that boosting finds
        kind = f"all {kind}"
    table, streamed = read_constants(), (name, task, STREAMED)
    own = {name: table[streamed]} if kind == MATRICES and streamed in table else None
    assumed = (name, task, kind) not in table or (kind == MATRICES and size.streamed and own is None)
    return Cost(size, constants(name, task, kind), assumed, own)


def kinds_of(algorithm: Method) -> list[str]:
    """Return the kinds of kernels for which a method has separate constants."""
    kinds = [MATRICES if inputs == KERNEL_INPUTS else inputs for inputs in algorithm.choices]
    kinds += ["features"] * algorithm.weighs + [f"all {algorithm.inputs}"] * ("over" in algorithm.parameters)
    return list(dict.fromkeys([*kinds, *[STREAMED] * isfinite(algorithm.max_matrix_bytes)]))


def constants(name: str, task: str, kernels: str) -> dict[str, Constants]:
    """Return the constants of a method by name; for a method not measured, such as a plug-in, those of all methods."""
    table = read_constants()
    if (name, task, kernels) in table:
        return {name: table[name, task, kernels]}
    alike = {other: row for (other, *others), row in table.items() if others == [task, kernels]}
    return alike or {" ".join(others): row for others, row in table.items()}


@cache
def read_constants() -> dict[tuple[str, str, str], Constants]:
    """Return the table ``memory.csv`` by algorithm, task and kind of kernels (one of `kinds_of`)."""
    text = (files("kernlearn.runner.plan") / "memory.csv").read_text(encoding="utf-8")
    table = {}
    for row in csv.DictReader(text.splitlines()):
        method = row.pop("algorithm"), row.pop("task"), row.pop("kernels")
        table[method] = Constants(**{key: float(value) for key, value in row.items()})
    return table


def arrays(size: Size) -> dict[str, float]:
    """Return the bytes of one array of each kind in `Constants`, and under ``data`` those of all fixed arrays."""
    n, m, p = float(size.n), float(size.measured), float(size.p)
    data = COPIES * size.data
    if size.labels:
        windows = SPARSE * size.d * (n + m)
        return {"data": data + windows + size.width * n * m, "square": 8 * n * n, "features": 8 * size.labels * (n + p)}
    if size.features:
        return {"data": data, "square": 8 * n * n, "features": 8 * n * p, "products": 8 * p * p}
    if size.streamed:
        vectors = NUMBERS * 8 * n + (8 * n * n if size.one_matrix else 0.0)
        parts = {
            "square": 8.0 * min(n, SIZES.most) ** 2,
            "kept": ROWS_BYTES,
            "features": 8 * NUMBERS_A_FEATURE * n,
        }
        return {"data": data + vectors, **parts}
    squares = sum(part**2 for part in size.problems)
    matrices = 8 * p * n * n
    kept = min(8 * p * n * m, KEEP_BYTES) if size.width > 1 else 0.0
    bases = sum(8 * size.width * (part * n) ** 2 for part in size.problems if part < 1)  # parts of the whole base
    return {
        "data": data + 8 * size.width * n * (n + m) + 8 * MEASURED * m * n + kept + bases,
        "square": 8 * squares * n * n,
        "stack": matrices if size.joint else squares * matrices,
        "kept": min(matrices, KEEP_BYTES) if size.matrices else 0.0,
    }


def _peak(method: Constants, size: Size) -> float:
    kinds = arrays(size)
    data, matrices = kinds.pop("data"), method.stack * kinds.pop("stack", 0.0)
    kinds["features"] = kinds.get("features", 0.0) * (PENALTY / size.penalty) ** method.columns
    solving = sum(getattr(method, kind) * b for kind, b in kinds.items())
    if matrices:  # copied while they are centred, then only half is stored
        solving = max(matrices, matrices / 2 + solving)
    return MB * method.base_mb + max(size.reading, data + solving)
