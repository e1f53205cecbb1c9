"""The multi-class support vector machine without bias, one Gram matrix.

::

    (P)  min_f  1/2 sum_c |f_c|^2 + C sum_i max_c ( [c != y_i] + f_c(x_i) - f_{y_i}(x_i) )
    (D)  max_A  sum_i A_{i,y_i} - 1/2 tr(A'KA)    subject to   sum_c A_ic = 0 ,   A_ic <= C [c = y_i]

with ``f_c = sum_i A_ic K(x_i, .)``: the hinge loss of the joint feature map ``psi(x, c) = e_c (x) phi(x)``. A step
solves (D) over the row of A of one example exactly; a sweep passes by the examples whose optimality conditions are
violated less than a part of the worst violation of the sweep before. Source: Crammer and Singer (2001); Keerthi,
Sundararajan, Chang, Hsieh and Lin (2008).
"""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.compiled import compiled
from kernlearn.solvers.solution import Solution, relative_gap

Array = NDArray[np.float64]

#: Steps between two certificates, and the most there may be, in multiples of the number of examples.
CHECK, MAX_STEPS = 2, 2000
#: The diagonal of K counts as at least this part of its largest entry.
FLAT = 1e-12
#: The part of the worst violation from which on an example is worth a step.
WORTH = 0.1


def solve_multiclass_svm(
    K: Array, y: NDArray[np.integer], n_classes: int, C: float, *, tol: float = 1e-6, start: Array | None = None
) -> Solution:
    """Solve (P) and (D).

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix.
    y : integer array of shape (n,)
        Classes 0, 1, ...
    n_classes : int
    C : float > 0
    tol : float
        Relative duality gap.
    start : array of shape (n, n_classes), optional
        A feasible A, such as that of a similar K.

    Returns
    -------
    Solution
        ``x`` and ``dual`` are A, shape (n, n_classes); `iterations` counts steps.
    """
    begin, n = perf_counter(), len(y)
    A = np.zeros((n, n_classes)) if start is None else start.copy()
    classes = y.astype(np.intp)
    diagonal = np.maximum(np.diagonal(K), FLAT * (np.diagonal(K).max() or 1.0))
    steps, gap = 0, np.inf
    while gap > tol and steps < MAX_STEPS * n:
        F = K @ A
        objective, dual_objective = _values(A, F, classes, C)
        gap = relative_gap(objective, dual_objective)
        if gap > tol:
            steps += CHECK * n
            _descend(K, diagonal, classes, float(C), A, F, CHECK * n)
    status = "optimal" if gap <= tol else "inaccurate"
    return Solution(A, objective, A, dual_objective, status, steps, 1, perf_counter() - begin)


def _values(A: Array, F: Array, y: NDArray[np.intp], C: float) -> tuple[float, float]:
    i = np.arange(len(y))
    quadratic = float(np.vdot(A, F))
    loss = F + 1.0
    loss[i, y] -= 1.0
    slack = (loss.max(axis=1) - F[i, y]).sum()
    return 0.5 * quadratic + C * float(slack), float(A[i, y].sum()) - 0.5 * quadratic


@compiled
def _descend(K, diagonal, y, C, A, F, steps):
    """Take about `steps` steps, A and F = KA in place."""
    n, m = A.shape
    a = np.empty(m)
    before = np.inf
    while steps > 0:
        worst = 0.0
        for i in range(n):
            high, low = -np.inf, np.inf
            for c in range(m):
                g = F[i, c] - (1.0 if c == y[i] else 0.0)
                high = max(high, g)
                if A[i, c] < (C if c == y[i] else 0.0):
                    low = min(low, g)
            worst = max(worst, high - low)
            if high - low <= (WORTH * before if before < np.inf else 0.0):
                continue
            steps -= 1
            _row(diagonal[i], F[i], A[i], y[i], C, a)
            for c in range(m):
                change = a[c] - A[i, c]
                if change != 0.0:
                    A[i, c] = a[c]
                    for j in range(n):
                        F[j, c] += K[i, j] * change
        if worst == 0.0:
            return
        before = worst


@compiled
def _row(q, f, old, label, C, a):
    """Minimise ``q/2 |a|^2 + d.a``, ``d = f - e_label - q old``, over a of sum 0 below its bounds.

    ``a_c = min(u_c, (b - d_c) / q)``, and b grows as more classes are found to be at their bound.
    """
    m = len(a)
    n_free, total = m, 0.0
    for c in range(m):
        a[c] = f[c] - (1.0 if c == label else 0.0) - q * old[c]
        total += a[c]
    b, changed = total / m, True
    while changed:
        n_free, total = 0, 0.0
        for c in range(m):
            u = C if c == label else 0.0
            if a[c] + q * u >= b:
                n_free += 1
                total += a[c]
            else:
                total -= q * u
        new = total / n_free
        changed, b = new > b, max(new, b)
    for c in range(m):
        a[c] = min(C if c == label else 0.0, (b - a[c]) / q)
