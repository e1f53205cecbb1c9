"""The problem of `kernlearn.solvers.hinge_l1.problem` for more examples than a simplex method can deal with.

Points come from an interior point method (`kernlearn.solvers.hinge_l1.rounds`), and columns with next to no coefficient
leave them (`kernlearn.solvers.hinge_l1.sparse`). No vertex comes out of it.

Where columns are very many, rounds with thousands of them, drawn at random, come first: they are much like the others,
and pricing them takes a part of the time. Drawing examples does not help: as many columns as examples overfit them, and
the solution violates the constraints of the others up to thirty times.

Along a path the solution is often a known one, as where the loss is 0 and all costs get smaller by one factor. If a
known point and a multiple of a known pi, one that is feasible for the new costs, already have a gap below the
tolerance, nothing is solved.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.solvers.core.clock import Clock, Resumption, subprogram
from kernlearn.solvers.core.exact import as_array, to_json
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.hinge_l1.interior import TINY
from kernlearn.solvers.hinge_l1.parts import NO_INDEX, SETTINGS, PrimalDual, Program, Settings
from kernlearn.solvers.hinge_l1.problem import INTERIOR_TOL, ManyColumns, solution
from kernlearn.solvers.hinge_l1.rounds import Approached, approach
from kernlearn.solvers.hinge_l1.scaled import Scaled
from kernlearn.solvers.hinge_l1.sparse import INNER, finished
from kernlearn.types import Array, Index

#: A known point is returned as it is if its gap is below this part of the tolerance; the rest is for rounding.
AS_IT_IS = 0.99
#: Factor of the bounds of a program that is solved on the way to another.
STRONGER = 10.0
#: The gap to which columns that are drawn at random are solved first, and programs on the way to another.
ROUGH_GAP = 5e-2
#: What is kept of an interrupted program: of one that starts afresh no rounds, and 0 seconds.
NOT_BEGUN: Mapping[str, Any] = {"kept": [], "seconds": 0.0}


class InteriorSolver:
    """Solves (P) for one cost vector after another on the same columns, each from the solution that is best for it.

    Parameters
    ----------
    tol : float
        Relative duality gap below which a solution is called optimal.
    scaled : Scaled, optional
        The columns, if what is equal of them is known.
    settings : Settings
    """

    def __init__(
        self,
        columns: ManyColumns,
        tol: float = INTERIOR_TOL,
        scaled: Scaled | None = None,
        settings: Settings = SETTINGS,
    ):
        self.columns, self.tol, self.settings = columns, tol, settings
        self._scaled = scaled or Scaled.of(columns)
        originals, self._origin = self._scaled.originals, PrimalDual.origin(self._scaled.u)
        self._known: deque[PrimalDual] = deque(maxlen=settings.known)
        self._known_of_some: deque[PrimalDual] = deque(maxlen=settings.known)
        # Feasible u for other costs, and the largest |A'u| of each group.
        self._duals: deque[tuple[Array, Array]] = deque(maxlen=settings.known)
        self._begun = NOT_BEGUN
        self._some: Index = NO_INDEX
        if (n := len(originals)) > settings.sample_beyond:
            self._some = np.sort(np.random.default_rng(n).choice(originals, settings.sample, replace=False))
            self._scaled_some = self._scaled.narrow(columns.narrow(self._some), self._some)

    def state(self) -> Any:
        """Return all that the next solution owes to those before it, and to its own rounds, as JSON can keep it."""
        return to_json({**self._pending(), "begun": self._begun})

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on as the solver would, on the same columns, whose `state` this was."""
        for known, name in ((self._known, "known"), (self._known_of_some, "of_some")):
            known.clear()
            known.extend(map(PrimalDual.from_json, state[name]))
        self._duals.clear()
        self._duals.extend((as_array(dual), as_array(largest)) for dual, largest in state["duals"])
        self._begun = state["begun"]

    def _pending(self) -> dict[str, Any]:
        return {"known": [*self._known], "of_some": [*self._known_of_some], "duals": [*self._duals]}

    def solve(self, cost: Array) -> Solution:
        """Return the certified solution for ``cost``, shape (p, n), all entries >= 0.

        One that misses the tolerance comes back with the status ``"inaccurate"`` and the gap it has, and ``"capped"``
        where the time was over: its coefficients are then not thinned out.
        """
        pending, begun, self._begun = self._pending(), self._begun, NOT_BEGUN
        clock = Clock(Resumption(**begun, state_of=lambda now: to_json({**pending, "begun": now})))
        program = self._scaled.program(cost)._replace(settings=self.settings)
        near = known = best_for(program, [self._origin, *self._known])
        value, pi = program.value_of(near), self._best_dual(cost)
        steps, rounds = 0, 0
        if value - pi.sum() > AS_IT_IS * self.tol * value:
            near, approached = self._solve(program, cost, near, clock)
            pi, steps, rounds = self._scaled.whole(near.pi), approached.steps, approached.rounds
        coef, certificate = self._scaled.certified(cost, near, pi)
        if rounds and certificate.objective * len(pi) > value:  # as where one example is much larger than all others
            near = replace(known, pi=near.pi)
            coef, certificate = self._scaled.certified(cost, near, pi)
        if rounds:
            self._known.append(near.stretched(certificate.stretch))
            self._duals.append((certificate.dual, certificate.largest))
        return solution(coef, certificate, self.tol, steps, rounds, clock.seconds, clock.otherwise)

    def _best_dual(self, cost: Array) -> Array:
        """Return the feasible pi with the largest sum among the multiples of those of other costs."""
        smallest, m, weights = cost.min(axis=1), self.columns.shape[1], self.columns.weights
        best = np.zeros(m)
        for dual, largest in self._duals:
            bounded = largest > 0.0
            fullest = m * float((dual if weights is None else dual / weights).max())
            most = min(1.0 / max(fullest, TINY), float((smallest[bounded] / largest[bounded]).min(initial=np.inf)))
            pi = most * m * dual
            best = max(best, pi, key=np.sum)
        return best

    def _solve(self, program: Program, cost: Array, near: PrimalDual, clock: Clock) -> tuple[PrimalDual, Approached]:
        """Return a point near the solution with few coefficients, from one that is known, and what it comes from."""
        raised, goal, before, band = program.raised(), INNER * self.tol, list[Approached](), np.inf
        if len(self._some):
            with subprogram():
                some = self._of_some(cost, clock)
            before, band = [some], some.band
            near = best_for(program, [near, replace(some.near, j=self._some[some.near.j])])
        approached = approach(raised, near, goal, clock, band)
        if approached.gap > goal and (near is not self._origin or band < np.inf) and not clock.over:
            approached = best_of(approached, approach(raised, self._origin, goal, clock))
        approached = by_stronger(raised, self._origin, approached, goal, self.settings.detours, clock)
        return finished(program, approached.counting(*before), self.tol, clock)

    def _of_some(self, cost: Array, clock: Clock) -> Approached:
        """Return a point near the solution with some of the columns only."""
        program = self._scaled_some.program(cost[:, self._some])._replace(settings=self.settings)
        near = best_for(program, [self._origin, *self._known_of_some])
        approached = approach(program.raised(), near, max(ROUGH_GAP, self.tol), clock)
        self._known_of_some.append(approached.near)
        return approached


def by_stronger(
    program: Program, origin: PrimalDual, cold: Approached, goal: float, detours: int, clock: Clock
) -> Approached:
    """Go by a rough solution of the program with larger bounds, where no steps lead on from the origin (`cold`).

    That one is found from the origin, too, or by still larger bounds, at most so many times.
    """
    if cold.gap <= goal or not detours or clock.over:
        return cold
    dearer, rough = program._replace(limits=STRONGER * program.limits), max(ROUGH_GAP, goal)
    with subprogram():
        stronger = by_stronger(dearer, origin, approach(dearer, origin, rough, clock), rough, detours - 1, clock)
    return best_of(cold, approach(program, stronger.near, goal, clock)).counting(stronger)


def best_of(found: Approached, again: Approached) -> Approached:
    """Return the one with the smaller gap, with the steps and rounds of both."""
    best, other = sorted((found, again), key=lambda one: one.gap)
    return best.counting(other)


def best_for(program: Program, points: list[PrimalDual]) -> PrimalDual:
    """Return the point with the least value."""
    return min(points, key=program.value_of)
