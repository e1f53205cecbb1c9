"""Rounds of structured machines of classes that go over all outputs, and not over cuts alone.

An example has k - 1 wrong classes, where a sequence has any number of wrong labellings: few enough for a round of
`kernlearn.solvers.structured.solver` to improve the multipliers of all of them, arrays of shape (n, 3, k) for a, b and
b*, those of true classes 0. Outputs that get one are the cuts. What improves them is

- in the first round, where K has few directions, interior points for the weights of all classes at once
  (`kernlearn.solvers.structured.class_interior`); and again in round `LATE_ROUND`, when with a bound K may have more of
  them;
- in other rounds with a bound, steps for one example after the other (`kernlearn.solvers.structured.class_descent`),
  which find those multipliers that are not 0, and one Newton step for all of these
  (`kernlearn.solvers.structured.class_newton`);
- in other rounds without a bound, the solver of the multi-class machine, which the program then is
  (`kernlearn.solvers.svm.multiclass`). It comes after interior points, or late: before, single cuts are added, which
  are slow only where K is ill-conditioned and C large.
"""

from math import inf

import numpy as np

from kernlearn.solvers.structured import class_interior
from kernlearn.solvers.structured.class_descent import descend_classes
from kernlearn.solvers.structured.class_newton import newton
from kernlearn.solvers.structured.cut_programs import PASSES
from kernlearn.solvers.structured.cuts import Cuts
from kernlearn.solvers.structured.joint_weights import Weights
from kernlearn.solvers.svm.multiclass import solve_multiclass_svm
from kernlearn.types import Array, Index

#: Operations that the matrix of an iteration of interior points may take, n (r k)^2 of r directions: up to the first an
#: iteration takes some 0.1 CPU seconds, of which a program has 8 to 25; up to the second 5 to 10, which only a program
#: that is slow otherwise is worth.
FLOPS_AT_ONCE, FLOPS_LATER = 2e9, 1e11
#: The round in which a program counts as slow, and interior points may take that long; after it, classes without a
#: bound are left to the multi-class machine. Where K is not ill-conditioned, some 10 rounds are enough.
LATE_ROUND = 20


class AllOutputs:
    """The program of classes over the multipliers of all outputs.

    Parameters
    ----------
    cuts : Cuts
        Of sequences of one place each. The outputs that get a multiplier are added.
    tol : float
        Relative gap to which one round may solve the whole program.
    """

    def __init__(self, cuts: Cuts, tol: float):
        self.cuts, self.tol = cuts, tol
        #: Z with ``K = ZZ'`` for interior points in the first round, or none.
        self._few_directions = self._directions(FLOPS_AT_ONCE)

    def due(self, rounds: int, B: float) -> bool:
        """Return whether the round of this number, from 1, is to go over all outputs."""
        return B < inf or self._few_directions is not None or rounds > LATE_ROUND

    def improve(self, Z: Array, v: Weights, c: float, B: float, rounds: int) -> tuple[Array, int]:
        """Return better multipliers of the cuts, with those of new ones, and the steps or iterations taken.

        Parameters
        ----------
        Z : array of shape (3, M)
            Multipliers a, b and b* of the cuts; b and b* are 0 if B is infinite.
        v : Weights
            Their combination.
        c, B : float
            As in `kernlearn.solvers.structured.cut_programs`.
        rounds : int
            The number of the round.
        """
        directions = None
        if rounds == 1:
            directions = self._few_directions
        elif rounds == LATE_ROUND:
            directions = self._directions(FLOPS_LATER)
        if directions is not None:
            truth, k = self.cuts.truth, self.cuts.k
            multipliers, steps = class_interior.interior_point(directions, truth, k, c, B, self.tol)
        elif B < inf:
            multipliers, steps = self._with_bound(self._of_all(Z), v, c, B)
        else:
            multipliers, steps = self._without_bound(v, c)
        return self._of_cuts(multipliers), steps

    def _directions(self, flops: float) -> Array | None:
        """Return Z with ``K = ZZ'`` if the matrix of an iteration of interior points takes no more operations."""
        K, k = self.cuts.K, self.cuts.k
        return class_interior.directions(K, int((flops / len(K)) ** 0.5) // k)

    def _with_bound(self, multipliers: Array, v: Weights, c: float, B: float) -> tuple[Array, int]:
        """Improve multipliers by steps for one example after the other, and by one for all of them."""
        K, truth, outputs = self.cuts.K, self.cuts.truth, v.E.T.copy()
        steps = int(descend_classes(K, truth, multipliers, outputs, c, B, PASSES))
        better = newton(K, truth, multipliers, outputs, c, B)
        return (multipliers, steps) if better is None else (better, steps + 1)

    def _without_bound(self, v: Weights, c: float) -> tuple[Array, int]:
        """Return the multipliers of the multi-class machine, whose solver goes on from v: a is -A of wrong classes."""
        cuts = self.cuts
        solution = solve_multiclass_svm(cuts.K, cuts.truth, cuts.k, c, tol=self.tol, start=v.A)
        multipliers = np.zeros((len(cuts.truth), 3, cuts.k))
        multipliers[:, 0] = np.maximum(-solution.x, 0.0)
        multipliers[np.arange(len(cuts.truth)), 0, cuts.truth] = 0.0
        return multipliers, solution.iterations

    def _of_all(self, Z: Array) -> Array:
        """Return the multipliers of cuts as those of all outputs, shape (n, 3, k)."""
        multipliers = np.zeros((len(self.cuts.truth), 3, self.cuts.k))
        for kind in range(3):
            multipliers[self.cuts.sequences, kind, self._classes] = Z[kind]
        return multipliers

    def _of_cuts(self, multipliers: Array) -> Array:
        """Return the multipliers of all outputs as those of cuts, shape (3, M); outputs that have one become cuts."""
        examples, classes = np.nonzero(multipliers.any(axis=1))
        self.cuts.add(examples, list(classes[:, None]))
        return np.ascontiguousarray(multipliers[self.cuts.sequences, :, self._classes].T)

    @property
    def _classes(self) -> Index:
        """The class of every cut."""
        return np.array([way[0] for way in self.cuts.ways], dtype=np.intp)
