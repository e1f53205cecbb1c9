"""Points of a path, and the points of the methods that use one kernel, or a combination of kernels."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kernlearn.algorithms.core.predictor import Expansion, Predictor
from kernlearn.algorithms.core.problem import Classes, Problem
from kernlearn.certificates import Certificate
from kernlearn.kernels import GramStack, KernelStack
from kernlearn.solvers import Solution
from kernlearn.solvers.core.solution import certified, with_remark
from kernlearn.types import Array

#: Where a path goes on: how many points there were already, and the `Point.state` of the last one.
Resume = tuple[int, Any]


@dataclass(frozen=True)
class Point:
    """One solved point of a hyper-parameter grid.

    Attributes
    ----------
    values : dict
        The grid point, e.g. ``{"lambda": 0.1, "beta": 0.01}``.
    predictor : Predictor
    solutions : tuple of Solution
        One for every output, or for all.
    facts : mapping of arrays
        What else is known of it, an entry for every output or one for all: ``weights``, shape (n_outputs, p), of the
        kernels as given, for methods that weigh them; ``alignment``, shape (n_outputs,), the centred alignment of the
        weighted training kernel with the labels.
    state : callable, optional
        Returns all that the next points owe to those up to this one, as JSON can keep it; for a path that can go on
        from its middle.
    """

    values: dict[str, float]
    predictor: Predictor
    solutions: tuple[Solution, ...]
    facts: Mapping[str, Array] = field(default_factory=dict)
    state: Callable[[], Any] | None = None

    @property
    def status(self) -> str:
        """``"optimal"``, or the first of the solutions' statuses that is not."""
        return next((s.status for s in self.solutions if s.status != "optimal"), "optimal")

    def with_status(self, status: str) -> "Point":
        """Return the point with another status of the solutions that are optimal."""
        return replace(self, solutions=tuple(with_remark(one, status) for one in self.solutions))


#: What is proved of a predictor: takes the kernels as given, its coefficients, shape (p, n), and its intercept.
Prove = Callable[[Any, Array, Any], Certificate]


def proved(point: Point, inputs: Any, prove: Prove, tol: float) -> Point:
    """Return a point of one output with the certificate of its predictor."""
    assert isinstance(point.predictor, Expansion)
    proof = prove(inputs, point.predictor.coef[0], float(point.predictor.intercept[0]))
    assert proof.stretch == 1.0  # or it would be the certificate of another predictor
    return replace(point, solutions=(certified(point.solutions[0], proof, tol),))


def with_proof(point: Point, proof: Certificate, tol: float) -> Point:
    """Return a point of one solution with what is proved of its predictor.

    If this holds for a multiple of the predictor, the point gets the multiple.
    """
    predictor = point.predictor
    if proof.stretch != 1.0:
        assert isinstance(predictor, Expansion)
        coef, intercept = proof.stretch * predictor.coef, proof.stretch * predictor.intercept
        predictor = replace(predictor, coef=coef, intercept=intercept)
    return replace(point, predictor=predictor, solutions=(certified(point.solutions[0], proof, tol),))


def one_kernel(problem: Problem, point: Point) -> tuple[Any, Array, float]:
    """Return the kernel of a point that uses one, of the shape (1, n, n), its coefficients and its intercept."""
    assert isinstance(point.predictor, Expansion)
    k = _kernel_of(problem, point)
    return problem.inputs.select(k), point.predictor.coef[0, k], float(point.predictor.intercept[0])


def _kernel_of(problem: Problem, point: Point) -> int | None:
    """Return the number of the kernel of a point that uses one, None for a point that uses all."""
    members = problem.inputs.family.members if isinstance(problem.inputs, GramStack) else ()
    return next((k for k, member in enumerate(members) if member.items() <= point.values.items()), None)


def rebuilt(method: str) -> Callable[..., Certificate]:
    """Return the certificate of a method, given by its name: that of its stored solutions.

    So the problem of a method and its bounds are stated once, in `kernlearn.certificates.own.problems`. What is proved
    follows from the problem, the predictor, its primal and dual point, and the band of a machine that has one.
    """

    def certificate(problem: Problem, point: Point, **values: Any) -> Certificate:
        from kernlearn.certificates.own.problems import PROBLEMS
        from kernlearn.certificates.own.stored import Stored, Trained

        assert isinstance(point.predictor, Expansion)
        inputs, coef = problem.inputs, point.predictor.coef
        intercept: Any = point.predictor.intercept
        if _kernel_of(problem, point) is not None:
            inputs, one, _ = one_kernel(problem, point)
            coef = one[None, None]
        if not isinstance(problem.target, Classes):
            coef, intercept = coef[0], float(intercept[0])
        (solution,), mu = point.solutions, point.facts.get("weights", [None])[0]
        options = {**values, **{key: float(fact[0]) for key, fact in point.facts.items() if key == "B"}}
        stored = Stored(method, options, point.values, [], [], coef, intercept, weights=problem.weights)
        shared = inputs, problem.y, coef, intercept, solution.x, solution.dual, mu
        return PROBLEMS[method](Trained(stored, *shared, counts=values.get("counts"))).certificate

    return certificate


def single_kernel_point(
    values: dict[str, float],
    p: int,
    k: int,
    coef: Array,
    intercept: float,
    solution: Solution,
    multipliers: Array | None = None,
) -> Point:
    """Return the point of a method that uses kernel `k` of p alone, with coefficients of shape (n,)."""
    full = np.zeros((1, p, len(coef)))
    full[0, k] = coef
    kept = None if multipliers is None else multipliers[None]
    return Point(values, Expansion(full, np.array([intercept]), kept), (solution,))


def combined_point(
    stack: KernelStack,
    y: Array,
    values: dict[str, float],
    mu: Array,
    beta: Array,
    intercept: float,
    solution: Solution,
    multipliers: Array | None = None,
) -> Point:
    """Return the point ``f(x) = sum_k mu_k sum_j beta_j K_k(x, x_j) + intercept`` of a method that weighs kernels.

    mu are weights of the kernels as given; y are the labels that K_mu is compared with.
    """
    coef, constant = stack.expansion(mu, beta)
    kept = None if multipliers is None else multipliers[None]
    predictor = Expansion(coef[None], np.array([intercept + constant]), kept)
    return Point(values, predictor, (solution,), {"weights": mu[None], "alignment": stack.alignment(mu, y)})
