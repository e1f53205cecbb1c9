# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The multi-class support vector machine without bias, one Gram matrix.

::

    (P)  min_f  1/2 sum_c |f_c|^2 + C sum_i w_i max_c ( [c != y_i] + f_c(x_i) - f_{y_i}(x_i) )
    (D)  max_A  sum_i A_{i,y_i} - 1/2 tr(A'KA)    subject to   sum_c A_ic = 0 ,   A_ic <= C w_i [c = y_i]

with ``f_c = sum_i A_ic K(x_i, .)``: the hinge loss of the joint feature map ``psi(x, c) = e_c (x) phi(x)``. A step
solves (D) exactly over the row of A of one example. A sweep skips examples whose violation of the optimality conditions
is a small fraction of the worst one in the previous sweep. If K is ill-conditioned and C large, steps become slow, and
`interior_point` continues from their point. Source: Crammer and Singer (2001); Keerthi,
Sundararajan, Chang, Hsieh and Lin (2008).
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import status_of
from kernlearn.compiled import compiled
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.multiclass_interior import Values, derivative, interior_point
from kernlearn.types import Array

#: Steps between two certificates, and the most there may be, in multiples of the number of examples.
CHECK, MAX_STEPS = 20, 2000
#: The part of the gap that this many steps have to leave behind, or the interior point method takes over.
SLOW = 0.9
#: Entries of matrices that the interior point method may take, one of n x n for every class.
MAX_ENTRIES = 2**28
#: The diagonal of K counts as at least this part of its largest entry.
FLAT = 1e-12
#: The part of the worst violation from which on an example is worth a step.
WORTH = 0.1


def solve_multiclass_svm(
    K: Array,
    y: NDArray[np.integer],
    n_classes: int,
    C: float,
    *,
    tol: float = 1e-6,
    start: Array | None = None,
    weights: Array | None = None,
) -> Solution:
    """Solve (P) and (D).

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix.
    y : integer array of shape (n,)
        Classes 0, 1, ...
    C : float > 0
    tol : float
        Relative duality gap.
    start : array of shape (n, n_classes), optional
        A feasible A, such as that of a similar K.
    weights : array of shape (n,), optional
        Factors w_i > 0 of C for every example, by default 1.

    Returns
    -------
    Solution
        ``x`` and ``dual`` are A, shape (n, n_classes); `iterations` counts steps, and iterations of the interior point
        method, of which there are some if `rounds` is 2.
    """
    clock, n = Clock(), len(y)
    weights = np.ones(n) if weights is None else weights
    # Class by class: a step changes few classes, each for all examples.
    A = np.zeros((n_classes, n)) if start is None else np.ascontiguousarray(start.T).copy()
    classes = y.astype(np.intp)
    diagonal = np.maximum(np.diagonal(K), FLAT * (np.diagonal(K).max() or 1.0))
    values = Values.of(A, A @ K, classes, C, weights)
    steps, rounds = 0, 1
    while abs(values.gap) > tol and steps < MAX_STEPS * n and not clock.over:
        F = A @ K
        before = values.gap
        n_steps = _descend(K, diagonal, classes, C * weights, A, F, CHECK * n)
        steps += n_steps
        values = Values.of(A, A @ K, classes, C, weights)
        clock.tell(values.gap)
        if values.gap > max(tol, SLOW * before) and rounds == 1 and A.size * n <= MAX_ENTRIES:
            A, iterations = interior_point(K, classes, float(C), weights, A, tol)
            values = Values.of(A, A @ K, classes, C, weights)
            steps, rounds = steps + iterations, 2
        elif not n_steps:  # what is left is rounding
            break
    status = status_of(values.gap, tol, clock.otherwise)
    return Solution(A.T, values.objective, A.T, values.dual, values.zero, status, steps, rounds, clock.seconds)


def multiclass_derivative(
    K: Array, y: NDArray[np.integer], C: float, A: Array, G: Array, weights: Array | None = None
) -> Array:
    """Return how the solution A of (D) falls as ``KA`` grows by each of some matrices, to first order.

    Parameters
    ----------
    K, y, C, weights
        As for `solve_multiclass_svm`.
    A : array of shape (n, n_classes)
    G : array of shape (n_classes, n, r)
        The matrices, class by class.

    Returns
    -------
    array of shape (n_classes, n, r)
    """
    costs = float(C) * (np.ones(len(y)) if weights is None else weights)
    return derivative(K, y.astype(np.intp), costs, np.ascontiguousarray(A.T), G)


@compiled
def _descend(K, diagonal, y, costs, A, F, steps):
    """Take about `steps` steps, A and F = AK in place, shape (m, n); return how many."""
    m, n = A.shape
    a = np.empty(m)
    before = np.inf
    n_steps = 0
    while n_steps < steps:
        worst = 0.0
        for i in range(n):
            high, low = -np.inf, np.inf
            for c in range(m):
                a[c] = F[c, i] - (1.0 if c == y[i] else 0.0)
                high = max(high, a[c])
                if A[c, i] < (costs[i] if c == y[i] else 0.0):
                    low = min(low, a[c])
            worst = max(worst, high - low)
            if high - low <= (WORTH * before if before < np.inf else 0.0):
                continue
            n_steps += 1
            for c in range(m):
                a[c] -= diagonal[i] * A[c, i]
            _row(diagonal[i], y[i], costs[i], a)
            for c in range(m):
                change = a[c] - A[c, i]
                if change != 0.0:
                    A[c, i] = a[c]
                    for j in range(n):
                        F[c, j] += K[i, j] * change
        if worst == 0.0:
            break
        before = worst
    return n_steps


@compiled
def _row(q, label, C, a):
    """Replace `a` by the minimiser of ``q/2 |x|^2 + a.x`` over x of sum 0 below its bounds.

    ``x_c = min(u_c, (b - a_c) / q)``, and b grows as more classes are found to be at their bound.
    """
    m = len(a)
    b, changed = a.sum() / m, True
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
