"""Paths whose points are checked as they come, since a plug-in may bring any path."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, Resume, with_proof
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import relative_gap, status_of
from kernlearn.errors import UserError

#: Relative gap of an optimal solution of a method without a tolerance.
EXACT = 1e-6


def checked_path(
    problem: Problem,
    method: Method,
    grid: Sequence[Mapping[str, float]],
    values: Mapping[str, Any],
    resume: Resume | None = None,
) -> Iterator[Point]:
    """Yield the points of the path of a method, which must be those of its grid.

    If a plug-in names a certificate, its bounds replace those of the path. The certificates of kernlearn's own methods
    are compared with their paths by a test instead, since most paths compute them already.

    Raises `UserError` if the path leaves the order of the grid, leaves points out, or has too many. If it calls a
    solution optimal that its own bounds do not prove.

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
    """
    more = {} if resume is None else {"resume": resume}
    points = method.path(problem, **values, **more)
    tol = method.resolve_auto(len(problem.y), values).get("tol", EXACT)
    for point, expected in zip_longest(points, grid[resume[0] if resume else 0 :]):
        if point is None or expected is None or point.values != expected:
            there = "has no more points" if expected is None else f"has {_words(expected)}"
            given = "ended" if point is None else f"gave {_words(point.values)}"
            raise UserError(f"the path of {method.name} {given} where its grid {there}")
        if method.certificate and not method.is_own:
            point = with_proof(point, method.certificate(problem, point, **values), tol)
        require_proved(point, method.name, tol)
        yield point


def require_proved(point: Point, name: str, tol: float) -> None:
    """Raise `UserError` if a solution is called optimal and its bounds contradict that, or its gap is not theirs."""
    for s in point.solutions:
        gap = relative_gap(s.objective, s.dual_objective, s.zero)
        if s.status == "optimal" and not (gap == s.gap and status_of(gap, tol) == "optimal"):
            raise UserError(
                f"the path of {name} calls {_words(point.values)} optimal, but its objective is {s.objective:.6g} and "
                f"its lower bound {s.dual_objective:.6g}: a relative gap of {gap:.1e}, where {tol:.0e} is allowed"
            )


def _words(values: Mapping[str, float]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items()) or "one point"
