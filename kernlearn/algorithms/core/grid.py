"""The grids of methods that are all combinations of a kernel and of values of parameters."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from kernlearn.algorithms.core.prepare import require_positive_definite


def grid_of(
    keys: Mapping[str, str], *, one_kernel: bool = True, positive_definite: bool = True
) -> Callable[..., list[dict[str, float]]]:
    """Return the `grid` of a method: its points in the order in which its path solves them.

    Parameters
    ----------
    keys : mapping
        The keys of a point, with the parameter that lists the values of each. A minus before its name puts the largest
        value first. The last key changes fastest.
    one_kernel : bool
        Whether every kernel of the family has points of its own.
    positive_definite : bool
        Whether the family must be positive definite.
    """

    def grid(family: Any, **values: Any) -> list[dict[str, float]]:
        if positive_definite:
            require_positive_definite(family)
        ordered = [
            sorted(map(float, values[name.removeprefix("-")]), reverse=name.startswith("-")) for name in keys.values()
        ]
        members = family.members if one_kernel else [{}]
        return [{**member, **dict(zip(keys, point, strict=True))} for member in members for point in product(*ordered)]

    return grid
