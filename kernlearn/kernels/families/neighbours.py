"""The examples that are nearest to an example: all of them exactly, ties included, or most of them fast."""

from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy import sparse

from kernlearn.errors import UserError
from kernlearn.memory import require
from kernlearn.threads import one_of_all
from kernlearn.types import Array, Index

#: Two distances are the same where their squares differ by less than the first part of these, and by less than the
#: second part of the squared norm of the example: what rounding leaves of the distance of equal examples.
SAME, ROUNDING = 1e-10, 1e-13
#: Distances that are computed at once for examples with ties.
BLOCK = 2**22
#: Links of an example in the graphs of an approximate search, and candidates that it looks at.
LINKS, LOOK = 16, 128
#: Examples among which an approximate search would win nothing.
FEW = 1000


class Near(NamedTuple):
    """Pairs of an example and one near it, by rows: the numbers of both, and their distance."""

    rows: Index
    columns: Index
    distances: Array


class Search(Protocol):
    """A search in given examples."""

    def near(self, X: Any = None) -> Near:
        """Return those near each of other examples X, or near each of its own without itself."""
        ...


class ExactSearch:
    """The k nearest, and all that are as near as the k-th: so it does not depend on the order of examples.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    metric : {"euclidean", "cosine"}
    k : int >= 1
    """

    def __init__(self, X: Any, metric: str, k: int):
        from sklearn.neighbors import NearestNeighbors  # takes a while to import

        self._X, self._metric, self._k = X, metric, k
        algorithm = "brute" if metric == "cosine" else "auto"
        self._search = NearestNeighbors(n_neighbors=1, metric=metric, algorithm=algorithm).fit(X)

    def near(self, X: Any = None) -> Near:
        """Return the k nearest; of fewer examples all.

        Raises `UserError` if so many are equally near that they do not fit into memory.
        """
        own = X is None
        Z, n_others = self._X if own else X, self._X.shape[0] - own
        k = min(self._k, n_others)
        if not k:
            return Near(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))
        distances, nearest = self._search.kneighbors(None if own else X, n_neighbors=min(k + 1, n_others))
        limits = self._limits(Z, distances[:, k - 1])
        tied = np.flatnonzero((self._squares(distances[:, k:]) <= limits[:, None]).any(axis=1))
        alone = np.setdiff1d(np.arange(len(distances)), tied)
        first = np.repeat(alone, k), nearest[alone, :k].ravel(), distances[alone, :k].ravel()
        parts = [first, *self._all_as_near(Z, tied, limits, own)] if len(tied) else [first]
        rows, columns, lengths = (np.concatenate(column) for column in zip(*parts, strict=True))
        lengths[self._squares(lengths) <= ROUNDING * self._norms(Z)[rows]] = 0.0  # those of equal examples
        return Near(rows, columns, lengths)

    def _all_as_near(self, Z: Any, rows: Index, limits: Array, own: bool) -> list[tuple[Index, Index, Array]]:
        """Return all pairs of some examples within the squared distances that are their limits."""
        from sklearn.metrics import pairwise_distances

        parts, step, size = [], max(1, BLOCK // self._X.shape[0]), 0
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            distances = pairwise_distances(Z[some], self._X, metric=self._metric)
            near = self._squares(distances) <= limits[some, None]
            if own:
                near[np.arange(len(some)), some] = False
            i, j = np.nonzero(near)
            parts.append((some[i], j, distances[i, j]))
            size += len(i)
            require(100.0 * size, f"{size} pairs of equally near examples", "use fewer examples that are alike")
        return parts

    def _squares(self, distances: Array) -> Array:
        """Return squared distances; half of that of two examples of norm 1 is 1 less their cosine."""
        return distances if self._metric == "cosine" else distances**2

    def _norms(self, Z: Any) -> Array:
        """Return squared norms, of examples of which the direction alone counts 1, shape (len(Z),)."""
        from sklearn.utils.extmath import row_norms

        return np.ones(Z.shape[0]) if self._metric == "cosine" else np.asarray(row_norms(Z, squared=True))

    def _limits(self, Z: Any, distances: Array) -> Array:
        return np.asarray(self._squares(distances) * (1.0 + SAME) + ROUNDING * self._norms(Z))


class ApproximateSearch:
    """Nearly always the k nearest, by the HNSW graphs of Faiss; the same in every run. Distances are exact.

    Raises `UserError` if Faiss is not installed, or the examples do not fit into memory as a dense matrix of single
    precision.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    metric : {"euclidean", "cosine"}
    k : int >= 1

    References
    ----------
    Malkov and Yashunin (2018).
    """

    def __init__(self, X: Any, metric: str, k: int):
        try:
            import faiss
        except ImportError:
            raise UserError("search=approximate: pip install faiss-cpu, or use search=exact") from None
        n, d = X.shape
        require(3.0 * 4 * n * (d + 2 * LINKS), f"{n} x {d} features, searched approximately", "use fewer examples")
        self._X, self._metric, self._k = X, metric, k
        self._index: Any = faiss.IndexHNSWFlat(d, LINKS)
        self._index.hnsw.efConstruction, self._index.hnsw.efSearch = LOOK, max(LOOK, 2 * k)
        with one_of_all():  # several threads add in no certain order
            self._index.add(self._single(X))

    def near(self, X: Any = None) -> Near:
        """Return nearly always the k nearest."""
        Z, own = (self._X, 1) if X is None else (X, 0)
        with one_of_all():
            _, nearest = self._index.search(self._single(Z), self._k + own)
        valid = nearest >= 0  # -1: none was found
        if own:
            valid &= nearest != np.arange(len(nearest))[:, None]
        valid &= np.cumsum(valid, axis=1) <= self._k
        rows, columns = np.nonzero(valid)[0], nearest[valid].astype(np.intp)
        step = max(1, BLOCK // self._X.shape[1])
        parts = [slice(start, start + step) for start in range(0, len(rows), step)]
        distances = [self._distances(Z[rows[part]], self._X[columns[part]]) for part in parts]
        return Near(rows, columns, np.concatenate([np.empty(0), *distances]))

    def _single(self, X: Any) -> Any:
        """Return dense examples in single precision, of norm 1 where the distance is that of their directions."""
        Z = np.ascontiguousarray(dense(X), dtype=np.float32)
        return _directions(Z) if self._metric == "cosine" else Z

    def _distances(self, A: Any, B: Any) -> Array:
        """Return the distances of successive examples of both."""
        A, B = dense(A), dense(B)
        if self._metric == "cosine":
            return np.asarray(1.0 - np.einsum("ij,ij->i", _directions(A), _directions(B)))
        return np.sqrt(((A - B) ** 2).sum(axis=1))


def dense(X: Any) -> Array:
    """Return examples as an array, sparse or not."""
    return X.toarray() if isinstance(X, sparse.csr_array) else np.asarray(X)


def _directions(X: Any) -> Any:
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(norms > 0, norms, 1)


#: Searches by name.
SEARCHES = ("exact", "approximate")


def make_search(name: str, X: Any, metric: str, k: int) -> Search:
    """Return a search by its name; in few examples all are exact."""
    return (ExactSearch if name == "exact" or X.shape[0] <= FEW else ApproximateSearch)(X, metric, k)
