"""Kernels by blocks: what kernel learning asks of p kernels, holding no kernel matrix, and one only to combine them.

Every answer is a pass over the blocks of the examples; of a block the base is made once, and the kernels one by one.
Kernels are symmetric: blocks below the diagonal are those above it. Where a family has fused sums, no block is made.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from kernlearn.kernels.core.combined import CombinedKernel
from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.fused import sums as fused
from kernlearn.kernels.fused.sums import is_dense_and_small
from kernlearn.kernels.matrices.centring import alignment_by_products
from kernlearn.kernels.matrices.dense import CONSTANT, expansion_of, require_matrices
from kernlearn.kernels.matrices.rows import EntryRows
from kernlearn.kernels.matrices.tails import head
from kernlearn.types import Array, Index

#: Rows and columns of a block: by a power of two, what is transposed would all be in the same few lines of a cache.
BLOCK = 504
#: Bytes of one matrix above which none is made: 32,768 examples.
MOST_BYTES = 2.0**33


class BlockStack:
    """A `KernelStack` of kernels that are functions of n examples, as they are given or centred.

    With the column means m_k of a kernel and their mean, ``K_kc = K_k - m_k 1' - 1 m_k' + mean(m_k) 11'`` (2.39). Where
    a family can give its kernels minus a constant, it does: centring takes the constant out anyway.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    means : array of shape (p, n), optional
        Column means that are taken out.
    grand : array of shape (p,), optional
        Their means.
    given : array of shape (p,), optional
        The largest absolute entries before that.
    """

    def __init__(
        self,
        family: KernelFamily,
        X: Any,
        means: Array | None = None,
        grand: Array | None = None,
        given: Array | None = None,
    ):
        self.family, self.X, self.means, self._grand, self._given = family, X, means, grand, given
        self._zero = np.zeros(len(family), dtype=bool)
        self._last: tuple[Array, Index, Array] | None = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, n)."""
        n = int(self.X.shape[0])
        return len(self.family), n, n

    def __len__(self) -> int:
        return len(self.family)

    def take(self, rows: Index) -> "BlockStack":
        """Return the kernels between some of the examples, centred as those of all are."""
        means = None if self.means is None else self.means[:, rows]
        some = BlockStack(self.family, self.X[rows], means, self._grand, self._given)
        some._zero = self._zero
        return some

    def combine(self, mu: Array) -> Array:
        """Return ``K_mu = sum_k mu_k K_k``, shape (n, n), the one matrix that is ever there."""
        require_matrices((1, *self.shape[1:]))
        K, used = np.empty(self.shape[1:]), np.flatnonzero(np.where(self._zero, 0.0, mu))
        for i, j, base in self._halves():
            part = np.zeros(base.shape[:2])
            for k in used:
                part += mu[k] * self._values(int(k), base)
            if self.means is not None:
                means = mu[used] @ self.means[used]
                part += mu[used] @ self._grands[used] - means[i, None] - means[None, j]
            K[i, j] = part
            if i != j:
                K[j, i] = part.T
        return K

    def weighted(self, mu: Array) -> Array | CombinedKernel:
        """Return K_mu for linear algebra that needs products and columns alone.

        It is a matrix only where one is held, and sums over kernel values take longer than to read it.
        """
        return self.combine(mu) if self.has_matrix and not self.is_fused else CombinedKernel(self, mu)

    def rows(self, mu: Array) -> EntryRows:
        """Return the rows of K_mu for a solver that asks for some of them."""
        return EntryRows(CombinedKernel(self, mu).block, self.X, np.arange(self.shape[1]))

    @property
    def has_matrix(self) -> bool:
        """Whether one matrix is small enough to be held."""
        return 8.0 * self.shape[1] ** 2 <= MOST_BYTES

    def weighted_image(self, mu: Array, a: Array, kind: type = np.float64) -> Array:
        """Return ``K_mu a``, shape (n,), from sums over kernel values in double or single precision."""
        used = np.flatnonzero(np.where(self._zero, 0.0, mu))
        image = self._sums(slice(None), slice(None), np.outer(mu[used], a).astype(kind), used, together=True)[0]
        if self.means is not None:
            image += float(a.sum()) * (mu[used] @ self._grands[used]) - float((mu[used] @ self.means[used]) @ a)
            image -= float(a.sum()) * (mu[used] @ self.means[used])
        return image

    def weighted_block(self, mu: Array, rows: slice | Index, columns: Index) -> Array:
        """Return some rows and columns of K_mu."""
        used = np.flatnonzero(np.where(self._zero, 0.0, mu))
        if self.is_fused:
            centre = self.means is not None
            X, Z = self._moved[rows], self._moved[columns]
            block = np.empty((len(X), len(Z)))
            fused.put_entries(self._kernels(used), mu[used], X, Z, block, less_constant=centre)
        else:
            base = self._base(rows, columns)
            block = np.zeros(base.shape[:2])
            for k in used:
                block += mu[k] * self._values(int(k), base)
        if self.means is not None:
            means = mu[used] @ self.means[used]
            block += mu[used] @ self._grands[used] - means[rows, None] - means[None, columns]
        return block

    @cached_property
    def _moved(self) -> Array:
        return fused.moved(self._kernels(np.arange(len(self))), self.X)

    def quadratic(self, a: Array, b: Array | None = None) -> Array:
        """Return ``a' K_k b`` for every k, b = a by default, shape (p,), from the examples where a is not 0."""
        if b is not None:
            return self.images(a, np.arange(len(self))) @ b
        used, images = self._on_support(a)
        return images @ a[used]

    def images(self, a: Array, some: Index, rows: Index | None = None) -> Array:
        """Return ``K_k a`` for some k on some examples, all by default, shape (len(some), len(rows)).

        Where a is not 0, `quadratic` knows them already.
        """
        n = self.shape[1]
        used, images = self._on_support(a)
        out = np.zeros((len(some), n))
        out[:, used] = images[some]
        rows = np.arange(n) if rows is None else rows
        others = np.setdiff1d(rows, used)
        out[:, others] = self._sums(others, used, np.tile(a[used], (len(some), 1)), some)
        out[:, others] += self._centring(a, others)[some]
        out[self._zero[some]] = 0.0
        return out[:, rows]

    def _on_support(self, a: Array) -> tuple[Index, Array]:
        """Return where a is not 0, and ``K_k a`` for every k there, which is kept for the last a."""
        if self._last is None or not np.array_equal(self._last[0], a):
            used, every = np.flatnonzero(a), np.arange(len(self))
            images = self._sums(used, used, np.tile(a[used], (len(self), 1)), every)
            images += self._centring(a, used)
            images[self._zero] = 0.0
            self._last = a.copy(), used, images
        return self._last[1:]

    @property
    def is_fused(self) -> bool:
        """Whether sums over kernel values need no blocks of the base."""
        return self.family.fused is not None and is_dense_and_small(self.X)

    def _sums(
        self, rows: Index | slice, points: Index | slice, weights: Array, some: Index, together: bool = False
    ) -> Array:
        """Return ``sum_j weights[r, j] K_k(x_i, x_j)`` for the kernels k of rows r, or of all rows together.

        Parameters
        ----------
        rows, points : slices or arrays of numbers of examples
        weights : array of shape (len(some), len(points))
            In the precision of the sums, where the family is fused.
        some : array of kernel numbers
        """
        examples = self.X[rows]
        others = examples if _same(rows, points) else self.X[points]
        target = np.zeros(len(some), dtype=np.intp) if together else np.arange(len(some))
        if not (len(some) and examples.shape[0] and others.shape[0]):
            return np.zeros((1 if together else len(some), examples.shape[0]))
        if self.is_fused:
            less_constant = np.full(len(some), int(self.means is not None))
            own, each = self._kernels(some), np.arange(len(some))
            found = fused.products(own, examples, others, weights, each, target, less_constant)
            if not np.isfinite(found).all():
                for _ in _blocks(self._base_of, examples, others):  # which finds the reason
                    pass
            return found
        sums, weights = np.zeros((int(target[-1]) + 1, examples.shape[0])), weights.astype(np.float64)
        for i, j, base in _blocks(self._base_of, examples, others):
            for place, k in enumerate(some):
                values = self._values(int(k), base)
                sums[target[place], i] += values @ weights[place, j]
                if others is examples and i != j:
                    sums[target[place], j] += weights[place, i] @ values
        return sums

    def _kernels(self, some: Index) -> fused.Kernels:
        """Return some kernels for the sums of `kernlearn.kernels.fused`."""
        assert self.family.fused is not None
        return self.family.fused(tuple(self.family.members[k] for k in some), self.X.shape[1])

    def _constant(self, k: int) -> float:
        """Return what a kernel that can be given minus a constant is given minus."""
        nothing = np.zeros((1, 1))
        return float((self.family.values(k, nothing) - self.family.values(k, nothing, True))[0, 0])

    def _centring(self, a: Array, rows: Index) -> Array:
        """Return what centring adds to ``K_k a`` on some examples, shape (p, len(rows))."""
        if self.means is None:
            return np.zeros((len(self), len(rows)))
        total = float(a.sum())
        return total * (self._grands[:, None] - self.means[:, rows]) - (self.means @ a)[:, None]

    def traces(self) -> Array:
        """Return ``Tr K_k``, shape (p,)."""
        traces = np.zeros(len(self))
        for i in _parts(self.shape[1], 64):  # of a block all but the diagonal is waste
            base = self._base(i, i)
            traces += [np.trace(self._values(k, base)) for k in range(len(self))]
        if self.means is not None:
            traces -= self.shape[1] * self._grands
        return np.where(self._zero, 0.0, traces)

    def norms(self) -> Array:
        """Return ``||K_k||_F``, shape (p,)."""
        norms: Array = np.sqrt(np.maximum(np.diagonal(self.products()), 0.0))
        return norms

    def products(self) -> Array:
        """Return ``<K_k, K_l>_F``, shape (p, p), computed once."""
        return self._products

    @cached_property
    def _products(self) -> Array:
        if self.is_fused:
            used, M = np.flatnonzero(~self._zero), np.zeros((len(self), len(self)))
            means, grands = np.zeros((len(used), self.shape[1])), np.array([self._constant(int(k)) for k in used])
            if self.means is not None:
                means, grands = self.means[used], self._grands[used]
            M[np.ix_(used, used)] = fused.inner_products(self._kernels(used), self.X, means, grands)
            return M
        M = np.zeros((len(self), len(self)))
        for i, j, base in self._halves():
            values = np.empty((len(self), base.size))
            for k in range(len(self)):
                part = self._values(k, base)
                if self.means is not None:
                    part += self._grands[k] - self.means[k, i, None]
                    part -= self.means[k, None, j]
                values[k] = 0.0 if self._zero[k] else part.ravel()
            M += (1.0 + (i != j)) * (values @ values.T)
        return M

    def heads(self, theta: int) -> Array:
        """Return the sum of the theta largest eigenvalues of every ``K_k``, one after the other, shape (p,)."""
        return np.array([head(self.combine(one), theta) for one in np.eye(len(self))])

    def centred(self) -> "BlockStack":
        """Return the stack of the kernels centred in feature space; kernels that are constant are 0, as they should."""
        return self if self.means is not None else self._centred

    @cached_property
    def _centred(self) -> "BlockStack":
        other = BlockStack(self.family, self.X, np.zeros(self.shape[:2]))  # whose values are minus a constant
        every, n = np.arange(len(self)), self.shape[1]
        means, largest = other._sums(slice(None), slice(None), np.ones((len(self), n)), every) / n, other._largest
        centred = BlockStack(self.family, self.X, means, means.mean(axis=1), largest)
        centred._zero = centred.traces() <= CONSTANT * self.shape[1] * largest
        return centred

    def largest_given(self, mu: Array) -> float:
        """Return a bound of the absolute values of ``K_mu``, before it was centred."""
        return float(np.abs(mu) @ (self._largest if self._given is None else self._given))

    @cached_property
    def _largest(self) -> Array:
        largest = np.zeros(len(self))
        if self.is_fused and self.family.norms:  # bounds: of Gaussian kernels from distances that are twice too far
            ends = [fused.range_of_base(self._kernels(np.arange(len(self))), *self.family.norms(self.X, self.X))]
        else:
            ends = [(float(base.min()), float(base.max())) for _, _, base in self._halves()]
        for both in map(np.array, ends):
            largest = np.maximum(largest, [np.abs(self._values(k, both)).max() for k in range(len(self))])
        return largest

    def alignment(self, mu: Array, y: Array) -> Array:
        """Return the centred alignment of ``K_mu`` with ``yy'`` (definition 2.4), shape (1,)."""
        return alignment_by_products(self, mu, y)

    def expansion(self, mu: Array, beta: Array) -> tuple[Array, float]:
        """Return the coefficients (p, n) of the kernels as given, and a constant; see `KernelStack.expansion`."""
        return expansion_of(mu, beta, self.means)

    @cached_property
    def _grands(self) -> Array:
        return np.zeros(len(self)) if self._grand is None else self._grand

    def _values(self, k: int, base: Array) -> Array:
        return self.family.values_for_once(k, base, self.means is not None)

    def _base(self, i: slice | Index, j: slice | Index) -> Array:
        return self._base_of(self.X[i], self.X[j])

    def _base_of(self, X: Any, Z: Any) -> Array:
        """Return a block of the base, or raise `UserError` if a kernel overflows on it."""
        with np.errstate(over="ignore", invalid="ignore"):  # found, and told in one line, below
            base = self.family.base(X, Z)
        extremes = np.stack([base.min(axis=(0, 1)), base.max(axis=(0, 1))])[None]
        self.family.require_finite(extremes, *self.shape[1:])
        return base

    def _halves(self) -> Iterator[tuple[slice, slice, Array]]:
        """Yield the rows, columns and base of every block on the diagonal and above."""
        return _blocks(self._base_of, self.X, self.X)


def _blocks(base: Callable[[Any, Any], Array], X: Any, Z: Any) -> Iterator[tuple[slice, slice, Array]]:
    """Yield the rows, columns and base of every block; if X is Z, of those on the diagonal and above."""
    columns = list(_parts(Z.shape[0]))
    for place, i in enumerate(_parts(X.shape[0])):
        for j in columns[place:] if X is Z else columns:
            yield i, j, base(X[i], Z[j])


def _same(rows: Index | slice, points: Index | slice) -> bool:
    return rows is points or (isinstance(rows, slice) and rows == points)


def _parts(n: int, step: int = BLOCK) -> Iterator[slice]:
    return (slice(start, min(start + step, n)) for start in range(0, n, step))
