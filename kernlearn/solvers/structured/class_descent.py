# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The dual of structured machines of classes, by steps over the multipliers of all outputs of one example at a time.

The program is that of `kernlearn.solvers.structured.cut_descent`, whose steps these are, over every wrong class of
every example: ``w.dpsi_i(y) = E[y_i, i] - E[y, i]``, and ``dpsi_i(y).dpsi_i(z) = K_ii (1 + [y = z])``. No inner
products of different examples are kept; what a step changes is added to E by rows of K.
"""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.structured.cut_descent import LEFT, NOTHING, WORTH, descend_one, violation_of


@compiled
def descend_classes(K, labels, Z, E, c, B, passes):
    """Improve the multipliers Z and E with them, in place; return the steps taken.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix.
    labels : array of shape (n,)
        The true classes.
    Z : array of shape (n, 3, k)
        Multipliers a, b and b* of all outputs, those of true classes 0.
    E : array of shape (k, n)
        What w gives every class.
    passes : int
        Over all examples, at most.
    """
    k, n = E.shape
    steps, before = 0, 0.0
    wrong, margins = np.empty(k - 1, dtype=np.intp), np.empty(k)
    alike = np.ones((k, k)) + np.eye(k)
    for _ in range(passes):
        worst = 0.0
        for i in range(n):
            true, m = labels[i], 0
            for y in range(k):
                margins[y] = E[true, i] - E[y, i]
                if y != true:
                    wrong[m] = y
                    m += 1
            violation = violation_of(wrong, Z[i], margins[wrong], c, B)
            worst = max(worst, violation)
            if violation <= max(WORTH * before, NOTHING):
                continue
            old = Z[i, 0] - Z[i, 1] + Z[i, 2]
            steps += descend_one(K[i, i] * alike, wrong, Z[i], margins, c, B, LEFT * violation)
            more = Z[i, 0] - Z[i, 1] + Z[i, 2] - old
            more[true] = -more.sum()
            for y in range(k):
                if more[y] != 0.0:
                    out, row, amount = E[y], K[i], more[y]
                    for j in range(n):
                        out[j] -= amount * row[j]
        before = worst
        if worst <= NOTHING:
            break
    return steps
