"""The outputs of a cell on its test part, which its shard does not have: its path is solved once more."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernlearn.algorithms.core.predictor import Pairs
from kernlearn.errors import UserError
from kernlearn.kernels import make_family
from kernlearn.runner.cell.cell import PathCell
from kernlearn.runner.cell.data import data_of, seen_of
from kernlearn.runner.cell.measure import part_scores, solved_points
from kernlearn.runner.cell.targets import targets_of
from kernlearn.solvers.core.clock import program_limit
from kernlearn.types import Array, Index


@dataclass(frozen=True)
class PartOutputs:
    """The outputs of one grid point on one part of a split.

    Attributes
    ----------
    point : int
    part : str
        "test" or "validation".
    rows : array of shape (n,)
        The numbers of the examples in the data set.
    values : array of shape (n_outputs, n)
        Decision values, one row for two classes or a regression; the numbers of votes if pairs of classes vote.
    voted : bool
    scores : dict
        As in the row of the grid point, without the name of the part.
    """

    point: int
    part: str
    rows: Index
    values: Array
    voted: bool
    scores: dict[str, Any]


def outputs_of(cell: PathCell, wanted: Sequence[tuple[int, str]]) -> list[PartOutputs]:
    """Return the outputs at some grid points of the path on the whole training part of a cell, by point.

    The path is solved as for the shard, up to the last of these points, so the numbers are the same.

    Parameters
    ----------
    cell : PathCell
    wanted : sequence of (int, str)
        Grid points and parts, "test" or "validation".

    Raises
    ------
    UserError
        If the examples are sequences, or the split does not have such a part.
    """
    dataset, split = data_of(cell)
    if dataset.is_sequential:
        raise UserError(f"{dataset.name}: has sequences; outputs are only kept for single examples")
    fit, family = split.fits[-1], make_family(**cell.kernel)
    parts, targets = fit[1], targets_of(dataset, cell.is_regression)
    if lacking := [part for _, part in wanted if part not in parts]:
        raise UserError(f"split {cell.split}: has no part {lacking[0]} of its own")
    pieces = cell.method.blocks(family, cell.task, cell.values)
    left, found, number = {point for point, _ in wanted}, list[PartOutputs](), 0
    limited = nullcontext() if cell.limit is None else program_limit(cell.limit)
    with threadpool_limits(1), limited:  # the same arithmetic as in `kernlearn.runner.cell.run.run_cell`
        for point, measured in solved_points(cell, dataset, fit, family, seen_of(split), pieces):
            if point is None:
                continue
            for part in [part for at, part in wanted if at == number]:
                inputs, rows = measured[part], np.asarray(parts[part])
                values = np.asarray(point.predictor.outputs(inputs))
                scores = part_scores(point.predictor, inputs, targets.at(rows), len(dataset.classes))
                found.append(PartOutputs(number, part, rows, values, isinstance(point.predictor, Pairs), scores))
            left.discard(number)
            number += 1
            if not left:
                break
    return found
