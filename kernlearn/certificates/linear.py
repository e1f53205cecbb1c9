"""Machines of features, of counts, and of means.

The linear support vector machine, whose w may have a weight of a constant feature for an intercept::

    (P)  min_w   lambda/2 |w|^2 + (1/m) sum_i max(0, 1 - y_i w.x_i)
    (D)  max_a   lambda (sum_i a_i - 1/2 |sum_i a_i y_i x_i|^2)   subject to   0 <= a_i <= 1 / (lambda m)

Networks of units with outputs g, for weights c_i of the examples::

    (P)  min_w   1/2 sum_i c_i (w.g_i - y_i)^2 + lambda/2 |w|^2
    (D)  max_a   a.y - 1/2 sum_i a_i^2 / c_i - |sum_i a_i g_i|^2 / (2 lambda)

The kernel Fisher discriminant, of the direction ``z = sum_i alpha_i K(x_i, .)`` with class means ``zbar_c``::

    (P)  min_alpha  sum_i (z_i - zbar_c(i))^2 + rho |alpha|^2 - 2 (zbar_+ - zbar_-)

With half its gradient ``r = K u - K e + rho alpha``, ``u_i = z_i - zbar_c(i)`` and ``e_i = y_i / n_c(i)``, (P) is at
most ``|r|^2 / rho`` above its least value. Sources: Shalev-Shwartz and Ben-David (2014); Mika et
al. (1999).
"""

from typing import Any

import numpy as np

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import EPS, Inputs, outputs
from kernlearn.twofold import dot, total
from kernlearn.types import Array

#: The status of a method that needs class means that differ.
COINCIDE = "the class means coincide: nothing tells the classes apart"


def fisher(inputs: Inputs, y: Array, alpha: Array, rho: float, unit: float = 1.0, zero: float = 0.0) -> Certificate:
    """Return what is proved of a direction of the kernel Fisher discriminant.

    Parameters
    ----------
    inputs : GramStack of shape (1, n, n)
    y : array of shape (n,)
        Labels +-1.
    alpha : array of shape (n,)
    rho : float > 0
        The ridge in units of the square of `unit`.
    unit : float
        A power of two of the size of the kernel values, so that their squares neither under- nor overflow.
    zero : float
        See `Certificate`: 1, a distance of the class means of one deviation, where they coincide and alpha is 0.
    """
    z = outputs(inputs, alpha[None])
    e = difference_of(y)
    within = z.high.copy()
    for sign in (1.0, -1.0):
        own = y == sign
        within[own] = (z.high[own] - total(z.high[own]) / own.sum()) + z.low[own]
    apart = dot(e, z.high, z.low)
    scaled = unit * alpha
    square = total(within * within) + rho * total(scaled * scaled)
    slope = outputs(inputs, (within - e)[None])
    r = np.abs((slope.high + slope.low) / unit + rho * scaled) + slope.rounding / unit
    unsure = 2.0 * float(np.linalg.norm((within - e) * z.rounding)) + 8.0 * EPS * (square + 2.0 * abs(apart))
    objective = square - 2.0 * apart
    return Certificate(objective, objective - total(r * r) / rho - unsure, zero)


def difference_of(y: Array) -> Array:
    """Return the difference of the class means as an expansion, shape (n,)."""
    e: Array = np.where(y > 0, 1.0 / max(1.0, float(np.sum(y > 0))), -1.0 / max(1.0, float(np.sum(y < 0))))
    return e


def means_coincide(inputs: Inputs, y: Array) -> bool:
    """Return whether the means of the classes differ by no more than the rounding of kernel values."""
    d = outputs(inputs, difference_of(y)[None])
    return bool((np.abs(d.high + d.low) <= d.rounding).all())


def linear_svm(X: Any, y: Array, w: Array, f: Array, a: Array, lambda_: float) -> Certificate:
    """Return what is proved of a linear support vector machine.

    Parameters
    ----------
    X : array or sparse matrix of shape (m, d)
        Examples, with the constant feature if there is one.
    y, w, f : arrays of shapes (m,), (d,) and (m,)
        Labels +-1, weights, and outputs on the examples as they are predicted.
    a : array of shape (m,)
        It is cut to its bounds.
    lambda_ : float > 0
    """
    m = len(y)
    a = np.clip(a, 0.0, 1.0 / (lambda_ * m))
    loss = total(np.maximum(0.0, 1.0 - y * f)) / m
    square = combined(X, a * y)
    return Certificate(0.5 * lambda_ * total(w * w) + loss, lambda_ * (total(a) - 0.5 * square) - 8.0 * EPS, 1.0)


def combined(X: Any, v: Array) -> float:
    """Return ``|sum_i v_i x_i|^2``, or what it may be with the rounding of its sums."""
    sums = np.abs(X.T @ v) + EPS * np.sqrt(len(v)) * (abs(X).T @ np.abs(v))
    return total(sums * sums)


def units(G: Array, y: Array, w: Array, f: Array, counts: Array, lambda_: float) -> Certificate:
    """Return what is proved of the output weights of a network.

    Parameters
    ----------
    G, y, w, f : arrays of shapes (n, M), (n,), (M,) and (n,)
        Outputs of the units, labels, weights, and the outputs of the network as they are predicted.
    counts : array of shape (n,)
        Weights c_i of the examples, of sum 1.
    lambda_ : float > 0
    """
    residual = y - f
    a, loss = counts * residual, 0.5 * total(counts * residual * residual)
    bound = total(a * y) - loss - 0.5 * combined(G, a) / lambda_
    zero = 0.5 * total(counts * y * y)
    return Certificate(loss + 0.5 * lambda_ * total(w * w), bound - 8.0 * EPS * zero, zero)
