"""The one rule of transduction on a graph: spectrum -> weights of the eigenvectors -> a machine on the labelled block.

With the eigenvectors U of the graph's Laplacian (`kernlearn.kernels.families.spectrum`) and weights delta >= 0 of
them, the kernel is ``U diag(delta) U'``; a bar means the rows of the labelled examples. A machine, an SVM or one
whose outputs are in a band, learns ``gam`` from ``Ubar diag(delta) Ubar'``; everywhere it is
``f = U diag(delta) Ubar' gam + b``. The weights are given, aligned with the labels, or learned with the machine.
Source: Shivaswamy (2010), chapter 5.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import RoundedPredictor
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.core.rounding import Evaluation, error_of_sums, same_for_all
from kernlearn.certificates.graphs import machine as proof
from kernlearn.errors import UserError
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import BandSolver, Solution
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array

#: What a method of this kind learns from.
INPUTS = "graph"
#: The kernel has the trace 1 on n examples, about 1/n an example: C is that of other kernels times n.
CS = Parameter(
    [10.0, 1e2, 1e3, 1e4], Numbers(Number(positive=True)), "weights of the loss; the kernel has trace 1", "C"
)
FRACTIONS = Parameter(
    [1.0, 0.5, 0.25, 0.1],
    Numbers(Number(low=1e-6, high=1.0)),
    "fractions r: B = 1 + r (theta - 1), where theta is the largest output of the SVM; r = 1 is the SVM",
    "fraction",
)
#: An output is beyond 1 by more than this, or by rounding; the B of outputs that are not.
ROUNDING, FAR = 1e-6, 2.0
TOL = Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap")


@dataclass(frozen=True)
class Smooth(RoundedPredictor):
    """Combinations of eigenvectors ``f_o = coef[o].phi + intercept[o]``, on the graph and, continued, beyond it."""

    #: Shape (n_outputs, m): of the first m eigenvectors.
    coef: Array
    #: Shape (n_outputs,).
    intercept: Array
    #: Labelled examples that it rests on.
    n_support: int

    def evaluate(self, inputs: Any) -> Evaluation:
        """Return the outputs and the bounds ``error(|b| + sum_j |coef_j| max_i |phi_ij|)``.

        Small values of an eigenvector have the rounding errors of its large ones.
        """
        phi = inputs.vectors[inputs.rows, : self.coef.shape[1]]
        sizes = np.abs(self.coef) @ np.abs(phi).max(axis=0, initial=0.0) + np.abs(self.intercept)
        return same_for_all(self.coef @ phi.T + self.intercept[:, None], error_of_sums(sizes, self.coef.shape[1]))

    def counts(self) -> dict[str, int]:
        """Return the number of support vectors, and of eigenvectors with a weight."""
        return {"n_support": self.n_support, "n_nonzero": int(np.count_nonzero(self.coef))}


class Machine(NamedTuple):
    """A machine on the labelled block: its grid point, weights and multipliers, what is known of it, and its band."""

    values: dict[str, float]
    delta: Array
    gam: Array
    intercept: float
    solution: Solution
    facts: dict[str, float]
    B: float = np.inf


def labelled_block(problem: Problem) -> tuple[Array, Array]:
    """Return ``Ubar``, shape (l, q), and the labels.

    Raises `UserError` if only one class has labels.
    """
    y = problem.y
    if len(np.unique(y)) < 2:
        raise UserError("the labelled examples are of one class only: label some of the other")
    return labelled_rows(problem, problem.inputs.U), y


def labelled_rows(problem: Problem, values: Array) -> Array:
    """Return the rows of the l examples with labels, shape (l, ...), of values of all n, shape (n, ...)."""
    return values if problem.labelled is None else values[problem.labelled]


def band(theta: float, fraction: float) -> float:
    """Return B for a fraction of the way from 1 to theta; where no output is beyond 1, one that none comes near."""
    return 1.0 + fraction * (theta - 1.0) if theta - 1.0 > ROUNDING else FAR


def machines(
    F: Array, y: Array, delta: Array, Cs: Sequence[float], fractions: Sequence[float] | None, tol: float
) -> Iterator[Machine]:
    """Solve the machines of given weights on the grid, without fractions SVMs alone.

    Parameters
    ----------
    F : array of shape (l, q)
        The eigenvectors at the labelled examples.
    y : array of shape (l,)
        Labels +-1.
    delta : array of shape (q,)
        Weights >= 0 of the eigenvectors.
    tol : float
        Relative duality gap.
    """
    warm = BandSolver((F * delta) @ F.T, y, tol)
    for C in sorted(Cs):
        theta = warm.theta(float(C))
        for r in [1.0] if fractions is None else sorted(fractions, reverse=True):
            B = band(theta, r)
            # Where the band is as wide as the outputs, the machine is the SVM: no multiplier of the band is needed.
            solution = warm.solve(float(C), B if r < 1.0 else 2.0 * B)
            fraction = {} if fractions is None else {"fraction": float(r)}
            facts = {"theta": theta} if fractions is None else {"theta": theta, "B": B}
            yield Machine({"C": float(C), **fraction}, delta, solution.x, solution.intercept, solution, facts, B)


def as_point(
    problem: Problem,
    machine: Machine,
    F: Array,
    tol: float,
    before: Sequence[Solution] = (),
    support: Callable[[Array], float] | None = None,
) -> Point:
    """Return the point of a machine on eigenvectors F of shape (l, q), as it is certified.

    `before` are solutions that its weights come from. `support` is that of the weights that are allowed, see
    `kernlearn.certificates.graphs`; by default weights are given.
    """
    delta, dual, C = machine.delta, machine.solution.dual, machine.values["C"]
    coef, support = delta * (F.T @ machine.gam), support or (lambda v: float(delta @ v))
    proven = proof(F, problem.y, coef, machine.intercept, delta, dual, C, machine.B, support)
    facts = {name: np.array([value]) for name, value in machine.facts.items()}
    coef, intercept = proven.stretch * coef, proven.stretch * machine.intercept
    predictor = Smooth(coef[None], np.array([intercept]), int(np.count_nonzero(dual.any(axis=0))))
    solutions = (*before, certified(machine.solution, proven, tol))
    return Point(machine.values, predictor, solutions, {**facts, "weights": delta[None]})


def grid(
    family: Any, Cs: Sequence[float], fractions: Sequence[float] | None = None, **_: Any
) -> list[dict[str, float]]:
    """Return all C and fractions, the strongest regularisation and the widest band first."""
    if fractions is None:
        return [{"C": float(C)} for C in sorted(Cs)]
    return [{"C": float(C), "fraction": float(r)} for C in sorted(Cs) for r in sorted(fractions, reverse=True)]
