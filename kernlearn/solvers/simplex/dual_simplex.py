"""The problem of `kernlearn.solvers.hinge_l1.problem` by a dense dual simplex method of our own, several times faster.

Column generation as there, on (D) in the variables ``pi = m u``, but with what a general solver cannot know: the bases
are small and dense, every variable has finite bounds, and many cost vectors are solved on the same columns. Equal rows
of A are merged into one pi with the upper bound ``u_i``, their number. A basis (S, B) is a vertex of (P) whatever the
costs: its coefficients are supported on S, its margins are 1 on B. So every vertex ever found can start the next
program, and the one with the smallest value under the new costs does.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import status_of
from kernlearn.certificates.hinge_l1 import Columns, HingeCertificate, hinge_l1
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution, SolverError
from kernlearn.solvers.hinge_l1.parts import NO_INDEX, PrimalDual
from kernlearn.solvers.hinge_l1.problem import COLUMNS_A_ROUND, MAX_ROUNDS, VERTEX_TOL, solution, worst_columns
from kernlearn.solvers.hinge_l1.rounds import approach
from kernlearn.solvers.hinge_l1.scaled import Scaled
from kernlearn.solvers.hinge_l1.sparse import INNER, finished
from kernlearn.solvers.simplex.basis import Basis, near_basis
from kernlearn.solvers.simplex.highs import HighsSolver
from kernlearn.solvers.simplex.tableau import EPS, VIOLATION, Tableau
from kernlearn.types import Array, Index

Mask = NDArray[np.bool_]

#: Pivots in one round, for every row and column of the program, after which the method gives up.
MAX_PIVOTS_PER_VARIABLE = 10
#: With `interior`: pivots from a vertex, in multiples of the examples, after which the interior point method comes, and
#: from its basis, after which the method starts from the origin: where many solutions are optimal, that is sooner done.
PATIENCE, HOPE = 0.25, 1.0
#: Vertices kept to start from.
KEPT_VERTICES = 256
#: Bounds below this are raised to it where nothing else helps: those of 0 leave no inner point for rounding errors.
RAISED = 1e-9
#: What margins of 1 are raised by in the last resort, in parts of the rounding error that they may have.
SURPLUS = 0.2


@dataclass(frozen=True)
class Vertex:
    """A basis, as it is kept: columns (k, j) of A and their coefficients, rows B, mean hinge loss."""

    k: Index
    j: Index
    coef: Array
    B: Index
    hinge: float

    def value(self, cost: Array) -> float:
        """Return the objective of (P) for other costs."""
        return self.hinge + float(cost[self.k, self.j] @ np.abs(self.coef))


#: All coefficients 0.
ORIGIN = Vertex(NO_INDEX, NO_INDEX, np.zeros(0), NO_INDEX, 1.0)


class DualSimplexSolver:
    """Solves (P) for one cost vector after another on the same columns, as `HighsSolver`.

    Parameters
    ----------
    tol : float
        Relative duality gap below which a solution is called optimal.
    interior : bool
        Whether an interior point method finds a basis to start from (`kernlearn.solvers.simplex.basis`), where
        pivots from the vertices that are known do not soon end.
    scaled : Scaled, optional
        The columns, if what is equal of them is known.

    Attributes
    ----------
    fallbacks : int
        Programs that pivots did not solve.
    """

    def __init__(self, columns: Columns, tol: float = VERTEX_TOL, interior: bool = False, scaled: Scaled | None = None):
        self.columns = columns
        self.tol = tol
        self.interior = interior
        self.fallbacks = 0
        self._scaled = scaled or Scaled.of(columns)
        self._vertices = deque([ORIGIN], maxlen=KEPT_VERTICES)
        self._k, self._j = NO_INDEX, NO_INDEX  # the columns in the tableau

    def state(self) -> list[dict[str, Any]]:
        """Return the vertices found so far, as JSON can keep them: all that a solution owes to those before it."""
        return [
            {"k": v.k.tolist(), "j": v.j.tolist(), "coef": v.coef.tolist(), "B": v.B.tolist(), "hinge": v.hinge}
            for v in self._vertices
        ]

    def restore(self, state: Sequence[Mapping[str, Any]]) -> None:
        """Go on as the solver would, on the same columns, whose `state` this was."""
        self._vertices.clear()
        for kept in state:
            k, j, B = (np.array(kept[name], dtype=np.intp) for name in ("k", "j", "B"))
            self._vertices.append(Vertex(k, j, np.array(kept["coef"], dtype=np.float64), B, kept["hinge"]))

    def solve(self, cost: Array) -> Solution:
        """Return the certified solution for ``cost``, shape (p, n), all entries >= 0.

        Where pivots are many, an interior point method finds a basis to start from, if it may. A solution that misses
        the tolerance is solved again from the origin, then with costs that are next to nothing raised a little, then by
        interior points, to no vertex, and last by `HighsSolver`. If that misses it too, the best point and the best
        bound of all come back with the status ``"inaccurate"`` and the gap they have. Where the time is over, the
        columns violated so far stay outside, and the status is ``"capped"``.
        """
        clock = Clock()
        solutions: list[Solution] = []
        best_vertex = min(self._vertices, key=lambda vertex: vertex.value(cost))
        patience = int(PATIENCE * len(self._scaled.u)) if self.interior else None
        attempts: list[Callable[[], Solution]] = [lambda: self._solve_from(best_vertex, cost, clock, most=patience)]
        if self.interior:
            attempts.append(lambda: self._solve_from_interior_point(cost, clock))
        if len(best_vertex.k) or self.interior:
            attempts.append(lambda: self._solve_from(ORIGIN, cost, clock))
        if (self._scaled.limits(cost) < RAISED).any():
            attempts.append(lambda: self._solve_from(ORIGIN, cost, clock, RAISED))
        pivots = len(attempts)
        attempts.append(lambda: self._solve_by_interior_points(cost, clock))
        attempts.append(lambda: HighsSolver(self.columns, self.tol, self._scaled).solve(cost, clock))
        for number, attempt in enumerate(attempts):
            self.fallbacks += number == pivots
            with suppress(SolverError):
                solutions.append(attempt())
            if clock.over or (solutions and solutions[-1].status == "optimal"):
                break
        if not solutions or solutions[-1].status != "optimal":
            coef = np.zeros(cost.shape)
            coef[best_vertex.k, best_vertex.j] = best_vertex.coef
            certificate = hinge_l1(self.columns, cost, coef, np.zeros(self.columns.shape[1]))
            solutions.append(solution(coef, certificate, self.tol, 0, 0, 0.0))
            bound = max(solutions, key=lambda s: s.dual_objective)
            best = min(solutions, key=lambda s: s.objective)
            best = replace(best, dual=bound.dual, dual_objective=bound.dual_objective)
        else:
            best = solutions[-1]
        iterations, rounds = (sum(getattr(s, name) for s in solutions) for name in ("iterations", "rounds"))
        status = status_of(best.gap, self.tol, clock.otherwise)
        return replace(best, status=status, iterations=iterations, rounds=rounds, seconds=clock.seconds)

    def _solve_from_interior_point(self, cost: Array, clock: Clock) -> Solution:
        """Solve from a basis of an interior point method."""
        basis = near_basis(self._scaled.program(cost), clock)
        return self._solve_from(basis, cost, clock, most=int(HOPE * len(self._scaled.u)))

    def _solve_by_interior_points(self, cost: Array, clock: Clock) -> Solution:
        """Solve by interior points, which nearly dependent columns do not upset."""
        program = self._scaled.program(cost)
        approached = approach(program.raised(), PrimalDual.origin(program.u), INNER * self.tol, clock)
        near, approached = finished(program, approached, self.tol, clock)
        coef, certificate = self._scaled.certified(cost, near, self._scaled.whole(near.pi))
        return solution(coef, certificate, self.tol, approached.steps, approached.rounds, seconds=0.0)

    def _solve_from(
        self, vertex: Basis | Vertex, cost: Array, clock: Clock, floor: float = 0.0, most: int | None = None
    ) -> Solution:
        limits = np.maximum(self._scaled.limits(cost), floor)
        tableau = self._load(vertex, limits)
        pivots, variables = tableau.pivots, len(tableau.u)
        rounds, k, superfluous = 0, NO_INDEX, self._scaled.superfluous(cost)
        while not rounds or (len(k) and not clock.over):
            if rounds == MAX_ROUNDS:
                raise SolverError(f"columns violated after {MAX_ROUNDS} rounds")
            rounds += 1
            left = MAX_PIVOTS_PER_VARIABLE * (variables + len(self._k))
            tableau.optimise(left if most is None else min(left, most - (tableau.pivots - pivots)))
            k, j, gap = self._violated(tableau, limits, superfluous)
            clock.tell(gap)
            if len(k):
                tableau.add(self._scaled.take(k, j), limits[k, j])
                self._k, self._j = np.append(self._k, k), np.append(self._j, j)
        coef, certificate = self._certified(tableau, cost)
        if abs(certificate.gap) <= self.tol:
            self._remember(tableau, coef)
        return solution(coef, certificate, self.tol, tableau.pivots - pivots, rounds, seconds=0.0)

    def _load(self, vertex: Basis | Vertex, limits: Array) -> Tableau:
        """Return the tableau of a vertex, with no other columns; a change of costs leaves it a basis."""
        self._k, self._j = vertex.k, vertex.j
        tableau = Tableau(self._scaled.u)
        tableau.load(self._scaled.take(vertex.k, vertex.j), limits[vertex.k, vertex.j], vertex.B)
        return tableau

    def _violated(self, tableau: Tableau, limits: Array, superfluous: Mask) -> tuple[Index, Index, float]:
        """Return the worst violated columns that may come in, and the gap of pi made feasible by one factor."""
        products = np.abs(self._scaled.products(np.clip(tableau.vertex()[0], 0.0, self._scaled.u)))
        with np.errstate(divide="ignore", invalid="ignore"):
            worst = float(np.fmax.reduce(products / limits, axis=None))
        excess = products - limits
        excess[self._k, self._j] = 0.0
        excess[superfluous] = 0.0
        excess[excess <= np.maximum(VIOLATION * limits, EPS * np.sqrt(self.columns.shape[1]))] = 0.0
        return *worst_columns(excess, limits, COLUMNS_A_ROUND), 1.0 - 1.0 / max(1.0, worst)

    def _certified(self, tableau: Tableau, cost: Array) -> tuple[Array, HingeCertificate]:
        """Return the coefficients of the basis and their certificate.

        Coefficients of 1e6 (weak penalties, large kernels) move margins by their rounding, and pi the products that are
        to stay within limits of 1e-7: either can cost a gap of 1e-9. If it does, both objectives are computed in
        extended precision, of a pi in it and of coefficients that raise the margins of B a little above 1, so that
        rounding the coefficients leaves few of them below.
        """
        S = tableau.S
        k, j = self._k[S], self._j[S]
        results = []
        for dtype, surplus in ((np.float64, 0.0), (np.longdouble, SURPLUS * EPS)):
            pi, _, _, alpha = tableau.vertex(dtype)
            coef = np.zeros(cost.shape)
            coef[k, j] = alpha * (1.0 + surplus * np.linalg.norm(alpha.astype(np.float64))) / self._scaled.scale[k, j]
            results.append((coef, hinge_l1(self.columns, cost, coef, self._scaled.whole(pi))))
            if abs(results[-1][1].gap) <= self.tol:
                break
        return min(results, key=lambda result: abs(result[1].gap))

    def _remember(self, tableau: Tableau, coef: Array) -> None:
        S = tableau.S
        k, j = self._k[S], self._j[S]
        hinge = float(self._scaled.u @ np.maximum(tableau.vertex()[1], 0.0)) / self.columns.shape[1]
        self._vertices.append(Vertex(k, j, coef[k, j], tableau.B, hinge))
