"""The uniform combination of kernels, the baseline of all others.

``mu_k = Lambda / p`` (3.4). Source: Rostamizadeh (2010), section 3.2; Cortes, Kloft and Mohri (2013), section 5.
"""

import numpy as np

from kernlearn.kernels import KernelStack
from kernlearn.types import Array


def weigh(stack: KernelStack, y: Array | None = None, sizes: Array | None = None, Lambda: float = 1.0) -> Array:
    """Return the weights (3.4) of the kernels ``K_k / t_k``, whatever the labels and the sizes t_k, shape (p,)."""
    return np.full(len(stack), Lambda / len(stack))
