"""Newton's equations of `kernlearn.solvers.hinge_l1.interior`, by a factor and conjugate gradients.

The equations are those of the steps of a (N), or of the steps of pi of the examples that are strictly inside (0, u) (as
many), whichever are fewer. Conjugate gradients solve all of them, until the residual is small beside what it moves, or
`CG_STEPS` are over; their preconditioner is a Cholesky factor. At best it is of single precision, which takes half the
time, and leaves out examples that hardly matter. Next to the solution, and where columns are nearly dependent,
conjugate gradients need many steps with it; then come one of double precision, and one with all examples.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dsyrk, dtrsv, ssyrk, strsv
from scipy.linalg.lapack import dpotrf, spotrf

from kernlearn.solvers.hinge_l1.interior_matrices import sums_of_columns, sums_of_rows, write_scaled
from kernlearn.types import Array, Index

Map = Callable[[Array], Array]

#: Examples with a weight in the matrix of the rows below this part of the largest may be left to conjugate gradients.
LIGHT = 1e-5
#: So are equations whose own diagonal is at least this many times what the others add to it.
UNCOUPLED = 100.0
#: Values of which a copy is made at a time.
COPIED = 2**23
#: Residuals in parts of the smallest slacks they move, steps of conjugate gradients that get there at most.
RESIDUAL, CG_STEPS = 1e-2, 40
#: Rounding error of single precision.
SINGLE_EPS = float(np.finfo(np.float32).eps)


class Precision(NamedTuple):
    """How precise factors are, and with what products, factors and solutions.

    `ridges` are added to a diagonal of ones, for n equations the next one where a matrix is not definite. Examples with
    a weight below the part `light` of the largest are left out of the matrix of the rows. Where conjugate gradients
    take more than `patience` steps, the precision should be `better`: `WHOLE` is double precision with all examples.
    """

    dtype: type
    product: Callable[..., Any]
    factor: Callable[..., Any]
    solve: Callable[..., Any]
    ridges: Callable[[int], tuple[float, ...]]
    light: float
    patience: int
    better: "Precision | None"


WHOLE = Precision(np.float64, dsyrk, dpotrf, dtrsv, lambda n: (1e-14, 1e-12, 1e-10), 0.0, CG_STEPS, None)
DOUBLE = WHOLE._replace(light=LIGHT, patience=CG_STEPS - 1, better=WHOLE)
SINGLE = Precision(np.float32, ssyrk, spotrf, strsv, lambda n: (SINGLE_EPS * n**0.5,), LIGHT, 10, DOUBLE)


class PerBound(NamedTuple):
    """Multipliers, or their slacks, or steps of either, of the four kinds of bounds: shapes (N,), (N,), (m,), (m,)."""

    upper: Array
    lower: Array
    zero: Array
    full: Array

    def along(self, step: "PerBound", length: float) -> "PerBound":
        """Return the point that is `length` steps on."""
        return PerBound(*(x + length * d for x, d in zip(self, step, strict=True)))

    def dot(self, other: "PerBound") -> float:
        """Return the inner product."""
        return float(sum(x @ z for x, z in zip(self, other, strict=True)))

    def longest(self, step: "PerBound") -> float:
        """Return how many steps may be taken until one of the values is 0."""
        ratios = (-x[d < 0.0] / d[d < 0.0] for x, d in zip(self, step, strict=True))
        return min((float(ratio.min()) for ratio in ratios if len(ratio)), default=np.inf)


class Newton(NamedTuple):
    """Newton's equations at a point, for any products that are to be reached."""

    #: Shape (N, m).
    G: Array
    #: `x`, `s`: multipliers and slacks.
    x: PerBound
    s: PerBound
    #: `rows`, `examples`, shape (N,), (m,): ``1 / (a+/(t - z) + a-/(t + z))`` and ``1 / (s_l/pi + s_u/(u - pi))``.
    rows: Array
    examples: Array
    #: Shape (m,): ``1 - G'a``.
    losses: Array
    #: Whether the equations are those of the steps of pi.
    by_examples: bool
    #: An approximate inverse of their matrix.
    precondition: Map

    @classmethod
    def of(cls, G: Array, x: PerBound, s: PerBound, precision: Precision) -> "Newton | None":
        """Return the equations with a factor of some precision; None if there is none."""
        rows = 1.0 / (x.upper / s.upper + x.lower / s.lower)
        examples = 1.0 / (x.zero / s.zero + x.full / s.full)
        added = sums_of_columns(G, 1.0 / rows)
        free = np.flatnonzero(1.0 < UNCOUPLED * added * examples)
        by_examples = len(free) < len(rows)
        if by_examples:
            weights, own = 1.0 / rows, 1.0 / examples
        else:
            weights, own = np.where(examples > precision.light * examples.max(), examples, 0.0), rows
            added = sums_of_rows(G, weights)
            free = np.flatnonzero(rows < UNCOUPLED * added) if precision.light else np.arange(len(rows))
        diagonal = own + added
        scale = 1.0 / np.sqrt(diagonal[free])
        pieces = _pieces(G, weights, free, scale, by_examples, precision.dtype)
        inverse = _inverse(pieces, scale, own[free], by_examples, precision)
        if inverse is None:
            return None

        def precondition(b: Array) -> Array:
            out: Array = b / diagonal
            out[free] = inverse(b[free])
            return out

        return cls(G, x, s, rows, examples, 1.0 - (x.upper - x.lower) @ G, by_examples, precondition)

    def direction(self, products: PerBound, most: int = CG_STEPS) -> tuple[PerBound, PerBound, int]:
        """Return the steps of multipliers and slacks after which the products are as given, to first order.

        They also make up for what the losses differ from ``1 - G'a``. The number says how many steps conjugate
        gradients took, of at most `most`.
        """
        G, x, s, rows, examples = self.G, self.x, self.s, self.rows, self.examples
        to = PerBound(*(c / slack for c, slack in zip(products, s, strict=True)))  # multipliers, if slacks stay
        change_a = (to.upper - to.lower) - (x.upper - x.lower)
        push = (to.zero - to.full) + self.losses
        if self.by_examples:
            b = push - change_a @ G
            small = RESIDUAL * np.minimum(x.zero, x.full)
            d_pi, steps = _solve(lambda v: v / examples + ((G @ v) / rows) @ G, b, self.precondition, small, most)
            dz = G @ d_pi
        else:
            b = rows * change_a + G @ (examples * push)
            small = RESIDUAL * np.minimum(s.upper, s.lower)
            da, steps = _solve(lambda v: rows * v + G @ (examples * (v @ G)), b, self.precondition, small, most)
            d_pi = examples * (push - da @ G)
            dz = rows * (da - change_a)  # not G d_pi, the rounding of which the quotients a+/(t - z) would multiply
        ds = PerBound(-dz, dz, d_pi, -d_pi)
        return PerBound(*(c - p - p / q * d for c, p, q, d in zip(to, x, s, ds, strict=True))), ds, steps


def _pieces(
    G: Array, weights: Array, free: Index, scale: Array, by_examples: bool, dtype: type
) -> Iterator[NDArray[Any]]:
    """Yield the V_q of `_inverse`: rows of G, or its columns, times the roots of their weights > 0.

    All are made in the same place, of at most `COPIED` values: a copy of all of G would take as much as that does.
    """
    weighty, n = np.flatnonzero(weights), len(free)
    roots = np.sqrt(weights[weighty])
    step = max(1, min(len(weighty), COPIED // max(1, n)))
    place: NDArray[Any] = np.empty(step * n, dtype)
    for start in range(0, len(weighty), step):
        some, of_some = weighty[start : start + step], roots[start : start + step]
        V = place[: len(some) * n].reshape((len(some), n) if by_examples else (n, len(some)))
        if by_examples:
            write_scaled(G, some, free, of_some, scale, V)
        else:
            write_scaled(G, free, some, scale, of_some, V)
        yield V


def _inverse(
    pieces: Iterable[NDArray[Any]], scale: Array, diagonal: Array, by_examples: bool, precision: Precision
) -> Map | None:
    """Return the inverse of ``sum_q V_q'V_q``, or ``sum_q V_q V_q'``, plus a diagonal matrix; None if not definite.

    By examples it is the first. The V_q are multiplied by `scale` on the side of the equations, which makes ones of the
    diagonal of the sum.
    """
    n = len(scale)
    if not n:  # nothing is coupled
        return lambda b: b
    M: NDArray[Any] = np.zeros((n, n), precision.dtype, order="F")
    i = np.arange(n)
    for V in pieces:
        M = precision.product(1.0, V.T, beta=1.0, c=M, trans=not by_examples, lower=1, overwrite_c=1)
    M[i, i] += scale**2 * diagonal
    *others, last = precision.ridges(n)
    for ridge in (*others, last):
        shifted = M if ridge == last else M.copy(order="F")
        shifted[i, i] += ridge
        L, failed = precision.factor(shifted, lower=1, overwrite_a=1)
        if not failed:
            return lambda b: scale * _solved(precision, L, (scale * b).astype(precision.dtype))
    return None


def _solved(precision: Precision, L: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return ``(LL')^{-1} b``, of one b several times as fast as LAPACK's potrs, which is made for many."""
    return precision.solve(L, precision.solve(L, b, lower=1), lower=1, trans=1)


def _solve(multiply: Map, b: Array, precondition: Map, small: Array, most: int) -> tuple[Array, int]:
    """Solve a definite system by conjugate gradients, until all residuals are `small`; return how many steps, too."""
    x = precondition(b)
    r = b - multiply(x)
    z = precondition(r)
    p, rz, steps = z, float(r @ z), 0
    while steps < most:
        if (np.abs(r) <= small).all() or not rz > 0.0:
            break
        Mp = multiply(p)
        curvature = float(p @ Mp)
        if not curvature > 0.0:  # p is next to nothing, or beyond all numbers
            break
        length = rz / curvature
        x, r = x + length * p, r - length * Mp
        z = precondition(r)
        before, rz = rz, float(r @ z)
        p, steps = z + (rz / before) * p, steps + 1
    return x, steps
