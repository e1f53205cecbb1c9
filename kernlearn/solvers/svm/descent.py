# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""A first solution of the support vector machine without bias: coordinate descent in the dual, cut short.

Without the constraint ``sum_i alpha_i y_i = 0`` one alpha can change alone (Hsieh et al., 2008, A dual coordinate
descent method for large-scale linear SVM), as LibSVM's pairs do with it.
"""

import numpy as np

from kernlearn.compiled import compiled

#: A violation of the optimality conditions, in multiples of a margin, that is none.
VIOLATION = 1e-3


@compiled
def descend(K, y, w, C, sweeps, alpha):
    """Improve a feasible alpha of ``max sum alpha - 1/2 (alpha y)'K(alpha y)``, ``0 <= alpha <= C w``.

    Parameters
    ----------
    K : array of shape (n, n)
    y, w : arrays of shape (n,)
        Labels +-1, and weights of the examples.
    sweeps : int
        At most so many over all examples.
    alpha : array of shape (n,)
        Updated in place.

    Returns
    -------
    int
        The sweeps done.
    """
    f = np.zeros(len(y))
    for i in range(len(y)):
        if alpha[i] != 0.0:
            f += y[i] * alpha[i] * K[i]
    for sweep in range(sweeps):
        largest = 0.0
        for i in range(len(y)):
            gradient = y[i] * f[i] - 1.0
            if not ((gradient < 0.0 and alpha[i] < w[i] * C) or (gradient > 0.0 and alpha[i] > 0.0)):
                continue
            largest = max(largest, abs(gradient))
            new = w[i] * C if gradient < 0.0 else 0.0  # of an example that is 0 in feature space
            if K[i, i] > 0.0:
                new = min(max(alpha[i] - gradient / K[i, i], 0.0), w[i] * C)
            step = y[i] * (new - alpha[i])
            alpha[i] = new
            f += step * K[i]
        if largest < VIOLATION:
            return sweep + 1
    return sweeps
