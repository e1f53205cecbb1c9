"""Ridge regressions as they are handed out: labels in a good unit, predictors, and what is proved."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from kernlearn.algorithms.common.ridge import EXACT
from kernlearn.algorithms.core.certified import LOST
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.prepare import (
    kernels_of,
    mean_of,
    prepare,
    prepare_counted,
    reflected,
    turn_by,
)
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates.ridge import Ball, ridge
from kernlearn.kernels import FeatureStack, GramStack, KernelStack
from kernlearn.kernels.core.off_origin import OFF_ORIGIN
from kernlearn.solvers import Solution
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array

#: An intercept of so many times the largest label is a difference of large numbers.
LARGE = 1e3


class Targets(NamedTuple):
    """Real labels in a unit in which their squares neither under- nor overflow."""

    #: Shape (n,): the labels over the unit.
    y: Array
    #: Shape (n,): the same less their mean.
    centred: Array
    #: What was taken out, 0 without centring.
    mean: float
    #: A power of two, so that nothing is rounded.
    unit: float

    @classmethod
    def of(cls, y: Array, centre: bool, weights: Array | None = None) -> "Targets":
        """Return the targets of some labels, centred if asked for, around their mean by weights of the examples."""
        largest = float(np.abs(y).max(initial=0.0))
        unit = 2.0 ** (np.frexp(largest)[1] - 1) if largest else 1.0
        y = y / unit
        mean = mean_of(y, centre) if weights is None or not centre else float(np.average(y, weights=weights))
        return cls(y, y - mean, mean, unit)


def in_unit(solution: Solution, unit: float, ball: Ball | None) -> Solution:
    """Return the solution for labels in another unit, whose ``x`` are weights in a ball if there is one, or alpha."""
    square, x = unit * unit, solution.x if ball else unit * solution.x
    values = {name: square * getattr(solution, name) for name in ("objective", "dual_objective", "zero")}
    return replace(solution, x=x, dual=unit * solution.dual, **values)


def predictor_of(
    stack: GramStack | FeatureStack,
    kernels: KernelStack,
    targets: Targets,
    mu: Array,
    beta: Array,
    solution: Solution,
    lambda_: float,
    *,
    bias: bool,
    ball: Ball | None = None,
    tol: float = EXACT,
    weights: Array | None = None,
    shift: float = 0.0,
) -> tuple[Array, float, Solution]:
    """Return ``f(x) = sum_k mu_k sum_j beta_j K_k(x, x_j)``, in the unit of the labels: coefficients and intercept.

    With it comes the solution that it has. The kernels that predict are those of `stack`; `kernels`, those that the
    problem was solved with, may be centred. Where the parts of an intercept are large and cancel, the mean of the
    residuals says what has been rounded. Where examples are far from the origin and the rounding of kernel values hides
    what tells them apart, the status is `LOST`. `weights` are factors of the losses of the examples, and `shift` is
    what centring the kernels by these leaves in the intercept.
    """
    coef, constant = kernels.expansion(mu, beta)
    y, intercept = targets.y, targets.mean + constant + shift
    if bias and abs(intercept) > LARGE * np.abs(y).max(initial=0.0):
        intercept += float(np.average(y - stack.expand(coef) - intercept, weights=weights))
    proof = ridge(stack, y, coef, intercept, solution.dual, lambda_, mu, bias=bias, ball=ball, weights=weights)
    solution = certified(solution, proof, tol)
    if solution.status != "optimal":
        spread = mu @ (kernels.traces() / len(y) - kernels.quadratic(np.full(len(y), 1.0 / len(y))))
        solution = replace(solution, status=LOST) if kernels.largest_given(mu) > OFF_ORIGIN * spread else solution
    return targets.unit * coef, targets.unit * intercept, in_unit(solution, targets.unit, ball)


@dataclass(frozen=True)
class Regression:
    """What ridge regressions with weighted kernels are solved with, and how their solutions become predictors.

    Examples with weights are turned, see `kernlearn.algorithms.core.prepare.prepare_counted`.

    Attributes
    ----------
    stack : GramStack or FeatureStack
        The kernels that predict.
    kernels, sizes, labels : KernelStack, array of shape (p,), array of shape (n,)
        Those that the problem is solved with, centred if asked for, what they are divided by, and labels that are not.
    targets : Targets
    weights : array of shape (n,), optional
    """

    stack: GramStack | FeatureStack
    plain: KernelStack
    kernels: KernelStack
    sizes: Array
    labels: Array
    targets: Targets
    centre: bool
    weights: Array | None = None

    @classmethod
    def of(cls, problem: Problem, centre: bool, normalise: str) -> "Regression":
        """Return the regression of a problem whose kernels are divided by their sizes."""
        targets, weights = Targets.of(problem.y, centre, problem.weights), problem.weights
        if weights is None:
            kernels, t = prepare(problem.inputs, centre, normalise)
            return cls(problem.inputs, kernels, kernels, t, targets.y, targets, centre)
        kernels, t = prepare_counted(problem.inputs, weights, centre, normalise)
        labels = turn_by(weights, targets.y)
        return cls(problem.inputs, kernels_of(problem.inputs, centre), kernels, t, labels, targets, centre, weights)

    @property
    def y(self) -> Array:
        """The labels that the problem is solved with, centred if asked for."""
        return self.targets.centred if self.weights is None else turn_by(self.weights, self.targets.centred)

    def predictor(
        self, lambda_: float, mu: Array, alpha: Array, solution: Solution, **options: Any
    ) -> tuple[Array, float, Solution]:
        """Return coefficients, intercept and the solution that they have; see `predictor_of`."""
        beta, shift = alpha, 0.0
        if self.weights is not None:
            root = np.sqrt(self.weights)
            beta, dual = (root * reflected(some, root) for some in (alpha, solution.dual))
            solution = replace(solution, dual=dual)
            if self.centre:
                shift = -float(np.average(self.stack.expand(self.plain.expansion(mu, beta)[0]), weights=self.weights))
        parts = self.stack, self.plain, self.targets, mu, beta, solution, lambda_
        return predictor_of(*parts, bias=self.centre, weights=self.weights, shift=shift, **options)

    def point(self, values: dict[str, float], mu: Array, alpha: Array, solution: Solution, **options: Any) -> Point:
        """Return a solution as a point of a path."""
        coef, intercept, solution = self.predictor(values["lambda"], mu, alpha, solution, **options)
        facts = {"weights": mu[None], "alignment": self.kernels.alignment(mu, self.labels)}
        return Point(values, Expansion(coef[None], np.array([intercept])), (solution,), facts)
