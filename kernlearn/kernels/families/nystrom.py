"""Kernels of low rank in the place of given ones, by landmarks: Nystroem's method, another problem that is named so.

With R landmarks L drawn from the training examples and ``K_LL = U S U'``, every example has the features ::

    phi(x) = S^-1/2 U' k(L, x)                                      (1)

and the kernel ``phi(x)'phi(z) = k(x, L) K_LL^+ k(L, z)`` is k itself where x or z is a landmark. Its matrix has at most
the rank R; with all training examples as landmarks it is the exact one. An optimum, and its certificate, are those of
the approximate problem. How far it is from that of the exact one is said, too, see
`kernlearn.algorithms.core.approximated`.

Source: Williams and Seeger (2001), Using the Nystroem method to speed up kernel machines, NIPS 13.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels.core.family import KernelFamily, product_error
from kernlearn.kernels.core.products import inner_products, lengths
from kernlearn.memory import require
from kernlearn.types import Array, Index

#: What may be written for ``kernel.approximate``.
APPROXIMATIONS = ("nystrom",)
#: Examples whose kernel values with the landmarks are there at a time.
ROWS = 4096


@dataclass(frozen=True, kw_only=True)
class NystromFamily(KernelFamily):
    """The kernels of a family approximated: kernels on features, which `features` makes of the examples."""

    #: The kernels that are approximated, on the examples themselves.
    exact: KernelFamily
    #: The number R of landmarks; all training examples where there are fewer.
    rank: int
    #: Whether solutions have a gap to the problem with the exact kernels; with True from any number of kernel values.
    exact_gap: bool | None = None

    def features(self, seed: int, train: Any, *others: Any) -> tuple[Array, ...]:
        """Return the features (1) of training and other examples, those of all kernels side by side.

        Parameters
        ----------
        seed : int
            Of the landmarks, which are training examples.
        train, *others : arrays or sparse matrices of shape (n, d)

        Returns
        -------
        tuple of arrays of shape (n, p R)
        """
        landmarks, maps = self.fit_map(seed, train)
        return tuple(self.mapped(X, landmarks, maps) for X in (train, *others))

    def fit_map(self, seed: int, train: Any) -> tuple[Any, list[Array]]:
        """Return the landmarks, and the matrix ``U S^-1/2`` of every kernel, from which `mapped` makes the features."""
        landmarks = train[self.landmark_rows(seed, train.shape[0])]
        return landmarks, [_inverse_root(K) for K in self._values(landmarks, landmarks)]

    def landmark_rows(self, seed: int, n: int) -> Index:
        """Return which of n training examples are landmarks, in their order."""
        return np.sort(np.random.default_rng(seed).choice(n, min(self.rank, n), replace=False))

    def mapped(self, X: Any, landmarks: Any, maps: Sequence[Array]) -> Array:
        """Return the features (1) of examples, those of all kernels side by side, shape (n, p R)."""
        n, rank = X.shape[0], len(maps[0])
        what = f"{len(maps) * rank} features of {n} examples"
        require(8.0 * n * len(maps) * rank, what, "use a smaller kernel.rank")
        features = np.empty((n, len(maps), rank))
        for start in range(0, n, ROWS):
            part = slice(start, min(start + ROWS, n))
            for k, values in enumerate(self._values(X[part], landmarks)):
                features[part, k] = values @ maps[k]
        return features.reshape(n, -1)

    def _values(self, X: Any, Z: Any) -> list[Array]:
        base = self.exact.base(X, Z)
        return [self.exact.transform(base, **member) for member in self.members]


def nystrom(exact: Any, rank: int, exact_gap: bool | None = None) -> NystromFamily:
    """Return the kernels of a family approximated by `rank` landmarks.

    Raises `UserError` if they are not positive definite, or the family has no matrices of kernels.
    """
    if not isinstance(exact, KernelFamily) or not len(exact):
        raise UserError(
            f"kernel.approximate=nystrom: approximates the matrices of kernels, and kernel={exact.name} has none"
        )
    if not exact.positive_definite:
        raise UserError(f"kernel.approximate=nystrom: is for positive definite kernels, and kernel={exact.name} is not")
    one = len(exact) == 1
    return NystromFamily(
        f"nystrom {exact.name}",
        exact.members,
        inner_products if one else partial(_products, p=len(exact)),
        _only if one else partial(_one_of, members=exact.members),
        streams=one,
        norms=lengths,
        error=product_error,
        exact=exact,
        rank=rank,
        exact_gap=exact_gap,
    )


def _inverse_root(K: Array) -> Array:
    """Return ``U S^-1/2`` of a positive semidefinite matrix, 0 for eigenvalues that are nothing but rounding."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    kept = values > np.finfo(np.float64).eps * len(K) * max(values[-1], 0.0)
    return np.where(kept, vectors / np.sqrt(np.where(kept, values, 1.0)), 0.0)


# Module functions, not closures: a family has to pickle.


def _products(X: Array, Z: Array, p: int) -> Array:
    """Return the kernel values from features of p kernels side by side, shape (n, m, p)."""
    left, right = np.split(X, p, axis=1), np.split(Z, p, axis=1)
    return np.stack([inner_products(x, z) for x, z in zip(left, right, strict=True)], axis=2)


def _only(B: Array, **_: Any) -> Array:
    return B


def _one_of(B: Array, members: tuple[dict[str, Any], ...], **member: Any) -> Array:
    return np.ascontiguousarray(B[..., members.index(member)])
