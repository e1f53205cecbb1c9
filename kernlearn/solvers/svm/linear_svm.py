# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The soft-margin SVM on sparse features, to a certified gap: stochastic coordinate ascent in the dual.

::

    (P)  min_w   lambda/2 |w|^2 + (1/m) sum_i max(0, 1 - y_i <w, x_i>)                                          (15.12)
    (D)  max_a   lambda (sum_i a_i - 1/2 |sum_i a_i y_i x_i|^2)   subject to   0 <= a_i <= C = 1/(lambda m)

A step sets one a_i to its best value, and updates ``w = sum_i a_i y_i x_i``. It is as cheap as a step of stochastic
gradient descent and needs no step size, and (D) bounds the distance to the optimum after each sweep. Three techniques
make sweeps fast. Examples that are expected to stay at a bound are left out (Hsieh et al., 2008), and included again
before the end. Blocks of neighbouring examples are visited in random order, each from first to last, so that memory is
read sequentially. Since w oscillates, it is also averaged over the later half of the sweeps, as in the textbook. The
better of the two points counts, which often saves more than half of the sweeps. Source: Shalev-Shwartz and Zhang
(2013), Stochastic dual coordinate ascent methods for regularized loss minimization.

If features differ in size or are off the origin, sweeps make little progress. With few examples, a kernel SVM on the
matrix of their products, solved by an active set, then takes over.
"""

from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.certificates import relative_gap, status_of
from kernlearn.compiled import compiled
from kernlearn.memory import require
from kernlearn.solvers.core.clock import Clock, subprogram
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.solver import SVMSolver
from kernlearn.types import Array

#: Examples that are visited one after the other, as they stand in the data.
BLOCK = 16
#: Violations of the optimality conditions, in margins, at which examples that were left out are taken up again: the
#: first, by what it is divided every time, and the least.
FIRST, FALL, MIN_SMOOTHING = 0.1, 10.0, 1e-12
#: The gap is looked at when this part of the sweeps done is new.
NEW = 0.25
#: Sweeps after which an active set takes over, of examples no more than these, and the gap that it is asked for.
PATIENCE, FEW, EXACT = 300, 3000, 1e-6


def solve_linear_svm(
    X: Any, y: Array, lambda_: float, tol: float = 1e-3, *, max_sweeps: int = 1000, seed: int = 0
) -> Solution:
    """Solve (P) and (D).

    Parameters
    ----------
    X : array or sparse matrix of shape (m, d)
    y : array of shape (m,)
        Labels +-1.
    lambda_ : float > 0
    tol : float
        Relative duality gap to reach.
    max_sweeps : int
        Sweeps after which it stops all the same.
    seed : int
        Of the order of the blocks.

    Returns
    -------
    Solution
        ``x`` is w, shape (d,), ``dual`` is lambda a; ``iterations`` are sweeps, ``rounds`` looks at the gap.
    """
    clock, m = Clock(), len(y)
    rows = sparse.csr_array(X, dtype=np.float64)
    examples = rows.indptr, rows.indices, rows.data, y
    norms2 = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    nonzero, C, rng = np.flatnonzero(norms2), 1.0 / (lambda_ * m), np.random.default_rng(seed)
    a, w, summed = np.where(norms2 > 0.0, 0.0, C), np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    order, n, low, high, small = nonzero.copy(), len(nonzero), -np.inf, np.inf, FIRST
    x, objective, bound = w.copy(), 1.0, 0.0
    averaged, sweeps, look, rounds, sweeping = 0, 0, 1, 0, m > FEW
    while relative_gap(objective, bound, 1.0) > tol and sweeps < max_sweeps and not clock.over:
        if sweeps >= PATIENCE and not sweeping:
            with subprogram():
                a = _by_active_set(rows, y, C, min(tol, EXACT))
            look, sweeping = sweeps + 1, True
            w = rows.T @ (a * y)
            order, n, low, high, small, averaged = nonzero.copy(), len(nonzero), -np.inf, np.inf, FIRST, 0
            summed[:] = 0.0
        blocks = rng.permutation(-(-n // BLOCK))
        n, smallest, largest = sweep(*examples, norms2, C, a, w, order, n, low, high, blocks)
        low, high = smallest if smallest < 0.0 else -np.inf, largest if largest > 0.0 else np.inf
        if largest - smallest < small and n < len(nonzero):
            order, n, low, high, small = nonzero.copy(), len(nonzero), -np.inf, np.inf, max(small / FALL, MIN_SMOOTHING)
        summed += w
        averaged, sweeps = averaged + 1, sweeps + 1
        if sweeps < look and sweeps < max_sweeps:
            continue
        look, rounds = sweeps + max(1, int(NEW * sweeps)), rounds + 1
        bound = max(bound, lambda_ * float(a.sum() - 0.5 * w @ w))
        for candidate in (w, summed / averaged):
            value = _objective(rows, y, lambda_, candidate)
            if value < objective:
                x, objective = candidate.copy(), value
        clock.tell(relative_gap(objective, bound, 1.0))
        if 2 * averaged >= sweeps:
            summed[:], averaged = 0.0, 0
    exact = rows.T @ (a * y)  # rounding of many steps taken out
    bound = lambda_ * float(a.sum() - 0.5 * exact @ exact)
    status = status_of(relative_gap(objective, bound, 1.0), tol, "capped")
    return Solution(x, objective, lambda_ * a, bound, 1.0, status, sweeps, rounds, clock.seconds)


def _by_active_set(rows: Any, y: Array, C: float, tol: float) -> Array:
    """Return the a of the SVM on the products of the examples."""
    require(3.0 * 8 * len(y) ** 2, f"the products of {len(y)} examples", "use fewer")
    K = np.asarray((rows @ rows.T).toarray())
    return np.clip(SVMSolver(K, y, tol, bias=False).solve(C).dual, 0.0, C)


def _objective(rows: Any, y: Array, lambda_: float, w: Array) -> float:
    return 0.5 * lambda_ * float(w @ w) + float(np.maximum(0.0, 1.0 - y * (rows @ w)).mean())


@compiled
def sweep(ends, features, values, y, norms2, C, a, w, order, n, low, high, blocks):
    """Do a step for each of the first n examples of `order`; `a`, `w` and `order` are updated in place.

    Parameters
    ----------
    ends, features, values : arrays
        The examples as sparse rows.
    y, norms2, a : arrays of shape (m,)
        Labels +-1, squared norms, and the point of (D).
    w : array of shape (d,)
        ``sum_i a_i y_i x_i``.
    order : array of int
        Afterwards its first examples are those that are not left out.
    low, high : float
        An example at a bound is left out if its gradient is beyond all that others violate: over `high` at 0, under
        `low` at C.
    blocks : array of int
        The order of the blocks.

    Returns
    -------
    n, least, largest
        How many examples are not left out, and the least and the largest gradient that is not optimal, 0 for none.
    """
    smallest, largest = 0.0, 0.0
    for block in blocks:
        for s in range(block * BLOCK, min((block + 1) * BLOCK, n)):
            i = order[s]
            product = 0.0
            for t in range(ends[i], ends[i + 1]):
                product += w[features[t]] * values[t]
            gradient = y[i] * product - 1.0
            if (a[i] == 0.0 and gradient > high) or (a[i] == C and gradient < low):
                order[s] = -1
            elif (gradient < 0.0 and a[i] < C) or (gradient > 0.0 and a[i] > 0.0):
                smallest, largest = min(smallest, gradient), max(largest, gradient)
                new = min(max(a[i] - gradient / norms2[i], 0.0), C)
                step = y[i] * (new - a[i])
                a[i] = new
                for t in range(ends[i], ends[i + 1]):
                    w[features[t]] += step * values[t]
    kept = 0
    for s in range(n):
        if order[s] >= 0:
            order[kept] = order[s]
            kept += 1
    return kept, smallest, largest
