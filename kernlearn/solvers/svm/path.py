"""A point on the path of a homotopy, and how it moves; see `kernlearn.solvers.svm.homotopy` for the programs."""

from collections.abc import Callable
from copy import copy
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.svm.homotopy import DONE, FREE, FULL, LOWER, SINGULAR, UPPER, Line, State, enter, follow
from kernlearn.solvers.svm.values import AT_BOUND, Evaluator
from kernlearn.types import Array

#: Least distance of a residual from a kink at the start, for examples at a level.
MARGIN = 1e-9
#: Steps of a homotopy, in multiples of the number of examples, after which it counts as stalled.
MAX_STEPS = 20
#: Times that rounding errors are taken out, as long as each halves the gap.
MAX_ROUNDS = 10


class Graded(Protocol):
    """What has a duality gap."""

    @property
    def gap(self) -> float:
        """Relative duality gap."""


V = TypeVar("V", bound=Graded)


class Path:
    """A solution, which `follow` takes from one program to the next, of other levels or kinks.

    Parameters
    ----------
    K : array of shape (n, n)
    y : array of shape (n,)
        Labels +-1.
    levels : array of shape (n, m + 1)
        Of v, in units of C.
    kinks : array of shape (n, m)
        Their places, relative to the margins ``y_i home_i``.
    home : array of shape (n,)
        Outputs relative to which the kinks are given.
    bias : bool
        Whether there is a b; without one it stays 0.
    shift : float
        The s of the homotopy, of the size of K's diagonal.

    Attributes
    ----------
    C : float
        0 as long as there is no solution.
    beta : array of shape (n,)
        Coefficients of f.
    sets : integer array of shape (n,)
        See `kernlearn.solvers.svm.homotopy`.
    """

    def __init__(
        self,
        K: Array,
        y: Array,
        levels: Array,
        kinks: Array,
        home: Array,
        bias: bool = True,
        shift: float = 1.0,
    ):
        self.K, self.y, self.levels, self.kinks, self._home = K, y, levels, kinks, home
        self._bias, self._shift = bias, shift if bias else 0.0
        self._evaluator = Evaluator(K, y, bias=bias)
        self._margin = MARGIN * np.random.default_rng(0).uniform(1.0, 2.0, len(y))
        self.C, self.b = 0.0, 0.0

    def copy(self) -> "Path":
        """Return a path that starts where this one is."""
        other = copy(self)
        other.beta, other.sets = self.beta.copy(), self.sets.copy()
        other._L, other._free = self._L.copy(), self._free.copy()
        other._r, other._h = self._r.copy(), self._h.copy()
        return other

    def widened(self, K: Array, y: Array, levels: Array, kinks: Array, home: Array) -> "Path":
        """Return a path in a program with one level and kink more on either side, and perhaps more examples.

        Parameters are those of `Path`, of the m examples and levels that there are now.

        The solution is the same: no example is beyond the kinks of before, and those added, the last, are between the
        first and the second kink, at the level 0.
        """
        other, n = Path(K, y, levels, kinks, home), len(self.y)
        other.C, other.b = self.C, self.b
        other.beta, other.sets = np.zeros(len(y)), np.full(len(y), 2)
        other.beta[:n], other.sets[:n] = self.beta, self.sets + 2
        other._L, other._free, other._f = self._L.copy(), self._free.copy(), self._f
        return other

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which examples are at a kink."""
        return self.sets % 2 == 1

    def start(self, alpha: Array, b: float, C: float) -> None:
        """Take over alpha of a loss with one kink; of the examples between the levels, free as many as independent."""
        self.C, self.b = C, b
        bound = self.levels[:, 1] * C
        upper = alpha >= (1.0 - AT_BOUND) * bound
        if self._bias:
            alpha = self._even(np.where(upper, bound, alpha), ~upper)
        self.beta = np.where(upper, bound, alpha) * self.y
        sets = np.where(upper, UPPER, LOWER)
        between = (alpha > 0) & ~upper
        if not between.any() and self._bias:  # some example has to carry b
            between[np.argmin(np.abs(self.image() + self.b - self.y))] = True
        sets[between] = FREE
        self._enter(sets)

    def take(self, beta: Array, sets: NDArray[np.intp], C: float) -> None:
        """Take over any feasible point, with sets of which at least one is odd; free stay as many as independent."""
        self.C, self.beta = C, beta
        free = np.flatnonzero(sets % 2)
        A = self.K[np.ix_(free, free)] + self._shift
        try:
            L = np.linalg.cholesky(A)
        except np.linalg.LinAlgError:
            L = np.zeros_like(A)
        if np.diagonal(L).min() ** 2 <= SINGULAR * A.max():
            return self._enter(sets)
        self.sets = sets.copy()
        self._allocate(len(free))
        self._f = len(free)
        self._L[: self._f, : self._f], self._free[: self._f] = L, free
        self._centre()

    def _enter(self, sets: NDArray[np.intp]) -> None:
        """Free the examples whose set is odd, one after another, as far as they are independent."""
        between = np.flatnonzero(sets % 2)
        first = 2 * (sets // 2)
        unbounded = np.isinf(self._at(self.levels, sets // 2))
        self.sets = np.where(sets % 2, np.where(unbounded, first + 2, first), sets)
        self._allocate(len(between))
        r, h, row = (np.empty(len(sets)) for _ in range(3))
        line = Line(self.K, self.y, self.levels, self.kinks, self.kinks, r, self._shift, self.C, 0.0)
        state = State(self.beta, r, h, self.sets, self._free, self._L)
        for i in between:
            self._f = enter(line, state, self.C, self._f, row, i, sets[i], 0.0)
        self._centre()

    def _allocate(self, free: int) -> None:
        capacity = min(len(self.y), 2 * free + 62) + 1
        self._L, self._free, self._f = np.zeros((capacity, capacity)), np.zeros(capacity, dtype=np.intp), 0

    def _centre(self) -> None:
        """Let b be what the free examples agree on best."""
        if self._bias and self._f:
            F = self._free[: self._f]
            places = self._home + self.y * self._at(self.kinks, np.minimum(self.sets // 2, self.kinks.shape[1] - 1))
            self.b = float(np.mean((places - self.image())[F]))

    def _even(self, alpha: Array, between: NDArray[np.bool_]) -> Array:
        """Return alpha with equal sums over the classes, as the homotopy will keep them, by the examples `between`."""
        excess = float(alpha @ self.y)
        smaller = between & (excess * self.y > 0)  # those that have to give
        total = float(alpha[smaller].sum())
        return np.where(smaller, alpha * max(0.0, 1.0 - abs(excess) / total), alpha) if total else alpha

    def image(self) -> Array:
        """Return ``K beta``."""
        return self._evaluator.image(self.beta)

    def follow(self, C: float, kinks: Array | None = None) -> tuple[int, bool]:
        """Follow the solution to C, and to kinks elsewhere; return the steps, and whether it got there."""
        self.aim(C, kinks)
        return self.advance(MAX_STEPS * len(self.y))

    def aim(self, C: float, kinks: Array | None = None) -> None:
        """Begin to follow the solution to C, and to kinks elsewhere, from a program nearby that it solves without ties.

        On the way the kinks that move, and the residuals, are off by up to about `MARGIN`, at the end they are not.
        """
        kinks = self.kinks if kinks is None else kinks
        self.kinks = np.where(kinks == self.kinks, self.kinks, self.kinks + self._margin[:, None])  # no two alike
        true = self.image() + self.b - self._home
        self._r = self.y * self._inside(self.y * true)
        self._q = true - self._r
        self._h = np.zeros(len(true))
        if C != self.C:
            self._h = self._evaluator.image(np.where(self.free, 0.0, self.y * self._at(self.levels, self.sets // 2)))
        self._tau, self._from, self._to = 0.0, (self.C, self.kinks), (C, kinks)

    def advance(self, max_steps: int) -> tuple[int, bool]:
        """Go on as far as so many steps lead; return them, and whether that is where `aim` aimed at."""
        (C, kinks), (C_end, kinks_end), total, code = self._from, self._to, 0, FULL
        change = kinks_end - kinks
        line = Line(self.K, self.y, self.levels, kinks, change, self._q, self._shift, C, C_end - C)
        while code == FULL and self._f <= len(self.y):
            if self._f == len(self._L):
                self._grow()
            state = State(self.beta, self._r, self._h, self.sets, self._free, self._L)
            code, self._tau, self.b, self._f, steps = follow(line, state, self._tau, self.b, self._f, max_steps)
            total += steps
        between = C + self._tau * (C_end - C), kinks + self._tau * change
        self.C, self.kinks = self._to if code == DONE else between
        return total, code == DONE

    def _inside(self, margins: Array) -> Array:
        """Return residuals that suit the sets: the kink's own, or at a distance between two kinks."""
        at, n_kinks = self.sets // 2, self.kinks.shape[1]
        below = np.where(at < n_kinks, self._at(self.kinks, np.minimum(at, n_kinks - 1)) + self._margin, -np.inf)
        above = np.where(at > 0, self._at(self.kinks, np.maximum(at - 1, 0)) - self._margin, np.inf)
        middle = np.where(below > above, 0.5 * (below + above), np.minimum(np.maximum(margins, below), above))
        return np.where(self.free, self._at(self.kinks, np.minimum(at, n_kinks - 1)), middle)

    @staticmethod
    def _at(values: Array, column: NDArray[np.intp]) -> Array:
        return values[np.arange(len(values)), column]

    def _grow(self) -> None:
        capacity = min(len(self.y), 2 * self._f) + 1
        L, free = np.zeros((capacity, capacity)), np.zeros(capacity, dtype=np.intp)
        L[: self._f, : self._f], free[: self._f] = self._L[: self._f, : self._f], self._free[: self._f]
        self._L, self._free = L, free

    def factorise(self) -> None:
        """Compute the factor anew, where it was updated many times."""
        F = self._free[: self._f]
        try:
            self._L[: self._f, : self._f] = np.linalg.cholesky(self.K[np.ix_(F, F)] + self._shift)
        except np.linalg.LinAlgError:
            pass  # the updated factor is as good as one can be


def refine(again: Callable[[], int], values: Callable[[], V], reached: Callable[[V], bool]) -> tuple[V, int, int]:
    """Take out rounding errors by `again` as long as it helps; return the best values, the steps and the rounds."""
    best, steps, rounds = values(), 0, 0
    while rounds < MAX_ROUNDS and not reached(best):
        rounds += 1
        steps += again()
        previous, best = best, min(best, values(), key=gap_size)
        if gap_size(best) > 0.5 * gap_size(previous):
            break
    return best, steps, rounds


def gap_size(values: Graded) -> float:
    """Return how far from optimal values are; infinite where they are lost in rounding."""
    return abs(values.gap) if np.isfinite(values.gap) else np.inf
