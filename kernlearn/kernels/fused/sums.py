# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Sums over values of Gaussian and polynomial kernels straight from the examples: no value leaves the cache.

Distances are sums of squared differences, in which nothing cancels. Several kernels share them: one of twice the
inverse squared width is a square, and one of a higher degree a product. The matrix of examples with themselves is
symmetric: a value above the diagonal counts for the one below it, too.
"""

from typing import Any, NamedTuple

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.kernels.fused.tiles import (
    EXPONENTIALS,
    FEATURES,
    LANES,
    POINTS,
    POWERS,
    SAME,
    SQUARES,
    SUMS,
    TILE,
    add_dot,
    add_four,
    add_four_twofold,
    add_multiple,
    put_base,
    put_values,
    transpose,
)
from kernlearn.types import Array, Index

#: With more features, matrix products of whole blocks are faster.
MOST_FEATURES = 64
#: Tiles between which Ctrl-C is heard.
AT_ONCE = 8
#: Points whose values are added up in single precision, if this is asked for.
IN_A_ROW = 512
#: Squares of squares at most: each doubles the relative error.
SQUARINGS = 2


class Kernels(NamedTuple):
    """Kernels ``exp(-gamma_k |x - z|^2)``, or ``(factor x.z + coef0)^(d_k)``."""

    #: Shape (p,): the gamma_k, or the degrees d_k.
    parameters: Array
    is_power: bool = False
    factor: float = 1.0
    coef0: float = 0.0


class Rows(NamedTuple):
    """What is added up: kernels with weights, so that those with the same values lie side by side."""

    how: Index
    #: Shape (R, 2): see `kernlearn.kernels.fused.tiles.put_values`.
    parameters: Array
    less_constant: Index


def products(
    kernels: Kernels, X: Array, Z: Array, weights: Array, kernel: Index, target: Index, less_constant: Index
) -> Array:
    """Return ``sum_r sum_j weights[r, j] K_r(x_i, z_j)`` over the rows r with the same target, shape (n_targets, n).

    If X and Z are the same array, half of the values are computed. In single precision, that of the weights, a sum is
    off by a few parts in ten million of the sum of absolute values.

    Raises `ValueError` if shapes do not fit together.

    Parameters
    ----------
    kernels : Kernels
    X, Z : arrays of shape (n, d), (m, d)
    weights : array of shape (R, m)
        In double or single precision.
    kernel, target : arrays of shape (R,)
        The kernel of every row, and the sum that it counts in; targets are numbers from 0 on.
    less_constant : array of shape (R,)
        1 where the kernel is ``exp(-gamma |x - z|^2) - 1``, or ``(factor x.z + c)^d - c^d``, exact where it is next to
        nothing.
    """
    if X.shape[1] != Z.shape[1] or weights.shape != (len(kernel), len(Z)):
        raise ValueError(f"{X.shape}, {Z.shape} and {weights.shape} do not fit together")
    order, rows = _rows(kernels, kernel, less_constant, target)
    n, kind = len(X), weights.dtype
    centre = _centre(kernels, Z)
    points = _padded(Z, centre).astype(kind)
    examples = points if X is Z else _padded(X, centre).astype(kind)
    lines = np.pad(weights[order], ((0, 0), (0, -len(Z) % TILE)))
    rows = rows._replace(parameters=rows.parameters.astype(kind))
    scalars = kernels.is_power, kind.type(kernels.factor), kind.type(kernels.coef0)
    sums = np.zeros((int(target.max()) + 1, len(examples)))
    mirrored = np.zeros((len(sums), len(points) if X is Z else 0, LANES))
    for start in range(0, len(examples), AT_ONCE * TILE):
        ends = start, start + AT_ONCE * TILE, len(Z)
        _add_products(examples, points, ends, scalars, *rows, lines, target[order], sums, mirrored)
    return (sums + mirrored.sum(axis=2) if X is Z else sums)[:, :n]


def outputs(kernels: Kernels, X: Array, Z: Array, weights: Array, less_constant: Index) -> tuple[Array, Array, Array]:
    """Return the same of all kernels together in twice the working precision: two parts, and the sum of squared terms.

    Parameters
    ----------
    kernels : Kernels
    X, Z : arrays of shape (n, d), (m, d)
    weights : array of shape (p, m)
        Of every kernel.
    less_constant : array of shape (p,)
    """
    order, rows = _rows(kernels, np.arange(len(weights)), less_constant)
    lines, centre = np.pad(weights[order], ((0, 0), (0, -len(Z) % POINTS))), _centre(kernels, Z)
    examples, points = _padded(X, centre), _padded(Z, centre)
    sums = np.zeros((3, len(examples)))
    for start in range(0, len(examples), AT_ONCE * TILE):
        some = slice(start, start + AT_ONCE * TILE)
        _add_outputs(examples[some], points, kernels[1:], *rows, lines, sums[:, some])
    high, low, squares = sums[:, : len(X)]
    return high, low, squares


def inner_products(kernels: Kernels, X: Array, means: Array, grands: Array) -> Array:
    """Return ``<K_kc, K_lc>_F``, shape (p, p), of ``K_kc = K_k - c_k - m_k 1' - 1 m_k' + g_k`` on examples.

    Parameters
    ----------
    kernels : Kernels
    X : array of shape (n, d)
    means : array of shape (p, n)
        The m_k.
    grands : array of shape (p,)
        The g_k. The c_k are 1, or ``coef0^d_k``.
    """
    p, n = means.shape
    order, rows = _rows(kernels, np.arange(p), np.ones(p, dtype=np.intp))
    lines, points = np.pad(means[order], ((0, 0), (0, -n % TILE))), _padded(X, _centre(kernels, X))
    sums = np.zeros((2, p, p, LANES))
    for start in range(0, n, AT_ONCE * TILE):
        ends = start, start + AT_ONCE * TILE, n
        _add_inner_products(points, ends, kernels[1:], *rows, lines, grands[order], sums)
    back, (diagonal, above) = np.argsort(order), sums.sum(axis=3)
    found = diagonal + 2.0 * above
    return (found + np.triu(found, 1).T)[np.ix_(back, back)]


def put_entries(
    kernels: Kernels, weights: Array, X: Array, Z: Array, out: Array, *, less_constant: bool = False
) -> None:
    """Put ``sum_k weights_k K_k(x_i, z_j)``, shape (n, m), of kernels as they are given or less a constant, into `out`.

    Parameters
    ----------
    kernels : Kernels
    weights : array of shape (p,)
    X, Z : arrays of shape (n, d), (m, d)
        Moved by the same, see `moved`.
    """
    order, rows = _rows(kernels, np.arange(len(weights)), np.full(len(weights), int(less_constant)))
    nothing = np.zeros(X.shape[1])
    examples, points = _padded(Z, nothing), _padded(X, nothing, POINTS)
    _put_entries(examples, points, kernels[1:], *rows, weights[order], out)


def moved(kernels: Kernels, X: Array) -> Array:
    """Return examples around their mean where that changes no value, since smaller numbers lose fewer digits."""
    return X - _centre(kernels, X)


def range_of_base(kernels: Kernels, r: Array, s: Array) -> tuple[float, float]:
    """Return bounds of what the kernels are functions of, from the sizes of examples and points, see `KernelFamily`."""
    first, second = (float(sizes.max(initial=0.0)) for sizes in (r, s))
    return (-first * second, first * second) if kernels.is_power else (0.0, (first**0.5 + second**0.5) ** 2)


def is_dense_and_small(*examples: Any) -> bool:
    """Return whether examples are dense, with so few features that the sums of this module are the soonest."""
    return all(isinstance(one, np.ndarray) and one.shape[1] <= MOST_FEATURES for one in examples)


def _centre(kernels: Kernels, Z: Array) -> Array:
    """Return what examples are moved by: distances stay the same, and are sums of smaller numbers."""
    return np.zeros(Z.shape[1]) if kernels.is_power else Z.mean(axis=0)


def _padded(X: Array, centre: Array, multiple: int = TILE) -> Array:
    """Return the moved examples, a multiple of a number, with a multiple of `FEATURES` features."""
    return np.pad(X - centre, ((0, -len(X) % multiple), (0, -X.shape[1] % FEATURES)))


def _rows(kernels: Kernels, kernel: Index, less_constant: Index, target: Index | None = None) -> tuple[Index, Rows]:
    """Return an order of rows, and how each has its kernel values from those of the row before."""
    own = kernels.parameters[kernel].astype(np.float64)
    order = np.lexsort((np.zeros_like(kernel) if target is None else target, own, less_constant))
    own, less_constant, squarings = own[order], less_constant[order], 0
    how = np.full(len(own), POWERS if kernels.is_power else EXPONENTIALS)
    parameters = np.stack([np.zeros_like(own), own] if kernels.is_power else [own, own], axis=1)
    for row in range(1, len(own)):
        is_new, before = less_constant[row] != less_constant[row - 1], own[row - 1]
        if not is_new and own[row] == before:
            how[row] = SAME
        elif not is_new and kernels.is_power:
            parameters[row, 0] = before
        elif not is_new and own[row] == 2.0 * before and squarings < SQUARINGS:
            how[row], squarings = SQUARES, squarings + 1
        else:
            squarings = 0
    return order, Rows(how, parameters, less_constant)


@compiled
def _add_products(X, Z, ends, scalars, how, parameters, less_constant, weights, target, sums, mirrored):
    """Add the products for some tiles of examples; with `mirrored`, X is Z, and those below the diagonal count."""
    (first, last, m), (is_power, factor, coef0) = ends, scalars
    d, kind, is_symmetric = X.shape[1], X.dtype, mirrored.shape[1] > 0
    across, total, part = np.zeros((d, TILE), kind), np.zeros((sums.shape[0], TILE), kind), np.empty(SUMS, kind)
    base, values = np.empty((POINTS, TILE), kind), np.empty((POINTS, TILE), kind)
    flat, flat_values = base.ravel(), values.ravel()
    for start in range(first, min(last, len(X)), TILE):
        transpose(X[start : start + TILE], across)
        for begin in range(start if is_symmetric else 0, m, IN_A_ROW):
            total[:] = 0.0
            for j in range(begin, min(begin + IN_A_ROW, m), POINTS):
                put_base(is_power, Z[j : j + POINTS], across, factor, base)
                for row in range(len(how)):
                    put_values(flat, how[row], parameters[row], less_constant[row], coef0, flat_values)
                    a, b, c, e = weights[row, j], weights[row, j + 1], weights[row, j + 2], weights[row, j + 3]
                    add_four(a, b, c, e, values, total[target[row]])
                    if is_symmetric and j >= start + TILE:
                        for p in range(POINTS):
                            add_dot(weights[row, start : start + TILE], values[p], part, mirrored[target[row], j + p])
            for o in range(sums.shape[0]):
                for i in range(TILE):
                    sums[o, start + i] += total[o, i]


@compiled
def _add_outputs(X, Z, scalars, how, parameters, less_constant, weights, sums):
    is_power, factor, coef0 = scalars
    across, base, values = np.zeros((X.shape[1], TILE)), np.empty((POINTS, TILE)), np.empty((POINTS, TILE))
    flat, flat_values, tile = base.ravel(), values.ravel(), np.empty((3, TILE))
    for start in range(0, len(X), TILE):
        transpose(X[start : start + TILE], across)
        tile[:] = 0.0
        for j in range(0, weights.shape[1], POINTS):
            put_base(is_power, Z[j : j + POINTS], across, factor, base)
            for row in range(len(how)):
                put_values(flat, how[row], parameters[row], less_constant[row], coef0, flat_values)
                a, b, c, e = weights[row, j], weights[row, j + 1], weights[row, j + 2], weights[row, j + 3]
                add_four_twofold(a, b, c, e, values, tile)
        sums[:, start : start + TILE] = tile


@compiled
def _add_inner_products(X, ends, scalars, how, parameters, less_constant, means, grands, sums):
    (first, last, n), (is_power, factor, coef0) = ends, scalars
    p = len(how)
    across, base, part = np.zeros((X.shape[1], TILE)), np.empty((POINTS, TILE)), np.empty(SUMS)
    raw, values, flat = np.empty(POINTS * TILE), np.empty((p, POINTS, TILE)), base.ravel()
    for start in range(first, min(last, n), TILE):
        transpose(X[start : start + TILE], across)
        size = min(TILE, n - start)
        for j in range(start, n, POINTS):
            put_base(is_power, X[j : j + POINTS], across, factor, base)
            for k in range(p):
                put_values(flat, how[k], parameters[k], less_constant[k], coef0, raw)
                centred, tile = values[k], means[k, start : start + TILE]
                centred[:] = 0.0
                for q in range(min(POINTS, n - j)):
                    shift, row, own = grands[k] - means[k, j + q], centred[q], raw[q * TILE : (q + 1) * TILE]
                    for i in range(size):
                        row[i] = own[i] + (shift - tile[i])
            half = sums[1 if j >= start + TILE else 0]
            for k in range(p):
                for other in range(k, p):
                    for q in range(POINTS):
                        add_dot(values[k, q], values[other, q], part, half[k, other])


@compiled
def _put_entries(X, Z, scalars, how, parameters, less_constant, weights, out):
    is_power, factor, coef0 = scalars
    across, base, values = np.zeros((X.shape[1], TILE)), np.empty((POINTS, TILE)), np.empty((POINTS, TILE))
    flat, flat_values, total = base.ravel(), values.ravel(), np.empty((POINTS, TILE))
    flat_total = total.ravel()
    for start in range(0, len(X), TILE):
        transpose(X[start : start + TILE], across)
        size = min(TILE, out.shape[1] - start)
        for j in range(0, len(Z), POINTS):
            put_base(is_power, Z[j : j + POINTS], across, factor, base)
            flat_total[:] = 0.0
            for row in range(len(how)):
                put_values(flat, how[row], parameters[row], less_constant[row], coef0, flat_values)
                add_multiple(weights[row], flat_values, flat_total)
            for p in range(min(POINTS, len(out) - j)):
                out[j + p, start : start + size] = total[p, :size]
