# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Compiled parts of sums over kernel values: those of four points and the examples of a tile.

The examples of a tile lie along the vectors of the processor, and the points pass by. No sum is reordered, so that the
same machine gives the same bits.
"""

from kernlearn.compiled import compiled
from kernlearn.kernels.fused.exponentials import exponentials, exponentials_single, fma

#: Examples whose values stay in the fastest cache, and points at a time.
TILE, POINTS = 256, 4
#: Features at a time.
FEATURES = 4
#: Sums over a tile lie side by side: so many, and then so many.
SUMS, LANES = 32, 8
#: How a row has its kernel values: those of the row before, their squares, exponentials, or powers of the base.
SAME, SQUARES, EXPONENTIALS, POWERS = 0, 1, 2, 3


@compiled
def transpose(X, across):
    """Put the examples of a tile into an array, features first."""
    for i in range(TILE):
        for f in range(X.shape[1]):
            across[f, i] = X[i, f]


@compiled
def put_base(is_power, Z, across, factor, base):
    """Put into an array what the kernels are functions of: squared distances, or ``factor z.x``."""
    if is_power:
        _inner_products(Z, across, factor, base)
    else:
        _distances(Z, across, base)


@compiled
def put_values(base, how, parameter, less_constant, coef0, values):
    """Put the values of a kernel into an array that has those of the row before it.

    Parameters
    ----------
    base : array
    how : int
    parameter : array of shape (2,)
        The inverse squared width, or the degrees that the values have and are to have.
    less_constant : int
        Whether the kernel is less what it is for ``|x - z| = 0``, or ``x.z = 0``.
    coef0 : float
    """
    if how == EXPONENTIALS:
        if values.itemsize == 4:
            exponentials_single(base, parameter[0], less_constant, values)
        else:
            exponentials(base, parameter[0], less_constant, values)
    elif how == SQUARES:
        _square(values, less_constant)
    elif how == POWERS:
        _raise(base, int(parameter[0]), int(parameter[1]), less_constant, coef0, values)


@compiled
def _square(values, less_constant):
    """Square the values, of kernels less 1: ``(1 + v)^2 - 1``."""
    for i in range(len(values)):
        v = values[i]
        values[i] = fma(v, v, v + v) if less_constant else v * v


@compiled
def _raise(base, first, last, less_constant, coef0, values):
    """Make ``(B + c)^last`` of ``(B + c)^first``; of powers less ``c^k``, ``v_(k+1) = v_k (B + c) + B c^k``."""
    one = values.dtype.type(1.0)
    if first == 0:
        values[:] = one - one if less_constant else one
    constant = one
    for k in range(last):
        if k >= first:
            if less_constant:
                for i in range(len(values)):
                    values[i] = fma(values[i], base[i] + coef0, base[i] * constant)
            else:
                for i in range(len(values)):
                    values[i] *= base[i] + coef0
        constant *= coef0


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
def _inner_products(Z, across, factor, base):
    """Put ``factor z.x`` of four points and the examples of a tile into an array."""
    base[:] = 0.0
    d0, d1, d2, d3 = base[0], base[1], base[2], base[3]
    for f in range(0, across.shape[0], FEATURES):
        x0, x1, x2, x3 = across[f], across[f + 1], across[f + 2], across[f + 3]
        a0, a1, a2, a3 = factor * Z[0, f], factor * Z[0, f + 1], factor * Z[0, f + 2], factor * Z[0, f + 3]
        b0, b1, b2, b3 = factor * Z[1, f], factor * Z[1, f + 1], factor * Z[1, f + 2], factor * Z[1, f + 3]
        c0, c1, c2, c3 = factor * Z[2, f], factor * Z[2, f + 1], factor * Z[2, f + 2], factor * Z[2, f + 3]
        e0, e1, e2, e3 = factor * Z[3, f], factor * Z[3, f + 1], factor * Z[3, f + 2], factor * Z[3, f + 3]
        for i in range(TILE):
            p0, p1, p2, p3 = x0[i], x1[i], x2[i], x3[i]
            d0[i] = fma(a3, p3, fma(a2, p2, fma(a1, p1, fma(a0, p0, d0[i]))))
            d1[i] = fma(b3, p3, fma(b2, p2, fma(b1, p1, fma(b0, p0, d1[i]))))
            d2[i] = fma(c3, p3, fma(c2, p2, fma(c1, p1, fma(c0, p0, d2[i]))))
            d3[i] = fma(e3, p3, fma(e2, p2, fma(e1, p1, fma(e0, p0, d3[i]))))


@compiled
def add_four(a, b, c, e, values, total):
    """Add the values of four points, times their weights, to the sums of the examples."""
    v0, v1, v2, v3 = values[0], values[1], values[2], values[3]
    for i in range(TILE):
        total[i] = fma(e, v3[i], fma(c, v2[i], fma(b, v1[i], fma(a, v0[i], total[i]))))


@compiled
def add_multiple(weight, values, total):
    """Add a multiple of values to others."""
    for i in range(len(values)):
        total[i] = fma(weight, values[i], total[i])


@compiled
def add_dot(w, v, part, lanes):
    """Add ``w.v`` over a tile of 8 times `SUMS` examples, as `LANES` sums side by side."""
    for i in range(SUMS):
        low = fma(w[i + 96], v[i + 96], fma(w[i + 64], v[i + 64], fma(w[i + 32], v[i + 32], w[i] * v[i])))
        low = fma(w[i + 160], v[i + 160], fma(w[i + 128], v[i + 128], low))
        part[i] = fma(w[i + 224], v[i + 224], fma(w[i + 192], v[i + 192], low))
    for i in range(LANES):
        lanes[i] += (part[i] + part[i + 8]) + (part[i + 16] + part[i + 24])


@compiled
def add_four_twofold(a, b, c, e, values, sums):
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
