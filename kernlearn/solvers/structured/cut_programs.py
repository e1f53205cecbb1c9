"""The program over a set of cuts, near a given w, to a gap of its own.

::

    max_{a,b,b* >= 0}  sum a - B sum (b + b*) - v.o - 1/2 |v|^2 ,   v = sum_j (a - b + b*)_j d_j ,
    subject to         sum_{j of i} a_j <= c   for every sequence i,

the dual of ``min 1/2 |w - o|^2 + c sum_i max(0, 1 - min_j w.d_j)`` with ``|w.d_j| <= B`` at ``w = o + v``, for cuts d_j
(`kernlearn.solvers.structured.cuts`); o is 0 but in proximal steps (`kernlearn.solvers.structured.solver`).
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from kernlearn.certificates import relative_gap
from kernlearn.solvers.core.qp import Bounds, QuadraticProgram
from kernlearn.solvers.structured.cut_descent import descend
from kernlearn.solvers.structured.cuts import Cuts
from kernlearn.solvers.structured.joint_weights import Weights, best_multiple
from kernlearn.types import Array

#: Passes of coordinate descent between two looks at the gap over the cuts, and the most looks.
PASSES, LOOKS = 20, 300


@dataclass(frozen=True)
class CutProgram:
    """The program over cuts."""

    #: Of n sequences; M of them.
    cuts: Cuts
    #: `centre`, `start`: o, and the v of the multipliers that are to be improved.
    centre: Weights
    start: Weights
    c: float
    B: float

    def descend(self, Z: Array, aim: float, looks: int = LOOKS) -> tuple[int, bool]:
        """Improve the multipliers a, b and b* of cuts, shape (3, M), in place to a relative gap.

        Returns
        -------
        int, bool
            The steps, and whether the gap is reached.
        """
        n, sequences = len(self.cuts.starts) - 1, self.cuts.sequences
        order = np.argsort(sequences, kind="stable")
        groups = np.searchsorted(sequences[order], np.arange(n + 1))
        given, steps = self.cuts.outputs(self.centre), 0
        q = given + self.cuts.outputs(self.start)
        for _ in range(looks):
            if self._gap(Z, q - given, q) <= aim:
                return steps, True
            n_steps = descend(self.cuts.gram, groups, order, Z, q, self.c, self.B, PASSES)
            steps += n_steps
            if not n_steps:
                break
        return steps, False

    def _gap(self, Z: Array, own: Array, q: Array) -> float:
        """Return the gap over the cuts, of the best multiple of w within the bounds; `own` is the part of v in q."""
        n, centre, coefficients = len(self.cuts.starts) - 1, self.centre.squares, Z[0] - Z[1] + Z[2]
        smallest = np.full(n, inf)
        np.minimum.at(smallest, self.cuts.sequences, q)
        v, pull = float(coefficients @ own), float(coefficients @ (q - own))  # |v|^2 and v.o
        largest = float(np.abs(q).max())
        most = self.B / largest if largest > 0.0 else inf
        squares = centre + 2.0 * pull + v
        value, _ = best_multiple(squares, smallest[smallest < inf], self.c, most, centre + pull)
        bounded = float(Z[1:].sum())
        dual = float(Z[0].sum()) - (self.B * bounded if bounded else 0.0) - pull - 0.5 * v
        return relative_gap(value + 0.5 * centre, dual, self.c * n)

    def by_osqp(self, Z: Array, aim: float) -> tuple[int, bool]:
        """Do so by OSQP, in units in which margins of 1 and the largest are next to 1; worse multipliers are left."""
        G, M = self.c * self.cuts.gram, len(self.cuts)
        present, sequence = np.unique(self.cuts.sequences, return_inverse=True)
        signs = np.array([1.0] if self.B == inf else [1.0, -1.0, 1.0])
        sums = np.zeros((len(present), len(signs) * M))
        sums[sequence, np.arange(M)] = 1.0
        levels = np.array([-1.0, self.B, self.B][: len(signs)])
        q = np.add.outer(levels, np.zeros(M)) + np.outer(signs, self.cuts.outputs(self.centre))
        P = np.kron(np.outer(signs, signs), G).astype(np.float64)
        program = QuadraticProgram(P, sums, min(1e-6, 0.1 * aim))
        none, every = np.zeros(len(present)), np.ones(len(present))
        solution = program.solve(q.ravel(), Bounds(none, every, np.zeros(q.size), np.full(q.size, inf)))
        multipliers = np.zeros((3, M))
        multipliers[: len(signs)] = self.c * np.maximum(solution.x, 0.0).reshape(len(signs), M)
        make_feasible(multipliers, self.cuts, self.c, self.B)
        gap = self.gap(multipliers)
        if not gap >= self.gap(Z):
            Z[:] = multipliers
        return solution.iterations, gap <= aim

    def gap(self, Z: Array) -> float:
        """Return the relative gap over the cuts that multipliers have."""
        own, given = (self.cuts.outputs(w) for w in (self.cuts.combine(Z[0] - Z[1] + Z[2]), self.centre))
        return self._gap(Z, own, given + own)


def make_feasible(Z: Array, cuts: Cuts, c: float, B: float) -> None:
    """Scale multipliers that a smaller c has no room for, in place; those of bounds are 0 where there are none."""
    totals = np.bincount(cuts.sequences, Z[0], len(cuts.starts) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        Z[0] *= np.where(totals > c, c / totals, 1.0)[cuts.sequences]
    if B == inf:
        Z[1:] = 0.0
