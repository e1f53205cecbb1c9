# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Compiled conjugate gradients on the error of networks of Gaussian units; see `kernlearn.solvers.stumps_networks.rbf`.

Examples come by features, XT of shape (d, n), outputs of units by units, shape (M, n): loops go along examples.
"""

from typing import NamedTuple

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.core.products import dot
from kernlearn.types import Array

#: Widths change by a factor of at most ``exp(FACTOR)``.
FACTOR = 20.0
#: A step has to bring this part of what its slope promises, and to leave at most that part of its slope.
BRINGS, LEAVES = 1e-4, 0.4
#: Steps that are tried along a line.
TRIES = 20
#: Length of the first step that is tried, in mean widths, and factors from one to the next where E goes on falling.
FIRST, MIN_GROWTH, MAX_GROWTH = 0.5, 1.5, 10.0
#: A slope below this part of ``sum_i c_i y_i^2`` is none.
FLAT = 1e-5


class Fit(NamedTuple):
    """What a network is fitted to: examples (d, n), labels and how much each counts (n,), and the penalty."""

    XT: Array
    y: Array
    counts: Array
    lambda_: float


@compiled
def error_and_slope(fit, centres, widths, unit):
    """Return E at the best weights, and its gradient in centres, over `unit`, and logarithms of widths.

    The gradient has shape (M, d + 1), the widths last.
    """
    XT, y, counts = fit.XT, fit.y, fit.counts
    (M, d), n = centres.shape, len(y)
    D, G = np.zeros((M, n)), np.empty((M, n))
    for k in range(M):
        row, out, inverse = D[k], G[k], -0.5 / widths[k] ** 2
        for j in range(d):
            x, m = XT[j], centres[k, j]
            for i in range(n):
                row[i] += (x[i] - m) * (x[i] - m)
        for i in range(n):
            out[i] = np.exp(inverse * row[i])
    weighted = G * counts
    A = weighted @ G.T
    for k in range(M):
        A[k, k] += fit.lambda_
    w = np.linalg.solve(A, weighted @ y)
    residual = w @ G - y
    pull = counts * residual
    E = 0.5 * dot(pull, residual) + 0.5 * fit.lambda_ * dot(w, w)
    for k in range(M):
        G[k] *= pull * (w[k] / widths[k] ** 2)
    gradient = np.empty((M, d + 1))
    products = G @ XT.T
    for k in range(M):
        total = G[k].sum()
        for j in range(d):
            gradient[k, j] = unit * (products[k, j] - total * centres[k, j])
        gradient[k, d] = dot(G[k], D[k])
    return E, gradient


@compiled
def moved(centres, widths, z, unit):
    """Return centres and widths after a move z of shape (M, d + 1)."""
    d = centres.shape[1]
    factors = np.exp(np.minimum(np.maximum(z[:, d], -FACTOR), FACTOR))
    return centres + unit * z[:, :d], widths * factors


@compiled
def descend(fit, centres, widths, unit, iterations):
    """Return centres and widths after so many steps of conjugate gradients (Polak and Ribiere) on E.

    Every step goes to where the conditions of Wolfe hold along its line, found by cubic interpolation; where none of
    some tries lowers E, the descent ends.
    """
    z = np.zeros((centres.shape[0], centres.shape[1] + 1))
    E, g = error_and_slope(fit, centres, widths, unit)
    flat = FLAT * dot(fit.counts, fit.y * fit.y)
    direction, squared = -g, (g * g).sum()
    step, promised = 0.0, 0.0
    for _ in range(iterations):
        if np.abs(g).max() <= flat:
            break
        along = (g * direction).sum()
        if along >= 0.0:
            direction = -g
            along = -squared
        step = FIRST / np.sqrt(squared) if step == 0.0 else step * promised / along
        last, promised = g, along
        step, E, g = _line(fit, centres, widths, unit, z, direction, E, along, step)
        if step == 0.0:
            break
        z = z + step * direction
        beta = max(0.0, (g * (g - last)).sum() / squared)
        squared = (g * g).sum()
        direction = beta * direction - g
    return moved(centres, widths, z, unit)


@compiled
def _line(fit, centres, widths, unit, z, direction, E, along, step):
    """Return a step along a line that lowers E, 0 if none was found, with E and its gradient there."""
    low, E_low, s_low, g_low = 0.0, E, along, direction
    high, E_high, s_high = np.inf, np.inf, np.inf
    for _ in range(TRIES):
        c, s = moved(centres, widths, z + step * direction, unit)
        value, g = error_and_slope(fit, c, s, unit)
        slope = (g * direction).sum()
        if value > E + BRINGS * step * along or value >= E_low:
            high, E_high, s_high = step, value, slope
        else:
            before, E_before, s_before = low, E_low, s_low
            low, E_low, s_low, g_low = step, value, slope, g
            if abs(slope) <= -LEAVES * along:
                break
            if slope * (high - low if high < np.inf else 1.0) >= 0.0:
                high, E_high, s_high = before, E_before, s_before
            elif high == np.inf:
                part = _least(before, E_before, s_before, low, E_low, s_low)
                step = before + (low - before) * part if part > 0.0 else np.inf
                step = min(max(step, MIN_GROWTH * low), MAX_GROWTH * low)
                continue
        step = low + (high - low) * min(max(_least(low, E_low, s_low, high, E_high, s_high), 0.1), 0.9)
    return low, E_low, g_low


@compiled
def _least(a, E_a, s_a, b, E_b, s_b):
    """Return at which part of the way from a to b, or beyond, the cubic with these values and slopes is least.

    That is -1 if it has no minimum.
    """
    width = b - a
    theta = s_a + s_b - 3.0 * (E_b - E_a) / width
    root = theta * theta - s_a * s_b
    if root < 0.0:
        return -1.0
    root = np.sqrt(root) if width > 0.0 else -np.sqrt(root)
    below = s_b - s_a + 2.0 * root
    return -1.0 if below == 0.0 else 1.0 - (s_b + root - theta) / below
