"""The spectral graph transducer: node values that are smooth on the graph, near the targets, and of fixed norm.

::

    min_h  1/2 h'VQV'h + C (h - tau)' P (h - tau)    subject to  h.1 = 0,  h.h = n                             (5.1)

with eigenvectors V = phi_2, ..., phi_{q+1}, ``Q_ii = i^2``, ``P_ii = 1/l+`` and ``tau_i = sqrt(l-/l+)`` of positive
labels, ``1/l-`` and ``-sqrt(l+/l-)`` of negative ones, and 0 without a label. h is in the span of V. With ``h = Vz``,
``G = Q + 2C V'PV`` and ``b = 2C V'P tau`` the problem is ``min 1/2 z'Gz - b.z`` on the sphere ``z.z = n``. It is not
convex, but its dual has no gap, so the global minimum is computed and certified
(`kernlearn.solvers.kernel_weights.sphere`). Source: Joachims (2003); Shivaswamy (2010), (5.1).

If the first eigenvector is not constant, as with the normalised Laplacian, h is orthogonal to it instead of 1.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.transduction.spectral import INPUTS, TOL, Smooth, labelled_block, labelled_rows
from kernlearn.certificates.graphs import transducer
from kernlearn.errors import UserError
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import Solution, minimise_on_sphere
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array

THRESHOLDS = ("zero", "middle")
PARAMETERS: dict[str, Parameter] = {
    "Cs": Parameter(
        [1e2, 1e3, 1e4, 1e5, 1e6, 1e7], Numbers(Number(positive=True)), "weights of the distance to the targets", "C"
    ),
    "threshold": Parameter(
        "zero",
        Choice(THRESHOLDS),
        "value of h above which an example is positive; zero: 0, middle: the mean of both targets",
    ),
    "tol": TOL,
}


def solve_sgt(V: Array, y: Array, n: int, C: float, tol: float = 1e-6) -> Solution:
    """Solve (5.1).

    Parameters
    ----------
    V : array of shape (l, q)
        Eigenvectors 2 to q + 1 on the labelled examples.
    y : array of shape (l,)
        Labels +-1, both of them.
    n : int
        Examples of the graph.
    C : float > 0

    Returns
    -------
    Solution
        ``x`` is z, shape (q,); ``dual`` the multiplier of the sphere, shape (1,).
    """
    P, tau = targets(y)
    Q = np.arange(1.0, V.shape[1] + 1) ** 2
    G = np.diag(Q) + 2.0 * C * V.T @ (P[:, None] * V)
    solution = minimise_on_sphere(G, 2.0 * C * V.T @ (P * tau), float(n), C * float(tau @ (P * tau)), tol)
    return certified(solution, transducer(V, P, tau, float(n), C, solution.x, float(solution.dual[0])), tol)


def targets(y: Array) -> tuple[Array, Array]:
    """Return the diagonal of P, and tau, of labelled examples."""
    positive, negative = float((y > 0).sum()), float((y < 0).sum())
    P = np.where(y > 0, 1.0 / positive, 1.0 / negative)
    return P, np.where(y > 0, np.sqrt(negative / positive), -np.sqrt(positive / negative))


def path(problem: Problem, *, Cs: Sequence[float], threshold: str = "zero", tol: float = 1e-6) -> Iterator[Point]:
    """Solve (5.1) for every C."""
    _, y = labelled_block(problem)
    V = labelled_rows(problem, problem.inputs.V)
    if not V.shape[1]:
        raise UserError("algo=sgt: one example alone has no eigenvector but the constant one")
    _, tau = targets(y)
    middle = 0.5 * (tau.max() + tau.min()) if threshold == "middle" else 0.0
    for C in map(float, sorted(Cs)):
        solution = solve_sgt(V, y, len(problem.inputs.vectors), C, tol)
        predictor = Smooth(np.concatenate([[0.0], solution.x])[None], np.array([-middle]), len(y))
        yield Point({"C": C}, predictor, (solution,))


METHOD = Method(
    "sgt",
    "spectral graph transducer: node values that are smooth on the graph, close to the labels, and of fixed norm",
    "trust-region problems",
    PARAMETERS,
    grid_of({"C": "Cs"}, one_kernel=False, positive_definite=False),
    path,
    sees_all=True,
    inputs=INPUTS,
)
