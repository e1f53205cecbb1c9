"""Structured support vector machines and relative margin machines, by cutting planes.

::

    (P)  min_w  1/2 |w|^2 + C/n sum_i max(0, 1 - min_{y != y_i} w.dpsi_i(y))
                subject to  |w.dpsi_i(y)| <= B  for all i and y                                          (4.3), (4.4)
    (D)  max_{a,b,b* >= 0}  sum a_iy - B sum (b_iy + b*_iy) - 1/2 |w|^2 ,   w = sum (a_iy - b_iy + b*_iy) dpsi_i(y)
                subject to  sum_y a_iy <= C/n  for every i                                                     (4.5)

with ``dpsi_i(y) = psi(x_i, y_i) - psi(x_i, y)`` (`kernlearn.solvers.structured.cuts`); an infinite B is the support
vector machine. (D) is solved over a set of cuts. A round measures the gap of w, adds cuts, improves multipliers, and
drops cuts that have had none for a while; they come back if they are violated again. Case by case:

- All but the classes below: the labellings that break a condition the most are added as cuts, all at once, as in
  Algorithm 4.1 (``argmin w.dpsi`` serves loss and lower bound). Then steps improve the multipliers of cuts
  (`kernlearn.solvers.structured.cut_programs`); of few cuts OSQP does, where steps are slow: C K is large, features not
  scaled.
- Chains with a bound, or of many cuts: before its gap is measured, the multipliers of all labellings are improved, and
  means of labellings added as cuts (`kernlearn.solvers.structured.mixtures`). Of a long chain nearly all labellings may
  be equally near, or next to a bound equally far, and single ones would be too many.
- Chains with a bound: the program is that of a proximal step, to a w near the one before
  (`kernlearn.solvers.structured.proximal`), as rounds would only creep where losses are much larger than the penalty.
- Classes with a bound, or a K of few directions, and other classes after many rounds: the multipliers of all outputs
  are improved, which are not that many, and the outputs that get one are the cuts
  (`kernlearn.solvers.structured.classes`); where OSQP is asked for, only cuts are.

A gap is that of (P) over **all** labellings. The w of a round is scaled by the best factor that keeps its outputs
within [-B, B]. The minimum over all labellings and the largest output scale by the same factor, so it follows exactly
from the decoded ones. Source: Shivaswamy (2010), Large Relative Margin and Applications, chapter 4.
"""

from math import inf
from typing import NamedTuple

import numpy as np

from kernlearn.certificates import relative_gap, status_of
from kernlearn.errors import UserError
from kernlearn.parameters import shown
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.structured.classes import AllOutputs
from kernlearn.solvers.structured.cut_programs import LOOKS, CutProgram, make_feasible
from kernlearn.solvers.structured.cuts import Cuts, Way
from kernlearn.solvers.structured.joint_weights import Decoded, Weights, best_within, decode
from kernlearn.solvers.structured.mixtures import improved
from kernlearn.solvers.structured.proximal import ProximalWeight
from kernlearn.types import Array, Index

#: Ways to solve (D) over a set of cuts.
STRUCTURED_SOLVERS = ("descent", "osqp")
#: Unless something else is asked for: the relative gap to reach, and the rounds for one C and B.
TOL, MAX_ROUNDS = 1e-3, 1000
#: The part of the gap over all labellings that the one over the cuts is solved to, but for this part of the tolerance.
INNER, FINEST = 0.2, 0.25
#: Rounds without a multiplier after which a cut is dropped, once so many of all cuts can be.
IDLE, DROPPED = 1, 0.2
#: A round makes headway if it leaves less than this part of the gap of the round before.
LESS = 0.999
#: Tolerance from which on the inner products of cuts are of single precision: they move margins between two rounds,
#: while the margins that a round begins with, and all that is certified, come from w.
SINGLE = 1e-4
#: Places from which on the memory is worth it.
LARGE = 1000
#: Sizes of entries of K that such numbers hold the sums and differences of.
SMALLEST, LARGEST = 1e-20, 1e20
#: Looks after which descent gives up, and OSQP solves the program, where cuts have no more multipliers than these: of
#: features that are not scaled and a large C, descent is slow, and of more multipliers OSQP is.
SOON, OSQP_MOST = 30, 500
#: Chains get means where there are more cuts than these, or a bound.
MEANS = 500


class DualPoint(NamedTuple):
    """A feasible point of (D): the cuts that have multipliers, and the coefficients of their combination."""

    sequences: Index
    ways: list[Way]
    #: alpha, b and b* of every cut, shape (3, m).
    multipliers: Array
    #: Of places and labels, shape (N, k).
    A: Array


class StructuredSolver:
    """Solves (P) for one C and B after the other, each from the cuts and multipliers of the one before.

    Parameters
    ----------
    K : array of shape (N, N)
        Gram matrix of all places.
    labels : array of shape (N,)
        Numbers from 0 to k - 1.
    k : int >= 2
        How many labels there are; some may have no place here.
    starts : array of shape (n + 1,), optional
        Where each sequence begins, and N; without it every place is an example by itself.
    tol : float
        Relative gap to reach.
    max_rounds : int
        Rounds for one C and B.
    solver : {"descent", "osqp"}
        Of the programs over cuts.

    Attributes
    ----------
    theta : float
        The largest ``|w.dpsi_i(y)|`` of the last solution.
    dual_point : DualPoint
        What proves the dual objective of the last solution.

    Raises
    ------
    UserError
        If there is one label only, or no such solver.
    """

    def __init__(
        self,
        K: Array,
        labels: Index,
        k: int,
        starts: Index | None = None,
        tol: float = TOL,
        max_rounds: int = MAX_ROUNDS,
        solver: str = STRUCTURED_SOLVERS[0],
    ):
        if k < 2:
            raise UserError("there is one label only: two are needed")
        if solver not in STRUCTURED_SOLVERS:
            raise UserError(f"solver={shown(solver)}: must be one of {', '.join(STRUCTURED_SOLVERS)}")
        self.labels, self.k = np.ascontiguousarray(labels, dtype=np.intp), k
        self.starts = np.arange(len(labels) + 1) if starts is None else np.asarray(starts, dtype=np.intp)
        self.n, self.tol, self.max_rounds, self.solver = len(self.starts) - 1, tol, max_rounds, solver
        single = solver == "descent" and tol >= SINGLE and len(K) >= LARGE and _fits(K)
        self.cuts = Cuts(K, self.labels, k, self.starts, np.float32 if single else np.float64)
        #: What goes over all outputs of classes instead of cuts, unless these are chains, or OSQP is asked for.
        self._outputs = AllOutputs(self.cuts, FINEST * tol) if solver == "descent" and self.n == len(labels) else None
        #: alpha, b and b* of every cut, and for how many rounds it has had none.
        self.Z, self.idle = np.zeros((3, 0)), np.zeros(0, dtype=np.intp)
        self.theta = 0.0
        self.dual_point = DualPoint(np.zeros(0, dtype=np.intp), [], self.Z, np.zeros((len(labels), k)))
        #: Whether OSQP solved the last program over cuts that was left to it.
        self._osqp_helps = True

    def solve(self, C: float, B: float = inf) -> Solution:
        """Solve (P).

        Raises `UserError` if the inner products of cuts do not fit into memory.

        Parameters
        ----------
        C, B : float
            C > 0, and B > 1 or none.

        Returns
        -------
        Solution
            ``x`` has the coefficients A of positions and labels and the weights T of pairs of labels, as `parts` gives
            them. ``dual`` has the multipliers of the cuts of `dual_point`, shape (3, m). `iterations` counts steps.
        """
        clock, c, proximal = Clock(), C / self.n, ProximalWeight()
        make_feasible(self.Z, self.cuts, c, B)
        self._osqp_helps = True
        chained, mixed = self.n < len(self.labels), False
        objective, bound, gap, best = inf, -inf, inf, np.zeros(len(self.labels) * self.k + self.k**2)
        steps, rounds, stuck = 0, 0, 0
        v = self.cuts.combine(self.coefficients)
        centre = v.times(0.0)
        while True:
            mixed = chained and rounds > 0 and (mixed or B < inf or len(self.cuts) > MEANS)
            moved = mixed and self._mix(centre + v, c / proximal.factor, B)
            if moved:
                v = self.cuts.combine(self.coefficients)
            w = centre + v
            decoded = decode(w.E, w.T, self.starts, self.labels)
            value, multiple = best_within(w.squares, decoded, c, B)
            if value < objective:
                objective, self.theta = value, multiple * decoded.theta
                best = multiple * np.concatenate([w.A.ravel(), w.T.ravel()])
            value_of_dual = self._dual_value(B, v.squares, proximal.factor)
            if value_of_dual > bound:
                bound, self.dual_point = value_of_dual, self._dual_point(v, proximal.factor)
            last, gap = gap, relative_gap(objective, bound, C)
            clock.tell(gap)
            if moved or gap < LESS * last:
                stuck = 0
            if stuck > 1 and proximal.rho > 0.0:
                proximal.relax()
                stuck = 0
            if gap <= self.tol or rounds == self.max_rounds or stuck > 1 or clock.over:
                break
            rounds += 1
            if chained and B < inf and multiple > 0.0:
                penalty = 0.5 * multiple**2 * w.squares
                scale = proximal.update(value - penalty, penalty, gap, last)
                self.Z, v = scale * self.Z, v.times(scale)
            centre = w.times(proximal.rho / proximal.factor)
            program = CutProgram(self.cuts, centre, v, c / proximal.factor, B)
            n_steps, changed = self._improve(program, w, decoded, gap, rounds)
            steps, stuck = steps + n_steps, 0 if changed else stuck + 1
            self._prune()
            v = self.cuts.combine(self.coefficients)
        self.Z *= proximal.factor
        status = status_of(gap, self.tol, "capped" if rounds == self.max_rounds else clock.otherwise)
        multipliers = self.dual_point.multipliers
        return Solution(best, objective, multipliers, bound, C, status, steps, rounds, clock.seconds)

    def parts(self, x: Array) -> tuple[Array, Array]:
        """Return A, shape (N, k), and T, shape (k, k)."""
        size = len(self.labels) * self.k
        return x[:size].reshape(-1, self.k), x[size:].reshape(self.k, self.k)

    @property
    def coefficients(self) -> Array:
        """Those of the cuts in w, shape (M,)."""
        return self.Z[0] - self.Z[1] + self.Z[2]

    def _dual_value(self, B: float, squares: float, factor: float) -> float:
        """Return that of a multiple of the multipliers, whose combination has these squares."""
        bounded = float(self.Z[1:].sum())
        linear = float(self.Z[0].sum()) - (B * bounded if bounded else 0.0)
        return factor * linear - 0.5 * factor**2 * squares

    def _dual_point(self, v: Weights, factor: float) -> DualPoint:
        """Return that of a multiple of the multipliers, whose combination is v."""
        cuts = np.flatnonzero(self.Z.any(axis=0))
        ways = [self.cuts.ways[j] for j in cuts]
        return DualPoint(self.cuts.sequences[cuts], ways, factor * self.Z[:, cuts], factor * v.A)

    def _improve(self, program: CutProgram, w: Weights, decoded: Decoded, gap: float, rounds: int) -> tuple[int, bool]:
        """Improve the multipliers; return the steps taken, and whether there are steps or new cuts.

        Parameters
        ----------
        program : CutProgram
            That over the cuts so far.
        w, decoded : Weights, Decoded
            The w of the round, and what it is over all labellings.
        gap : float
            Over all labellings.
        rounds : int
            The number of the round.
        """
        if self._outputs and self._outputs.due(rounds, program.B):
            self.Z, steps = self._outputs.improve(self.Z, program.start, program.c, program.B, rounds)
            self._make_room()
            return steps, steps > 0
        added = self._add(w, decoded, program.B)
        steps = self._solve_over_cuts(program, max(INNER * gap if added else 0.0, FINEST * self.tol))
        return steps, added + steps > 0

    def _add(self, w: Weights, decoded: Decoded, B: float) -> int:
        """Add the labellings that are violated, those of the largest violation first; return how many are new."""
        slack = np.zeros(self.n)
        np.maximum.at(slack, self.cuts.sequences, 1.0 - self.cuts.outputs(w))
        added = self._add_labels(np.flatnonzero(1.0 - decoded.least - slack > 0.0), decoded.nearest)
        if B < inf:
            added += self._add_labels(np.flatnonzero(decoded.most > B), decoded.farthest)
            added += self._add_labels(np.flatnonzero(-decoded.least > B), decoded.nearest)
        self._make_room()
        return added

    def _mix(self, w: Weights, c: float, B: float) -> bool:
        """Improve the multipliers of all labellings of every sequence; return whether some change."""
        better = improved(self.cuts, self.Z, w.E, w.T, c, B, FINEST * self.tol)
        self.Z[:2, better.changed[self.cuts.sequences]] = 0.0
        if len(better.flows):
            before = len(self.cuts)
            self.cuts.add_mixtures(better.sequences, better.flows)
            self._make_room()
            self.Z[better.kinds, before + np.arange(len(better.sums))] = better.sums
        return bool(better.changed.any())

    def _make_room(self) -> None:
        """Give cuts that are new multipliers of 0."""
        M = len(self.cuts)
        self.Z = np.concatenate([self.Z, np.zeros((3, M - self.Z.shape[1]))], axis=1)
        self.idle = np.concatenate([self.idle, np.zeros(M - len(self.idle), dtype=np.intp)])

    def _add_labels(self, sequences: Index, labels: Index) -> int:
        return self.cuts.add(sequences, [labels[self.starts[i] : self.starts[i + 1]].copy() for i in sequences])

    def _solve_over_cuts(self, program: CutProgram, aim: float) -> int:
        """Solve the program over the cuts to a relative gap; return the steps taken."""
        if not len(self.cuts):
            return 0
        kinds = 1 if program.B == inf else 3
        steps, reached, few = 0, False, kinds * len(self.cuts) <= OSQP_MOST
        if self.solver == "descent":
            steps, reached = program.descend(self.Z, aim, SOON if few else LOOKS)
        if not reached and (few and self._osqp_helps or self.solver == "osqp"):
            more, self._osqp_helps = program.by_osqp(self.Z, aim)
            steps += more
        return steps

    def _prune(self) -> None:
        self.idle = np.where(self.Z.any(axis=0), 0, self.idle + 1)
        kept = np.flatnonzero(self.idle <= IDLE)
        if len(kept) < (1.0 - DROPPED) * len(self.cuts):
            self.cuts.keep(kept)
            self.Z, self.idle = np.ascontiguousarray(self.Z[:, kept]), self.idle[kept]


def _fits(K: Array) -> bool:
    """Return whether products of cuts fit into numbers of single precision."""
    sizes = K.diagonal()[K.diagonal() > 0.0]
    return bool(((sizes >= SMALLEST) & (sizes <= LARGEST)).all())
