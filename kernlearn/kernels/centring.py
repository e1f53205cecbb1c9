"""Centring of kernels in feature space, and the sizes by which kernels are normalised.

Source: Rostamizadeh (2010), definitions (2.37)-(2.39); Cortes, Kloft and Mohri (2013), section 2.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels.stack import KernelStack

Array = NDArray[np.float64]


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
    return stack.norms()


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
