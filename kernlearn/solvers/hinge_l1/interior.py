"""A primal-dual interior point method for the linear programs of `kernlearn.solvers.simplex.tableau`.

::

    (D)  max_pi  sum_i pi_i    subject to   -t <= G pi <= t ,   0 <= pi <= u
    (P)  min_a   sum_i u_i max(0, 1 - (G'a)_i) + sum_q t_q |a_q|

for N rows and m variables; a row of G is a column of the problem of `kernlearn.solvers.hinge_l1.problem`, a variable
one of its examples. With ``a = a+ - a-`` and the losses ``s_u - s_l = 1 - G'a``, all four positive, (P) and (D) are
feasible, and the duality gap is the sum of complementarity products. (Points of `only` violate that equation until a
step of length 1 has been taken.) ::

    a+ (t - G pi) ,   a- (t + G pi) ,   s_l pi ,   s_u (u - pi)

Steps are those of Mehrotra (1992), predictor and corrector, with more correctors where they help. Newton's equations
(`kernlearn.solvers.hinge_l1.interior_newton`) are solved until the residual is small beside the slacks that it moves;
by a factor alone the method ends at a gap of 1e-5.
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.hinge_l1.interior_newton import CG_STEPS, DOUBLE, SINGLE, Newton, PerBound, Precision
from kernlearn.threads import one_of_numpy
from kernlearn.types import Array

#: Part of the way to the boundary that a step goes at most.
TO_BOUNDARY = 0.99
#: Rows begin with this part of their bounds as slack: with `ROOM`, or the root of `BETWEEN` times the relative gap if
#: that is less. With less slack the multipliers of the rows change, and with them all losses; with more all pi do.
ROOM, BETWEEN = 0.1, 0.03
#: Part of the mean product that the products have at least at the start. Relative gaps, and losses to divide by, count
#: as at least these: a point at the solution has neither.
CENTRAL, MIN_GAP, MIN_LOSS = 0.1, 1e-12, 1e-12
#: Correctors of one step (Gondzio, 1996), at most so many: each aims at steps longer by `LONGER`, and is kept if it
#: gains the part `MIN_GAIN` of that. None is tried for steps above `LONG_ENOUGH`.
CORRECTORS, LONGER, MIN_GAIN, LONG_ENOUGH = 2, 0.3, 0.1, 0.9
#: Correctors do not change products that are at least this part of the target, and at most the target over it.
CENTRALITY = 0.1
#: The slack of a row counts as at least this part of its bound, and a value as at least this.
TINY = 1e-100
#: At the start pi are no further inside of their bounds than this part of them, whatever their loss.
EDGE = 0.1
#: Steps of at most this length do not count as progress, and after so many of them in a row there is none.
MIN_PROGRESS, STEPS_WITHOUT = 0.02, 5


class InteriorPoint:
    """An inner point of (P) and (D), and the way to better ones.

    Parameters
    ----------
    u : array of shape (m,)
        Bounds > 0 of pi.
    G, t : arrays of shape (N, m), (N,)
        Rows, and their bounds > 0.
    pi : array of shape (m,)
    multipliers : PerBound
        ``a+, a-, s_l, s_u``.
    precision : Precision
        Of factors, until conjugate gradients need many steps with one.

    Attributes
    ----------
    steps : int
        Taken so far.
    """

    def __init__(self, u: Array, G: Array, t: Array, pi: Array, multipliers: PerBound, precision: Precision = DOUBLE):
        self.u, self.G, self.t, self.pi, self.multipliers = u, G, t, pi, multipliers
        self.steps = 0
        self._precision = precision

    @classmethod
    def inside_of(
        cls, u: Array, G: Array, t: Array, pi: Array, a: Array, precision: Precision = DOUBLE
    ) -> "InteriorPoint":
        """Return an inner point next to others of (D) and (P), whose complementarity products are about equal.

        Pi shrink until the rows have room, for from a point next to their bounds no steps lead anywhere; then pi next
        to bounds of their own move inside, as far as takes half of that room. Products of those that stay near may be
        below the mean: the multipliers that would mend it make a larger gap than the one there is.
        """
        pi = np.clip(pi, 0.0, u)
        pi = pi / max(1.0, float((np.abs(G @ pi) / t).max(initial=0.0)))
        loss = 1.0 - a @ G
        value = float(u @ np.maximum(loss, 0.0) + t @ np.abs(a))
        gap = max(value - float(pi.sum()), MIN_GAP * max(value, MIN_GAP * float(u.sum())))
        mean = CENTRAL * gap / (2 * (len(t) + len(u)))
        room = min(ROOM, float(np.sqrt(BETWEEN * gap / max(value, gap))))
        pi = pi * (1.0 - room)
        edge = np.minimum(mean / np.maximum(np.abs(loss), MIN_LOSS), EDGE * u)
        z, inwards = G @ pi, np.clip(pi, edge, u - edge) - pi
        pi = pi + longest(z, G @ inwards, (1.0 - 0.5 * room) * t) * inwards
        z = G @ pi
        slacks = PerBound(t - z, t + z, pi, u - pi)
        upper, lower = np.maximum(a, 0.0) + mean / slacks.upper, np.maximum(-a, 0.0) + mean / slacks.lower
        loss = 1.0 - (upper - lower) @ G
        # At most the room, as a part of the mean loss: more would cost more than the gap where nearly all losses are 0.
        more = np.minimum(mean / np.minimum(slacks.zero, slacks.full), room * min(1.0, value / float(u.sum())))
        multipliers = PerBound(upper, lower, np.maximum(-loss, 0.0) + more, np.maximum(loss, 0.0) + more)
        return cls(u, G, t, pi, multipliers, precision)

    @property
    def a(self) -> Array:
        """Coefficients of the rows."""
        return self.multipliers.upper - self.multipliers.lower

    @property
    def slacks(self) -> PerBound:
        """Distances from the four bounds."""
        z = self.G @ self.pi
        return PerBound(self.t - z, self.t + z, self.pi, self.u - self.pi)

    @property
    def value(self) -> float:
        """The value of (P) at a."""
        return self.value_at(self.a)

    def value_at(self, a: Array) -> float:
        """Return the value of (P) at any coefficients."""
        return float(self.u @ np.maximum(1.0 - a @ self.G, 0.0) + self.t @ np.abs(a))

    @property
    def gap(self) -> float:
        """The gap to the value of (D) at pi, relative to that of (P)."""
        value = self.value
        return (value - float(self.pi.sum())) / value if value > 0.0 else 0.0

    @property
    def row_odds(self) -> Array:
        """The multiplier of every row over its slack, without units: above 1 the row probably has a coefficient."""
        x, s, t = self.multipliers, self.slacks, self.t
        odds: Array = np.maximum(*(a / np.maximum(slack, TINY * t) for a, slack in zip(x[:2], s[:2], strict=True)))
        return odds * t**2 * (len(t) / max(self.value, TINY))

    @property
    def example_odds(self) -> Array:
        """The smaller slack of every pi over its multiplier: above 1 it is probably strictly inside its bounds."""
        x, s = self.multipliers, self.slacks
        odds: Array = np.minimum(s.zero / x.zero, s.full / x.full) / self.u
        return odds

    def only(self, kept: NDArray[np.bool_] | slice, G: Array, precision: Precision) -> "InteriorPoint":
        """Return the point of the program of some rows, G; what others had, the next steps make up for."""
        upper, lower, *losses = self.multipliers
        return InteriorPoint(self.u, G, self.t[kept], self.pi, PerBound(upper[kept], lower[kept], *losses), precision)

    @property
    def single(self) -> bool:
        """Whether factors of single precision have been enough."""
        return self._precision is SINGLE

    def advance(self, goal: float, max_steps: int) -> bool:
        """Take steps until the relative gap is at most `goal`; return whether it is, after at most `max_steps`."""
        short = 0
        with one_of_numpy():
            for _ in range(max_steps):
                if self.gap <= goal:
                    return True
                length = self._step()
                self.steps += 1
                short = short + 1 if length < MIN_PROGRESS else 0
                if short == STEPS_WITHOUT or not length:
                    break
            return self.gap <= goal

    def _step(self) -> float:
        """Take one step; return the shorter length of those of pi and the multipliers, 0 if there is none to take."""
        x, s = self.multipliers, self.slacks
        if not all((values > 0.0).all() for values in (*x, *s)):  # no further in double precision
            return 0.0
        mean = x.dot(s) / (2 * sum(map(len, (self.t, self.u))))
        predicted = self._predict(x, s)
        if predicted is None:
            return 0.0
        newton, dx, ds = predicted
        after = x.along(dx, min(1.0, x.longest(dx))).dot(s.along(ds, min(1.0, s.longest(ds))))
        target = mean * (after / x.dot(s)) ** 3  # Mehrotra's rule
        products = PerBound(*(target - p * q for p, q in zip(dx, ds, strict=True)))
        dx, ds, cg_steps = _corrected(newton, products, target)
        if self._precision.better and cg_steps > self._precision.patience:
            self._precision = self._precision.better
        length, forward = _lengths(newton, dx, ds)
        self.pi = self.pi + forward * ds.zero
        self.multipliers = x.along(dx, length)
        return min(forward, length)

    def _predict(self, x: PerBound, s: PerBound) -> tuple[Newton, PerBound, PerBound] | None:
        """Return Newton's equations, and the steps to products of 0; None if the equations have no factor."""
        zeros = PerBound(*map(np.zeros_like, x))
        while True:
            newton, better = Newton.of(self.G, x, s, self._precision), self._precision.better
            if newton:
                dx, ds, cg_steps = newton.direction(zeros, min(CG_STEPS, self._precision.patience + 1))
                if not better or cg_steps <= self._precision.patience:
                    return newton, dx, ds
            if not better:
                return None
            self._precision = better


def _corrected(newton: Newton, products: PerBound, target: float) -> tuple[PerBound, PerBound, int]:
    """Return the steps to given products and on to less uneven ones, as long as that makes the steps longer.

    Those are the correctors of Gondzio (1996): where a longer step would leave products far from the target, it should
    not. A factor takes as long as many of them. The number is that of steps of conjugate gradients for the last.
    """
    dx, ds, cg_steps = newton.direction(products)
    lengths = _lengths(newton, dx, ds)
    for _ in range(CORRECTORS):
        if min(lengths) > LONG_ENOUGH:
            break
        x, s = (
            v.along(dv, min(1.0, length + LONGER))
            for v, dv, length in zip((newton.x, newton.s), (dx, ds), lengths, strict=True)
        )
        reached = [p * q for p, q in zip(x, s, strict=True)]
        change = (np.clip(r, CENTRALITY * target, target / CENTRALITY) - r for r in reached)
        products = PerBound(*(p + np.maximum(c, -target / CENTRALITY) for p, c in zip(products, change, strict=True)))
        better_dx, better_ds, cg_steps = newton.direction(products)
        better = _lengths(newton, better_dx, better_ds)
        if sum(better) < sum(lengths) + MIN_GAIN * LONGER:
            break
        dx, ds, lengths = better_dx, better_ds, better
    return dx, ds, cg_steps


def _lengths(newton: Newton, dx: PerBound, ds: PerBound) -> tuple[float, float]:
    """Return the lengths of steps that multipliers and slacks can take, at most 1."""
    return min(1.0, TO_BOUNDARY * newton.x.longest(dx)), min(1.0, TO_BOUNDARY * newton.s.longest(ds))


def longest(z: Array, dz: Array, t: Array) -> float:
    """Return the largest part of a step dz, at most all of it, after which ``-t <= z <= t`` still holds."""
    return min(1.0, float(((t - np.sign(dz) * z) / np.maximum(np.abs(dz), TINY)).min(initial=1.0)))
