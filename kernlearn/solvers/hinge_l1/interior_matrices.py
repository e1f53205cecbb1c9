# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""What the factors of `kernlearn.solvers.hinge_l1.interior_newton` are made of, each in one sweep over the rows."""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.core.products import dot


@compiled
def write_scaled(G, rows, columns, left, right, out):
    """Write ``left_r G[r, c] right_c`` for some rows and columns to `out`, rounded to its precision."""
    for i in range(len(rows)):
        row, factor = G[rows[i]], left[i]
        for j in range(len(columns)):
            out[i, j] = row[columns[j]] * factor * right[j]


@compiled
def sums_of_columns(G, weights):
    """Return ``sum_q weights_q G_qi^2`` for all columns i."""
    sums = np.zeros(G.shape[1])
    for q in range(len(G)):
        row, weight = G[q], weights[q]
        for i in range(len(sums)):
            sums[i] += weight * row[i] * row[i]
    return sums


@compiled
def sums_of_rows(G, weights):
    """Return ``sum_i weights_i G_qi^2`` for all rows q."""
    sums, weighted = np.zeros(len(G)), np.empty(G.shape[1])
    for q in range(len(G)):
        row = G[q]
        for i in range(len(weighted)):
            weighted[i] = weights[i] * row[i]
        sums[q] = dot(weighted, row)
    return sums
