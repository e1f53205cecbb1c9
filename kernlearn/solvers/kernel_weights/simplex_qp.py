# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Quadratic programs over a simplex, by moving weight between two variables at a time."""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.types import Array

#: Steps in multiples of the number of variables, after which the point reached is good enough.
MAX_STEPS = 2000
#: Curvature below this part of the largest entry of H is taken for this much.
FLAT = 1e-12


def descend_over_simplex(H: Array, c: Array, x: Array, low: Array, tol: float = 1e-9) -> Array:
    """Return an approximate minimiser of ``1/2 x'Hx + c'x`` subject to ``x >= low`` and the sum of the given x.

    Parameters
    ----------
    H : array of shape (p, p)
        Symmetric positive semidefinite.
    c, low : arrays of shape (p,)
    x : array of shape (p,)
        A feasible point to start from; it is not changed.
    tol : float
        Largest difference of partial derivatives at the end, relative to that at the start.

    Returns
    -------
    array of shape (p,)
    """
    x = x.copy()
    floor = FLAT * float(np.abs(H).max(initial=0.0)) or 1e-300
    _exchange(np.ascontiguousarray(H), x, H @ x + c, low, tol, floor, MAX_STEPS * len(x))
    return x


@compiled
def _exchange(H, x, g, low, tol, floor, max_steps):
    first = -1.0
    for _ in range(max_steps):
        up, down = 0, -1
        for k in range(len(x)):
            if g[k] < g[up]:
                up = k
            if x[k] > low[k] and (down < 0 or g[k] > g[down]):
                down = k
        if down < 0:
            return
        violation = g[down] - g[up]
        if first < 0.0:
            first = violation
        if violation <= tol * first:
            return
        # Of the variables that may fall, the one that gains most together with `up` (second order).
        best = 0.0
        for k in range(len(x)):
            if x[k] > low[k] and g[k] > g[up]:
                curvature = max(H[k, k] + H[up, up] - 2.0 * H[k, up], floor)
                gain = (g[k] - g[up]) ** 2 / curvature
                if gain > best:
                    best, down = gain, k
        curvature = max(H[down, down] + H[up, up] - 2.0 * H[down, up], floor)
        step = (g[down] - g[up]) / curvature
        if step >= x[down] - low[down]:
            step = x[down] - low[down]
            x[down] = low[down]
        else:
            x[down] -= step
        x[up] += step
        for k in range(len(x)):
            g[k] += step * (H[k, up] - H[k, down])
