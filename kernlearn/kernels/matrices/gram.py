"""Gram stacks: the values of all kernels of a family between two sets of examples."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.core.off_origin import centred_products
from kernlearn.kernels.matrices.centring import centre
from kernlearn.memory import require
from kernlearn.twofold import dot
from kernlearn.types import Array

#: Bytes of kernel matrices that one stack keeps; beyond it, matrices are made again from the base when asked for.
KEEP_BYTES = 512 * 2**20
#: Bytes of kernel values that are at hand at a time, where many expansions share them: what a core keeps near it.
BLOCK_BYTES = 2**20
#: A kernel with a mean diagonal this many times that of the centred one is of examples far from its origin.
FAR_DIAGONAL = 1e6
#: Part of the sum of absolute coefficients below which their sum is 0 but for rounding.
NO_SUM = 1e-12


class GramStack:
    """Values ``K_k(x_i, z_j)`` of the p kernels of a family, k = 1..p, i = 1..n, j = 1..m.

    The base is computed once, at the start; a kernel matrix is computed when first needed and then kept, as long as all
    that is kept fits in ``KEEP_BYTES``.

    Raises `UserError` if a kernel overflows on these examples: the values of the largest kernel would not be finite
    numbers; if it is a kernel on sequences and they are none; or if the values need more memory than is available.

    Parameters
    ----------
    X : array of shape (n, d)
    Z : array of shape (m, d)
        The expansion points; the training examples themselves for a training stack.

    Attributes
    ----------
    points : array of shape (m, d)
        The expansion points Z.
    rows : array of shape (n,), optional
        Of a part of a stack: which of its examples they are.
    base : array of shape (n, m) or (n, m, q)
        Inner products, squared distances or whatever else the family is made of, see `KernelFamily`.
    extremes : array of shape (1, 2) or (1, 2, q)
        The least and the largest values of the base, or bounds of them.
    norms : (array of shape (n, 1), array of shape (1, m))
        The sizes of what a base value is a sum of, see `KernelFamily`; 0 if there are none.
    centred_products : CentredProducts, optional
        Of a linear kernel and examples far from the origin, the products around their mean.
    """

    def __init__(self, family: KernelFamily, X: Array, Z: Array):
        self.family, self.points = family, Z
        self.n_features = X.shape[1]
        self._require_memory(X.shape[0], Z.shape[0])
        with np.errstate(over="ignore", invalid="ignore"):  # found, and told in one line, below
            self.base = family.base(X, Z)
        self.rows: NDArray[np.intp] | None = None
        self._kept: dict[int, Array] = {}
        self.extremes = np.stack([self.base.min(axis=(0, 1)), self.base.max(axis=(0, 1))])[None]
        family.require_finite(self.extremes, *self.shape[1:])
        self.norms = norms_of(family, X, Z, *self.base.shape[:2])
        self.centred_products = centred_products(X, Z, family.centre) if family.bilinear else None

    @classmethod
    def train(cls, family: KernelFamily, X: Array) -> "GramStack":
        """Return the square stack of the training examples among themselves."""
        return cls(family, X, X)

    def at(self, X: Array) -> "GramStack":
        """Return the stack of other examples, on the same expansion points."""
        return GramStack(self.family, X, self.points)

    def take(self, rows: NDArray[np.intp]) -> "GramStack":
        """Return the square stack of some of the training examples among themselves."""
        some = copy(self)
        some.points, some.base, some.rows = self.points[rows], self.base[np.ix_(rows, rows)], rows
        some._kept = {}
        some.norms = self.norms[0][rows], self.norms[1][:, rows]
        some.centred_products = self.centred_products and self.centred_products.take(rows)
        return some

    def narrow(self, points: NDArray[np.intp]) -> "GramStack":
        """Return the stack of the same examples on some of the expansion points."""
        some = copy(self)
        some.points, some.base, some._kept = self.points[points], self.base.take(points, axis=1), {}
        some.norms = self.norms[0], self.norms[1][:, points]
        some.centred_products = self.centred_products and self.centred_products.on(points)
        return some

    def select(self, k: int) -> "GramStack":
        """Return the stack of kernel number `k` alone, on the same base; it keeps its matrix for itself."""
        single = copy(self)
        single.family = replace(self.family, members=(self.family.members[k],))
        single._kept = {0: self._kept[k]} if k in self._kept else {}
        return single

    def family_as_trained(self) -> KernelFamily:
        """Return the family for new examples and some of the expansion points: products are around the same centre.

        The sum of the coefficients is 0 but for rounding, and another centre would be another function.
        """
        if self.centred_products is None:
            return replace(self.family, bilinear=False)
        return replace(self.family, centre=self.centred_products.centre)

    def __len__(self) -> int:
        return len(self.family)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, m)."""
        return (len(self.family), *self.base.shape[:2])

    def matrix(self, k: int) -> Array:
        """Return the matrix of kernel number `k` (from 0), shape (n, m); not to be written to."""
        if k not in self._kept:
            self._require_memory(*self.base.shape[:2])
            values = self.family.transform(self.base, **self.family.members[k])
            if (len(self._kept) + 1) * values.nbytes > KEEP_BYTES:
                return values
            self._kept[k] = values
        return self._kept[k]

    def matrix_less_constant(self, k: int) -> Array:
        """Return the matrix of kernel `k`, minus what is the same for all j if that costs no digits, shape (n, m)."""
        return self.matrix(k) if self.family.less_constant is None else self.family.values(k, self.base, True)

    def centred_matrix(self, k: int) -> tuple[Array, Array]:
        """Return the matrix of kernel `k` around the mean of examples off the origin, and its drift, shape (m,).

        Others are `matrix_less_constant`, with the drift 0.
        """
        if self.centred_products is not None:
            return self.centred_products.products, self.centred_products.drift
        return self.matrix_less_constant(k), np.zeros(self.shape[2])

    def matrix_with_bias(self, k: int, bias: bool = True) -> tuple[Array, Array]:
        """Return what is the same as matrix `k` to a machine with a bias, and its drift, shape (n,), of a square stack.

        With coefficients x, which add up to 0, and the bias b for this matrix, the bias of the kernel as given is
        ``b - drift.x``. It is the matrix as given, with the drift 0, unless examples are so far from the origin of
        feature space that rounding would hide what tells them apart: then it is centred. Without a bias it is always
        the matrix as given.
        """
        if not bias:
            return self.matrix(k), np.zeros(self.shape[2])
        if self.centred_products is not None:
            return self.centred_products.products, self.centred_products.drift
        K = self.matrix(k)
        diagonal = float(np.diagonal(K).mean())
        if diagonal <= FAR_DIAGONAL * (diagonal - float(K.mean())):
            return K, np.zeros(len(K))
        K = self.matrix_less_constant(k)
        return centre(K), K.mean(axis=0)

    def columns(self, k: int, points: NDArray[np.intp]) -> Array:
        """Return ``K_k(x_i, z_j)`` for the expansion points j in `points`, shape (n, len(points))."""
        if self.base.ndim > 2:  # of which a kernel is one part; the others need not be copied
            return np.ascontiguousarray(self.matrix(k)[:, points])
        if k in self._kept:
            return self._kept[k][:, points]
        return self.family.transform(self.base[:, points], **self.family.members[k])

    def diagonal(self, k: int) -> Array:
        """Return ``K_k(x_i, x_i)`` of a square stack, shape (n,)."""
        i = np.arange(self.base.shape[0])
        return self.family.transform(self.base[i, i], **self.family.members[k])

    def scales(self) -> Array:
        """Return ``max_i |K_k(x_i, z_j)|`` for all k and j, shape (p, m)."""
        extremes = np.stack([self.base.min(axis=0), self.base.max(axis=0)])
        return np.stack([np.abs(self.family.transform(extremes, **m)).max(axis=0) for m in self.family.members])

    def price(self, v: Array) -> Array:
        """Return ``sum_i v_i K_k(x_i, z_j)`` for all k and j, shape (p, m), in the precision of `v`."""
        if self.family.price is not None and len(self) > 1 and v.dtype == np.float64:
            return self.family.price(self.base, v, self.family.members)
        return np.stack([v @ self.matrix(k) for k in range(len(self))])

    def expand(self, coef: Array) -> Array:
        """Return the kernel expansion ``f(x_i) = sum_k sum_j coef[k, j] K_k(x_i, z_j)``, in the precision of `coef`.

        Parameters
        ----------
        coef : array of shape (p, m)
            Only the columns of non-zero coefficients are computed. Where the coefficients of a kernel add up to 0, a
            constant part of it is left out (see `KernelFamily.less_constant`).
        """
        f = np.zeros(self.base.shape[0], dtype=coef.dtype)
        for _, values, beta in self.terms(coef):
            f += values @ beta if len(values) == len(f) > 1 else dot(values[0], beta)  # constants are large, and cancel
        return f

    def terms(self, coef: Array) -> Iterator[tuple[slice | NDArray[np.intp], Array, Array]]:
        """Yield what `expand` adds up: rows, kernel values of shape (n, s), and s coefficients.

        Values of shape (1, s) are the same for all rows.
        """
        every = slice(None)
        for k in range(len(self)):
            points = np.flatnonzero(coef[k])
            if len(points):
                less_constant, beta = adds_up_to_zero(coef[k]), coef[k, points]
                yield every, self._values(k, points, less_constant), beta
                if less_constant and self.centred_products is not None:
                    yield every, self.centred_products.drift[None, points], beta

    def expansions(self, coef: Array) -> Array:
        """Return several kernel expansions as `expand` does, from coefficients of shape (o, p, m), shape (o, n).

        They share the kernel values, which are computed block of rows by block of rows.
        """
        if len(coef) == 1:
            return self.expand(coef[0])[None]
        f = np.zeros((len(coef), self.base.shape[0]), dtype=coef.dtype)
        for k, group, points, rule in self._groups(coef):
            beta = coef[group, k][:, points]
            for rows in self._blocks(len(points)):
                f[group, rows] += beta @ self._rows(rows)._values(k, points, rule).T
            if rule and self.centred_products is not None:
                f[group] += np.array([dot(self.centred_products.drift[points], one) for one in beta])[:, None]
        return f

    def magnitudes(self, coef: Array, rows: NDArray[np.intp]) -> Array:
        """Return ``sum_k sum_j |coef[o, k, j]| M_k(x_i, z_j)`` for some examples, shape (o, len(rows)).

        M bounds ``|K|`` and the rounding error of K over eps, with what `expansions` takes for K; see `KernelFamily`.
        """
        sums = np.zeros((len(coef), len(rows)))
        for k, group, points, rule in self._groups(coef):
            step = max(1, BLOCK_BYTES // (8 * len(points)))
            for some in (slice(start, start + step) for start in range(0, len(rows), step)):
                sums[group, some] += np.abs(coef[group, k][:, points]) @ self._magnitudes(k, rows[some], points, rule).T
            sums[group] += self._drifts(coef[group, k], rule)[:, None]
        return sums

    def largest_magnitudes(self, coef: Array) -> Array:
        """Return a bound of all `magnitudes`, shape (o,), for which no kernel value is computed again."""
        r, s = (sizes.max(axis=(0, 1), keepdims=True, initial=0.0) for sizes in self.norms)
        sums = np.zeros(len(coef))
        for k, group, points, rule in self._groups(coef):
            if rule and self.centred_products is not None:
                centred = self.centred_products
                largest = centred.magnitudes(centred.r.max(keepdims=True, initial=0.0), points).max()
            else:
                largest = self.family.magnitudes(k, self.extremes, r, s, rule).max()
            sums[group] += np.abs(coef[group, k]).sum(axis=1) * largest + self._drifts(coef[group, k], rule)
        return sums

    def _drifts(self, beta: Array, less_constant: bool) -> Array:
        """Return the absolute values of what the drift adds to some outputs, which is rounded once; shape (o,)."""
        if less_constant and self.centred_products is not None:
            return np.abs(beta @ self.centred_products.drift)
        return np.zeros(len(beta))

    def _groups(self, coef: Array) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.intp], bool]]:
        """Yield every kernel with the outputs whose coefficients add up to 0, or do not, and the points they use."""
        for k in range(len(self)):
            less_constant = np.array([adds_up_to_zero(beta) for beta in coef[:, k]])
            for rule in (True, False):
                group = np.flatnonzero(less_constant == rule)
                points = np.flatnonzero(coef[group, k].any(axis=0))
                if len(points):
                    yield k, group, points, rule

    def _magnitudes(self, k: int, rows: NDArray[np.intp], points: NDArray[np.intp], less_constant: bool) -> Array:
        if less_constant and self.centred_products is not None:
            return self.centred_products.magnitudes(self.centred_products.r[rows], points)
        r, s = self.norms[0][rows], self.norms[1][:, points]
        return self.family.magnitudes(k, self._base(rows, points), r, s, less_constant)

    def _base(self, rows: NDArray[np.intp], points: NDArray[np.intp]) -> Array:
        """Return the base of some examples and points."""
        return self.base[np.ix_(rows, points)]

    def _blocks(self, m: int) -> Iterator[slice]:
        """Yield the rows, so many at a time that their values at m points fit in ``BLOCK_BYTES``; none if m is 0."""
        step = max(1, BLOCK_BYTES // (8 * m)) if m else 1
        return (slice(start, start + step) for start in range(0, self.base.shape[0] if m else 0, step))

    def _rows(self, rows: slice) -> "GramStack":
        some = copy(self)
        some.base, some._kept = self.base[rows], {k: values[rows] for k, values in self._kept.items()}
        some.centred_products = self.centred_products and self.centred_products.at(rows)
        return some

    def _values(self, k: int, points: NDArray[np.intp], less_constant: bool) -> Array:
        if less_constant and self.centred_products is not None:
            return self.centred_products.products[:, points]
        if less_constant and self.family.less_constant is not None:
            return self.family.values(k, self.base[:, points], True)
        return self.columns(k, points)

    def _require_memory(self, n: int, m: int) -> None:
        """Raise `UserError` if one more matrix does not fit into what is available."""
        require(8.0 * n * m, f"the kernel values of {n} x {m} examples", "use fewer examples")


def norms_of(family: KernelFamily, X: Array, Z: Array, n: int, m: int) -> tuple[Array, Array]:
    """Return the sizes of what the base values of n and m examples are sums of, see `GramStack`."""
    return (np.zeros((n, 1)), np.zeros((1, m))) if family.norms is None else family.norms(X, Z)


def adds_up_to_zero(beta: Array) -> bool:
    """Return whether the sum of some coefficients is 0 but for rounding, as that of an SVM with bias is."""
    return bool(abs(beta.sum()) <= NO_SUM * np.abs(beta).sum())
