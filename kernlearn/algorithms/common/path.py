"""Points of a path, and the step from two classes to more."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels import DenseStack, KernelStack, alignments
from kernlearn.solvers import Solution

Array = NDArray[np.float64]
#: Difference of decision values below which they are the same; the labels +-1, or margins of 1, are the unit.
SAME = 1e-9
#: Where a path goes on: how many points there were already, and the `PathPoint.state` of the last one.
Resume = tuple[int, Any]


@dataclass(frozen=True)
class PathPoint:
    """One solved point of a hyper-parameter grid: ``f_o(x) = sum_kj coef[o, k, j] K_k(x, x_j) + intercept[o]``.

    Attributes
    ----------
    values : dict
        The grid point, e.g. ``{"lambda": 0.1, "beta": 0.01}``.
    coef : array of shape (n_outputs, p, n), or (n_outputs, p)
        One output for two classes or a regression, one for every class otherwise. Where kernels are features, the
        weights of the features: ``f_o(x) = coef[o].x + intercept[o]``.
    intercept : array of shape (n_outputs,)
    solutions : tuple of Solution
        One for every output, or for all.
    weights : array of shape (n_outputs, p), or (1, p) for all outputs, optional
        Of the kernels as given, for methods that weigh them.
    alignment : array of shape (n_outputs,), optional
        Centred alignment of the weighted training kernel with the labels.
    multipliers : array of shape (n_outputs, n), optional
        Of the training examples, for methods that have some: support vectors are those with a positive one. The
        coefficients of contradictory examples may cancel.
    state : callable, optional
        Returns all that the next points owe to those up to this one, as JSON can keep it; for a path that can go on
        from its middle.
    """

    values: dict[str, float]
    coef: Array
    intercept: Array
    solutions: tuple[Solution, ...]
    weights: Array | None = None
    alignment: Array | None = None
    multipliers: Array | None = None
    state: Callable[[], Any] | None = None

    @property
    def support(self) -> NDArray[np.intp]:
        """Support vectors: training points with a multiplier, or a coefficient, that is not 0.

        Where kernels are features, the features with a weight.
        """
        counted = self.coef if self.multipliers is None or self.coef.ndim == 2 else self.multipliers
        return np.flatnonzero(counted.any(axis=tuple(range(counted.ndim - 1))))

    @property
    def status(self) -> str:
        """``"optimal"``, or the first of the solutions' statuses that is not."""
        return next((s.status for s in self.solutions if s.status != "optimal"), "optimal")


def predict(decision: Array) -> NDArray[np.intp]:
    """Return class indices for decision values of shape (n_outputs, n).

    One output is read as ``sign f``, with 0 going to class 0; of several the largest counts, of equal ones the first.
    Values within `SAME` of 0, or of the largest, count as equal to it: the last bit decides nothing.
    """
    if len(decision) == 1:
        return (decision[0] > SAME).astype(np.intp)
    return (decision >= decision.max(axis=0) - SAME).argmax(axis=0)


def signs(y: NDArray[np.integer], n_classes: int) -> list[Array]:
    """Return the +-1 labels of the binary problems: class 1 against 0, or every class against the rest."""
    positives = [1] if n_classes == 2 else range(n_classes)
    return [np.where(y == c, 1.0, -1.0) for c in positives]


def one_vs_rest(
    path: Callable[..., Iterator[PathPoint]], y: NDArray[np.integer], n_classes: int, resume: Resume | None = None
) -> Iterator[PathPoint]:
    """Run a binary path for every class against the rest, all in step, and join their points.

    Parameters
    ----------
    path : callable
        ``path(signs)`` yields the points of a binary problem, always in the same order; ``path(signs, resume=...)``
        those from the middle on.
    y : array of class indices, shape (n,)
    n_classes : int
        Two classes are one binary problem. A class without an example, as in a fold of few, is never predicted.
    resume : (int, list), optional
        How many points there were already, and the `state` of the last one.
    """
    labels = signs(y, n_classes)
    there = [o for o, s in enumerate(labels) if (s > 0).any()]
    more: list[dict[str, Any]] = [{} for _ in there]
    if resume is not None:
        more = [{"resume": (resume[0], state)} for state in resume[1]]
    for points in zip(*(path(labels[o], **options) for o, options in zip(there, more, strict=True)), strict=True):
        point = join(points)
        if len(there) < len(labels):
            coef = np.zeros((len(labels), *point.coef.shape[1:]))
            intercept = np.full(len(labels), -np.inf)
            coef[there], intercept[there] = point.coef, point.intercept
            point = replace(point, coef=coef, intercept=intercept)
        yield point


def join(points: Sequence[PathPoint]) -> PathPoint:
    """Return one point with the outputs of several, which have the same values."""
    states = [point.state for point in points if point.state]
    return PathPoint(
        points[0].values,
        np.concatenate([point.coef for point in points]),
        np.concatenate([point.intercept for point in points]),
        tuple(solution for point in points for solution in point.solutions),
        _joined(point.weights for point in points),
        _joined(point.alignment for point in points),
        _joined(point.multipliers for point in points),
        partial(_call, states) if states else None,
    )


def _call(functions: Sequence[Callable[[], Any]]) -> list[Any]:
    return [function() for function in functions]


def _joined(arrays: Iterable[Array | None]) -> Array | None:
    there = [array for array in arrays if array is not None]
    return np.concatenate(there) if there else None


def single_kernel_point(
    values: dict[str, float], p: int, k: int, coef: Array, intercept: float, solution: Solution
) -> PathPoint:
    """Return the point of a method that uses kernel `k` of p alone, with coefficients of shape (n,)."""
    full = np.zeros((1, p, len(coef)))
    full[0, k] = coef
    return PathPoint(values, full, np.array([intercept]), (solution,))


def combined_point(
    stack: KernelStack,
    y: Array,
    values: dict[str, float],
    mu: Array,
    beta: Array,
    intercept: float,
    solution: Solution,
) -> PathPoint:
    """Return the point ``f(x) = sum_k mu_k sum_j beta_j K_k(x, x_j) + intercept`` of a method that weighs kernels.

    mu are weights of the kernels as given; y are the labels that K_mu is compared with.
    """
    coef, constant = stack.expansion(mu, beta)
    alignment = alignments(DenseStack(stack.combine(mu)[None]), y)  # definition 2.4
    return PathPoint(values, coef[None], np.array([intercept + constant]), (solution,), mu[None], alignment)
