"""The support vector machine with its outputs kept in a band, along the width of the band: exact and warm.

::

    (P)  min_{f,b}  1/2 |f|^2 + C sum_i w_i max(0, 1 - y_i (f(x_i) + b)) + sum_j c_j max(0, |f(x_j) + b| - B)
    (D)  max_u      sum_i alpha_i - B sum_j (l_j + l*_j) - 1/2 sum_ij u_i u_j K(x_i, x_j)
         subject to u = alpha y - l + l*,   sum_i u_i = 0,   0 <= alpha_i <= C w_i,   0 <= l_j, l*_j <= c_j

With infinite costs c_j this is the relative margin machine, (2.8) and (2.9) of Shivaswamy (2010). If B >= 1 is a
variable with cost D, it is (2.11), and (2.12) with costs ``D nu / n``. With costs of additional unlabelled examples it
is the machine with a Universum (Weston et al. 2006), where B is called epsilon.

(D) has one variable for each example: at most one of alpha_i, l_i and l*_i is between its bounds, so ``v_i = y_i u_i``
determines them. Its cost is convex and piecewise linear, with slopes -B, -1 and B. The solution is piecewise linear in
B. For a wide band, beyond theta, it is the solution of the support vector machine, which `SVMSolver` finds. From there
the homotopy of `kernlearn.solvers.svm.path`, with kinks at B and -B in addition to the one at 1, follows it to any B.

What is stated of a hard band is always the value of a point that keeps to it, see `BandEvaluator.at`.
"""

from time import perf_counter

import numpy as np

from kernlearn.certificates import status_of
from kernlearn.errors import UserError
from kernlearn.memory import require
from kernlearn.solvers.bands.values import Band, BandEvaluator, BandValues
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.path import MAX_STEPS, Path, gap_size, refine
from kernlearn.solvers.svm.solver import SVMSolver
from kernlearn.types import Array

#: What the path is for that is not begun.
NOTHING = (0.0, 0.0)
#: A kink that no output comes to.
FAR = 1e300
#: How far beyond the largest output the band starts, as a part of it.
WIDER = 1e-3
#: Breaks between two looks at the outer multipliers that a price asks for.
STRIDE = 16
#: How far apart two solutions about that price are at first, relative to B, and how often they are brought together.
APART, MAX_ROUNDS = 1e-8, 60


class BandSolver:
    """Solve (P) for any sequence of C, B and costs, each from the solution of the one before.

    Parameters
    ----------
    K : array of shape (n + m, n + m)
        Gram matrix, symmetric and positive semidefinite, of the examples, and of m >= 0 more that have no label.
    y : array of shape (n,)
        Labels +-1, both of them.
    tol : float
        Relative duality gap to reach.
    weights : array of shape (n,), optional
        Factors w_i > 0 of C.

    Attributes
    ----------
    fallbacks : int
        Homotopies that stalled and were started anew.
    """

    def __init__(self, K: Array, y: Array, tol: float = 1e-6, weights: Array | None = None):
        n, more = len(y), len(K) - len(y)
        self.tol, self.fallbacks = tol, 0
        self._svm = svm = SVMSolver(K[:n, :n], y, tol, weights=weights)
        weights = np.concatenate([svm.evaluator.weights, np.zeros(more)])
        self._evaluator = BandEvaluator(K, np.concatenate([y, np.ones(more)]), weights)
        _, first, self._group = np.unique(
            np.concatenate([svm.group, np.arange(len(svm.path.y), len(svm.path.y) + more)]), True, True
        )
        self._count = np.bincount(self._group).astype(np.float64)
        self._w = np.bincount(self._group, weights).astype(np.float64, copy=False)
        self._earlier = np.concatenate([svm.earlier, np.zeros(more)])
        self._y = np.concatenate([svm.path.y, np.ones(more)])
        self._home = np.concatenate([svm.path.y, np.zeros(more)])  # the reference of the kinks
        self._banded = self._home == 0 if more else np.full(len(self._y), True)
        self._K = svm.path.K
        if more:
            require(2.0 * K.nbytes, f"the scaled kernel matrix of {len(K)} examples", "use fewer examples")
            self._K = np.ascontiguousarray(K[np.ix_(first, first)]) / svm.scale
        self._path, self._begun = svm.path, NOTHING  # C and the cost that the path is for

    def theta(self, C: float) -> float:
        """Return the largest output of the support vector machine: from there on the band changes nothing."""
        solution = self._svm.solve(C)
        K = self._evaluator.K[self._banded[self._group], : len(solution.x)]
        return float(np.abs(K @ solution.x + solution.intercept).max())

    def solve(self, C: float, B: float, cost: float = np.inf) -> Solution:
        """Solve (P) for one C > 0 and one B: at least 1, or at least 0 where the band is that of a Universum.

        Parameters
        ----------
        cost : float
            Of every example that has the band.

        Returns
        -------
        Solution
            ``x`` has the coefficients of f, shape (n + m,), added up for equal examples. ``dual`` has alpha, l and l*,
            shape (3, n + m), and ``extras`` has B. ``iterations`` counts steps of homotopies, ``rounds`` those that
            correct rounding errors.
        """
        if B <= 1.0 and self._banded.all():
            raise UserError(f"B={B:g}: outputs within [-1, 1] leave no margin of 1 to any example; use B > 1")
        start, band = perf_counter(), self._band(C, cost, B)
        steps = self._begin(C, cost) + self._follow(B)
        best, more, rounds = self._refine(B, band)
        return self._solution(best, band, steps + more, rounds, start)

    def solve_priced(self, C: float, D: float, nu: float = np.inf) -> Solution:
        """Solve (2.11), or (2.12) for a finite nu: B is free, from 1 on, and costs D > 0.

        The outer multipliers, ``sum (l + l*)``, are piecewise linear in B and grow as it falls; they are D at the
        solution, or less at B = 1.

        Returns
        -------
        Solution
            See `solve`.
        """
        start, cost = perf_counter(), D * nu / len(self._evaluator.y)
        band = self._band(C, cost, None, D)
        steps = self._begin(C, cost)
        wide, narrow, more = self._about(C, cost, D)
        best, steps, rounds = self._between(wide, narrow, band), steps + more, 0
        while rounds < MAX_ROUNDS and not self._reached(best):
            rounds += 1
            low, high = self._width(narrow), self._width(wide)
            part = self._part(wide, narrow, D) if rounds % 2 else 0.5  # a jump is come near to by halves alone
            path = wide.copy()
            steps += self._move(path, high + part * (low - high))
            wide, narrow = (path, narrow) if self._outer(path) <= D else (wide, path)
            best = min(best, self._between(wide, narrow, band), key=gap_size)
        return self._solution(best, band, steps, rounds, start)

    def _about(self, C: float, cost: float, D: float) -> tuple[Path, Path, int]:
        """Return solutions with outer multipliers of at most D, and of at least D or at B = 1, and the steps to them.

        The two are near each other, so that as a rule nothing but a straight line is between them. Where equal outputs
        leave the multipliers undetermined, these jump at one B.
        """
        total = 0
        if self._outer(self._path) > D:
            self._begun = NOTHING
            total += self._begin(C, cost)
        self._path.aim(self._path.C, self._kinks(1.0))
        most, before = total + MAX_STEPS * len(self._y), self._path.copy()
        for stride in (STRIDE, 1):  # the second time from the last point before
            done = False
            while not self._outer(self._path) > D and not done and total < most:
                before = self._path.copy()
                steps, done = self._path.advance(stride)
                total += steps
            if not self._outer(self._path) > D:  # nor if rounding has lost the solution
                self.fallbacks += not done
                return self._path, self._path, total
            wide, narrow, self._path = before, self._path, before.copy()
        apart = APART * (1.0 + self._width(wide))  # more than what the homotopy keeps ties apart by
        high, low = self._width(wide), self._width(narrow)
        total += self._move(wide, high + apart) + self._move(narrow, max(1.0, low - apart))
        while self._outer(wide) > D and apart < high:
            apart *= 10.0
            total += self._move(wide, high + apart)
        while self._outer(narrow) < D and self._width(narrow) > 1.0:
            apart *= 10.0
            total += self._move(narrow, max(1.0, low - apart))
        self._path = wide.copy()
        return wide, narrow, total

    def _move(self, path: Path, B: float) -> int:
        steps, done = path.follow(path.C, self._kinks(B))
        self.fallbacks += not done
        return steps

    def _part(self, wide: Path, narrow: Path, D: float) -> float:
        """Return where between two solutions the outer multipliers are D, if they change along a straight line."""
        low, high = self._outer(wide), self._outer(narrow)
        return min(1.0, max(0.0, (D - low) / (high - low))) if high > low else 1.0

    def _between(self, wide: Path, narrow: Path, band: Band) -> BandValues:
        """Return the values between two solutions that have one piece of the path in common, at outer multipliers D."""
        part = self._part(wide, narrow, band.D)
        u = (1.0 - part) * self._spread(wide) + part * self._spread(narrow)
        b = (1.0 - part) * wide.b + part * narrow.b
        return self._evaluator.at(u, b, band, (wide.sets == 3)[self._group])

    def _width(self, path: Path) -> float:
        """Return the B of a path."""
        return float(path.kinks[-1, 0] + path.y[-1] * self._home[-1])

    def _outer(self, path: Path) -> float:
        """Return ``sum (l + l*)``."""
        v, bound = path.y * path.beta, self._w * path.C
        return float(np.abs(v - np.clip(v, 0.0, bound)).sum()) / self._svm.scale

    def _band(self, C: float, cost: float, B: float | None, D: float = 0.0) -> Band:
        return Band(C, np.where(self._banded[self._group], cost, 0.0), B, D)

    def _begin(self, C: float, cost: float) -> int:
        """Start from the support vector machine, unless the path is for C and the cost already; return its steps."""
        if self._begun == (C, cost):
            return 0
        solution = self._svm.solve(C)
        path, each = self._svm.path, cost / C * self._count
        unlabelled = self._home == 0
        zero = np.zeros(len(each))
        levels = np.where(
            unlabelled[:, None],
            np.column_stack([-each, zero, each, np.full(len(each), np.inf)]),
            np.column_stack([-each, zero, self._w, self._w + each]),
        )
        self._path = path.widened(self._K, self._y, levels, self._kinks(FAR), self._home)
        theta = float(np.abs(self._path.image() + self._path.b)[self._banded].max())
        self._path.kinks = self._kinks(max(theta * (1.0 + WIDER), 1.0 + WIDER))
        self._begun = C, cost
        return solution.iterations

    def _kinks(self, B: float) -> Array:
        """Return the positions of the kinks, relative to 1 for labelled examples and to 0 for others."""
        n, far = len(self._home), np.full(len(self._home), FAR)
        width = np.where(self._banded, B, FAR)
        return np.where(
            (self._home == 0)[:, None],
            np.column_stack([width, -width, -far]),
            np.column_stack([width - 1.0, np.zeros(n), -width - 1.0]),
        )

    def _follow(self, B: float) -> int:
        """Follow the solution to B and return the number of steps; after a stall start anew, once."""
        kinks, C, cost = self._kinks(B), *self._begun
        steps, done = self._path.follow(self._path.C, kinks)
        if not done:
            self.fallbacks += 1
            self._begun = NOTHING
            steps += self._begin(C, cost)
            more, done = self._path.follow(self._path.C, kinks)
            steps += more
            self._begun = self._begun if done else NOTHING
        return steps

    def _refine(self, B: float, band: Band) -> tuple[BandValues, int, int]:
        def again() -> int:
            self._path.factorise()
            return self._follow(B)

        def values() -> BandValues:
            return self._evaluator.at(self._spread(self._path), self._path.b, band, (self._path.sets == 3)[self._group])

        return refine(again, values, self._reached)

    def _spread(self, path: Path) -> Array:
        """Return u of all examples: of equal ones, as few as possible have an alpha, and all the same l or l*."""
        v, bound = path.y * path.beta / self._svm.scale, self._w * path.C / self._svm.scale
        inner = np.clip(v, 0.0, bound)
        C = path.C / self._svm.scale
        alpha = np.clip(inner[self._group] - self._earlier * C, 0.0, C * self._evaluator.weights)
        return self._evaluator.y * (alpha + ((v - inner) / self._count)[self._group])

    def _reached(self, values: BandValues) -> bool:
        return status_of(values.gap, self.tol) == "optimal"

    def _solution(self, best: BandValues, band: Band, steps: int, rounds: int, start: float) -> Solution:
        best = self._evaluator.sure(best, band)
        if not self._reached(best):
            nothing = self._evaluator.nothing(band)
            best = best if best.objective <= nothing.objective else nothing  # both gaps are about 1
        return best.solution(self.tol, steps, rounds, perf_counter() - start)
