"""The support vector machine for one value of C after another: a homotopy method, exact and warm.

::

    (P)  min_{f,b}    1/2 |f|^2 + C sum_i max(0, 1 - y_i (f(x_i) + b))
    (D)  max_alpha    sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K(x_i, x_j)
         subject to   sum_i alpha_i y_i = 0,   0 <= alpha_i <= C

Without bias b is 0, and the sum of ``alpha_i y_i`` is free: hyperplanes are then called homogenous.

LibSVM, or coordinate descent without bias, gives a rough first solution. The solver then changes the problem into one
with exactly this solution, and follows the solution back to the original problem. From there it follows the solution to
each further C (see `kernlearn.solvers.svm.path`, and for its steps `kernlearn.solvers.svm.homotopy`). Accumulated
rounding errors are removed in the same way: the problem is changed into one for which the point reached is exact.
Small random numbers make the starting points strictly complementary, so that ties are rare. Equal examples are merged
into one with their number as its weight.
"""

from time import perf_counter

import numpy as np

from kernlearn.certificates import status_of
from kernlearn.memory import require
from kernlearn.solvers.core.duplicates import Merged
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.descent import descend
from kernlearn.solvers.svm.homotopy import UPPER
from kernlearn.solvers.svm.libsvm import fit_libsvm
from kernlearn.solvers.svm.path import Path, refine
from kernlearn.solvers.svm.values import Evaluator, Values, best_of
from kernlearn.types import Array

#: Iterations for a first solution, of LibSVM or of coordinate descent, in multiples of the number of examples.
ITERATIONS = 10
#: Parts of C: for the first of them LibSVM's solution is good, where it is not for C itself.
EASY = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)


class SVMSolver:
    """Solve (D) for any sequence of values of C, each from the solution of the one before.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix, symmetric and positive semidefinite.
    y : array of shape (n,)
        Labels +-1, both of them.
    tol : float
        Relative duality gap to reach.
    start : array of shape (n,), optional
        A feasible alpha, such as that of a similar K, to start from instead of LibSVM's.
    weights : array of shape (n,), optional
        Factors w_i > 0 of C: the bound of alpha_i is ``C w_i``. An example of weight 2 is the same as two of it.
    bias : bool
        Whether there is a b.

    Attributes
    ----------
    fallbacks : int
        Homotopies that stalled or got lost, and were started anew from LibSVM's solution.
    path : Path
        The point reached, in a program where equal examples are one, with ``K / scale`` for K and ``C scale`` for C.
    group : integer array of shape (n,)
        Which example of `path` every example is.
    earlier : array of shape (n,)
        Weight of the equal examples before each.
    """

    def __init__(
        self,
        K: Array,
        y: Array,
        tol: float = 1e-6,
        start: Array | None = None,
        weights: Array | None = None,
        bias: bool = True,
    ):
        require(2.0 * K.nbytes, f"the scaled kernel matrix of {len(y)} examples and its factor", "use fewer examples")
        self.tol, self.fallbacks = tol, 0
        self._given, self._bias = start, bias
        self.evaluator = Evaluator(K, y, weights, bias)
        self.scale = float(np.diagonal(K).max()) or 1.0
        projections = self.evaluator.projections
        merged = Merged(np.column_stack([projections, y]), self.evaluator.weights)
        self.group, self.earlier, kept = merged.group, merged.earlier, merged.kept
        # With K / scale and C scale for K and C, alpha scale is the solution: LibSVM needs numbers of moderate size.
        scaled = np.ascontiguousarray(K if len(kept) == len(y) else K[np.ix_(kept, kept)]) / self.scale
        self._w = merged.weights
        levels = np.column_stack([np.zeros(len(kept)), self._w])
        self.path = Path(scaled, y[kept], levels, np.zeros((len(kept), 1)), y[kept], bias)
        self._before: Values | None = None  # the solution of the last C

    def solve(self, C: float) -> Solution:
        """Solve the program for one C > 0.

        Returns
        -------
        Solution
            ``x`` has the coefficients ``alpha_i y_i`` of f, shape (n,), added up for equal examples. ``dual`` is alpha.
            Both are recomputed and certified. ``iterations`` counts steps of the homotopy, ``rounds`` those that
            correct rounding errors.
        """
        start = perf_counter()
        target = C * self.scale
        fresh = self.path.C == 0.0
        cold = fresh and self._given is None  # what `_again` does is done already
        if fresh:
            self._start(target)
        path = self.path
        # Where no alpha is at C, a larger one changes nothing.
        follows = fresh or target < path.C or bool((path.sets == UPPER).any())
        if not follows and self._before is not None:
            self._before, path.C = self._before.at_another(path.C / self.scale, C), target
            if self._reached(self._before):
                return self._before.solution(self.tol, 0, 0, perf_counter() - start)
        steps = self._follow(target) if follows else 0
        path.C = target
        best, more, rounds = self._refine(C)
        best, steps = self.evaluator.sure(best, C), steps + more
        if not self._reached(best):
            best, more, more_rounds = self._again(C, best, cold)
            steps, rounds = steps + more, rounds + more_rounds
        self._before = best
        if not np.isfinite(path.beta).all():  # lost in rounding: start anew at the next C
            path.C = 0.0
        return best.solution(self.tol, steps, rounds, perf_counter() - start)

    def _reached(self, values: Values) -> bool:
        return status_of(values.gap, self.tol) == "optimal"

    def _again(self, C: float, best: Values, cold: bool) -> tuple[Values, int, int]:
        """Start anew from LibSVM's solution; return the best of all that is known, the steps and the rounds.

        After a cold start that is its solution for a small C, from where the path leads to this one.
        That is both homotopies, LibSVM's solution itself, the solution of the C before, zero, and all alpha at C, as
        far as classes balance: where all examples are equal that is the solution, and the matrix rounding. Where
        ``C K`` is beyond about 1e9, rounding may leave any of them the best.
        """
        known, steps, rounds, target = [best], 0, 0, self.path.C
        if self._before is not None:
            known.append(self._before)
        if not cold or self._before is None:
            self.fallbacks += 1
            self._start(EASY[0] * target if cold else target)
            for part in EASY[1:] if cold else ():  # as on a path, without errors that pile up
                steps += self._follow(part * target)
                self.path.factorise()
            known += [] if cold else [self._values(C)]
            steps += self._follow(target)
            again, more, rounds = self._refine(C)
            again, steps = self.evaluator.sure(again, C), steps + more
            known.append(again)
            if self._reached(again):
                return again, steps, rounds
        mended = [self.evaluator.sure(self.evaluator.mended(values, C), C) for values in known]
        every = self.evaluator.at(C * self.evaluator.weights, 0.0, C)
        return best_of([best, *mended, self.evaluator.nothing(C), self.evaluator.sure(every, C)]), steps, rounds

    def _refine(self, C: float) -> tuple[Values, int, int]:
        """Take out rounding errors as long as it helps; return the best values, the steps and the rounds."""

        def again() -> int:
            self.path.factorise()
            return self._follow(self.path.C)

        return refine(again, lambda: self._values(C), self._reached)

    def _start(self, C: float) -> None:
        """Start from the alpha that was given, once, or from a first solution, cut short."""
        path = self.path
        if self._given is not None:
            alpha, b = np.bincount(self.group, self._given).astype(np.float64) * self.scale, path.b
            self._given = None
        elif not self._bias:
            alpha, b = np.zeros(len(path.y)), 0.0
            descend(path.K, path.y, self._w, C, ITERATIONS, alpha)
        else:
            alpha, b, *_ = fit_libsvm(path.K, path.y, C, ITERATIONS * len(path.y), self._w)
        path.start(alpha, b, C)

    def _follow(self, C: float) -> int:
        """Follow the solution to C and return the number of steps; after a stall start anew there."""
        steps, done = self.path.follow(C)
        if not done:
            self.fallbacks += 1
            self._start(C)
        return steps

    def _values(self, C: float) -> Values:
        """Return the values of (P) and (D) at the point reached, from the data as they were given."""
        return self.evaluator.at(self._spread(C), self.path.b, C, kinks=self.path.free[self.group])

    def _spread(self, C: float) -> Array:
        """Return alpha of all examples: of equal ones, as few as possible have a part."""
        alpha = np.abs(self.path.beta)[self.group] / self.scale - self.earlier * C
        return np.clip(alpha, 0.0, C * self.evaluator.weights)
