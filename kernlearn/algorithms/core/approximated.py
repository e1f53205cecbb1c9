"""The gap of a solution with an approximate kernel to the problem with the kernel itself.

The function of Nystroem's method is one of the exact kernel, too, with coefficients of the landmarks alone, and its
objective is the same in both problems. The bound is the exact dual value of the multipliers of the approximate
problem, see `kernlearn.certificates.proofs.centres`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf, isfinite
from typing import Any, Self

import numpy as np

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Expansion, Pairs
from kernlearn.algorithms.core.problem import Classes, Problem
from kernlearn.certificates.proofs.centres import MOST_VALUES, Centres, prove_centres
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.certificates.proofs.restated import Solved, restated, why_not_restated
from kernlearn.kernels import KernelFamily, NystromFamily
from kernlearn.types import Array, Index

#: The fact of a point: the relative gap to the exact problem of every problem that was solved.
EXACT_GAP = "exact_gap"
#: Bytes of a base that is kept for all points; a larger one is computed for each.
KEPT_BYTES = 2**28


def why_no_exact_gap(method: str, exact_gap: bool | None) -> str:
    """Return why the gap to the exact problem is not computed; empty if it is."""
    return "kernel.exact_gap=false" if exact_gap is False else why_not_restated(method)


def parts_of_bound(n: int, exact_gap: bool | None) -> int:
    """Return in how many parts a bound takes n multipliers at most, see `Centres.most`."""
    return max(1, int(np.ceil(n**2 / _most(exact_gap))))


@dataclass(frozen=True)
class ExactKernels:
    """The kernels that a family approximates, on training examples as these take them, before they become features.

    Attributes
    ----------
    family : NystromFamily
    X, landmarks : arrays or sparse matrices of shape (n, d), (R, d)
    maps : list of arrays
        As of `NystromFamily.fit_map`.
    rows : integer array of shape (R,), optional
        Which examples the landmarks are. If it is known, a base that is not streamed is computed once for all points.
    """

    family: NystromFamily
    X: Any
    landmarks: Any
    maps: list[Array]
    rows: Index | None = None

    @classmethod
    def of(cls, family: NystromFamily, seed: int, X: Any) -> Self:
        """Return those of training examples; the landmarks are those of their features."""
        return cls(family, X, *family.fit_map(seed, X), family.landmark_rows(seed, X.shape[0]))

    @cached_property
    def kernels(self) -> tuple[KernelFamily, Any, Any]:
        """The exact kernels with examples and landmarks as they take them: numbers of examples if the base is kept."""
        exact, n = self.family.exact, self.X.shape[0]
        if exact.streams or self.rows is None:
            return exact, self.X, self.landmarks
        if exact.base(self.X[:1], self.X).nbytes * n > KEPT_BYTES:
            return exact, self.X, self.landmarks
        base, numbers = partial(_looked_up, base=exact.base(self.X, self.X)), np.arange(n)[:, None]
        kept = replace(exact, base=base, bilinear=False, norms=None, error=None)
        return kept, numbers, numbers[self.rows]

    def with_gap(self, problem: Problem, point: Point, method: str, options: Mapping[str, Any]) -> Point:
        """Return a point with the gaps of its solutions to the exact problem, as it is if there are none.

        Parameters
        ----------
        problem : Problem
            With the approximate kernels.
        point : Point
            Of all classes.
        method : str
        options : mapping
            The parameters of the method.
        """
        if why_no_exact_gap(method, self.family.exact_gap):
            return point
        gaps = [proof.relative_gap for proof in self.proofs(problem, point, method, options)]
        return replace(point, facts={**point.facts, EXACT_GAP: np.array(gaps)})

    def proofs(self, problem: Problem, point: Point, method: str, options: Mapping[str, Any]) -> Iterator[Proof]:
        """Yield what is proved of every solution of a point in the exact problem."""
        features = problem.inputs.points
        for solution, (rows, y, coef, intercept) in zip(point.solutions, _outputs(problem, point), strict=True):
            weights = None if problem.weights is None else problem.weights[rows]
            solved = Solved(method, point.values, options, y, coef[rows], solution.dual, intercept, weights)
            yield self.proof(solved, rows, features[rows])

    def proof(self, solved: Solved, rows: Index, features: Array) -> Proof:
        """Return what is proved of one solution on some of the examples, which have features of all kernels."""
        k = next(k for k, member in enumerate(self.family.members) if member.items() <= solved.values.items())
        rank = len(self.maps[k])
        own = slice(k * rank, (k + 1) * rank)
        exact, X, Z = self.kernels
        one = replace(exact, members=(self.family.members[k],))
        coef = self.maps[k] @ (solved.coef @ features[:, own])
        return prove_centres(restated(solved, Centres(one, X[rows], Z, coef, most=_most(self.family.exact_gap))))


def _outputs(problem: Problem, point: Point) -> Iterator[tuple[Index, Array, Array, float]]:
    """Yield rows, targets, coefficients on all examples and intercept of every problem of a point with one kernel."""
    every, predictor = np.arange(len(problem.y)), point.predictor
    if isinstance(predictor, Pairs):
        for part, (first, second) in zip(predictor.parts, predictor.pairs, strict=True):
            assert isinstance(part, Expansion)
            rows = np.flatnonzero((problem.y == first) | (problem.y == second))
            y = np.where(problem.y[rows] == second, 1.0, -1.0)
            yield rows, y, part.coef[0].sum(axis=0), float(part.intercept[0])
        return
    assert isinstance(predictor, Expansion)
    for o, (coef, intercept) in enumerate(zip(predictor.coef, predictor.intercept.tolist(), strict=True)):
        if not isfinite(intercept):  # of a class without an example
            continue
        several, binary = len(predictor.coef) > 1, isinstance(problem.target, Classes)
        y = np.where(problem.y == (o if several else 1), 1.0, -1.0) if binary else problem.y
        yield every, y, coef.sum(axis=0), intercept


def _looked_up(X: Array, Z: Array, base: Array) -> Array:
    """Return the values of a base of numbered examples."""
    values: Array = base[np.ix_(X[:, 0], Z[:, 0])]
    return values


def _most(exact_gap: bool | None) -> float:
    return inf if exact_gap else MOST_VALUES
