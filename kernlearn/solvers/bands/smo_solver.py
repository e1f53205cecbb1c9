"""The support vector machine, with its outputs in a band or without: pairs first, then whole active sets.

The programs of `kernlearn.solvers.svm.solver` and, with a B, of `kernlearn.solvers.bands.solver` with a hard band.
Sequential minimal optimisation (`kernlearn.solvers.bands.smo`) approaches the solution, and active-set iterations
(`kernlearn.solvers.bands.active_set`) reach it. At the next B or C, active sets from the previous solution usually
suffice. Both use a working set. It has all examples if they are few. Otherwise it has the free ones, and those that
violated their conditions at the last check of all outputs. A large Gram matrix is therefore needed only on the working
set, and in the rows of examples that moved.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kernlearn.certificates import status_of
from kernlearn.errors import UserError
from kernlearn.solvers.bands.smo import revise
from kernlearn.solvers.bands.solver import BandSolver
from kernlearn.solvers.bands.values import Band, BandEvaluator, BandValues
from kernlearn.solvers.bands.working_set import SIZES, Point, Sizes, WorkingSet
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.duplicates import Merged
from kernlearn.solvers.core.gram import DenseGram, KernelGram
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.path import MAX_ROUNDS, gap_size
from kernlearn.solvers.svm.solver import SVMSolver
from kernlearn.solvers.svm.values import AT_BOUND, Evaluator, Values
from kernlearn.types import Array, Index

#: Examples up to which all are in the working set, where the matrix is not in memory.
WHOLE_SET_UP_TO = 3000
#: How far the projections of the two classes are moved apart, in multiples of the largest: more than 2, so that they
#: do not mix.
APART = 4.0
#: Residual of systems that no solution depends on.
ROUGH = 1e-6

#: How far ahead of two solutions the line through them is believed, in multiples of the way between the two.
FAR_AHEAD = 2.0
#: Examples from which pairs and active sets are faster than the homotopy along B. CPU seconds of the homotopy in
#: multiples of theirs, theta and five widths to a gap of 1e-9, C = 1 and 100: n = 200 0.8 to 1.2, 400 1.2 to 1.6, 800
#: 2.2 to 2.5, 1797 5.4 and 8.3 (scikit-learn's digits at degree 5, and two Gaussians with a Gaussian kernel). Where
#: the matrix is of low rank (two Gaussians, degree 2, rank 21), 0.3 to 0.4 at n = 200 and 0.6 at 800.
FASTER = 400


class SMOSolver:
    """Solve the programs for any sequence of C and B, each from the solution of the one before.

    Parameters
    ----------
    K : array of shape (n, n), DenseGram or KernelGram
        Gram matrix, symmetric and positive semidefinite.
    y : array of shape (n,)
        Labels +-1, both of them.
    tol : float
        Relative duality gap to reach.
    weights : array of shape (n,), optional
        Factors w_i > 0 of C.
    sizes : Sizes
        Of the working set.
    start : array of shape (n,), optional
        A feasible alpha for the first C, such as that of a similar K.

    Attributes
    ----------
    followed : int
        How often whole active sets did not end, and a homotopy from the point of the pairs did.
    fallbacks : int
        Programs that were left to a homotopy of their own: with numbers near the end of double precision, as a rule.
    """

    def __init__(
        self,
        K: Array | DenseGram | KernelGram,
        y: Array,
        tol: float = 1e-6,
        weights: Array | None = None,
        sizes: Sizes = SIZES,
        start: Array | None = None,
    ):
        self.tol, self.fallbacks = tol, 0
        self._K = DenseGram(K) if isinstance(K, np.ndarray) else K
        whole = sizes.whole
        if whole is None:
            whole = len(y) if isinstance(self._K, DenseGram) else WHOLE_SET_UP_TO
        self._svm_values = Evaluator(self._K, y, weights)
        told_apart = np.column_stack([self._svm_values.projections, y])
        if isinstance(self._K, KernelGram):  # equal examples of two classes: those of either are neighbours
            told_apart[:, 0] += APART * np.abs(told_apart[:, 0]).max() * (y > 0.0)
        self._merged = merged = Merged(told_apart, self._svm_values.weights)
        self._y, self._w = y[merged.kept], merged.weights
        self._gram = self._K if len(merged.kept) == len(y) else self._K.subset(merged.kept)
        if isinstance(self._gram, KernelGram) and len(merged.kept) <= whole:  # the working set would be that matrix
            every = np.arange(len(merged.kept))
            self._gram = DenseGram(self._gram.block(every, every))
        self._whole = whole
        self._set = WorkingSet(self._gram, self._y, whole, sizes)
        self._svm: Point | None = None
        self._start = start
        self._band: Point | None = None
        self._trail: list[tuple[float, Point]] = []
        self._band_values: BandEvaluator | None = None
        self._svm_homotopy: SVMSolver | None = None
        self._band_homotopy: BandSolver | None = None

    @property
    def followed(self) -> int:
        """How often a homotopy went on from the point of the pairs."""
        return self._set.followed

    def theta(self, C: float) -> float:
        """Return the largest output of the support vector machine: from there on the band changes nothing."""
        solution = self.solve(C)
        return float(np.abs(self._K @ solution.x + solution.intercept).max())

    def free_system(self) -> tuple[Index, Callable[[Array], Array]]:
        """Return the free examples of the last support vector machine, and what solves their system for a right side r.

        Of equal or dependent examples some are left out. The x with ``K_FF x + b = r`` and ``sum(x) = 0`` says how the
        coefficients change with the outputs, with relative residuals of `ROUGH`.
        """
        assert self._svm is not None
        members, factor = self._set.free_system(self._svm)
        return self._merged.kept[members], lambda r: factor.solve(r, 0.0, ROUGH)[1] if len(r) else r

    def solve(self, C: float, B: float | None = None) -> Solution:
        """Solve the program for one C > 0, and one B > 1, or none.

        Returns
        -------
        Solution
            As `SVMSolver.solve` returns it, or with a B `BandSolver.solve`; ``iterations`` are steps of pairs,
            ``rounds`` those of active sets.
        """
        if B is not None and B <= 1.0:
            raise UserError(f"B={B:g}: outputs within [-1, 1] leave no margin of 1 to any example; use B > 1")
        clock, C = Clock(), float(C)
        point, steps, rounds = self._solve_svm(C, clock) if B is None else self._solve_band(C, float(B), clock)
        best = self._values(point, B)
        for _ in range(MAX_ROUNDS):  # take out what piled up on the way
            clock.tell(best.gap)
            if self._reached(best) or not point.exact or clock.over:
                break
            point.g = self._gram @ point.u
            point, more_steps, more = self._move(point, B, clock)
            before, steps, rounds = best, steps + more_steps, rounds + more
            best = min(best, self._values(point, B), key=gap_size)
            if gap_size(best) > 0.5 * gap_size(before):
                break
        if not self._reached(best) and not clock.over:
            best = min([best, *self._homotopy(C, B)], key=gap_size)
        if best.objective > best.zero:  # by rounding: f = 0 is better, with the label of more examples
            y, w = self._svm_values.y, self._svm_values.weights
            sign = 1.0 if y @ w >= 0.0 else -1.0
            best = replace(best, objective=best.zero, loss=best.zero / C, x=np.zeros(len(y)), intercept=sign)
        return best.solution(self.tol, steps, rounds, clock.seconds, clock.otherwise)

    def _reached(self, values: Values) -> bool:
        return status_of(values.gap, self.tol) == "optimal"

    def _solve_svm(self, C: float, clock: Clock) -> tuple[Point, int, int]:
        if self._svm is None and self._start is not None:
            u = np.bincount(self._merged.group, self._start * self._svm_values.y).astype(np.float64, copy=False)
            point = self._point(u, 0.0, C, None, exact=False)
        elif self._svm is None:
            zero = np.zeros(len(self._y))
            point = Point(zero, zero.copy(), np.where(self._y > 0, 0, 2), C)
        elif self._svm.C == C and self._svm.exact:
            return self._svm, 0, 0
        else:
            point = self._svm.at(C)
        self._svm, steps, rounds = self._move(point, None, clock)
        return self._svm, steps, rounds

    def _solve_band(self, C: float, B: float, clock: Clock) -> tuple[Point, int, int]:
        steps = rounds = 0
        if self._band is None or self._band.C != C:
            svm, steps, rounds = self._solve_svm(C, clock)
            self._band = replace(svm, u=svm.u.copy(), g=svm.g.copy(), sets=svm.sets + 2)
            self._trail = []
        start = self._band if not self._band.exact else replace(self._band, guess=self._ahead(self._band.C, B))
        self._band, more_steps, more = self._move(start, B, clock)
        self._trail = [*self._trail[-1:], (B, self._band)] if self._band.exact else []
        return self._band, steps + more_steps, rounds + more

    def _ahead(self, C: float, B: float) -> Index | None:
        """Return the sets where the line through the last two solutions leads to."""
        if len(self._trail) < 2:
            return None
        (before, one), (last, two) = self._trail
        part = (B - last) / (last - before) if last != before else 0.0
        if not 0.0 < part <= FAR_AHEAD:
            return None
        u, f = two.u + part * (two.u - one.u), two.g + two.b + part * (two.g + two.b - one.g - one.b)
        sets = two.sets.copy()
        revise(*self._levels(C, B), sets, u, f, 0.0)
        return sets

    def _levels(self, C: float, B: float | None) -> tuple[Array, Array]:
        """Return the levels and targets of `kernlearn.solvers.bands.smo`."""
        end = C * self._w * self._y
        inner = np.minimum(0.0, end), np.maximum(0.0, end)
        if B is None:
            return np.column_stack(inner), self._y[:, None].copy()
        far = np.full(len(end), np.inf)
        return np.column_stack([-far, *inner, far]), np.column_stack([0 * end + B, self._y, 0 * end - B])

    def _move(self, point: Point, B: float | None, clock: Clock) -> tuple[Point, int, int]:
        """Return the solution for another B, or C, from a point that is feasible."""
        return self._set.move(point, *self._levels(point.C, B), clock)

    def _values(self, point: Point, B: float | None) -> Values:
        """Return the values of (P) and (D), from the data as they were given, and in all digits where it takes that."""
        merged = self._merged
        v, bound = self._y * point.u, point.C * self._w
        inner = np.clip(v, 0.0, bound)
        alpha = merged.alpha(inner, point.C)
        if B is None:
            kinks = point.free[merged.group]
            values = self._svm_values.at(alpha, point.b, point.C, kinks)
            return self._svm_values.sure(values, point.C)
        if self._band_values is None:
            self._band_values = BandEvaluator.of(self._svm_values)
        band = Band(point.C, np.full(len(alpha), np.inf), B)
        u = self._svm_values.y * (alpha + ((v - inner) / merged.count)[merged.group])
        banded = self._band_values.at(u, point.b, band, (point.sets == 3)[merged.group])
        return self._band_values.sure(banded, band)

    def _homotopy(self, C: float, B: float | None) -> list[Values]:
        """Return the values that the homotopy finds, and go on from there, where the whole matrix is in memory."""
        if not isinstance(self._gram, DenseGram) or len(self._y) > max(self._whole, SIZES.most):
            return []
        self.fallbacks += 1
        every, merged = np.arange(len(self._y)), self._merged
        data = (self._gram.block(every, every), self._y, self.tol)
        x = np.zeros(len(merged.group))
        if B is None:
            self._svm_homotopy = self._svm_homotopy or SVMSolver(*data, weights=self._w)
            solution = self._svm_homotopy.solve(C)
            self._svm = self._point(solution.dual * self._y, solution.intercept, C, B, exact=True)
            dual = merged.alpha(solution.dual, C)
        else:
            self._band_homotopy = self._band_homotopy or BandSolver(*data, self._w)
            solution = self._band_homotopy.solve(C, B)
            alpha, *beyond = solution.dual
            u = alpha * self._y - beyond[0] + beyond[1]
            self._band = self._point(u, solution.intercept, C, B, exact=True)
            dual = np.stack([merged.alpha(alpha, C), *((one / merged.count)[merged.group] for one in beyond)])
        x[merged.kept] = solution.x
        values = (solution.objective, 0.0, x, solution.intercept, solution.dual_objective, dual, solution.zero)
        return [Values(*values) if B is None else BandValues(*values, B=B)]

    def _point(self, u: Array, b: float, C: float, B: float | None, *, exact: bool) -> Point:
        """Return a feasible point that is known by its u."""
        levels, _ = self._levels(C, B)
        close = AT_BOUND * C * self._w[:, None]
        at = (u[:, None] > levels - close).sum(axis=1) - 1  # the last level that u is not below
        hits = np.abs(u[:, None] - levels) <= close
        sets = np.where(hits.any(axis=1), 2 * np.argmax(hits, axis=1), 2 * np.clip(at, 0, levels.shape[1] - 2) + 1)
        return Point(u, self._gram @ u, sets, C, b, exact)


def band_solver(K: Array, y: Array, tol: float = 1e-6, weights: Array | None = None) -> BandSolver | SMOSolver:
    """Return the solver that is the faster one along B as a rule: by the number of examples alone, see `FASTER`."""
    return (SMOSolver if len(y) >= FASTER else BandSolver)(K, y, tol, weights)
