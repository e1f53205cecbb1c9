"""Outputs of predictors, with bounds on their rounding error; differences within the bound are ties.

A sum of m products that are each rounded by a few units in the last place is off by no more than about
``eps (4 + 2 sqrt(m)) sum_j |term_j|``: errors of either sign grow with the square root of m. A value within that bound
of 0 is 0. Of several outputs, those within their bounds of the largest are equal to it. So the last bit, which differs
from processor to processor, decides nothing, and `predict` needs no tolerance.

Source: N. J. Higham and T. Mary (2019), A new approach to probabilistic rounding error analysis, theorem 2.4, here with
lambda = 4 (errors beyond have a probability of 1 in 1500 at most).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from kernlearn.types import Array, Index

#: Relative rounding error of a term, and how that of a sum of m of them grows with the square root of m.
TERM, GROWTH = 4.0 * float(np.finfo(np.float64).eps), 2.0 * float(np.finfo(np.float64).eps)


class Evaluation(NamedTuple):
    """Outputs as they were computed, with bounds of their rounding errors."""

    #: Shape (n_outputs, n).
    values: Array
    #: Shape (n_outputs,): a bound for all examples that costs next to nothing.
    largest: Array
    #: ``bounds(rows)`` returns those of some examples, shape (n_outputs, len(rows)), at most `largest`.
    bounds: Callable[[Index], Array]


def error_of_sums(sizes: Array, terms: Array | int) -> Array:
    """Return bounds of the rounding errors of sums, from the sums of absolute values and the numbers of terms."""
    return (TERM + GROWTH * np.sqrt(terms)) * sizes


def same_for_all(values: Array, largest: Array) -> Evaluation:
    """Return outputs of shape (n_outputs, n) whose errors have the same bound for all examples."""
    return Evaluation(values, largest, lambda rows: np.repeat(largest[:, None], len(rows), axis=1))


def side_by_side(parts: Sequence[Evaluation]) -> Evaluation:
    """Return the outputs of several evaluations on the same examples, one after the other."""
    return Evaluation(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.largest for part in parts]),
        lambda rows: np.concatenate([part.bounds(rows) for part in parts]),
    )


def signed(evaluation: Evaluation) -> Array:
    """Return the outputs, 0 where rounding decides their sign, shape (n_outputs, n)."""
    values, size = evaluation.values.copy(), np.abs(evaluation.values)
    doubtful = np.flatnonzero(((size > 0.0) & (size <= evaluation.largest[:, None])).any(axis=0))
    if len(doubtful):
        values[:, doubtful] = np.where(size[:, doubtful] <= evaluation.bounds(doubtful), 0.0, values[:, doubtful])
    return values


def without_noise(evaluation: Evaluation) -> Array:
    """Return the outputs as they are handed out, shape (n_outputs, n): `signed`, and of several the largest equal.

    Outputs that rounding cannot tell from the largest are set to it.
    """
    values = signed(evaluation)
    if len(values) == 1:
        return values
    best, largest = values.max(axis=0), evaluation.largest
    with np.errstate(invalid="ignore"):  # -inf, of a class that never counts, less itself
        doubtful = (values < best) & (best - values <= largest[:, None] + largest.max())
    rows = np.flatnonzero(doubtful.any(axis=0))
    if len(rows):
        some, bounds, most = values[:, rows], evaluation.bounds(rows), best[rows]
        of_best = bounds[some.argmax(axis=0), np.arange(len(rows))]
        values[:, rows] = np.where(most - some <= bounds + of_best, most, some)
    return values
