# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Products with Gaussian kernel matrices straight from the examples: no value of a matrix leaves the cache.

Distances are sums of squared differences, in which nothing cancels. The examples of a tile lie along the vectors of the
processor, and the points pass by; no sum is reordered, so that the same machine gives the same bits. The matrix of
examples with themselves is symmetric: a value above the diagonal counts for the one below it, too.
"""

from typing import Any

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.kernels.core.exponentials import exponentials, exponentials_single, fma
from kernlearn.types import Array, Index

#: Examples whose sums and distances stay in the fastest cache while the points pass by, and points at a time.
TILE, POINTS = 256, 4
#: With more features, matrix products of whole blocks are faster.
MOST_FEATURES = 64
#: Tiles between which Ctrl-C is heard.
AT_ONCE = 8
#: Points whose values are added up in single precision, if this is asked for.
IN_A_ROW = 512
#: Features whose differences are squared at a time.
FEATURES = 4
#: Sums over a tile lie side by side: so many, and then so many.
SUMS, LANES = 32, 8
#: How a row has its kernel values: those of the row before, their squares, or exponentials.
SAME, SQUARES, EXPONENTIALS = 0, 1, 2
#: Squares of squares at most: each doubles the relative error.
SQUARINGS = 2


def gaussian_products(
    gammas: Array, X: Array, Z: Array, weights: Array, kernel: Index, target: Index, less_constant: Index
) -> Array:
    """Return ``sum_r sum_j weights[r, j] K_r(x_i, z_j)`` over the rows r with the same target, shape (n_targets, n).

    If X and Z are the same array, half of the values are computed. In single precision, that of the weights, a sum is
    off by a few parts in ten million of the sum of absolute values.

    Raises `ValueError` if shapes do not fit together.

    Parameters
    ----------
    gammas : array of shape (p,)
        Inverse squared widths.
    X, Z : arrays of shape (n, d), (m, d)
    weights : array of shape (R, m)
        In double or single precision.
    kernel, target : arrays of shape (R,)
        The kernel of every row, and the sum that it counts in; targets are numbers from 0 on.
    less_constant : array of shape (R,)
        1 where the kernel is ``exp(-gamma |x - z|^2) - 1``, which is exact where it is next to nothing.
    """
    if X.shape[1] != Z.shape[1] or weights.shape != (len(kernel), len(Z)):
        raise ValueError(f"{X.shape}, {Z.shape} and {weights.shape} do not fit together")
    widths = gammas[kernel]
    order = np.lexsort((target, widths, less_constant))  # rows with the same values lie side by side
    how, n, kind = _ways(widths[order], less_constant[order]), len(X), weights.dtype
    points = _padded(Z, Z).astype(kind)
    examples = points if X is Z else _padded(X, Z).astype(kind)
    rows = np.pad(weights[order], ((0, 0), (0, -len(Z) % TILE)))
    rest = widths[order].astype(kind), rows, how, target[order], less_constant[order]
    sums = np.zeros((int(target.max()) + 1, len(examples)))
    mirrored = np.zeros((len(sums), len(points) if X is Z else 0, LANES))
    for start in range(0, len(examples), AT_ONCE * TILE):
        _add_products(examples, points, start, start + AT_ONCE * TILE, *rest, sums, mirrored)
    return (sums + mirrored.sum(axis=2) if X is Z else sums)[:, :n]


def gaussian_outputs(
    gammas: Array, X: Array, Z: Array, weights: Array, less_constant: Index
) -> tuple[Array, Array, Array]:
    """Return the same of all rows together in twice the working precision: two parts, and the sum of squared terms.

    Parameters
    ----------
    gammas : array of shape (p,)
    X, Z : arrays of shape (n, d), (m, d)
    weights : array of shape (p, m)
        Of every kernel.
    less_constant : array of shape (p,)
    """
    order, n = np.lexsort((gammas, less_constant)), len(X)
    widths, less_constant = gammas[order], less_constant[order]
    rows = np.pad(weights[order], ((0, 0), (0, -len(Z) % POINTS)))
    examples, points, how = _padded(X, Z), _padded(Z, Z), _ways(widths, less_constant)
    sums = np.zeros((3, len(examples)))
    for start in range(0, len(examples), AT_ONCE * TILE):
        some = slice(start, start + AT_ONCE * TILE)
        _add_outputs(examples[some], points, widths, rows, how, less_constant, sums[:, some])
    high, low, squares = sums[:, :n]
    return high, low, squares


def gaussian_inner_products(gammas: Array, X: Array, means: Array, grands: Array) -> Array:
    """Return ``<K_kc, K_lc>_F``, shape (p, p), of ``K_kc = K_k - 1 - m_k 1' - 1 m_k' + g_k`` on examples.

    Parameters
    ----------
    gammas : array of shape (p,)
    X : array of shape (n, d)
    means : array of shape (p, n)
        The m_k.
    grands : array of shape (p,)
        The g_k.
    """
    order, n = np.argsort(gammas, kind="stable"), len(X)
    less_constant = np.ones(len(gammas), dtype=np.intp)
    how, lines = _ways(gammas[order], less_constant), np.pad(means[order], ((0, 0), (0, -n % TILE)))
    points, sums = _padded(X, X), np.zeros((2, len(gammas), len(gammas), LANES))
    for start in range(0, n, AT_ONCE * TILE):
        _add_inner_products(points, n, start, start + AT_ONCE * TILE, gammas[order], how, lines, grands[order], sums)
    back, (diagonal, above) = np.argsort(order), sums.sum(axis=3)
    products = diagonal + 2.0 * above
    return (products + np.triu(products, 1).T)[np.ix_(back, back)]


def is_dense_and_small(*examples: Any) -> bool:
    """Return whether examples are dense, with so few features that the sums of this module are the soonest."""
    return all(isinstance(one, np.ndarray) and one.shape[1] <= MOST_FEATURES for one in examples)


def _padded(X: Array, Z: Array) -> Array:
    """Return examples around the mean of the points, a multiple of `TILE` with a multiple of `FEATURES` features."""
    return np.pad(X - Z.mean(axis=0), ((0, -len(X) % TILE), (0, -X.shape[1] % FEATURES)))


def _ways(widths: Array, less_constant: Index) -> Index:
    """Return how every row has its kernel values."""
    ways, squarings = np.full(len(widths), EXPONENTIALS), 0
    for row in range(1, len(widths)):
        if less_constant[row] != less_constant[row - 1]:
            squarings = 0
        elif widths[row] == widths[row - 1]:
            ways[row] = SAME
        elif widths[row] == 2.0 * widths[row - 1] and squarings < SQUARINGS:
            ways[row], squarings = SQUARES, squarings + 1
        else:
            squarings = 0
    return ways


@compiled
def _add_products(X, Z, first, last, gammas, weights, how, target, less_constant, sums, mirrored):
    """Add the products for the tiles from one example to another; with `mirrored`, X is Z, and those below count."""
    d, kind, is_single, is_symmetric = X.shape[1], X.dtype, X.itemsize == 4, mirrored.shape[1] > 0
    across, distances, values = (
        np.zeros((d, TILE), kind),
        np.empty((POINTS, TILE), kind),
        np.empty((POINTS, TILE), kind),
    )
    total, part = np.zeros((sums.shape[0], TILE), kind), np.empty(SUMS, kind)
    flat, flat_values = distances.ravel(), values.ravel()
    for start in range(first, min(last, len(X)), TILE):
        _transpose(X[start : start + TILE], across)
        for begin in range(start if is_symmetric else 0, len(Z), IN_A_ROW):
            total[:] = 0.0
            for j in range(begin, min(begin + IN_A_ROW, len(Z)), POINTS):
                _distances(Z[j : j + POINTS], across, distances)
                for row in range(len(how)):
                    if is_single and how[row] == EXPONENTIALS:
                        exponentials_single(flat, gammas[row], less_constant[row], flat_values)
                    else:
                        _values(flat, how[row], gammas[row], less_constant[row], flat_values)
                    a, b, c, e = weights[row, j], weights[row, j + 1], weights[row, j + 2], weights[row, j + 3]
                    _add_four(a, b, c, e, values, total[target[row]])
                    if is_symmetric and j >= start + TILE:
                        for p in range(POINTS):
                            _add_dot(weights[row, start : start + TILE], values[p], part, mirrored[target[row], j + p])
            for o in range(sums.shape[0]):
                for i in range(TILE):
                    sums[o, start + i] += total[o, i]


@compiled
def _add_outputs(X, Z, gammas, weights, how, less_constant, sums):
    across, distances, values = np.zeros((X.shape[1], TILE)), np.empty((POINTS, TILE)), np.empty((POINTS, TILE))
    flat, flat_values = distances.ravel(), values.ravel()
    for start in range(0, len(X), TILE):
        _transpose(X[start : start + TILE], across)
        tile = sums[:, start : start + TILE]
        for j in range(0, weights.shape[1], POINTS):
            _distances(Z[j : j + POINTS], across, distances)
            for row in range(len(how)):
                _values(flat, how[row], gammas[row], less_constant[row], flat_values)
                a, b, c, e = weights[row, j], weights[row, j + 1], weights[row, j + 2], weights[row, j + 3]
                _add_four_twofold(a, b, c, e, values, tile)


@compiled
def _add_inner_products(X, n, first, last, gammas, how, means, grands, sums):
    kernels = len(gammas)
    across, distances = np.zeros((X.shape[1], TILE)), np.empty((POINTS, TILE))
    raw, values, flat = np.empty(POINTS * TILE), np.empty((kernels, POINTS, TILE)), distances.ravel()
    part = np.empty(SUMS)
    for start in range(first, min(last, n), TILE):
        _transpose(X[start : start + TILE], across)
        size = min(TILE, n - start)
        for j in range(start, n, POINTS):
            _distances(X[j : j + POINTS], across, distances)
            for k in range(kernels):
                _values(flat, how[k], gammas[k], 1, raw)
                centred, tile = values[k], means[k, start : start + TILE]
                centred[:] = 0.0
                for p in range(min(POINTS, n - j)):
                    shift, row, own = grands[k] - means[k, j + p], centred[p], raw[p * TILE : (p + 1) * TILE]
                    for i in range(size):
                        row[i] = own[i] + (shift - tile[i])
            half = sums[1 if j >= start + TILE else 0]
            for k in range(kernels):
                for other in range(k, kernels):
                    for p in range(POINTS):
                        _add_dot(values[k, p], values[other, p], part, half[k, other])


@compiled
def _transpose(X, across):
    for i in range(TILE):
        for f in range(X.shape[1]):
            across[f, i] = X[i, f]


@compiled
def _values(distances, how, gamma, less_constant, values):
    """Put the values of a kernel into an array that has those of the row before, see `_ways`."""
    if how == EXPONENTIALS:
        exponentials(distances, gamma, less_constant, values)
    elif how == SQUARES:
        _squares(values, less_constant)


@compiled
def _distances(Z, across, distances):
    """Put the squared distances of four points from the examples of a tile into an array."""
    distances[:] = 0.0
    d0, d1, d2, d3 = distances[0], distances[1], distances[2], distances[3]
    for f in range(0, across.shape[0], FEATURES):
        x0, x1, x2, x3 = across[f], across[f + 1], across[f + 2], across[f + 3]
        a0, a1, a2, a3 = Z[0, f], Z[0, f + 1], Z[0, f + 2], Z[0, f + 3]
        b0, b1, b2, b3 = Z[1, f], Z[1, f + 1], Z[1, f + 2], Z[1, f + 3]
        c0, c1, c2, c3 = Z[2, f], Z[2, f + 1], Z[2, f + 2], Z[2, f + 3]
        e0, e1, e2, e3 = Z[3, f], Z[3, f + 1], Z[3, f + 2], Z[3, f + 3]
        for i in range(TILE):  # what is loaded counts for all four
            p0, p1, p2, p3 = x0[i], x1[i], x2[i], x3[i]
            d0[i] = _add_squares(d0[i], a0 - p0, a1 - p1, a2 - p2, a3 - p3)
            d1[i] = _add_squares(d1[i], b0 - p0, b1 - p1, b2 - p2, b3 - p3)
            d2[i] = _add_squares(d2[i], c0 - p0, c1 - p1, c2 - p2, c3 - p3)
            d3[i] = _add_squares(d3[i], e0 - p0, e1 - p1, e2 - p2, e3 - p3)


@compiled
def _add_squares(total, a, b, c, e):
    return fma(e, e, fma(c, c, fma(b, b, fma(a, a, total))))


@compiled
def _squares(values, less_constant):
    """Square the values, of kernels less 1: ``(1 + v)^2 - 1``."""
    for i in range(len(values)):
        v = values[i]
        values[i] = fma(v, v, v + v) if less_constant else v * v


@compiled
def _add_four(a, b, c, e, values, total):
    v0, v1, v2, v3 = values[0], values[1], values[2], values[3]
    for i in range(TILE):
        total[i] = fma(e, v3[i], fma(c, v2[i], fma(b, v1[i], fma(a, v0[i], total[i]))))


@compiled
def _add_dot(w, v, part, lanes):
    """Add ``w.v`` over a tile of 8 times `SUMS` examples, as `LANES` sums side by side."""
    for i in range(SUMS):
        low = fma(w[i + 96], v[i + 96], fma(w[i + 64], v[i + 64], fma(w[i + 32], v[i + 32], w[i] * v[i])))
        low = fma(w[i + 160], v[i + 160], fma(w[i + 128], v[i + 128], low))
        part[i] = fma(w[i + 224], v[i + 224], fma(w[i + 192], v[i + 192], low))
    for i in range(LANES):
        lanes[i] += (part[i] + part[i + 8]) + (part[i + 16] + part[i + 24])


@compiled
def _add_four_twofold(a, b, c, e, values, sums):
    """Do the same with the rounding error of each product and each sum, and with the sums of squared products."""
    v0, v1, v2, v3 = values[0], values[1], values[2], values[3]
    high, low, squares = sums[0], sums[1], sums[2]
    for i in range(TILE):
        total, rest, square = _twofold(a, v0[i], high[i], low[i], squares[i])
        total, rest, square = _twofold(b, v1[i], total, rest, square)
        total, rest, square = _twofold(c, v2[i], total, rest, square)
        high[i], low[i], squares[i] = _twofold(e, v3[i], total, rest, square)


@compiled
def _twofold(weight, value, high, low, squares):
    product = weight * value
    total = high + product
    part = total - high
    errors = ((high - (total - part)) + (product - part)) + fma(weight, value, -product)  # Ogita, Rump and Oishi (2005)
    return total, low + errors, fma(product, product, squares)
