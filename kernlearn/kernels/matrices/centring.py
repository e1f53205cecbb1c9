"""Centring of kernels in feature space, and the sizes by which kernels are normalised.

Source: Rostamizadeh (2010), definitions (2.37)-(2.39); Cortes, Kloft and Mohri (2013), section 2.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.kernels.core.stack import KernelStack
from kernlearn.types import Array


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
    """Return ``||K_k||_F``: kernels of Frobenius norm one, shape (p,)."""
    return norms_of(stack)


def norms_of(stack: KernelStack) -> Array:
    """Return ``||K_k||_F``, shape (p,).

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
