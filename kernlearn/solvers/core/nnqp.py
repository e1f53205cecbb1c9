# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Quadratic programs over the non-negative orthant, with a matrix of non-negative entries.

::

    (P)  min_{x >= 0}  1/2 x'Mx - a'x            (D)  max_z  -1/2 z'Mz   subject to  Mz >= a

for M symmetric and positive semidefinite, such as the inner products of positive semidefinite matrices. Coordinate
descent finds the support, a Cholesky factor makes the solution exact on it. Non-negative least squares (Lawson and
Hanson 1974) is the case ``M = A'A``, ``a = A'b``.
"""

from collections.abc import Iterator
from time import perf_counter

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from kernlearn.certificates import status_of
from kernlearn.compiled import compiled
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array

#: Rounds of coordinate descent and an exact solve.
MAX_ROUNDS = 500
#: What is added to the diagonal of ones for the factor, where variables of the support depend on each other.
JITTER = 1e-12
#: Variables that may leave the support before coordinate descent goes on.
DROPS = 20
#: Sweeps of coordinate descent in a round.
SWEEPS = 20


def solve_nnqp(M: Array, a: Array, tol: float = 1e-9) -> Solution:
    """Solve the program.

    Parameters
    ----------
    M : array of shape (p, p), with a diagonal of ones where a is not zero
    a : array of shape (p,)
    tol : float
        Duality gap to reach, relative to the optimal value.

    Returns
    -------
    Solution
        ``x`` and ``dual`` of shape (p,). The dual point is the smallest feasible multiple of x, so the gap bounds how
        much the largest cosine can exceed ``a'x / sqrt(x'Mx)``. `iterations` counts sweeps.
    """
    start = perf_counter()
    size = float(a.max(initial=0.0))
    if size <= 0.0:  # then x = 0 is optimal and z = 0 feasible
        zero = np.zeros(len(a))
        return Solution(zero, 0.0, zero, 0.0, 0.0, "optimal", 0, 0, perf_counter() - start)
    q, sweeps, rounds = a / size, 0, 0
    for x, Mx, more in approach(np.ascontiguousarray(M), q, np.zeros(len(q))):
        rounds, sweeps = rounds + 1, sweeps + more
        quadratic = float(x @ Mx)
        if quadratic <= 0.0:  # of matrices that are zero but for rounding
            gap, stretch, feasible = np.inf, 0.0, 0.0
            break
        stretch = float(q @ x) / quadratic  # the best multiple of x
        with np.errstate(divide="ignore"):
            feasible = float((q[q > 0] / Mx[q > 0]).max())  # the least multiple of x that is feasible in (D)
        gap = (feasible / stretch) ** 2 - 1.0
        if gap <= tol or rounds == MAX_ROUNDS:
            break
    objective, dual_objective = (-0.5 * quadratic * (s * size) ** 2 for s in (stretch, feasible))
    points = (stretch * size * x, objective, feasible * size * x, dual_objective, 0.0)
    return Solution(*points, status_of(gap, tol), sweeps, rounds, perf_counter() - start)


def approach(M: Array, q: Array, x: Array) -> Iterator[tuple[Array, Array, int]]:
    """Yield x, ``M x`` and the sweeps of coordinate descent, round by round, on the way to the solution of (P).

    Parameters
    ----------
    M : array of shape (p, p), contiguous, with a diagonal of about one; entries may be negative
    q : array of shape (p,)
    x : array of shape (p,), >= 0
        Where to start.
    """
    x, gradient = x.copy(), M @ x - q
    while True:
        sweeps = _descend(M, q, x, gradient, SWEEPS)
        exact = _exact(M, q, x)
        if 0.5 * exact @ (M @ exact) - q @ exact <= 0.5 * x @ (gradient - q):
            x, gradient = exact, M @ exact - q
        yield x, M @ x, sweeps


def _exact(M: Array, q: Array, x: Array) -> Array:
    """Go from x to the solution of ``M_SS z = q_S`` on its support S, which a variable leaves where it becomes 0."""
    x = x.copy()
    for _ in range(DROPS):
        S = np.flatnonzero(x)
        A = M[np.ix_(S, S)]
        try:
            factor = cho_factor(A + JITTER * np.eye(len(S)), overwrite_a=True)
            z = cho_solve(factor, q[S])
            z += cho_solve(factor, q[S] - A @ z)  # takes out what was added to the diagonal
        except LinAlgError:  # coordinate descent goes on alone
            return x
        falling = z < 0.0
        if not falling.any():
            x[S] = z
            return x
        ratios = x[S][falling] / (x[S] - z)[falling]
        step, blocking = ratios.min(), S[falling][ratios.argmin()]
        x[S] = np.maximum(x[S] + step * (z - x[S]), 0.0)
        x[blocking] = 0.0
    return x


@compiled
def _descend(M, q, x, gradient, sweeps):
    """Minimise over one variable after another, at most `sweeps` times; return the sweeps done."""
    for sweep in range(sweeps):
        largest = 0.0
        for k in range(len(x)):
            if (x[k] > 0.0 or gradient[k] < 0.0) and M[k, k] > 0.0:
                step = max(x[k] - gradient[k] / M[k, k], 0.0) - x[k]
                if step != 0.0:
                    x[k] += step
                    row = M[k]
                    for j in range(len(x)):
                        gradient[j] += step * row[j]
                    largest = max(largest, abs(step))
        if largest < 1e-15:
            return sweep + 1
    return sweeps
