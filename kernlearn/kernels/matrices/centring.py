"""Centring of kernels in feature space, the sizes by which kernels are normalised, and their alignment with labels.

Source: Rostamizadeh (2010), definitions (2.37)-(2.39), and of alignment section 2.3 (centred: definition 2.4; without
centring: (2.41)); Cortes, Kloft and Mohri (2013), section 2.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.kernels.core.stack import KernelStack
from kernlearn.types import Array

#: Alignments above this are never rounding.
FAINT = 1e-6
#: Relative rounding error of the sums of products that an alignment is made of.
ROUNDING = 16.0 * float(np.finfo(np.float64).eps)


def centre(K: Array) -> Array:
    """Return ``K_c = (I - 11'/m) K (I - 11'/m)`` (2.39) of one matrix or, along leading axes, of many."""
    rows, columns = K.mean(axis=-1, keepdims=True), K.mean(axis=-2, keepdims=True)
    centred = K - rows
    centred -= columns - rows.mean(axis=-2, keepdims=True)
    return centred


def none(stack: KernelStack) -> Array:
    """Return ones: leave every kernel as it is."""
    return np.ones(len(stack))


def trace(stack: KernelStack) -> Array:
    """Return ``Tr K_k``: kernels of trace one, shape (p,)."""
    return stack.traces()


def mean_diagonal(stack: KernelStack) -> Array:
    """Return ``Tr K_k / n``: kernels of trace n, shape (p,)."""
    return stack.traces() / stack.shape[1]


def frobenius(stack: KernelStack) -> Array:
    """Return ``||K_k||_F``: kernels of Frobenius norm one, shape (p,).

    Raises `UserError` if squares of kernel values are no numbers: a norm is at least ``Tr K_k / sqrt(n)``, and here it
    is not.
    """
    norms, smallest = stack.norms(), 0.5 * stack.traces() / np.sqrt(stack.shape[1])
    _require(norms >= smallest)
    return norms


def products_of(stack: KernelStack) -> Array:
    """Return ``<K_k, K_l>_F``, shape (p, p).

    Raises `UserError` if they are no numbers, or so small that their digits are lost.
    """
    M = stack.products()
    squares = np.diagonal(M)
    _require(((squares >= LEAST) | (stack.traces() <= 0.0)) & np.isfinite(M).all(axis=0))
    return M


def _require(within: NDArray[np.bool_]) -> None:
    if not within.all():
        k = int(np.flatnonzero(~within)[0]) + 1
        raise UserError(
            f"the values of kernel {k} are so large or so small that their squares are no numbers: scale the examples "
            "(scaling=standard)"
        )


#: Sums of squares below this have lost digits.
LEAST = 1e-290
#: Normalisations by name: ``size(stack)`` is what every kernel is divided by.
NORMALISATIONS: dict[str, Callable[[KernelStack], Array]] = {
    "none": none,
    "trace": trace,
    "mean_diagonal": mean_diagonal,
    "frobenius": frobenius,
}


def sizes(stack: KernelStack, normalise: str) -> Array:
    """Return the divisors of a normalisation, 1 for a kernel that is zero, shape (p,)."""
    size = NORMALISATIONS[normalise](stack)
    return np.where(size > 0, size, 1.0)


def alignment(K: Array, L: Array, *, centred: bool = True) -> float:
    """Return ``<K_c, L_c>_F / (||K_c||_F ||L_c||_F)`` (definition 2.4); without centring ``Ahat(K, L)`` (2.41).

    0 if one of them is zero, which has no angle to anything.
    """
    if centred:
        K, L = centre(K), centre(L)
    size = np.linalg.norm(K) * np.linalg.norm(L)
    return float(np.vdot(K, L) / size) if size > 0 else 0.0


def alignments(stack: KernelStack, y: Array, *, centred: bool = True) -> Array:
    """Return the alignment of every kernel with ``K_Y = yy'``, shape (p,).

    ``<K, yy'>_F = y'Ky`` and ``||yy'||_F = |y|^2``. For rank-1 kernels ``vv'`` it is the squared correlation of v and
    y, at O(n) each.
    """
    if centred:
        stack, y = stack.centred(), y - y.mean()
    sizes = frobenius(stack) * (y @ y)
    return np.divide(stack.quadratic(y), sizes, out=np.zeros(len(stack)), where=sizes > 0)


def unaligned(stack: KernelStack, y: Array) -> bool:
    """Return whether no kernel has an alignment with the labels that is more than rounding.

    Rounding of kernel values, of the size of the largest before centring, moves an alignment by its ratio to the norm.
    """
    rho, p = alignments(stack, y), len(stack)
    if rho.max() > FAINT:
        return False
    norms, largest = frobenius(stack), np.array([stack.largest_given(one) for one in np.eye(p)])
    return bool((rho * norms <= ROUNDING * largest).all())


def alignment_by_products(stack: KernelStack, mu: Array, y: Array) -> Array:
    """Return the centred alignment of ``K_mu`` with ``yy'`` (definition 2.4), shape (1,), without making K_mu."""
    stack, y = stack.centred(), y - y.mean()
    size = float(np.sqrt(max(float(mu @ products_of(stack) @ mu), 0.0)) * (y @ y))
    return np.array([mu @ stack.quadratic(y) / size if size > 0 else 0.0])
