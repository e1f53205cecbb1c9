"""What the measures of several tables are made of: the kernels of a cell, and which cell a row is of."""

from collections.abc import Mapping
from typing import Any

from kernlearn.kernels import SCALINGS, DenseStack, GramStack, make_family
from kernlearn.runner.cell.cell import PathCell
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.plan.plan import Plan
from kernlearn.types import Array


def training_kernels(cell: PathCell) -> tuple[DenseStack, Array]:
    """Return the kernels of the training part of a cell, not centred, and the targets or labels +-1."""
    dataset, split = data_of(cell)
    (X,) = SCALINGS[cell.scaling](dataset.X[split.train])
    return DenseStack.of(GramStack.train(make_family(**cell.kernel), X)), dataset.real_target()[split.train]


def cell_of(plan: Plan, row: Mapping[str, Any]) -> PathCell:
    """Return the cell of a plan that a row is of."""
    return next(cell for cell in plan.cells if cell.split == row["split"])
