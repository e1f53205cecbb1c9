"""Structured support vector machines and relative margin machines, by cutting planes.

::

    (P)  min_w  1/2 |w|^2 + C/n sum_i max(0, 1 - min_{y != y_i} w.dpsi_i(y))
                subject to  |w.dpsi_i(y)| <= B  for all i and y                                          (4.3), (4.4)
    (D)  max_{a,b,b* >= 0}  sum a_iy - B sum (b_iy + b*_iy) - 1/2 |w|^2 ,   w = sum (a_iy - b_iy + b*_iy) dpsi_i(y)
                subject to  sum_y a_iy <= C/n  for every i                                                     (4.5)

with ``dpsi_i(y) = psi(x_i, y_i) - psi(x_i, y)`` (`kernlearn.solvers.cuts`); an infinite B is the support vector
machine. (D) is solved over a set of cuts. A round adds to it, as Algorithm 4.1 does, the labellings that break a
condition the most, all at once, and where a margin is too small the best one through every place, too; ``argmin
w.dpsi`` serves loss and lower bound. Cuts without a multiplier are soon dropped, and come back if they are
violated again. Of chains with a bound nearly all labellings of a long one may be equally far, and single ones would be
too many: there a round begins with better multipliers of all labellings, as means of them
(`kernlearn.solvers.mixtures`), which serve for those through every place, too. Of classes with a bound, all outputs
are so few that a round takes steps over their multipliers themselves (`kernlearn.solvers.class_descent`,
`kernlearn.solvers.class_newton`), and those that get one are the cuts.

A gap is that of (P) over **all** labellings. Of the w of a round the best multiple is taken whose outputs are within
[-B, B]: a minimum over all labellings and the largest output are multiplied by it, so that it is found exactly from the
decoded ones. Source: Shivaswamy (2010), Large Relative Margin and Applications, chapter 4.
"""

from dataclasses import dataclass
from math import inf
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.solvers.chains import best_labels
from kernlearn.solvers.class_descent import descend_classes
from kernlearn.solvers.class_newton import newton
from kernlearn.solvers.cut_descent import descend
from kernlearn.solvers.cuts import Cuts
from kernlearn.solvers.labellings import scores, second_best, through_places
from kernlearn.solvers.mixtures import improved
from kernlearn.solvers.qp import Bounds, QuadraticProgram
from kernlearn.solvers.solution import Solution, relative_gap, status_of

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Ways to solve (D) over a set of cuts.
STRUCTURED_SOLVERS = ("descent", "osqp")
#: Passes of coordinate descent between two looks at the gap over the cuts, and the most looks in a round.
PASSES, LOOKS = 20, 300
#: The part of the gap over all labellings that the one over the cuts is solved to, but for this part of the tolerance.
INNER, FINEST = 0.2, 0.25
#: The part of its violation by the worst labelling above which others of a sequence are added.
ALIKE = 0.5
#: They are added once objective - bound is less than this part of C - bound, where C is the objective of w = 0: of
#: C itself it would be at once where C is small. CPU seconds of C = 0.001, ..., 10 one after the other, 240 sentences
#: of conll2002, degree 2: 13, with 1.5 GB; by the part of C 62, with 4.2 GB. For the upper bound they do not pay.
NARROW = 0.5
#: Rounds without a multiplier after which a cut is dropped, once so many of all cuts can be.
IDLE, DROPPED = 1, 0.2


@dataclass(frozen=True)
class Decoded:
    """What w is over all labellings.

    Attributes
    ----------
    nearest, farthest : arrays of shape (N,)
        The labels of the labellings other than the true ones with the least margins, and of those with the largest.
    least, most : arrays of shape (n,)
        Their margins.
    """

    nearest: Index
    farthest: Index
    least: Array
    most: Array

    @property
    def theta(self) -> float:
        """The largest output."""
        return max(float(self.most.max()), -float(self.least.min()), 0.0)


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

    Raises
    ------
    UserError
        If there is one label only.
    """

    def __init__(
        self,
        K: Array,
        labels: Index,
        k: int,
        starts: Index | None = None,
        tol: float = 1e-3,
        max_rounds: int = 1000,
        solver: str = "descent",
    ):
        if k < 2:
            raise UserError("there is one label only: two are needed")
        self.K, self.labels, self.k = K, np.ascontiguousarray(labels, dtype=np.intp), k
        self.starts = np.arange(len(labels) + 1) if starts is None else np.asarray(starts, dtype=np.intp)
        self.n, self.tol, self.max_rounds, self.solver = len(self.starts) - 1, tol, max_rounds, solver
        self.cuts = Cuts(K, self.labels, k, self.starts)
        #: alpha, b and b* of every cut, and for how many rounds it has had none.
        self.Z, self.idle = np.zeros((3, 0)), np.zeros(0, dtype=np.intp)
        self.theta = 0.0

    def solve(self, C: float, B: float = inf) -> Solution:
        """Solve (P).

        Returns
        -------
        Solution
            ``x`` are the coefficients A of places and labels and the weights T of pairs of labels, as `parts` gives
            them; ``dual`` are the multipliers of the cuts at the end, shape (3, M); `iterations` counts steps.
        """
        start, c, steps, rounds = perf_counter(), C / self.n, 0, 0
        chained = self.n < len(self.labels)
        self._make_feasible(c, B)
        objective, best, stuck = inf, np.zeros(len(self.labels) * self.k + self.k**2), 0
        while True:
            A, T = self.cuts.combine(self.coefficients)
            E = self.K @ A
            if B < inf and chained and rounds and self._mix(E, T, c, B):
                A, T = self.cuts.combine(self.coefficients)
                E = self.K @ A
            squares = float(np.vdot(A, E) + np.vdot(T, T))
            found = self.decode(E, T)
            value, multiple = best_multiple(squares, found.least, c, B / found.theta if found.theta > 0.0 else inf)
            if value < objective:
                objective, self.theta = value, multiple * found.theta
                best = multiple * np.concatenate([A.ravel(), T.ravel()])
            bound = self._dual_value(B, squares)
            gap = relative_gap(objective, bound, C)
            if gap <= self.tol or rounds == self.max_rounds or stuck > 1:
                break
            rounds += 1
            if B < inf and not chained and self.solver == "descent":
                taken = self._step_over_outputs(E, c, B)
                steps, stuck = steps + taken, 0 if taken else stuck + 1
                self._prune()
                continue
            near = objective - bound < NARROW * (C - bound) and not (B < inf and chained)
            added = self._add(E, T, found, B, near)
            aim = INNER * gap if added else 0.0
            taken = self._solve_over_cuts(c, B, max(aim, FINEST * self.tol))
            steps, stuck = steps + taken, 0 if added or taken else stuck + 1
            self._prune()
        status = status_of(gap, self.tol, "capped" if rounds == self.max_rounds else "inaccurate")
        return Solution(best, objective, self.Z.copy(), bound, C, status, steps, rounds, perf_counter() - start)

    def parts(self, x: Array) -> tuple[Array, Array]:
        """Return A, shape (N, k), and T, shape (k, k)."""
        size = len(self.labels) * self.k
        return x[:size].reshape(-1, self.k), x[size:].reshape(self.k, self.k)

    @property
    def coefficients(self) -> Array:
        """Those of the cuts in w, shape (M,)."""
        return self.Z[0] - self.Z[1] + self.Z[2]

    def decode(self, E: Array, T: Array) -> Decoded:
        """Return the extreme labellings of all sequences, and their margins."""
        nearest = second_best(E, T, self.starts, self.labels)
        farthest = best_labels(-E, -T, self.starts)
        true, near, far = (scores(E, T, self.starts, y) for y in (self.labels, nearest, farthest))
        return Decoded(nearest, farthest, true - near, true - far)

    def _dual_value(self, B: float, squares: float) -> float:
        bounded = float(self.Z[1:].sum())
        return float(self.Z[0].sum()) - (B * bounded if bounded else 0.0) - 0.5 * squares

    def _make_feasible(self, c: float, B: float) -> None:
        """Keep what a smaller C leaves of the multipliers; those of bounds are 0 where there are none."""
        totals = np.bincount(self.cuts.sequences, self.Z[0], self.n)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.Z[0] *= np.where(totals > c, c / totals, 1.0)[self.cuts.sequences]
        if B == inf:
            self.Z[1:] = 0.0

    def _add(self, E: Array, T: Array, found: Decoded, B: float, near: bool) -> int:
        """Add the labellings that are violated, those of the largest violation first; return how many are new."""
        slack = np.zeros(self.n)
        if len(self.cuts):
            np.maximum.at(slack, self.cuts.sequences, 1.0 - self.cuts.gram @ self.coefficients)
        violated = 1.0 - found.least - slack
        wrong = violated > 0.0
        added = self._add_labels(np.flatnonzero(wrong), found.nearest)
        if B < inf:
            added += self._add_labels(np.flatnonzero(found.most > B), found.farthest)
            added += self._add_labels(np.flatnonzero(-found.least > B), found.nearest)
        if near:  # far from the solution most would not be needed, and at w = 0 all are alike
            true = scores(E, T, self.starts, self.labels)
            least = np.where(wrong, true - 1.0 + slack + ALIKE * violated, inf)
            sequences, labellings = through_places(E, T, self.starts, self.labels, least)
            added += self.cuts.add(sequences, labellings)
        self._make_room()
        return added

    def _mix(self, E: Array, T: Array, c: float, B: float) -> bool:
        """Improve the multipliers of all labellings of every sequence; return whether some change."""
        better = improved(self.cuts, self.Z, E, T, c, B, FINEST * self.tol)
        self.Z[:2, better.changed[self.cuts.sequences]] = 0.0
        if len(better.flows):
            before = len(self.cuts)
            self.cuts.add_mixtures(better.sequences, better.flows)
            self._make_room()
            self.Z[better.kinds, before + np.arange(len(better.sums))] = better.sums
        return bool(better.changed.any())

    def _step_over_outputs(self, E: Array, c: float, B: float) -> int:
        """Improve the multipliers of all outputs of classes, shape (n, 3, k); return the steps taken."""
        Z = np.zeros((self.n, 3, self.k))
        for kind in range(3):
            Z[self.cuts.sequences, kind, self._classes()] = self.Z[kind]
        outputs = np.ascontiguousarray(E.T)
        taken = int(descend_classes(self.K, self.labels, Z, outputs, c, B, PASSES))
        better = newton(self.K, self.labels, Z, outputs, c, B)
        Z = Z if better is None else better
        examples, classes = np.nonzero(Z.any(axis=1))
        self.cuts.add(examples, list(classes[:, None]))
        self._make_room()
        self.Z = np.ascontiguousarray([Z[self.cuts.sequences, kind, self._classes()] for kind in range(3)])
        return taken + (better is not None)

    def _classes(self) -> Index:
        """Return the class of every cut of single examples."""
        return np.array([way[0] for way in self.cuts.ways], dtype=np.intp)

    def _make_room(self) -> None:
        """Give cuts that are new multipliers of 0."""
        more = len(self.cuts) - self.Z.shape[1]
        self.Z = np.concatenate([self.Z, np.zeros((3, more))], axis=1)
        self.idle = np.concatenate([self.idle, np.zeros(more, dtype=np.intp)])

    def _add_labels(self, sequences: Index, labels: Index) -> int:
        return self.cuts.add(sequences, [labels[self.starts[i] : self.starts[i + 1]].copy() for i in sequences])

    def _solve_over_cuts(self, c: float, B: float, aim: float) -> int:
        """Solve (D) over the cuts to a relative gap; return the steps taken."""
        if not len(self.cuts):
            return 0
        if self.solver == "osqp":
            return self._by_osqp(c, B, aim)
        G, sequences = self.cuts.gram, self.cuts.sequences
        order = np.argsort(sequences, kind="stable")
        groups = np.searchsorted(sequences[order], np.arange(self.n + 1))
        steps = 0
        for _ in range(LOOKS):
            q = G @ self.coefficients
            squares = float(self.coefficients @ q)
            largest = float(np.abs(q).max(initial=0.0))
            least = np.full(self.n, inf)
            np.minimum.at(least, sequences, q)
            seen = least < inf
            value, _ = best_multiple(squares, least[seen], c, B / largest if largest > 0.0 else inf)
            if relative_gap(value, self._dual_value(B, squares), c * self.n) <= aim:
                break
            taken = descend(G, groups, order, self.Z, q, c, B, PASSES)
            steps += taken
            if not taken:
                break
        return steps

    def _by_osqp(self, c: float, B: float, aim: float) -> int:
        """Solve (D) over the cuts by OSQP, in units in which margins of 1 and the largest multiplier are next to 1."""
        G, M = c * self.cuts.gram, len(self.cuts)
        signs = np.array([1.0] if B == inf else [1.0, -1.0, 1.0])
        sums = np.zeros((self.n, len(signs) * M))
        sums[self.cuts.sequences, np.arange(M)] = 1.0
        q = np.concatenate([np.full(M, -1.0), np.full((len(signs) - 1) * M, B)])
        P = np.kron(np.outer(signs, signs), G).astype(np.float64)
        program = QuadraticProgram(P, sums, min(1e-6, 0.1 * aim))
        none, every = np.zeros(self.n), np.ones(self.n)
        solution = program.solve(q, Bounds(none, every, np.zeros(len(q)), np.full(len(q), inf)))
        self.Z[: len(signs)] = c * np.maximum(solution.x, 0.0).reshape(len(signs), M)
        self._make_feasible(c, B)
        return solution.iterations

    def _prune(self) -> None:
        self.idle = np.where(self.Z.any(axis=0), 0, self.idle + 1)
        kept = np.flatnonzero(self.idle <= IDLE)
        if len(kept) < (1.0 - DROPPED) * len(self.cuts):
            self.cuts.keep(kept)
            self.Z, self.idle = np.ascontiguousarray(self.Z[:, kept]), self.idle[kept]


def best_multiple(squares: float, margins: Array, c: float, most: float) -> tuple[float, float]:
    """Return the least value of ``s^2/2 |w|^2 + c sum_i max(0, 1 - s m_i)`` for s from 0 to `most`, and the s.

    Parameters
    ----------
    squares : float
        ``|w|^2``.
    margins : array of shape (n,)
        The m_i.
    c, most : float
    """
    if squares <= 0.0:
        return c * len(margins), 0.0
    positive = np.sort(margins[margins > 0.0])[::-1]
    # Between 1/m of one positive margin and the next the slope is s |w|^2 less c times the sum of those not yet met.
    left = margins.sum() - np.concatenate([[0.0], np.cumsum(positive)])
    flat = c * left / squares  # where it would be 0
    ends = np.concatenate([1.0 / positive, [inf]])
    piece = int(np.argmax(flat <= ends))
    begin = 0.0 if piece == 0 else ends[piece - 1]
    s = min(max(float(flat[piece]), float(begin), 0.0), most)
    return 0.5 * s * s * squares + c * float(np.maximum(0.0, 1.0 - s * margins).sum()), s
