"""Weights of points in whose second moments others are small on average: a semidefinite program, solved by Clarabel.

::

    (P)  min_l  f(l) = sum_i x_i' A(l)^-1 x_i ,   A(l) = (1 - D) I + D sum_j l_j v_j v_j' ,   l >= 0, sum_j l_j = 1

By the Schur complement it is ``min Tr Z`` over Z and l with ``[[Z, R'], [R, A(l)]]`` positive semidefinite and
``R R' = sum_i x_i x_i'``. f is convex, so every l proves that its least value is at least

    (D)  f(l) + min_j g_j - g'l ,   g_j = -D v_j' A^-1 (sum_i x_i x_i') A^-1 v_j
"""

from time import perf_counter
from typing import Any

import numpy as np

from kernlearn.certificates import relative_gap, status_of
from kernlearn.errors import UserError
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array

#: Where Clarabel is to stop; numbers are next to 1.
ACCURACY = 1e-11
#: Newton steps from there, among the weights above this.
NEWTON, NOTHING = 3, 1e-6


def solve_design(X: Array, V: Array, D: float, tol: float = 1e-7) -> Solution:
    """Solve (P).

    Raises `UserError` if Clarabel is not installed.

    Parameters
    ----------
    X : array of shape (n, d)
        The points x_i; d should be small, the program has matrices of 2d rows.
    V : array of shape (m, d)
        The points v_j.
    D : float
        At least 0, and below 1.
    tol : float
        Relative duality gap up to which the solution is called optimal.

    Returns
    -------
    Solution
        ``x`` are the weights l, ``dual`` the gradient g.

    References
    ----------
    Shivaswamy (2010), theorem 10, with l scaled to the sum 1.
    """
    start, moments = perf_counter(), X.T @ X
    by_clarabel, iterations = _by_clarabel(moments, V, D)
    candidates = [np.maximum(by_clarabel, 0.0) / np.maximum(by_clarabel, 0.0).sum()]
    for _ in range(NEWTON):
        candidates.append(_newton(moments, V, D, candidates[-1]))
    points = [(*_value(moments, V, D, weights), weights) for weights in candidates]
    objective, gradient, weights = max(points, key=lambda point: _bound(*point) - point[0])
    bound = _bound(objective, gradient, weights)
    zero, _ = _value(moments, V, D, np.full(len(V), 1.0 / len(V)))
    status = status_of(relative_gap(objective, bound, zero), tol)
    return Solution(weights, objective, gradient, bound, zero, status, iterations, 1, perf_counter() - start)


def _bound(objective: float, gradient: Array, weights: Array) -> float:
    """Return the value of (D)."""
    return objective + float(gradient.min() - gradient @ weights)


def _newton(moments: Array, V: Array, D: float, weights: Array) -> Array:
    """Return the weights after a Newton step among those that are not next to nothing, whose sum stays 1."""
    used = weights > NOTHING
    U, k = V[used], int(used.sum())
    inverse = np.linalg.inv((1.0 - D) * np.eye(V.shape[1]) + D * (V.T * weights) @ V)
    between = inverse @ moments @ inverse
    hessian = 2.0 * D * D * (U @ inverse @ U.T) * (U @ between @ U.T)
    gradient = -D * np.einsum("ij,jk,ik->i", U, between, U)
    unit = float(np.abs(hessian).max()) or 1.0
    system = np.block([[hessian / unit, np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
    step = np.linalg.lstsq(system, np.append(-gradient / unit, 0.0))[0][:k]
    moved = np.zeros_like(weights)
    moved[used] = np.maximum(weights[used] + step, 0.0)
    after: Array = moved / moved.sum()
    return after


def _value(moments: Array, V: Array, D: float, weights: Array) -> tuple[float, Array]:
    """Return f and its gradient."""
    inverse = np.linalg.inv((1.0 - D) * np.eye(V.shape[1]) + D * (V.T * weights) @ V)
    between = inverse @ moments @ inverse
    return float(np.vdot(inverse, moments)), -D * np.einsum("ij,jk,ik->i", V, between, V)


def _by_clarabel(moments: Array, V: Array, D: float) -> tuple[Array, int]:
    """Return the weights, not yet exactly on the simplex, and the number of iterations."""
    try:
        import clarabel
    except ImportError:
        raise UserError("this semidefinite program needs Clarabel: pip install 'kernlearn[sdp]'") from None
    from scipy import sparse

    m, d = V.shape
    unit = (1.0 - D) + D * float((V**2).sum(axis=1).max())  # of A, for numbers next to 1
    values, vectors = np.linalg.eigh(moments / np.trace(moments))
    R, none = vectors * np.sqrt(np.maximum(values, 0.0)), np.zeros((d, d))
    entries = [(i, j) for j in range(d) for i in range(j + 1)]  # of Z
    parts = [_symmetric(d, i, j) for i, j in entries]
    of_Z = [_packed(np.block([[part, none], [none, none]])) for part in parts]
    of_l = [_packed(np.block([[none, none], [none, D / unit * np.outer(v, v)]])) for v in V]
    fixed = _packed(np.block([[none, R.T], [R, (1.0 - D) / unit * np.eye(d)]]))
    q = np.concatenate([[np.trace(part) for part in parts], np.zeros(m)])
    rows: Any = [  # each cone holds ``b - A x``
        np.concatenate([np.zeros(len(parts)), np.ones(m)])[None],
        np.hstack([np.zeros((m, len(parts))), -np.eye(m)]),
        -np.stack([*of_Z, *of_l], axis=1),
    ]
    b = np.concatenate([[1.0], np.zeros(m), fixed])
    cones = [clarabel.ZeroConeT(1), clarabel.NonnegativeConeT(m), clarabel.PSDTriangleConeT(2 * d)]
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURACY
    none_quadratic = sparse.csc_matrix((len(q), len(q)))
    solver = clarabel.DefaultSolver(none_quadratic, q, sparse.csc_matrix(np.vstack(rows)), b, cones, settings)
    result = solver.solve()
    return np.asarray(result.x)[len(parts) :], int(result.iterations)


def _symmetric(d: int, i: int, j: int) -> Array:
    unit = np.zeros((d, d))
    unit[i, j] = unit[j, i] = 1.0
    return unit


def _packed(M: Array) -> Array:
    """Return the upper triangle column by column, others than the diagonal times sqrt(2), as Clarabel has it."""
    columns, rows = np.tril_indices(len(M))
    packed: Array = M[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    return packed
