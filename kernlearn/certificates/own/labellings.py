"""Sums and maxima over all labellings of sequences, whose scores are sums of those of places and of neighbouring pairs.

::

    s(y) = sum_t E[t, y_t] + sum_t T[y_t, y_{t+1}]

E, shape (N, k), is of all N places of all sequences, one below the other, and T of k x k pairs of labels. Sequence i
has the places from ``starts[i]`` to ``starts[i + 1]``. All sequences go one place forward, or back, at a time. It is
plain numpy, and shares no code with the solvers.

Multipliers of all labellings are flows along the places, which prove something of a structured machine::

    (P)  min_w  1/2 |w|^2 + C/n sum_i max(0, 1 - min_{y != y_i} w.dpsi_i(y))
                subject to  |w.dpsi_i(y)| <= B  for all i and y
    (D)  max_{a,b,b* >= 0}  sum a_iy - B sum (b_iy + b*_iy) - 1/2 |w|^2 ,   w = sum (a_iy - b_iy + b*_iy) dpsi_i(y)
                subject to  sum_y a_iy <= C/n  for every i

There are too many labellings y to have multipliers each. All that (D) needs is how much of them goes from one label at
a place to another at the next, and how much of a sequence goes through the true labels from end to end: of a chain,
any such flow is one of labellings, and at least ``flow at the first place - sum of what leaves the true labels`` is the
true one, which counts for nothing. Source: Shivaswamy (2010), Large Relative Margin and Applications, (4.3) to (4.5).
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.twofold import total
from kernlearn.types import Array, Index

#: Pairs of labels at places that are in memory at a time.
ENTRIES = 2**22
#: What flows into a label and out of it may differ by, as a part of all flow of the sequences.
KEPT = 1e-9
Join = Callable[..., Array]


class Expected(NamedTuple):
    """The sum of ``log sum_y exp s(y)``, and expectations: of labels at places, (N, k), and of pairs, (k, k)."""

    log_partition: float
    places: Array
    pairs: Array


def expected(E: Array, T: Array, starts: Index) -> Expected:
    """Return partition functions and expectations of the labellings of probabilities ``exp s(y) / Z``."""
    A, B = _through(E, T, starts, logsumexp)
    last = starts[1:] - 1
    log_z = logsumexp(A[last], axis=1)
    each = np.repeat(log_z, np.diff(starts))
    places = np.exp(A + B - each[:, None])
    pairs = np.zeros_like(T)
    inner = np.delete(np.arange(len(E)), last)
    step = max(1, ENTRIES // T.size)
    for rows in (inner[start : start + step] for start in range(0, len(inner), step)):
        ends = E[rows + 1] + B[rows + 1] - each[rows, None]
        pairs += np.exp(A[rows][:, :, None] + T + ends[:, None, :]).sum(axis=0)
    return Expected(float(log_z.sum()), places, pairs)


def scores(E: Array, T: Array, starts: Index, labels: Index) -> Array:
    """Return the score of a labelling of every sequence, given by the labels of all places."""
    each = E[np.arange(len(E)), labels]
    pairs = T[labels[:-1], labels[1:]]
    pairs[starts[1:-1] - 1] = 0.0  # from one sequence to the next
    return np.asarray(np.add.reduceat(each + np.append(pairs, 0.0), starts[:-1]))


def largest(E: Array, T: Array, starts: Index) -> Array:
    """Return the largest score of every sequence."""
    A, _ = _through(E, T, starts, np.max)
    return np.asarray(A[starts[1:] - 1].max(axis=1))


def margins(E: Array, T: Array, starts: Index, truth: Index) -> tuple[Array, Array]:
    """Return how much the score of the true labels of every sequence is above that of any others: least, and most."""
    A, B = _through(E, T, starts, np.max)
    best = A + B
    best[np.arange(len(E)), truth] = -np.inf  # labellings with another label at one place, at least, are all others
    other = np.maximum.reduceat(best.max(axis=1), starts[:-1])
    true = scores(E, T, starts, truth)
    return true - other, true + largest(-E, -T, starts)


def _through(E: Array, T: Array, starts: Index, join: Join) -> tuple[Array, Array]:
    """Return sums, or maxima, over what comes before every label at every place with it, and over what comes after."""
    A, B, lengths = E.astype(np.float64), np.zeros_like(E), np.diff(starts)
    for t in range(1, int(lengths.max())):
        rows = starts[:-1][lengths > t] + t
        A[rows] += _joined(partial(join, axis=1), A[rows - 1][:, :, None], T)
    for t in range(int(lengths.max()) - 2, -1, -1):
        rows = starts[:-1][lengths > t + 1] + t
        B[rows] = _joined(partial(join, axis=2), (E[rows + 1] + B[rows + 1])[:, None, :], T)
    return A, B


def _joined(join: Join, values: Array, T: Array) -> Array:
    step = max(1, ENTRIES // T.size)
    return np.concatenate([join(values[start : start + step] + T) for start in range(0, len(values), step)])


class Flows(NamedTuple):
    """Feasible multipliers: the sums of (D), and w as coefficients of places, (N, k), and of pairs of labels, (k, k).

    Attributes
    ----------
    inner, outer : float
        Sums of a, and of b and b*.
    lost : float
        By how much the flows miss being those of labellings.
    """

    inner: float
    outer: float
    places: Array
    pairs: Array
    lost: float


def flows_of(dual: Array, starts: Index, truth: Index, k: int, most: float, bounded: bool) -> Flows:
    """Return stored flows as feasible multipliers.

    Parameters
    ----------
    dual : array of shape (5, m)
        The number of a, b or b*, the place, the label before, of a first place 0, the label, and the amount.
    starts, truth : integer arrays of shapes (n + 1,) and (N,)
    k : int
        Labels.
    most : float
        The largest sum of a of a sequence.
    bounded : bool
        Whether there are b and b*; otherwise theirs are left out.

    Raises
    ------
    UserError
        If these are no flows of the sequences.
    """
    N, n = len(truth), len(starts) - 1
    if dual.ndim != 2 or len(dual) != 5 or not np.isfinite(dual).all():
        raise OtherData("the stored multipliers are no flows; give a model that this version has fitted")
    limits = np.array([3, N, k, k])
    if not ((dual[:4] >= 0) & (dual[:4] < limits[:, None]) & (dual[:4] == dual[:4].astype(int))).all():
        raise OtherData("the stored flows are of other sequences; give the training data")
    kind, place, before, label = dual[:4].astype(np.intp)
    amount = np.where(bounded | (kind == 0), np.maximum(0.0, dual[4]), 0.0)
    first = np.zeros(N, dtype=np.bool_)
    first[starts[:-1]] = True
    later = ~first[place]
    into, out = np.zeros((3, N, k)), np.zeros((3, N, k))
    np.add.at(into, (kind, place, label), amount)
    np.add.at(out, (kind[later], place[later] - 1, before[later]), amount[later])
    owner = np.repeat(np.arange(n), np.diff(starts))
    inner = np.delete(np.arange(N), starts[1:] - 1)  # all but last places
    lost = total(np.abs(into - out)[:, inner].ravel())
    sums = into[:, starts[:-1]].sum(axis=2)
    if lost > KEPT * total(sums.ravel()):
        raise OtherData("the stored flows are of no labellings of the sequences; give the training data")
    along = np.zeros(N)
    true = later & (kind == 0) & (label == truth[place]) & (before == truth[place - 1])
    np.add.at(along, place[true], amount[true])
    leaves = np.where(first, 0.0, np.roll(into[0, np.arange(N), truth], 1) - along)
    at_first = into[0, starts[:-1], truth[starts[:-1]]]
    other = sums[0] - np.maximum(0.0, at_first - np.add.reduceat(leaves, starts[:-1]))
    factors = np.ones((3, n))
    factors[0] = np.minimum(1.0, most / np.maximum(other, most))
    signs = np.array([1.0, -1.0, 1.0])[:, None] * factors
    u, signed = (signs * sums).sum(axis=0), signs[kind, owner[place]] * amount
    places, pairs = np.zeros((N, k)), np.zeros((k, k))
    np.add.at(places, (np.arange(N), truth), u[owner])
    np.subtract.at(places, (place, label), signed)
    np.add.at(pairs, (truth[inner], truth[inner + 1]), u[owner[inner]])
    np.subtract.at(pairs, (before[later], label[later]), signed[later])
    return Flows(total(factors[0] * other), total(sums[1:].ravel()), places, pairs, lost)
