# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Sums and maxima over all labellings of a sequence, whose score is one of places and one of neighbouring pairs.

::

    s(y) = sum_t E[t, y_t] + sum_t T[y_t, y_{t+1}]
    log Z = log sum_y exp s(y) ,    p(y) = exp(s(y) - log Z)

Sums are by forward-backward, maxima by Viterbi; both take ``O(k^2)`` for each position with k labels. All computations
are in the logarithmic domain. Sums of exponentials are relative to their largest terms, with the exponentials of T
computed once. If these would underflow, they are computed again relative to the overall largest term.
Source: Lafferty, McCallum and Pereira (2001).
"""

from typing import NamedTuple

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.core.products import put
from kernlearn.types import Array, Index

#: Sums relative to the largest terms that are smaller have lost digits to underflow.
TINY = 1e-280


class Marginals(NamedTuple):
    """What forward-backward finds for all sequences."""

    #: The sum of ``log Z`` over the sequences.
    log_partition: float
    #: Shape (N, k): the probability of every label at every place.
    places: Array
    #: Shape (k, k): the expected number of neighbours with labels i and j, of all sequences together.
    pairs: Array


def marginals(emissions: Array, transitions: Array, starts: Index) -> Marginals:
    """Return partition functions and marginal probabilities.

    Parameters
    ----------
    emissions : array of shape (N, k)
        E of all places of all sequences, one below the other.
    transitions : array of shape (k, k)
    starts : array of shape (n + 1,)
        Where each sequence begins, and N.
    """
    E = np.ascontiguousarray(emissions)
    places, pairs = np.empty_like(E), np.zeros_like(transitions)
    return Marginals(
        float(_forward_backward(E, np.ascontiguousarray(transitions), starts, places, pairs)), places, pairs
    )


def best_labels(emissions: Array, transitions: Array, starts: Index) -> Index:
    """Return the labels of the best labelling of every sequence, shape (N,); of equal ones the first label counts.

    Parameters are those of `marginals`.
    """
    labels = np.empty(len(emissions), dtype=np.intp)
    _viterbi(np.ascontiguousarray(emissions), np.ascontiguousarray(transitions), starts, labels)
    return labels


@compiled
def length_of_longest(starts):
    """Return the length of the longest sequence; ``np.diff`` would take five seconds to compile."""
    longest = 0
    for n in range(len(starts) - 1):
        longest = max(longest, starts[n + 1] - starts[n])
    return longest


@compiled
def _forward_backward(E, T, starts, places, pairs):
    k = T.shape[0]
    longest = length_of_longest(starts)
    A, B = np.empty((longest, k)), np.empty((longest, k))  # log of sums over what comes before, and after
    before, after, largest = np.empty(k), np.empty(k), np.empty(k)
    for j in range(k):
        largest[j] = T[:, j].max()
    W, V = np.empty((k, k)), np.empty((k, k))  # exp(T - largest of its column), and its transpose
    for i in range(k):
        for j in range(k):
            W[i, j] = np.exp(T[i, j] - largest[j])
            V[j, i] = W[i, j]
    sums, total = np.empty(k), 0.0
    for n in range(len(starts) - 1):
        a, length = starts[n], starts[n + 1] - starts[n]
        put(E[a], A[0])
        for t in range(1, length):
            top = A[t - 1].max()
            for i in range(k):
                before[i] = np.exp(A[t - 1, i] - top)
            sums[:] = 0.0
            for i in range(k):
                weight = before[i]
                for j in range(k):
                    sums[j] += weight * W[i, j]
            for j in range(k):
                if sums[j] > TINY:
                    A[t, j] = np.log(sums[j]) + top + largest[j] + E[a + t, j]
                else:
                    A[t, j] = _log_sum(A[t - 1], T[:, j]) + E[a + t, j]
        last = A[length - 1]
        log_z = last.max() + np.log(np.exp(last - last.max()).sum())
        total += log_z
        B[length - 1] = 0.0
        for t in range(length - 2, -1, -1):
            top = -np.inf
            for j in range(k):
                after[j] = E[a + t + 1, j] + B[t + 1, j] + largest[j]
                top = max(top, after[j])
            for j in range(k):
                after[j] = np.exp(after[j] - top)
            sums[:] = 0.0
            for j in range(k):
                weight = after[j]
                for i in range(k):
                    sums[i] += weight * V[j, i]
            first = A[t].max()
            norm = 0.0
            for i in range(k):
                before[i] = np.exp(A[t, i] - first)
                if sums[i] > TINY:
                    B[t, i] = np.log(sums[i]) + top
                else:
                    B[t, i] = _log_sum(T[i], E[a + t + 1] + B[t + 1])
                norm += before[i] * sums[i]
            if norm > TINY:  # p(y_t = i, y_{t+1} = j)
                for i in range(k):
                    weight = before[i] / norm
                    for j in range(k):
                        pairs[i, j] += weight * W[i, j] * after[j]
            else:
                for i in range(k):
                    for j in range(k):
                        pairs[i, j] += np.exp(A[t, i] + T[i, j] + E[a + t + 1, j] + B[t + 1, j] - log_z)
        for t in range(length):
            norm, top = 0.0, -np.inf
            for i in range(k):
                sums[i] = A[t, i] + B[t, i]
                top = max(top, sums[i])
            for i in range(k):
                sums[i] = np.exp(sums[i] - top)
                norm += sums[i]
            for i in range(k):
                places[a + t, i] = sums[i] / norm
    return total


@compiled
def _log_sum(a, b):
    """Return ``log sum_i exp(a_i + b_i)``."""
    top = -np.inf
    for i in range(len(a)):
        top = max(top, a[i] + b[i])
    total = 0.0
    for i in range(len(a)):
        total += np.exp(a[i] + b[i] - top)
    return top + np.log(total)


@compiled
def _viterbi(E, T, starts, labels):
    k = T.shape[0]
    longest = length_of_longest(starts)
    back = np.empty((longest, k), dtype=np.intp)
    score, following = np.empty(k), np.empty(k)
    for n in range(len(starts) - 1):
        a, length = starts[n], starts[n + 1] - starts[n]
        put(E[a], score)
        for t in range(1, length):
            following[:] = -np.inf
            for i in range(k):
                for j in range(k):
                    if score[i] + T[i, j] > following[j]:
                        following[j] = score[i] + T[i, j]
                        back[t, j] = i
            for j in range(k):
                score[j] = following[j] + E[a + t, j]
        best = np.argmax(score)
        for t in range(length - 1, 0, -1):
            labels[a + t] = best
            best = back[t, best]
        labels[a] = best
