"""Kernel target alignment: ordered weights of eigenvectors, aligned with the labels, and then an SVM with this kernel.

::

    max_delta  A(Ubar diag(delta) Ubar', yy')    subject to  delta_i >= delta_{i+1} for 2 <= i < q,  delta >= 0,
                                                             sum delta = 1                                     (5.2)

with ``A(K, K') = <K, K'>_F / (|K|_F |K'|_F)``, not centred. A does not change if delta is multiplied by a number, and
the other constraints form a cone. With ``delta = T kappa`` (5.11) the problem is ``min_{kappa >= 0} 1/2 kappa' T'AT
kappa - kappa'T'a``, ``A_ij = (ubar_i.ubar_j)^2``, ``a_i = (ubar_i.y)^2``, whose solution is divided by its sum. Source:
Shivaswamy (2010), section 5.2, after Zhu, Kandola, Ghahramani and Lafferty (2004).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.transduction.spectral import (
    CS,
    FRACTIONS,
    INPUTS,
    TOL,
    as_point,
    grid,
    labelled_block,
    machines,
)
from kernlearn.algorithms.transduction.storm import ordered
from kernlearn.certificates.alignment import alignment
from kernlearn.solvers import Solution, solve_nnqp
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array


def solve_kta(F: Array, y: Array, tol: float = 1e-9) -> Solution:
    """Solve (5.2).

    Parameters
    ----------
    F : array of shape (l, q)
        The eigenvectors, by increasing eigenvalue, on the labelled examples.
    y : array of shape (l,)
        Labels +-1.
    tol : float
        Relative duality gap of the quadratic program.

    Returns
    -------
    Solution
        ``x`` are the weights delta, shape (q,); where no eigenvector has anything of the labels, they are equal. The
        objective is minus the alignment.
    """
    T = ordered(F.shape[1], 0.0).N  # columns of sum 1 instead of ones
    M, a = T.T @ (F.T @ F) ** 2 @ T, T.T @ (F.T @ y) ** 2
    size = np.sqrt(np.where(np.diagonal(M) > 0, np.diagonal(M), 1.0))
    solution = solve_nnqp(M / np.outer(size, size), a / size, tol)
    kappa = solution.x / size
    delta = T @ kappa
    total = float(delta.sum())
    delta = delta / total if total > 0 else np.full(len(delta), 1.0 / len(delta))
    aligned = alignment(M, a / float(y @ y), kappa, solution.dual / size)
    return certified(replace(solution, x=delta), aligned, tol)


def path(
    problem: Problem, *, Cs: Sequence[float], fractions: Sequence[float] | None = None, tol: float = 1e-6
) -> Iterator[Point]:
    """Align the weights, once, and solve the machines on the whole grid."""
    F, y = labelled_block(problem)
    aligned = solve_kta(F, y, tol)
    for machine in machines(F, y, aligned.x, Cs, fractions, tol):
        yield as_point(problem, machine, F, tol, (aligned,))


METHODS = (
    Method(
        "kta_s",
        "SVM with a kernel of weighted graph eigenvectors: the weights are aligned with the labels, and smoother "
        "eigenvectors get larger weights",
        PROGRAMS,
        {"Cs": CS, "tol": TOL},
        grid,
        path,
        sees_all=True,
        inputs=INPUTS,
    ),
    Method(
        "kta_r",
        "kta_s with outputs within [-B, B], as in relative margin machines",
        PROGRAMS,
        {"Cs": CS, "fractions": FRACTIONS, "tol": TOL},
        grid,
        path,
        sees_all=True,
        inputs=INPUTS,
    ),
)
