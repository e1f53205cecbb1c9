"""What a cell costs, said before it runs: the peak memory of the process that computes it.

It is a count of the arrays that are there at once, from reading the code: data, the base of the kernels on the
training and on the measured examples, and what a method holds. How many n x n arrays that is stands in ``memory.csv``,
by the peaks of processes at several sizes, as ``scripts/bench/growth.py`` measures them.
The peak is right within a factor of two. How long a cell takes is not predicted but measured
(`kernlearn.runner.timing`).
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
from kernlearn.solvers.bands.smo_solver import MAX_WORKING_SET

#: Copies of the examples: as they were loaded, in parts, scaled, and one on the way there.
COPIES = 4.0
#: Matrices between training and measured examples beside the base: the values of a kernel, and one on the way there.
MEASURED = 2.0
#: Of what is streamed: bytes of rows that are kept, numbers for every example, and how many a unit of `features` is.
ROWS_BYTES, NUMBERS, NUMBERS_A_FEATURE = 2.0**28, 100.0, 1000.0
#: The kinds of kernels whose matrices are held, and of which there are too many values to be held.
MATRICES, STREAMED = "matrices", "streamed"
#: Bytes of a number of a sparse matrix, with its column.
SPARSE = 12.0
#: The penalty that `Constants.features` counts at, where no matrix is held.
PENALTY = 1e-3


@dataclass(frozen=True)
class Constants:
    """What is known of a method, a row of ``memory.csv``.

    Attributes
    ----------
    base_mb : float
        A process that has imported and compiled what the method needs.
    square, stack : float
        Arrays of n x n and of p x n x n numbers, for every output; of the latter, 2 while kernels are centred, then 1.
    kept : float
        Whether it keeps the matrices of all kernels as `kernlearn.kernels.GramStack` does, unless it needs none. Where
        no matrix is held, how many times `ROWS_BYTES` it keeps of rows.
    features, products : float
        Arrays of n x D and of D x D numbers, where kernels are the D features. Of sequences with k labels, n places and
        D features of windows, arrays of (n + D) x k numbers. Where no matrix is held, thousands of numbers an example.
    columns : float
        The power by which what is counted in `features` falls with penalties: weaker ones let more columns in.
    """

    base_mb: float
    square: float
    stack: float
    kept: float
    features: float
    products: float
    columns: float = 0.0


@dataclass(frozen=True)
class Cost:
    """What a cell of a size takes with one of several methods, by name: one if it is known, else all.

    Of several the one that needs most counts. `assumed` says that nothing is known of the method itself. `streamed` is
    what is known of it at sizes at which it holds no matrix of every kernel, if that is something else.
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
        """Bytes of a process that computes the cell."""
        return _peak(self._known[self.heaviest], self.size)

    @property
    def heaviest(self) -> str:
        """The method that takes the most memory."""
        return max(self._known, key=lambda name: _peak(self._known[name], self.size))

    @property
    def base(self) -> float:
        """Bytes that the process has anyway."""
        return max(MB * method.base_mb for method in self._known.values())

    @property
    def without_matrices(self) -> "Cost":
        """The cost with ``streamed=true``, for methods that can do without their matrices."""
        return replace(self, size=replace(self.size, held=0.0)) if isfinite(self.size.held) else self

    def largest(self, limit: float) -> int:
        """Return how many examples one could train on in `limit` bytes, 0 if none."""

        def at(n: int) -> "Cost":
            return replace(self, size=self.size.with_examples(n))

        sizes = range(1, self.size.n + 1)
        without = bisect_left(sizes, True, key=lambda n: at(n).size.streamed)
        for part in (sizes[without:], sizes[:without]):  # the peak grows with n, but falls where no matrix is held
            if fit := bisect_left(part, True, key=lambda n: at(n).peak > limit):
                return part[fit - 1]
        return 0


def cost_of(experiment: Experiment, family: KernelFamily | Family, size: Size) -> Cost:
    """Return the cost of a cell of a size."""
    task = experiment.task
    kind = family.name if not isinstance(family, KernelFamily) else "features" if size.features else MATRICES
    name = experiment.algo["name"]
    if experiment.algo.get("over") == "all":  # not those that boosting finds alone: a larger program
        kind = f"all {kind}"
    table, streamed = read_constants(), (name, task, STREAMED)
    own = {name: table[streamed]} if kind == MATRICES and streamed in table else None
    assumed = (name, task, kind) not in table or (kind == MATRICES and size.streamed and own is None)
    return Cost(size, constants(name, task, kind), assumed, own)


def kinds_of(algorithm: Method) -> list[str]:
    """Return the kinds of kernels that a method has constants of its own for."""
    kinds = [MATRICES if inputs == KERNEL_INPUTS else inputs for inputs in algorithm.choices]
    kinds += ["features"] * algorithm.weighs + [f"all {algorithm.inputs}"] * ("over" in algorithm.parameters)
    return list(dict.fromkeys([*kinds, *[STREAMED] * isfinite(algorithm.held)]))


def constants(name: str, task: str, kernels: str) -> dict[str, Constants]:
    """Return what is known of a method, by its name; of one that was not measured, such as a plug-in, that of all."""
    table = read_constants()
    if (name, task, kernels) in table:
        return {name: table[name, task, kernels]}
    alike = {other: row for (other, *others), row in table.items() if others == [task, kernels]}
    return alike or {" ".join(others): row for others, row in table.items()}


@cache
def read_constants() -> dict[tuple[str, str, str], Constants]:
    """Return the table ``memory.csv`` by algorithm, task and kind of kernels.

    That is one of `kinds_of`.
    """
    text = (files("kernlearn.runner.plan") / "memory.csv").read_text(encoding="utf-8")
    table = {}
    for row in csv.DictReader(text.splitlines()):
        method = row.pop("algorithm"), row.pop("task"), row.pop("kernels")
        table[method] = Constants(**{key: float(value) for key, value in row.items()})
    return table


def arrays(size: Size) -> dict[str, float]:
    """Return the bytes of one array of every kind that `Constants` counts, and under ``data`` of all that is fixed."""
    n, m, p = float(size.n), float(size.measured), float(size.p)
    data = COPIES * size.data
    if size.labels:
        windows = SPARSE * size.d * (n + m)
        return {"data": data + windows + size.width * n * m, "square": 8 * n * n, "features": 8 * size.labels * (n + p)}
    if size.features:
        return {"data": data, "square": 8 * n * n, "features": 8 * n * p, "products": 8 * p * p}
    if size.streamed:
        held = NUMBERS * 8 * n + (8 * n * n if size.one_matrix else 0.0)
        parts = {
            "square": 8.0 * min(n, MAX_WORKING_SET) ** 2,
            "kept": ROWS_BYTES,
            "features": 8 * NUMBERS_A_FEATURE * n,
        }
        return {"data": data + held, **parts}
    squares = sum(part**2 for part in size.problems)
    matrices = 8 * p * n * n
    kept = min(8 * p * n * m, KEEP_BYTES) if size.width > 1 else 0.0
    bases = sum(8 * size.width * (part * n) ** 2 for part in size.problems if part < 1)  # cut out of that of all
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
    if matrices:  # of which there is a copy while they are centred, and then the half of them
        solving = max(matrices, matrices / 2 + solving)
    return MB * method.base_mb + max(size.reading, data + solving)
