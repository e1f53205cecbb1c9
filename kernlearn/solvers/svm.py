"""The support vector machine with bias for one value of C after another: a homotopy method, exact and warm.

::

    (P)  min_{f,b}    1/2 |f|^2 + C sum_i max(0, 1 - y_i (f(x_i) + b))
    (D)  max_alpha    sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K(x_i, x_j)
         subject to   sum_i alpha_i y_i = 0,   0 <= alpha_i <= C

LibSVM gives a rough first solution. The solver then changes the problem into one which that solution solves, and
follows the solution back to the problem asked for; from there it follows the solution to every further C (see
`kernlearn.solvers.svm_homotopy`). Rounding errors that pile up on the way are taken out in the same manner: the
problem is changed into one for which the point reached is exact. The starting points are made strictly complementary
by small random numbers, so that ties are rare, and equal examples are one example with their number for its weight.
"""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from kernlearn.memory import require
from kernlearn.solvers.duplicates import first_equal
from kernlearn.solvers.libsvm import fit_libsvm
from kernlearn.solvers.solution import Solution, status_of
from kernlearn.solvers.svm_homotopy import DONE, FREE, FULL, LOWER, UPPER, enter, follow
from kernlearn.solvers.svm_values import AT_BOUND, Evaluator, Values, best_of

Array = NDArray[np.float64]

#: Least distance of a residual from 0 at the start, for examples at a bound.
MARGIN = 1e-9
#: LibSVM's iterations for a first solution, in multiples of the number of examples.
LIBSVM_ITERATIONS = 10
#: Parts of C: for the first of them LibSVM's solution is good, where it is not for C itself.
EASY = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
#: Steps of a homotopy, in multiples of the number of examples, after which it counts as stalled.
MAX_STEPS = 20
#: Times that rounding errors are taken out, as long as each halves the gap.
MAX_ROUNDS = 10


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

    Attributes
    ----------
    fallbacks : int
        Homotopies that stalled or got lost, and were started anew from LibSVM's solution.
    """

    def __init__(self, K: Array, y: Array, tol: float = 1e-6, start: Array | None = None, weights: Array | None = None):
        require(2.0 * K.nbytes, f"the scaled kernel matrix of {len(y)} examples and its factor", "use fewer examples")
        self.tol, self.fallbacks = tol, 0
        self._given, self._b = start, 0.0
        self._evaluator = Evaluator(K, y, weights)
        self._scale = float(np.diagonal(K).max()) or 1.0
        projections = self._evaluator.projections
        first = first_equal(np.column_stack([projections, y]))
        kept, self._group, counts = np.unique(first, return_inverse=True, return_counts=True)
        order = np.argsort(self._group, kind="stable")
        before = np.concatenate([[0.0], np.cumsum(self._evaluator.weights[order])])
        self._earlier = np.empty(len(y))  # weight of the equal examples before each
        self._earlier[order] = before[:-1] - np.repeat(before[np.cumsum(counts) - counts], counts)
        # With K / scale and C scale for K and C, alpha scale is the solution: LibSVM needs numbers of moderate size.
        self._K = np.ascontiguousarray(K if len(kept) == len(y) else K[np.ix_(kept, kept)]) / self._scale
        self._y = y[kept]
        self._w = np.bincount(self._group, self._evaluator.weights).astype(np.float64, copy=False)
        self._kept = Evaluator(self._K, self._y)
        self._margin = MARGIN * np.random.default_rng(0).uniform(1.0, 2.0, len(kept))
        self._C = 0.0  # nothing is solved yet
        self._before: Values | None = None  # the solution of the last C

    def solve(self, C: float) -> tuple[Solution, float]:
        """Solve the program for one C > 0.

        Returns
        -------
        solution : Solution
            ``x`` are the coefficients ``alpha_i y_i`` of f, shape (n,), those of equal examples added up, and ``dual``
            is alpha, both recomputed and certified; ``iterations`` are steps of the homotopy, ``rounds`` those spent on
            rounding errors.
        intercept : float
        """
        start = perf_counter()
        target = C * self._scale
        fresh = self._C == 0.0
        cold = fresh and self._given is None  # what `_again` does is done already
        if fresh:
            self._start(target)
        # Where no alpha is at C, a larger one changes nothing.
        follows = fresh or target < self._C or bool((self._sets == UPPER).any())
        if not follows and self._before is not None:
            self._before, self._C = self._before.at_another(self._C / self._scale, C), target
            if self._reached(self._before):
                return self._solution(self._before, 0, 0, start)
        steps = self._follow(target) if follows else 0
        self._C = target
        best, more, rounds = self._refine(C)
        best, steps = self._evaluator.sure(best, C), steps + more
        if not self._reached(best):
            best, more, more_rounds = self._again(C, best, cold)
            steps, rounds = steps + more, rounds + more_rounds
        self._before = best
        if not np.isfinite(self._beta).all():  # lost in rounding: start anew at the next C
            self._C = 0.0
        return self._solution(best, steps, rounds, start)

    def _solution(self, best: Values, steps: int, rounds: int, start: float) -> tuple[Solution, float]:
        status, seconds = status_of(best.gap, self.tol), perf_counter() - start
        values = (best.x, best.objective, best.alpha, best.dual_objective, best.zero)
        return Solution(*values, status, steps, rounds, seconds), best.intercept

    def _reached(self, values: Values) -> bool:
        return status_of(values.gap, self.tol) == "optimal"

    def _again(self, C: float, best: Values, cold: bool) -> tuple[Values, int, int]:
        """Start anew from LibSVM's solution; return the best of all that is known, the steps and the rounds.

        After a cold start that is its solution for a small C, from where the path leads to this one.
        That is both homotopies, LibSVM's solution itself, the solution of the C before, and zero. Where ``C K`` is
        beyond about 1e9, rounding may leave any of them the best.
        """
        known, steps, rounds, target = [best], 0, 0, self._C
        if self._before is not None:
            known.append(self._before)
        if not cold or self._before is None:
            self.fallbacks += 1
            self._start(EASY[0] * target if cold else target)
            for part in EASY[1:] if cold else ():  # as on a path, without errors that pile up
                steps += self._follow(part * target)
                self._C = part * target
                self._factorise()
            known += [] if cold else [self._values(C)]
            steps, self._C = steps + self._follow(target), target
            again, more, rounds = self._refine(C)
            again, steps = self._evaluator.sure(again, C), steps + more
            known.append(again)
            if self._reached(again):
                return again, steps, rounds
        mended = [self._evaluator.sure(self._evaluator.mended(values, C), C) for values in known]
        return best_of([best, *mended, self._evaluator.nothing(C)]), steps, rounds

    def _refine(self, C: float) -> tuple[Values, int, int]:
        """Take out rounding errors as long as it helps; return the best values, the steps and the rounds."""
        best, steps, rounds = self._values(C), 0, 0
        while rounds < MAX_ROUNDS and not self._reached(best):
            rounds += 1
            self._factorise()
            steps += self._follow(self._C)
            previous, best = best, min(best, self._values(C), key=_size)
            if _size(best) > 0.5 * _size(previous):
                break
        return best, steps, rounds

    def _start(self, C: float) -> None:
        """Start from the alpha that was given, once, or from LibSVM's solution, cut short."""
        if self._given is not None:
            alpha = np.bincount(self._group, self._given).astype(np.float64) * self._scale
            self._given = None
        else:
            alpha, self._b, *_ = fit_libsvm(self._K, self._y, C, LIBSVM_ITERATIONS * len(self._y), self._w)
        self._C = C
        self._enter_all(alpha)

    def _enter_all(self, alpha: Array) -> None:
        """Take over a feasible alpha; of the examples between the bounds, as many are free as are independent."""
        n, bound = len(alpha), self._w * self._C
        upper = alpha >= (1.0 - AT_BOUND) * bound
        alpha = self._even(np.where(upper, bound, alpha), ~upper)
        self._beta = np.where(upper, bound, alpha) * self._y
        self._sets = np.where(upper, UPPER, LOWER)
        between = np.flatnonzero((alpha > 0) & ~upper)
        if not len(between):  # some example has to carry b
            between = np.array([np.argmin(np.abs(self._kept.image(self._beta) + self._b - self._y))])
            self._sets[between] = LOWER
        capacity = min(n, 2 * len(between) + 62) + 1
        self._L, self._free, self._f = np.zeros((capacity, capacity)), np.zeros(capacity, dtype=np.intp), 0
        r, h, row = np.empty(n), np.empty(n), np.empty(n)
        for i in between:
            self._f = enter(
                *(self._K, self._y, self._w, 1.0, self._C, self._beta, r, h, self._sets),
                *(self._free, self._f, self._L, row, i),
            )
        self._b = float(np.mean((self._y - self._kept.image(self._beta))[self._free[: self._f]]))

    def _even(self, alpha: Array, between: NDArray[np.bool_]) -> Array:
        """Return alpha with equal sums over the classes, as the homotopy will keep them, by the examples `between`."""
        excess = float(alpha @ self._y)
        smaller = between & (excess * self._y > 0)  # those that have to give
        total = float(alpha[smaller].sum())
        return np.where(smaller, alpha * max(0.0, 1.0 - abs(excess) / total), alpha) if total else alpha

    def _follow(self, C: float) -> int:
        """Follow the solution to C and return the number of steps; after a stall start anew there."""
        K, y, sets = self._K, self._y, self._sets
        true = self._kept.image(self._beta) + self._b - y
        r = y * np.choose(sets, [np.maximum(y * true, self._margin), 0.0, np.minimum(y * true, -self._margin)])
        q = true - r
        h = self._kept.image(np.where(sets == UPPER, self._w * y, 0.0))
        tau, total, code = 0.0, 0, FULL
        while code == FULL and self._f <= len(y):
            if self._f == len(self._L):
                self._grow()
            code, tau, self._b, self._f, steps = follow(
                *(K, y, self._w, 1.0, self._C, C, tau, self._beta, self._b, r, q, h, sets),
                *(self._free, self._f, self._L, MAX_STEPS * len(y)),
            )
            total += steps
        if code != DONE:
            self.fallbacks += 1
            self._start(C)
        return total

    def _grow(self) -> None:
        capacity = min(len(self._y), 2 * self._f) + 1
        L, free = np.zeros((capacity, capacity)), np.zeros(capacity, dtype=np.intp)
        L[: self._f, : self._f], free[: self._f] = self._L[: self._f, : self._f], self._free[: self._f]
        self._L, self._free = L, free

    def _factorise(self) -> None:
        """Compute the factor anew, where it was updated many times."""
        F = self._free[: self._f]
        try:
            self._L[: self._f, : self._f] = np.linalg.cholesky(self._K[np.ix_(F, F)] + 1.0)
        except np.linalg.LinAlgError:
            pass  # the updated factor is as good as one can be

    def _values(self, C: float) -> Values:
        """Return the values of (P) and (D) at the point reached, from the data as they were given."""
        return self._evaluator.at(self._spread(C), self._b, C, kinks=(self._sets == FREE)[self._group])

    def _spread(self, C: float) -> Array:
        """Return alpha of all examples: of equal ones, as few as possible have a part."""
        alpha = np.abs(self._beta)[self._group] / self._scale - self._earlier * C
        return np.clip(alpha, 0.0, C * self._evaluator.weights)


def _size(values: Values) -> float:
    return abs(values.gap) if np.isfinite(values.gap) else np.inf
