"""Hinge loss with a weighted l1 penalty over very many columns: the value of a point, and a bound from a dual one.

::

    (P)  min_a   (1/m) sum_i w_i max(0, 1 - (A a)_i) + sum_q c_q |a_q|
    (D)  max_u   sum_i u_i   subject to   |A' u|_q <= c_q for all q,   0 <= u_i <= w_i/m

The weights w of the losses have the mean 1. With ``pi = m u`` the box is [0, w_i] whatever m. Source: Cortes, Goyal,
Kuznetsov and Mohri (2015), section 5.1, whose printed program lacks ``xi >= 0`` and has no weights; the dual is derived
here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import NEGLIGIBLE, Certificate, counted
from kernlearn.certificates.outputs import ENTRY, EPS, Outputs
from kernlearn.twofold import add_products, total
from kernlearn.types import Array, Index

#: Distance of the least margin from 1 within which an example counts as separated but for rounding.
SEPARATED = 1e-6
#: Columns that are looked at together.
TOGETHER = 64
SMALLEST = float(np.finfo(np.float64).tiny)
#: Value of (P) at a = 0: the mean loss.
ZERO = 1.0


class Columns(Protocol):
    """A matrix with m rows, known through its products; columns are indexed by pairs (k, j) in p groups of n.

    Attributes
    ----------
    weights : array of shape (m,), or None
        Factors > 0 of the losses, of mean 1; None if all are 1.
    """

    weights: Array | None

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


@dataclass(frozen=True, kw_only=True)
class HingeCertificate(Certificate):
    """What is proved of `stretch` times the coefficients, and by which feasible dual point.

    Attributes
    ----------
    dual : array of shape (m,)
        u, as far as double precision holds it; the bound is that of the point it was rounded from.
    largest : array of shape (p,)
        The largest ``|A'u|`` in every group of columns.
    """

    dual: Array
    largest: Array


def hinge_l1(columns: Columns, cost: Array, coef: Array, pi: NDArray[Any]) -> HingeCertificate:
    """Return what is proved of coefficients, or of a multiple of them, and of a dual point.

    Parameters
    ----------
    columns : Columns
    cost : array of shape (p, n)
        ``c_q >= 0``.
    coef : array of shape (p, n)
        Where all margins are 1 or more but for rounding, which would outweigh a penalty that is next to nothing, the
        certificate is of a multiple (`stretch`) whose margins are all at least 1.
    pi : array of shape (m,)
        ``m u``, in double or extended precision; it need not be feasible. It is cut to [0, w] and scaled by
        ``theta = min(1, min_q m c_q / |A'pi|_q)``, which makes it so.
    """
    m = columns.shape[1]
    margins, penalty = _margins(columns, coef), total((cost * np.abs(coef)).ravel())
    objective, more, stretch = min(
        (_value(margins, penalty, s, columns.weights) for s in _stretches(margins)),
        key=lambda value: value[0] + value[1],
    )
    pi = np.clip(pi, 0.0, 1.0 if columns.weights is None else columns.weights)
    products = np.abs(columns.price(pi.astype(np.float64)))
    theta = _feasible(columns, pi, products, m * cost)
    dual, largest = theta * pi / m, theta * products.max(axis=1, initial=0.0) / m
    more = counted(more, objective, ZERO)
    high = pi.astype(np.float64)
    lower = theta * (total(high) + float((pi - high).sum())) / m - more  # (D)
    return HingeCertificate(objective, lower, ZERO, stretch=stretch, dual=dual, largest=largest)


def _margins(columns: Columns, coef: Array) -> Outputs:
    """Return ``A a`` in twice the working precision."""
    m = columns.shape[1]
    high, low, squares = np.zeros(m), np.zeros(m), np.zeros(m)
    for some, rows in _taken(columns, *np.nonzero(coef)):
        add_products(rows.T, coef[some], high, low, squares)
    return Outputs(high, low, ENTRY * np.sqrt(squares))


def _taken(columns: Columns, k: Index, j: Index) -> Iterator[tuple[tuple[Index, Index], Array]]:
    """Yield columns, some at a time: their indices, and they as rows."""
    for start in range(0, len(k), TOGETHER):
        some = k[start : start + TOGETHER], j[start : start + TOGETHER]
        yield some, columns.take(*some)


def _stretches(margins: Outputs) -> list[float]:
    """Return 1, and where all examples are separated but for rounding what surely makes all margins 1."""
    least = float((margins.high + margins.low - margins.rounding).min())
    return [1.0, (1.0 + 4.0 * EPS) / least] if 1.0 - SEPARATED <= least < 1.0 else [1.0]


def _value(margins: Outputs, penalty: float, stretch: float, weights: Array | None) -> tuple[float, float, float]:
    """Return (P) at a multiple of a point, what rounding may add to it, and the multiple."""
    losses, more = margins.times(stretch).losses(np.ones(1))
    m = len(losses)
    if weights is not None:
        losses, more = weights * losses, weights * more + EPS * weights * losses
    return total(losses) / m + stretch * penalty, total(more) / m, stretch


def _feasible(columns: Columns, pi: NDArray[Any], products: Array, limits: Array) -> float:
    """Return the largest factor theta, at most 1, with which no product surely exceeds its bound.

    Where terms cancel, as of examples that contradict each other, products can be rounding and nothing else. A sum of m
    terms of at most s in all is off by ``2 sqrt(m) eps s`` at most, if rounding errors are as good as random (Higham
    and Mary, 2019). Columns that may decide theta then are summed again, one by one, in twice the precision. Entries of
    A are taken as they are, unless their own rounding would lower theta by more than `NEGLIGIBLE`.
    """
    high, n = pi.astype(np.float64), len(pi)
    low = (pi - high).astype(np.float64)
    off_by = 2.0 * n**0.5 * EPS * float(high.sum()) * columns.scales()
    bounded = (limits > 0.0) | (products > 0.0)  # unlike a bias, whose sum is 0 where it is next to nothing
    surely = np.maximum(products - off_by, SMALLEST)
    with np.errstate(over="ignore"):  # of products that are 0
        most = min(1.0, float((limits[bounded] / surely[bounded]).min(initial=np.inf)))
    theta = safe = 1.0
    for some, rows in _taken(columns, *np.nonzero((most * (products + off_by) >= limits) & bounded)):
        sums = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(len(rows))
        add_products(rows, high, *sums)
        exact = np.abs(sums[0] + (sums[1] + rows @ low))
        wrong = np.where(exact > 0.0, ENTRY * np.sqrt(sums[2]), 0.0)
        theta = min(theta, float((limits[some] / np.maximum(exact, SMALLEST)).min()))
        safe = min(safe, float((limits[some] / np.maximum(exact + wrong, SMALLEST)).min()))
    return safe if safe < theta * (1.0 - NEGLIGIBLE) else theta
