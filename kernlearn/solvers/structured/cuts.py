# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Cuts: differences of joint feature maps, their inner products, and what a combination of them is.

A labelling y of the sequence i stands for ``dpsi_i(y) = psi(x_i, y_i) - psi(x_i, y)``, with the true labels y_i and ::

    psi(x, y) = ( sum_t phi(x^t) (x) e_{y^t} ,  sum_t e_{y^t} (x) e_{y^{t+1}} )

A combination w of cuts has ``w.psi(x, y) = sum_t E[t, y^t] + sum_t T[y^t, y^{t+1}]`` with ``E = KA``: A, shape (N, k),
are coefficients of the N places and k labels, and K their Gram matrix. A single example with a class is a sequence of
one place. A mean of labellings is a cut, too. Source: Shivaswamy (2010), section 4.4.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from kernlearn.compiled import compiled
from kernlearn.memory import require
from kernlearn.solvers.core.cholesky import widen
from kernlearn.solvers.core.products import add_rows
from kernlearn.solvers.structured.joint_weights import Weights
from kernlearn.types import Array, Index


class Flow(NamedTuple):
    """P and F of a unit of flow (`kernlearn.solvers.structured.flows`); of F where it is not 0, and what is there."""

    P: Array
    at: Index
    amounts: Array


Way = Index | Flow
#: A sequence with the labels of a labelling, or with the number of a mean.
Key = tuple[int, bytes | int]

#: How much longer than needed the matrix of inner products is made, for it to grow.
ROOM = 1.05
#: Columns of it that are written at once.
TILE = 64
#: The part of the entries of coefficients that are not 0 from which on the whole matrix is multiplied.
DENSE = 0.25


class Cuts:
    """A changing set of cuts, all different.

    Parameters
    ----------
    K : array of shape (N, N)
        Gram matrix of the places.
    truth : array of shape (N,)
        The true labels, 0, ..., k - 1.
    starts : array of shape (n + 1,)
        Where each sequence begins, and N.
    dtype : numpy.dtype
        Of inner products; those of single precision take half the memory, and half the time to go through.

    Attributes
    ----------
    sequences : array of shape (M,)
        The sequence of every cut.
    ways : list of M
        The labels of every labelling, or the flow of a mean of some.
    gram : array of shape (M, M)
        The inner products of cuts.
    added : int
        How many were ever added, means of labellings included; one that comes back counts again.
    radius : float
        The largest norm of a cut that was ever added.
    """

    def __init__(self, K: Array, truth: Index, k: int, starts: Index, dtype: DTypeLike = np.float64):
        self.K, self.truth, self.k, self.starts = np.ascontiguousarray(K), truth, k, starts
        self.sequences, self.ways = np.zeros(0, dtype=np.intp), list[Way]()
        #: The coefficients of every cut: of places and labels, and of pairs of labels.
        self.places = sparse.csr_array((0, len(truth) * k))
        self.pairs = sparse.csr_array((0, k * k))
        self._keys = dict[Key, None]()
        #: Inner products, those of the first cuts: they are made when they are asked for.
        self._all, self._known = np.zeros((0, 0), dtype), 0
        self.added, self.radius = 0, 0.0

    def __len__(self) -> int:
        return len(self.sequences)

    @property
    def gram(self) -> NDArray[Any]:
        """The inner products of cuts, shape (M, M).

        Raises `UserError` if they do not fit into memory.
        """
        M, before = len(self), self._known
        if before < M:
            self._make_room(M)
            products = self._all[:M, :M]
            place, label = self._split()
            columns = label * len(self.truth) + place
            places = self.places.indptr, columns, self.places.data
            pairs = self.pairs.indptr, self.pairs.indices, self.pairs.data
            _products(self.K, self.k, places, pairs, before, products)
            self._known = M
        return self._all[:M, :M]

    def add(self, sequences: Sequence[int] | Index, labellings: Sequence[Index]) -> int:
        """Add the cuts of labellings that are not there yet; return how many these are."""
        new: dict[Key, Index] = {}
        for i, labels in zip(sequences, labellings, strict=True):
            key = int(i), labels.tobytes()
            if key not in self._keys:
                new[key] = labels
        if not new:
            return 0
        rows = np.array([i for i, _ in new], dtype=np.intp)
        self._append(rows, list(new.values()), list(new), *self._rows(rows, list(new.values())))
        return len(new)

    def add_mixtures(self, sequences: Index, flows: Sequence[Flow]) -> None:
        """Add means of labellings, each of one sequence, by a unit of flow (`kernlearn.solvers.structured.flows`)."""
        N, k, places, pairs = len(self.truth), self.k, [], []
        for i, (P, at, amounts) in zip(sequences, flows, strict=True):
            a, b = self.starts[i], self.starts[i + 1]
            truth, t = self.truth[a:b], np.arange(b - a)
            row, pair = -P[:, :k], np.zeros((k, k))
            row[t, truth] += 1.0 - P[:, k]
            np.add.at(pair, (truth[:-1], truth[1:]), 1.0)
            u, before, after = np.unravel_index(at, (len(t), k + 1, k + 1))
            labels = np.where(before < k, before, truth[u]), np.where(after < k, after, truth[1:][u])
            np.subtract.at(pair, labels, amounts)
            inside = sparse.csr_array(row.reshape(1, -1))
            places.append(sparse.csr_array((inside.data, inside.indices + a * k, inside.indptr), shape=(1, N * k)))
            pairs.append(pair.ravel())
        keys = [(int(i), self.added + number) for number, i in enumerate(sequences)]
        rows = sparse.csr_array(sparse.vstack(places, format="csr")), sparse.csr_array(np.array(pairs))
        self._append(sequences, list(flows), keys, *rows)

    def _append(
        self, sequences: Index, ways: list[Way], keys: Sequence[Key], places: sparse.csr_array, pairs: sparse.csr_array
    ) -> None:
        """Add cuts with these coefficients."""
        before = len(self)
        self.places = sparse.csr_array(sparse.vstack([self.places, places], format="csr"))
        self.pairs = sparse.csr_array(sparse.vstack([self.pairs, pairs], format="csr"))
        self.sequences = np.concatenate([self.sequences, sequences])
        self.ways += ways
        self._keys |= dict.fromkeys(keys)
        self.added += len(keys)
        squares = _squares(self.K, self.places.indptr, *self._split(), self.places.data, before)
        squares += (pairs**2).sum(axis=1)
        self.radius = max(self.radius, float(squares.max()) ** 0.5)

    def keep(self, rows: Index) -> None:
        """Drop all cuts but some, given in increasing order."""
        known = rows[rows < self._known]
        _narrow(self._all, known)
        self._known = len(known)
        self.places, self.pairs = self.places[rows], self.pairs[rows]
        self.sequences = self.sequences[rows]
        self.ways = [self.ways[j] for j in rows]
        keys = list(self._keys)
        self._keys = dict.fromkeys(keys[j] for j in rows)

    def combine(self, g: Array) -> Weights:
        """Return the combination with coefficients g, shape (M,)."""
        A = np.asarray(self.places.T @ g).reshape(-1, self.k)
        size = float(np.linalg.norm(np.sqrt(np.maximum(self.K.diagonal(), 0.0)) @ np.abs(A)))
        E = np.zeros((self.k, len(A)))
        add_product(A, self.K, E)  # K is symmetric
        return Weights(A, np.ascontiguousarray(E.T), np.asarray(self.pairs.T @ g).reshape(self.k, self.k), size)

    def outputs(self, w: Weights) -> Array:
        """Return ``w.d_j`` of every cut, shape (M,)."""
        return np.asarray(self.places @ w.E.ravel() + self.pairs @ w.T.ravel())

    def _rows(self, sequences: Index, labellings: list[Index]) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Return the coefficients of new cuts."""
        lengths, k, m = np.diff(self.starts)[sequences], self.k, len(sequences)
        labels = np.concatenate(labellings)
        begin = np.cumsum(lengths) - lengths
        place = np.repeat(self.starts[:-1][sequences] - begin, lengths) + np.arange(len(labels))
        row, true = np.repeat(np.arange(m), lengths), self.truth[place]
        shape = m, len(self.truth) * k
        places = _differences(row, place * k + true, place * k + labels, shape)
        inside = np.ones(len(labels), dtype=bool)  # all but the last of a sequence
        inside[begin + lengths - 1] = False
        t = np.flatnonzero(inside)
        pairs = _differences(row[t], true[t] * k + true[t + 1], labels[t] * k + labels[t + 1], (m, k * k))
        return places, pairs

    def _split(self) -> tuple[Index, Index]:
        """Return place and label of every coefficient of places."""
        place, label = np.divmod(self.places.indices, self.k)
        return place.astype(np.intp), label.astype(np.intp)

    def _make_room(self, M: int) -> None:
        """Make the matrix of inner products larger where it is: two would take too much."""
        before = len(self._all)
        if M <= before:
            return
        size = int(ROOM * M)
        what = f"the products of {size} labellings"
        require(float(self._all.itemsize) * (size * size - before * before), what, "use fewer examples, or a smaller C")
        self._all.resize((size, size), refcheck=False)
        widen(self._all.reshape(-1), self._known, before, size, True)


def _differences(rows: Index, plus: Index, minus: Index, shape: tuple[int, int]) -> sparse.csr_array:
    """Return the matrix with 1 where `plus` is and -1 where `minus` is, without the zeros where they meet."""
    ones = np.ones(len(rows))
    data, columns = np.concatenate([ones, -ones]), np.concatenate([plus, minus])
    result = sparse.csr_array((data, (np.concatenate([rows, rows]), columns)), shape=shape)
    result.sum_duplicates()
    result.eliminate_zeros()
    return result


def add_product(A: Array, K: Array, out: Array) -> None:
    """Add ``A'K`` to `out`, shape (k, N), for K, shape (L, N), and A, shape (L, k), most of whose entries may be 0."""
    if np.count_nonzero(A) < DENSE * A.size:
        _add_sparse(A, K, out)
    else:
        out += A.T @ K


@compiled
def _add_sparse(A, K, out):
    for j in range(A.shape[1]):
        rows = np.flatnonzero(A[:, j])
        add_rows(K, rows, 1.0, A[rows, j], out[j])


@compiled
def _products(K, k, places, pairs, first, G):
    """Put the inner products of the rows from `first` on with all others into G.

    Rows are triples of pointers, columns and numbers; columns of places are those of labels and places, in this order.
    """
    N = K.shape[0]
    E, T = np.zeros(k * N), np.zeros(k * k)  # those of a row with everything
    used = np.zeros(k, dtype=np.bool_)
    for c in range(first, len(G)):
        for q in range(places[0][c], places[0][c + 1]):
            label, place = places[1][q] // N, places[1][q] % N
            out, source, factor = E[label * N : (label + 1) * N], K[place], places[2][q]
            used[label] = True
            for r in range(N):
                out[r] += factor * source[r]
        for q in range(pairs[0][c], pairs[0][c + 1]):
            T[pairs[1][q]] = pairs[2][q]
        for d in range(c + 1):
            G[c, d] = _product(places, d, E) + _product(pairs, d, T)
        for label in range(k):
            if used[label]:
                E[label * N : (label + 1) * N] = 0.0
                used[label] = False
        for q in range(pairs[0][c], pairs[0][c + 1]):
            T[pairs[1][q]] = 0.0
    for d in range(0, len(G), TILE):  # column by column every entry would be a line of the cache
        for c in range(first, len(G)):
            for e in range(d, min(d + TILE, c)):
                G[e, c] = G[c, e]


@compiled
def _product(rows, d, x):
    """Return that of a row and x."""
    total = 0.0
    for q in range(rows[0][d], rows[0][d + 1]):
        total += rows[2][q] * x[rows[1][q]]
    return total


@compiled
def _narrow(G, rows):
    """Put rows and columns of G, numbers in increasing order, first, in place."""
    for i in range(len(rows)):
        source = G[rows[i]]
        for j in range(len(rows)):
            G[i, j] = source[rows[j]]


@compiled
def _squares(K, indptr, place, label, data, first):
    """Return the squares of the rows from `first` on, as far as they are of places."""
    result = np.zeros(len(indptr) - 1 - first)
    for c in range(first, len(indptr) - 1):
        for p in range(indptr[c], indptr[c + 1]):
            total = 0.5 * data[p] * K[place[p], place[p]]
            for q in range(indptr[c], p):
                if label[q] == label[p]:
                    total += data[q] * K[place[p], place[q]]
            result[c - first] += 2.0 * data[p] * total
    return result
