# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Labellings of sequences that break a condition on all of them the most: what cutting planes are made of.

The score of a labelling is that of `kernlearn.solvers.structured.chains`, ``s(y) = sum_t E[t, y_t] + sum_t T[y_t,
y_{t+1}]``, and its margin ``s(y_i) - s(y)`` with the true labels y_i of the sequence. The labelling of the least score
is the best one of -E and -T. All are found by dynamic programming in ``O(k^2)`` a place for k labels.
"""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.solvers.structured.chains import length_of_longest
from kernlearn.types import Array, Index


def scores(emissions: Array, transitions: Array, starts: Index, labels: Index) -> Array:
    """Return the score of a labelling of every sequence, shape (n,).

    Parameters
    ----------
    emissions : array of shape (N, k)
        E of all places of all sequences, one below the other.
    transitions : array of shape (k, k)
    starts : array of shape (n + 1,)
        Where each sequence begins, and N.
    labels : array of shape (N,)
    """
    steps = emissions[np.arange(len(labels)), labels]
    steps[1:] += transitions[labels[:-1], labels[1:]]
    inner = starts[1:-1]
    steps[inner] -= transitions[labels[inner - 1], labels[inner]]  # of one sequence and the next
    return np.add.reduceat(steps, starts[:-1])


def second_best(emissions: Array, transitions: Array, starts: Index, truth: Index) -> Index:
    """Return the labels of the best labelling of every sequence that is not the true one, shape (N,).

    Parameters are those of `scores`, with the true labels; there are at least two labels.
    """
    labels = np.empty(len(truth), dtype=np.intp)
    _second_best(np.ascontiguousarray(emissions), np.ascontiguousarray(transitions), starts, truth, labels)
    return labels


@compiled
def _second_best(E, T, starts, truth, labels):
    k = T.shape[0]
    longest = length_of_longest(starts)
    back = np.empty((longest, k), dtype=np.intp)
    leaves = np.empty((longest, k), dtype=np.bool_)  # whether the labels before are the true ones
    score, following = np.empty(k), np.empty(k)  # of the best labelling so far that has left the true one
    for n in range(len(starts) - 1):
        a, length = starts[n], starts[n + 1] - starts[n]
        true = E[a, truth[a]]
        for j in range(k):
            score[j] = E[a, j] if j != truth[a] else -np.inf
        for t in range(1, length):
            before, here = truth[a + t - 1], truth[a + t]
            following[:] = -np.inf
            for i in range(k):
                for j in range(k):
                    if score[i] + T[i, j] > following[j]:
                        following[j] = score[i] + T[i, j]
                        back[t, j] = i
            for j in range(k):
                leaves[t, j] = j != here and true + T[before, j] > following[j]
                if leaves[t, j]:
                    following[j] = true + T[before, j]
                score[j] = following[j] + E[a + t, j]
            true += T[before, here] + E[a + t, here]
        best = np.argmax(score)
        for t in range(length - 1, -1, -1):
            labels[a + t] = best
            if t > 0 and leaves[t, best]:
                for u in range(t):
                    labels[a + u] = truth[a + u]
                break
            if t > 0:
                best = back[t, best]
