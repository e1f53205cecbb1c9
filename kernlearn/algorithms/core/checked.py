"""Paths whose points are checked as they come, since a plug-in may bring any path."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, Resume
from kernlearn.algorithms.core.problem import Problem
from kernlearn.errors import UserError


def checked_path(
    problem: Problem,
    method: Method,
    grid: Sequence[Mapping[str, float]],
    values: Mapping[str, Any],
    resume: Resume | None = None,
) -> Iterator[Point]:
    """Yield the points of the path of a method, which must be those of its grid.

    Parameters
    ----------
    problem : Problem
    method : Method
    grid : sequence of mapping
        All points of the grid, in its order.
    values : mapping
        The parameters of the method.
    resume : (int, object), optional
        The number of points that were solved before, and the state of the last one.

    Raises
    ------
    UserError
        If the path leaves the order of the grid, leaves points out, or has too many.
    """
    more = {} if resume is None else {"resume": resume}
    points = method.path(problem, **values, **more)
    for point, expected in zip_longest(points, grid[resume[0] if resume else 0 :]):
        if point is None or expected is None or point.values != expected:
            there = "has no more points" if expected is None else f"has {_words(expected)}"
            given = "ended" if point is None else f"gave {_words(point.values)}"
            raise UserError(f"the path of {method.name} {given} where its grid {there}")
        yield point


def _words(values: Mapping[str, float]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items()) or "one point"
