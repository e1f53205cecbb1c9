"""Gram stacks that are too large to be kept: kernel values are computed from the examples, block by block, when needed.

Methods that ask for columns, products and expansions only need no more (`kernlearn.kernels.matrices.columns`).
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import Any, TypeVar

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.fused import sums as fused
from kernlearn.kernels.fused.sums import is_dense_and_small
from kernlearn.kernels.matrices.gram import FAR_DIAGONAL, GramStack, adds_up_to_zero, norms_of
from kernlearn.kernels.matrices.rows import FunctionRows, kernel_rows
from kernlearn.types import Array, Index

Sums = TypeVar("Sums", Array, tuple[Array, Array, Array])

#: Rows and columns of a block.
ROWS, COLUMNS = 512, 2048
#: Bytes of one kernel matrix above which none is made: 16,384 examples.
MAX_MATRIX_BYTES = 2.0**31
#: Matrices of this size that may be in memory together.
TOGETHER = 4
#: Part of the points from which on it is sooner to take all, whose matrix with the examples is symmetric.
HALF = 0.6
#: Examples by which it is judged how far all are from the origin.
JUDGED = 1000


class StreamedStack(GramStack):
    """A `GramStack` whose base is not kept; its values are the same up to rounding.

    The base is computed and kept only for those who ask for whole matrices.

    Parameters
    ----------
    family : KernelFamily
        One that `streams`.
    X, Z : arrays or sparse matrices of shape (n, d), (m, d)
    max_matrix_bytes : float
        As for `kernel_stack`.
    """

    def __init__(self, family: KernelFamily, X: Any, Z: Any, max_matrix_bytes: float = 0.0):
        self.family, self.examples, self.points, self.max_matrix_bytes = family, X, Z, max_matrix_bytes
        self.n_features = X.shape[1]
        self.rows, self.centred_products = None, None
        self.norms = norms_of(family, X, Z, X.shape[0], Z.shape[0])
        self.extremes = np.array([[np.inf, -np.inf]])  # of what was computed so far
        self._kept = {}

    def at(self, X: Any) -> "StreamedStack":
        """Return the stack of other examples, on the same expansion points."""
        return StreamedStack(self.family, X, self.points, self.max_matrix_bytes)

    def take(self, rows: Index) -> GramStack:
        """Return the square stack of some of the training examples among themselves."""
        X = self.examples[rows]
        some = kernel_stack(self.family, X, X, self.max_matrix_bytes)
        some.rows = rows
        return some

    def narrow(self, points: Index) -> "StreamedStack":
        """Return the stack of the same examples on some of the expansion points."""
        return StreamedStack(self.family, self.examples, self.points[points], self.max_matrix_bytes)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, m)."""
        return len(self.family), self.examples.shape[0], self.points.shape[0]

    @cached_property
    def base(self) -> Array:  # type: ignore[override]  # which others have from the start
        """The base, computed and kept from here on."""
        return GramStack(self.family, self.examples, self.points).base

    def gram_rows(self) -> FunctionRows:
        """Return the rows of the one kernel of a square stack, for a machine with a bias.

        Raises `UserError` if the examples are so far from the origin of feature space that rounding would hide what
        tells them apart, see `GramStack.matrix_with_bias`; that is judged by some of them.
        """
        some = np.linspace(0, self.shape[1] - 1, min(JUDGED, self.shape[1])).astype(np.intp)
        values, K = kernel_rows(self.family, self.examples), np.empty((len(some), len(some)))
        values.fill(some, some, K)
        diagonal = float(np.diagonal(K).mean())
        if diagonal > FAR_DIAGONAL * (diagonal - float(K.mean())):
            raise UserError(
                "the examples are too far from the origin of feature space for kernel values that are not kept: scale "
                "them (scaling=standard)"
            )
        return values

    def columns(self, k: int, points: Index) -> Array:
        """Return ``K_k(x_i, z_j)`` for the expansion points j in `points`, shape (n, len(points))."""
        values = np.empty((self.shape[1], len(points)))
        for rows, columns, part in self._parts(np.arange(self.shape[1]), points):
            values[rows, columns] = self.family.values_for_once(k, part)
        return values

    def diagonal(self, k: int) -> Array:
        """Return ``K_k(x_i, x_i)`` of a square stack, shape (n,)."""
        step = 64  # of whose products all but the diagonal are waste
        n = self.shape[1]
        parts = (self.family.base(self.examples[i : i + step], self.points[i : i + step]) for i in range(0, n, step))
        return self.family.transform(np.concatenate([np.diagonal(part) for part in parts]), **self.family.members[k])

    def scales(self) -> Array:
        """Return ``max_i |K_k(x_i, z_j)|`` for all k and j, shape (p, m); see `GramStack` for the error."""
        low, high = np.full(self.shape[2], np.inf), np.full(self.shape[2], -np.inf)
        for _, columns, part in self._parts(np.arange(self.shape[1]), np.arange(self.shape[2])):
            low[columns] = np.minimum(low[columns], part.min(axis=0))
            high[columns] = np.maximum(high[columns], part.max(axis=0))
        extremes = np.stack([low, high])
        return np.stack([np.abs(self.family.transform(extremes, **m)).max(axis=0) for m in self.family.members])

    def price(self, v: Array) -> Array:
        """Return ``sum_i v_i K_k(x_i, z_j)`` for all k and j, shape (p, m), in the precision of `v`."""
        if self._is_fused(v):
            every, weights = np.arange(len(self)), np.tile(v, (len(self), 1))
            return self._fused(self.points, self.examples, weights, every, every, np.zeros_like(every))
        sums = np.zeros((len(self), self.shape[2]), dtype=v.dtype)
        price = self.family.price if v.dtype == np.float64 else None
        for rows, columns, part in self._parts(np.flatnonzero(v), np.arange(self.shape[2])):
            if price is not None:
                sums[:, columns] += price(part, v[rows], self.family.members)
            else:
                values = (self.family.values_for_once(k, part) for k in range(len(self)))
                sums[:, columns] += [v[rows] @ one for one in values]
        return sums

    def expand(self, coef: Array) -> Array:
        """Return the kernel expansion ``f(x_i) = sum_k sum_j coef[k, j] K_k(x_i, z_j)``; see `GramStack`."""
        return self.expansions(coef[None])[0]

    def expansions(self, coef: Array) -> Array:
        """Return several kernel expansions as `expand` does, from coefficients of shape (o, p, m), shape (o, n)."""
        f = np.zeros((len(coef), self.shape[1]), dtype=coef.dtype)
        used = np.flatnonzero(coef.any(axis=(0, 1)))
        less_constant = np.array([[adds_up_to_zero(one) for one in beta] for beta in coef])
        if self._is_fused(coef) and len(used):
            outputs, kernels = at = np.nonzero(coef.any(axis=2))
            terms = coef[at], kernels, outputs, less_constant[at].astype(np.intp)
            f[: outputs.max() + 1] = self._fused(self.examples, self.points, *terms)
            return f
        for rows, columns, part in self._parts(np.arange(self.shape[1]), used):
            beta = coef[:, :, used[columns]]
            for k, rule in product(range(len(self)), (True, False)):
                group = np.flatnonzero(less_constant[:, k] == rule)
                points = np.flatnonzero(beta[group, k].any(axis=0))
                if len(points):
                    values = self.family.values_for_once(k, part[:, points], rule)
                    f[np.ix_(group, rows)] += beta[group, k][:, points] @ values.T
        return f

    def terms(self, coef: Array) -> Iterator[tuple[slice | Index, Array, Array]]:
        """Yield what `expand` adds up, block by block; see `GramStack.terms`."""
        used = np.flatnonzero(coef.any(axis=0))
        less_constant = [adds_up_to_zero(beta) for beta in coef]
        for rows, columns, part in self._parts(np.arange(self.shape[1]), used):
            for k, beta in enumerate(coef[:, used[columns]]):
                points = np.flatnonzero(beta)
                if len(points):
                    yield rows, self.family.values_for_once(k, _columns(part, points), less_constant[k]), beta[points]

    def twofold(self, coef: Array) -> tuple[Array, Array, Array] | None:
        """Return what `expand` adds up in twice the working precision, if its family can without blocks of the base.

        Returns
        -------
        high, low, squares : arrays of shape (n,)
            Of the sums two parts, and the sums of the squared terms.
        """
        if not self._is_fused(coef):
            return None
        kernels, used = np.flatnonzero(coef.any(axis=1)), np.flatnonzero(coef.any(axis=0))
        if not len(used):
            nothing = np.zeros((3, self.shape[1]))
            return nothing[0], nothing[1], nothing[2]
        members, less_constant = self.family.members, np.array([adds_up_to_zero(beta) for beta in coef[kernels]])
        rows = coef[kernels][:, used], less_constant.astype(np.intp)
        assert self.family.fused is not None
        own = self.family.fused(tuple(members[k] for k in kernels), self.n_features)
        return self._checked(own, fused.outputs(own, self.examples, self.points[used], *rows))

    def _is_fused(self, weights: Array) -> bool:
        """Whether its family gives products of these examples without blocks of the base, and sooner."""
        is_known = self.family.fused is not None and weights.dtype in (np.float64, np.float32)
        return is_known and is_dense_and_small(self.examples, self.points)

    def _fused(self, X: Array, Z: Array, weights: Array, *rows: Index) -> Array:
        assert self.family.fused is not None
        used = np.flatnonzero(weights.any(axis=0))
        if X is not Z or len(used) < HALF * len(Z):
            Z, weights = Z[used], weights[:, used]
        own = self.family.fused(self.family.members, self.n_features)
        return self._checked(own, fused.products(own, X, Z, weights, *rows)).astype(weights.dtype)

    def _checked(self, own: fused.Kernels, sums: Sums) -> Sums:
        """Return sums over kernel values; raise `UserError` if a kernel overflows. Keep bounds of its base."""
        low, high = fused.range_of_base(own, *self.norms)
        self.extremes = np.array([[min(low, self.extremes[0, 0]), max(high, self.extremes[0, 1])]])
        if not np.isfinite(sums).all():
            for _ in self._parts(np.arange(self.shape[1]), np.arange(self.shape[2])):  # which finds the reason
                pass
        return sums

    def _base(self, rows: Index, points: Index) -> Array:
        """Return the base of some examples and points."""
        return self.family.base(self.examples[rows], self.points[points])

    def _parts(self, rows: Index, points: Index) -> Iterator[tuple[Index, slice, Array]]:
        """Yield blocks of the base: which rows, which places in `points`, its values; see `GramStack` for the error."""
        for start in range(0, len(points), COLUMNS):
            columns = slice(start, min(start + COLUMNS, len(points)))
            Z = self.points[points[columns]]
            for first in range(0, len(rows), ROWS):
                some = rows[first : first + ROWS]
                with np.errstate(over="ignore", invalid="ignore"):  # found, and told in one line, below
                    part = self.family.base(self.examples[some], Z)
                low, high = part.min(), part.max()
                self.family.require_finite(np.array([low, high]), *self.shape[1:])
                self.extremes = np.array([[min(low, self.extremes[0, 0]), max(high, self.extremes[0, 1])]])
                yield some, columns, part


def _columns(values: Array, columns: Index) -> Array:
    return values if len(columns) == values.shape[1] else values[:, columns]


def is_matrix_free(n: int, m: int, kernels: int, max_matrix_bytes: float) -> bool:
    """Return whether the matrices of so many kernels, all in memory together, are more than what is stated.

    Parameters
    ----------
    max_matrix_bytes : float
        Bytes of one matrix above which none is made; infinite for whoever asks for matrices anyway.
    """
    return 8.0 * n * m > max_matrix_bytes or 8.0 * n * m * kernels > TOGETHER * max_matrix_bytes


def kernel_stack(
    family: KernelFamily, X: Any, Z: Any, max_matrix_bytes: float = MAX_MATRIX_BYTES, *, together: bool = False
) -> GramStack:
    """Return the values between examples X and expansion points Z: streamed where holding them is too much.

    That is so above a stated size, whatever the machine and its memory: values differ in their last digits.

    Parameters
    ----------
    X, Z : arrays or sparse matrices of shape (n, d), (m, d)
    max_matrix_bytes : float
        Bytes of one matrix; infinite for whoever asks for matrices anyway.
    together : bool
        Whether the matrices of all kernels would be in memory together.
    """
    (n, m), kernels = (X.shape[0], Z.shape[0]), len(family) if together else 1
    if family.streams and is_matrix_free(n, m, kernels, max_matrix_bytes):
        return StreamedStack(family, X, Z, max_matrix_bytes)
    return GramStack(family, X, Z)
