"""Hinge loss with a weighted l1 penalty over very many columns: the problem, and the certificate of its solutions.

Problem, for a matrix A with m rows and columns indexed by q::

    (P)  min_a   (1/m) sum_i max(0, 1 - (A a)_i) + sum_q c_q |a_q|
    (D)  max_u   sum_i u_i   subject to   |A' u|_q <= c_q for all q,   0 <= u_i <= 1/m

(D) has one row for every column of A; only those that are violated are ever put into the linear program, which makes
the method column generation on (P). With ``pi = m u`` the box is [0, 1] whatever m. Source: Cortes, Goyal, Kuznetsov
and Mohri (2015), section 5.1, whose printed program lacks ``xi >= 0``; the dual and the certificate are derived here.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import relative_gap, status_of
from kernlearn.solvers.solution import Solution

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: The relative gaps that are reached by default: at a vertex, and by interior points alone.
VERTEX_TOL, INTERIOR_TOL = 1e-9, 1e-4
#: Rounds of columns for one program after which a method at vertices gives up.
MAX_ROUNDS = 1000
#: Violated columns added in one round; more make the linear program grow faster than it converges.
COLUMNS_A_ROUND = 60
#: Bounds below this, zero among them, count as this when a violation is made relative.
SMALLEST_LIMIT = 1e-9
#: Distance of the least margin from 1 within which an example counts as separated but for rounding.
SEPARATED = 1e-6
EPS = float(np.finfo(np.float64).eps)
#: Part of a dual objective that rounding may have added unnoticed; columns that are looked at together.
BELIEVED, TOGETHER = 1e-10, 64
SMALLEST = float(np.finfo(np.float64).tiny)
#: Value of (P) at a = 0: the mean loss.
ZERO = 1.0


class Columns(Protocol):
    """A matrix with m rows, known through its products; columns are indexed by pairs (k, j) in p groups of n."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, m, n): groups, rows, columns in a group."""

    def scales(self) -> Array:
        """Return the largest absolute entry of every column, shape (p, n)."""

    def price(self, v: Array) -> Array:
        """Return ``A'v``, shape (p, n)."""

    def take(self, k: Index, j: Index) -> Array:
        """Return the columns (k_1, j_1), (k_2, j_2), ... as rows, shape (len(k), m)."""

    def apply(self, coef: Array) -> Array:
        """Return ``A a`` for the coefficients `coef` of shape (p, n), shape (m,)."""


class ManyColumns(Columns, Protocol):
    """Columns some of which can stand for all of them."""

    def narrow(self, j: Index) -> "ManyColumns":
        """Return the columns (k, j) of some j, for all k."""


@dataclass(frozen=True)
class Certificate:
    """Objectives of a primal point, `stretch` times the one given, and of a dual point scaled into the feasible set.

    ``largest``, shape (p,), has the largest ``|A'u|`` of that point in every group of columns. It is ``theta pi / m``,
    and `dual` is that rounded: where terms cancel, rounding moves the products, and what is proved is of the former.
    """

    objective: float
    stretch: float
    dual_objective: float
    dual: Array
    largest: Array

    @property
    def gap(self) -> float:
        """Relative duality gap."""
        return relative_gap(self.objective, self.dual_objective, ZERO)


def certify(columns: Columns, cost: Array, coef: Array, pi: Array) -> Certificate:
    """Recompute both objectives from the problem data.

    Parameters
    ----------
    columns : Columns
    cost : array of shape (p, n)
        ``c_q >= 0``.
    coef : array of shape (p, n)
    pi : array of shape (m,)
        ``m u``; it need not be feasible. It is clipped to [0, 1] and scaled by
        ``theta = min(1, min_q m c_q / |A'pi|_q)``, which makes it so. Everything is computed in its precision, and
        products that rounding may hide a violation of in a higher one, once more.

    Returns
    -------
    Certificate
        Where all margins are 1 or more but for rounding, which would outweigh a penalty that is next to nothing, it is
        that of coefficients that are stretched until they are.
    """
    m = columns.shape[1]
    margins, penalty = columns.apply(coef.astype(pi.dtype)), (cost * np.abs(coef)).sum()
    least = float(margins.min())
    stretch = 1.0 if least >= 1.0 or least < 1.0 - SEPARATED else (1.0 + 4.0 * EPS) / least
    objective = float(np.maximum(0.0, 1.0 - stretch * margins).sum() / m + stretch * penalty)  # (P)
    pi = np.clip(pi, 0.0, 1.0)
    products = np.abs(columns.price(pi))
    limits = m * cost
    violated = products > limits
    theta = float((limits[violated] / products[violated]).min()) if violated.any() else 1.0
    theta = _believed(columns, pi, products, limits, theta)
    dual, largest = theta * pi, theta * products.max(axis=1, initial=0.0)
    return Certificate(objective, stretch, float(dual.sum() / m), dual / m, largest / m)  # (D)


def _believed(columns: Columns, pi: Array, products: Array, limits: Array, theta: float) -> float:
    """Return the factor theta, or a smaller one, with which no product exceeds its bound, whatever rounding does.

    Where terms cancel, as of examples that contradict each other, products can be rounding and nothing else. A sum of m
    terms of at most s in all is off by ``2 sqrt(m) eps s`` at most, if rounding errors are as good as random (Higham
    and Mary, 2019). Of columns that may violate their bounds then, sums and what they are off by are made one by one.
    """
    eps = float(np.finfo(pi.dtype).eps)
    off_by = 2.0 * len(pi) ** 0.5 * eps * float(pi.sum()) * columns.scales()
    free = (limits == 0.0) & (products == 0.0)  # such as a bias, whose sum is 0 where it is next to nothing
    k, j = np.nonzero((theta * (products + off_by) > limits) & ~free)
    least, pi, eps = theta, pi.astype(np.longdouble), float(np.finfo(np.longdouble).eps)
    for start in range(0, len(k), TOGETHER):
        some = k[start : start + TOGETHER], j[start : start + TOGETHER]
        terms = columns.take(*some) * pi
        sums = np.cumsum(terms, axis=1)
        exact = np.abs(sums[:, -1])
        exact += np.where(exact > 0.0, 2.0 * eps * np.sqrt((sums**2).sum(axis=1) + (terms**2).sum(axis=1)), 0.0)
        least = min(least, float((limits[some] / np.maximum(exact, SMALLEST)).min()))
    return least if least < theta * (1.0 - BELIEVED) else theta


def solution(
    coef: Array,
    certificate: Certificate,
    tol: float,
    iterations: int,
    rounds: int,
    seconds: float,
    otherwise: str = "inaccurate",
) -> Solution:
    """Return coefficients with what is proved about them; `otherwise` is the status of a gap above `tol`."""
    status = status_of(certificate.gap, tol, otherwise)
    values = (certificate.objective, certificate.dual, certificate.dual_objective, ZERO)
    return Solution(certificate.stretch * coef, *values, status, iterations, rounds, seconds)


def binary(scales: Array) -> Array:
    """Return the next powers of two, by which to scale rounds nothing; 1 in the place of 0."""
    powers: Array = 2.0 ** np.ceil(np.log2(np.where(scales > 0, scales, 1.0)))
    return powers


def worst_columns(excess: Array, limits: Array, most: int) -> tuple[Index, Index]:
    """Return the columns (k, j) with the largest violations > 0, relative to their bounds.

    At most one is returned for every j: they are much alike.
    """
    relative = excess / np.maximum(limits, SMALLEST_LIMIT)
    k = relative.argmax(axis=0)
    j = np.arange(relative.shape[1])
    worst = relative[k, j]
    chosen = np.argsort(-worst, kind="stable")[:most]
    chosen = chosen[worst[chosen] > 0.0]
    return k[chosen], j[chosen]
