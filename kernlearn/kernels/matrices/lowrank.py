"""Kernels as features: ``K_k = V_k V_k'`` for groups of columns of one matrix, which may be sparse.

Thousands of rank-1 kernels need n numbers each instead of n^2; no array of size n x n x p is ever made. What is made
are matrices of n x n (`combine`), n x some (`images`) and, for `products` alone, D x D.
"""

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernlearn.errors import UserError
from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.kernels.matrices.centring import alignment_by_products, alignments
from kernlearn.kernels.matrices.dense import CONSTANT, DenseStack, require_matrices
from kernlearn.kernels.matrices.gram import GramStack
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.memory import require
from kernlearn.types import Array

#: Bytes of features that `FeatureStack.terms` has at hand at a time.
TERMS_BYTES = 2**26
#: Part of non-zeros above which a product of sparse matrices is slower than that of dense ones.
DENSE = 0.1


class FeatureStack:
    """A `KernelStack` of kernels ``K_k(x, z) = sum_{d in group k} x_d z_d``; every feature by itself if no groups.

    Centring a sparse V stays implicit: the features are ``V - 1 s'`` with the column means s. Of a dense one they are
    taken out, so that features far from 0 lose no digits.

    Raises `UserError` if a feature is not finite or the groups are not numbered 0, 1, ... in order.

    Parameters
    ----------
    V : array or sparse matrix of shape (n, D)
    groups : array of shape (D,), optional
        The kernel of every feature, increasing: 0, ..., 0, 1, ..., p - 1. By default ``arange(D)``, rank-1 kernels.
    shift, means : arrays of shape (D,), optional
        The column means s that are to be taken out of V, and those that have been.
    """

    def __init__(self, V: Any, groups: ArrayLike | None = None, shift: Array | None = None, means: Array | None = None):
        self.sparse: bool = sp.issparse(V)
        self.V: Any = sp.csr_array(V, dtype=np.float64) if self.sparse else np.asarray(V, dtype=np.float64)
        if self.V.ndim != 2 or not self.V.shape[1]:
            raise UserError(f"features must be a matrix with a column each, this one has the shape {self.V.shape}")
        values: Any = self.V.data if self.sparse else self.V
        if not np.isfinite(values).all():
            raise UserError("the features have values that are NaN or infinite")
        D = self.V.shape[1]
        self.groups = np.arange(D) if groups is None else np.asarray(groups)
        starts = np.flatnonzero(np.diff(self.groups, prepend=-1))
        if self.groups.shape != (D,) or not np.array_equal(self.groups[starts], np.arange(len(starts))):
            raise UserError("groups of features must be numbered 0, 1, ... in order, a number for every feature")
        self._starts, self.shift, self.means = starts, shift, means

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, n)."""
        n = self.V.shape[0]
        return len(self._starts), n, n

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def rank_one(self) -> bool:
        """Whether every kernel is one feature."""
        return len(self) == self.V.shape[1]

    def at(self, X: Any) -> "FeatureStack":
        """Return the kernels of other examples, as they are given."""
        return FeatureStack(X, self.groups)

    def take(self, rows: NDArray[np.intp]) -> "FeatureStack":
        """Return the kernels of some of the examples, as they were given."""
        return FeatureStack(self.V[rows], self.groups)

    def combine(self, mu: Array) -> Array:
        """Return ``K_mu = sum_k mu_k V_k V_k'``, shape (n, n)."""
        require_matrices((1, *self.shape[1:]))
        weights = mu[self.groups]
        used = np.flatnonzero(weights)
        V, weights = (self.V if len(used) == len(weights) else self.V[:, used]), weights[used]
        if self.sparse and V.nnz <= DENSE * np.prod(V.shape):
            K = (V @ sp.diags_array(weights) @ V.T).toarray()
        else:
            V = V.toarray() if self.sparse else V
            K = (V * weights) @ V.T
        if self.shift is None:
            return K
        shift = self.shift[used]
        cross = V @ (weights * shift)
        return K - cross[:, None] - cross[None, :] + shift @ (weights * shift)

    def project(self, a: Array) -> Array:
        """Return ``V' a``, the coordinates of ``sum_i a_i phi(x_i)`` in feature space, shape (D,)."""
        return self.V.T @ a - (0.0 if self.shift is None else self.shift * a.sum())

    def quadratic(self, a: Array, b: Array | None = None) -> Array:
        """Return ``a' K_k b = V_k' a . V_k' b`` for every k, b = a by default, shape (p,)."""
        projected = self.project(a)
        return self._sums(projected * (projected if b is None else self.project(b)))

    def images(self, a: Array, some: NDArray[np.intp]) -> Array:
        """Return ``K_k a = V_k (V_k' a)`` for some k in increasing order, shape (len(some), n)."""
        features = np.flatnonzero(np.isin(self.groups, some))
        scaled = (self.columns(features) * self.project(a)[features]).T
        if self.rank_one:
            return scaled
        return np.add.reduceat(scaled, np.searchsorted(self.groups[features], some), axis=0)

    def largest(self) -> Array:
        """Return the largest absolute entry of every feature, centred if the kernels are, shape (D,)."""
        low, high = self._extremes()
        shift = 0.0 if self.shift is None else self.shift
        return np.maximum(high - shift, shift - low)

    def traces(self) -> Array:
        """Return ``Tr K_k``, shape (p,)."""
        squares = self.V.power(2).sum(axis=0) if self.sparse else np.einsum("ij,ij->j", self.V, self.V)
        if self.shift is not None:  # the sum of (v - s)^2, s the mean of v
            centred = squares - self.V.shape[0] * self.shift**2
            squares = np.where(centred > CONSTANT * squares, centred, 0.0)
        return self._sums(squares)

    def norms(self) -> Array:
        """Return ``||K_k||_F``, shape (p,)."""
        if self.rank_one:
            return self.traces()  # rank 1: |v|^2
        return np.array([np.linalg.norm(block.T @ block) for block in self._blocks()])

    def products(self) -> Array:
        """Return ``<K_k, K_l>_F = ||V_k' V_l||_F^2``, shape (p, p), by way of a D x D matrix.

        Raises `UserError` if that matrix would take more memory than is available.
        """
        D = self.V.shape[1]
        require(8.0 * D * D, f"the products of {D} features", "use fewer features")
        G = self.V.T @ self.V
        G = G.toarray() if self.sparse else G
        if self.shift is not None:
            G = G - self.V.shape[0] * np.outer(self.shift, self.shift)
        G = G**2
        if self.rank_one:
            return G
        return np.add.reduceat(np.add.reduceat(G, self._starts, axis=0), self._starts, axis=1)

    def alignment(self, mu: Array, y: Array) -> Array:
        """Return the centred alignment of ``K_mu`` with ``yy'`` (definition 2.4), shape (1,), by the smaller way."""
        if self.V.shape[1] <= self.V.shape[0]:
            return alignment_by_products(self, mu, y)
        return alignments(DenseStack(self.combine(mu)[None]), y)

    def heads(self, theta: int) -> Array:
        """Return the sum of the theta largest eigenvalues of every ``K_k``, from those of ``V_k' V_k``, shape (p,)."""
        if theta == 0:
            return np.zeros(len(self))
        if self.rank_one:
            return self.traces()
        eigenvalues = (np.linalg.eigvalsh(block.T @ block) for block in self._blocks())
        return np.array([np.maximum(values[-theta:], 0.0).sum() for values in eigenvalues])

    def centred(self) -> "FeatureStack":
        """Return the stack of the centred kernels, on the same matrix of features if it is sparse."""
        if self.shift is not None or self.means is not None:
            return self
        means = np.asarray(self.V.mean(axis=0)).ravel()
        if self.sparse:
            return FeatureStack(self.V, self.groups, shift=means)
        V = self.V - means
        V[:, (V**2).sum(axis=0) <= CONSTANT * (self.V**2).sum(axis=0)] = 0.0  # constant features
        return FeatureStack(V, self.groups, means=means)

    def largest_given(self, mu: Array) -> float:
        """Return a bound of the absolute values of ``K_mu``, before it was centred; of features that were, after it."""
        squares = self.V.power(2) if self.sparse else self.V**2
        return float((squares @ np.abs(mu[self.groups])).max())

    def expand(self, w: Array) -> Array:
        """Return ``f(x_i) = x_i.w`` for weights of the features, shape (n,); what `expansion` gives fits here."""
        return self.V @ w

    def expansions(self, W: Array) -> Array:
        """Return the same for several weight vectors of shape (o, D), shape (o, n)."""
        values: Array = self.V @ W.T
        return values.T

    def terms(self, w: Array) -> Iterator[tuple[slice, Array, Array]]:
        """Yield what `expand` adds up, some features at a time: all rows, values of features, and their weights."""
        used = np.flatnonzero(w)
        step = max(1, TERMS_BYTES // (8 * self.V.shape[0] or 1))
        for start in range(0, len(used), step):
            features = used[start : start + step]
            V = self.V[:, features]
            yield slice(None), V.toarray() if self.sparse else V, w[features]

    def magnitudes(self, W: Array, rows: NDArray[np.intp]) -> Array:
        """Return ``|x_i| . |w|``, entry by entry, of some examples for several weight vectors, shape (o, len(rows))."""
        sums: Array = abs(self.V[rows]) @ np.abs(W).T
        return sums.T

    def largest_magnitudes(self, W: Array) -> Array:
        """Return a bound of all `magnitudes`, shape (o,)."""
        low, high = self._extremes()
        return np.abs(W) @ np.maximum(high, -low)

    def expansion(self, mu: Array, beta: Array) -> tuple[Array, float]:
        """Return the weights of the features, shape (D,), and a constant: ``f(x) = x.w + constant``."""
        w = mu[self.groups] * self.project(beta)
        offset = self.means if self.shift is None else self.shift
        return w, 0.0 if offset is None else -float(offset @ w)

    def columns(self, features: NDArray[np.intp]) -> Array:
        """Return some of the features, centred if the kernels are, shape (n, len(features))."""
        V = self.V[:, features]
        V = V.toarray() if self.sparse else V
        return V if self.shift is None else V - self.shift[features]

    def _extremes(self) -> tuple[Array, Array]:
        """Return the least and the largest values of every feature as given, shapes (D,)."""
        low, high = (m.toarray().ravel() if self.sparse else m for m in (self.V.min(axis=0), self.V.max(axis=0)))
        return low, high

    def _sums(self, values: Array) -> Array:
        return values if self.rank_one else np.add.reduceat(values, self._starts)

    def _blocks(self) -> Iterator[Array]:
        return (self.columns(features) for features in np.split(np.arange(self.V.shape[1]), self._starts[1:]))


#: What a method is trained on, and its predictions are made with.
Stack = GramStack | FeatureStack


def make_stack(family: KernelFamily, X: Any, Z: Any, max_matrix_bytes: float = inf, *, together: bool = False) -> Stack:
    """Return the kernels of a family between examples X and expansion points Z.

    Kernels that are features need no expansion points: they are the columns of X, and predictions are made with weights
    of the features. Above `max_matrix_bytes` bytes of one matrix its values are computed as they are needed.
    """
    if family.name == FEATURES:
        return FeatureStack(X)
    return kernel_stack(family, X, Z, max_matrix_bytes, together=together)
