"""A primal-dual interior point method for the linear programs of `kernlearn.solvers.tableau`, from any inner point.

::

    (D)  max_pi  sum_i pi_i    subject to   -t <= G pi <= t ,   0 <= pi <= u
    (P)  min_a   sum_i u_i max(0, 1 - (G'a)_i) + sum_q t_q |a_q|

for N rows and m variables. With ``a = a+ - a-`` and the losses ``s_u - s_l = 1 - G'a``, all four positive, (P) and (D)
are feasible at every step, and the duality gap is the sum of the complementarity products::

    a+ (t - G pi) ,   a- (t + G pi) ,   s_l pi ,   s_u (u - pi)

Steps are those of Mehrotra (1992), predictor and corrector. Newton's equations are solved for the steps of a (N
equations), or for those of pi of the examples that are strictly inside (0, u) (as many equations), whichever are fewer:
a Cholesky factor that leaves out what hardly matters is the preconditioner of conjugate gradients on all of them. These
go on until the residual is small beside the slacks that it moves; without them the method ends at a gap of 1e-5.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotrs

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Map = Callable[[Array], Array]

#: Part of the way to the boundary that a step goes at most.
TO_BOUNDARY = 0.99
#: Part of their bounds that rows have as room at most when it starts: the root of so many times the relative gap. Less
#: room moves the multipliers of the rows, and with them all losses, more room the pi.
ROOM, BETWEEN = 0.1, 0.03
#: Part of the mean product that the products have at least, and of the value that their sum counts as at least.
CENTRAL, LEAST = 0.1, 1e-12
#: Slacks of rows below this part of their bounds, and values, count as this much.
TINY = 1e-100
#: Part of its bounds within which pi may come when it starts, whatever its loss.
EDGE = 0.1
#: Examples with a weight in the matrix of the rows below this part of the largest are left to conjugate gradients.
LIGHT = 1e-5
#: In the matrix of the examples, those are left to them whose diagonal is this many times what the rows add to it.
HEAVY = 100.0
#: Values of which a copy is made at a time.
COPIED = 2**25
#: Residuals in parts of the smallest slacks they move, steps of conjugate gradients that get there at most.
RESIDUAL, CG_STEPS = 1e-2, 40
#: Multiples of the largest diagonal entry that are added where a matrix is not definite.
RIDGES = (1e-14, 1e-12, 1e-10)
#: Steps of at most this length do not count as progress, and after so many of them in a row there is none.
SHORT, SHORT_STEPS = 0.02, 5


class Slacks(NamedTuple):
    """Multipliers, or their slacks, or steps of either, of the four kinds of bounds: shapes (N,), (N,), (m,), (m,)."""

    upper: Array
    lower: Array
    zero: Array
    full: Array

    def along(self, step: "Slacks", length: float) -> "Slacks":
        """Return the point that is `length` steps on."""
        return Slacks(*(x + length * d for x, d in zip(self, step, strict=True)))

    def dot(self, other: "Slacks") -> float:
        """Return the inner product."""
        return float(sum(x @ z for x, z in zip(self, other, strict=True)))

    def longest(self, step: "Slacks") -> float:
        """Return how many steps may be taken until one of the values is 0."""
        ratios = (-x[d < 0.0] / d[d < 0.0] for x, d in zip(self, step, strict=True))
        return min((float(ratio.min()) for ratio in ratios if len(ratio)), default=np.inf)


class Interior:
    """An inner point of (P) and (D), and the way to better ones.

    Parameters
    ----------
    u : array of shape (m,)
        Bounds > 0 of pi.
    G, t : arrays of shape (N, m), (N,)
        Rows, and their bounds > 0.
    pi : array of shape (m,)
    multipliers : Slacks
        ``a+, a-, s_l, s_u``.

    Attributes
    ----------
    steps : int
        Taken so far.
    """

    def __init__(self, u: Array, G: Array, t: Array, pi: Array, multipliers: Slacks):
        self.u, self.G, self.t, self.pi, self.multipliers = u, G, t, pi, multipliers
        self.steps = 0

    @classmethod
    def near(cls, u: Array, G: Array, t: Array, pi: Array, a: Array) -> "Interior":
        """Return an inner point next to others of (D) and (P), with products of the mean but for few.

        Pi shrink until the rows have room, for from a point next to their bounds no steps lead anywhere; then pi next
        to bounds of their own move inside, as far as takes half of that room. Products of those that stay near may be
        below the mean: the multipliers that would mend it make a larger gap than the one there is.
        """
        pi = np.clip(pi, 0.0, u)
        pi = pi / max(1.0, float((np.abs(G @ pi) / t).max(initial=0.0)))
        loss = 1.0 - a @ G
        value = float(u @ np.maximum(loss, 0.0) + t @ np.abs(a))
        gap = max(value - float(pi.sum()), LEAST * max(value, LEAST * float(u.sum())))
        mean = CENTRAL * gap / (2 * (len(t) + len(u)))
        room = min(ROOM, float(np.sqrt(BETWEEN * gap / max(value, gap))))
        pi = pi * (1.0 - room)
        edge = np.minimum(mean / np.maximum(np.abs(loss), LEAST), EDGE * u)
        z, inwards = G @ pi, np.clip(pi, edge, u - edge) - pi
        pi = pi + longest(z, G @ inwards, (1.0 - 0.5 * room) * t) * inwards
        z = G @ pi
        slacks = Slacks(t - z, t + z, pi, u - pi)
        upper, lower = np.maximum(a, 0.0) + mean / slacks.upper, np.maximum(-a, 0.0) + mean / slacks.lower
        loss = 1.0 - (upper - lower) @ G
        more = np.minimum(mean / np.minimum(slacks.zero, slacks.full), room)
        return cls(u, G, t, pi, Slacks(upper, lower, np.maximum(-loss, 0.0) + more, np.maximum(loss, 0.0) + more))

    @property
    def a(self) -> Array:
        """Coefficients of the rows."""
        return self.multipliers.upper - self.multipliers.lower

    @property
    def slacks(self) -> Slacks:
        """Distances from the four bounds."""
        z = self.G @ self.pi
        return Slacks(self.t - z, self.t + z, self.pi, self.u - self.pi)

    @property
    def value(self) -> float:
        """The value of (P) at a."""
        return float(self.u @ np.maximum(1.0 - self.a @ self.G, 0.0) + self.t @ np.abs(self.a))

    @property
    def gap(self) -> float:
        """The gap to the value of (D) at pi, relative to that of (P)."""
        value = self.value
        return (value - float(self.pi.sum())) / value if value > 0.0 else 0.0

    @property
    def likely_rows(self) -> Array:
        """The odds that a row has a coefficient: what it has beside its slack, both in parts of what they may be."""
        x, s, t = self.multipliers, self.slacks, self.t
        shares: Array = np.maximum(*(a / np.maximum(slack, TINY * t) for a, slack in zip(x[:2], s[:2], strict=True)))
        return shares * t**2 * (len(t) / max(self.value, TINY))

    def solve(self, goal: float, most: int) -> bool:
        """Take steps until the relative gap is at most `goal`; return whether it is, after at most `most` of them."""
        short = 0
        for _ in range(most):
            if self.gap <= goal:
                return True
            length = self._step()
            self.steps += 1
            short = short + 1 if length < SHORT else 0
            if short == SHORT_STEPS or not length:
                break
        return self.gap <= goal

    def _step(self) -> float:
        """Take one step; return the shorter length of those of pi and the multipliers, 0 if there is none to take."""
        x, s = self.multipliers, self.slacks
        if not all((values > 0.0).all() for values in (*x, *s)):  # no further in double precision
            return 0.0
        mean = x.dot(s) / (2 * sum(map(len, (self.t, self.u))))
        newton = Newton.of(self.G, x, s)
        if newton is None:
            return 0.0
        zeros = Slacks(*map(np.zeros_like, x))
        dx, ds = newton.direction(zeros)
        after = x.along(dx, min(1.0, x.longest(dx))).dot(s.along(ds, min(1.0, s.longest(ds))))
        target = mean * (after / x.dot(s)) ** 3
        dx, ds = newton.direction(Slacks(*(target - p * q for p, q in zip(dx, ds, strict=True))))
        forward = min(1.0, TO_BOUNDARY * s.longest(ds))
        length = min(1.0, TO_BOUNDARY * x.longest(dx))
        self.pi = self.pi + forward * ds.zero
        upper, lower, zero, full = x.along(dx, length)
        off = 1.0 - (upper - lower) @ self.G - (full - zero)  # what rounding has moved
        self.multipliers = Slacks(upper, lower, zero + np.maximum(-off, 0.0), full + np.maximum(off, 0.0))
        return min(forward, length)


class Newton(NamedTuple):
    """Newton's equations at a point, for any products that are to be reached.

    Attributes
    ----------
    G : array of shape (N, m)
    x, s : Slacks
        Multipliers and slacks.
    rows, examples : arrays of shape (N,), (m,)
        ``1 / (a+/(t - z) + a-/(t + z))`` and ``1 / (s_l/pi + s_u/(u - pi))``.
    by_examples : bool
        Whether the equations are those of the steps of pi.
    precondition : callable
        An approximate inverse of their matrix.
    """

    G: Array
    x: Slacks
    s: Slacks
    rows: Array
    examples: Array
    by_examples: bool
    precondition: Map

    @classmethod
    def of(cls, G: Array, x: Slacks, s: Slacks) -> "Newton | None":
        """Return the equations with their factor; None if there is none in double precision."""
        rows = 1.0 / (x.upper / s.upper + x.lower / s.lower)
        examples = 1.0 / (x.zero / s.zero + x.full / s.full)
        added = np.concatenate([(1.0 / rows) @ G[:, part] ** 2 for part in _parts(len(examples), len(rows))])
        free = np.flatnonzero(1.0 < HEAVY * added * examples)
        if len(free) < len(rows):
            scaled = G[:, free] / np.sqrt(rows)[:, None]
            M = dsyrk(1.0, scaled.T, lower=1) if len(free) else np.zeros((0, 0))  # BLAS takes no empty matrix
            inverse = _factor(M, 1.0 / examples[free])
            diagonal = 1.0 / examples + added
        else:
            free = np.arange(len(rows))
            heavy = np.flatnonzero(examples > LIGHT * examples.max())
            M = np.zeros((len(rows), len(rows)), order="F")
            for part in _parts(len(heavy) if len(rows) else 0, len(rows)):
                scaled = G[:, heavy[part]] * np.sqrt(examples[heavy[part]])
                M = dsyrk(1.0, scaled.T, beta=1.0, c=M, trans=1, lower=1, overwrite_c=1)
            inverse = _factor(M, rows)
            diagonal = rows
        if inverse is None:
            return None

        def precondition(b: Array) -> Array:
            out: Array = b / diagonal
            out[free] = inverse(b[free])
            return out

        return cls(G, x, s, rows, examples, diagonal is not rows, precondition)

    def direction(self, products: Slacks) -> tuple[Slacks, Slacks]:
        """Return the steps of multipliers and slacks after which the products are as given, to first order."""
        G, x, s, rows, examples = self.G, self.x, self.s, self.rows, self.examples
        to = Slacks(*(c / slack for c, slack in zip(products, s, strict=True)))  # multipliers, if slacks stay
        change_a = (to.upper - to.lower) - (x.upper - x.lower)
        push = (to.zero - to.full) - (x.zero - x.full)
        if self.by_examples:
            b = push - change_a @ G
            small = RESIDUAL * np.minimum(x.zero, x.full)
            d_pi = _solve(lambda v: v / examples + ((G @ v) / rows) @ G, b, self.precondition, small)
            dz = G @ d_pi
        else:
            b = rows * change_a + G @ (examples * push)
            small = RESIDUAL * np.minimum(s.upper, s.lower)
            da = _solve(lambda v: rows * v + G @ (examples * (v @ G)), b, self.precondition, small)
            d_pi = examples * (push - da @ G)
            dz = rows * (da - change_a)  # not G d_pi, the rounding of which the quotients a+/(t - z) would multiply
        ds = Slacks(-dz, dz, d_pi, -d_pi)
        return Slacks(*(c - p - p / q * d for c, p, q, d in zip(to, x, s, ds, strict=True))), ds


def longest(z: Array, dz: Array, t: Array) -> float:
    """Return the largest part of a step dz, at most all of it, after which ``-t <= z <= t`` still holds."""
    return min(1.0, float(((t - np.sign(dz) * z) / np.maximum(np.abs(dz), TINY)).min(initial=1.0)))


def _parts(n: int, n_rows: int) -> Iterator[slice]:
    """Yield some of n examples at a time: a copy of all their values would take as much memory as they do."""
    step = COPIED // max(1, n_rows)
    return (slice(start, start + step) for start in range(0, n, step))


def _factor(M: Array, diagonal: Array) -> Map | None:
    """Return the inverse of M, of which the lower half is there, plus a diagonal matrix; None if it is not definite."""
    if not len(M):  # nothing is coupled
        return lambda b: b
    i = np.arange(len(M))
    M[i, i] += diagonal
    largest = float(M[i, i].max(initial=0.0))
    for ridge in RIDGES:
        shifted = M.copy(order="F")
        shifted[i, i] += ridge * largest
        L, failed = dpotrf(shifted, lower=1, overwrite_a=1)
        if not failed:
            return lambda b: dpotrs(L, b, lower=1)[0]
    return None


def _solve(multiply: Map, b: Array, precondition: Map, small: Array) -> Array:
    """Solve a definite system by conjugate gradients, until all residuals are `small`."""
    x = precondition(b)
    r = b - multiply(x)
    z = precondition(r)
    p, rz = z, float(r @ z)
    for _ in range(CG_STEPS):
        if (np.abs(r) <= small).all() or not rz > 0.0:
            break
        Mp = multiply(p)
        length = rz / float(p @ Mp)
        x, r = x + length * p, r - length * Mp
        z = precondition(r)
        before, rz = rz, float(r @ z)
        p = z + (rz / before) * p
    return x
