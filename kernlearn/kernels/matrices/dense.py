"""Kernels as matrices: ``p n^2`` numbers of 8 bytes in one array."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlearn.errors import UserError
from kernlearn.kernels.core.semidefinite import require_semidefinite, rounding_of
from kernlearn.kernels.matrices.centring import alignments, centre
from kernlearn.kernels.matrices.gram import GramStack, adds_up_to_zero
from kernlearn.kernels.matrices.tails import head
from kernlearn.memory import require
from kernlearn.types import Array

#: Entries of a matrix of one example whose squares are finite.
LARGEST = float(np.sqrt(np.finfo(np.float64).max))
#: Mean diagonal of a centred kernel, as a part of the largest entry before, below which the kernel was constant.
CONSTANT = 1e-13


class DenseStack:
    """A `KernelStack` of p matrices in one array of shape (p, n, n), ``8 p n^2`` bytes.

    Parameters
    ----------
    K : array of shape (p, n, n)
        Symmetric positive semidefinite matrices, taken as they are (see `DenseStack.check`).
    means : array of shape (p, n), optional
        The column means that were taken out, where the kernels are centred.
    given : array of shape (p,), optional
        The largest absolute entries before that.
    drift : array of shape (p, n), optional
        What else is the same for all rows of the kernels as given, see `kernlearn.kernels.GramStack.centred_matrix`.
    """

    def __init__(self, K: Array, means: Array | None = None, given: Array | None = None, drift: Array | float = 0.0):
        self.K, self.means = np.ascontiguousarray(K), means
        self._given, self._drift = given, drift

    @classmethod
    def check(cls, K: ArrayLike | Sequence[ArrayLike]) -> "DenseStack":
        """Return the stack of given matrices, or of their symmetric parts where rounding left some that have others.

        Raises `UserError` if they are not p square matrices of one size, not symmetric or not finite.
        """
        given = cast(Sequence[ArrayLike], K)  # one matrix, or number, is refused below
        try:
            array = np.asarray(K, dtype=np.float64)
        except ValueError as error:
            shapes = ", ".join(sorted({str(np.shape(matrix)) for matrix in given}))
            raise UserError(f"the kernel matrices differ in size: {shapes}") from error
        if array.ndim != 3 or array.shape[1] != array.shape[2] or not array.size:
            raise UserError(
                f"kernel matrices must have the shape (p, n, n) or (n, n, p), these have the shape {array.shape}"
            )
        matrices = list(array)
        for k, matrix in enumerate(matrices):
            if not np.isfinite(matrix).all():
                raise UserError(f"kernel matrix {k} has values that are NaN or infinite")
            if np.abs(matrix).max() > (largest := LARGEST / len(matrix)):
                raise UserError(f"kernel matrix {k} has values above {largest:.0e}: divide it by its size")
        kernels = [
            require_semidefinite(matrix, f"kernel matrix {k}", rounding_of(as_given))
            for k, (matrix, as_given) in enumerate(zip(matrices, given, strict=True))
        ]
        unchanged = all(kernel is matrix for kernel, matrix in zip(kernels, matrices, strict=True))
        return cls(array if unchanged else np.stack(kernels))

    @classmethod
    def of(cls, stack: GramStack, less_constant: bool = False) -> "DenseStack":
        """Return all matrices of a square Gram stack; the memory is checked before they are made.

        With `less_constant`, for what is to be centred, kernels that can be had minus a constant, and linear ones of
        examples far from the origin, lose no digits.
        """
        require_matrices(stack.shape)
        if not stack.family.positive_definite:
            raise UserError(
                f"kernel={stack.family.name}: is not positive definite; such kernels are neither centred nor weighed"
            )
        K, drift = np.empty(stack.shape), np.zeros((len(stack), stack.shape[2]))
        for k in range(len(stack)):
            if less_constant:
                K[k], drift[k] = stack.select(k).centred_matrix(0)
            else:
                K[k] = stack.select(k).matrix(0)
        return cls(K, drift=drift)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (p, n, n)."""
        p, n, _ = self.K.shape
        return p, n, n

    def __len__(self) -> int:
        return len(self.K)

    def combine(self, mu: Array) -> Array:
        """Return ``K_mu = sum_k mu_k K_k``, shape (n, n)."""
        used = np.flatnonzero(mu)
        if 2 * len(used) > len(mu):
            return (mu @ self._rows).reshape(self.shape[1:])
        total = np.zeros(self.shape[1:])
        for k in used:
            total += mu[k] * self.K[k]
        return total

    def quadratic(self, a: Array, b: Array | None = None) -> Array:
        """Return ``a' K_k b`` for every k, b = a by default, shape (p,)."""
        return self.K @ a @ (a if b is None else b)

    def images(self, a: Array, some: NDArray[np.intp]) -> Array:
        """Return ``K_k a`` for some k, shape (len(some), n)."""
        return np.stack([self.K[k] @ a for k in some])

    def traces(self) -> Array:
        """Return ``Tr K_k``, shape (p,)."""
        return np.trace(self.K, axis1=1, axis2=2)

    def norms(self) -> Array:
        """Return ``||K_k||_F``, shape (p,)."""
        return np.sqrt(np.einsum("ki,ki->k", self._rows, self._rows))

    def products(self) -> Array:
        """Return ``<K_k, K_l>_F``, shape (p, p)."""
        return self._rows @ self._rows.T

    def alignment(self, mu: Array, y: Array) -> Array:
        """Return the centred alignment of ``K_mu`` with ``yy'`` (definition 2.4), shape (1,)."""
        return alignments(DenseStack(self.combine(mu)[None]), y)

    def heads(self, theta: int) -> Array:
        """Return the sum of the theta largest eigenvalues of every ``K_k``, shape (p,)."""
        return np.array([head(matrix, theta) for matrix in self.K])

    def centred(self) -> "DenseStack":
        """Return the stack of the kernels centred in feature space; it holds matrices of its own.

        Of a kernel that is the same for all examples only rounding errors would be left: it is a matrix of zeros.
        """
        if self.means is not None:
            return self
        require_matrices(self.shape)
        largest = _largest(self.K)
        centred = DenseStack(centre(self.K), self.K.mean(axis=1) + self._drift, largest)
        centred.K[centred.traces() <= CONSTANT * self.shape[1] * largest] = 0.0
        return centred

    def largest_given(self, mu: Array) -> float:
        """Return a bound of the absolute values of ``K_mu``, before it was centred."""
        return float(np.abs(mu) @ (_largest(self.K) if self._given is None else self._given))

    def expansion(self, mu: Array, beta: Array) -> tuple[Array, float]:
        """Return the coefficients (p, n) of the kernels as given, and a constant; see `expansion_of`."""
        return expansion_of(mu, beta, self.means)

    @property
    def _rows(self) -> Array:
        return self.K.reshape(len(self.K), -1)


def expansion_of(mu: Array, beta: Array, means: Array | None) -> tuple[Array, float]:
    """Return the coefficients (p, n) of the kernels as given, and a constant; see `KernelStack.expansion`.

    With ``H = I - 11'/n`` and the column means c_k: ``sum_j beta_j K_kc(x, x_j) = sum_j (H beta)_j K_k(x, x_j) -
    (H beta)' c_k``, for (2.37) is linear in either argument.
    """
    if means is None:
        return np.outer(mu, beta), 0.0
    # Where the sum of beta is 0 but for rounding, what is 0 in beta stays 0.
    used = beta != 0.0 if adds_up_to_zero(beta) else np.ones(len(beta), dtype=bool)
    beta = np.where(used, beta - beta.sum() / max(1, used.sum()), 0.0)
    return np.outer(mu, beta), -float(mu @ (means @ beta))


def _largest(K: Array) -> Array:
    """Return the largest absolute entry of every matrix, shape (p,)."""
    return np.maximum(K.max(axis=(1, 2)), -K.min(axis=(1, 2)))


def require_matrices(shape: tuple[int, ...]) -> None:
    """Raise `UserError` if p matrices of n x n numbers are more than what is available, before they are made."""
    p, n, _ = shape
    require(8.0 * p * n * n, f"{p} kernel matrices of {n} examples", "use fewer kernels or examples")
