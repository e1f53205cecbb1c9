"""Hinge loss with a weighted l1 penalty over very many columns: the problem, and the certificate of its solutions.

Problem, for a matrix A with m rows and columns indexed by q::

    (P)  min_a   (1/m) sum_i w_i max(0, 1 - (A a)_i) + sum_q c_q |a_q|
    (D)  max_u   sum_i u_i   subject to   |A' u|_q <= c_q for all q,   0 <= u_i <= w_i/m

(D) has one row for every column of A; only those that are violated are ever put into the linear program, which makes
the method column generation on (P). The weights w of the losses have the mean 1. With ``pi = m u`` the box is [0, w_i]
whatever m. Source: Cortes, Goyal, Kuznetsov and Mohri (2015), section 5.1, whose printed program lacks ``xi >= 0`` and
has no weights; the dual and the certificate are derived here.
"""

from typing import Protocol

import numpy as np

from kernlearn.certificates import status_of
from kernlearn.certificates.hinge_l1 import ZERO, Columns, HingeCertificate
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array, Index

#: The relative gaps that are reached by default: at a vertex, and by interior points alone.
VERTEX_TOL, INTERIOR_TOL = 1e-9, 1e-4
#: Rounds of columns for one program after which a method at vertices gives up.
MAX_ROUNDS = 1000
#: Violated columns added in one round; more make the linear program grow faster than it converges.
COLUMNS_A_ROUND = 60
#: Bounds below this, zero among them, count as this when a violation is made relative.
SMALLEST_LIMIT = 1e-9
EPS = float(np.finfo(np.float64).eps)


class ManyColumns(Columns, Protocol):
    """Columns some of which can stand for all of them."""

    def narrow(self, j: Index) -> "ManyColumns":
        """Return the columns (k, j) of some j, for all k."""


def solution(
    coef: Array,
    certificate: HingeCertificate,
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
