# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""A Cholesky factor that rows are added to and taken from, and what LAPACK makes one of, compiled by numba.

``L[:f, :f]`` is lower triangular with ``L L' = A`` for a symmetric positive definite A of order f. Only the lower
triangle of the array is ever read: by columns, as LAPACK has it, that is the upper one of its transpose.
"""

from math import hypot, sqrt

from kernlearn.compiled import compiled
from kernlearn.solvers.core.products import dot, put


@compiled
def forward(L, f, x):
    """Replace the first f entries of x by ``L^-1 x``."""
    for i in range(f):
        x[i] = (x[i] - dot(L[i, :i], x[:i])) / L[i, i]


@compiled
def backward(L, f, x):
    """Replace the first f entries of x by ``L^-T x``."""
    for i in range(f - 1, -1, -1):
        x[i] /= L[i, i]
        for j in range(i):
            x[j] -= L[i, j] * x[i]


@compiled
def append(L, f, row, pivot):
    """Add a row and column to A.

    `row` is ``L^-1`` times its off-diagonal part, `pivot` > 0 what is left of its diagonal entry.

    Returns
    -------
    f : int
        The new order.
    """
    put(row[:f], L[f])
    L[f, f] = sqrt(pivot)
    return f + 1


@compiled
def delete(L, f, position):
    """Take row and column `position` out of A by plane rotations, in O((f - position)^2).

    Returns
    -------
    f : int
        The new order.
    """
    n_rotations = f - 1 - position
    cosine, sine = [0.0] * n_rotations, [0.0] * n_rotations
    for i in range(position, f - 1):
        put(L[i + 1, : i + 2], L[i])
        for k in range(position, i + 1):
            if k < i:
                c, s = cosine[k - position], sine[k - position]
            else:
                length = hypot(L[i, k], L[i, k + 1])
                c, s = L[i, k] / length, L[i, k + 1] / length
                cosine[k - position], sine[k - position] = c, s
            left, right = L[i, k], L[i, k + 1]
            L[i, k], L[i, k + 1] = c * left + s * right, c * right - s * left
    return f - 1


@compiled
def put_upper(K, F, shift, out):
    """Put the upper triangle of ``K_FF + shift``, K symmetric, into `out`; what is below stays: half the work."""
    for i in range(len(F)):
        row = K[F[i]]
        for j in range(i, len(F)):
            out[i, j] = row[F[j]] + shift


@compiled
def widen(numbers, f, before, after, whole):
    """Move f rows of a matrix to where they are if its rows are longer, in the same memory.

    Parameters
    ----------
    numbers : array
        Those of the matrix, row by row.
    f, before, after : int
        Rows, and the length of a row, ``after > before``.
    whole : bool
        Whether all of a row is moved, or only what is from the diagonal on.
    """
    for i in range(f - 1, -1, -1):
        first = 0 if whole else i
        for j in range(f - 1, first - 1, -1):
            numbers[i * after + j] = numbers[i * before + j]
