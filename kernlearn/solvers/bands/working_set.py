"""The examples that a solver of a kernel machine works on, of many: their part of the Gram matrix and its solution."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernlearn.memory import require
from kernlearn.solvers.bands.active_set import finish, follow_to_end
from kernlearn.solvers.bands.smo import minimise_pairs, violations
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.gram import DenseGram, KernelGram
from kernlearn.solvers.core.refined_factor import RefinedFactor
from kernlearn.types import Array, Index

#: Violations, in units of the outputs, that pairs are moved down to before the active sets are tried again.
VIOLATIONS = (3e-2, 1e-2, 1e-3)
#: Steps of pairs each time: so many, or so many times the number of examples.
FEW, STEPS = 1000, 3
#: Sets that the guess changes, as a part of the free examples, above which pairs come first: they are cheaper then.
FAR = 0.15
#: How often the set may change for one solution.
MAX_SETS = 100
#: Columns that are copied into rows at a time.
MIRRORED = 64
#: By how much an output outside the set may be beyond its target.
BEYOND = 1e-10


@dataclass(frozen=True)
class Sizes:
    """Numbers of examples of a working set."""

    #: Up to so many examples all belong to it, whatever they do; by default those of a matrix in memory, 3000 others.
    whole: int | None = None
    #: Above so many it loses those that are not free and keep their conditions.
    most: int = 6000
    #: At first.
    first: int = 1000
    #: Part of all examples above which a set of a matrix in memory has all of them: that needs no copy.
    part: float = 0.25


SIZES = Sizes()


@dataclass
class Point:
    """A feasible u for one C, ``g = K u``, the sets of `kernlearn.solvers.bands.smo`, b, and whether u is optimal.

    `guess` are the sets that the next solution may have, if there is something to tell them by.
    """

    u: Array
    g: Array
    sets: Index
    C: float
    b: float = 0.0
    exact: bool = False
    guess: Index | None = None

    @property
    def far(self) -> bool:
        """Whether the next solution is far from this one, as the guess says."""
        return self.guess is not None and (self.guess != self.sets).sum() > FAR * self.free.sum()

    def at(self, C: float) -> "Point":
        """Return the same point in units of another C."""
        return replace(self, u=self.u * (C / self.C), g=self.g * (C / self.C), C=C)

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which examples are at a kink of the loss."""
        return self.sets % 2 == 1


class WorkingSet:
    """All examples, where these are few; otherwise those that are free, and those that broke their conditions.

    Parameters
    ----------
    gram : DenseGram or KernelGram
        Of all examples.
    y : array of shape (n,)
        Labels +-1.

    Attributes
    ----------
    followed : int
        Solutions that a homotopy came to from the point of the pairs, as whole active sets did not.
    """

    def __init__(self, gram: DenseGram | KernelGram, y: Array, whole: int, sizes: Sizes):
        n = len(y)
        self._gram, self._sizes, self.followed = gram, sizes, 0
        self._diagonal = np.ascontiguousarray(gram.diagonal())
        self._members = np.arange(n)
        if n > whole:  # as many of either class as it has, all over
            order = np.argsort(y, kind="stable")
            self._members = np.sort(order[np.linspace(0, n - 1, min(n, sizes.first)).astype(np.intp)])
        self._is_member = np.isin(np.arange(n), self._members)
        self._load()

    def _load(self) -> None:
        members, size = self._members, len(self._members)
        if size < len(self._is_member):
            require(16.0 * size**2, f"the Gram matrix of a working set of {size} examples", "use fewer examples")
        self._K = self._gram.block(members, members)
        self._factor = RefinedFactor(self._K, float(self._diagonal.max()) or 1.0)

    def move(self, point: Point, levels: Array, targets: Array, clock: Clock) -> tuple[Point, int, int]:
        """Return the solution for levels and targets from a feasible point, and the steps of pairs and of sets.

        Where the time is over it is a feasible point that is not exact.
        """
        steps, rounds, broken, n = 0, 0, np.empty(len(point.u)), len(point.u)
        self._include(np.flatnonzero(point.free & ~self._is_member))
        for _ in range(MAX_SETS):
            point, more_steps, more_rounds = self._solve_members(point, levels, targets, clock)
            steps, rounds = steps + more_steps, rounds + more_rounds
            clock.tell()
            if len(self._members) == n or clock.over:
                break
            beyond = BEYOND * (1.0 + abs(point.b)) if point.exact else VIOLATIONS[-1]
            if violations(targets, point.sets, point.g, point.b, broken) <= beyond:
                break
            worst = np.argsort(-broken, kind="stable")[: max(self._sizes.first, len(self._members) // 2)]
            new = worst[(broken[worst] > beyond) & ~self._is_member[worst]]
            if not len(new):
                break
            if len(self._members) + len(new) > self._sizes.most:
                self._leave_out(~point.free & (broken <= beyond))
            if self._all_if(len(self._members) + len(new)):  # whole sets would first free nearly all that come
                point = replace(point, exact=False)
            else:
                self._include(np.sort(new))
        return point, steps, rounds

    def free_system(self, point: Point) -> tuple[Index, RefinedFactor]:
        """Return the free examples of a solution that are independent, and the factor of their system."""
        free = np.flatnonzero(point.free[self._members])
        F = self._factor.take(free) if len(free) else free
        return self._members[F], self._factor

    def _include(self, new: Index) -> None:
        if not len(new) or self._all_if(len(self._members) + len(new)):
            return
        before, self._members = self._members, np.concatenate([self._members, new])
        self._is_member[new] = True
        n, old = len(self._members), len(before)
        require(16.0 * n**2, f"the Gram matrix of a working set of {n} examples", "use fewer examples")
        K = np.empty((n, n))
        K[:old, :old] = self._K
        K[old:] = self._gram.block(new, self._members)
        for start in range(0, old, MIRRORED):  # a piece at a time stays near the core
            K[start : min(start + MIRRORED, old), old:] = K[old:, start : min(start + MIRRORED, old)].T
        self._K = K
        self._factor.extend(K)

    def _all_if(self, size: int) -> bool:
        """Take all examples if so many would be in the set that it needs no copy; return whether that is so."""
        n = len(self._is_member)
        if isinstance(self._gram, KernelGram) or size <= self._sizes.part * n:
            return False
        self._is_member[:] = True
        self._members = np.arange(n)
        self._load()
        return True

    def _leave_out(self, may_go: NDArray[np.bool_]) -> None:
        self._is_member &= ~may_go
        self._members = np.flatnonzero(self._is_member)
        self._load()

    def _solve_members(self, point: Point, levels: Array, targets: Array, clock: Clock) -> tuple[Point, int, int]:
        every = len(self._members) == len(point.u)
        members = slice(None) if every else self._members
        part = (levels[members], targets[members])
        u, g, sets = point.u[members].copy(), point.g[members].copy(), point.sets[members].copy()
        exact = None
        # From nothing, the first round would free nearly all; from far away, many more than will be.
        for first in (point.guess, point.sets) if point.exact and not point.far else ():
            if exact is None and first is not None:
                exact = finish(self._K, self._factor, *part, u, g, first[members])
        total, b = 0, point.b
        for tol in VIOLATIONS:
            clock.tell()
            if exact is not None or clock.over:
                break
            limit = max(FEW, STEPS * len(u))
            steps, top, low = minimise_pairs(self._K, self._diagonal[members], *part, sets, u, g, tol, limit)
            total, b = total + steps, 0.5 * (top + low)
            if not np.isfinite(g).all():  # of no Gram matrix, or beyond double precision
                u, g, sets = point.u[members].copy(), point.g[members].copy(), point.sets[members].copy()
                break
            exact = finish(self._K, self._factor, *part, u, g, sets)
            if steps == limit:
                break
        rounds = 0
        if exact is None and not clock.over:
            exact = follow_to_end(self._K, self._factor.shift, *part, u, sets, point.C)
            self.followed += 1
        if exact is not None:
            (u, g, sets, b, rounds) = exact
        if every:
            return Point(u, g, sets, point.C, b, exact is not None), total, rounds
        moved = u - point.u[members]
        changed = np.flatnonzero(moved)
        solved = Point(point.u.copy(), point.g.copy(), point.sets.copy(), point.C, b, exact is not None)
        self._gram.add(self._members[changed], moved[changed], solved.g)
        solved.u[members], solved.sets[members] = u, sets
        return solved, total, rounds
