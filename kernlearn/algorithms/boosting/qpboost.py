"""QPBoost: the ensemble of stumps with a soft margin of 1 and the smallest norm of the weights, with a certificate.

::

    (P)  min_{a, xi}  |a|^2 + C sum_i xi_i   subject to  y_i sum_s a_s G_s(x_i) >= 1 - xi_i,  xi_i >= 0,  a_s >= 0
    (D)  max_u  sum_i u_i - 1/4 sum_s max(0, e_s)^2   subject to  0 <= u_i <= C ,   e_s = sum_i u_i y_i G_s(x_i)

with ``a_s = max(0, e_s) / 2``. Over the stumps that AdaBoost selects, with their signs, this is a quadratic program in
u and ``z_s >= 0``, because ``max(0, e_s)^2 = min_{z_s >= 0} (e_s + z_s)^2``.

Over all stumps and their negations, one of each pair has ``e_s >= 0``. So the sum is ``sum_s e_s^2 = sum_ij u_i u_j y_i
y_j K(x_i, x_j)`` with the stump kernel ``K(x, z) = sum_s G_s(x) G_s(z)``. This is an SVM without bias in n variables,
however many stumps there are, and nearly all stumps have a weight. The weights may be scaled so that no margin is below
1 by rounding only, because a large C would count this as a loss. Source: Shivaswamy (2010), section 6.4, after Raetsch
et al. (2001).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.algorithms.boosting.lpboost import (
    OVER,
    OVER_ROUNDS,
    TOL,
    allowed_edges,
    found_by_adaboost,
    vote_point,
    votes_of,
)
from kernlearn.algorithms.boosting.votes import Rounds, Voters
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import Certificate
from kernlearn.certificates.votes import edges_of, edges_of_stumps, norm
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.memory import require
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Bounds, QuadraticProgram, Solution, SVMSolver
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array, Index

#: Stumps whose votes are in memory at a time.
CHUNK = 4096
#: What a margin of 1 may miss by rounding.
MISSED = 1e-6
PARAMETERS = {
    "Cs": Parameter(
        [1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 10.0], Numbers(Number(positive=True)), "weights of the loss", "C"
    ),
    "over": OVER,
    "rounds": OVER_ROUNDS,
    "tol": TOL,
}


class QPBoostSolver:
    """Solve (P) and (D) for any C, each from the solution of the one before.

    Parameters
    ----------
    stumps : Voters
        With n training examples.
    y : array of shape (n,)
        Labels +-1.
    found : (array of int, array), optional
        Different stumps and their signs, to vote with no others; by default all stumps may, with either sign.
    tol : float
        Relative duality gap to reach.
    weights : array of shape (n,), optional
        How often every example counts, > 0; by default once.
    """

    def __init__(
        self,
        stumps: Voters,
        y: Array,
        found: tuple[Index, Array] | None = None,
        tol: float = 1e-9,
        weights: Array | None = None,
    ):
        self.stumps, self.y, self.tol = stumps, y, tol
        self.counts = np.ones(len(y)) if weights is None else weights
        n, chosen = len(y), np.arange(len(stumps)) if found is None else found[0]
        self.chosen, self.found = chosen, found
        rows = n if found is None else n + len(chosen)
        require(3.0 * 8 * rows**2, f"a quadratic program in {rows} variables", "use fewer examples")
        if found is None:
            K = sum(((part := stumps.votes(some)).T @ part for some in _chunks(chosen)), np.zeros((n, n)))
            self.machine = SVMSolver(K / 2.0, y, tol, weights=weights, bias=False)
            return
        self.unit = float(len(chosen))  # K(x, x): the program is in u times this
        self.signed = stumps.votes(chosen) * found[1][:, None] * y
        parts = np.hstack([self.signed, np.sqrt(self.unit) * np.eye(len(chosen))])  # z in other units than u
        P = parts.T @ parts / (2.0 * self.unit)
        self.program = QuadraticProgram(P, np.zeros((0, len(P))), tol)

    def solve(self, C: float) -> Solution:
        """Return the solution, whose ``dual`` is u.

        Its ``extras`` are the stumps that have a weight, ``chosen``, and these weights, ``alphas``, both of shape (k,).
        """
        zero = C * float(self.counts.sum())
        inner = self._program(C, zero) if self.found is not None else self.machine.solve(C)
        part = inner.x[: len(self.y)] / self.unit if self.found is not None else inner.dual
        u = np.clip(part, 0.0, C * self.counts)
        weights = self._weights(u)
        if self.found is None:
            weights = self._factor(C, weights) * weights
        voting = np.flatnonzero(weights)
        alphas = weights[voting] * (1.0 if self.found is None else self.found[1][voting])
        certificate = norm(self._margins(weights, voting, alphas), alphas, C * self.counts, u, *self._edges(u))
        extras = {"chosen": self.chosen[voting], "alphas": alphas}
        solution = replace(inner, x=weights, dual=u, status="optimal", extras=extras)
        return certified(solution, certificate, self.tol)

    def _program(self, C: float, zero: float) -> Solution:
        """Solve (D) over the stumps that were found, for u in units of `unit`, and z."""
        n, extra = len(self.y), len(self.chosen)
        q = np.concatenate([np.full(n, -1.0), np.zeros(extra)])
        upper = np.concatenate([C * self.unit * self.counts, np.full(extra, np.inf)])
        none = np.zeros(0)
        return self.program.solve(q, Bounds(none, none, np.zeros(n + extra), upper), self.unit * zero)

    def _factor(self, C: float, weights: Array) -> float:
        """Return 1, or what brings the margins next to 1 up to it, whichever makes (P) smaller, of all stumps."""
        margins = self._margins(weights, self.chosen, weights)
        smallest = float(margins[np.abs(margins - 1.0) < MISSED].min(initial=1.0))

        def value(factor: float) -> float:
            losses = np.maximum(0.0, 1.0 - factor * margins)
            return factor**2 * float(weights @ weights) + C * float(self.counts @ losses)

        return min((1.0, 1.0 / smallest), key=value)

    def _weights(self, u: Array) -> Array:
        """Return ``a_s = max(0, e_s) / 2``, of all stumps ``e_s / 2``, which says which of two is meant."""
        if self.found is not None:
            return np.maximum(0.0, self.signed @ u) / 2.0
        return np.concatenate([self.stumps.votes(some) @ (u * self.y) for some in _chunks(self.chosen)]) / 2.0

    def _margins(self, weights: Array, voting: Index, alphas: Array) -> Array:
        """Return the margins of the vote with some weights, as it predicts."""
        if isinstance(self.stumps, Stumps):
            return self.y * Rounds(self.chosen[voting], alphas).scores(self.stumps, len(alphas))
        return weights @ self.signed

    def _edges(self, u: Array) -> tuple[Array, float]:
        """Return ``e_s`` of all votes that are allowed, and what rounding may be worth in each."""
        if self.found is None and isinstance(self.stumps, Stumps):
            edges, unsure = edges_of_stumps(self.stumps, u * self.y)
            return np.abs(edges), unsure
        return edges_of(self.signed, u)


def _chunks(chosen: Index) -> Iterator[Index]:
    return (chosen[a : a + CHUNK] for a in range(0, len(chosen), CHUNK))


def path(problem: Problem, *, Cs: Sequence[float], over: str, rounds: int, tol: float) -> Iterator[Point]:
    """Solve (P) for every C."""
    stumps, y, weights = problem.inputs, problem.y, problem.weights
    candidates = found_by_adaboost(stumps, y, rounds, weights) if over == "adaboost" else None
    solver = QPBoostSolver(stumps, y, candidates, tol, weights)
    for C in sorted(Cs):
        yield vote_point(problem, {"C": float(C)}, solver.solve(float(C)))


def certificate(problem: Problem, point: Point, *, over: str, rounds: int, **_: Any) -> Certificate:
    """Return what is proved of the vote of a point."""
    upper = point.values["C"] * problem.counts
    u = np.clip(point.solutions[0].dual, 0.0, upper)
    return norm(*votes_of(problem, point), upper, u, *allowed_edges(problem, u, over, rounds))


METHOD = Method(
    "qpboost",
    "QPBoost: the ensemble of decision stumps with a soft margin of 1 and the smallest norm",
    PROGRAMS,
    PARAMETERS,
    grid_of({"C": "Cs"}, one_kernel=False, positive_definite=False),
    path,
    version=2,
    inputs="stumps",
    certificate=certificate,
)
