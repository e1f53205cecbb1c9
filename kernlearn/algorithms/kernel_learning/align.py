"""Kernels weighted by their alignment with the labels, each by itself.

``mu_k`` is proportional to ``rhohat(K_k, K_Y)`` (3.5), ``K_Y = yy'``, and ``||mu||_2 = Lambda``. These weights maximise
``<K_mu, K_Y>_F`` over that ball for kernels of Frobenius norm one (proposition 3.1). Source: Rostamizadeh (2010),
section 3.2.
"""

import numpy as np

from kernlearn.kernels import KernelStack, alignments
from kernlearn.types import Array


def weigh(stack: KernelStack, y: Array, sizes: Array, Lambda: float = 1.0) -> Array:
    """Return the weights (3.5) of the kernels ``K_k / t_k``.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
        Labels +-1 or real ones.
    sizes : array of shape (p,)
        The t_k, which no alignment depends on.
    Lambda : float > 0

    Returns
    -------
    array of shape (p,)
        Zero if no kernel has anything to do with the labels.
    """
    rho = np.maximum(alignments(stack, y), 0.0)  # (2.40): only rounding makes it negative
    return Lambda * rho / (np.linalg.norm(rho) or 1.0)
