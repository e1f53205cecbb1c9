"""Active sets by whole rounds: the exact solution of a piecewise linear kernel machine from a rough one.

With the sets of all examples given (see `kernlearn.solvers.bands.smo`), u is at its levels outside the free examples F,
and there, with b, the solution of a linear system::

    (K_FF + s 11') d = t_F - (Ku)_F - (b - s 1'd) 1,     1'(u + d) = 0

Then every example that breaks a condition changes its set, all at once: the primal-dual active set, or semismooth
Newton, method (Hintermueller, Ito and Kunisch 2002). Near the solution it takes a handful of rounds, where one example
after another takes as many steps as sets are wrong. Far from it, it may not end: it then is given up, and a descent
method has to come nearer first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.bands.smo import interval, revise, to_levels
from kernlearn.solvers.core.products import add_rows
from kernlearn.solvers.core.refined_factor import RefinedFactor
from kernlearn.solvers.svm.path import Path
from kernlearn.solvers.svm.values import EPS
from kernlearn.types import Array

#: Rounds at most, and how many of them may leave more examples wrong than one before did.
MAX_ROUNDS, MAX_WORSE = 30, 3
#: By how much an output may be beyond its target.
BEYOND = 1e-11
#: By how much of the sum of all ``|u_i|`` the sum of u may be off.
EVEN = 1e-12
#: Rows that are there in extended precision at once.
ROWS = 256


class Exact(NamedTuple):
    """A u that keeps all conditions, with ``g = K u``, its sets and b."""

    u: Array
    g: Array
    sets: NDArray[np.intp]
    b: float
    rounds: int


def finish(
    K: Array, factor: RefinedFactor, levels: Array, targets: Array, u: Array, g: Array, sets: NDArray[np.intp]
) -> Exact | None:
    """Return the solution near a rough one, or None where the rounds do not lead to it.

    Parameters
    ----------
    K : array of shape (n, n)
    factor : RefinedFactor
        Of K, as it was used last.
    levels, targets, u, g, sets
        As for `kernlearn.solvers.bands.smo.minimise_pairs`; nothing of them is changed. The sum of u stays what it is.
    """
    u, g, sets = u.copy(), g.copy(), sets.copy()
    fewest, worse, refined, total = len(u) + 1, 0, False, float(u.sum())
    roots, noise = np.sqrt(np.maximum(np.diagonal(K), 0.0)), 0.0
    for rounds in range(1, MAX_ROUNDS + 1):
        to_levels(levels, sets, u, g, K)
        free = np.flatnonzero(sets % 2)
        F = factor.take(free) if len(free) else free
        if len(F):
            own = _exact_rows(K, F, u) if refined and noise > BEYOND else g[F]
            lack = total - float(u.sum())
            b, d = factor.solve(np.asarray(targets[F, sets[F] // 2] - own, np.float64), lack)
            b += factor.shift * lack
            u[F] += d
            add_rows(K, F, 1.0, d, g)
        elif len(free) or abs(total - u.sum()) > EVEN * np.abs(u).sum():
            return None
        else:  # nothing tells b but the others
            b = 0.5 * sum(interval(targets, sets, g))
        if not np.isfinite(b):
            return None
        noise = float(EPS * roots.max() * (roots @ np.abs(u)))  # of one output
        beyond = BEYOND * (1.0 + abs(b)) + noise
        stuck = _put_away(levels, targets, sets, g + b, np.setdiff1d(free, F), beyond) if len(F) < len(free) else 0
        wrong = stuck + revise(levels, targets, sets, u, g + b, beyond)
        if not wrong and (refined or _agrees(targets, sets, F, u, g + b, total, beyond - noise, noise)):
            return Exact(u, g, sets, b, rounds)
        refined = not wrong  # a second step with the same sets takes out rounding errors
        worse += wrong >= fewest
        if worse > MAX_WORSE:
            return None
        fewest = min(fewest, wrong or fewest)
    return None


def _agrees(
    targets: Array,
    sets: NDArray[np.intp],
    F: NDArray[np.intp],
    u: Array,
    f: Array,
    total: float,
    tol: float,
    noise: float,
) -> bool:
    """Return whether a step has left no rounding errors that matter: free outputs are there, and the sum is kept."""
    if noise > BEYOND or abs(total - u.sum()) > EVEN * np.abs(u).sum():
        return False
    return bool((np.abs(f[F] - targets[F, sets[F] // 2]) <= tol).all())


def _exact_rows(K: Array, F: NDArray[np.intp], u: Array) -> NDArray[np.longdouble]:
    """Return ``(K u)_F`` in extended precision."""
    used, product = np.flatnonzero(u), np.empty(len(F), np.longdouble)
    for i in range(0, len(F), ROWS):
        product[i : i + ROWS] = K[np.ix_(F[i : i + ROWS], used)].astype(np.longdouble) @ u[used]
    return product


def _put_away(
    levels: Array, targets: Array, sets: NDArray[np.intp], f: Array, dependent: NDArray[np.intp], tol: float
) -> int:
    """Send free examples that depend on others, and miss their targets, to the level that they tend to."""
    k = sets[dependent] // 2
    missing = targets[dependent, k] - f[dependent]
    to = np.where(missing > 0.0, k + 1, k)
    moves = (np.abs(missing) > tol) & np.isfinite(levels[dependent, to])
    sets[dependent[moves]] = 2 * to[moves]
    return int((np.abs(missing) > tol).sum())


def follow_to_end(
    K: Array, shift: float, levels: Array, targets: Array, u: Array, sets: NDArray[np.intp], C: float
) -> Exact | None:
    """Return the solution by a homotopy from a rough one, which solves a program whose targets are a little off.

    Shapes are those of `finish`; None if the path does not end, or the matrix is nothing but rounding. Of dependent
    examples it keeps as many free as are independent, where whole rounds may go astray.
    """
    if np.diagonal(K).max() + shift <= 0.0:
        return None
    ones, zero = np.ones(len(u)), np.zeros(len(u))
    path, sets = Path(K, ones, levels / C, targets, zero, shift=shift), sets.copy()
    if not (sets % 2).any():  # the example that is nearest to a target has to carry b
        k, last, product, every = sets // 2, targets.shape[1], K @ u, np.arange(len(u))
        low = np.where(k < last, targets[every, np.minimum(k, last - 1)] - product, -np.inf)
        high = np.where(k > 0, targets[every, np.maximum(k, 1) - 1] - product, np.inf)
        if np.isfinite(low).any():
            sets[np.argmax(low)] += 1
        else:
            sets[np.argmin(high)] -= 1
    path.take(u.copy(), sets, C)
    steps, done = path.follow(C)
    if not done or not np.isfinite(path.beta).all():
        return None
    return Exact(path.beta, K @ path.beta, path.sets, path.b, steps)
