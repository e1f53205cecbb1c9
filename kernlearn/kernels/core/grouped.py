"""Kernels on groups of columns, one for every group."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kernlearn.kernels.core.family import KernelFamily, side_by_side
from kernlearn.types import Array, Index

#: The name of such a family.
GROUPED = "columns"


def grouped(parts: Sequence[KernelFamily], columns: Sequence[Index]) -> KernelFamily:
    """Return the family that has, for every group of columns, the kernels of one family on these columns.

    Parameters
    ----------
    parts : sequence of KernelFamily
    columns : sequence of integer arrays
        The numbers of the columns of every group.
    """
    family = side_by_side(GROUPED, [_on_columns(part, some) for part, some in zip(parts, columns, strict=True)])
    recipes = [part.recipe for part in parts]
    return replace(family, recipe=None if None in recipes else (GROUPED, {"parts": recipes, "columns": list(columns)}))


def _on_columns(part: KernelFamily, columns: Index) -> KernelFamily:
    norms = None if part.norms is None else partial(_applied, part.norms, columns)
    return replace(part, base=partial(_applied, part.base, columns), norms=norms)


# A module function, not a closure: a fitted estimator holds its family and has to pickle.


def _applied(function: Any, columns: Index, X: Array, Z: Array) -> Any:
    return function(X[:, columns], Z[:, columns])
