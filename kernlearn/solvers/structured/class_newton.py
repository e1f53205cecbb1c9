"""Newton steps for structured machines of classes with a bound, over the multipliers of all outputs.

Of n examples and k classes (4.5) of `kernlearn.solvers.structured.solver` has 3 n (k - 1) multipliers, and inner
products of outputs are entries of K. With a tight bound, thousands of multipliers are free and depend on each other.
Descent over one example after the other (`kernlearn.solvers.structured.class_descent`) would take thousands of passes,
but it soon identifies the free ones. The step here is Newton's over only these, cut back to the feasible set. For an
example that uses all of c, weight moves between its largest multiplier and each of the others.

Source: the projected steps over a face of Moré and Toraldo (1991), On the solution of large quadratic programming
problems with bound constraints, here with a factor of the face.
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from kernlearn.memory import require
from kernlearn.types import Array, Index

#: The part of the mean square of a direction that is added to every one, for directions that depend on each other.
RIDGE = 1e-9
#: So many steps are tried, each a half of the one before, and the longest without an end, which always gains.
HALVINGS = 6
#: The part of c below which what is left of it is rounding.
FULL = 1e-12


def newton(K: Array, labels: Index, Z: Array, E: Array, c: float, B: float) -> Array | None:
    """Return multipliers with a larger dual value by one step, or None where none is found.

    Raises `UserError` if the products of the outputs do not fit into memory.

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
    """
    free = Z > 0.0
    full = Z[:, 0].sum(axis=1) >= c * (1.0 - FULL)
    largest = Z[:, 0].argmax(axis=1)
    free[full, 0, largest[full]] = False
    i, kind, y = np.nonzero(free)
    if not len(i):
        return None
    shared = full[i] & (kind == 0)
    base = np.where(shared, largest[i], labels[i])
    sign = np.where(kind == 1, -1.0, 1.0)
    level = np.where(kind == 0, np.where(shared, 0.0, 1.0), -B)
    gradient = level - sign * (E[base, i] - E[y, i])
    try:
        d = _solve(K, i, base, y, sign, gradient)
    except LinAlgError:  # K is indefinite by more than the ridge
        return None
    step = np.zeros_like(Z)
    step[i, kind, y] = d
    np.subtract.at(step, (i[shared], 0, base[shared]), d[shared])
    most, best = _value(K, labels, Z, B), None
    for part in (*0.5 ** np.arange(HALVINGS), _longest(Z, step, c)):
        trial = _feasible(Z + part * step, c)
        value = _value(K, labels, trial, B)
        if value > most:
            most, best = value, trial
        elif best is not None:
            break
    return best


def _longest(Z: Array, step: Array, c: float) -> float:
    """Return the part of a step, up to 1, at which the first multiplier or sum of them meets its end."""
    falling = step < 0.0
    with np.errstate(over="ignore"):  # of a step of next to nothing
        ends = Z[falling] / -step[falling]
    more = step[:, 0].sum(axis=1)
    left = c - Z[:, 0].sum(axis=1)
    sums = left[(more > 0.0) & (left > FULL * c)] / more[(more > 0.0) & (left > FULL * c)]
    return float(min(1.0, ends.min(initial=1.0), sums.min(initial=1.0)))


def _solve(K: Array, i: Index, plus: Index, minus: Index, sign: Array, gradient: Array) -> Array:
    """Return the Newton step along ``sign (psi(x_i, plus) - psi(x_i, minus))`` for all of these directions."""
    size = len(i)
    require(24.0 * size * size, f"the products of {size} outputs", "use fewer examples, or a wider bound")
    alike = (plus[:, None] == plus).astype(np.float64)
    alike += minus[:, None] == minus
    alike -= plus[:, None] == minus
    alike -= minus[:, None] == plus
    alike *= K[np.ix_(i, i)]
    alike *= sign[:, None]
    alike *= sign
    alike.flat[:: size + 1] += RIDGE * np.trace(alike) / size
    factor = cho_factor(alike, lower=True, overwrite_a=True, check_finite=False)
    return np.asarray(cho_solve(factor, gradient, check_finite=False))


def _value(K: Array, labels: Index, Z: Array, B: float) -> float:
    """Return the value of (4.5)."""
    A = Z[:, 1] - Z[:, 0] - Z[:, 2]
    A[np.arange(len(labels)), labels] -= A.sum(axis=1)
    return float(Z[:, 0].sum() - B * Z[:, 1:].sum() - 0.5 * np.vdot(A, K @ A))


def _feasible(Z: Array, c: float) -> Array:
    """Return multipliers that are cut back to what they may be."""
    Z = np.maximum(Z, 0.0)
    totals = Z[:, 0].sum(axis=1)
    Z[:, 0] *= np.where(totals > c, c / np.maximum(totals, c), 1.0)[:, None]
    return Z
