"""More than two classes by methods for two: each class against the rest, or each against each."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.core.path import Point, Resume
from kernlearn.algorithms.core.predictor import Expansion, Pairs, Predictor, joined
from kernlearn.algorithms.core.problem import Classes, Problem, Signs
from kernlearn.types import Array

#: ``path(problem)`` yields the points of a problem of two classes; ``path(problem, resume=...)`` from the middle on.
Path = Callable[..., Iterator[Point]]


def signs(y: NDArray[np.integer], n_classes: int) -> list[Array]:
    """Return the +-1 labels of the binary problems: class 1 against 0, or every class against the rest."""
    positives = [1] if n_classes == 2 else range(n_classes)
    return [np.where(y == c, 1.0, -1.0) for c in positives]


def one_vs_rest(path: Path, problem: Problem, resume: Resume | None = None) -> Iterator[Point]:
    """Run a binary path for every class against the rest, all in step, and join their points.

    Parameters
    ----------
    problem : Problem
        Its target is `Classes`; two classes are one binary problem. A class without an example, as in a fold of few, is
        never predicted.
    resume : (int, list), optional
        How many points there were already, and the `Point.state` of the last one.
    """
    assert isinstance(problem.target, Classes)
    labels = signs(problem.y, problem.target.number)
    occurring = [o for o, s in enumerate(labels) if (s > 0).any()]
    binary = [replace(problem, target=Signs(labels[o])) for o in occurring]
    for points in _in_step(path, binary, resume):
        predictors: list[Predictor | None] = [None] * len(labels)
        for o, point in zip(occurring, points, strict=True):
            predictors[o] = point.predictor
        yield join(points, joined(predictors))


def one_vs_one(path: Path, problem: Problem, resume: Resume | None = None) -> Iterator[Point]:
    """Run a binary path for every pair of classes, on the examples of these two, and let all pairs vote.

    Parameters are those of `one_vs_rest`. A class without an example has no pairs and no votes.
    """
    assert isinstance(problem.target, Classes)
    y, n_classes = problem.y, problem.target.number
    if n_classes == 2:
        yield from one_vs_rest(path, problem, resume)
        return
    pairs = list(combinations(np.unique(y).tolist(), 2))
    rows = [np.flatnonzero((y == first) | (y == second)) for first, second in pairs]
    binary = [
        replace(problem, **_of(problem, some), target=Signs(np.where(y[some] == second, 1.0, -1.0)))
        for some, (_, second) in zip(rows, pairs, strict=True)
    ]
    for points in _in_step(path, binary, resume):
        parts = [
            point.predictor.embed_in(some, len(y)) if isinstance(point.predictor, Expansion) else point.predictor
            for point, some in zip(points, rows, strict=True)
        ]
        yield join(points, Pairs(parts, pairs, n_classes))


def _of(problem: Problem, some: NDArray[np.intp]) -> dict[str, Any]:
    """Return what of a problem is another where some of its labels are left: a method that sees all still does."""
    weights = None if problem.weights is None else problem.weights[some]
    if problem.labelled is None:
        return {"inputs": problem.inputs.take(some), "weights": weights}
    return {"labelled": problem.labelled[some], "weights": weights}


#: How a method for two classes is applied to more, by name.
REDUCTIONS: dict[str, Callable[..., Iterator[Point]]] = {"one_vs_rest": one_vs_rest, "one_vs_one": one_vs_one}


def _in_step(path: Path, problems: Sequence[Problem], resume: Resume | None) -> Iterator[tuple[Point, ...]]:
    """Yield the points of several problems on the same grid, those of each grid point together."""
    more: list[dict[str, Any]] = [{} for _ in problems]
    if resume is not None:
        more = [{"resume": (resume[0], state)} for state in resume[1]]
    paths = [path(problem, **options) for problem, options in zip(problems, more, strict=True)]
    return zip(*paths, strict=True)


def join(points: Sequence[Point], predictor: Predictor) -> Point:
    """Return one point of several that have the same values, with the predictor made of theirs."""
    states = [point.state for point in points if point.state]
    return Point(
        points[0].values,
        predictor,
        tuple(solution for point in points for solution in point.solutions),
        {name: np.concatenate([point.facts[name] for point in points]) for name in points[0].facts},
        partial(_call, states) if states else None,
    )


def _call(functions: Sequence[Callable[[], Any]]) -> list[Any]:
    return [function() for function in functions]
