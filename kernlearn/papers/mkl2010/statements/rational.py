"""Checks of section 1.3 of Rostamizadeh (2010): rational kernels, by the composition of small weighted transducers.

Weighted automata are matrices, one for every letter, and their composition is a Kronecker product.
"""

from typing import NamedTuple

import numpy as np

from kernlearn.kernels import GramStack, make_family
from kernlearn.papers.checks.figure import ROUNDING, Check
from kernlearn.types import Array

#: Letters, and lengths of words, of sequences.
LETTERS, LENGTHS = 3, (1, 2, 3)


class Transducer(NamedTuple):
    """A weighted transducer: weights of first and last states, and of steps by what they read and write."""

    first: Array
    #: Steps that read a letter and write nothing, shape (letters, states, states).
    silent: Array
    #: Steps that read a letter and write it, shape (letters, states, states).
    copies: Array
    last: Array


def counter(length: int) -> Transducer:
    """Return the transducer that writes every word of some length as often as it is in what is read."""
    states = length + 1
    silent, copies = np.zeros((LETTERS, states, states)), np.zeros((LETTERS, states, states))
    silent[:, 0, 0] = silent[:, -1, -1] = 1.0
    copies[:, np.arange(length), np.arange(1, states)] = 1.0
    return Transducer(np.eye(states)[0], silent, copies, np.eye(states)[-1])


def written(x: Array, T: Transducer) -> tuple[Array, Array, Array]:
    """Return the automaton of what T writes on a sequence, ``x o T``: first weights, steps by letter, last weights.

    Its states are pairs of a place in the sequence and a state of T. Steps that write nothing are removed.
    """
    places = np.zeros((LETTERS, len(x) + 1, len(x) + 1))
    places[x.astype(int), np.arange(len(x)), np.arange(1, len(x) + 1)] = 1.0
    silent = np.stack([np.kron(P, E) for P, E in zip(places, T.silent, strict=True)]).sum(axis=0)
    closure = np.linalg.inv(np.eye(len(silent)) - silent)  # the sum over any number of silent steps
    steps = np.stack([closure @ np.kron(P, E) for P, E in zip(places, T.copies, strict=True)])
    ends = np.eye(len(x) + 1)
    return np.kron(ends[0], T.first), steps, closure @ np.kron(ends[-1], T.last)


def rational(x: Array, z: Array, T: Transducer) -> float:
    """Return ``T o T^-1`` (1.21) at two sequences: the sum of the weights of all paths of ``(x o T) o (T^-1 o z)``."""
    (a, A, e), (b, B, f) = written(x, T), written(z, T)
    total, paths = 0.0, np.outer(a, b)  # weights of the paths so far, by their pairs of states
    while paths.any():
        total += float(e @ paths @ f)
        paths = np.einsum("lij,ik,lkm->jm", A, paths, B, optimize=True)
    return total


def rational_kernels() -> float:
    """Return how far (1.21) for counters of words is from the spectrum kernel, on drawn sequences."""
    X = np.random.default_rng(0).integers(0, LETTERS, (4, 6)).astype(float)
    stack = GramStack(make_family("spectrum", lengths=list(LENGTHS)), X, X)
    ours = [[[rational(x, z, counter(length)) for z in X] for x in X] for length in LENGTHS]
    return float(np.max([np.abs(stack.matrix(k) - ours[k]).max() for k in range(len(LENGTHS))]))


CHECKS = {"(1.21)": Check("T o T^-1 of counters of n-grams is the spectrum kernel", rational_kernels, ROUNDING)}
